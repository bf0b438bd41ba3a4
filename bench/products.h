/** Products that are measured: a case of matrices, checked before it is timed; the libraries beside it; the peak. */
#ifndef BENCH_PRODUCTS_H
#define BENCH_PRODUCTS_H

#include "tessera/exec/gemm_plan.h"
#include "tessera/tessera.h"
#include "timing.h"

enum { COLUMN_MAJOR = 102, NO = 111, YES = 112, PEERS = 2 };

typedef void (*sgemm)(int, int, int, int, int, int, float, void const *, int, void const *, int, float, void *, int);
typedef void (*dgemm)(int, int, int, int, int, int, double, void const *, int, void const *, int, double, void *,
                      int);
typedef void (*sgemv)(int, int, int, int, float, void const *, int, void const *, int, float, void *, int);
typedef void (*dgemv)(int, int, int, int, double, void const *, int, void const *, int, double, void *, int);

/** A library that was loaded, or not: `handle` is NULL. */
typedef struct blas {
    char const *name, *path, *threads;
    void *handle;
} blas;

extern blas peer[PEERS];

/** Loads the peers, which run as many threads as tessera. */
void load_peers(int threads);

/** Multiply-adds of f32 in a nanosecond, times two, by what the engine's row has; 0: not known. */
double peak(void);

typedef struct gemm_case {
    char const *name;
    int64_t m, n, k;
    bool ta, tb;    /* row-major A, B */
    bool by_vector; /* peers run their product of a matrix and a vector: N is 1 */
    tsr_dtype type, sum;
    void *a, *b, *c;
    tsr_planned_gemm plan;
    void *work;
    size_t bytes;
} gemm_case;

gemm_case make_case(char const *name, tsr_dtype type, tsr_dtype sum, int64_t m, int64_t n, int64_t k, bool ta,
                    bool tb);

void free_case(gemm_case *c);

/** Runs the plan of a case; ends the program where that fails. */
void run_case(gemm_case const *c);

void run_peer(gemm_case const *c, int which);

/** n small numbers. */
void *filled(int64_t n, tsr_dtype type);

/** The contractions of a file, a line C-A-B each, of tensors of about `bytes` bytes, in `turns` turns. */
void measure_contractions(char const *file, int64_t bytes, int turns);

#endif

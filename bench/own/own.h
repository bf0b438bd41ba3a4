/** bench_own: what runs beside what, and how long each takes. */
#ifndef TSR_BENCH_OWN_H
#define TSR_BENCH_OWN_H

#include <stdbool.h>
#include <stddef.h>

#include "tessera/exec/einsum.h"
#include "tessera/text.h"

/** Exit statuses. */
enum { DONE = 0, FAILED = 1, MISUSE = 2 };

enum { MOST_CONTESTANTS = 8, MOST_TURNS = 1001 };

/** Something that is timed: `amount` bytes or operations are done by each run. */
typedef struct contestant {
    char const *name;
    void (*run)(void *context);
    void *context;
    double amount;
    double ns; /* a run: the median of all turns, set by bench_measure */
} contestant;

/** A measurement of ours, the first contestant, beside others. */
typedef struct contest {
    contestant list[MOST_CONTESTANTS];
    int count, threads, turns;
    tsr_dtype type, cast; /* 0: not given */
    char const *unit;     /* of amount by ns: GB/s, GFLOP/s */
} contest;

void bench_enter(contest *c, char const *name, void (*run)(void *), void *context, double amount);

/** Runs all in turn, often enough that a busy machine disturbs each alike, and prints a line for each: its rate,
 *  and ours as a part of it; of one without `run`, that it is absent. */
void bench_measure(contest *c);

/** A tensor in memory of its own, between its least and its greatest offset; small numbers everywhere. False:
 *  complains. */
typedef struct bench_operand {
    tsr_tensor tensor;
    unsigned char *memory;
    size_t bytes;
} bench_operand;

bool bench_operand_of(char const *text, tsr_dtype type, bench_operand *x);

/** The same of a layout. */
bool bench_make_operand(tsr_layout l, tsr_dtype type, bench_operand *x);

/** Operands of n layouts that are given, the last one of type `other`. */
bool bench_take_operands(int n, char **argument, tsr_dtype type, tsr_dtype other, bench_operand *x);

void bench_free_operands(int n, bench_operand *x);

/** The element types: f32 and `cast` of the type, where they are not given. */
void bench_take_types(contest const *c, tsr_dtype (*cast)(tsr_dtype), tsr_dtype *type, tsr_dtype *other);

/** The headline of a measurement. */
void bench_print_case(contest *c, char const *what, double amount, char const *unit);

/** Writes "error: " and the words to standard error; misuse returns MISUSE. */
void complain(char const *format, ...);
int misuse(char const *format, ...);

/** Complains of what the library refuses, with its words. Returns FAILED. */
int bench_refuse(tsr_reason why);

/** The letters of a product, a to z, A to Z: their extents, which tensors have them, what a step of each is worth in
 *  the index of each, and how many elements are summed. */
typedef struct bench_letters {
    int64_t extent[TSR_EINSUM_LETTERS], step[3][TSR_EINSUM_LETTERS], summed;
    bool in[3][TSR_EINSUM_LETTERS];
} bench_letters;

/** Of a text that tsr_einsum takes. */
bench_letters bench_letters_of(char const *text, bench_operand const x[3]);

/** Whether C became the product that letters describe (exec/einsum.h), and c0 its old elements, NULL: they were not
 *  read; by a plain loop for elements all over C, within the bound of exec/gemm.h. If not, complains with the first
 *  that is wrong. */
bool bench_is_product(char const *letters, bench_operand const x[3], void const *c0);

/** What the command measures. Each returns an exit status. */
int bench_copy(contest *c, int n, char **argument);
int bench_gemm(contest *c, int n, char **argument);
int bench_contract(contest *c, int n, char **argument);

/** A plain product of matrices, as BLAS takes it: C += A B, columns of C side by side unless `rows`. */
typedef struct blas_product {
    tsr_dtype type;
    bool transposed_a, transposed_b; /* K runs through neighbours in A, in B */
    int m, n, k, lda, ldb, ldc;
    void const *a, *b;
    void *c;
    void (*function)(void); /* cblas_sgemm, cblas_dgemm */
} blas_product;

/** The BLAS form of a product of tensors (M,K) x (N,K) -> (M,N); false where it has none. */
bool blas_product_of(tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c, blas_product *p);

/** Enters the libraries of BLAS that are found: their products, as copies of *p in `room`, of MOST_CONTESTANTS. */
void bench_enter_blas(contest *c, blas_product const *p, blas_product *room, double amount);

/** A transposition as OpenBLAS's omatcopy takes it. */
typedef struct blas_transposition {
    tsr_dtype type;
    int rows, columns;
    void const *from;
    void *to;
    void (*function)(void);
} blas_transposition;

void bench_enter_omatcopy(contest *c, blas_transposition *t, double amount);

/** A permutation of whole modes as HPTT takes it: sizes of the source, the mode of neighbours first, and which of its
 *  modes is mode i of the destination. */
typedef struct permutation {
    tsr_dtype type;
    int rank, threads, order[TSR_MAX_LEAVES], size[TSR_MAX_LEAVES];
    void const *from;
    void *to;
    void (*function)(void); /* sTensorTranspose, dTensorTranspose */
} permutation;

void bench_enter_hptt(contest *c, permutation *p, double amount);

/** Multiply-adds of a type in registers: run does `*amount` operations. NULL where there are no such instructions. */
void (*bench_peak(tsr_dtype type, double *amount))(void *context);

#endif

/** The plan of a product: its loops, kernel and blocks. It is made once and run any number of times.
 *
 *      tsr_planned_gemm p = tsr_gemm_plan(a, b, c, NULL);      p.of.product.why says whether there is a product
 *      tsr_gemm_run(&p, NULL, 0);                      C += A * B, in memory of the library's own, or
 *      tsr_gemm_run(&p, work, sizeof work);            in yours, of at least tsr_gemm_workspace(&p) bytes
 *
 *  A plan is a plain value. It cuts the modes of the three tensors into loops of V, M, N and K. Each loop runs through
 *  all tensors at once. So the engine multiplies any layouts of equal modes, also hierarchical ones, in place.
 *
 *  Law     the product of exec/gemm.h. A plan leaves the same bits whoever runs its parts. Plans for other numbers of
 *          threads may sum in another order.
 */
#ifndef TSR_EXEC_GEMM_PLAN_H
#define TSR_EXEC_GEMM_PLAN_H

#include "tessera/exec/gemm.h"
#include "tessera/exec/gemm_loops.h"

TSR_HEADER_BEGIN

/** X(id, words): how a product is made. */
#define TSR_GEMM_WAY_LIST(X)                              \
  X(BY_ELEMENT, "element by element")                     \
  X(IN_PLACE, "tiles of A and B are read where they are") \
  X(BLOCKED, "blocks of A and B are packed into panels")

typedef enum tsr_gemm_way {
#define TSR_X_(id, words) TSR_GEMM_##id,
    TSR_GEMM_WAY_LIST(TSR_X_)
#undef TSR_X_
} tsr_gemm_way;

/** A checked product and its loops: what the engine of the CPU and that of a GPU begin with. */
typedef struct tsr_gemm_problem {
    tsr_product_ product; /* product.why says why there is none */
    tsr_slow slow;        /* why there are no loops; else 0 */
    bool swapped;         /* A and B have changed places, and M and N */
    tsr_gemm_loops v, m, n, k;
    int64_t begin[TSR_OPERANDS]; /* the offset of the first element, before the swizzle */
} tsr_gemm_problem;

typedef struct tsr_planned_gemm {
    tsr_gemm_problem of;
    uint8_t way, isa, row; /* the kernels: a row of the table of an instruction set, the least of which is 0 */
    bool pack_a, pack_b;   /* else panels are read where they are */
    bool trivial;          /* alpha 1, beta 0 or 1, nothing else: kernels may write to C */
    uint8_t parts;         /* numbers an element: 2 of complex ones */
    int threads;
    int64_t mc, nc, kc;  /* a block of A has mc rows, one of B nc columns, kc elements of K */
    int64_t panel;       /* rows of a panel of A, if these are a run of C; 0: as many as fill its vectors */
    int64_t batches;     /* products at once, of a thread each; 1: one after the other, by all threads */
    int64_t slice;       /* columns of B that a thread takes at a time with mc rows of A; 0: all of a block */
    int32_t rows, depth; /* cut products: rows of a part of one, of `slice` columns, and its elements of K; 0: all */
    int64_t reserved;    /* 0: room for a field of a later version */
} tsr_planned_gemm;

/** The plan of gemm(A, B, C) with an epilogue; NULL is C += A * B. */
TSR_TRY tsr_planned_gemm tsr_gemm_plan(tsr_tensor const *a, tsr_tensor const *b, tsr_tensor const *c,
                                       tsr_epilogue const *e);

/** Returns the number of bytes of work memory that a plan needs. */
TSR_API size_t tsr_gemm_workspace(tsr_planned_gemm const *p);

/** Runs a plan in `bytes` of memory at `work`. Where these are too few, memory is allocated and freed again; where that
 *  fails, the product is computed element by element. */
TSR_TRY tsr_reason tsr_gemm_run(tsr_planned_gemm const *p, void *work, size_t bytes);

/* A call names tensors; where they are is what it passes (tensor/tensor.h). */
#ifdef __cplusplus
TSR_HOST_REF TSR_NODISCARD tsr_planned_gemm tsr_gemm_plan(tsr_tensor const &a, tsr_tensor const &b,
                                                          tsr_tensor const &c, tsr_epilogue const *e)
{
    return tsr_gemm_plan(&a, &b, &c, e);
}
#else
#  define tsr_gemm_plan(a, b, c, e) tsr_gemm_plan(TSR_AT(a), TSR_AT(b), TSR_AT(c), e)
#endif

TSR_HEADER_END

#endif

/** The plan of a product: which loops, which kernel, which blocks; made once, run as often as wanted.
 *
 *      tsr_gemm_plan p = tsr_plan_gemm(a, b, c, NULL);      p.product.why says whether there is a product
 *      tsr_gemm_plan_run(&p, NULL, 0);                      C += A * B, in memory of the library's own, or
 *      tsr_gemm_plan_run(&p, work, sizeof work);            in yours, of at least tsr_gemm_plan_workspace(&p) bytes
 *
 *  A plan is a plain value. The modes of the three tensors are cut into loops of V, M, N and K that each run through
 *  all tensors at once, so that any layouts of the same modes, hierarchical ones too, are multiplied as they lie in
 *  memory.
 *
 *  Law     the product of exec/gemm.h. Elements of C are the same bit by bit for any number of threads.
 */
#ifndef TSR_EXEC_GEMM_PLAN_H
#define TSR_EXEC_GEMM_PLAN_H

#include "tessera/exec/gemm.h"

TSR_HEADER_BEGIN

/** The tensors that loops go through. */
enum { TSR_IN_A, TSR_IN_B, TSR_IN_C, TSR_IN_BIAS, TSR_OPERANDS };

/** The loops of V, M, N or K, the fastest first: steps in elements, 0 in a tensor that lacks the mode. */
typedef struct tsr_gemm_loops {
    int loops;
    int64_t size, count[TSR_MAX_LEAVES], step[TSR_OPERANDS][TSR_MAX_LEAVES];
} tsr_gemm_loops;

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

typedef struct tsr_gemm_plan {
    tsr_product_ product;
    uint8_t way, isa, row; /* the kernels: a row of the table of an instruction set, the least of which is 0 */
    bool swapped;          /* A and B have changed places, and M and N */
    bool pack_a, pack_b;   /* else panels are read where they are */
    bool trivial;          /* alpha 1, beta 0 or 1, nothing else: kernels may write to C */
    uint8_t parts;         /* numbers an element: 2 of complex ones */
    int threads;
    tsr_gemm_loops v, m, n, k;
    int64_t mc, nc, kc;          /* a block of A has mc rows, one of B nc columns, kc elements of K */
    int64_t panel;               /* rows of a panel of A, if these are a run of C; 0: as many as fill its vectors */
    int64_t begin[TSR_OPERANDS]; /* the offset of the first element, before the swizzle */
} tsr_gemm_plan;

/** The plan of gemm(A, B, C) with an epilogue; NULL is C += A * B. */
TSR_API tsr_gemm_plan tsr_plan_gemm(tsr_tensor a, tsr_tensor b, tsr_tensor c, tsr_epilogue const *e);

/** The bytes that running a plan needs. */
TSR_API size_t tsr_gemm_plan_workspace(tsr_gemm_plan const *p);

/** Runs a plan in `bytes` of memory at `work`, or, where these are too few, in memory that is allocated and freed
 *  again; where there is none either, element by element. */
TSR_API tsr_reason tsr_gemm_plan_run(tsr_gemm_plan const *p, void *work, size_t bytes);

TSR_HEADER_END

#endif

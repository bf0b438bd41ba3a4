/** A run of a plan of products: its memory, and the block that is worked on. */
#ifndef TSR_SRC_EXEC_GEMM_BLOCKS_H
#define TSR_SRC_EXEC_GEMM_BLOCKS_H

#include "exec/gemm/engine.h"

/** Offsets along a block of rows or columns: of the operand in bytes, of C and the bias in numbers. */
typedef struct places {
    int64_t *operand, *c, *bias;
    int *run, *bias_run; /* numbers that lie side by side, from each one on */
} places;

/** Rows (elements) of a block that are a panel of A. */
typedef struct piece {
    int64_t first, rows;    /* the first one; how many */
    unsigned char const *a; /* where kernels read it, `as` units apart along K */
    int64_t as, c;          /* bytes of its first row in C */
    int vectors, numbers;
    uint32_t mask; /* lanes of the last vector */
    bool direct;   /* kernels may write to C: rows are side by side there, and all that a kernel writes */
} piece;

/** What one thread works with. */
typedef struct worker {
    unsigned char *panels; /* of A */
    places m;
    piece *piece;
    unsigned char *tile;
    int64_t left, right; /* the columns of the block that it works on */
} worker;

/** Some rows, columns or elements of K. */
typedef struct gemm_range {
    int64_t first, end;
} gemm_range;

/** A run of a plan, or of a part of one. */
typedef struct blocks {
    tsr_planned_gemm const *plan;
    gemm_choice choice;
    gemm_range of_m, of_n, of_k;
    int64_t nr, unit, sum; /* columns of a tile; bytes of a unit and of a sum */
    int log_nr, log_lanes; /* tiles are many: they divide by shifts */
    int64_t group;         /* panels of B that are packed at once */
    bool brief;            /* they are all that is kept of B: each is read by one block of rows, just then */
    unsigned char *panels; /* of B */
    places n;
    int64_t *k_of_a, *k_of_b;
    unsigned char *partial; /* sums of a block of columns, until the last block of K; or NULL */
    unsigned char *kept;    /* all sums of a part of K, which are joined later; or NULL */
    int64_t partial_ld, worker_bytes;
    uintptr_t workers;             /* where the memory of the threads begins */
    bool sums_fit;                 /* sums are what C holds: they may be added to it */
    int64_t columns, depth, units; /* of the block that is worked on */
    bool first, last;              /* of those along K */
} blocks;

static inline unsigned char *gemm_address(tsr_tensor const *t)
{
    return (unsigned char *)(uintptr_t)t->engine.address;
}

/** The bytes of a panel of B, with what stands behind its units. */
static inline int64_t gemm_panel_bytes(blocks const *b, int64_t units) { return (units + 1) * b->nr * b->unit; }

/** Where a panel of B is packed. */
static inline unsigned char *gemm_panel(blocks const *b, int64_t i)
{
    return b->panels + (b->brief ? i & (b->group - 1) : i) * gemm_panel_bytes(b, b->units);
}

/** Packs panels of B from one on, a group of them. */
void tsr_gemm_pack_b(blocks const *b, int64_t first);

/** Puts a tile of sums in its places in C. */
void tsr_gemm_put_tile(blocks const *b, gemm_tile const *t);

/** Multiplies the panels of a block of rows, which begins at row `top`, by those of B: `count` pieces. */
void tsr_gemm_run_tiles(blocks const *b, worker const *w, int64_t top, int64_t count);

#endif

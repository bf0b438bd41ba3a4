/** The constants that a kernel of tsr_gpu_combine is compiled with, and its arguments (src/gpu/kernels/combine.h). The
 *  host and the kernel include one text. Sources are 0 and 1, the destination is 2. Units bytes. */
#ifndef TSR_SRC_GPU_KERNELS_COMBINE_FORM_H
#define TSR_SRC_GPU_KERNELS_COMBINE_FORM_H

#include "gpu/kernels/relayout_form.h"

TSR_HEADER_BEGIN

/** Threads of a block, accesses of a thread that are under way together, and loops that a kernel knows, at most. */
enum { TSR_COMBINE_THREADS = 256, TSR_COMBINE_BATCH = 8, TSR_COMBINE_LOOPS = 4 };

/* clang-format off */
/** X(id, words). */
#define TSR_COMBINE_KIND_LIST(X)                                        \
  X(DIRECT, "items in the order of the destination")                    \
  X(TILE, "tiles through shared memory")                                \
  X(ELEMENTS, "element by element")

/** X(id, words): how the items of an access are read from a source. */
#define TSR_COMBINE_WAY_LIST(X)                                         \
  X(ONE, "one item for all")                                            \
  X(RUN, "side by side")                                                \
  X(EACH, "one by one")                                                 \
  X(NOTHING, "not at all")                                              \
  X(STAGED, "by tiles")                                                 \
  X(NUMBER, "a number")

/** X(id, words): what is computed in. */
#define TSR_COMBINE_IN_LIST(X)                                          \
  X(INTEGERS, "integers")                                               \
  X(FLOATS, "floats")                                                   \
  X(DOUBLES, "doubles")                                                 \
  X(COMPLEX, "complex numbers")
/* clang-format on */

typedef enum tsr_combine_kind {
#define TSR_X_(id, words) TSR_COMBINE_##id,
    TSR_COMBINE_KIND_LIST(TSR_X_)
#undef TSR_X_
} tsr_combine_kind;

typedef enum tsr_combine_way {
#define TSR_X_(id, words) TSR_COMBINE_##id,
    TSR_COMBINE_WAY_LIST(TSR_X_)
#undef TSR_X_
} tsr_combine_way;

typedef enum tsr_combine_in {
#define TSR_X_(id, words) TSR_COMBINE_IN_##id,
    TSR_COMBINE_IN_LIST(TSR_X_)
#undef TSR_X_
} tsr_combine_in;

/** What a kernel is compiled for. */
typedef struct tsr_combine_form {
    uint8_t kind, op, in;
    uint8_t alpha, beta; /* the tsr_number_kind of the factors, or of the numbers; 0: the factor is 1 */
    uint8_t item[3];     /* bytes of an element */
    uint8_t items;       /* of an access of the destination */
    uint8_t way[2];      /* tsr_combine_way of each source */
    uint8_t load[2];     /* of a source that is staged: items of an access along the columns */
    uint8_t parts;       /* the last access of a run has fewer items */
    uint8_t load_parts;  /* and so has the last one of a row of a tile */
    uint8_t batch;       /* accesses of a thread that are under way together */
    uint8_t loops;       /* direct: how many; 0: more than 4 */
    uint8_t side;        /* rows of a tile, and columns */
    uint8_t wide;        /* indices need more than 31 bits */
    uint8_t fp8;         /* the device converts them */
    tsr_dtype type[3];
} tsr_combine_form;

typedef struct tsr_combine_loop {
    tsr_relayout_count count;
    int64_t step[3];
} tsr_combine_loop;

/** What it is given. */
typedef struct tsr_combination {
    int64_t begin[3];
    int64_t items; /* direct: accesses; elements: elements */
    int64_t run;   /* direct: items of the first loop, whose digits are accesses; elements: as in tsr_relayout */
    int64_t rows, columns; /* tiles: of the first two loops */
    tsr_relayout_count row_tiles, column_tiles;
    tsr_number alpha, beta;
    int32_t loops, shared[2]; /* bytes of shared memory at which the tile of a source begins */
    int32_t pitch[2];         /* bytes from one of its rows to the next */
    int32_t unused;
    tsr_combine_loop loop[TSR_PLAN_LOOPS];
} tsr_combination;

TSR_SAME_(sizeof(tsr_combine_form) == 26 && sizeof(tsr_combine_loop) == 40);
TSR_SAME_(TSR_BEGINS_(tsr_combination, alpha, 88) && TSR_BEGINS_(tsr_combination, loop, 176)
          && sizeof(tsr_combination) == 176 + TSR_PLAN_LOOPS * sizeof(tsr_combine_loop));

TSR_HEADER_END

#endif

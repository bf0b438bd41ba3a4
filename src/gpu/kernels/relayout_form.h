/** The constants that a kernel of tsr_gpu_copy is compiled with, and its arguments (src/gpu/kernels/relayout.h). Units
 *  bytes; steps in bytes, swizzles of bytes. */
#ifndef TSR_SRC_GPU_KERNELS_RELAYOUT_FORM_H
#define TSR_SRC_GPU_KERNELS_RELAYOUT_FORM_H

#include "tessera/cuda/both_sides.h"
#include "tessera/exec/loops.h"
#include "tessera/tile/magic_division.h"

TSR_HEADER_BEGIN

#define TSR_RELAYOUT_LOOPS 20
#define TSR_RELAYOUT_THREADS 256
#define TSR_RELAYOUT_ACCESS 16 /* bytes of the widest access */
#define TSR_RELAYOUT_SECTOR 32 /* bytes that memory moves at least: where columns that begin anywhere are cut */

/* clang-format off */
/** X(id, words). */
#define TSR_RELAYOUT_LIST(X)                                  \
  X(RUN, "one run, which the driver copies")                  \
  X(DIRECT, "items in the order of the destination")          \
  X(TILE, "tiles through shared memory")                      \
  X(RAGGED, "tiles that begin anywhere, through shared memory") \
  X(ZIP, "items of several planes side by side")              \
  X(UNZIP, "items that lie side by side to planes")           \
  X(ELEMENTS, "element by element")
/* clang-format on */

typedef enum tsr_relayout_kind {
#define TSR_X_(id, words) TSR_RELAYOUT_##id,
    TSR_RELAYOUT_LIST(TSR_X_)
#undef TSR_X_
} tsr_relayout_kind;

/** A parameter that is the form, `f`. The source of a kernel defines it as one without a name, and before the functions
 *  a constant `f`: what the form leaves out is then no work for the optimizer (NVRTC 13: 0.15 s a copy instead of 0.9).
 */
#ifndef TSR_FORM_
#  define TSR_FORM_(type) type f
#endif

/** What a kernel is compiled for. */
typedef struct tsr_relayout_form {
    uint8_t kind;
    uint8_t from_item, to_item;   /* bytes of an item; they differ where its type does */
    uint8_t from_items, to_items; /* of one access */
    uint8_t batch;                /* accesses of a thread that are under way together */
    uint8_t loops, columns; /* as in tsr_relayout: loops (of a tile: those of rows), column_loops; 0: more than 3 */
    uint8_t from_parts, to_parts; /* the last access of a run has fewer items */
    uint8_t to_any;               /* runs begin anywhere, accesses of 16 bytes do not */
    uint8_t from_run, to_run;     /* the columns of a tile are one run of the source, its rows of the destination */
    uint8_t unit;                 /* ragged: neighbours on both sides; zip, unzip: planes */
    uint8_t warps;                /* ragged, read by items: that are side by side along the columns */
    uint8_t tables; /* ragged: where rows and columns begin is worked out once: they are several loops */
    uint8_t wide;   /* indices need more than 31 bits */
    uint8_t swizzled;
    uint8_t alpha, beta;          /* the tsr_number_kind of the factors; 0: no factor */
    uint8_t fp8;                  /* the device converts them */
    uint8_t async;                /* a tile is read by cp.async, a ragged one by words (gpu/relayout_words.h) */
    tsr_dtype from_type, to_type; /* 0: bytes are moved as they are */
} tsr_relayout_form;

/** A divisor (tile/magic_division.h). */
typedef struct tsr_relayout_count {
    int64_t n;
    uint32_t multiplier;
    int32_t shift;
} tsr_relayout_count;

typedef struct tsr_relayout_loop {
    tsr_relayout_count count;
    int64_t from, to;
} tsr_relayout_loop;

/** What it is given. */
typedef struct tsr_relayout {
    int64_t from, to;            /* where the items begin */
    int64_t from_low, from_high; /* what lies outside of these bytes is not read */
    int64_t items;               /* direct, zip, unzip: accesses; elements: elements */
    int64_t run;                 /* direct, zip, unzip: items of the first loop, whose digits are accesses */
    int64_t planes;              /* zip, unzip: bytes from one to the next */
    int64_t rows, columns;
    tsr_relayout_count row_tiles, column_tiles;
    tsr_relayout_count loads, stores; /* of a row of a tile: accesses; of a column: groups of as many as `lanes` */
    int32_t tile_rows, tile_columns, lanes;
    int32_t pitch;   /* of a line of shared memory: bytes; ragged, read by items: items */
    int32_t across;  /* ragged, by words: threads that read a row */
    int32_t ways;    /* ragged: in how many places of a sector columns begin */
    int32_t strands; /* ragged: sets of columns that begin at the same one, a multiple of these */
    int32_t ahead;   /* ragged: rows before those of a tile that its columns may begin with */
    int32_t runs;    /* ragged: units of rows, with these */
    int32_t table;   /* ragged: byte of shared memory */
    uint8_t loops, row_loops, column_loops;
    uint8_t along_rows; /* neighbouring blocks are neighbours along the rows */
    tsr_swizzle from_swizzle, to_swizzle;
    tsr_number alpha, beta;
    tsr_relayout_loop loop[TSR_RELAYOUT_LOOPS];
} tsr_relayout;

TSR_SAME_(sizeof(tsr_relayout_form) == 26 && sizeof(tsr_relayout_loop) == 32);
TSR_SAME_(TSR_BEGINS_(tsr_relayout, alpha, 216) && TSR_BEGINS_(tsr_relayout, loop, 280)
          && sizeof(tsr_relayout) == 280 + TSR_RELAYOUT_LOOPS * sizeof(tsr_relayout_loop));

TSR_HEADER_END

#endif

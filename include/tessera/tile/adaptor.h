/** Tensor adaptor: a graph of transforms between bottom dimensions and top dimensions.
 *
 *      top        0   1   2          a stage consumes all top dimensions and produces new ones
 *                 |    \ /
 *      hidden     3   4   5          every dimension of every stage is a hidden dimension with a number and a length
 *                 |     |
 *      bottom     0     1
 *
 *  The length of every hidden dimension is known. A transform that does not fit the dimensions below it is refused,
 *  with the dimension and the numbers. Hidden dimensions are numbered in the order of the transforms that make them.
 *
 *  A transform of the graph is a few bytes. Each number is stored once, with its dimension. The length of a hidden
 *  dimension serves the transforms above and below it. Its coefficient belongs to the one linear transform that reads
 *  it.
 *
 *  Law     the bottom index is the top index run through the transforms, from the last one down to the first; no hidden
 *          dimension is read by two of them.
 *  Limits  TSR_MAX_DIMS on each side, TSR_MAX_TRANSFORMS, TSR_MAX_HIDDEN, TSR_MAX_TABLES.
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/tensor_adaptor.hpp.
 */
#ifndef TSR_TILE_ADAPTOR_H
#define TSR_TILE_ADAPTOR_H

#include "tessera/tile/transform.h"

TSR_HEADER_BEGIN

/** At most 31: a set of transforms is the bits of one integer. */
#ifndef TSR_MAX_TRANSFORMS
#  define TSR_MAX_TRANSFORMS 24
#endif
TSR_SHARES(transforms, TSR_MAX_TRANSFORMS)

/** At most 64: a set of hidden dimensions is the bits of one integer. */
#define TSR_MAX_HIDDEN 64

/** Gathers in one graph. */
#define TSR_MAX_TABLES 8

/** A transform in its place. Its upper dimensions are the hidden ones from `up` on; its lower ones are listed in the
 *  adaptor, from `low` on. */
typedef struct tsr_node {
    uint8_t kind, map; /* tsr_transform_kind, tsr_transform_map */
    uint8_t lows, ups, low, up;
    bool runtime_last; /* the last upper length is known at run time only (it counts for vectors) */
    uint8_t table;     /* indexing: which of the tables */
} tsr_node;

typedef struct tsr_adaptor {
    tsr_reason why;
    uint8_t nodes, hidden, bottoms, tops, lows, tables;
    uint8_t bottom[TSR_MAX_DIMS], top[TSR_MAX_DIMS];
    uint8_t low[TSR_MAX_HIDDEN]; /* the lower dimensions of all nodes, one list behind the other */
    uint8_t
        reader[TSR_MAX_HIDDEN]; /* the node whose upper dimension it is; TSR_MAX_TRANSFORMS of a bottom dimension */
    tsr_node node[TSR_MAX_TRANSFORMS];
    int64_t number[TSR_MAX_TRANSFORMS]; /* linear: the constant; modulo: the modulus; indexing: its reach, and 1 */
    int64_t length[TSR_MAX_HIDDEN];
    int64_t coefficient[TSR_MAX_HIDDEN]; /* in the linear transform that reads it */
    int64_t const *table[TSR_MAX_TABLES];
} tsr_adaptor;

/** A transform of a stage with the dimensions that it consumes and produces: places among the old and new tops. */
typedef struct tsr_link {
    tsr_coord_transform transform;
    uint8_t lows, ups;
    uint8_t low[TSR_MAX_DIMS], up[TSR_MAX_DIMS];
} tsr_link;

/** An adaptor without transforms: its bottom dimensions are its top dimensions. */
TSR_OP tsr_adaptor tsr_identity_adaptor(int n, int64_t const *length);

/** A stage: each link consumes old top dimensions and produces new ones. Every old top dimension is consumed once
 *  (freeze drops one, pass_through keeps one), and the new ones are numbered without gaps.
 *  Errors  DIM_LENGTH, DIM_PRODUCT, DIM_REACH, DIM_NONE, DIM_TWICE, DIM_LEFT, DIM_GAP, ARITY, DIMS, GRAPH_CAPACITY;
 *          the dimension is a top dimension of before the stage, or a new one. */
TSR_OP void tsr_adaptor_stage(tsr_adaptor *a, int links, tsr_link const *link);

/** The adaptor `above` on top of `a`: its bottom dimensions are the top dimensions of a.
 *  Errors  CHAIN_RANK, DIM_LENGTH. */
TSR_OP void tsr_adaptor_chain(tsr_adaptor *a, tsr_adaptor const *above);

/** The top lengths. */
TSR_OP tsr_index tsr_adaptor_lengths(tsr_adaptor const *a);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/adaptor.h"
#endif

#endif

/** Tile distribution encoding: how the elements of a tile belong to threads.
 *
 *      R          lengths of replication: the same elements in several threads
 *      H          for each dimension X of the tile, factors of its length, the slowest first
 *      P          partition indices (warp, lane): each merges a list of factors, the first one slowest
 *      Y          indices within one thread: each is one factor
 *
 *  A factor is written major.minor: 0.i is R_i, k.i is factor i of X_(k-1). Every factor of H belongs to exactly one
 *  P or Y, every factor of R to at most one P; this is checked. The buffer of a thread is row-major over Y.
 *
 *      dist{R=();H=((4,2,4),(32));P=((1.1,2.0));Y=(1.0,1.2)}      the accumulator of a 32x32 MFMA
 *
 *  Example  xlens dist{R=(1);H=((2,4,16),(4,8));P=((1.1),(1.2,2.0));Y=(1.0,2.1)}  =  (128,32)
 *  Source   ROCm composable_kernel, include/ck_tile/core/tensor/tile_distribution_encoding.hpp.
 */
#ifndef TSR_TILE_ENCODING_H
#define TSR_TILE_ENCODING_H

#include "tessera/tile/reason.h"

TSR_HEADER_BEGIN

#define TSR_MAX_XS 8
#define TSR_MAX_PS 4
#define TSR_MAX_FACTORS 32

typedef struct tsr_place {
    uint8_t major, minor;
} tsr_place;

typedef struct tsr_places {
    uint8_t count;
    tsr_place at[TSR_MAX_DIMS];
} tsr_places;

/** All factors are in one array, R first. Those of major m are first[m] to first[m + 1] - 1. */
typedef struct tsr_encoding {
    tsr_reason why;
    uint8_t xs, ps, ys;
    uint8_t first[TSR_MAX_XS + 2];
    uint8_t p_first[TSR_MAX_PS + 1]; /* P i merges p_factor[p_first[i]] to p_factor[p_first[i + 1] - 1] */
    uint8_t p_factor[TSR_MAX_FACTORS];
    uint8_t y_factor[TSR_MAX_DIMS];
    int64_t length[TSR_MAX_FACTORS];
} tsr_encoding;

/* The lists that an encoding is made from, and that it is taken apart into. */
typedef struct tsr_encoding_lists {
    uint8_t xs, ps;
    tsr_index r, h[TSR_MAX_XS];
    tsr_places p[TSR_MAX_PS], y;
} tsr_encoding_lists;

/** Invalid, and empty otherwise. */
TSR_OP tsr_encoding tsr_bad_encoding_(tsr_reason why);

/** Errors  NO_FACTOR, FACTOR_TWICE, FACTOR_FREE, Y_REPLICATES, DIM_EMPTY, DIMS, OVERFLOW. */
TSR_OP tsr_encoding tsr_make_tile_distribution_encoding(tsr_encoding_lists const *l);

/** The lists of an encoding. */
TSR_OP tsr_encoding_lists tsr_encoding_lists_of(tsr_encoding const *e);

/** The lengths of the tile. */
TSR_OP tsr_index tsr_x_lengths(tsr_encoding const *e);

TSR_OP tsr_index tsr_y_lengths(tsr_encoding const *e);

TSR_OP tsr_index tsr_p_lengths(tsr_encoding const *e);

/** How many elements a thread holds. */
TSR_OP int64_t tsr_thread_buffer_size(tsr_encoding const *e);

/* Spans: the factors of one X that a thread holds, in the order of H */

/** The place of each Y among the spans: the X, and the number among the Ys of this X. */
TSR_OP tsr_place tsr_span_of_y(tsr_encoding const *e, int y);

/** The lengths of the span of X. */
TSR_OP tsr_index tsr_span_lengths(tsr_encoding const *e, int x);

/* Replication */

/** How far one step of R_r moves P_p: 0 when P_p does not own it. */
TSR_OP int64_t tsr_p_over_r(tsr_encoding const *e, int p, int r);

TSR_OP bool tsr_p_owns_r(tsr_encoding const *e, int p, int r);

/** The replication index of a partition index. An R that no P owns is 0. */
TSR_OP tsr_index tsr_r_index(tsr_encoding const *e, int64_t const *p);

/** The place of an element in the buffer of its thread. */
TSR_OP int64_t tsr_thread_buffer_offset(tsr_encoding const *e, int64_t const *y);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/encoding.h"
#endif

#endif

/** Encodings from encodings: one inside another, reduced over some X, and a slice of the tile.
 *
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/tile_distribution_encoding.hpp and
 *          tile_distribution.hpp. Slices differ: CK Tile (2024) computes a wrong origin when a P is between Ys.
 */
#ifndef TSR_TILE_ENCODING_ALGEBRA_H
#define TSR_TILE_ENCODING_ALGEBRA_H

#include "tessera/tile/encoding.h"

TSR_HEADER_BEGIN

TSR_API bool tsr_append_index_(tsr_index *to, tsr_index const *from);

/** Returns the tile of `inner` repeated as `outer` says. The factors of outer come in front of those of inner.
 *  Errors  X_RANK, DIMS. */
TSR_API tsr_encoding tsr_make_embed_tile_distribution_encoding(tsr_encoding const *outer, tsr_encoding const *inner);

/** The encoding after the X in the set `dims` are reduced: their factors that threads share become replication, those
 *  within a thread vanish, the other X move up. */
TSR_API tsr_encoding tsr_make_reduce_tile_distribution_encoding(tsr_encoding const *e, uint32_t dims);

/** A part of a tile that every thread holds a box of: y_origin, y_length within the thread. */
typedef struct tsr_encoding_slice {
    tsr_encoding encoding;
    tsr_index y_origin, y_length;
} tsr_encoding_slice;

/** Returns the elements of X from begin to end - 1. From the fastest factor on, whole factors are kept. One factor may
 *  be cut, and it must be a Y. All slower factors keep one index.
 *  Errors  SLICE_RANGE, SLICE_FACTOR at the X. */
TSR_API tsr_encoding_slice tsr_slice_distribution_from_x(tsr_encoding const *e, int64_t const *begin,
                                                         int64_t const *end);

TSR_HEADER_END

#endif

/** Tensor coordinate: a top index together with every hidden index below it, so that a step costs less than a fresh
 *  evaluation.
 *
 *  Law     move(make(d, i), s) = make(d, i + s).
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/tensor_coordinate.hpp.
 */
#ifndef TSR_TILE_COORDINATE_H
#define TSR_TILE_COORDINATE_H

#include "tessera/tile/descriptor.h"

TSR_HEADER_BEGIN

typedef struct tsr_coordinate {
    int64_t hidden[TSR_MAX_HIDDEN]; /* hidden[0] is the offset */
} tsr_coordinate;

/** The coordinate of a top index. */
TSR_OP tsr_coordinate tsr_make_tensor_coordinate(tsr_descriptor const *d, int64_t const *index);

/** Moves a coordinate by a step of its top index. */
TSR_OP void tsr_move_tensor_coordinate(tsr_descriptor const *d, tsr_coordinate *c, int64_t const *step);

/** The offset in memory. */
TSR_FN int64_t tsr_coordinate_offset(tsr_coordinate const *c) { return c->hidden[0]; }

/** Is there an element at the coordinate, given that its top index is inside the lengths? */
TSR_FN bool tsr_coordinate_has_valid_offset_assuming_top_index_is_valid(tsr_descriptor const *d,
                                                                        tsr_coordinate const *c)
{
    return tsr_adaptor_valid(&d->graph, c->hidden);
}

/** Is there an element at the coordinate? */
TSR_OP bool tsr_coordinate_has_valid_offset(tsr_descriptor const *d, tsr_coordinate const *c);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/coordinate.h"
#endif

#endif

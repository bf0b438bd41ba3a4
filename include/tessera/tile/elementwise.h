/** Functions of the elements that a thread holds, and casts: on distributed tensors, element by element.
 *
 *  Elements correspond by their place in the tile, so that tensors may differ in the order of Y. A tensor without a
 *  buffer makes the operation do nothing, as CK Tile's null tensors do.
 *
 *  Law     elementwise: element x of every tensor is in one call of the function, for every x that the thread holds.
 *          cast: to[x] = from[x], converted in one rounding; back again where the type of `to` holds all numbers.
 *  Errors  SHUFFLE; NOT_NUMBERS; nothing is done then.
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/tile_elementwise.hpp.
 */
#ifndef TSR_TILE_ELEMENTWISE_H
#define TSR_TILE_ELEMENTWISE_H

#include "tessera/tensor/access.h"
#include "tessera/tile/distributed_tensor.h"

TSR_HEADER_BEGIN

/** Reads and writes one element of each tensor; `context` is the caller's. */
typedef void tsr_element_function(void *context, void *const *element);

#define TSR_MAX_OPERANDS 8

/** f on the elements of `count` tensors, which it may change: at most TSR_MAX_OPERANDS.
 *  Errors  SHUFFLE where distributions differ in more than the order of Y; DIMS for too many tensors. */
TSR_TRY TSR_NODISCARD tsr_reason tsr_tile_elementwise_inout(tsr_element_function *f, void *context, int count,
                                                            tsr_distributed_tensor const *const *tensor);

/** out[x] = f(in[0][x], ..): element[0] is that of `out`, the others are those of `in`, which f only reads. */
TSR_TRY TSR_NODISCARD tsr_reason tsr_tile_elementwise_in(tsr_element_function *f, void *context, int count,
                                                         tsr_distributed_tensor const *const *in,
                                                         tsr_distributed_tensor const *out);

/** The elements of `from` as the type of `to`. Errors  SHUFFLE, NOT_NUMBERS. */
TSR_TRY TSR_NODISCARD tsr_reason tsr_cast_tile(tsr_distributed_tensor const *from, tsr_distributed_tensor const *to);

TSR_HEADER_END

#endif

/** Views and distributions in one line, from pointers of C and tuples: the makers of CK Tile's documents.
 *
 *      float data[12];
 *      tsr_tensor_view v = tsr_make_naive_tensor_view_packed(TSR_GMEM, data, tsr_t(3, 4), 1);
 *      tsr_view_get(&v, tsr_t(1, 2), &x);                                element 6
 *      tsr_encoding e = tsr_encoding_of(tsr_unit(), tsr_t(tsr_t(4, 2, 4), tsr_t(32)),             R, H
 *                                       tsr_t(tsr_t(1, 2)), tsr_t(tsr_t(1, 0)),                   P
 *                                       tsr_t(1, 1), tsr_t(0, 2));                                Y
 *
 *  The element type is that of the pointer. For a type that C has no name for, pass tsr_make_ptr(p, TSR_F16). The
 *  buffer has as many elements as the descriptor reaches. A view of constants is read-only.
 *
 *  Errors  TYPE for a pointer without an element type; NOT_INTEGER, STRIDE_COUNT, DIMS; those of the descriptors and
 *          of the encodings.
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/tensor_view.hpp, tensor_descriptor.hpp,
 *          tile_distribution_encoding.hpp.
 */
#ifndef TSR_TILE_MAKE_H
#define TSR_TILE_MAKE_H

#include "tessera/tile/encoding.h"
#include "tessera/tile/links.h"
#include "tessera/tile/view_element.h"

TSR_HEADER_BEGIN

/** The descriptor of lengths and strides, or of lengths alone, packed. */
TSR_OP tsr_descriptor tsr_descriptor_of(tsr_tuple lengths, tsr_tuple strides, tsr_vector vector);

/** The packed descriptor of lengths. */
TSR_OP tsr_descriptor tsr_descriptor_packed_of(tsr_tuple lengths, int64_t vector_length);

/** The encoding of CK Tile's six lists, in its order. They are R, the factors H of each X, the majors and the minors of
 *  each P, and the majors and the minors of Y. An empty list is tsr_unit().
 *  Errors  FACTOR_NAMES where a list of majors is not as long as that of its minors. */
TSR_OP tsr_encoding tsr_encoding_of(tsr_tuple r, tsr_tuple h, tsr_tuple p_major, tsr_tuple p_minor, tsr_tuple y_major,
                                    tsr_tuple y_minor);

/** An adaptor above memory of `size` elements. Errors  CHAIN_RANK unless it has one bottom dimension; DIM_LENGTH unless
 *  that is as long. */
TSR_OP tsr_descriptor tsr_make_tensor_descriptor_from_adaptor(tsr_adaptor const *a, int64_t size);

/** Makes a view of the memory of a pointer. */
TSR_OP_MEMORY tsr_tensor_view tsr_make_tensor_view_at_(tsr_space space, tsr_engine p, tsr_descriptor d);

/** make_tensor_view(p, descriptor), make_naive_tensor_view(p, lengths, strides, ..) and
 *  make_naive_tensor_view_packed(p, lengths, ..): the last argument promises vectors along the last dimension. */
#define tsr_make_tensor_view_at(space, p, d) tsr_make_tensor_view_at_(space, TSR_PTR_1(TSR_GMEM, p, false), d)

#define tsr_make_naive_tensor_view(space, p, lengths, strides, vector_length, vector_stride) \
  tsr_make_tensor_view_at(space, p,                                                          \
                          tsr_descriptor_of(lengths, strides, tsr_make_vector(vector_length, vector_stride)))

#define tsr_make_naive_tensor_view_packed(space, p, lengths, vector_length) \
  tsr_make_tensor_view_at(space, p, tsr_descriptor_packed_of(lengths, vector_length))

/** The same view with another operation for updates. Errors  UPDATE_SPACE, UPDATE_TYPE, UPDATE_ATOMIC. */
TSR_OP_MEMORY tsr_tensor_view tsr_view_with_operation(tsr_tensor_view v, tsr_memory_operation operation);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/make.h"
#endif

#endif

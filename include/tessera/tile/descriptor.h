/** Tensor descriptor: an adaptor with one bottom dimension, the offset, and how many elements the offsets span.
 *
 *  Dimensions are written slowest first, as in C arrays; layouts of core/ are fastest first. The element space keeps
 *  its size through all stages: transforms change the view, never the memory.
 *
 *  Example  offset packed((2,6)) | pass(2):0>0 + unmerge(2,3):1>1,2 @ (1,0,2)  =  8 1 1
 *  Example  lengths packed((2,6)) | pass(2):0>0 + unmerge(2,3):1>1,2  =  (2,2,3)
 *  Source   ROCm composable_kernel, include/ck_tile/core/tensor/tensor_descriptor.hpp. Ours differ: negative strides
 *           need an offset that makes up for them; no vector length is derived from a run-time length.
 */
#ifndef TSR_TILE_DESCRIPTOR_H
#define TSR_TILE_DESCRIPTOR_H

#include "tessera/tile/evaluate.h"

TSR_HEADER_BEGIN

typedef struct tsr_descriptor {
    tsr_adaptor graph;
    int64_t space;     /* the greatest offset and one more */
    uint8_t vector_at; /* the hidden dimension that `vector` is said of */
    tsr_vector vector;
} tsr_descriptor;

/** An invalid descriptor with that reason. */
TSR_OP tsr_descriptor tsr_bad_descriptor(tsr_reason why);

/** A promise: runs of `length` elements, `stride` apart. */
TSR_OP tsr_vector tsr_make_vector(int64_t length, int64_t stride);

/** lengths:strides at an offset; `vector` is the caller's promise about the last dimension.
 *  Errors  DIM_EMPTY; NEGATIVE_REACH when negative strides lead below offset 0; OVERFLOW; DIMS. */
TSR_OP tsr_descriptor tsr_make_naive_tensor_descriptor(int n, int64_t const *length, int64_t const *stride,
                                                       tsr_vector vector);

/** Row-major, without gaps. */
TSR_OP tsr_descriptor tsr_make_naive_tensor_descriptor_packed(int n, int64_t const *length, int64_t vector_length);

/** Row-major, rows beginning at multiples of `align`. */
TSR_OP tsr_descriptor tsr_make_naive_tensor_descriptor_aligned(int n, int64_t const *length, int64_t align);

/** lengths:strides that begin at an offset. The space counts the offset, so a buffer of its size has all elements. */
TSR_OP tsr_descriptor tsr_make_naive_tensor_descriptor_with_offset(int n, int64_t const *length,
                                                                   int64_t const *stride, int64_t offset,
                                                                   tsr_vector vector);

/** CK Tile's element_space_size, which leaves out the offset of naive_off. A buffer needs `space` elements. */
TSR_FN int64_t tsr_descriptor_element_space_size(tsr_descriptor const *d)
{
    return d->graph.node[0].kind == TSR_TRANSFORM_OFFSET ? d->graph.length[1] : d->space;
}

/** A stage on top of a descriptor (tile/adaptor.h, tsr_adaptor_stage). The space stays. */
TSR_OP tsr_descriptor tsr_transform_tensor_descriptor(tsr_descriptor d, int links, tsr_link const *link);

/** The elements from begin to end - 1 of every dimension. Errors  SLICE_RANGE. */
TSR_OP tsr_descriptor tsr_slice_tensor_descriptor(tsr_descriptor d, int64_t const *begin, int64_t const *end);

/** Dimension order[i] of d as dimension i. Errors  DIM_NONE, DIM_TWICE. */
TSR_OP tsr_descriptor tsr_transpose_tensor_descriptor(tsr_descriptor d, uint8_t const *order);

/** Pads on the right, up to a multiple of the tile, the dimensions that `pads` names. */
TSR_OP tsr_descriptor tsr_pad_tensor_descriptor(tsr_descriptor d, int64_t const *tile, bool const *pads);

/** The vectors that are sure along each top dimension: the promise about the base, cut to the vectors that the strides
 *  allow, and carried through the transforms. With `promised` nothing is cut, as in CK Tile. */
TSR_OP void tsr_descriptor_vectors(tsr_descriptor const *d, bool promised, tsr_vector *top);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/descriptor.h"
#endif

#endif

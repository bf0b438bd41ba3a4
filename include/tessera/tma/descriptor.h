/** A tensor map as a plain value: what the hardware is told about a tensor in global memory and the box it moves.
 *
 *  Tiled: up to five dimensions, innermost first; the box is a range of each, entered at a coordinate. Im2col: the
 *  dimensions are (C, W, H, D, N) or fewer; a box is a number of channels of a number of pixels, which walk through a
 *  bounding box of the image that is `lower` and `upper` smaller or larger than it.
 *
 *  Law     encoding the value gives the 128 bytes that cuTensorMapEncodeTiled or ..Im2col makes of the same numbers.
 *  Source  CUDA driver API, cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col.
 */
#ifndef TSR_TMA_DESCRIPTOR_H
#define TSR_TMA_DESCRIPTOR_H

#include "tessera/core/tuple.h"
#include "tessera/tma/format.h"

TSR_HEADER_BEGIN

#define TSR_TMA_DIMS 5

typedef struct tsr_tma_desc {
    tsr_reason why; /* why it is invalid; the numbers below are then what was found so far */
    bool im2col;
    uint8_t format, swizzle, interleave, l2, fill; /* the enumerations of format.h */
    int32_t rank;
    uint64_t address;             /* of the tensor; 0 where it is not known yet */
    int64_t dim[TSR_TMA_DIMS];    /* elements */
    int64_t stride[TSR_TMA_DIMS]; /* bytes; that of dimension 0 is one element and not part of the map */
    int64_t box[TSR_TMA_DIMS];    /* tiled: elements that the box spans */
    int64_t step[TSR_TMA_DIMS];   /* every how-maniest element of the box is taken */
    int64_t lower[3], upper[3];   /* im2col: corners of the bounding box, W, H, D */
    int64_t channels, pixels;     /* im2col: of one box */
} tsr_tma_desc;

/** A tiled map of nothing yet: rank 1, as CuTe begins. */
TSR_OP tsr_tma_desc tsr_tma_no_desc(void);

/** An invalid tensor map, with its reason. */
TSR_OP tsr_tma_desc tsr_bad_tma_desc(tsr_reason why);

/** How many elements of dimension i one box holds in shared memory. */
TSR_OP int64_t tsr_tma_extent(tsr_tma_desc const *d, int i);

/** The bytes of one row of a box in shared memory. */
TSR_OP int64_t tsr_tma_row_bytes(tsr_tma_desc const *d);

/** The bytes from one row of a box to the next one in shared memory: rows narrower than the swizzle's span are spaced
 *  by it. (Not documented; so does an H200.) */
TSR_OP int64_t tsr_tma_row_pitch(tsr_tma_desc const *d);

/** The rows of a box. */
TSR_OP int64_t tsr_tma_box_rows(tsr_tma_desc const *d);

/** The bytes of one box: what one transaction adds to its barrier. */
TSR_OP int64_t tsr_tma_box_bytes(tsr_tma_desc const *d);

/** The bytes of shared memory that it takes. */
TSR_OP int64_t tsr_tma_smem_bytes(tsr_tma_desc const *d);

/** To what TMA needs a box's address in shared memory aligned. */
#define TSR_TMA_SMEM_UNIT 128

/** The same, and whole periods of the swizzle, so that its pattern begins with the box. */
TSR_OP int64_t tsr_tma_smem_alignment(tsr_tma_desc const *d);

/** A tiled map from its numbers: dimensions and box in elements, strides without the innermost in bytes.
 *  `modes` holds swizzle, interleave, l2Promotion, oobFill and address as the driver counts them, or fewer. */
TSR_OP tsr_tma_desc tsr_tma_tiled(tsr_dtype type, tsr_tuple dim, tsr_tuple stride, tsr_tuple box, tsr_tuple step,
                                  tsr_tuple modes);

/** An im2col map: `corners` is (lower,upper) or (lower,upper,steps), the corners of W, H and D as far as there are
 *  any, the steps of all dimensions; `box` is (channels,pixels). */
TSR_OP tsr_tma_desc tsr_tma_im2col(tsr_dtype type, tsr_tuple dim, tsr_tuple stride, tsr_tuple corners, tsr_tuple box,
                                   tsr_tuple modes);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tma/body/descriptor.h"
#endif

#endif

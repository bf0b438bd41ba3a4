/** Tensor maps at work: the CPU moves the box of an instruction, and writes the 128 bytes that the hardware reads. So a
 *  kernel's data movement can be tested without the hardware.
 *
 *  Law     a load puts element i of the box, innermost dimension first, at byte i * size after the address of the box.
 *          That byte address is then swizzled. Elements outside the tensor are filled, and a store leaves them out.
 *  Source  CUDA driver API, cuTensorMapEncodeTiled, cuTensorMapEncodeIm2col; PTX ISA, cp.async.bulk.tensor and
 *          cp.reduce.async.bulk.tensor.
 */
#ifndef TSR_EXEC_TMA_H
#define TSR_EXEC_TMA_H

#include "tessera/tma/partition.h"

TSR_HEADER_BEGIN

/** The box to move, and its place in shared memory. */
typedef struct tsr_tma_box {
    int64_t coord[TSR_TMA_DIMS]; /* of the first element, innermost first; tiled: may lie outside the tensor */
    int64_t offset[3];           /* im2col: added to W, H and D of every pixel */
    unsigned char *shared;       /* the shared memory of the CTA, from address 0 on */
    int64_t size;                /* of the shared memory, in bytes */
    int64_t address;             /* of the box in it */
} tsr_tma_box;

/** Moves the box to a coordinate as tsr_tma_coordinate gives it. False: it has other numbers than the map needs. */
TSR_FN bool tsr_tma_move_box(tsr_tma_box *at, tsr_tma_desc const *d, tsr_tuple coord)
{
    int const offsets = d->im2col ? d->rank - 2 : 0;
    if (coord.status || coord.leaves != d->rank + offsets)
        return false;
    for (int i = 0; i < coord.leaves; ++i) {
        if (!tsr_leaf_is_int(coord.leaf[i]))
            return false;
        if (i < d->rank)
            at->coord[i] = coord.leaf[i].value;
        else
            at->offset[i - d->rank] = coord.leaf[i].value;
    }
    return true;
}

/** Moves a box from the tensor at `global` into shared memory. A barrier counts tsr_tma_box_bytes(d) bytes. Returns why
 *  nothing was moved.
 *  Errors  the rules of tma/lint.h; TMA_COORD: the box begins at a multiple of 16 bytes of dimension 0 (not
 *          documented, an H200 stops with an illegal instruction elsewhere); TMA_INTERLEAVED. */
TSR_TRY tsr_reason tsr_tma_load(tsr_tma_desc const *d, void const *global, tsr_tma_box const *at);

/** Moves four rows of a tensor of two dimensions, from at->coord[0] on, one behind the other into shared memory: the
 *  box of the map is one row. A row outside the tensor is filled. A barrier counts the bytes of four boxes.
 *  Errors  TMA_GATHER for other maps, and those of a load. */
TSR_TRY tsr_reason tsr_tma_gather4(tsr_tma_desc const *d, void const *global, tsr_tma_box const *at,
                                   int64_t const *rows);

/** Moves four rows from shared memory into the tensor. Of a row that is named twice, one is kept; here the last.
 *  Errors  TMA_GATHER for other maps, and those of a store. */
TSR_TRY tsr_reason tsr_tma_scatter4(tsr_tma_desc const *d, void *global, tsr_tma_box const *at, int64_t const *rows);

/** A load into the shared memory of every CTA of `mask`, at the same address. */
TSR_TRY tsr_reason tsr_tma_load_multicast(tsr_tma_desc const *d, void const *global, tsr_tma_box const *at,
                                          unsigned char *const *shared, uint32_t mask);

/** Moves a box from shared memory into the tensor, in whole 16 bytes of dimension 0: where its extent ends inside of
 *  them, the bytes behind it are overwritten (not documented, so does an H200).
 *  Errors  as of a load; TMA_STORE: a coordinate is negative; TMA_STORE_PIXELS: corners of im2col reach outside of the
 *          image (both not documented, an H200 stops with an illegal instruction). */
TSR_TRY tsr_reason tsr_tma_store(tsr_tma_desc const *d, void *global, tsr_tma_box const *at);

/** Combines a box in shared memory with the tensor: global = global op shared. Sums are rounded to nearest even; in the
 *  FTZ formats subnormal summands and sums are zero, and sums of TFLOAT32 have all the bits of FLOAT32.
 *  inc counts up to the operand and then begins at 0, dec counts down to 0 and then begins at the operand.
 *  Errors  those of a store; TMA_REDUCE: add is defined on U32, I32, U64 and the floats of 16, 32 and 64 bits, min
 *          and max on these integers, I64, F16 and BF16, inc and dec on U32, and, or, xor on U32, I32 and U64. */
TSR_TRY tsr_reason tsr_tma_reduce(tsr_tma_desc const *d, tsr_tma_reduction op, void *global, tsr_tma_box const *at);

/** Fills a map for the tensor at `address`. The driver is looked for at run time, and stays loaded. A context of a
 *  device of compute capability 9.0 or higher must be current.
 *  Errors  the rules of tma/lint.h, before the driver is asked; TMA_DRIVER; TMA_ENCODE with the driver's number. */
TSR_TRY tsr_reason tsr_tma_encode(tsr_tma_desc const *d, uint64_t address, tsr_tma_map *map);

TSR_HEADER_END

#endif

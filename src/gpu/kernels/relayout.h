/** What a thread of the kernels of tsr_gpu_copy does, as C: the GPU runs it with the form as a constant, and a test
 *  runs the same text on the CPU, thread by thread.
 *
 *      direct     item i of the destination, in its order, from where it lies; accesses of several neighbours
 *      tile       rows by columns of items: read along the columns, which are close in the source, kept in shared
 *                 memory, written along the rows, which are close in the destination
 *      ragged     the same for rows and columns that begin anywhere, and for short units that both sides share: read by
 *                 words where they are runs of the source, else item by item
 *      zip        planes to units of one item of each, and back: unzip; the items change places in registers
 *
 *  Any two layouts: relayout_elements.h.
 *
 *  A tile is a range of rows by a range of columns. Rows are counted through the first `row_loops` loops together,
 *  columns through the next `column_loops`, and the tiles of the others through the rest: where a range ends inside of
 *  a loop nothing is cut.
 *
 *  Law     the blocks together move every item once, and touch nothing of the destination but items.
 *  Units   bytes; steps in bytes, swizzles of bytes.
 */
#ifndef TSR_SRC_GPU_KERNELS_RELAYOUT_H
#define TSR_SRC_GPU_KERNELS_RELAYOUT_H

#include "gpu/kernels/relayout_direct.h"
#include "gpu/kernels/relayout_ragged.h"
#include "gpu/kernels/relayout_zip.h"

TSR_HEADER_BEGIN

/** Between two phases the threads of a block wait for each other. */
TSR_LOCAL_REF int tsr_relayout_phases_(TSR_FORM_(tsr_relayout_form))
{
    return f.kind == TSR_RELAYOUT_RAGGED                               ? 2 + f.tables
           : f.kind == TSR_RELAYOUT_TILE || f.kind == TSR_RELAYOUT_ZIP ? 2
                                                                       : 1;
}

/** What a thread of a block does in a phase. */
TSR_LOCAL_REF void tsr_relayout_phase_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r, uint64_t from,
                                       uint64_t to, int64_t block, int thread, unsigned char *shared, int phase)
{
    bool const last = phase + 1 == tsr_relayout_phases_(f);
    if (f.kind == TSR_RELAYOUT_DIRECT)
        tsr_relayout_direct_(f, r, from, to, block, thread);
    else if (f.kind == TSR_RELAYOUT_UNZIP)
        tsr_relayout_unzip_(f, r, from, to, block, thread);
    else if (f.kind == TSR_RELAYOUT_ZIP && !last)
        tsr_relayout_zip_(f, r, from, block, thread, shared);
    else if (f.kind == TSR_RELAYOUT_ZIP)
        tsr_relayout_zipped_(f, r, to, block, thread, shared);
    else if (f.kind == TSR_RELAYOUT_TILE && !last)
        tsr_relayout_fetch_(f, r, from, block, thread, shared);
    else if (f.kind == TSR_RELAYOUT_TILE)
        tsr_relayout_deliver_(f, r, to, block, thread, shared);
    else if (f.tables && phase == 0)
        tsr_relayout_prepare_(f, r, block, thread, shared);
    else if (last)
        tsr_relayout_deliver_ragged_(f, r, from, to, block, thread, shared);
    else if (f.async)
        tsr_relayout_fetch_words_(f, r, from, block, thread, shared);
    else
        tsr_relayout_fetch_items_(f, r, from, block, thread, shared);
    if (f.tables && phase == 1)
        tsr_relayout_sort_(f, r, to, block, thread, shared);
}

#if TSR_ON_GPU
/** A block has one tile at a time: two under way were slower (0.86 of a copy instead of 0.95). */
__device__ __forceinline__ void tsr_relayout_kernel_(TSR_FORM_(tsr_relayout_form), tsr_relayout const *r,
                                                     uint64_t from, uint64_t to)
{
    extern __shared__ uint4 tsr_relayout_shared_[];
    tsr_kernel_wait_();
    TSR_UNROLL_ for (int phase = 0; phase < 3; ++phase) if (phase < tsr_relayout_phases_(f))
    {
        if (phase > 0 && f.async)
            asm volatile("cp.async.wait_all;" ::: "memory");
        if (phase > 0)
            __syncthreads();
        tsr_relayout_phase_(f, r, from, to, blockIdx.x, (int)threadIdx.x, (unsigned char *)tsr_relayout_shared_,
                            phase);
    }
}
#endif

#undef TSR_HIDE_

TSR_HEADER_END

#endif

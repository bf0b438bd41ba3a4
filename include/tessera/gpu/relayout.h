/** What a thread of the kernels of tsr_gpu_copy does, as C: the GPU runs it with the form as a constant, and a test runs
 *  the same text on the CPU, thread by thread.
 *
 *      direct     item i of the destination, in its order, from where it lies; accesses of several neighbours
 *      tile       rows by columns of items: read along the columns, which are close in the source, kept in shared memory,
 *                 written along the rows, which are close in the destination
 *      elements   any two layouts, each asked for the place of element i
 *
 *  A tile is a range of rows by a range of columns. Rows are counted through the first `row_loops` loops together, columns
 *  through the next `column_loops`, and the tiles of the others through the rest: where a range ends inside of a loop
 *  nothing is cut.
 *
 *      shared memory   item (d, s) at byte d * pitch + (s * item ^ 16 * (d / to_items % 2^k)),  16 * 2^k = min(128, pitch)
 *
 *  Law     the blocks together move every item once, and touch nothing of the destination but items.
 *          The items of one access, (d, s) .. (d + n - 1, s) or (d, s) .. (d, s + n - 1), do not meet in a bank: rows of one
 *          access have one xor, and eight neighbouring accesses of a row of the destination have eight.
 *  Units   bytes; steps in bytes, swizzles of bytes.
 */
#ifndef TSR_GPU_RELAYOUT_H
#define TSR_GPU_RELAYOUT_H

#include "tessera/exec/elements.h"
#include "tessera/gpu/relayout_deliver.h"
#include "tessera/gpu/relayout_direct.h"
#include "tessera/gpu/relayout_fetch.h"

#if TSR_ON_GPU
/** A kernel of tiles. One at a time: two under way in a block were slower (0.86 of a copy instead of 0.95). */
__device__ __forceinline__ void tsr_relayout_tiles_(tsr_relayout_form f, tsr_relayout const *r, uint64_t from,
                                                    uint64_t to, unsigned char *shared)
{
    if (f.tables) {
        tsr_relayout_prepare_(f, r, blockIdx.x, (int)threadIdx.x, shared);
        __syncthreads();
    }
    tsr_relayout_fetch_(f, r, from, to, blockIdx.x, (int)threadIdx.x, shared);
    if (f.gather)
        asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    tsr_relayout_deliver_(f, r, to, blockIdx.x, (int)threadIdx.x, shared);
}
#endif

/* Elements */

TSR_INLINE void tsr_relayout_element_(tsr_relayout_form f, tsr_relayout const *r, tsr_tensor const *from,
                                      tsr_tensor const *to, int64_t i)
{
    int x = 0, y = 0;
    tsr_dtype const type = to->engine.type;
    if (i >= r->items)
        return;
    unsigned char const *const p = tsr_element_place(&from->engine, tsr_layout_offset(&from->layout, i), &x);
    unsigned char *const q = tsr_element_place(&to->engine, tsr_layout_offset(&to->layout, i), &y);
    if (f.from_type == 0) {
        TSR_COPY(q, p, (size_t)tsr_dtype_bits(type) / 8);
        return;
    }
    tsr_number v = tsr_load(from->engine.type, p, x);
    if (f.alpha != 0)
        v = tsr_relayout_update_(f, r, v, f.beta != 0 ? tsr_load(type, q, 0) : v);
    tsr_store(type, q, 0, v);
}

#undef TSR_ROLL_
#undef TSR_UNROLL_

#endif

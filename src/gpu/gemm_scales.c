/** Scales of blocks of the operands of a product: where the kernel finds them. */
#include "exec/move/plan.h"
#include "gpu/gemm.h"

enum { BLOCK = 128 };

/** The step from one block of a mode to the next, `of` elements each: block b of the mode is at b times that. An offset
 *  is a sum over the leaves, so that what holds at the first element that each of them moves to holds everywhere. */
static tsr_reason step_of(tsr_tensor const *scale, int operand, int mode, int64_t of, int64_t extent, int64_t *step)
{
    tsr_layout const l = tsr_mode(scale->layout, mode);
    int64_t const size = l.shape.status ? 0 : tsr_layout_size(l);
    *step = size > of ? tsr_layout_offset(&l, of) : 0;
    if (size < extent)
        return tsr_because(TSR_GEMM_SIZE, mode, extent, size, 0);
    int64_t at = 1, expected = 0;
    for (int i = 0; at < extent; ++i) {
        int64_t const n = (int64_t)tsr_leaf_extent(l.shape.leaf[i]), offset = n > 1 ? tsr_layout_offset(&l, at) : 0;
        if (n > 1 && (!tsr_mul64(at / of, *step, &expected) || offset != expected))
            return tsr_because(TSR_GEMM_SCALE, operand, mode, at, offset);
        at *= n;
    }
    return tsr_no_reason();
}

/** The steps (row or column, K, batch) of the scales of an operand, blocks of `rows` by 128. */
static tsr_reason steps_of(tsr_tensor const *scale, tsr_tensor const *t, int operand, int64_t rows, int64_t step[3])
{
    int const rank = (int)tsr_layout_rank(t->layout), batched = rank == 3;
    int64_t const block[3] = {1, rows, BLOCK};
    tsr_reason const own = tsr_reason_or(tsr_all_readable_(scale), tsr_aligned(*scale, sizeof(float)));
    tsr_reason const memory = tsr_reason_or(tsr_all_readable_(t), own);
    if (memory.status)
        return memory;
    if (scale->engine.type != TSR_F32 || !tsr_is_memory_(scale))
        return tsr_because(TSR_GEMM_SCALE_TYPE, operand, tsr_dtype_bits(scale->engine.type), 0, 0);
    if ((rank != 2 && rank != 3) || tsr_layout_rank(scale->layout) != rank)
        return tsr_because(TSR_RANK, operand, tsr_layout_rank(scale->layout), rank, 0);
    if (scale->layout.composed || scale->layout.twice)
        return tsr_because(TSR_SWIZZLE_STRIDE, operand, 0, 0, 0);
    step[2] = 0;
    for (int i = 0; i < rank; ++i) {
        int const what = i + !batched; /* 0 the batch, 1 rows, 2 K */
        int64_t const extent = tsr_layout_size(tsr_mode(t->layout, i));
        tsr_reason const why = step_of(scale, operand, i, block[what], extent, &step[(what + 2) % 3]);
        if (why.status)
            return why;
    }
    return tsr_no_reason();
}

tsr_reason tsr_gpu_find_scales_(tsr_tensor a, tsr_tensor b, tsr_tensor scale_a, tsr_tensor scale_b,
                                tsr_gemm_scales *scales)
{
    memset(scales, 0, sizeof *scales);
    tsr_reason why = steps_of(&scale_a, &a, 0, 1, scales->stride_a);
    if (!why.status)
        why = steps_of(&scale_b, &b, 1, BLOCK, scales->stride_b);
    if (why.status)
        return why;
    scales->a = scale_a.engine.address;
    scales->b = scale_b.engine.address;
    scales->rows = (int32_t)tsr_layout_size(tsr_mode(a.layout, tsr_layout_rank(a.layout) == 3));
    scales->columns = (int32_t)tsr_layout_size(tsr_mode(b.layout, tsr_layout_rank(b.layout) == 3));
    return why;
}

/** The algebra that a product needs: here for all of src/gpu, and compiled once. */
#include "gpu/gemm.h"

tsr_tma_tile tsr_gpu_boxes_(tsr_dtype type, int rows, int columns, int along, int parts)
{
    int const near = along == 0 ? rows : columns, far = along == 0 ? columns : rows;
    int const swizzle = tsr_hopper_swizzle(type, near);
    tsr_tma_tile r;
    memset(&r, 0, sizeof r);
    r.swizzle = tsr_make_swizzle(swizzle, 4, 3);
    r.along = along;
    r.rows = rows;
    r.parts = parts;
    r.box[0] = (128 << swizzle) / tsr_dtype_bits(type);
    r.box[1] = far / parts;
    r.elements = r.box[0] * r.box[1];
    r.boxes = rows * columns / r.elements;
    return r;
}

/** Whether neighbours are side by side along a mode. */
static bool has_neighbours(tsr_layout mode)
{
    for (int i = 0; i < mode.shape.leaves; ++i)
        if (tsr_leaf_value(mode.stride.leaf[i]) == 1 && tsr_leaf_value(mode.shape.leaf[i]) > 1)
            return true;
    return false;
}

tsr_tensor tsr_gpu_plain_matrix_(uint64_t address, tsr_dtype type, tsr_layout of)
{
    int const rank = tsr_mode_count(&of.shape), unit = 128 / tsr_dtype_bits(type);
    bool const turned =
        unit == 8 && has_neighbours(tsr_mode(of, rank - 2)) && !has_neighbours(tsr_mode(of, rank - 1));
    int const near = turned ? 1 : 2, far = 3 - near;
    int64_t size[3] = {1, 1, 1}, step[3] = {0, 1, 1};
    for (int i = 0; i < rank && i < 3; ++i)
        size[3 - rank + i] = tsr_layout_size(tsr_mode(of, i));
    step[far] = tsr_ceil_div64(size[near], unit) * unit;
    step[0] = size[far] * step[far];
    tsr_layout const all = tsr_make_layout_from(tsr_tuple_3(tsr_int(size[0]), tsr_int(size[1]), tsr_int(size[2])),
                                                tsr_tuple_3(tsr_int(step[0]), tsr_int(step[1]), tsr_int(step[2])));
    tsr_layout const two = tsr_make_layout_from(tsr_tuple_2(tsr_int(size[1]), tsr_int(size[2])),
                                                tsr_tuple_2(tsr_int(step[1]), tsr_int(step[2])));
    return tsr_make_tensor_of(tsr_gmem_ptr(tsr_int((int64_t)address), type), rank == 3 ? all : two);
}

tsr_tensor tsr_gpu_without_batch_(tsr_tensor t)
{
    tsr_layout const n = tsr_mode(t.layout, 1), k = tsr_mode(t.layout, 2);
    t.layout = tsr_make_layout_from(tsr_tuple_2(n.shape, k.shape), tsr_tuple_2(n.stride, k.stride));
    return t;
}

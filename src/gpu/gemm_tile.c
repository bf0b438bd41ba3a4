/** The algebra that a product needs: here for all of src/gpu, and compiled once. */
#include "gpu/gemm.h"

tsr_hopper_tile tsr_gpu_tile_(tsr_dtype a, tsr_dtype b, tsr_dtype d, int m, int n, int flags)
{
    return tsr_make_hopper_tile(a, b, d, m, n, flags);
}

tsr_hopper_tile tsr_gpu_tile_numbers_(tsr_dtype a, tsr_dtype b, tsr_dtype d, int m, int n, int flags)
{
    return tsr_hopper_tile_numbers(a, b, d, m, n, flags);
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

tsr_tma_desc tsr_gpu_tile_desc_(tsr_layout smem, tsr_dtype type, int parts, int modes, int64_t const *extent,
                                int64_t const *stride)
{
    tsr_layout tensor = TSR_ZERO;
    for (int i = 0; i < modes; ++i) {
        tsr_tuple_push_leaf(&tensor.shape, tsr_leaf_dynamic(extent[i]));
        tsr_tuple_push_leaf(&tensor.stride, tsr_leaf_dynamic(stride[i]));
    }
    tsr_enclose_all_(&tensor.shape);
    tsr_enclose_all_(&tensor.stride);
    tsr_tma_tile const tile = tsr_make_tma_tile(smem, type, parts);
    return tsr_tma_tile_desc(&tile, type, tensor);
}

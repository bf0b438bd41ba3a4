/** Many products in one launch, each of its own sizes and addresses (cuda/hopper_gemm.cuh does the work of each).
 *
 *      tsr_hopper_gemm_groups<plan, epilogue>      blocks, threads and shared memory as of tsr_hopper_gemm
 *      tsr_hopper_list_rows<plan, epilogue>        before it, where the sizes are known on the device only
 *
 *  The products are records in global memory, and the tiles of all of them are one list there: {product, tile along M,
 *  tile along N, steps of K}, a cluster's tiles as one. Both are written by the host, or, for rows that belong to one
 *  of many products (a mixture of experts), by the second kernel from the places where the rows of each end.
 *
 *  Law     of each product that of tsr_hopper_gemm; every tile of the list once.
 *  Source  PTX ISA 9.0, tensormap.replace, fence.proxy.tensormap.
 */
#ifndef TSR_SRC_GPU_KERNELS_HOPPER_GROUPS_CUH
#define TSR_SRC_GPU_KERNELS_HOPPER_GROUPS_CUH

#include "gpu/kernels/hopper_list.h"
#include "tessera/cuda/hopper_gemm.cuh"

/** A product: its maps as those of tsr_hopper_gemm. */
template <class E> struct alignas(TSR_RECORD_ALIGNMENT) tsr_gemm_group {
    tsr_tma_map a, b, d;
    E epilogue;
};

TSR_SAME_(TSR_BEGINS_(tsr_gemm_group<tsr_gemm_numbers>, epilogue, 384) && sizeof(tsr_gemm_record) == 584
          && sizeof(tsr_gemm_group<tsr_gemm_numbers>) % TSR_RECORD_ALIGNMENT == 0
          && sizeof(int4) == sizeof(tsr_gemm_listed));

/** What the host or a kernel wrote to a map in global memory is seen by the copy engine. */
TSR_DEVICE void tsr_tma_acquire(tsr_tma_map const *map)
{
    asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" ::"l"(map) : "memory");
}

/** The tasks of a list. */
template <class P, class E> struct tsr_hopper_listed {
    tsr_gemm_list list;
    tsr_tma_map const *known; /* whose product's maps this thread may use */
    int asked;
    int4 answer; /* the tile `asked` */

    TSR_DEVICE_MEMBER int count(void) const { return __ldg(list.count); }
    TSR_DEVICE_MEMBER int4 tile_at(int i) const
    {
        return i == asked ? answer : __ldg(static_cast<int4 const *>(list.tiles) + i);
    }
    TSR_DEVICE_MEMBER int steps(int i) const { return tile_at(i).w; }
    /** Asks for a tile to come, so that it is there by then. */
    TSR_DEVICE_MEMBER void ask(int i)
    {
        if (i < count()) {
            answer = __ldg(static_cast<int4 const *>(list.tiles) + i);
            asked = i;
        }
    }
    TSR_DEVICE_MEMBER tsr_hopper_task<E> at(int i) const
    {
        int4 const tile = tile_at(i);
        tsr_gemm_group<E> const *const g = static_cast<tsr_gemm_group<E> const *>(list.groups) + tile.x;
        int const m = tile.y * P::ctas + (P::ctas > 1 ? tsr_cluster_rank() : 0);
        return {&g->a, &g->b, &g->d, &g->epilogue, m * P::M, tile.z * P::N, 0, 0, 0, 0, nullptr};
    }
    TSR_DEVICE_MEMBER void acquire(tsr_tma_map const *one, tsr_tma_map const *other)
    {
        if (one == known)
            return;
        tsr_tma_acquire(one);
        if (other != one)
            tsr_tma_acquire(other);
        known = one;
    }
};

template <class P, class E>
__global__ __launch_bounds__(P::threads, 1) void tsr_hopper_gemm_groups(tsr_gemm_list const list)
{
    static_assert(!P::splits && !P::modes && !P::batches, "parts of K and modes in two are for one product");
    tsr_hopper_run_<P>(tsr_hopper_listed<P, E>{list, nullptr, -1, {}});
}

/** Moves a map to rows `first` to `first + rows`. */
TSR_DEVICE void tsr_tma_rows_(tsr_tma_map *map, uint64_t address, int rows)
{
    asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(map), "l"(address)
                 : "memory");
    asm volatile("tensormap.replace.tile.global_dim.global.b1024.b32 [%0], 1, %1;" ::"l"(map), "r"(rows) : "memory");
}

/** The tiles of a cluster that `extent` elements take. */
template <class P> TSR_DEVICE int tsr_tiles_of_(int extent, int mode)
{
    return mode == 0 ? ((extent + P::M - 1) / P::M + P::ctas - 1) / P::ctas : (extent + P::N - 1) / P::N;
}

/** A block for each product. A product whose rows end before they begin, or beyond the rows there are, has none of
 *  those; where such ends make more tiles than rows can have, the last ones are left out. */
template <class P, class E> __global__ __launch_bounds__(256) void tsr_hopper_list_rows(tsr_gemm_rows const x)
{
    typedef tsr_gemm_group<E> group;
    __shared__ int sum[8];
    int const v = blockIdx.x, t = threadIdx.x, others = tsr_tiles_of_<P>(x.others, x.mode ^ 1);
    group const *const model = static_cast<group const *>(x.models) + v;
    int const all = model->epilogue.d.extent[x.mode];
    auto const begin = [&](int i) { return i == 0 ? 0 : min(max(x.ends[i - 1], 0), all); };
    auto const rows = [&](int i) { return max(min(x.ends[i], all) - begin(i), 0); };
    int before = 0;
    for (int i = t; i < v; i += 256)
        before += tsr_tiles_of_<P>(rows(i), x.mode);
    before = __reduce_add_sync(0xffffffffu, before);
    if (t % 32 == 0)
        sum[t / 32] = before;
    group *const g = static_cast<group *>(x.groups) + v;
    if (t < (int)(sizeof(group) / 16))
        reinterpret_cast<uint4 *>(g)[t] = reinterpret_cast<uint4 const *>(model)[t];
    __syncthreads();
    int first = 0;
    for (int i = 0; i < 8; ++i)
        first += sum[i];
    int const mine = tsr_tiles_of_<P>(rows(v), x.mode);
    int const m = x.mode == 0 ? rows(v) : x.others, n = x.mode == 0 ? x.others : rows(v);
    tsr_tile_order const order = {x.mode == 0 ? mine : others, x.mode == 0 ? others : mine, 1,
                                  tsr_hopper_height(m, n, P::N, P::ctas)};
    for (int i = t; i < order.count(); i += 256) {
        tsr_tile_at const at = order.at(i);
        if (first * others + i < x.most)
            static_cast<int4 *>(x.tiles)[first * others + i] = make_int4(v, at.m, at.n, x.steps);
    }
    if (t == 0 && v + 1 == (int)gridDim.x)
        *x.count = min((first + mine) * others, x.most);
    if (t == 0 && mine > 0) {
        int64_t const from = begin(v);
        tsr_tma_map *const operand = x.mode == 0 ? &g->a : &g->b;
        tsr_tma_rows_(operand, x.address + (uint64_t)(from * x.pitch), rows(v));
        if (!P::d_any)
            tsr_tma_rows_(&g->d, (uint64_t)g->epilogue.d.at + (uint64_t)(from * x.pitch_d), rows(v));
        g->epilogue.move(x.mode, from, rows(v));
        asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
    }
}

#endif

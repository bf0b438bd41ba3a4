/** Tiles on their way into shared memory in the background: cp.async.
 *
 *      tsr_async_load_tile(from, into);      the thread's part of a tile, from global to shared memory
 *      tsr_async_load_fence<1>();            all but the last one of this thread's tiles have arrived
 *
 *  Law     after the fence and a barrier, shared memory holds at X what the window `from` gives at X; what is not there
 *          is 0.
 *  Rule    both windows have one distribution; 4, 8 or 16 bytes are neighbours in both.
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/load_tile.hpp: async_load_tile_raw, async_load_fence.
 *          Ours differ: CK Tile leaves what is not there as it is in shared memory, and counts instructions, not tiles.
 */
#ifndef TSR_CUDA_TILE_ASYNC_CUH
#define TSR_CUDA_TILE_ASYNC_CUH

#include "tessera/cuda/async.cuh"
#include "tessera/cuda/tile.cuh"

template <int At, int Width, class Into, class From>
TSR_DEVICE void tsr_async_accesses_(Into const &into, From const &from)
{
    constexpr tsr_window_accesses a = From::accesses;
    if constexpr (At < a.count * (a.width / Width)) {
        constexpr int first = From::first(At * Width / a.width) + At * Width % a.width * a.pitch;
        bool there = false, room = false;
        auto const *const p = from.template find<first>(&there);
        auto *const q = into.template find<first>(&room);
        if (room)
            tsr_cp_async<Width *(int)sizeof(*p)>(q, p, there ? Width * (int)sizeof(*p) : 0);
        tsr_async_accesses_<At + 1, Width>(into, from);
    }
}

template <class V, tsr_variation const &N, tsr_formula const &F, class W, tsr_variation const &M,
          tsr_formula const &G, tsr_encoding const &E>
TSR_DEVICE void tsr_async_load_tile(tsr_static_window<W, M, G, E> const &from,
                                    tsr_static_window<V, N, F, E> const &into)
{
    constexpr tsr_window_accesses a = tsr_static_window<V, N, F, E>::accesses;
    constexpr tsr_window_accesses b = tsr_static_window<W, M, G, E>::accesses;
    constexpr int width = a.along != b.along ? 1 : a.width < b.width ? a.width : b.width;
    static_assert(W::space == TSR_GMEM && V::space == TSR_SMEM,
                  "tsr_async_load_tile: from global into shared memory");
    static_assert(tsr_is_buffer_<typename V::element, typename W::element>,
                  "tsr_async_load_tile: elements of one type");
    static_assert(width * sizeof(typename V::element) >= 4,
                  "tsr_async_load_tile: 4, 8 or 16 bytes that are neighbours in both windows");
    tsr_async_accesses_<0, width>(into, from);
    tsr_cp_async_commit();
}

/** Waits until at most `Pending` tiles of this thread are under way. */
template <int Pending> TSR_DEVICE void tsr_async_load_fence(void) { tsr_cp_async_wait<Pending>(); }

#endif

/** Tiles of a tensor by the copy engine: one verb a tile, whose boxes, places and bytes follow from its layout.
 *
 *      tsr_barrier_expect(&full, tsr_tma_bytes<smem, tsr_f16>);
 *      tsr_tma_load_tile<smem>(&map, &full, to, m, k);                to tsr_smem(p), the tile at (m,k) of the tensor
 *      tsr_tma_load_tile_shared<smem, 2>(&map, &full, to, m, k);      each of 2 CTAs, or 4, ..: a part, all get all
 *      tsr_tma_load_tile<smem, 2>(&map, &full, to, m, k);             a CTA of a pair (sm_100a): full of the even one
 *      tsr_tma_load_tile_multicast<smem>(&map, &full, to, mask, m, k);  into the CTAs of the mask
 *      tsr_tma_store_tile<smem>(&map, from, m, n);
 *      tsr_tma_reduce_tile<smem, TSR_TMA_ADD>(&map, from, m, n);
 *
 *      tsr_tma_load_tile<smem>(tsr_tma_hint(&map, tsr_cache_evict_last()), &full, to, m, k);       cuda/cache.cuh
 *
 *  The map is that of tma/tile.h for the same layout, the same number of sharing CTAs, and a tensor of modes (rows,
 *  columns, more...). Coordinates are the tensor's, rows first, in row-major and column-major tensors alike. One
 *  thread issues.
 *
 *  Law     element (i,j) of the tile is element (m + i, k + j, more...) of the tensor; outside it is zero, and not
 *          stored but for the rest of the 16 bytes in which a line ends (rows that are padded to them lose nothing).
 *  Rule    coordinates along the lines are multiples of 16 bytes; of stores and sums none is negative. An H200 stops
 *          with an illegal instruction elsewhere (exec/tma.h).
 *  Needs   shared memory aligned as tsr_tma_load says: 1024 bytes do always.
 */
#ifndef TSR_CUDA_TILE_TMA_CUH
#define TSR_CUDA_TILE_TMA_CUH

#include "tessera/cuda/later.cuh"
#include "tessera/cuda/refused.cuh"
#include "tessera/cuda/space.cuh"
#include "tessera/cuda/tma.cuh"
#include "tessera/tma/tile.h"

/** A tile of elements of so many bits in the layout L, for the copy engine. */
template <tsr_layout const &L, int Bits, int Parts>
constexpr tsr_tma_tile tsr_tma_tile_of_ = tsr_make_tma_tile(tsr_later_<tsr_on_<L>>(L), (tsr_dtype)(TSR_U8 - 8 + Bits),
                                                            Parts);

/** Are all numbers of a shape constants, as tsr_s(64) and _64 are? */
TSR_FN bool tsr_is_constant_(tsr_tuple const &t)
{
    bool r = true;
    for (int i = 0; i < t.leaves; ++i)
        r = r && tsr_leaf_is_static(t.leaf[i]);
    return r;
}

/** The boxes of a tile of elements T in the layout L, as numbers. */
template <tsr_layout const &L, class T, int Parts> struct tsr_tma_boxes_ {
    struct starts {
        int at[2][64];
    };
    static constexpr tsr_tma_tile tile = tsr_tma_tile_of_<L, 8 * (int)sizeof(T), Parts>;
    static constexpr bool good = TSR_FINE(tile.why);
    static_assert(good || tsr_is_constant_(tsr_later_<tsr_tma_boxes_>(L).shape),
                  "a tile of the copy engine has constant extents: tsr_s(64), or _64 of tessera/names.h, not 64");
    static constexpr int boxes = good ? tile.boxes : 0, each = tile.elements, along = tile.along;
    static_assert(boxes <= 64, "a tile has at most 64 boxes");
    TSR_FN starts find()
    {
        starts r{};
        for (int i = 0; i < boxes; ++i) {
            r.at[0][i] = (int)tsr_tma_tile_row(&tsr_later_<tsr_tma_boxes_>(tile), i);
            r.at[1][i] = (int)tsr_tma_tile_column(&tsr_later_<tsr_tma_boxes_>(tile), i);
        }
        return r;
    }
};

/** The bytes of a tile. */
template <tsr_layout const &L, class T> constexpr int tsr_tma_bytes = (int)(tsr_size(L) * sizeof(T));

/** f(place in shared memory, coordinates of the map...) for each box that part `part` moves. */
template <class B, int Parts, class T, class F, class... At>
TSR_DEVICE void tsr_tma_each_box_(tsr_shared<T> tile, int part, F f, int row, int column, At... more)
{
    constexpr typename B::starts start = B::find();
    TSR_UNROLL for (int i = 0; i < B::boxes / Parts; ++i)
    {
        int m = start.at[0][i * Parts], k = start.at[1][i * Parts];
        TSR_UNROLL for (int p = 1; p < Parts; ++p)
        {
            m = part == p ? start.at[0][i * Parts + p] : m;
            k = part == p ? start.at[1][i * Parts + p] : k;
        }
        T *const at = tile.at + (i * Parts + part) * B::each;
        if constexpr (B::along == 1)
            f(at, column + k, row + m, more...);
        else
            f(at, row + m, column + k, more...);
    }
}

/* What is done with a box at coordinates of the map. */

template <int Ctas, class Map> struct tsr_tma_loads_ {
    Map map;
    tsr_barrier *full;
    template <class... At> TSR_DEVICE_MEMBER void operator()(void *box, At... at) const
    {
        tsr_tma_load<Ctas>(map, full, box, at...);
    }
};
template <int Ctas, class Map> struct tsr_tma_shares_ {
    Map map;
    tsr_barrier *full;
    uint16_t mask;
    template <class... At> TSR_DEVICE_MEMBER void operator()(void *box, At... at) const
    {
        tsr_tma_load_multicast<Ctas>(map, full, box, mask, at...);
    }
};
template <class Map> struct tsr_tma_stores_ {
    Map map;
    template <class... At> TSR_DEVICE_MEMBER void operator()(void const *box, At... at) const
    {
        tsr_tma_store(map, box, at...);
    }
};
template <tsr_tma_reduction Op, class Map> struct tsr_tma_reduces_ {
    Map map;
    template <class... At> TSR_DEVICE_MEMBER void operator()(void const *box, At... at) const
    {
        tsr_tma_reduce<Op>(map, box, at...);
    }
};

/** Loads the tile at (row, column, more...) of the tensor; `full` counts its bytes. With Ctas = 2 it is the barrier at
 *  that place of the pair's even CTA that counts. */
template <tsr_layout const &L, int Ctas = 1, class Map, class T, class... At>
TSR_DEVICE auto tsr_tma_load_tile(Map map, tsr_barrier *full, tsr_shared<T> to, int row, int column, At... more)
    -> tsr_tma_if_map_<decltype(tsr_tma_map_of_(map))>
{
    tsr_tma_each_box_<tsr_tma_boxes_<L, T, 1>, 1>(to, 0, tsr_tma_loads_<Ctas, Map>{map, full}, row, column, more...);
}

/** The same into every CTA of the cluster that `mask` names (tsr_create_tma_multicast_mask). */
template <tsr_layout const &L, int Ctas = 1, class Map, class T, class... At>
TSR_DEVICE auto tsr_tma_load_tile_multicast(Map map, tsr_barrier *full, tsr_shared<T> to, uint16_t mask, int row,
                                            int column, At... more) -> tsr_tma_if_map_<decltype(tsr_tma_map_of_(map))>
{
    tsr_tma_each_box_<tsr_tma_boxes_<L, T, 1>, 1>(to, 0, tsr_tma_shares_<Ctas, Map>{map, full, mask}, row, column,
                                                  more...);
}

/** The same for the `Ctas` CTAs of a cluster that want one tile. Each brings its part to all of them. So each barrier
 *  counts the bytes of the whole tile. */
template <tsr_layout const &L, int Ctas, class Map, class T, class... At>
TSR_DEVICE auto tsr_tma_load_tile_shared(Map map, tsr_barrier *full, tsr_shared<T> to, int row, int column,
                                         At... more) -> tsr_tma_if_map_<decltype(tsr_tma_map_of_(map))>
{
    static_assert(Ctas >= 1 && Ctas <= 16, "tsr_tma_load_tile_shared: the 1 to 16 CTAs of a cluster");
    if constexpr (Ctas == 1)
        tsr_tma_load_tile<L>(map, full, to, row, column, more...);
    else
        tsr_tma_each_box_<tsr_tma_boxes_<L, T, Ctas>, Ctas>(
            to, tsr_cluster_rank(), tsr_tma_shares_<1, Map>{map, full, (uint16_t)((1 << Ctas) - 1)}, row, column,
            more...);
}

/** Stores the tile at (row, column, more...) of the tensor; before it and behind it as tsr_tma_store. */
template <tsr_layout const &L, class Map, class T, class... At>
TSR_DEVICE auto tsr_tma_store_tile(Map map, tsr_shared<T> from, int row, int column, At... more)
    -> tsr_tma_if_map_<decltype(tsr_tma_map_of_(map))>
{
    tsr_tma_each_box_<tsr_tma_boxes_<L, T, 1>, 1>(from, 0, tsr_tma_stores_<Map>{map}, row, column, more...);
}

/** Combines it with the tensor. */
template <tsr_layout const &L, tsr_tma_reduction Op, class Map, class T, class... At>
TSR_DEVICE auto tsr_tma_reduce_tile(Map map, tsr_shared<T> from, int row, int column, At... more)
    -> tsr_tma_if_map_<decltype(tsr_tma_map_of_(map))>
{
    tsr_tma_each_box_<tsr_tma_boxes_<L, T, 1>, 1>(from, 0, tsr_tma_reduces_<Op, Map>{map}, row, column, more...);
}

TSR_ELSE_(tsr_tma_load_tile,
          "tsr_tma_load_tile<layout>: a map, a barrier, tsr_smem(pointer), and the row, column and so on",
          tsr_layout const &, int = 1)
TSR_ELSE_(
    tsr_tma_load_tile_multicast,
    "tsr_tma_load_tile_multicast<layout>: a map, a barrier, tsr_smem(pointer), a mask, and the row, column and so on",
    tsr_layout const &, int = 1)
TSR_ELSE_(
    tsr_tma_load_tile_shared,
    "tsr_tma_load_tile_shared<layout, CTAs>: a map, a barrier, tsr_smem(pointer), and the row, column and so on",
    tsr_layout const &, int = 1)
TSR_ELSE_(tsr_tma_store_tile, "tsr_tma_store_tile<layout>: a map, tsr_smem(pointer), and the row, column and so on",
          tsr_layout const &)
TSR_ELSE_(tsr_tma_reduce_tile,
          "tsr_tma_reduce_tile<layout, operation>: a map, tsr_smem(pointer), and the row, column and so on",
          tsr_layout const &, tsr_tma_reduction = TSR_TMA_ADD)

#endif

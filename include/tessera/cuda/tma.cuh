/** The copy engine: boxes of a tensor map, between global memory and shared memory.
 *
 *  The map is a kernel parameter: `__grid_constant__ tsr_tma_map const map`, made on the host by tsr_tma_encode from a
 *  plan (tma/copy.h). One thread issues; coordinates are those of the TMA tensor, innermost first.
 *
 *  A map is a `tsr_tma_map const *`, or one with a hint for the cache, tsr_tma_hint(&map, hint).
 *
 *      tsr_tma_load(&map, full, smem, k, m);            a box
 *      tsr_tma_load<2>(&map, full, smem, k, m);         by one CTA of a pair: `full` counts in the pair's even CTA
 *      tsr_tma_gather4(&map, full, smem, k, rows);      four rows of a matrix, each by its number
 *
 *  Law     what tsr_tma_load, _store, _reduce, _load_multicast, _gather4 and _scatter4 of exec/tma.h do on the CPU
 *          (tests/cuda/tma.cu).
 *  Needs   sm_90; pairs, gather4 into a cluster, scatter4 and im2col_w what cuda/target.cuh says.
 *  Source  PTX ISA 9.0, cp.async.bulk.tensor, cp.reduce.async.bulk.tensor, cp.async.bulk.prefetch.tensor,
 *          prefetch.tensormap; CuTe's Sm100MmaPeerBitMask for the barrier of a pair.
 */
#ifndef TSR_CUDA_TMA_CUH
#define TSR_CUDA_TMA_CUH

#include "tessera/cuda/barrier.cuh"
#include "tessera/cuda/cache.cuh"
#include "tessera/cuda/target.cuh"
#include "tessera/tma/format.h"

/** A map, and what the second-level cache is told of its lines (cuda/cache.cuh). Every verb takes it for a map. */
struct tsr_tma_hinted {
    tsr_tma_map const *map;
    uint64_t hint;
};
TSR_DEVICE tsr_tma_hinted tsr_tma_hint(tsr_tma_map const *map, uint64_t hint) { return {map, hint}; }

/** A map with a hint or without. */
template <bool Hinted> struct tsr_tma_map_ {
    tsr_tma_map const *map;
    uint64_t hint;
};
TSR_DEVICE tsr_tma_map_<false> tsr_tma_map_of_(tsr_tma_map const *map) { return {map, 0}; }
TSR_DEVICE tsr_tma_map_<true> tsr_tma_map_of_(tsr_tma_hinted x) { return {x.map, x.hint}; }

/** void, of what a map becomes: of anything else a verb is no candidate, so exec/tma.h has verbs of the same names. */
template <class> struct tsr_tma_nothing_ {
    typedef void type;
};
template <class M> using tsr_tma_if_map_ = typename tsr_tma_nothing_<M>::type;

TSR_WORD(tsr_ptx_multicast_, ".multicast::cluster");
TSR_WORD(tsr_ptx_hint_, ".L2::cache_hint");

/** X(id, its name in PTX): how the elements of a box are found. */
#define TSR_TMA_MODE_LIST_(X)   \
  X(TILE, "tile")               \
  X(GATHER4, "tile::gather4")   \
  X(SCATTER4, "tile::scatter4") \
  X(IM2COL, "im2col") X(IM2COL_W, "im2col::w") X(IM2COL_W_128, "im2col::w::128") X(PIXELS, "im2col_no_offs")
enum tsr_tma_mode_ {
#define TSR_X_(id, name) TSR_TMA_MODE_##id,
    TSR_TMA_MODE_LIST_(TSR_X_)
#undef TSR_X_
};
template <int Mode> struct tsr_ptx_mode_;
#define TSR_X_(id, name)                                \
  template <> struct tsr_ptx_mode_<TSR_TMA_MODE_##id> { \
    static constexpr char text[] = name;                \
  };
TSR_TMA_MODE_LIST_(TSR_X_)
#undef TSR_X_
#undef TSR_TMA_MODE_LIST_

TSR_WORD(tsr_ptx_pair_, ".cta_group::2");

/** Shared memory as an address of the CTA, or of the cluster. */
template <bool Cluster> struct tsr_ptx_shared_ {
    static constexpr char text[] = "cta";
};
template <> struct tsr_ptx_shared_<true> {
    static constexpr char text[] = "cluster";
};

template <int Reduction> struct tsr_ptx_reduction_;
#define TSR_X_(id, name)                                \
  template <> struct tsr_ptx_reduction_<TSR_TMA_##id> { \
    static constexpr char text[] = #name;               \
  };
TSR_TMA_REDUCE_LIST(TSR_X_)
#undef TSR_X_

/** The coordinates of a box, in registers; of four rows, the column and theirs. */
struct tsr_tma_at_ {
    int c[5];
};

/** The dimensions of a map whose boxes have so many coordinates. */
TSR_FN int tsr_tma_rank_(int mode, int coords)
{
    return mode == TSR_TMA_MODE_GATHER4 || mode == TSR_TMA_MODE_SCATTER4 ? 2 : coords;
}

#if TSR_EMULATE
#  include "tessera/emulate/tma.h"
#else

/** Brings the map itself near, before it is used. */
template <int Arch = 0> TSR_DEVICE void tsr_tma_prefetch(tsr_tma_map const *map)
{
    TSR_NEEDS_TMA_("tsr_tma_prefetch");
    asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

/** The address of a barrier; of a pair's, in its even CTA. */
template <int Ctas> TSR_DEVICE uint32_t tsr_tma_barrier_(tsr_barrier *full)
{
    static_assert(Ctas == 1 || Ctas == 2, "tsr_tma_load: one CTA, or one of a pair");
    return tsr_smem_address(full) & (Ctas == 2 ? 0xfeffffffu : 0xffffffffu);
}

/* clang-format off */
#define TSR_TMA_CUTS_                                                                                              \
    "C"(tsr_ptx_cut_<Rank == 1>::text), "C"(tsr_ptx_cut_<Rank == 2>::text), "C"(tsr_ptx_cut_<Rank == 3>::text),    \
    "C"(tsr_ptx_cut_<Rank == 4>::text), "C"(tsr_ptx_cut_<Rank == 5>::text)
#define TSR_TMA_HINT_                                                                                              \
    "l"(map.hint), "C"(tsr_ptx_hint_<Hint>::text), "C"(tsr_ptx_open_<!Hint>::text), "C"(tsr_ptx_close_<!Hint>::text)
#define TSR_TMA_AT_ "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4])

/** A load of a box or of four rows; with Multicast into the CTAs of `mask`, at the same address and barrier of each. */
template <int Rank, int Mode, int Ctas, bool Multicast, bool Hint>
TSR_DEVICE void tsr_tma_load_(tsr_tma_map_<Hint> map, tsr_barrier *full, void *smem, tsr_tma_at_ at, uint16_t mask)
{
    constexpr bool tile = Mode == TSR_TMA_MODE_TILE, cluster = tile || Multicast || Ctas == 2;
    TSR_NEEDS_VERB_(Ctas == 2 ? TSR_VERB_TMA_CTA_GROUP : tile ? TSR_VERB_TMA
                    : cluster ? TSR_VERB_TMA_GATHER4_CLUSTER : TSR_VERB_TMA_GATHER4, Rank);
    asm volatile("cp.async.bulk.tensor.%9d.shared::%24.global.%22.mbarrier::complete_tx::bytes%10%23%19"
                 " [%0], [%1, {%2 %13, %3 %14, %4 %15, %5 %16, %6 %17*/], [%7] %11, %8 %12 %20, %18 %21;"
                 ::"r"(tsr_smem_address(smem)), "l"(map.map), TSR_TMA_AT_, "r"(tsr_tma_barrier_<Ctas>(full)),
                   "h"(mask), "n"(tsr_tma_rank_(Mode, Rank)), "C"(tsr_ptx_multicast_<Multicast>::text),
                   "C"(tsr_ptx_open_<!Multicast>::text), "C"(tsr_ptx_close_<!Multicast>::text), TSR_TMA_CUTS_,
                   TSR_TMA_HINT_, "C"(tsr_ptx_mode_<Mode>::text), "C"(tsr_ptx_pair_<Ctas == 2>::text),
                   "C"(tsr_ptx_shared_<cluster>::text)
                 : "memory");
}

/** Brings a box, or four rows, into the second-level cache. */
template <int Rank, int Mode, bool Hint>
TSR_DEVICE void tsr_tma_prefetch_(tsr_tma_map_<Hint> map, tsr_tma_at_ at)
{
    TSR_NEEDS_VERB_(Mode == TSR_TMA_MODE_TILE ? TSR_VERB_TMA : TSR_VERB_TMA_PREFETCH_GATHER4, Rank);
    asm volatile("cp.async.bulk.prefetch.tensor.%6d.L2.global.%16%13"
                 " [%0, {%1 %7, %2 %8, %3 %9, %4 %10, %5 %11*/] %14, %12 %15;"
                 ::"l"(map.map), TSR_TMA_AT_, "n"(tsr_tma_rank_(Mode, Rank)), TSR_TMA_CUTS_, TSR_TMA_HINT_,
                   "C"(tsr_ptx_mode_<Mode>::text)
                 : "memory");
}

template <int Rank, int Mode, bool Hint>
TSR_DEVICE void tsr_tma_store_(tsr_tma_map_<Hint> map, void const *smem, tsr_tma_at_ at)
{
    TSR_NEEDS_VERB_(Mode == TSR_TMA_MODE_SCATTER4 ? TSR_VERB_TMA_SCATTER4 : TSR_VERB_TMA, Rank);
    asm volatile("cp.async.bulk.tensor.%7d.global.shared::cta.%13.bulk_group%15"
                 " [%1, {%2 %8, %3 %9, %4 %10, %5 %11, %6 %12*/], [%0] %16, %14 %17;"
                 ::"r"(tsr_smem_address(smem)), "l"(map.map), TSR_TMA_AT_, "n"(tsr_tma_rank_(Mode, Rank)),
                   TSR_TMA_CUTS_, "C"(tsr_ptx_mode_<Mode>::text), TSR_TMA_HINT_
                 : "memory");
}

template <tsr_tma_reduction Op, int Rank, int Mode, bool Hint>
TSR_DEVICE void tsr_tma_reduce_(tsr_tma_map_<Hint> map, void const *smem, tsr_tma_at_ at)
{
    TSR_NEEDS_VERB_(TSR_VERB_TMA, Rank);
    asm volatile("cp.reduce.async.bulk.tensor.%7d.global.shared::cta.%13.%14.bulk_group%16"
                 " [%1, {%2 %8, %3 %9, %4 %10, %5 %11, %6 %12*/], [%0] %17, %15 %18;"
                 ::"r"(tsr_smem_address(smem)), "l"(map.map), TSR_TMA_AT_, "n"(Rank), TSR_TMA_CUTS_,
                   "C"(tsr_ptx_reduction_<Op>::text), "C"(tsr_ptx_mode_<Mode>::text), TSR_TMA_HINT_
                 : "memory");
}

/** An im2col load: at the pixel `at`, the filter's place `offset` in W, H and D; along W alone, the halo and the
 *  filter's place in W. */
template <int Rank, int Mode, int Ctas, bool Multicast, bool Hint>
TSR_DEVICE void tsr_tma_im2col_(tsr_tma_map_<Hint> map, tsr_barrier *full, void *smem, tsr_tma_at_ at,
                                uint16_t const *offset, uint16_t mask)
{
    constexpr bool w = Mode != TSR_TMA_MODE_IM2COL;
    constexpr int offsets = w ? 2 : Rank - 2;
    TSR_NEEDS_VERB_(w ? TSR_VERB_TMA_IM2COL_W : Ctas == 2 ? TSR_VERB_TMA_CTA_GROUP : TSR_VERB_TMA_IM2COL, Rank);
    asm volatile("cp.async.bulk.tensor.%12d.shared::cluster.global.%28.mbarrier::complete_tx::bytes%13%29%25"
                 " [%0], [%1, {%2 %16, %3 %17, %4 %18, %5 %19, %6 %20*/], [%7],"
                 " {%8 %21, %9 %22, %10 %23*/ %14, %11 %15 %26, %24 %27;"
                 ::"r"(tsr_smem_address(smem)), "l"(map.map), TSR_TMA_AT_, "r"(tsr_tma_barrier_<Ctas>(full)),
                   "h"(offset[0]), "h"(offset[1]), "h"(offset[2]), "h"(mask), "n"(Rank),
                   "C"(tsr_ptx_multicast_<Multicast>::text), "C"(tsr_ptx_open_<!Multicast>::text),
                   "C"(tsr_ptx_close_<!Multicast>::text), TSR_TMA_CUTS_,
                   "C"(tsr_ptx_cut_<offsets == 1>::text), "C"(tsr_ptx_cut_<offsets == 2>::text),
                   "C"(tsr_ptx_cut_<offsets == 3>::text), TSR_TMA_HINT_, "C"(tsr_ptx_mode_<Mode>::text),
                   "C"(tsr_ptx_pair_<Ctas == 2>::text)
                 : "memory");
}
/* clang-format on */

#  undef TSR_TMA_CUTS_
#  undef TSR_TMA_AT_
#  undef TSR_TMA_HINT_

/** Closes a group of stores and reductions. */
template <int Arch = 0> TSR_DEVICE void tsr_tma_commit(void)
{
    TSR_NEEDS_TMA_("tsr_tma_commit");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/** Waits until at most `Pending` groups still read shared memory. */
template <int Pending, int Arch = 0> TSR_DEVICE void tsr_tma_wait_read(void)
{
    TSR_NEEDS_TMA_("tsr_tma_wait_read");
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}

/** Waits until at most `Pending` groups are not yet written. */
template <int Pending, int Arch = 0> TSR_DEVICE void tsr_tma_wait(void)
{
    TSR_NEEDS_TMA_("tsr_tma_wait");
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Pending) : "memory");
}
#endif

/** Loads the box at the coordinates into `smem`; `full` counts its bytes (tsr_barrier_expect). With Ctas = 2 it is
 *  the barrier at that place of the pair's even CTA that counts.
 *  Needs  smem aligned to tsr_tma_smem_alignment of the plan. */
template <int Ctas = 1, class Map, class... Coords>
TSR_DEVICE void tsr_tma_load(Map map, tsr_barrier *full, void *smem, Coords... at)
{
    static_assert(sizeof...(at) >= 1 && sizeof...(at) <= 5, "tsr_tma_load: 1 to 5 coordinates");
    tsr_tma_load_<sizeof...(at), TSR_TMA_MODE_TILE, Ctas, false>(tsr_tma_map_of_(map), full, smem,
                                                                 tsr_tma_at_{{(int)at...}}, 0);
}

/** The same into every CTA of the cluster that `mask` names. */
template <int Ctas = 1, class Map, class... Coords>
TSR_DEVICE void tsr_tma_load_multicast(Map map, tsr_barrier *full, void *smem, uint16_t mask, Coords... at)
{
    static_assert(sizeof...(at) >= 1 && sizeof...(at) <= 5, "tsr_tma_load_multicast: 1 to 5 coordinates");
    tsr_tma_load_<sizeof...(at), TSR_TMA_MODE_TILE, Ctas, true>(tsr_tma_map_of_(map), full, smem,
                                                                tsr_tma_at_{{(int)at...}}, mask);
}

/** Brings the box at the coordinates into the second-level cache. */
template <class Map, class... Coords> TSR_DEVICE void tsr_tma_prefetch_box(Map map, Coords... at)
{
    static_assert(sizeof...(at) >= 1 && sizeof...(at) <= 5, "tsr_tma_prefetch_box: 1 to 5 coordinates");
    tsr_tma_prefetch_<sizeof...(at), TSR_TMA_MODE_TILE>(tsr_tma_map_of_(map), tsr_tma_at_{{(int)at...}});
}

/** Loads four rows of a matrix, from column `column` on, as one box of four rows. The map is of
 *  SM100_TMA_LOAD_2D_GATHER4: its boxes have one row. */
template <int Ctas = 1, class Map>
TSR_DEVICE auto tsr_tma_gather4(Map map, tsr_barrier *full, void *smem, int column, int const (&rows)[4])
    -> tsr_tma_if_map_<decltype(tsr_tma_map_of_(map))>
{
    tsr_tma_load_<5, TSR_TMA_MODE_GATHER4, Ctas, false>(tsr_tma_map_of_(map), full, smem,
                                                        tsr_tma_at_{{column, rows[0], rows[1], rows[2], rows[3]}}, 0);
}

/** The same into every CTA of the cluster that `mask` names. */
template <int Ctas = 1, class Map> TSR_DEVICE void tsr_tma_gather4_multicast(Map map, tsr_barrier *full, void *smem,
                                                                             uint16_t mask, int column,
                                                                             int const (&rows)[4])
{
    tsr_tma_load_<5, TSR_TMA_MODE_GATHER4, Ctas, true>(
        tsr_tma_map_of_(map), full, smem, tsr_tma_at_{{column, rows[0], rows[1], rows[2], rows[3]}}, mask);
}

/** Stores four rows to a matrix, row i of the box in `smem` to row rows[i]; before it and behind it as
 *  tsr_tma_store. */
template <class Map> TSR_DEVICE auto tsr_tma_scatter4(Map map, void const *smem, int column, int const (&rows)[4])
    -> tsr_tma_if_map_<decltype(tsr_tma_map_of_(map))>
{
    tsr_tma_store_<5, TSR_TMA_MODE_SCATTER4>(tsr_tma_map_of_(map), smem,
                                             tsr_tma_at_{{column, rows[0], rows[1], rows[2], rows[3]}});
}

/** Brings four rows of a matrix into the second-level cache. */
template <class Map> TSR_DEVICE void tsr_tma_prefetch_gather4(Map map, int column, int const (&rows)[4])
{
    tsr_tma_prefetch_<5, TSR_TMA_MODE_GATHER4>(tsr_tma_map_of_(map),
                                               tsr_tma_at_{{column, rows[0], rows[1], rows[2], rows[3]}});
}

/** Loads pixels in the order of a convolution; offsets of W, H and D as far as the rank has them. */
template <int Ctas = 1, class Map, class... Coords>
TSR_DEVICE void tsr_tma_load_im2col(Map map, tsr_barrier *full, void *smem, uint16_t const (&offset)[3], Coords... at)
{
    static_assert(sizeof...(at) >= 3 && sizeof...(at) <= 5, "tsr_tma_load_im2col: 3 to 5 coordinates");
    tsr_tma_im2col_<sizeof...(at), TSR_TMA_MODE_IM2COL, Ctas, false>(tsr_tma_map_of_(map), full, smem,
                                                                     tsr_tma_at_{{(int)at...}}, offset, 0);
}

/** The same into every CTA of the cluster that `mask` names. */
template <int Ctas = 1, class Map, class... Coords>
TSR_DEVICE void tsr_tma_load_im2col_multicast(Map map, tsr_barrier *full, void *smem, uint16_t mask,
                                              uint16_t const (&offset)[3], Coords... at)
{
    static_assert(sizeof...(at) >= 3 && sizeof...(at) <= 5, "tsr_tma_load_im2col_multicast: 3 to 5 coordinates");
    tsr_tma_im2col_<sizeof...(at), TSR_TMA_MODE_IM2COL, Ctas, true>(tsr_tma_map_of_(map), full, smem,
                                                                    tsr_tma_at_{{(int)at...}}, offset, mask);
}

/** Loads pixels of a line, by the halo and the offset along W that PTX calls wHalo and wOffset. With Pixels = 128 a box
 *  has 128 pixels, whatever its map says.
 *  Needs  a map of cuTensorMapEncodeIm2colWide, which tsr_tma_encode does not make. */
template <int Pixels = 0, int Ctas = 1, class Map, class... Coords>
TSR_DEVICE void tsr_tma_load_im2col_w(Map map, tsr_barrier *full, void *smem, uint16_t halo, uint16_t offset,
                                      Coords... at)
{
    static_assert(sizeof...(at) >= 3 && sizeof...(at) <= 5, "tsr_tma_load_im2col_w: 3 to 5 coordinates");
    static_assert(Pixels == 0 || Pixels == 128, "tsr_tma_load_im2col_w: the map's pixels (0), or 128");
    uint16_t const both[3] = {halo, offset, 0};
    tsr_tma_im2col_<sizeof...(at), Pixels ? TSR_TMA_MODE_IM2COL_W_128 : TSR_TMA_MODE_IM2COL_W, Ctas, false>(
        tsr_tma_map_of_(map), full, smem, tsr_tma_at_{{(int)at...}}, both, 0);
}

/** The same into every CTA of the cluster that `mask` names. */
template <int Pixels = 0, int Ctas = 1, class Map, class... Coords>
TSR_DEVICE void tsr_tma_load_im2col_w_multicast(Map map, tsr_barrier *full, void *smem, uint16_t mask, uint16_t halo,
                                                uint16_t offset, Coords... at)
{
    static_assert(sizeof...(at) >= 3 && sizeof...(at) <= 5, "tsr_tma_load_im2col_w_multicast: 3 to 5 coordinates");
    static_assert(Pixels == 0 || Pixels == 128, "tsr_tma_load_im2col_w_multicast: the map's pixels (0), or 128");
    uint16_t const both[3] = {halo, offset, 0};
    tsr_tma_im2col_<sizeof...(at), Pixels ? TSR_TMA_MODE_IM2COL_W_128 : TSR_TMA_MODE_IM2COL_W, Ctas, true>(
        tsr_tma_map_of_(map), full, smem, tsr_tma_at_{{(int)at...}}, both, mask);
}

/** Stores the box in `smem` at the coordinates; elements outside the tensor are left out. Before it, every thread
 *  that wrote calls tsr_fence_async, and all meet. */
template <class Map, class... Coords> TSR_DEVICE auto tsr_tma_store(Map map, void const *smem, Coords... at)
    -> tsr_tma_if_map_<decltype(tsr_tma_map_of_(map))>
{
    static_assert(sizeof...(at) >= 1 && sizeof...(at) <= 5, "tsr_tma_store: 1 to 5 coordinates");
    tsr_tma_store_<sizeof...(at), TSR_TMA_MODE_TILE>(tsr_tma_map_of_(map), smem, tsr_tma_at_{{(int)at...}});
}

/** The same of pixels in the order of a convolution, without offsets. */
template <class Map, class... Coords> TSR_DEVICE void tsr_tma_store_im2col(Map map, void const *smem, Coords... at)
{
    static_assert(sizeof...(at) >= 3 && sizeof...(at) <= 5, "tsr_tma_store_im2col: 3 to 5 coordinates");
    tsr_tma_store_<sizeof...(at), TSR_TMA_MODE_PIXELS>(tsr_tma_map_of_(map), smem, tsr_tma_at_{{(int)at...}});
}

/** Combines the box in `smem` with the tensor. */
template <tsr_tma_reduction Op, class Map, class... Coords>
TSR_DEVICE void tsr_tma_reduce(Map map, void const *smem, Coords... at)
{
    static_assert(sizeof...(at) >= 1 && sizeof...(at) <= 5, "tsr_tma_reduce: 1 to 5 coordinates");
    tsr_tma_reduce_<Op, sizeof...(at), TSR_TMA_MODE_TILE>(tsr_tma_map_of_(map), smem, tsr_tma_at_{{(int)at...}});
}

/** The same of pixels in the order of a convolution, without offsets. */
template <tsr_tma_reduction Op, class Map, class... Coords>
TSR_DEVICE void tsr_tma_reduce_im2col(Map map, void const *smem, Coords... at)
{
    static_assert(sizeof...(at) >= 3 && sizeof...(at) <= 5, "tsr_tma_reduce_im2col: 3 to 5 coordinates");
    tsr_tma_reduce_<Op, sizeof...(at), TSR_TMA_MODE_PIXELS>(tsr_tma_map_of_(map), smem, tsr_tma_at_{{(int)at...}});
}

#endif

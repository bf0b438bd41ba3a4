/** The copy engine: boxes of a tensor map, between global memory and shared memory.
 *
 *  The map is a kernel parameter: `__grid_constant__ tsr_tma_map const map`, made on the host by tsr_tma_encode from a
 *  plan (tma/copy.h). One thread issues; coordinates are those of the TMA tensor, innermost first.
 *
 *  A map is a `tsr_tma_map const *`, or one with a hint for the cache, tsr_tma_hint(&map, hint).
 *
 *  Law     what tsr_tma_load, _store, _reduce and _load_multicast of exec/tma.h do on the CPU (tests/cuda/tma.cu).
 *  Source  PTX ISA 9.0, cp.async.bulk.tensor, cp.reduce.async.bulk.tensor, prefetch.tensormap.
 */
#ifndef TSR_CUDA_TMA_CUH
#define TSR_CUDA_TMA_CUH

#include "tessera/cuda/barrier.cuh"
#include "tessera/cuda/cache.cuh"
#include "tessera/tma/format.h"

/** A CUtensorMap. */
struct alignas(64) tsr_tma_map {
    uint64_t word[16];
};

/** Brings the map itself near, before it is used. */
template <int Arch = 0> TSR_DEVICE void tsr_tma_prefetch(tsr_tma_map const *map)
{
    TSR_NEEDS_TMA_("tsr_tma_prefetch");
    asm volatile("prefetch.tensormap [%0];" ::"l"(map) : "memory");
}

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

template <bool Im2col> struct tsr_ptx_mode_ {
    static constexpr char text[] = "tile";
};
template <> struct tsr_ptx_mode_<true> {
    static constexpr char text[] = "im2col_no_offs";
};

template <int Reduction> struct tsr_ptx_reduction_;
#define TSR_X_(id, name)                                \
  template <> struct tsr_ptx_reduction_<TSR_TMA_##id> { \
    static constexpr char text[] = #name;               \
  };
TSR_TMA_REDUCE_LIST(TSR_X_)
#undef TSR_X_

/** The coordinates of a box, in registers. */
struct tsr_tma_at_ {
    int c[5];
};

/* clang-format off */
#define TSR_TMA_CUTS_                                                                                              \
    "C"(tsr_ptx_cut_<Rank == 1>::text), "C"(tsr_ptx_cut_<Rank == 2>::text), "C"(tsr_ptx_cut_<Rank == 3>::text),    \
    "C"(tsr_ptx_cut_<Rank == 4>::text), "C"(tsr_ptx_cut_<Rank == 5>::text)
#define TSR_TMA_HINT_                                                                                              \
    "l"(map.hint), "C"(tsr_ptx_hint_<Hint>::text), "C"(tsr_ptx_open_<!Hint>::text), "C"(tsr_ptx_close_<!Hint>::text)
#define TSR_TMA_AT_ "r"(at.c[0]), "r"(at.c[1]), "r"(at.c[2]), "r"(at.c[3]), "r"(at.c[4])

/** A load; with Multicast into the CTAs of `mask`, at the same address and barrier of each. */
template <int Rank, bool Multicast, bool Hint>
TSR_DEVICE void tsr_tma_load_(tsr_tma_map_<Hint> map, tsr_barrier *full, void *smem, tsr_tma_at_ at, uint16_t mask)
{
    static_assert(tsr_has_tma_<Rank>, "tsr_tma_load: code for sm_90 or later (-arch=sm_90)");
    asm volatile("cp.async.bulk.tensor.%9d.shared::cluster.global.tile.mbarrier::complete_tx::bytes%10%19"
                 " [%0], [%1, {%2 %13, %3 %14, %4 %15, %5 %16, %6 %17*/], [%7] %11, %8 %12 %20, %18 %21;"
                 ::"r"(tsr_smem_address(smem)), "l"(map.map), TSR_TMA_AT_, "r"(tsr_smem_address(full)), "h"(mask),
                   "n"(Rank), "C"(tsr_ptx_multicast_<Multicast>::text), "C"(tsr_ptx_open_<!Multicast>::text),
                   "C"(tsr_ptx_close_<!Multicast>::text), TSR_TMA_CUTS_, TSR_TMA_HINT_
                 : "memory");
}

template <int Rank, bool Im2col, bool Hint>
TSR_DEVICE void tsr_tma_store_(tsr_tma_map_<Hint> map, void const *smem, tsr_tma_at_ at)
{
    static_assert(tsr_has_tma_<Rank>, "tsr_tma_store: code for sm_90 or later (-arch=sm_90)");
    asm volatile("cp.async.bulk.tensor.%7d.global.shared::cta.%13.bulk_group%15"
                 " [%1, {%2 %8, %3 %9, %4 %10, %5 %11, %6 %12*/], [%0] %16, %14 %17;"
                 ::"r"(tsr_smem_address(smem)), "l"(map.map), TSR_TMA_AT_, "n"(Rank), TSR_TMA_CUTS_,
                   "C"(tsr_ptx_mode_<Im2col>::text), TSR_TMA_HINT_
                 : "memory");
}

template <tsr_tma_reduction Op, int Rank, bool Im2col, bool Hint>
TSR_DEVICE void tsr_tma_reduce_(tsr_tma_map_<Hint> map, void const *smem, tsr_tma_at_ at)
{
    static_assert(tsr_has_tma_<Rank>, "tsr_tma_reduce: code for sm_90 or later (-arch=sm_90)");
    asm volatile("cp.reduce.async.bulk.tensor.%7d.global.shared::cta.%13.%14.bulk_group%16"
                 " [%1, {%2 %8, %3 %9, %4 %10, %5 %11, %6 %12*/], [%0] %17, %15 %18;"
                 ::"r"(tsr_smem_address(smem)), "l"(map.map), TSR_TMA_AT_, "n"(Rank), TSR_TMA_CUTS_,
                   "C"(tsr_ptx_reduction_<Op>::text), "C"(tsr_ptx_mode_<Im2col>::text), TSR_TMA_HINT_
                 : "memory");
}

/** An im2col load: at the pixel `at`, the filter's place `offset` in W, H and D. */
template <int Rank, bool Multicast, bool Hint>
TSR_DEVICE void tsr_tma_im2col_(tsr_tma_map_<Hint> map, tsr_barrier *full, void *smem, tsr_tma_at_ at,
                                uint16_t const *offset, uint16_t mask)
{
    static_assert(tsr_has_tma_<Rank>, "tsr_tma_load_im2col: code for sm_90 or later (-arch=sm_90)");
    asm volatile("cp.async.bulk.tensor.%12d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes%13%25"
                 " [%0], [%1, {%2 %16, %3 %17, %4 %18, %5 %19, %6 %20*/], [%7],"
                 " {%8 %21, %9 %22, %10 %23*/ %14, %11 %15 %26, %24 %27;"
                 ::"r"(tsr_smem_address(smem)), "l"(map.map), TSR_TMA_AT_, "r"(tsr_smem_address(full)),
                   "h"(offset[0]), "h"(offset[1]), "h"(offset[2]), "h"(mask), "n"(Rank),
                   "C"(tsr_ptx_multicast_<Multicast>::text), "C"(tsr_ptx_open_<!Multicast>::text),
                   "C"(tsr_ptx_close_<!Multicast>::text), TSR_TMA_CUTS_,
                   "C"(tsr_ptx_cut_<Rank == 3>::text), "C"(tsr_ptx_cut_<Rank == 4>::text),
                   "C"(tsr_ptx_cut_<Rank == 5>::text), TSR_TMA_HINT_
                 : "memory");
}
/* clang-format on */

/** Loads the box at the coordinates into `smem`; `full` counts its bytes (tsr_barrier_expect).
 *  Needs  smem aligned to tsr_tma_smem_alignment of the plan. */
template <class Map, class... Coords>
TSR_DEVICE void tsr_tma_load(Map map, tsr_barrier *full, void *smem, Coords... at)
{
    static_assert(sizeof...(at) >= 1 && sizeof...(at) <= 5, "tsr_tma_load: 1 to 5 coordinates");
    tsr_tma_load_<sizeof...(at), false>(tsr_tma_map_of_(map), full, smem, tsr_tma_at_{{(int)at...}}, 0);
}

/** The same into every CTA of the cluster that `mask` names. */
template <class Map, class... Coords>
TSR_DEVICE void tsr_tma_load_multicast(Map map, tsr_barrier *full, void *smem, uint16_t mask, Coords... at)
{
    static_assert(sizeof...(at) >= 1 && sizeof...(at) <= 5, "tsr_tma_load_multicast: 1 to 5 coordinates");
    tsr_tma_load_<sizeof...(at), true>(tsr_tma_map_of_(map), full, smem, tsr_tma_at_{{(int)at...}}, mask);
}

/** Loads pixels in the order of a convolution; offsets of W, H and D as far as the rank has them. */
template <class Map, class... Coords>
TSR_DEVICE void tsr_tma_load_im2col(Map map, tsr_barrier *full, void *smem, uint16_t const (&offset)[3], Coords... at)
{
    static_assert(sizeof...(at) >= 3 && sizeof...(at) <= 5, "tsr_tma_load_im2col: 3 to 5 coordinates");
    tsr_tma_im2col_<sizeof...(at), false>(tsr_tma_map_of_(map), full, smem, tsr_tma_at_{{(int)at...}}, offset, 0);
}

/** The same into every CTA of the cluster that `mask` names. */
template <class Map, class... Coords>
TSR_DEVICE void tsr_tma_load_im2col_multicast(Map map, tsr_barrier *full, void *smem, uint16_t mask,
                                              uint16_t const (&offset)[3], Coords... at)
{
    static_assert(sizeof...(at) >= 3 && sizeof...(at) <= 5, "tsr_tma_load_im2col_multicast: 3 to 5 coordinates");
    tsr_tma_im2col_<sizeof...(at), true>(tsr_tma_map_of_(map), full, smem, tsr_tma_at_{{(int)at...}}, offset, mask);
}

/** Stores the box in `smem` at the coordinates; elements outside the tensor are left out. Before it, every thread
 *  that wrote calls tsr_fence_async, and all meet. */
template <class Map, class... Coords> TSR_DEVICE auto tsr_tma_store(Map map, void const *smem, Coords... at)
    -> tsr_tma_if_map_<decltype(tsr_tma_map_of_(map))>
{
    static_assert(sizeof...(at) >= 1 && sizeof...(at) <= 5, "tsr_tma_store: 1 to 5 coordinates");
    tsr_tma_store_<sizeof...(at), false>(tsr_tma_map_of_(map), smem, tsr_tma_at_{{(int)at...}});
}

/** The same of pixels in the order of a convolution, without offsets. */
template <class Map, class... Coords> TSR_DEVICE void tsr_tma_store_im2col(Map map, void const *smem, Coords... at)
{
    static_assert(sizeof...(at) >= 3 && sizeof...(at) <= 5, "tsr_tma_store_im2col: 3 to 5 coordinates");
    tsr_tma_store_<sizeof...(at), true>(tsr_tma_map_of_(map), smem, tsr_tma_at_{{(int)at...}});
}

/** Combines the box in `smem` with the tensor. */
template <tsr_tma_reduction Op, class Map, class... Coords>
TSR_DEVICE void tsr_tma_reduce(Map map, void const *smem, Coords... at)
{
    static_assert(sizeof...(at) >= 1 && sizeof...(at) <= 5, "tsr_tma_reduce: 1 to 5 coordinates");
    tsr_tma_reduce_<Op, sizeof...(at), false>(tsr_tma_map_of_(map), smem, tsr_tma_at_{{(int)at...}});
}

/** The same of pixels in the order of a convolution, without offsets. */
template <tsr_tma_reduction Op, class Map, class... Coords>
TSR_DEVICE void tsr_tma_reduce_im2col(Map map, void const *smem, Coords... at)
{
    static_assert(sizeof...(at) >= 3 && sizeof...(at) <= 5, "tsr_tma_reduce_im2col: 3 to 5 coordinates");
    tsr_tma_reduce_<Op, sizeof...(at), true>(tsr_tma_map_of_(map), smem, tsr_tma_at_{{(int)at...}});
}

/** Closes a group of stores and reductions. */
template <int Arch = 0> TSR_DEVICE void tsr_tma_commit(void)
{
    TSR_NEEDS_TMA_("tsr_tma_commit");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/** Waits until at most `Pending` groups still read shared memory. */
template <int Pending> TSR_DEVICE void tsr_tma_wait_read(void)
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}

/** Waits until at most `Pending` groups are not yet written. */
template <int Pending> TSR_DEVICE void tsr_tma_wait(void)
{
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Pending) : "memory");
}

#undef TSR_TMA_CUTS_
#undef TSR_TMA_AT_
#undef TSR_TMA_HINT_

#endif

/** D = epilogue(A * B^T) on Hopper: a persistent kernel of one producer and two consumer warpgroups.
 *
 *      typedef tsr_hopper_plan<TSR_F16, TSR_F16, TSR_F16, 128, 128, TSR_HOPPER_TURNS | TSR_HOPPER_PAIRS> plan;
 *      typedef tsr_gemm_epilogue<TSR_F16, TSR_F16, 0> epilogue;
 *      tsr_hopper_gemm<plan, epilogue>     in blocks of plan::threads with plan::shared bytes, clusters of plan::ctas
 *
 *  One thread of the producer keeps a ring of tiles of A and B filled by the copy engine. The consumers multiply from
 *  it by wgmma: with TSR_HOPPER_TURNS each a tile of its own, one storing while the other multiplies; else half of
 *  the rows of one tile each. With TSR_HOPPER_PAIRS two CTAs of a cluster have tiles one below the other, and each
 *  brings half of B to both. D leaves through two buffers a consumer by the copy engine, or, with TSR_HOPPER_D_ANY,
 *  element by element. The kernel waits itself for those in front of it, so that it may be launched early.
 *
 *  A is (M,K,batch), B (N,K,batch), D (M,N,batch); the maps are those of tma/tile.h for the layouts plan::smem_a,
 *  smem_b (shared by plan::ctas) and smem_d. Elements outside of them are zero and not stored. With TSR_HOPPER_MODES
 *  the maps have two modes for each of M, N and K, A (M0,K0,M1,K1,batch) and so on; where there are two, tiles divide
 *  the first. With TSR_HOPPER_BATCHES they have two modes of batches, A (M0,K,M1,V0,V1), B (N0,K,N1,V0,V1) and
 *  D (M0,N0,M1 or N1,V0,V1). Many products of other sizes in one launch: gpu/gemm.h.
 *
 *  Law     D(m,n,v) = epilogue(sum over k of A(m,k,v) * B(n,k,v)), sums in f32, of i8 in i32; with TSR_HOPPER_SCALES
 *          (cuda/hopper_scales.cuh) each product of 128 elements of K times its two scales.
 *  Source  measured against cuBLAS in docs/benchmarks.md; CUTLASS, sm90_mma_tma_gmma_ss_warpspecialized, for the roles.
 */
#ifndef TSR_CUDA_HOPPER_GEMM_CUH
#define TSR_CUDA_HOPPER_GEMM_CUH

#include "tessera/cuda/copy.cuh"
#include "tessera/cuda/hopper_scales.cuh"
#include "tessera/cuda/tile_tma.cuh"

/** A CTA's part of a tile: its product, and where it begins. */
template <class E> struct tsr_hopper_task {
    tsr_tma_map const *a, *b, *d;
    E const *epilogue;
    int m, n, k, batch; /* the first element */
    int slot, split;    /* with parts of K: the tile's number, which part */
    int const *first;   /* with two modes each: the extents of the first ones */
};

/** The tasks of one product. */
template <class P, class E> struct tsr_hopper_single {
    tsr_tma_map const *a, *b, *d;
    tsr_gemm_shape const *shape;
    E const *epilogue;

    TSR_DEVICE_MEMBER int count(void) const { return P::order(*shape).count(); }
    TSR_DEVICE_MEMBER int steps(int) const { return P::steps(*shape); }
    TSR_DEVICE_MEMBER tsr_hopper_task<E> at(int i) const
    {
        tsr_tile_order const order = P::order(*shape);
        tsr_tile_at const at = order.at(i);
        int const rank = P::ctas > 1 ? tsr_cluster_rank() : 0, m = at.m * P::ctas + rank;
        int const split = P::splits ? at.batch % shape->splits : 0,
                  batch = P::splits ? at.batch / shape->splits : at.batch;
        int const slot = ((batch * order.n + at.n) * order.m + at.m) * P::ctas + rank;
        return {a,     b,    d,     epilogue,    m * P::M, at.n * P::N, split * P::steps(*shape) * P::K,
                batch, slot, split, shape->first};
    }
    /** Before a thread needs task i. */
    TSR_DEVICE_MEMBER void ask(int) {}
    /** By a thread that uses a map of the task. */
    TSR_DEVICE_MEMBER void acquire(tsr_tma_map const *, tsr_tma_map const *) {}
};

/** How the buffers of a task are filled: by tiles of its maps, from element k of K on. */
template <class P, class T> struct tsr_hopper_walk_ {
    T const &task;
    int k;
    TSR_DEVICE_MEMBER void load(tsr_barrier *full, tsr_shared<typename P::element_a> a,
                                tsr_shared<typename P::element_b> b) const
    {
        if constexpr (P::modes) {
            int const *const first = task.first;
            int const k0 = k % first[2], k1 = k / first[2];
            tsr_tma_load_tile<P::smem_a>(task.a, full, a, task.m % first[0], k0, task.m / first[0], k1, task.batch);
            tsr_tma_load_tile_shared<P::smem_b, P::ctas>(task.b, full, b, task.n % first[1], k0, task.n / first[1],
                                                         k1, task.batch);
        } else if constexpr (P::batches) {
            int const *const first = task.first;
            int const v0 = task.batch % first[3], v1 = task.batch / first[3];
            tsr_tma_load_tile<P::smem_a>(task.a, full, a, task.m % first[0], k, task.m / first[0], v0, v1);
            tsr_tma_load_tile_shared<P::smem_b, P::ctas>(task.b, full, b, task.n % first[1], k, task.n / first[1], v0,
                                                         v1);
        } else {
            tsr_tma_load_tile<P::smem_a>(task.a, full, a, task.m, k, task.batch);
            tsr_tma_load_tile_shared<P::smem_b, P::ctas>(task.b, full, b, task.n, k, task.batch);
        }
    }
    TSR_DEVICE_MEMBER void next(void) { k += P::K; }
};

/** That, or what the work brings itself (cuda/hopper_source.cuh). */
template <class P, class W, class T> TSR_DEVICE auto tsr_hopper_walk_of_(W const &work, T const &task, int)
    -> decltype(work.walk(task))
{
    return work.walk(task);
}
template <class P, class W, class T> TSR_DEVICE auto tsr_hopper_walk_of_(W const &, T const &task, long)
{
    return tsr_hopper_walk_<P, T>{task, task.k};
}

/** Who calls a walk: one thread, which brings a step by the copy engine, unless the walk says otherwise. */
template <class P, class Walk, class = int> struct tsr_hopper_callers_ {
    enum { threads = 1, bytes = P::bytes, arrivals = 1 };
};
template <class P, class Walk> struct tsr_hopper_callers_<P, Walk, decltype((int)Walk::threads)> {
    enum { threads = Walk::threads, bytes = Walk::bytes, arrivals = threads + (bytes > 0) };
    static_assert(threads == 128, "tsr_hopper_gemm_from: the producer has one thread, or threads = 128");
};
template <class P, class W> struct tsr_hopper_callers_of_
    : tsr_hopper_callers_<P, decltype(tsr_hopper_walk_of_<P>(*(W const *)nullptr, ((W *)nullptr)->at(0), 0))> {
};

/** The producer: its one thread, or all. */
template <class P, class W> TSR_DEVICE void tsr_hopper_produce_(typename P::memory &s, W work)
{
    typedef tsr_hopper_callers_of_<P, W> callers;
    tsr_stage<P::stages> stage;
    for (int i = blockIdx.x / P::ctas; i < work.count(); i += gridDim.x / P::ctas) {
        auto const task = work.at(i);
        int const steps = work.steps(i);
        work.ask(i + gridDim.x / P::ctas);
        work.acquire(task.a, task.b);
        auto walk = tsr_hopper_walk_of_<P>(work, task, 0);
        for (int step = 0; step < steps; ++step, walk.next(), stage.next()) {
            tsr_barrier *const full = &s.ring.full[stage.index];
            tsr_barrier_wait(&s.ring.free[stage.index], stage.parity ^ 1);
            if (callers::threads == 1 || (callers::bytes > 0 && threadIdx.x == 0))
                tsr_barrier_expect(full, callers::bytes);
            walk.load(full, tsr_smem(s.a[stage.index]), tsr_smem(s.b[stage.index]));
        }
    }
    if constexpr (callers::threads > 1) { /* no thread ends before its copies */
        tsr_cp_async_commit();
        tsr_cp_async_wait<0>();
    }
}

/** The sums of one tile: `steps` buffers from `stage` on. With `hands_on` the other consumer has a tile behind it.
 *  `Written`: threads wrote the buffers, not the copy engine. */
template <class P, bool Written, class S>
TSR_DEVICE void tsr_hopper_multiply_(typename P::memory &s, S (&sum)[P::slice], tsr_stage<P::stages> &stage,
                                     int steps, int me, bool hands_on)
{
    int const t = threadIdx.x % 128, first = P::turns ? 0 : me * P::rows * P::K;
    tsr_stage<P::stages> before = stage;
#pragma unroll 1
    for (int k = 0; k < steps; ++k, stage.next()) {
        tsr_barrier_wait(&s.ring.full[stage.index], stage.parity);
        if constexpr (Written)
            tsr_fence_async();
        tsr_wgmma_fence();
        tsr_gemm_wgmma<P::atom, P::rows_a, P::smem_b>(tsr_smem(s.a[stage.index]) + first, tsr_smem(s.b[stage.index]),
                                                      sum, k > 0);
        tsr_wgmma_commit();
        tsr_wgmma_wait<1>(); /* the step before is done with */
        if (k > 0) {
            tsr_hopper_release_<P>(s, before.index, t);
            before.next();
        }
    }
    if (P::turns && hands_on) /* all steps are under way: the other's may follow */
        tsr_arrive_threads(3 + (me ^ 1), 128 * P::consumers);
    tsr_wgmma_wait<0>();
    tsr_wgmma_hold(sum);
    tsr_hopper_release_<P>(s, before.index, t);
}

/** Stores the sums of a part of K beside the other parts. The last part to come gets true and, in `all`, the parts
 *  added up in their order. `slot` counts consumers over all tiles. */
template <class P, class S> TSR_DEVICE bool tsr_hopper_join_(tsr_gemm_shape const &shape, int *last,
                                                             S const (&sum)[P::slice], S (&all)[P::slice], int slot,
                                                             int split, int me)
{
    constexpr int words = P::slice / 4; /* of 16 bytes; those of all threads side by side */
    int const t = threadIdx.x % 128;
    uint4 *const parts = static_cast<uint4 *>(shape.partial) + (int64_t)slot * shape.splits * words * 128 + t;
    TSR_UNROLL for (int i = 0; i < words; ++i)
        __stcg(parts + (split * words + i) * 128, tsr_register_<uint4>(sum, i));
    __threadfence();
    tsr_sync_threads(1 + me, 128);
    if (t == 0) {
        *last = atomicAdd(shape.arrived + slot, 1) == shape.splits - 1;
        if (*last)
            shape.arrived[slot] = 0;
        __threadfence();
    }
    tsr_sync_threads(1 + me, 128);
    if (!*last)
        return false;
    TSR_UNROLL for (int i = 0; i < P::slice; ++i) all[i] = 0;
#pragma unroll(P::slice < 64 ? 64 / P::slice : 1) /* parts that are on their way at once */
    for (int k = 0; k < shape.splits; ++k)
        TSR_UNROLL for (int i = 0; i < words; ++i)
        {
            S four[4];
            uint4 const word = __ldcg(parts + (k * words + i) * 128);
            TSR_COPY(four, &word, 16);
            TSR_UNROLL for (int j = 0; j < 4; ++j) all[4 * i + j] += four[j];
        }
    return true;
}

/** A consumer's part of 64 rows, into a buffer of shared memory. */
template <class P, class R>
TSR_DEVICE void tsr_hopper_to_smem_(R const (&out)[P::part], typename P::element_d *to, int t)
{
    if constexpr (P::by_matrices) {
        uint32_t pair[P::part / 2];
        TSR_UNROLL for (int i = 0; i < P::part / 2; ++i) pair[i] = P::type_d == TSR_BF16
                                                                       ? tsr_pack_bf16(out[2 * i], out[2 * i + 1])
                                                                       : tsr_pack_f16(out[2 * i], out[2 * i + 1]);
        tsr_copy_matrix<4, P::d_mn>(pair, tsr_part<P::to_d>(tsr_smem(to), t));
    } else {
        tsr_copy<P::d_mn ? 4 : 8>(out, tsr_part<P::to_d>(tsr_smem(to), t));
    }
}

/** Sums to D, 64 rows of P::columns at a time. The buffers of D are written in turns. `next` is the first: its store
 *  began before that of the other. */
template <class P, class S, class T>
TSR_DEVICE void tsr_hopper_store_(typename P::memory &s, S const (&sum)[P::slice], T const &task, int me, int &next)
{
    typedef typename P::element_d element;
    constexpr int across = P::N / P::columns;
    int const t = threadIdx.x % 128, m = task.m + (P::turns ? 0 : me * P::rows);
    TSR_UNROLL for (int i = 0; i < P::slice / P::part; ++i)
    {
        int const row = m + i / across * 64, column = task.n + i % across * P::columns;
        typename P::number out[P::part];
        task.epilogue->template make<P::fragment>(reinterpret_cast<typename P::total const *>(sum + i * P::part), out,
                                                  row, column, task.batch, t);
        if constexpr (P::d_any) {
            task.epilogue->template store<P::fragment>(out, row, column, task.batch, t);
        } else {
            element *const to = s.d[me][next];
            next ^= 1;
            if (t == 0)
                tsr_tma_wait_read<1>();
            tsr_sync_threads(1 + me, 128); /* the buffer is free */
            tsr_hopper_to_smem_<P>(out, to, t);
            tsr_fence_async();
            tsr_sync_threads(1 + me, 128);
            if (t == 0) {
                if constexpr (P::modes)
                    tsr_tma_store_tile<P::smem_d>(task.d, tsr_smem(to), row % task.first[0], column % task.first[1],
                                                  row / task.first[0], column / task.first[1], task.batch);
                else if constexpr (P::batches) /* one of the two has one mode */
                    tsr_tma_store_tile<P::smem_d>(task.d, tsr_smem(to), row % task.first[0], column % task.first[1],
                                                  row / task.first[0] + column / task.first[1],
                                                  task.batch % task.first[3], task.batch / task.first[3]);
                else
                    tsr_tma_store_tile<P::smem_d>(task.d, tsr_smem(to), row, column, task.batch);
                tsr_tma_commit();
            }
        }
    }
}

/** A consumer. */
template <class P, class W> TSR_DEVICE void tsr_hopper_consume_(typename P::memory &s, W work, int me)
{
    int const clusters = gridDim.x / P::ctas, cluster = blockIdx.x / P::ctas, count = work.count();
    typename P::stage stage;
    int next = 0;                                            /* buffer of D */
    if ((P::turns || P::wide) && me == 1 && cluster < count) /* the first turn is there from the beginning */
        tsr_arrive_threads(3, 128 * P::consumers);
    if (P::turns && me == 1 && cluster < count)
        stage.skip(work.steps(cluster));
    for (int i = cluster + (P::turns ? me * clusters : 0); i < count; i += clusters * (P::turns ? 2 : 1)) {
        auto const task = work.at(i);
        int const steps = work.steps(i);
        bool const goes_on = i + clusters < count;
        if constexpr (!P::turns)
            work.ask(i + clusters);
        tsr_accumulator<P::atom> sum[P::slice];
        if (P::turns)
            tsr_sync_threads(3 + me, 128 * P::consumers);
        if constexpr (P::wide)
            tsr_hopper_multiply_wide_<P>(s, sum, stage, steps, me, goes_on);
        else if constexpr (P::scaled)
            tsr_hopper_multiply_scaled_<P>(s, sum, stage, steps, me, goes_on);
        else
            tsr_hopper_multiply_<P, (tsr_hopper_callers_of_<P, W>::threads > 1)>(s, sum, stage, steps, me, goes_on);
        if (P::turns && goes_on) /* which the other consumer takes */
            stage.skip(work.steps(i + clusters));
        if (!P::d_any && threadIdx.x % 128 == 0)
            work.acquire(task.d, task.d);
        if constexpr (P::splits) {
            tsr_accumulator<P::atom> all[P::slice];
            int const slot = P::turns ? task.slot : 2 * task.slot + me;
            if (tsr_hopper_join_<P>(*work.shape, &s.last[me], sum, all, slot, task.split, me))
                tsr_hopper_store_<P>(s, all, task, me, next);
        } else {
            tsr_hopper_store_<P>(s, sum, task, me, next);
        }
        if (!goes_on) /* no sooner: blocks that come as these leave stand elsewhere, and neighbours share less */
            tsr_grid_release();
    }
    if (threadIdx.x % 128 == 0)
        tsr_tma_wait_read<0>();
}

/** Whether the producer of some work needs more registers than that of tiles. */
template <class W> constexpr bool tsr_hopper_needs_more_ = false;

/** What each block does with the tasks of all. */
template <class P, class W> TSR_DEVICE void tsr_hopper_run_(W const &work)
{
    typedef tsr_hopper_callers_of_<P, W> callers;
    constexpr bool more = P::modes || P::batches || P::scaled || callers::threads > 1
                          || tsr_hopper_needs_more_<W>; /* for the producer */
    typedef tsr_registers<more ? 56 : 40, more ? 224 : 232, more ? 224 : 232> registers;
    auto &s = *tsr_dynamic_smem<typename P::memory>();
    int const group = tsr_warp() / 4;
    constexpr int readers = P::turns ? 1 : P::consumers; /* of a buffer, warpgroups */
    if (threadIdx.x == 0) {
        if constexpr (P::scaled)
            for (int i = 0; i < P::stages; ++i)
                tsr_barrier_init(&s.taken[i], 128 * readers);
        s.ring.init(P::scaled ? 33 : (int)callers::arrivals, P::ctas * readers);
    }
    if constexpr (P::ctas > 1)
        tsr_cluster_sync();
    else
        __syncthreads();
    tsr_grid_wait();
    if (group == 0) {
        registers::template set<0>();
        if (callers::threads > 1 || (tsr_warp() == 0 && tsr_elect()))
            tsr_hopper_produce_<P>(s, work);
        if constexpr (P::scaled)
            if (tsr_warp() == 1)
                tsr_hopper_bring_scales_<P>(s, work);
    } else {
        registers::template set<1>();
        tsr_hopper_consume_<P>(s, work, group - 1);
    }
    if constexpr (P::ctas > 1)
        tsr_cluster_sync(); /* no CTA leaves while the other one writes to it */
}

/** The kernel; see above. */
template <class P, class E>
__global__ __launch_bounds__(P::threads, 1) void tsr_hopper_gemm(__grid_constant__ tsr_tma_map const a,
                                                                 __grid_constant__ tsr_tma_map const b,
                                                                 __grid_constant__ tsr_tma_map const d,
                                                                 __grid_constant__ tsr_gemm_shape const shape,
                                                                 __grid_constant__ E const epilogue)
{
    if (threadIdx.x == 0) {
        tsr_tma_prefetch(&a);
        tsr_tma_prefetch(&b);
    }
    tsr_hopper_run_<P>(tsr_hopper_single<P, E>{&a, &b, &d, &shape, &epilogue});
}

#endif

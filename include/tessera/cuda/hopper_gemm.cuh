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
 *  element by element.
 *
 *  A is (M,K,batch), B (N,K,batch), D (M,N,batch); the maps are those of tma/tile.h for the layouts plan::smem_a,
 *  smem_b (shared by plan::ctas) and smem_d. What is outside of them is zero and not stored.
 *
 *  Law     D(m,n,v) = epilogue(sum over k of A(m,k,v) * B(n,k,v)), sums in f32, of i8 in i32.
 *  Source  measured against cuBLAS in docs/benchmarks.md; CUTLASS, sm90_mma_tma_gmma_ss_warpspecialized, for the roles.
 */
#ifndef TSR_CUDA_HOPPER_GEMM_CUH
#define TSR_CUDA_HOPPER_GEMM_CUH

#include "tessera/atom/hopper_tile.h"
#include "tessera/cuda/copy.cuh"
#include "tessera/cuda/gemm.cuh"
#include "tessera/cuda/gemm_epilogue.cuh"
#include "tessera/cuda/schedule.cuh"
#include "tessera/cuda/tile_tma.cuh"

/** What is multiplied; with TSR_HOPPER_SPLITS, K in how many parts, room for their sums (32 bits for each element of
 *  each tile and part), and a number for each consumer of a tile, 0 before and behind the kernel. */
struct tsr_gemm_shape {
    int m, n, k, batches, splits;
    void *partial;
    int *arrived;
};

/** The kernel's constants; see atom/hopper_tile.h for the arguments. */
template <int A, int B, int D, int TileM, int TileN, int Flags> struct tsr_hopper_plan {
    static constexpr tsr_hopper_tile tile = tsr_make_hopper_tile(A, B, D, TileM, TileN, Flags);
    static constexpr bool good = TSR_FINE(tsr_tuple_why(tile.why));
    static constexpr int M = TileM, N = TileN, K = tile.k, type_d = D, threads = TSR_HOPPER_THREADS;
    static constexpr int consumers = TSR_HOPPER_CONSUMERS, ctas = tile.ctas, stages = tile.stages, bytes = tile.bytes;
    static constexpr int rows = tile.rows, columns = tile.columns;
    static constexpr bool turns = (Flags & TSR_HOPPER_TURNS) != 0, d_mn = (Flags & TSR_HOPPER_D_MN) != 0;
    static constexpr bool d_any = (Flags & TSR_HOPPER_D_ANY) != 0, splits = (Flags & TSR_HOPPER_SPLITS) != 0;
    static constexpr int slice = rows / 64 * N / 2, part = columns / 2; /* sums of a thread; that leave at a time */
    typedef tsr_stored<A> element_a;
    typedef tsr_stored<B> element_b;
    typedef tsr_stored<D> element_d;
    typedef tsr_stored<A == TSR_I8 ? (int)TSR_I32 : (int)TSR_F32> total;   /* what sums are */
    typedef tsr_stored<D == TSR_I32 ? (int)TSR_I32 : (int)TSR_F32> number; /* what the epilogue makes */

    static constexpr tsr_layout smem_a = tile.smem_a, rows_a = tile.rows_a, smem_b = tile.smem_b,
                                smem_d = tile.smem_d;
    static constexpr tsr_mma_atom atom = tsr_hopper_atom(A, B, N, Flags);

    /* What leaves at a time: 64 rows of `columns`, accumulators of a narrower instruction. */
    static constexpr tsr_tiled_mma mma = tsr_make_tiled_mma(tsr_hopper_atom(A, B, columns, Flags));
    static constexpr tsr_layout identity = tsr_make_identity_layout(tsr_t(tsr_s(64), tsr_s(columns)));
    static constexpr tsr_layout fragment = tsr_thread_values_c(mma, identity); /* (thread,(2,2,columns/8)) -> (m,n) */
    static constexpr tsr_copy_atom matrices =
        tsr_copy_values(tsr_make_copy(d_mn ? TSR_COPY_SM90_STSM_T : TSR_COPY_SM90_STSM_N, d_mn ? 8 : 4), TSR_F16);
    static constexpr tsr_tiled_copy store = tsr_make_tiled_copy_c(matrices, mma);
    static constexpr bool by_matrices = tsr_dtype_bits(D) == 16;
    static constexpr tsr_layout to_d = by_matrices ? tsr_tidfrg_d(store, smem_d) : tsr_thread_values_c(mma, smem_d);
    static_assert(!good || !by_matrices
                      || tsr_same_partition(tsr_tidfrg_s(store, identity), fragment).answer == TSR_YES,
                  "stmatrix takes the registers in the order of the accumulators");

    struct memory {
        element_a a[stages][M * K];
        element_b b[stages][N * K];
        element_d d[consumers][2][64 * columns];
        tsr_pipeline<stages> ring;
        int last[consumers]; /* of the parts of K */
    };
    static constexpr int shared = (int)sizeof(memory);
    static_assert(!good || shared == tile.shared, "the launch gives what the kernel has");

    /** The tiles of a result, those of a cluster as one; the parts of K count as batches. */
    TSR_DEVICE tsr_tile_order order(tsr_gemm_shape const &s)
    {
        return {((s.m + M - 1) / M + ctas - 1) / ctas, (s.n + N - 1) / N, s.batches * (splits ? s.splits : 1),
                16 / ctas};
    }

    /** The steps of a tile: as many in each part of K, the last ones perhaps beyond its end. */
    TSR_DEVICE int steps(tsr_gemm_shape const &s)
    {
        int const all = (s.k + K - 1) / K;
        return splits ? (all + s.splits - 1) / s.splits : all;
    }
};

/** The producer's one thread. */
template <class P> TSR_DEVICE void tsr_hopper_produce_(typename P::memory &s, tsr_tma_map const *a,
                                                       tsr_tma_map const *b, tsr_gemm_shape shape)
{
    tsr_tile_order const order = P::order(shape);
    int const rank = P::ctas > 1 ? tsr_cluster_rank() : 0, steps = P::steps(shape);
    tsr_stage<P::stages> stage;
    for (int i = blockIdx.x / P::ctas; i < order.count(); i += gridDim.x / P::ctas) {
        tsr_tile_at at = order.at(i);
        int k = P::splits ? at.batch % shape.splits * steps * P::K : 0;
        at.batch = P::splits ? at.batch / shape.splits : at.batch;
        for (int step = 0; step < steps; ++step, k += P::K, stage.next()) {
            tsr_barrier *const full = &s.ring.full[stage.index];
            tsr_barrier_wait(&s.ring.free[stage.index], stage.parity ^ 1);
            tsr_barrier_expect(full, P::bytes);
            tsr_tma_load_tile<P::smem_a>(a, full, s.a[stage.index], (at.m * P::ctas + rank) * P::M, k, at.batch);
            tsr_tma_load_tile_shared<P::smem_b, P::ctas>(b, full, s.b[stage.index], at.n * P::N, k, at.batch);
        }
    }
}

/** Gives a buffer back to all CTAs that fill it. */
template <class P> TSR_DEVICE void tsr_hopper_release_(typename P::memory &s, int stage, int t)
{
    if (P::ctas == 1 && t == 0)
        tsr_barrier_arrive(&s.ring.free[stage]);
    if (P::ctas > 1 && t < P::ctas)
        tsr_barrier_arrive_at(&s.ring.free[stage], t);
}

/** The sums of one tile: `steps` buffers from `stage` on. With `hands_on` the other consumer has a tile behind it. */
template <class P, class S> TSR_DEVICE void tsr_hopper_multiply_(typename P::memory &s, S (&sum)[P::slice],
                                                                 tsr_stage<P::stages> &stage, int steps, int me,
                                                                 bool hands_on)
{
    int const t = threadIdx.x % 128, first = P::turns ? 0 : me * P::rows * P::K;
    tsr_stage<P::stages> before = stage;
    for (int k = 0; k < steps; ++k, stage.next()) {
        tsr_barrier_wait(&s.ring.full[stage.index], stage.parity);
        tsr_wgmma_fence();
        tsr_gemm_wgmma<P::atom, P::rows_a, P::smem_b>(s.a[stage.index] + first, s.b[stage.index], sum, k > 0);
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

/** Puts the sums of a part of K beside those of the others; the last one to come adds them up, in their order, and
 *  returns true. `slot` is the consumer's, of all tiles. */
template <class P, class S> TSR_DEVICE bool tsr_hopper_join_(tsr_gemm_shape const &shape, int *last,
                                                             S (&sum)[P::slice], int slot, int split, int me)
{
    constexpr int words = P::slice / 4; /* of 16 bytes; those of all threads side by side */
    int const t = threadIdx.x % 128;
    uint4 *const all = static_cast<uint4 *>(shape.partial) + (int64_t)slot * shape.splits * words * 128 + t;
    TSR_UNROLL for (int i = 0; i < words; ++i) __stcg(all + (split * words + i) * 128, tsr_register_<uint4>(sum, i));
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
    TSR_UNROLL for (int i = 0; i < P::slice; ++i) sum[i] = 0;
    for (int k = 0; k < shape.splits; ++k)
        TSR_UNROLL for (int i = 0; i < words; ++i)
        {
            S four[4];
            uint4 const word = __ldcg(all + (k * words + i) * 128);
            TSR_COPY(four, &word, 16);
            TSR_UNROLL for (int j = 0; j < 4; ++j) sum[4 * i + j] += four[j];
        }
    return true;
}

/** What a consumer keeps of 64 rows, into a buffer of shared memory. */
template <class P, class R>
TSR_DEVICE void tsr_hopper_to_smem_(R const (&out)[P::part], typename P::element_d *to, int t)
{
    if constexpr (P::by_matrices) {
        uint32_t pair[P::part / 2];
        TSR_UNROLL for (int i = 0; i < P::part / 2; ++i) pair[i] = P::type_d == TSR_BF16
                                                                       ? tsr_pack_bf16(out[2 * i], out[2 * i + 1])
                                                                       : tsr_pack_f16(out[2 * i], out[2 * i + 1]);
        tsr_copy_matrix<4, P::d_mn>(pair, tsr_part<P::to_d>(to, t));
    } else {
        tsr_copy<P::d_mn ? 4 : 8>(out, tsr_part<P::to_d>(to, t));
    }
}

/** Sums to D, 64 rows of P::columns at a time; the buffers of D are written in turns. */
template <class P, class E, class S>
TSR_DEVICE void tsr_hopper_store_(typename P::memory &s, S const (&sum)[P::slice], tsr_tma_map const *d,
                                  E const &epilogue, int m, int n, int batch, int me)
{
    typedef typename P::element_d element;
    int const t = threadIdx.x % 128;
    TSR_UNROLL for (int i = 0; i < P::slice / P::part; ++i)
    {
        constexpr int across = P::N / P::columns;
        int const row = m + i / across * 64, column = n + i % across * P::columns;
        typename P::number out[P::part];
        epilogue.template make<P::fragment>(reinterpret_cast<typename P::total const *>(sum + i * P::part), out, row,
                                            column, batch, t);
        if constexpr (P::d_any) {
            epilogue.template store<P::fragment>(out, row, column, batch, t);
        } else {
            element *const to = s.d[me][i % 2];
            if (t == 0)
                tsr_tma_wait_read<1>();
            tsr_sync_threads(1 + me, 128); /* the buffer is free */
            tsr_hopper_to_smem_<P>(out, to, t);
            tsr_fence_async();
            tsr_sync_threads(1 + me, 128);
            if (t == 0) {
                tsr_tma_store_tile<P::smem_d>(d, to, row, column, batch);
                tsr_tma_commit();
            }
        }
    }
}

/** The kernel; see above. */
template <class P, class E>
__global__ __launch_bounds__(P::threads, 1) void tsr_hopper_gemm(__grid_constant__ tsr_tma_map const a,
                                                                 __grid_constant__ tsr_tma_map const b,
                                                                 __grid_constant__ tsr_tma_map const d,
                                                                 __grid_constant__ tsr_gemm_shape const shape,
                                                                 __grid_constant__ E const epilogue)
{
    auto &s = *tsr_dynamic_smem<typename P::memory>();
    int const group = tsr_warp() / 4, me = group - 1;
    if (threadIdx.x == 0) {
        tsr_tma_prefetch(&a);
        tsr_tma_prefetch(&b);
        s.ring.init(1, P::ctas * (P::turns ? 1 : P::consumers));
    }
    if constexpr (P::ctas > 1)
        tsr_cluster_sync();
    else
        __syncthreads();

    if (group == 0) {
        tsr_registers_release<40>();
        if (tsr_warp() == 0 && tsr_elect())
            tsr_hopper_produce_<P>(s, &a, &b, shape);
    } else {
        tsr_registers_take<232>();
        tsr_tile_order const order = P::order(shape);
        int const rank = P::ctas > 1 ? tsr_cluster_rank() : 0, steps = P::steps(shape);
        int const clusters = gridDim.x / P::ctas, cluster = blockIdx.x / P::ctas;
        tsr_accumulator<P::atom> sum[P::slice];
        tsr_stage<P::stages> stage;
        if (P::turns) {
            stage.skip(me * steps);
            if (me == 1 && cluster < order.count()) /* the first turn is there from the beginning */
                tsr_arrive_threads(3, 128 * P::consumers);
        }
        for (int i = cluster + (P::turns ? me * clusters : 0); i < order.count();
             i += clusters * (P::turns ? 2 : 1)) {
            tsr_tile_at at = order.at(i);
            if (P::turns)
                tsr_sync_threads(3 + me, 128 * P::consumers);
            tsr_hopper_multiply_<P>(s, sum, stage, steps, me, i + clusters < order.count());
            if (P::turns)
                stage.skip(steps);
            if constexpr (P::splits) {
                int const split = at.batch % shape.splits;
                at.batch /= shape.splits;
                int const tile = ((at.batch * order.n + at.n) * order.m + at.m) * P::ctas + rank;
                if (!tsr_hopper_join_<P>(shape, &s.last[me], sum, P::turns ? tile : 2 * tile + me, split, me))
                    continue;
            }
            tsr_hopper_store_<P>(s, sum, &d, epilogue, (at.m * P::ctas + rank) * P::M + (P::turns ? 0 : me * P::rows),
                                 at.n * P::N, at.batch, me);
        }
        if (threadIdx.x % 128 == 0)
            tsr_tma_wait_read<0>();
    }
    if constexpr (P::ctas > 1)
        tsr_cluster_sync(); /* no CTA leaves while the other one writes to it */
}

#endif

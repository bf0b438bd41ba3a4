/** What a block of a product by loops does: a tile of C, or of its sums over a part of K; and how these become C.
 *
 *  Law     the parts of K are added in their order, sixteen by sixteen, so that sums are the same from run to run.
 */
#ifndef TSR_CUDA_GEMM_TASK_CUH
#define TSR_CUDA_GEMM_TASK_CUH

#include "tessera/cuda/gemm_element.cuh"

/** The offset of what is outside. */
static constexpr int64_t tsr_any_outside_ = TSR_INT_MAX;

/** What counts tiles, and elements of a mode. */
template <bool Counted> struct tsr_any_index_ {
    typedef int64_t type;
};
template <> struct tsr_any_index_<true> {
    typedef uint32_t type;
};

/** A product by loops, as its kernels are told of it. */
template <int A, int B, int C_, int Bias_, int Parts_, int Each, int Access_> struct tsr_any_plan_ {
    typedef typename tsr_any_index_<(Access_ & TSR_ANY_COUNTED) != 0>::type index;
    typedef typename tsr_sum_of_<A, B>::factor factor;
    typedef typename tsr_sum_of_<A, B>::sum sum;
    typedef typename tsr_sum_of_<A, B>::number number;
    typedef typename tsr_plain_<C_>::type result;
    static constexpr int C = C_, Bias = Bias_, Parts = Parts_, Access = Access_, side = 16 * Each;
    static constexpr bool swizzled = (Access & TSR_ANY_SWIZZLED) != 0, splits = (Access & TSR_ANY_SPLITS) != 0;
    static constexpr int width = !splits ? 1 : side == 128 ? 4 : 2; /* groups of sums that a thread adds up at once */
    static constexpr tsr_any_form form = tsr_make_any_form(sizeof(factor), sizeof(sum), side, Access);
    static_assert(side * side * sizeof(sum) % (16 * width * form.threads) == 0, "all threads have as many");
};

/** Which tile, from which row and column on, of which batch; which part of K, from where to where. */
template <class I> struct tsr_any_task_ {
    I tile, split, v, m, n, begin, end;
    bool divided;
};
template <class P> TSR_DEVICE tsr_any_task_<typename P::index> tsr_any_task_of_(tsr_gemm_any const &g, int64_t i)
{
    typedef typename P::index I;
    I const down = (I)(g.m.size + P::side - 1) / P::side, across = (I)(g.n.size + P::side - 1) / P::side;
    bool const divided = P::splits && i >= g.whole;
    I const behind = divided ? (I)(i - g.whole) : 0, split = divided ? behind % (I)g.splits : 0;
    I const tile = divided ? (I)g.whole + behind / (I)g.splits : (I)i;
    return {tile,
            split,
            tile / (down * across),
            tile % down * P::side,
            tile / down % across * P::side,
            divided ? split * (I)g.part : 0,
            divided ? min((split + 1) * (I)g.part, (I)g.k.size) : (I)g.k.size,
            divided};
}
template <class P> TSR_DEVICE int64_t tsr_any_tasks_(tsr_gemm_any const &g)
{
    int64_t const tiles = (g.m.size + P::side - 1) / P::side * ((g.n.size + P::side - 1) / P::side) * g.v.size;
    return P::splits ? g.whole + (tiles - g.whole) * g.splits : tiles;
}

/** Offsets that a block finds once. Along K, of A and B, in units of so many bytes: of 256 elements at a time, for two
 *  such halves. Before that, of rows; behind it, in C and in the bias, of the rows of a tile, in its batch, and of its columns. */
struct tsr_any_known_ {
    int64_t at[2][2 * TSR_ANY_KNOWN];

    template <class P, int Count>
    TSR_DEVICE_MEMBER void find(tsr_gemm_loops const &mode, typename P::index k, int unit_a, int unit_b)
    {
#pragma unroll 1
        for (int l = 0; l < Count / P::form.threads; ++l) {
            typename P::index const i = k + l * P::form.threads + threadIdx.x;
            int const to = (int)(i % (2 * TSR_ANY_KNOWN));
            at[0][to] = i < mode.size ? tsr_loops_offset_(mode, TSR_IN_A, i) * unit_a : tsr_any_outside_;
            at[1][to] = i < mode.size ? tsr_loops_offset_(mode, TSR_IN_B, i) * unit_b : tsr_any_outside_;
        }
    }
    /** Of the rows of A and B in a tile, from the address on, in its batch; rows that are not there are the last one: what
     *  comes of them is not stored. Behind them, of row 0. */
    template <class P> TSR_DEVICE_MEMBER void find_rows(tsr_gemm_any const &g,
                                                        tsr_any_task_<typename P::index> const &task, int unit_a,
                                                        int unit_b)
    {
        TSR_UNROLL for (int o = 0; o < 2; ++o)
#pragma unroll 1
            for (int i = threadIdx.x; i <= P::side; i += blockDim.x)
        {
            tsr_gemm_loops const &mode = o ? g.n : g.m;
            int64_t const row = i == P::side ? 0 : min((int64_t)(o ? task.n : task.m) + i, mode.size - 1);
            at[o][i] = (g.base[o].begin + tsr_loops_offset_(g.v, o, task.v)
                        + tsr_loops_offset_(mode, o, (typename P::index)row))
                       * (o ? unit_b : unit_a);
        }
        __syncthreads();
    }
    template <class I> TSR_DEVICE_MEMBER int64_t const *from(int operand, I k) const
    {
        return at[operand] + (int)(k % (2 * TSR_ANY_KNOWN));
    }
    template <class P>
    TSR_DEVICE_MEMBER void find_results(tsr_gemm_any const &g, tsr_any_task_<typename P::index> const &task)
    {
        static_assert(P::side <= TSR_ANY_KNOWN, "the offsets of a tile have room");
        TSR_UNROLL for (int o = 0; o < ((P::Parts & TSR_EPILOGUE_BIASED) ? 2 : 1);
                        ++o) for (int i = threadIdx.x; i < 2 * P::side; i += blockDim.x)
        {
            bool const down = i < P::side;
            int const operand = o ? TSR_IN_BIAS : TSR_IN_C;
            tsr_gemm_loops const &mode = down ? g.m : g.n;
            int64_t const here = down ? (int64_t)task.m + i : (int64_t)task.n + i - P::side;
            at[o][i] = here >= mode.size ? tsr_any_outside_
                                         : tsr_loops_offset_(mode, operand, (typename P::index)here)
                                               + (down ? tsr_loops_offset_(g.v, operand, task.v) : 0);
        }
        __syncthreads();
    }
};

/** Sums of `Run` rows of a column, to C. */
template <class P, int Run> TSR_DEVICE void tsr_any_finish_(tsr_gemm_any const &g, tsr_any_known_ const &known,
                                                            typename P::sum const (&sum)[Run], int row, int column)
{
    typedef typename P::number R;
    constexpr bool wide = (P::Access & TSR_ANY_C_WIDE) && Run * sizeof(typename P::result) == 16;
    typename P::result out[Run], *to = nullptr;
    int64_t const across = known.at[0][P::side + column];
    TSR_UNROLL for (int i = 0; i < Run; ++i)
    {
        int64_t const at = known.at[0][row + i] + across;
        if (across == tsr_any_outside_ || known.at[0][row + i] == tsr_any_outside_)
            continue; /* of a run that is stored at once, all or none are outside */
        R z = R(sum[i]);
        z = (P::Parts & TSR_EPILOGUE_SCALES) ? R(g.alpha) * z : z;
        if constexpr ((P::Parts & TSR_EPILOGUE_ADDS) != 0)
            z += R(g.beta) * tsr_any_read_<P::C, P::swizzled, R>(g.base[TSR_IN_C], at);
        if constexpr ((P::Parts & TSR_EPILOGUE_BIASED) != 0)
            z += tsr_any_read_<P::Bias, P::swizzled, R>(g.base[TSR_IN_BIAS],
                                                        known.at[1][row + i] + known.at[1][P::side + column]);
        z = (P::Parts & TSR_EPILOGUE_RELU) && z < R(0) ? R(0) : z;
        if constexpr (wide) {
            out[i] = z;
            to = i == 0 ? tsr_any_at_<P::C, P::swizzled>(g.base[TSR_IN_C], at) : to;
        } else {
            tsr_any_write_<P::C, P::swizzled>(g.base[TSR_IN_C], at, z);
        }
    }
    if (wide && to)
        tsr_write_global_<16>(out, to);
}

/** Shared memory: tiles, and when they are multiplied, the sums of each slice where they were. */
template <class P, class A, class B> struct tsr_any_memory_ {
    union {
        struct {
            A a[P::form.stages];
            B b[P::form.stages];
        };
        typename P::sum sums[P::form.slices * P::side * P::side];
    };
    tsr_any_known_ known;
    int64_t current; /* what is found again behind the loop over K needs no registers inside */
    int last;
};

/** True of whoever is last of so many blocks to come; what all of them wrote before is there then. */
TSR_DEVICE bool tsr_any_is_last_(int *last, int *arrived, int of)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        *last = atomicAdd(arrived, 1) == of - 1;
        if (*last)
            *arrived = 0;
        __threadfence();
    }
    __syncthreads();
    return *last;
}

/** The sums of so many parts, one after the other, of `Width` groups at once; those in global memory may be of other
 *  blocks. */
template <bool Global, int Width, class T, int Run>
TSR_DEVICE void tsr_any_add_up_(T const *part, int count, int apart, T (&sum)[Width][Run])
{
    static_assert(sizeof sum == 16 * Width, "accesses");
    TSR_UNROLL for (int i = 0; i < Width * Run; ++i) sum[i / Run][i % Run] = 0;
#pragma unroll(Global ? 4 : 1)
    for (int k = 0; k < count; ++k)
        TSR_UNROLL for (int j = 0; j < Width; ++j)
        {
            T more[Run];
            uint4 const *const at = reinterpret_cast<uint4 const *>(part + k * apart + j * (int)blockDim.x * Run);
            uint4 const word = Global ? __ldcg(at) : *at;
            TSR_COPY(more, &word, 16);
            TSR_UNROLL for (int i = 0; i < Run; ++i) sum[j][i] += more[i];
        }
}

/** The sums of a tile over a part of K, from its slices, to those of the other parts. The last block finds how many are
 *  left to be added, and how far apart, and true. */
template <class P, class Memory> TSR_DEVICE bool tsr_any_join_(tsr_gemm_any const &g, Memory &s,
                                                               tsr_any_task_<typename P::index> const &task,
                                                               typename P::sum const *&from, int &count, int &apart)
{
    typedef typename P::sum T;
    constexpr int run = 16 / (int)sizeof(T), size = P::side * P::side;
    int const parts = (int)g.splits, groups = (parts + TSR_ANY_GROUP - 1) / TSR_ANY_GROUP;
    int const group = (int)task.split / TSR_ANY_GROUP, first = group * TSR_ANY_GROUP;
    int const mine = min(TSR_ANY_GROUP, parts - first);
    int64_t const tile = (int64_t)task.tile - g.whole;
    T *const all = reinterpret_cast<T *>(g.partial) + tile * parts * size, *const ours = all + first * size;
    int *const arrived = reinterpret_cast<int *>(g.arrived) + tile * (groups + 1);
    T one[1][run], sum[P::width][run];
    for (int i = threadIdx.x * run; i < size; i += blockDim.x * run) {
        tsr_any_add_up_<false>(s.sums + i, P::form.slices, size, one);
        tsr_write_global_<16>(one, all + (int)task.split * size + i);
    }
    if (!tsr_any_is_last_(&s.last, arrived + group, mine))
        return false;
    for (int i = groups > 1 ? threadIdx.x * run : size; i < size; i += P::width * blockDim.x * run) {
        tsr_any_add_up_<true>(ours + i, mine, size, sum);
        TSR_UNROLL for (int j = 0; j < P::width; ++j) tsr_write_global_<16>(sum[j], ours + i + j * blockDim.x * run);
    }
    from = all;
    count = groups > 1 ? groups : parts;
    apart = groups > 1 ? TSR_ANY_GROUP * size : size;
    return groups == 1 || tsr_any_is_last_(&s.last, arrived + groups, groups);
}

/** The sums of a tile to C: those of so many slices, or parts. */
template <class P, bool Global>
TSR_DEVICE void tsr_any_to_result_(tsr_gemm_any const &g, tsr_any_known_ &known,
                                   tsr_any_task_<typename P::index> const &task, typename P::sum const *from, int count,
                                   int apart)
{
    typedef typename P::sum T;
    constexpr int run = 16 / (int)sizeof(T), size = P::side * P::side;
    known.template find_results<P>(g, task);
    for (int i = threadIdx.x * run; i < size; i += P::width * blockDim.x * run) {
        T sum[P::width][run], in_order[run];
        tsr_any_add_up_<Global>(from + i, count, apart, sum);
        TSR_UNROLL for (int j = 0; j < P::width; ++j)
        {
            int const at = i + j * blockDim.x * run;
            TSR_UNROLL for (int e = 0; e < run; ++e) in_order[e] = sum[j][e ^ 1];
            tsr_any_finish_<P>(g, known, in_order, at % P::side, at / P::side);
        }
    }
}

/** The sums of a task to C, or to those of other parts of K. In shared memory they lie column by column, the two rows of a
 *  pair in each other's place: then the sums of a thread, which are stored four by four, are not in the bank of registers
 *  that their rows' factors are in, which would cost a clock each. */
template <class P, class M, class Memory> TSR_DEVICE void tsr_any_store_(tsr_gemm_any const &g, Memory &s,
                                                                         M const &me,
                                                                         tsr_any_task_<typename P::index> const &task)
{
    constexpr int size = P::side * P::side;
    TSR_UNROLL for (int j = 0; j < M::columns; ++j) TSR_UNROLL for (int i = 0; i < M::rows; ++i)
        s.sums[me.slice * size + me.column(j) * P::side + (me.row(i) ^ 1)] = me.sum[i][j];
    __syncthreads();
    if (P::splits && task.divided) {
        typename P::sum const *from = nullptr;
        int count = 0, apart = 0;
        if (tsr_any_join_<P>(g, s, task, from, count, apart))
            tsr_any_to_result_<P, true>(g, s.known, task, from, count, apart);
    } else {
        tsr_any_to_result_<P, false>(g, s.known, task, s.sums, P::form.slices, size);
    }
}

/** All tasks of a block: multiply(task, me, x, y) adds a task up in `me`, from the operands that x and y bring. Of K,
 *  `Known` places are found before. */
template <class P, class Left, class Right, class M, int Known, class Memory, class Multiply>
TSR_DEVICE void tsr_any_run_(tsr_gemm_any const &g, Memory &s, Multiply multiply)
{
    static_assert(sizeof s <= P::form.bytes, "as the launch has it");
#pragma unroll 1
    for (int64_t i = blockIdx.x; i < tsr_any_tasks_<P>(g); i += gridDim.x) {
        auto const task = tsr_any_task_of_<P>(g, i);
        M me;
        Left x;
        Right y;
        me.begin(threadIdx.x);
        s.known.template find_rows<P>(g, task, Left::unit, Right::unit);
        x.begin(g, g.m, TSR_IN_A, task.m, s.known.at[0], task.begin);
        y.begin(g, g.n, TSR_IN_B, task.n, s.known.at[1], task.begin);
        __syncthreads();
        s.known.template find<P, Known>(g.k, task.begin, Left::unit, Right::unit);
        if (threadIdx.x == 0)
            s.current = i;
        __syncthreads();
        multiply(task, me, x, y);
        __syncthreads();
        i = s.current;
        tsr_any_store_<P>(g, s, me, tsr_any_task_of_<P>(g, i));
        __syncthreads();
    }
}

#endif

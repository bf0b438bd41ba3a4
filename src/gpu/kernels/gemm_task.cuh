/** What a block of a product by loops does: a tile of C, or of its sums over a part of K; and how these become C.
 *
 *  Law     the parts of K are added in their order, sixteen by sixteen, so that sums are the same from run to run.
 */
#ifndef TSR_SRC_GPU_KERNELS_GEMM_TASK_CUH
#define TSR_SRC_GPU_KERNELS_GEMM_TASK_CUH

#include "gpu/kernels/gemm_element.cuh"
#include "gpu/kernels/wait.h"

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
template <int A, int B, int C_, int Bias_, int Parts_, int Each, int Access_> struct tsr_any_copy_plan_ {
    typedef typename tsr_any_index_<(Access_ & TSR_ANY_COUNTED) != 0>::type index;
    static constexpr bool tensor = (Access_ & TSR_ANY_TENSOR) != 0;
    typedef typename tsr_factor_<A, B, tensor>::type factor;
    typedef typename tsr_sum_of_<A, B>::sum sum;
    typedef typename tsr_sum_of_<A, B>::number number;
    typedef typename tsr_plain_<C_>::type result;
    static constexpr int C = C_, Bias = Bias_, Parts = Parts_, Access = Access_, side = 16 * Each;
    static constexpr bool swizzled = (Access & TSR_ANY_SWIZZLED) != 0, splits = (Access & TSR_ANY_SPLITS) != 0;
    static constexpr tsr_any_form form = tsr_make_any_form(sizeof(factor), sizeof(sum), side, Access);
    static constexpr int groups = side * side * (int)sizeof(sum) / 16 / form.threads; /* of sums, of a thread */
    static constexpr int most = form.threads <= 256 ? 8 : 4;                          /* as registers allow */
    static constexpr int width = !splits ? 1 : groups < most ? groups : most;         /* that it adds up at once */
    static_assert(side * side * sizeof(sum) % (16 * width * form.threads) == 0, "all threads have as many");
};

/** The work of a block: its tile, first row and column, batch, and its range of K. */
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

/** Tables of a block: offsets along K of A and B, in units of some bytes, of 256 elements at a time, for two
 *  such halves; of the rows and columns of a tile, in its batch, in A or B and in C and the bias. */
template <int Side> struct tsr_any_known_ {
    int64_t k[2][2 * TSR_ANY_KNOWN];
    int64_t own[2][Side + 1];   /* from the address on; rows that are not there are the last one; behind them row 0 */
    int64_t result[2][2][Side]; /* rows, with the batch, and columns: in C; in the bias */

    template <class P, int Count>
    TSR_DEVICE_MEMBER void find(tsr_gemm_loops const &mode, typename P::index from, int unit_a, int unit_b)
    {
        typename P::index const end = min(from + Count, (typename P::index)mode.size);
#pragma unroll 1
        for (typename P::index i = from + threadIdx.x; i < end; i += P::form.threads) {
            int64_t r[2] = {0, 0};
            tsr_loops_offsets_(mode, {TSR_IN_A, TSR_IN_B}, i, r);
            k[0][i % (2 * TSR_ANY_KNOWN)] = r[0] * unit_a;
            k[1][i % (2 * TSR_ANY_KNOWN)] = r[1] * unit_b;
        }
    }
    template <class P> TSR_DEVICE_MEMBER void find_places(tsr_gemm_any const &g,
                                                          tsr_any_task_<typename P::index> const &task, int unit_a,
                                                          int unit_b)
    {
#pragma unroll 1
        for (int i = threadIdx.x; i < 2 * Side; i += P::form.threads)
            if (i < Side)
                find_place<P, TSR_IN_A>(g, g.m, task.m, task.v, i, unit_a);
            else
                find_place<P, TSR_IN_B>(g, g.n, task.n, task.v, i - Side, unit_b);
        __syncthreads();
    }
    template <class I> TSR_DEVICE_MEMBER int64_t const *from(int operand, I at) const
    {
        return k[operand] + (int)(at % (2 * TSR_ANY_KNOWN));
    }

   private:
    template <class P, int Operand>
    TSR_DEVICE_MEMBER void find_place(tsr_gemm_any const &g, tsr_gemm_loops const &mode, typename P::index first,
                                      typename P::index v, int i, int unit)
    {
        int64_t batch[3] = {g.base[Operand].begin, 0, 0}, r[3] = {0, 0, 0};
        int64_t const here = (int64_t)first + i;
        tsr_loops_offsets_(g.v, {Operand, TSR_IN_C, TSR_IN_BIAS}, v, batch);
        tsr_loops_offsets_(mode, {Operand, TSR_IN_C, TSR_IN_BIAS}, (typename P::index)min(here, mode.size - 1), r);
        own[Operand][i] = (batch[0] + r[0]) * unit;
        if (i == 0)
            own[Operand][Side] = batch[0] * unit;
        TSR_UNROLL for (int o = 0; o < ((P::Parts & TSR_EPILOGUE_BIASED) ? 2 : 1); ++o) result[o][Operand][i] =
            here >= mode.size ? tsr_any_outside_ : r[1 + o] + (Operand == TSR_IN_A ? batch[1 + o] : 0);
    }
};

/** Sums of `Run` rows of a column, to C. Of a run that is stored at once, all or none are outside. */
template <class P, int Run> TSR_DEVICE void tsr_any_finish_(tsr_gemm_any const &g,
                                                            tsr_any_known_<P::side> const &known,
                                                            typename P::sum const (&sum)[Run], int row, int column)
{
    typedef typename P::number R;
    constexpr int bytes = Run * (int)sizeof(typename P::result);
    constexpr bool wide = (P::Access & TSR_ANY_C_WIDE) && (bytes == 8 || bytes == 16);
    typename P::result out[Run];
    int64_t const across = known.result[0][1][column], first = known.result[0][0][row];
    if (across == tsr_any_outside_ || (wide && first == tsr_any_outside_))
        return;
    TSR_UNROLL for (int i = 0; i < Run; ++i)
    {
        int64_t const down = wide ? first + i : known.result[0][0][row + i];
        if (!wide && down == tsr_any_outside_)
            continue;
        R z = R(sum[i]);
        z = (P::Parts & TSR_EPILOGUE_SCALES) ? R(g.alpha) * z : z;
        if constexpr ((P::Parts & TSR_EPILOGUE_ADDS) != 0)
            z += R(g.beta) * tsr_any_read_<P::C, P::swizzled, R>(g.base[TSR_IN_C], down + across);
        if constexpr ((P::Parts & TSR_EPILOGUE_BIASED) != 0)
            z += tsr_any_read_<P::Bias, P::swizzled, R>(g.base[TSR_IN_BIAS],
                                                        known.result[1][0][row + i] + known.result[1][1][column]);
        z = (P::Parts & TSR_EPILOGUE_RELU) && z < R(0) ? R(0) : z;
        if constexpr (wide)
            out[i] = z;
        else
            tsr_any_write_<P::C, P::swizzled>(g.base[TSR_IN_C], down + across, z);
    }
    if constexpr (wide)
        tsr_write_global<bytes>(out, tsr_any_at_<P::C, P::swizzled>(g.base[TSR_IN_C], first + across));
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
    tsr_any_known_<P::side> known;
    int64_t current; /* what waits here needs no registers in the loop over K */
    tsr_any_task_<typename P::index> task;
    int last;
};

/** True in the last of `of` blocks to arrive, which then sees all that they wrote before. */
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

/** The sums of the parts, one after the other, of `Width` groups at once; those in global memory may be of other
 *  blocks. */
template <bool Global, int Width, class T, int Run>
TSR_DEVICE void tsr_any_add_up_(T const *part, int count, int apart, T (&sum)[Width][Run])
{
    static_assert(sizeof sum == 16 * Width, "accesses");
    TSR_UNROLL for (int i = 0; i < Width * Run; ++i) sum[i / Run][i % Run] = 0;
#pragma unroll(Width > 1 ? 2 : 4)
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
#pragma unroll 2
    for (int i = threadIdx.x * run; i < size; i += P::form.threads * run) {
        tsr_any_add_up_<false>(s.sums + i, P::form.slices, size, one);
        tsr_write_global<16>(one, all + (int)task.split * size + i);
    }
    if (!tsr_any_is_last_(&s.last, arrived + group, mine))
        return false;
    for (int i = groups > 1 ? threadIdx.x * run : size; i < size; i += P::width * P::form.threads * run) {
        tsr_any_add_up_<true>(ours + i, mine, size, sum);
        TSR_UNROLL for (int j = 0; j < P::width; ++j)
            tsr_write_global<16>(sum[j], ours + i + j * P::form.threads * run);
    }
    from = all;
    count = groups > 1 ? groups : parts;
    apart = groups > 1 ? TSR_ANY_GROUP * size : size;
    return groups == 1 || tsr_any_is_last_(&s.last, arrived + groups, groups);
}

/** By what rows of a column change places in shared memory: the lanes of a quad have sums of tensor cores in four pairs
 *  of columns. */
template <class P> TSR_DEVICE int tsr_any_turned_(int column)
{
    return P::tensor ? column / 2 % 4 * (32 / (int)sizeof(typename P::sum)) : 0;
}

/** Writes the sums of a tile to C: those of all slices, or parts. */
template <class P, bool Global> TSR_DEVICE void tsr_any_to_result_(tsr_gemm_any const &g,
                                                                   tsr_any_known_<P::side> const &known,
                                                                   typename P::sum const *from, int count, int apart)
{
    typedef typename P::sum T;
    constexpr int run = 16 / (int)sizeof(T), size = P::side * P::side;
#pragma unroll(P::splits ? 1 : 2)
    for (int i = threadIdx.x * run; i < size; i += P::width * P::form.threads * run) {
        T sum[P::width][run], in_order[run];
        tsr_any_add_up_<Global>(from + i, count, apart, sum);
        TSR_UNROLL for (int j = 0; j < P::width; ++j)
        {
            int const at = i + j * P::form.threads * run;
            TSR_UNROLL for (int e = 0; e < run; ++e) in_order[e] = sum[j][e ^ 1];
            int const column = at / P::side;
            tsr_any_finish_<P>(g, known, in_order, at % P::side ^ tsr_any_turned_<P>(column), column);
        }
    }
}

/** The sums of a task to C, or to those of other parts of K. In shared memory they lie column by column, the two rows
 *  of a pair in each other's place: then the sums of a thread, which are stored four by four, are not in the bank of
 *  registers that their rows' factors are in, which would cost a clock each. */
template <class P, class M, class Memory> TSR_DEVICE void tsr_any_store_(tsr_gemm_any const &g, Memory &s,
                                                                         M const &me,
                                                                         tsr_any_task_<typename P::index> const &task)
{
    constexpr int size = P::side * P::side;
    int const turn = tsr_any_turned_<P>(me.column(0)); /* that of all columns of a thread */
    TSR_UNROLL for (int j = 0; j < M::columns; ++j) TSR_UNROLL for (int i = 0; i < M::rows; ++i)
        s.sums[me.slice * size + me.column(j) * P::side + (me.row(i) ^ 1 ^ turn)] = me.sum[i][j];
    __syncthreads();
    if (P::splits && task.divided) {
        typename P::sum const *from = nullptr;
        int count = 0, apart = 0;
        if (tsr_any_join_<P>(g, s, task, from, count, apart))
            tsr_any_to_result_<P, true>(g, s.known, from, count, apart);
    } else {
        tsr_any_to_result_<P, false>(g, s.known, s.sums, P::form.slices, size);
    }
}

/** All tasks of a block: multiply(task, me, x, y) adds a task up in `me`, from the operands that x and y bring. Of K,
 *  `Known` places are found before. */
template <class P, class Left, class Right, class M, int Known, class Memory, class Multiply>
TSR_DEVICE void tsr_any_run_(tsr_gemm_any const &g, Memory &s, Multiply multiply)
{
    static_assert(sizeof s <= P::form.bytes, "as the launch has it");
    tsr_kernel_wait_();
#pragma unroll 1
    for (int64_t i = blockIdx.x; i < tsr_any_tasks_<P>(g); i += gridDim.x) {
        auto const task = tsr_any_task_of_<P>(g, i);
        M me;
        Left x;
        Right y;
        me.begin(threadIdx.x);
        s.known.template find<P, Known>(g.k, task.begin, Left::unit, Right::unit);
        if (threadIdx.x == 0) {
            s.current = i;
            s.task = task;
        }
        s.known.template find_places<P>(g, task, Left::unit, Right::unit);
        x.begin(g, g.m, TSR_IN_A, task.m, s.known.own[0], task.begin);
        y.begin(g, g.n, TSR_IN_B, task.n, s.known.own[1], task.begin);
        multiply(task, me, x, y);
        __syncthreads();
        i = s.current;
        tsr_any_store_<P>(g, s, me, s.task);
        __syncthreads();
    }
}

#endif

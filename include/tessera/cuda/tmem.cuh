/** Tensor memory in kernels: its allocation by a plan, copies to and from registers by a tiled copy, scales by
 *  tcgen05.cp.
 *
 *      static constexpr tsr_tmem_plan tmem = tsr_make_tmem_plan(atom, tsr_t(_1, _1, _2), tsr_s(4));
 *      typedef tsr_tmem_rows<atom, 32> rows;                         a row of sums to a thread, 32 columns at a time
 *
 *      tsr_tmem<tmem, 2> t(&slot, tsr_warp() == 1);                  all threads of the block; warp 1 allocates
 *      tsr_tmem_fill<atom, TSR_TMEM_SFA, scales>(tsr_smem(sfa), t.sfa);      by the thread that multiplies
 *      tsr_frag<rows::values, float> x;
 *      tsr_tmem_load<rows::copy, rows::tile>(t.c + n, x);            by four warps: number modulo 4 says which lanes
 *      tsr_tmem_wait_load(x);
 *      t.close();                                                    all threads meet, and the columns are free
 *
 *  Law     register v of thread t is element v of tsr_partition_d(copy, t % 128, ..) of the tile. The tile's element
 *          (m,n) is at the lane and column that its layout says, from the address on. Scale (row,k) is where
 *          tsr_tmem_layout(atom, operand, ..) says.
 *  Source  PTX ISA 9.0, tcgen05.alloc, .ld, .st, .cp.
 */
#ifndef TSR_CUDA_TMEM_CUH
#define TSR_CUDA_TMEM_CUH

#include "tessera/atom/scales.h"
#include "tessera/atom/tmem_copy.h"
#include "tessera/cuda/frag.cuh"
#include "tessera/cuda/tcgen05.cuh"

/** An address of tensor memory where A is: what tells it from a descriptor. */
struct tsr_tmem_at {
    uint32_t at;
};

/* Allocation */

/** A plan whose depth is a plain number: both are constants. */
TSR_FN tsr_tmem_plan tsr_make_tmem_plan(tsr_mma_atom x, tsr_tuple tiles, int depth)
{
    return tsr_make_tmem_plan(x, tiles, tsr_s(depth));
}

/** The tensor memory of a block: addresses of the operands of the plan P, by one CTA or a pair. */
template <tsr_tmem_plan const &P, int Ctas = 1> struct tsr_tmem {
    static_assert(TSR_FINE(P.why), "tsr_tmem: a plan that fits");
    enum {
        to_c = P.first[TSR_TMEM_C],
        to_a = P.first[TSR_TMEM_A],
        to_e = P.first[TSR_TMEM_E],
        to_sfa = P.first[TSR_TMEM_SFA],
        to_sfb = P.first[TSR_TMEM_SFB],
        columns = P.allocated
    };
    uint32_t c, a, e, sfa, sfb;
    bool mine;

    /** By all threads of the block, which meet here. One whole warp has `allocates`; of a pair, one of each CTA. The
     *  address passes through `slot` in shared memory. */
    TSR_DEVICE_MEMBER tsr_tmem(uint32_t *slot, bool allocates)
    {
        mine = allocates;
        if (mine) {
            tsr_tcgen05_alloc<Ctas>(slot, columns);
            tsr_tcgen05_relinquish<Ctas>();
            tsr_tcgen05_fence_before();
        }
        __syncthreads();
        tsr_tcgen05_fence_after();
        uint32_t const first = *slot;
        c = first + to_c;
        a = first + to_a;
        e = first + to_e;
        sfa = first + to_sfa;
        sfb = first + to_sfb;
    }

    /** By the warp that allocated, or by all, when nobody uses it any more: after tsr_umma_before of those who read it
     *  and a barrier of the block, of a pair of the cluster. */
    TSR_DEVICE_MEMBER void free(void) const
    {
        if (mine)
            tsr_tcgen05_dealloc<Ctas>(c - to_c, columns);
    }

    /** The end of a kernel, by all threads: what they read is handed on, lanes that went apart come together, the block
     *  (of a pair: the cluster) meets, and the columns are free.
     *  Source  PTX ISA 9.0: dealloc and barriers of the block are .aligned, so all lanes of a warp execute them; a
     *          thread fences its accesses that others are to come behind; after dealloc warps may exit. */
    TSR_DEVICE_MEMBER void close(void) const
    {
        tsr_tcgen05_fence_before();
        if constexpr (Ctas == 2) {
            tsr_cluster_sync();
        } else {
            __syncwarp();
            __syncthreads();
        }
        free();
    }
};

/* Addresses as numbers of the compiler */

/** An address from CuTe's offset in elements, of which a column has `per`: the part of a column in the upper bits. */
TSR_FN uint32_t tsr_tmem_address_of_(int64_t offset, int64_t per)
{
    return (uint32_t)(offset / per) | (uint32_t)(offset % per * (4 / per)) << 30;
}

template <int N> struct tsr_tmem_steps_ {
    uint32_t at[N];
};

/** The addresses of N values of a layout of addresses, `each` apart. */
template <int N>
TSR_TEMPLATE_FN tsr_tmem_steps_<N> tsr_tmem_steps_of_(tsr_layout const &address, int64_t each, int64_t per)
{
    tsr_tmem_steps_<N> r{};
    for (int i = 0; i < N; ++i)
        r.at[i] = tsr_tmem_address_of_(tsr_layout_offset(&address, i * each), per);
    return r;
}

/** Where the Rows x Depth tiles of an operand of an instruction are; all at 0 for one that it does not have. */
template <tsr_mma_atom const &X, int Operand, int Rows, int Depth, bool Has = true> struct tsr_tmem_tiles_ {
    static constexpr tsr_tmem_operand operand = (tsr_tmem_operand)Operand;
    static constexpr tsr_layout layout =
        tsr_tmem_layout(X, operand, tsr_t(tsr_s(tsr_later_<tsr_tmem_tiles_>(Rows)), tsr_s(Depth)));
    static constexpr bool good = TSR_FINE(tsr_tuple_why(layout.shape));
    static constexpr int64_t per = good ? tsr_tmem_per_column(tsr_later_<tsr_tmem_tiles_>(X), operand) : 1;
    static constexpr tsr_layout address = tsr_tmem_address(tsr_later_<tsr_tmem_tiles_>(layout), per);
    static constexpr tsr_tmem_steps_<Rows *Depth> step =
        tsr_tmem_steps_of_<Rows * Depth>(address, tsr_layout_size(tsr_mode(layout, 0)), per);
};
template <tsr_mma_atom const &X, int Operand, int Rows, int Depth>
struct tsr_tmem_tiles_<X, Operand, Rows, Depth, false> {
    static constexpr bool good = true;
    static constexpr tsr_tmem_steps_<Rows *Depth> step = {};
};

/* Registers */

/** The instructions of a tiled copy over a tile of layout L in tensor memory. */
template <tsr_tiled_copy const &Copy, tsr_layout const &L> struct tsr_tmem_moves_ {
    static constexpr tsr_copy_row row = tsr_copy_row_at(tsr_later_<tsr_tmem_moves_>(Copy).atom.op);
    static constexpr bool valid = TSR_FINE(tsr_tiled_copy_why(tsr_later_<tsr_tmem_moves_>(Copy)));
    static constexpr bool moves =
        row.kind == TSR_COPY_TMEM && Copy.atom.op != TSR_COPY_LOAD_STAT_32 && Copy.atom.op != TSR_COPY_LOAD_STAT_128;
    static constexpr int bits = Copy.atom.type ? tsr_dtype_bits(Copy.atom.type) : 1, per = 32 / bits;
    static constexpr tsr_layout address = tsr_tmem_address(tsr_later_<tsr_tmem_moves_>(L), per);
    static constexpr tsr_layout part =
        row.store ? tsr_tidfrg_d(Copy, tsr_later_<tsr_tmem_moves_>(address)) : tsr_tidfrg_s(Copy, address);
    static constexpr bool good = valid && TSR_FINE(tsr_tuple_why(part.shape));

    static constexpr int lanes = row.a, width = row.b, repeat = Copy.atom.number;
    static constexpr bool half = tsr_copy_is_half_(tsr_later_<tsr_tmem_moves_>(Copy).atom.op);
    static constexpr int apart = lanes == 16 && width == 32 ? (half ? 2 : 1) * repeat : 0;
    static constexpr int each = tsr_tcgen05_shape<lanes, width, repeat>::registers; /* of an instruction */
    static constexpr int values = 32 * 32 * each / bits; /* of a warp, in one instruction */
    static constexpr int count = good ? tsr_values<part> / values : 1, registers = count * each;
    static constexpr tsr_tmem_steps_<count> step = tsr_tmem_steps_of_<count>(part, 128 * (int64_t)values, per);
};

/** What registers R must be to hold the values of a copy. */
template <class Moves, class R, int N, int Type> struct tsr_tmem_registers_ {
    static constexpr bool holds = sizeof(R) == 4 && tsr_holds_<R>(Type), all = N == Moves::registers;
    static_assert(holds, "tsr_tmem_load, tsr_tmem_store: registers of 32 bits, of the copy's type or bits");
    static_assert(all, "tsr_tmem_load, tsr_tmem_store: as many registers as a thread of the copy has");
    static constexpr bool good = holds && all;
};

/** The lanes of this warp. */
TSR_DEVICE uint32_t tsr_tmem_lanes_(void) { return (uint32_t)(tsr_warp() % 4 * 32) << 16; }

/** This thread's values of the tile of layout L at `at`: `r` has them after tsr_tmem_wait_load. By four warps. */
template <tsr_tiled_copy const &Copy, tsr_layout const &L, class R, int N>
TSR_DEVICE void tsr_tmem_load(uint32_t at, R (&r)[N])
{
    typedef tsr_tmem_moves_<Copy, L> moves;
    constexpr bool load = moves::moves && !moves::row.store;
    static_assert(load, "tsr_tmem_load: a copy of tcgen05.ld (TSR_COPY_LOAD_32DP32B and so on)");
    if constexpr (load && moves::good && tsr_tmem_registers_<moves, R, N, Copy.atom.type>::good)
        TSR_UNROLL for (int i = 0; i < moves::count; ++i)
        {
            constexpr tsr_tmem_steps_<moves::count> step = moves::step;
            tsr_tcgen05_ld<moves::lanes, moves::width, moves::repeat, moves::half, moves::apart>(
                at + tsr_tmem_lanes_() + step.at[i], reinterpret_cast<uint32_t *>(r + i * moves::each));
        }
}

/** The other way; tensor memory has them after tsr_tmem_wait_store. */
template <tsr_tiled_copy const &Copy, tsr_layout const &L, class R, int N>
TSR_DEVICE void tsr_tmem_store(uint32_t at, R const (&r)[N])
{
    typedef tsr_tmem_moves_<Copy, L> moves;
    constexpr bool store = moves::moves && moves::row.store;
    static_assert(store, "tsr_tmem_store: a copy of tcgen05.st (TSR_COPY_STORE_32DP32B and so on)");
    if constexpr (store && moves::good && tsr_tmem_registers_<moves, R, N, Copy.atom.type>::good)
        TSR_UNROLL for (int i = 0; i < moves::count; ++i)
        {
            constexpr tsr_tmem_steps_<moves::count> step = moves::step;
            tsr_tcgen05_st<moves::lanes, moves::width, moves::repeat, moves::half, moves::apart>(
                at + tsr_tmem_lanes_() + step.at[i], reinterpret_cast<uint32_t const *>(r + i * moves::each));
        }
}

/** A thread's values of a copy over a tile, on the side of registers: (thread, values...) -> coordinate. */
template <tsr_tiled_copy const &Copy, tsr_layout const &L> struct tsr_tmem_frag_ {
    static constexpr tsr_layout tile = tsr_make_identity_layout(
        tsr_t(tsr_s(tsr_size(tsr_mode(tsr_later_<tsr_on_<Copy, L>>(L), 0))), tsr_s(tsr_size(tsr_mode(L, 1)))));
    static constexpr tsr_layout of =
        tsr_tmem_moves_<Copy, L>::row.store ? tsr_tidfrg_s(Copy, tile) : tsr_tidfrg_d(Copy, tile);
};

/** The same of a fragment, whose layout is that of the copy's registers. */
template <tsr_tiled_copy const &Copy, tsr_layout const &L, tsr_layout const &F, class T>
TSR_DEVICE void tsr_tmem_load(uint32_t at, tsr_frag<F, T> &x)
{
    if constexpr (tsr_same<F, tsr_tmem_frag_<Copy, L>::of>::good)
        tsr_tmem_load<Copy, L>(at, x.r);
}
template <tsr_tiled_copy const &Copy, tsr_layout const &L, tsr_layout const &F, class T>
TSR_DEVICE void tsr_tmem_store(uint32_t at, tsr_frag<F, T> const &x)
{
    if constexpr (tsr_same<F, tsr_tmem_frag_<Copy, L>::of>::good)
        tsr_tmem_store<Copy, L>(at, x.r);
}

/** The sums of an atom, by rows: thread t takes `Columns` numbers of row t % 128 at a time. `tile` is what one copy
 *  takes, `values` the layout of a thread's fragment. */
template <tsr_mma_atom const &X, int Columns> struct tsr_tmem_rows {
    static_assert(X.m == (X.kind == TSR_MMA_CTA_PAIR ? 256 : 128), "tsr_tmem_rows: an atom with 128 rows to a CTA");
    static_assert(X.d == TSR_F32 || X.d == TSR_I32, "tsr_tmem_rows: sums of 32 bits");
    static constexpr tsr_layout tile = tsr_mode(
        tsr_tmem_frg(tsr_t(tsr_t(tsr_s(tsr_later_<tsr_tmem_rows>(128)), tsr_s(Columns)), tsr_s(1)), 1, X.d, 32), 0);
    static constexpr tsr_tiled_copy copy = tsr_make_tmem_copy(
        tsr_copy_values(tsr_make_copy(TSR_COPY_LOAD_32DP32B, tsr_later_<tsr_tmem_rows>(Columns)), X.d), tile);
    static constexpr tsr_layout values =
        tsr_tidfrg_d(copy, tsr_make_identity_layout(tsr_t(tsr_s(tsr_later_<tsr_tmem_rows>(128)), tsr_s(Columns))));
};

/** Keeps the compiler from using registers before the wait. */
template <class R, int N> TSR_DEVICE void tsr_tmem_hold_(R (&r)[N])
{
    static_assert(sizeof(R) == 4, "tsr_tmem_wait_load: registers of 32 bits");
    TSR_UNROLL for (int i = 0; i < N; ++i) asm volatile("" : "+r"(reinterpret_cast<uint32_t &>(r[i]))::"memory");
}
template <tsr_layout const &F, class T> TSR_DEVICE void tsr_tmem_hold_(tsr_frag<F, T> &x) { tsr_tmem_hold_(x.r); }

/** Waits for all loads of the warp; the arrays and fragments given are used only after it. */
template <class... R> TSR_DEVICE void tsr_tmem_wait_load(R &...registers)
{
    tsr_tcgen05_wait_ld();
    (tsr_tmem_hold_(registers), ...);
}

/** Waits for all stores of the warp. */
template <int Arch = 0> TSR_DEVICE void tsr_tmem_wait_store(void) { tsr_tcgen05_wait_st<Arch>(); }

/* Scales */

/** Are scales (rows, K) in tiles of 128x4: is scale (i, j) at byte 16*(i % 32) + i / 32 % 4 * 4 + j % 4 of its tile? */
TSR_TEMPLATE_FN bool tsr_are_scale_tiles_(tsr_layout const &s, int64_t rows, int64_t vector)
{
    if (s.shape.status || vector == 0 || tsr_mode_count(&s.shape) != 2 || s.composed)
        return false;
    int64_t const block = 4 * vector, k = tsr_size(tsr_mode(s, 1));
    bool r = tsr_size(tsr_mode(s, 0)) == rows && k % block == 0;
    for (int64_t i = 0; i < rows && r; ++i)
        r = tsr_layout_offset(&s, i) == 16 * (i % 32) + i % 128 / 32 * 4 + tsr_layout_offset(&s, i / 128 * 128);
    for (int64_t j = 0; j < k && r; ++j)
        r = tsr_layout_offset(&s, j * rows) == j / vector % 4 + tsr_layout_offset(&s, j / block * block * rows);
    return r;
}

/** The copies of a tile of scales: from 16-byte units of shared memory to addresses of tensor memory. */
template <int N> struct tsr_tmem_fills_ {
    int64_t from[N];
    uint32_t to[N];
};

template <class Scales> TSR_TEMPLATE_FN tsr_tmem_fills_<Scales::count> tsr_tmem_fills_of_(tsr_layout const &s)
{
    tsr_tmem_fills_<Scales::count> r{};
    for (int i = 0; i < Scales::count; ++i) {
        int const m = i % Scales::tall, k = i / Scales::tall * 4; /* the scale along K */
        r.from[i] = tsr_layout_offset(&s, 128 * m + (int64_t)k * Scales::vector * Scales::rows) / 16;
        r.to[i] = Scales::tiles::step.at[k / Scales::each] + 4 * (uint32_t)m;
    }
    return r;
}

/** Scales (rows, K) in shared memory of layout S, as an operand of an instruction. */
template <tsr_mma_atom const &X, int Operand, tsr_layout const &S> struct tsr_tmem_scales_in_ {
    static constexpr int vector = tsr_mma_scale_vector(tsr_later_<tsr_tmem_scales_in_>(X));
    static constexpr int rows = Operand == TSR_TMEM_SFA ? 128 : (X.n + 127) / 128 * 128;
    static constexpr bool scaled = (Operand == TSR_TMEM_SFA || Operand == TSR_TMEM_SFB) && vector > 0;
    static constexpr bool whole = X.kind != TSR_MMA_CTA_PAIR || X.m == 256 || Operand == TSR_TMEM_SFA;
    static constexpr bool tiled = tsr_are_scale_tiles_(tsr_later_<tsr_tmem_scales_in_>(S), rows, vector);
    static constexpr bool good = scaled && whole && tiled;
    static_assert(scaled, "tsr_tmem_fill: TSR_TMEM_SFA or TSR_TMEM_SFB of an atom with scales");
    static_assert(whole, "tsr_tmem_fill: scales of B of a pair with M = 128 are in two halves (tsr_tcgen05_cp)");
    static_assert(tiled || !scaled, "tsr_tmem_fill: tsr_scales_layout of (128, K) for A, of (N rounded up to 128, K) "
                                    "for B, with a multiple of 4 scales along K");

    static constexpr int each = scaled ? X.k / vector : 1; /* scales of an instruction along K */
    static constexpr int k = good ? (int)tsr_size(tsr_mode(tsr_later_<tsr_tmem_scales_in_>(S), 1)) / vector : 4;
    static constexpr int tall = rows / 128, count = tall * k / 4;
    typedef tsr_tmem_tiles_<X, Operand, 1, k / each, scaled> tiles;
};

/** Scales of a CTA in shared memory, of layout S, to the scales at `at` of a plan: asynchronous and in order with
 *  tsr_umma. One thread, of a pair for both CTAs. */
template <tsr_mma_atom const &X, int Operand, tsr_layout const &S, class T>
TSR_DEVICE void tsr_tmem_fill(tsr_shared<T> from, uint32_t at)
{
    typedef tsr_tmem_scales_in_<X, Operand, S> scales;
    static_assert(sizeof(T) == 1, "tsr_tmem_fill: scales of one byte");
    if constexpr (scales::good && scales::tiles::good) {
        constexpr tsr_gmma_fields rows = {{}, 0, 1, 8, 1}; /* 32 rows of 16 bytes, one behind another */
        uint64_t const desc = tsr_gmma_bits(rows, tsr_smem_address(from.at));
        TSR_UNROLL for (int i = 0; i < scales::count; ++i)
        {
            constexpr tsr_tmem_fills_<scales::count> fills = tsr_tmem_fills_of_<scales>(S);
            tsr_tcgen05_cp<TSR_CP_32X128, X.kind == TSR_MMA_CTA_PAIR ? 2 : 1, 0>(at + fills.to[i],
                                                                                 desc + fills.from[i]);
        }
    }
}

TSR_ELSE_(tsr_tmem_load, "tsr_tmem_load<copy, layout>: an address of tensor memory, and an array or a fragment",
          tsr_tiled_copy const &, tsr_layout const &...)
TSR_ELSE_(tsr_tmem_store, "tsr_tmem_store<copy, layout>: an address of tensor memory, and an array or a fragment",
          tsr_tiled_copy const &, tsr_layout const &...)
TSR_ELSE_(tsr_tmem_fill, "tsr_tmem_fill<atom, operand, layout>: tsr_smem(pointer) and an address of tensor memory",
          tsr_mma_atom const &, int, tsr_layout const &...)

#endif

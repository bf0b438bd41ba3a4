/** Copies between a thread's part of memory and its registers, in accesses as wide as asked for.
 *
 *      tsr_copy<16>(from, to)         16 bytes at a time; `from` or `to` is a part, the other an array of registers
 *      tsr_copy<32>(from, to)         32 bytes of global memory, on sm_100 and later
 *      tsr_copy_if<16>(from, to)      the same where elements may be outside of their tensor
 *      tsr_copy_async<16>(from, to)   from a part of global memory to one of shared memory, in the background
 *      tsr_copy_async_if<16>(from, to)                 the same where elements may be outside
 *
 *  A part of shared memory is one of tsr_smem(pointer). Parts with an outside are those of a tsr_global, of a tensor
 *  with a lower bound (cuda/lower_bound.cuh) and of rows by an index (cuda/gather.cuh). Without a part, one access:
 *  tsr_read<16>(memory, registers), tsr_write<16>(registers, memory), and tsr_write_global, which stays one store.
 *
 *  Law     value v of `to` becomes value v of `from`; the values of an array are its elements. With _if a value that
 *          is outside of its tensor is zero where it would be read, and is not written. Copies in the background are
 *          there when tsr_cp_async_wait or a barrier says so (cuda/async.cuh).
 *  Rule    an access of `Bytes` bytes needs values that are adjacent in groups of that size and begin at multiples of
 *          it. The compiler refuses known numbers that break this. The host must check before the launch that the
 *          base and the strides of run time are multiples, too (tsr_aligned, tsr_max_alignment).
 */
#ifndef TSR_CUDA_COPY_CUH
#define TSR_CUDA_COPY_CUH

#include "tessera/cuda/async.cuh"
#include "tessera/cuda/partition.cuh"

/** The type of an access of `Bytes` bytes. */
template <int Bytes> struct tsr_word_;
template <> struct tsr_word_<1> {
    typedef uint8_t type;
};
template <> struct tsr_word_<2> {
    typedef uint16_t type;
};
template <> struct tsr_word_<4> {
    typedef uint32_t type;
};
template <> struct tsr_word_<8> {
    typedef uint2 type;
};
template <> struct tsr_word_<16> {
    typedef uint4 type;
};
template <> struct tsr_word_<32> {
    struct alignas(32) type {
        uint32_t word[8];
    };
};

/** Do the offsets of the values form groups of n, each beginning at a multiple of n? Thread offsets must, too. */
template <tsr_layout const &L> TSR_TEMPLATE_FN bool tsr_offsets_grouped_(int n)
{
    tsr_layout plain = L;
    if (L.shape.status || tsr_strange_leaf_(L, 0) >= 0)
        return true; /* tsr_part has said why */
    plain.composed = false;
    bool good = tsr_values<L> % n == 0
                && (!L.composed || ((1 << L.swizzle.base) % n == 0 && tsr_leaf_value(L.offset) % n == 0));
    for (int k = 0; k < tsr_get_(&L.shape, 0).leaves; ++k)
        good = good && (L.shape.leaf[k].value == 1 || L.stride.leaf[k].value % n == 0);
    for (int v = 0; v < tsr_values<L>; ++v) {
        int64_t const at = tsr_layout_offset(&plain, (int64_t)v * tsr_threads<L>);
        int64_t const first = tsr_layout_offset(&plain, (int64_t)(v - v % n) * tsr_threads<L>);
        good = good && at == first + v % n && first % n == 0;
    }
    return good;
}

/** The same of coordinates along the mode of stride 1. */
template <tsr_layout const &L, int Rank, int Unit> TSR_TEMPLATE_FN bool tsr_coords_grouped_(int n)
{
    int const leaves = tsr_get_(&L.shape, 0).leaves;
    if (L.shape.status || tsr_strange_leaf_(L, Rank) >= 0)
        return true; /* tsr_part has said why */
    bool good = n == 1 || (Unit >= 0 && tsr_values<L> % n == 0);
    for (int k = 0; k < leaves; ++k)
        good = good
               && (L.shape.leaf[k].value == 1 || tsr_counted_mode_(L.stride.leaf[k], Rank) != Unit
                   || L.stride.leaf[k].value % n == 0);
    tsr_coords_<Rank, tsr_values<L>> const table = tsr_value_coords_<L, Rank>();
    for (int v = 0; v < tsr_values<L> && good; ++v) {
        tsr_coord<Rank> const at = table.at[v], first = table.at[v - v % n];
        for (int d = 0; d < Rank; ++d)
            good = good && at.at[d] == first.at[d] + (d == Unit ? v % n : 0) && (d != Unit || first.at[d] % n == 0);
    }
    return good;
}

/* clang-format off */
#define TSR_EIGHT_(K) K(w[0]), K(w[1]), K(w[2]), K(w[3]), K(w[4]), K(w[5]), K(w[6]), K(w[7])
/* clang-format on */

/** The emulator refuses an access to another address than a multiple of its bytes. */
template <int Bytes> TSR_DEVICE void tsr_aligned_([[maybe_unused]] void const *memory)
{
#if TSR_EMULATE
    tsr_emulator::check_access(memory, Bytes);
#endif
}

/** One access of 1, 2, 4, 8 or 16 bytes, to which the address is aligned; registers are copied by their bytes. Of
 *  global memory 32 bytes are one, too, from sm_100 on. */
template <int Bytes> TSR_DEVICE void tsr_read(void const *memory, void *registers)
{
    tsr_aligned_<Bytes>(memory);
    if constexpr (TSR_EMULATE) {
        TSR_COPY(registers, memory, Bytes);
    } else if constexpr (Bytes == 32) {
        TSR_NEEDS_VERB_(TSR_VERB_GLOBAL_256, Bytes);
        uint32_t w[8];
        asm volatile("ld.global.v8.b32 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8];"
                     : TSR_EIGHT_("=r")
                     : "l"(__cvta_generic_to_global(memory))
                     : "memory");
        TSR_COPY(registers, w, Bytes);
    } else {
        typedef typename tsr_word_<Bytes>::type word;
        word const w = *static_cast<word const *>(memory);
        TSR_COPY(registers, &w, Bytes);
    }
}
template <int Bytes> TSR_DEVICE void tsr_write(void const *registers, void *memory)
{
    tsr_aligned_<Bytes>(memory);
    if constexpr (TSR_EMULATE) {
        TSR_COPY(memory, registers, Bytes);
    } else {
        typedef typename tsr_word_<Bytes>::type word;
        word w;
        TSR_COPY(&w, registers, Bytes);
        *static_cast<word *>(memory) = w;
    }
}

/** The same to global memory: written as PTX, for the compiler cuts a store of several words where it likes. */
template <int Bytes> TSR_DEVICE void tsr_write_global(void const *registers, void *memory)
{
    tsr_aligned_<Bytes>(memory);
    if constexpr (TSR_EMULATE) {
        TSR_COPY(memory, registers, Bytes);
    } else if constexpr (Bytes <= 4) {
        tsr_write<Bytes>(registers, memory);
    } else {
        uint32_t w[Bytes / 4];
        TSR_COPY(w, registers, Bytes);
#if !TSR_EMULATE
        if constexpr (Bytes == 8)
            asm volatile("st.global.v2.b32 [%0], {%1, %2};" ::"l"(__cvta_generic_to_global(memory)), "r"(w[0]),
                         "r"(w[1])
                         : "memory");
        else if constexpr (Bytes == 32) {
            TSR_NEEDS_VERB_(TSR_VERB_GLOBAL_256, Bytes);
            asm volatile("st.global.v8.b32 [%8], {%0, %1, %2, %3, %4, %5, %6, %7};" ::TSR_EIGHT_("r"),
                         "l"(__cvta_generic_to_global(memory))
                         : "memory");
        } else
            asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(__cvta_generic_to_global(memory)),
                         "r"(w[0]), "r"(w[1]), "r"(w[2]), "r"(w[3])
                         : "memory");
#endif
    }
}

#undef TSR_EIGHT_

/** An array of registers as elements of T: they may be packed into wider ones. */
template <class T, class U, int N> constexpr int tsr_packed_ = N *(int)sizeof(U) / (int)sizeof(T);
template <class T, class U> TSR_DEVICE char *tsr_packed_at_(U *registers, int v)
{
    return reinterpret_cast<char *>(registers) + v * (int)sizeof(T);
}
template <class T, class U> TSR_DEVICE char const *tsr_packed_at_(U const *registers, int v)
{
    return reinterpret_cast<char const *>(registers) + v * (int)sizeof(T);
}

/** The elements of one access. */
template <int Bytes, class T> constexpr int tsr_group_ = Bytes / (int)sizeof(T) > 0 ? Bytes / (int)sizeof(T) : 1;

/** `Values` values of a part, `Registers` elements in registers. */
template <int Values, int Registers, bool All> struct tsr_as_many_ {
    static constexpr bool good = All ? Values == Registers : Values >= Registers;
    static_assert(good, "tsr_copy: registers for as many elements as the part has values");
};

/** The needs of a copy of `Bytes` at a time between elements T and N registers U; To is the type that is written. All
 *  is of global memory. */
template <int Bytes, class T, class U, class To, int Values, int N, bool All, bool Grouped> struct tsr_copied_ {
    static constexpr bool word =
        Bytes == 1 || Bytes == 2 || Bytes == 4 || Bytes == 8 || Bytes == 16 || (Bytes == 32 && All);
    static constexpr bool whole = Bytes % sizeof(T) == 0, alike = tsr_holds_<U>(tsr_number_type_<T>);
    static constexpr bool bytes = tsr_number_bits_<T> >= 8;
    static_assert(bytes, "tsr_copy: elements of whole bytes; of 4 bits, words of eight (cuda/nibble.cuh)");
    static_assert(word, "tsr_copy: an access has 1, 2, 4, 8 or 16 bytes, of global memory also 32");
    static_assert(whole, "tsr_copy: an access holds whole elements");
    static_assert(Grouped, "tsr_copy: the values are not adjacent, or not at multiples of the access");
    static_assert(alike, "tsr_copy: registers of the elements' type, or of bits (tsr_frag_cast converts)");
    static_assert(!tsr_is_const_<To>, "tsr_copy: what is written to is const");
    static constexpr bool good = word && whole && bytes && Grouped && alike
                                 && !tsr_is_const_<To> && tsr_as_many_<Values, tsr_packed_<T, U, N>, All>::good;
};

/* Shared memory, and memory at static offsets. `first` is the first of the values that move. */

template <int Bytes, tsr_layout const &L, class T, tsr_space Space, class U, int N>
TSR_DEVICE void tsr_copy(tsr_static_part<L, T, Space> from, U (&to)[N], int first = 0)
{
    constexpr int n = tsr_group_<Bytes, T>;
    if constexpr (tsr_copied_<Bytes, T, U, U, tsr_values<L>, N, false, tsr_offsets_grouped_<L>(n)>::good)
        TSR_UNROLL for (int v = 0; v < tsr_packed_<T, U, N>; v += n)
            tsr_read<Bytes>(from.tile + from.offset(first + v), tsr_packed_at_<T>(to, v));
}

template <int Bytes, tsr_layout const &L, class T, tsr_space Space, class U, int N>
TSR_DEVICE void tsr_copy(U const (&from)[N], tsr_static_part<L, T, Space> to, int first = 0)
{
    constexpr int n = tsr_group_<Bytes, T>;
    if constexpr (tsr_copied_<Bytes, T, U, T, tsr_values<L>, N, false, tsr_offsets_grouped_<L>(n)>::good)
        TSR_UNROLL for (int v = 0; v < tsr_packed_<T, U, N>; v += n)
            tsr_write<Bytes>(tsr_packed_at_<T>(from, v), to.tile + to.offset(first + v));
}

/* Global memory */

template <int Bytes, tsr_layout const &L, class T, int Rank, int Unit, class U, int N>
TSR_DEVICE void tsr_copy(tsr_global_part<L, T, Rank, Unit> const &from, U (&to)[N])
{
    constexpr int n = tsr_group_<Bytes, T>;
    constexpr bool grouped = tsr_coords_grouped_<L, Rank, Unit>(n);
    if constexpr (tsr_copied_<Bytes, T, U, U, tsr_values<L>, N, true, grouped>::good)
        TSR_UNROLL for (int v = 0; v < tsr_packed_<T, U, N>; v += n)
            tsr_read<Bytes>(from.pointer(v), tsr_packed_at_<T>(to, v));
}

template <int Bytes, tsr_layout const &L, class T, int Rank, int Unit, class U, int N>
TSR_DEVICE void tsr_copy(U const (&from)[N], tsr_global_part<L, T, Rank, Unit> const &to)
{
    constexpr int n = tsr_group_<Bytes, T>;
    constexpr bool grouped = tsr_coords_grouped_<L, Rank, Unit>(n);
    if constexpr (tsr_copied_<Bytes, T, U, T, tsr_values<L>, N, true, grouped>::good)
        TSR_UNROLL for (int v = 0; v < tsr_packed_<T, U, N>; v += n)
            tsr_write_global<Bytes>(tsr_packed_at_<T>(from, v), to.pointer(v));
}

/** How many of the n elements from coordinate c on, along Unit, are inside. */
template <class T, int Rank, int Unit>
TSR_DEVICE int tsr_inside_(tsr_global<T, Rank, Unit> const &g, tsr_coord<Rank> c, int n)
{
    int inside = n;
    TSR_UNROLL for (int d = 0; d < Rank; ++d)
    {
        if (d == Unit)
            inside = min(inside, max(0, g.extent[d] - c.at[d]));
    }
    TSR_UNROLL for (int d = 0; d < Rank; ++d)
    {
        if (d != Unit && c.at[d] >= g.extent[d])
            inside = 0;
    }
    return inside;
}

/** Of the elements of an access those from `first` to `last` - 1 are inside of the tensor. */
struct tsr_inside_span_ {
    int first, last;
};

/** How predicated copies go through the values of a part. Each kind of tensor that has an outside specialises it, and
 *  is then copied by the loops below:
 *
 *      element, values, grouped<n>   of the part; whether groups of n are accesses
 *      in_front                      may an access begin outside and end inside?
 *      span(v, n)                    which of the n elements from value v on are inside; values are asked in order
 *      at(v)                         where value v is, if it is inside
 *      next(p, v, n)                 the same, where p is that of value v - n; any address if it is outside
 */
template <class Part> struct tsr_predicate_ {
};

template <tsr_layout const &L, class T, int Rank, int Unit> struct tsr_predicate_<tsr_global_part<L, T, Rank, Unit>> {
    typedef T element;
    enum { values = tsr_values<L>, in_front = false };
    template <int Count> static constexpr bool grouped = tsr_coords_grouped_<L, Rank, Unit>(Count);
    tsr_global_part<L, T, Rank, Unit> const &part;

    TSR_DEVICE_MEMBER tsr_inside_span_ span(int v, int n) const
    {
        return {0, tsr_inside_(part.tensor, part.coord(v), n)};
    }
    TSR_DEVICE_MEMBER T *at(int v) const { return part.pointer(v); }
    TSR_DEVICE_MEMBER T *next(T *p, int v, int n) const { return v > 0 ? part.step(p, v - n, v) : part.pointer(0); }
};

/** How many elements of a partly filled access a loop asks: without bounds in front the last one is never inside. */
template <class Part, int Count> constexpr int tsr_asked_ = tsr_predicate_<Part>::in_front ? Count : Count - 1;

/** From a part into registers: what is outside is zero and not read. */
template <int Bytes, class Part, class U, int N, class T = typename tsr_predicate_<Part>::element>
TSR_DEVICE void tsr_copy_if(Part const &from, U (&to)[N])
{
    typedef tsr_predicate_<Part> predicate;
    constexpr int n = tsr_group_<Bytes, T>;
    predicate r = {from};
    if constexpr (tsr_copied_<Bytes, T, U, U, predicate::values, N, true, predicate::template grouped<n>>::good)
        TSR_UNROLL for (int v = 0; v < tsr_packed_<T, U, N>; v += n)
        {
            tsr_inside_span_ const s = r.span(v, n);
            typename tsr_word_<Bytes>::type const zero = {};
            TSR_COPY(tsr_packed_at_<T>(to, v), &zero, Bytes);
            if (s.first == 0 && s.last == n) {
                tsr_read<Bytes>(r.at(v), tsr_packed_at_<T>(to, v));
            } else {
                TSR_UNROLL for (int i = 0; i < tsr_asked_<Part, n>; ++i) if (s.first <= i && i < s.last)
                    tsr_read<sizeof(T)>(r.at(v) + i, tsr_packed_at_<T>(to, v + i));
            }
        }
}

/** From registers to a part: what is outside is not written. */
template <int Bytes, class Part, class U, int N, class T = typename tsr_predicate_<Part>::element>
TSR_DEVICE void tsr_copy_if(U const (&from)[N], Part const &to)
{
    typedef tsr_predicate_<Part> predicate;
    constexpr int n = tsr_group_<Bytes, T>;
    predicate r = {to};
    if constexpr (tsr_copied_<Bytes, T, U, T, predicate::values, N, true, predicate::template grouped<n>>::good)
        TSR_UNROLL for (int v = 0; v < tsr_packed_<T, U, N>; v += n)
        {
            tsr_inside_span_ const s = r.span(v, n);
            if (s.first == 0 && s.last == n) {
                tsr_write_global<Bytes>(tsr_packed_at_<T>(from, v), r.at(v));
            } else {
                TSR_UNROLL for (int i = 0; i < tsr_asked_<Part, n>; ++i) if (s.first <= i && i < s.last)
                    tsr_write<sizeof(T)>(tsr_packed_at_<T>(from, v + i), r.at(v) + i);
            }
        }
}

/** to = alpha * from + beta * to, element by element inside the tensor. With beta = 0 the old elements are not
 *  read. */
template <tsr_layout const &L, class T, int Rank, int Unit, class U, int N, class V, class W>
TSR_DEVICE void tsr_axpby(V alpha, U const (&from)[N], W beta, tsr_global_part<L, T, Rank, Unit> const &to)
{
    typedef decltype(alpha + beta) S;
    static_assert(tsr_values<L> == N, "tsr_axpby: as many registers as values");
    static_assert(!tsr_is_const_<T>, "tsr_axpby: what is written to is const");
    if constexpr (tsr_values<L> == N && !tsr_is_const_<T>)
        TSR_UNROLL for (int v = 0; v < N; ++v)
        {
            if (to.has(v)) {
                T *const p = to.pointer(v);
                *p = T(S(beta) == S(0) ? S(alpha) * S(from[v]) : S(alpha) * S(from[v]) + S(beta) * S(*p));
            }
        }
}

TSR_ELSE_(tsr_axpby, "tsr_axpby: a factor, an array of registers, a factor, and a part of a tsr_global", class = void)

/* Global to shared memory, by cp.async */

/** The needs of a copy of From values T to To values U in the background. */
template <int Bytes, class T, class U, int From, int To, bool Grouped> struct tsr_behind_ {
    static constexpr bool word = Bytes == 4 || Bytes == 8 || Bytes == 16;
    static constexpr bool alike = sizeof(T) == sizeof(U) && tsr_alike_(tsr_number_type_<T>, tsr_number_type_<U>);
    static_assert(word, "tsr_copy_async: 4, 8 or 16 bytes at a time");
    static_assert(From == To, "tsr_copy_async: two parts of the same size");
    static_assert(alike, "tsr_copy_async: elements of one type");
    static_assert(Grouped, "tsr_copy: the values are not adjacent, or not at multiples of the access");
    static_assert(!tsr_is_const_<U>, "tsr_copy_async: what is written to is const");
    static constexpr bool good = word && From == To && alike && Grouped && !tsr_is_const_<U>;
};

template <int Bytes, tsr_layout const &G, tsr_layout const &S, class T, class U, int Rank, int Unit>
TSR_DEVICE void tsr_copy_async(tsr_global_part<G, T, Rank, Unit> const &from, tsr_static_part<S, U, TSR_SMEM> to)
{
    constexpr int n = tsr_group_<Bytes, T>;
    constexpr bool grouped = tsr_coords_grouped_<G, Rank, Unit>(n) && tsr_offsets_grouped_<S>(n);
    if constexpr (tsr_behind_<Bytes, T, U, tsr_values<G>, tsr_values<S>, grouped>::good)
        TSR_UNROLL for (int v = 0; v < tsr_values<G>; v += n)
            tsr_cp_async<Bytes>(to.tile + to.offset(v), from.pointer(v));
}

/** An access that begins outside and ends inside, which cp.async does not have: by the thread itself, an element at a
 *  time. The fence orders it before the thread's arrival at a barrier. */
template <int Bytes, class T, class U> TSR_DEVICE void tsr_copy_cut_(T const *from, tsr_inside_span_ s, U *to)
{
    typename tsr_word_<Bytes>::type const zero = {};
    tsr_write<Bytes>(&zero, to);
#if !TSR_EMULATE
#  pragma unroll 1
#endif
    for (int i = s.first; i < s.last; ++i) {
        typename tsr_word_<sizeof(T)>::type x;
        tsr_read<sizeof(T)>(from + i, &x);
        tsr_write<sizeof(T)>(&x, to + i);
    }
    __threadfence_block();
}

/** From a part to one of shared memory: what is outside arrives as zeros and is not read. */
template <int Bytes, tsr_layout const &S, class Part, class U, class T = typename tsr_predicate_<Part>::element>
TSR_DEVICE void tsr_copy_async_if(Part const &from, tsr_static_part<S, U, TSR_SMEM> to)
{
    typedef tsr_predicate_<Part> predicate;
    constexpr int n = tsr_group_<Bytes, T>;
    constexpr bool grouped = predicate::template grouped<n> && tsr_offsets_grouped_<S>(n);
    predicate r = {from};
    T *p = nullptr;
    if constexpr (tsr_behind_<Bytes, T, U, predicate::values, tsr_values<S>, grouped>::good)
        TSR_UNROLL for (int v = 0; v < predicate::values; v += n)
        {
            tsr_inside_span_ const s = r.span(v, n);
            p = r.next(p, v, n);
            if (predicate::in_front && s.first > 0 && s.first < s.last)
                tsr_copy_cut_<Bytes>(p, s, to.tile + to.offset(v));
            else
                tsr_cp_async<Bytes>(to.tile + to.offset(v), p, s.first > 0 ? 0 : s.last * (int)sizeof(T));
        }
}

/* Shared memory to registers, by ldmatrix: a part whose values are the rows of 8 elements that the thread points at */

/** The number of matrices that the lanes of a warp point at: 4, 2 or 1. With fewer, the lanes from 16 or 8 on repeat
 *  the first ones. */
template <tsr_layout const &L> TSR_TEMPLATE_FN int tsr_pointed_at_(void)
{
    tsr_layout plain = L;
    if (L.shape.status || tsr_threads<L> < 32)
        return 0;
    plain.composed = false;
    int64_t const at = tsr_layout_offset(&plain, 0);
    return tsr_layout_offset(&plain, 16) != at ? 4 : tsr_layout_offset(&plain, 8) != at ? 2 : 1;
}

/** The elements of a row of a matrix. */
template <class T> constexpr int tsr_matrix_row_ = sizeof(T) == 1 ? 16 : 8;

/** The needs of N registers, `Count` matrices an access, from a part of `Values` values T whose lanes point at
 *  `Lanes`. */
template <int Count, class T, int N, int Values, bool Rows, int Lanes> struct tsr_matrices_ {
    static constexpr bool words = Count == 1 || Count == 2 || Count == 4, whole = N % (words ? Count : 1) == 0;
    static constexpr bool there = N / (words ? Count : 1) * tsr_matrix_row_<T> <= Values;
    static_assert(words, "tsr_copy_matrix: 1, 2 or 4 matrices at a time");
    static constexpr bool bytes = sizeof(T) == 2 || sizeof(T) == 1;
    static_assert(bytes, "tsr_copy_matrix: elements of 16 bits, or of 8");
    static_assert(whole, "tsr_copy_matrix: registers of whole accesses");
    static_assert(there, "tsr_copy_matrix: 8 values of the part for each access");
    static_assert(Lanes == Count, "tsr_copy_matrix: the atom of the part moves another number of matrices");
    static_assert(Rows, "tsr_copy_matrix: a thread points at 8 neighbours, at a multiple of 8");
    static constexpr bool good = words && bytes && whole && there && Rows && Lanes == Count;
};

/** N / Count accesses of `Count` matrices each; `first` is the first row's value. Rows have 16 bytes, 8 elements of 16
 *  bits or 16 of 8. With Bits = 6 or 4 they have 16 elements in the first 12 or 8 bytes, which become bytes. */
template <int Count, bool Transposed = false, int Bits = 16, tsr_layout const &L, class T, int N>
TSR_DEVICE void tsr_copy_matrix(tsr_static_part<L, T, TSR_SMEM> from, uint32_t (&to)[N], int first = 0)
{
    static_assert(sizeof(T) != 1 || !Transposed, "tsr_copy_matrix: bytes are not transposed (tsr_ldmatrix)");
    static_assert(Bits == 16 || sizeof(T) == 1, "tsr_copy_matrix: elements of 6 or 4 bits lie in bytes");
    if constexpr (tsr_matrices_<Count, T, N, tsr_values<L>, tsr_offsets_grouped_<L>(tsr_matrix_row_<T>),
                                tsr_pointed_at_<L>()>::good)
        TSR_UNROLL for (int i = 0; i < N / Count; ++i) tsr_ldmatrix<Count, Transposed, Bits>(
            to + Count * i, from.tile + from.offset(first + tsr_matrix_row_<T> * i));
}

/** Registers to shared memory, by stmatrix. */
template <int Count, bool Transposed = false, tsr_layout const &L, class T, int N>
TSR_DEVICE void tsr_copy_matrix(uint32_t const (&from)[N], tsr_static_part<L, T, TSR_SMEM> to, int first = 0)
{
    static_assert(!tsr_is_const_<T>, "tsr_copy_matrix: what is written to is const");
    static_assert(sizeof(T) != 1 || !Transposed, "tsr_copy_matrix: bytes are not transposed (tsr_stmatrix)");
    if constexpr (tsr_matrices_<Count, T, N, tsr_values<L>, tsr_offsets_grouped_<L>(tsr_matrix_row_<T>),
                                tsr_pointed_at_<L>()>::good
                  && !tsr_is_const_<T>)
        TSR_UNROLL for (int i = 0; i < N / Count; ++i)
            tsr_stmatrix<Count, Transposed>(to.tile + to.offset(first + tsr_matrix_row_<T> * i), from + Count * i);
}

TSR_ELSE_(
    tsr_copy,
    "tsr_copy: a part and an array of registers, which a fragment x has in x.r, not two of a kind; of a part with "
    "a lower bound, or of rows by an index, tsr_copy_if",
    int)
TSR_ELSE_(tsr_copy_if, "tsr_copy_if: a part of a tsr_global, whose extents are known, and an array of registers", int)
TSR_ELSE_(
    tsr_copy_async,
    "tsr_copy_async: from a part of a tsr_global to a part of shared memory, of tsr_smem(pointer); of a part with "
    "a lower bound, or of rows by an index, tsr_copy_async_if",
    int)
TSR_ELSE_(tsr_copy_async_if,
          "tsr_copy_async_if: from a part of a tsr_global to a part of shared memory, of tsr_smem(pointer)", int)
TSR_ELSE_(tsr_copy_matrix,
          "tsr_copy_matrix: a part of shared memory, of tsr_smem(pointer), and an array of uint32_t, as x.r of a "
          "fragment x of halves",
          int, bool = false, int = 16)

#endif

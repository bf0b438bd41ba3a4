/** Running a formula (tile/formula.h) whose structure is in a type: what it knows is an immediate, and a number that it
 *  does not know is an argument of the kernel. C++17 as well as CUDA: nothing here needs a GPU.
 *
 *  Two descriptors A and B, constants of the compiler, name the unknown numbers: the numbers in which A and B differ.
 *  With one descriptor all are known. A descriptor of run time fits when it agrees with A and B where they agree. Its
 *  other numbers are free if elements are accessed one by one. In wider accesses they are multiples of the greatest
 *  number of elements that divides both A's and B's.
 *
 *  Cost    a product and a sum for each part, a shift or a multiplication for each quotient. On a GPU this holds for
 *          numbers of run time, too: tile/magic_division.h.
 */
#ifndef TSR_CUDA_FORMULA_CUH
#define TSR_CUDA_FORMULA_CUH

#include "tessera/tile/formula_window.h"
#include "tessera/tile/magic_division.h"
#include "tessera/tile/operations.h"

template <tsr_descriptor const &A, tsr_descriptor const &B, int Most>
constexpr tsr_variation tsr_variation_of = tsr_variation_between(&A, &B, Most);

/** The room for a formula's values; of one that is refused, which was said, for any coordinate. */
TSR_FN int tsr_values_of_(tsr_formula const &f) { return f.values > 0 ? f.values : TSR_MAX_DIMS; }

/* Numbers of run time */

TSR_FN int tsr_unknowns_before_(tsr_variation const &vary, int source)
{
    int n = 0;
    for (int i = 0; i < source; ++i)
        n += vary.multiple[i] != 0;
    return n;
}

template <class Int> struct tsr_unknown_ {
    Int is;
    uint32_t multiplier, shift; /* of a division by it */
};

template <class Int, int N> struct tsr_unknowns_ {
    tsr_unknown_<Int> at[N];
};
template <class Int> struct tsr_unknowns_<Int, 0> {
};

template <class Int, tsr_variation const &V> using tsr_numbers =
    tsr_unknowns_<Int, tsr_unknowns_before_(V, TSR_SOURCES)>;

/** Tables of gathers, in memory that the code reads. */
template <int N> struct tsr_tables {
    int64_t const *at[N];
};
template <> struct tsr_tables<0> {
};

/** The numbers of a descriptor of run time, taken on the host. Errors  those of tsr_variation_why(); OVERFLOW for
 *  one that Int does not hold; they are 0 then. */
template <class Int, int N>
TSR_INLINE tsr_reason tsr_take_numbers(tsr_unknowns_<Int, N> *to, tsr_variation const *vary,
                                       tsr_descriptor const *like, tsr_descriptor const *d)
{
    tsr_reason why = tsr_variation_why(vary, like, d);
    int n = 0;
    if constexpr (N > 0) {
        for (int i = 0; i < TSR_SOURCES; ++i) {
            int64_t const is = why.status || vary->multiple[i] == 0 ? 0 : tsr_graph_number_(&d->graph, vary, i).is;
            tsr_magic_division const m = tsr_make_magic_division(is);
            if (vary->multiple[i] == 0)
                continue;
            if (sizeof(Int) == 4 && (is > 0x7fffffff || is < -0x7fffffff))
                why = tsr_because(TSR_OVERFLOW, i, is, 0, 0);
            to->at[n].is = (Int)is;
            to->at[n].multiplier = m.multiplier;
            to->at[n++].shift = (uint32_t)m.shift;
        }
    }
    return why;
}

/* Values */

template <class Int> struct tsr_signed_;
template <> struct tsr_signed_<uint32_t> {
    typedef int32_t type;
};
template <> struct tsr_signed_<uint64_t> {
    typedef int64_t type;
};

/** The group size of a bound: groups begin at multiples of it, and each group is on one side of the bound. */
TSR_FN int64_t tsr_bound_group_(tsr_shift const &s, tsr_known end)
{
    int64_t const whole = tsr_gcd64(s.multiple, end.multiple != 0 ? end.multiple : end.is);
    return whole > 0 ? whole : 1;
}

/** Where an element is, in elements without the shift of its access, and whether it is. */
template <class Int> struct tsr_spot {
    Int offset;
    bool there;
};

/** A formula where it runs: V its variation, S the shifts of one access. Values are what they are without their shift;
 *  they wrap, and what is there comes out right. */
template <tsr_formula const &F, tsr_variation const &V, tsr_shifts const &S, class Int> struct tsr_run {
    typedef typename tsr_signed_<Int>::type Signed;
    typedef tsr_numbers<Int, V> Numbers;

    template <int64_t Is, int64_t Multiple, int Source> TSR_REF Int number_(Numbers const &n)
    {
        if constexpr (Multiple == 0)
            return (Int)Is;
        else
            return n.at[tsr_unknowns_before_(V, Source)].is;
    }
    template <int I> TSR_REF Int value_number(Numbers const &n)
    {
        constexpr tsr_known k = F.value[I].number;
        return number_<k.is, k.multiple, k.source>(n);
    }

    template <int P, int End> TSR_REF Int sum(Int const *at, Numbers const &n)
    {
        if constexpr (P == End) {
            return 0;
        } else {
            constexpr tsr_known k = F.part[P].number;
            constexpr int v = F.part[P].value;
            constexpr bool still = S.at[v].still;
            constexpr Int outside = k.multiple != 0 ? (Int)S.at[v].outside : 0; /* of a Y */
            Int const by = number_<k.is, k.multiple, k.source>(n);
            Int const rest = sum<P + 1, End>(at, n) + outside * by;
            if constexpr (still)
                return rest;
            else
                return rest + at[v] * by;
        }
    }

    template <int I> TSR_REF Int quotient(Int of, Numbers const &n)
    {
        constexpr tsr_known k = F.value[I].number;
        constexpr bool positive = F.value[F.value[I].of].least >= 0;
        Int const by = value_number<I>(n);
        if constexpr (k.multiple != 0 && positive && TSR_ON_GPU && sizeof(Int) == 4) {
            tsr_magic_division m = {};
            m.multiplier = n.at[tsr_unknowns_before_(V, k.source)].multiplier;
            m.shift = (int)n.at[tsr_unknowns_before_(V, k.source)].shift;
            return tsr_magic_divide(m, of);
        } else if constexpr (positive) {
            return of / by;
        } else {
            Signed const q = (Signed)of / (Signed)by;
            return (Int)((Int)q * by != of && (Signed)of < 0 ? q - 1 : q);
        }
    }

    /** A CPU has it from its division, if that is the same one. */
    template <int I> TSR_REF Int rest(Int of, Int quotient, Numbers const &n)
    {
        Int const by = value_number<I>(n);
        if constexpr (F.value[F.value[I].of].least >= 0 && !TSR_ON_GPU)
            return of % by;
        else
            return of - quotient * by;
    }

    /** Value I and all behind it. */
    template <int I, class Tables> TSR_REF void values(Int *at, Numbers const &n, Tables const &tables)
    {
        if constexpr (I < F.values) {
            constexpr tsr_value v = F.value[I];
            constexpr bool still = S.at[I].still;
            constexpr Int inside = (Int)S.at[I].inside, other = (Int)S.at[I].other;
            if constexpr (still)
                at[I] = 0;
            else if constexpr (v.kind == TSR_VALUE_SUM)
                at[I] = sum<v.first, v.first + v.parts>(at, n);
            else if constexpr (v.kind == TSR_VALUE_QUOTIENT)
                at[I] = quotient<I>(at[v.of] + inside, n);
            else if constexpr (v.kind == TSR_VALUE_REST)
                at[I] = rest<I>(at[v.of] + inside, at[v.other], n);
            else if constexpr (v.kind == TSR_VALUE_LOW)
                at[I] = (at[v.of] + inside) & (value_number<I>(n) - 1);
            else if constexpr (v.kind == TSR_VALUE_XOR)
                at[I] = (at[v.of] + inside) ^ ((at[v.other] + other) & (value_number<I>(n) - 1));
            else if constexpr (v.kind == TSR_VALUE_GATHER)
                at[I] = at[v.of] + inside < value_number<I>(n) ? (Int)tables.at[v.table][at[v.of] + inside] : 0;
            if constexpr (S.at[I].whole != 0)
                at[I] += (Int)S.at[I].whole;
            values<I + 1>(at, n, tables);
        }
    }

    /** Do the bounds from I on hold? */
    template <int I> TSR_REF bool there(Int const *at, Numbers const &n)
    {
        if constexpr (I == F.bounds) {
            return true;
        } else {
            constexpr tsr_bound b = F.bound[I];
            constexpr tsr_known k = b.end;
            constexpr int64_t whole = tsr_bound_group_(S.at[b.value], k), outside = S.at[b.value].outside;
            constexpr int64_t shift = outside - tsr_floor_mod(outside, whole);
            Int const rest = at[b.value], end = number_<k.is, k.multiple, k.source>(n);
            bool good = true;
            if constexpr (!b.right)
                good = (Signed)(rest + (Int)shift) >= 0;
            else if constexpr (b.left || k.multiple != 0)
                good = rest + (Int)shift < end;
            else
                good = shift < k.is && rest < (Int)(k.is - shift);
            return good & there<I + 1>(at, n);
        }
    }

    /** Of the inputs that `at` begins with. */
    template <class Tables> TSR_REF tsr_spot<Int> find(Int *at, Numbers const &n, Tables const &tables)
    {
        constexpr int offset = F.output[0];
        values<F.inputs>(at, n, tables);
        return {at[offset], there<0>(at, n)};
    }

    /** The element at a spot; Fixed where there is one shift only, so that its offset is not negative. */
    template <bool Fixed, class T> TSR_REF T *pointer(T *data, tsr_spot<Int> s)
    {
        constexpr tsr_shift shift = S.at[F.output[0]];
        if constexpr (shift.least >= 0 || (Fixed && shift.outside <= 0))
            return data + s.offset + shift.outside;
        else
            return data + (Signed)s.offset + shift.outside;
    }
};

/** What Y index number `At` of a thread, in the order of its buffer, does to a formula. */
template <tsr_formula const &F, tsr_encoding const &E, int At>
constexpr tsr_shifts tsr_shifts_of = tsr_formula_shifts(&F, E.ys, tsr_thread_buffer_index(&E, At).at);

/** A formula without Ys. */
template <tsr_formula const &F> constexpr tsr_shifts tsr_no_shifts = tsr_formula_shifts(&F, 0, tsr_index{}.at);

#endif

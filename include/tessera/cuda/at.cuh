/** Offsets of a layout that is a template argument. The compiler knows its numbers before it optimizes, so an offset
 *  costs it nothing. With tsr_at(L, i) each evaluation in an unrolled loop takes 50 ms to compile.
 *
 *      tsr_at<L>(i)          L(i)
 *      tsr_at<L>(i, j)       L(i, j), an integer a mode
 *
 *  Law     as of tsr_at of core/eval.h, for non-negative coordinates and offsets of 32 bits.
 */
#ifndef TSR_CUDA_AT_CUH
#define TSR_CUDA_AT_CUH

#include "tessera/core/eval.h"
#include "tessera/cuda/refused.cuh"
#include "tessera/cuda/words.cuh"

/** The modes of a layout as plain numbers: leaves first[i] to first[i + 1] - 1 are those of mode i. */
struct tsr_mode_numbers_ {
    int rank, leaves, first[TSR_MAX_LEAVES + 1];
    unsigned extent[TSR_MAX_LEAVES];
    int stride[TSR_MAX_LEAVES], offset;
    bool whole;  /* every number has 32 bits */
    bool coords; /* some stride is a basis element */
};

TSR_FN tsr_mode_numbers_ tsr_mode_numbers_of_(tsr_layout const &l)
{
    tsr_mode_numbers_ r{};
    r.whole = true;
    r.rank = tsr_mode_count(&l.shape);
    r.leaves = l.shape.leaves;
    r.offset = l.composed ? (int)tsr_leaf_value(l.offset) : 0;
    for (int i = 0, at = 0; i < r.rank; ++i) {
        r.first[i] = at;
        at += tsr_get_(&l.shape, i).leaves;
        r.first[i + 1] = at;
    }
    for (int k = 0; k < r.leaves; ++k) {
        r.extent[k] = (unsigned)tsr_leaf_extent(l.shape.leaf[k]);
        r.stride[k] = (int)l.stride.leaf[k].value;
        r.coords = r.coords || tsr_leaf_is_basis(l.stride.leaf[k]);
        r.whole = r.whole && (int64_t)r.extent[k] == (int64_t)tsr_leaf_extent(l.shape.leaf[k])
                  && r.stride[k] == l.stride.leaf[k].value;
    }
    return r;
}

/** What an index within leaves Begin to End - 1 adds. */
template <tsr_layout const &L, int Begin, int End> TSR_DEVICE int tsr_at_leaves_(unsigned rest)
{
    constexpr tsr_mode_numbers_ modes = tsr_mode_numbers_of_(L);
    int r = 0;
    TSR_UNROLL for (int k = Begin; k < End; ++k)
    {
        r += (int)(k + 1 == End ? rest : rest % modes.extent[k]) * modes.stride[k];
        rest = k + 1 == End ? 0 : rest / modes.extent[k];
    }
    return r;
}

template <tsr_layout const &L, int Mode> TSR_DEVICE int tsr_at_modes_(void) { return 0; }
template <tsr_layout const &L, int Mode, class... I> TSR_DEVICE int tsr_at_modes_(unsigned i, I... more)
{
    constexpr tsr_mode_numbers_ modes = tsr_mode_numbers_of_(L);
    return tsr_at_leaves_<L, modes.first[Mode], modes.first[Mode + 1]>(i) + tsr_at_modes_<L, Mode + 1>(more...);
}

template <tsr_layout const &L, class... I> TSR_DEVICE int tsr_at(int i, I... more)
{
    if constexpr (TSR_FINE(tsr_tuple_why(L.shape))) {
        constexpr tsr_mode_numbers_ modes = tsr_mode_numbers_of_(L);
        static_assert(modes.whole && !L.twice, "tsr_at: extents and strides of 32 bits, one swizzle");
        static_assert(!modes.coords, "tsr_at: a layout of coordinates gives no offsets");
        static_assert(sizeof...(I) == 0 || sizeof...(I) + 1 == modes.rank, "tsr_at: one index, or one for each mode");
        int r = modes.offset;
        if constexpr (sizeof...(I) == 0)
            r += tsr_at_leaves_<L, 0, modes.leaves>((unsigned)i);
        else
            r += tsr_at_modes_<L, 0>((unsigned)i, (unsigned)more...);
        constexpr tsr_swizzle swizzle = L.swizzle;
        if constexpr (L.composed)
            r = (int)tsr_swizzle_apply(swizzle, (uint64_t)(unsigned)r);
        return r;
    } else {
        return 0;
    }
}

#endif

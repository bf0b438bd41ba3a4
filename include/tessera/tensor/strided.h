/** Strided views: a pointer of C and the strides of a tensor, for loops. The tensor is checked once, when the view is
 *  made; then an element costs what `p[i * s + j * t]` costs, and is as unchecked.
 *
 *      typedef TSR_STRIDED(float, 2) matrix;          // T *data and two strides
 *      typedef TSR_STRIDED_UNIT(float, 2, 1) rows;    // mode 1 has stride 1, which is checked once and not read
 *      matrix a;
 *      tsr_reason const why = tsr_strided(&a, tensor);
 *      tsr_el(a, i, j) = 0;                           // in C++ also a(i, j)
 *
 *  A view is a small value: pass it as one. Its element type may be const, and then the tensor may be constant.
 *  `tsr_strided(&view, tensor, TSR_BF16)` takes elements that C has no name for (base/dtype.h) as variables of their
 *  size. `p[tsr_el_offset(a, i, j)]` is the element behind another pointer, such as a restrict-qualified one that is
 *  a.data.
 *
 *  A part of a view begins at an element: `tile.data += tsr_el_offset(tile, 64 * m, 32 * n)` makes a copy of a view the
 *  tile (m, n) of 64 x 32, for two additions in any compiler. tsr_local_tile, which checks, is a call in C.
 *
 *  Law     tsr_el(a, i, j) is the element (i, j) of the tensor; of a part that begins at (m, n) it is (m + i, n + j). A
 *          refused view is all zeros.
 *  Errors  VIEW_COMPUTED, ELEMENT_TYPE, CONSTANT, SWIZZLE_STRIDE, RANK; VIEW_MODE where a mode has no single stride, or
 *          the unit mode another one than 1; NULL_DATA, BASIS, NOT_READ, BOUNDS, MISALIGNED.
 */
#ifndef TSR_TENSOR_STRIDED_H
#define TSR_TENSOR_STRIDED_H

#include "tessera/tensor/pointer.h"

TSR_HEADER_BEGIN

/** The most modes of a view. */
#define TSR_VIEW_MODES 6

/** What a view asks of a tensor. `unit` is the mode of stride 1, TSR_VIEW_MODES for none. */
typedef struct tsr_view_form_ {
    tsr_dtype type;
    bool constant;
    uint8_t bytes, align, modes, unit;
} tsr_view_form_;

/** A view without its type. */
typedef struct tsr_view_any_ {
    void *data;
    int64_t stride[TSR_VIEW_MODES];
} tsr_view_any_;

/** Whether pointers of a form reach the elements of a tensor. */
TSR_API tsr_reason tsr_pointed_(tsr_tensor const *t, tsr_view_form_ const *form);

TSR_API tsr_reason tsr_strided_of_(tsr_tensor const *t, tsr_view_form_ const *form, tsr_view_any_ *view);

TSR_EVAL tsr_view_form_ tsr_view_form_of_(int type, bool constant, size_t bytes, size_t align, size_t modes, int unit)
{
    tsr_view_form_ r = TSR_ZERO;
    r.type = (tsr_dtype)type;
    r.constant = constant;
    r.bytes = (uint8_t)(bytes < 255 ? bytes : 255);
    r.align = (uint8_t)(align < 128 ? align : 128);
    r.modes = (uint8_t)modes;
    r.unit = (uint8_t)unit;
    return r;
}

/** Fills a view of `bytes` bytes. It is copied there, for a view whose address is known elsewhere stays in memory. */
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_strided_into_(void *view, size_t bytes, tsr_tensor const *t,
                                                        tsr_view_form_ form)
{
    tsr_view_any_ any = TSR_ZERO;
    tsr_reason const why = tsr_strided_of_(t, &form, &any);
    TSR_COPY(view, &any, bytes);
    return why;
}

#define tsr_el(view, ...) ((view).data[tsr_el_offset(view, __VA_ARGS__)])

#ifdef __cplusplus

template <class Element, int Rank, int Unit = TSR_VIEW_MODES> struct tsr_strided_view {
    static_assert(Rank >= 1 && Rank <= TSR_VIEW_MODES, "a strided view has 1 to 6 modes");
    static_assert(Unit < Rank || Unit == TSR_VIEW_MODES, "the unit mode is one of the view's");
    Element *data;
    int64_t stride[static_cast<size_t>(Rank)];

    template <class... Index> TSR_MEMBER constexpr int64_t offset(Index... i) const
    {
        static_assert(sizeof...(Index) == Rank, "tsr_el: one index for each mode of the view");
        int64_t r = 0;
        int k = 0;
        ((r += static_cast<int64_t>(i) * (k == Unit ? 1 : stride[k]), ++k), ...);
        return r;
    }
    template <class... Index> TSR_MEMBER constexpr Element &operator()(Index... i) const
    {
        return data[offset(i...)];
    }
};

template <class Element, int Rank, int Unit>
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_strided(tsr_strided_view<Element, Rank, Unit> *view, tsr_tensor const &t,
                                                  int type = tsr_c_type_<Element>::type)
{
    return tsr_strided_into_(
        view, sizeof *view, &t,
        tsr_view_form_of_(type, tsr_c_type_<Element>::constant != 0, sizeof(Element), alignof(Element), Rank, Unit));
}

#  define TSR_STRIDED(Element, rank) tsr_strided_view<Element, rank>
#  define TSR_STRIDED_UNIT(Element, rank, unit) tsr_strided_view<Element, rank, unit>
#  define tsr_el_offset(view, ...) ((view).offset(__VA_ARGS__))

#else

/* A stride is a number in a struct, whose type names the unit mode. */
/* clang-format off */
#  define TSR_UNIT_LIST_(X) X(0) X(1) X(2) X(3) X(4) X(5)
#  define TSR_X_(unit) typedef struct tsr_steps_##unit##_ { int64_t step; } tsr_steps_##unit##_;
TSR_UNIT_LIST_(TSR_X_)
TSR_X_(6)
#  undef TSR_X_
#  define TSR_STRIDED(Element, rank) TSR_STRIDED_(Element, rank, 6)
#  define TSR_STRIDED_UNIT(Element, rank, unit) TSR_STRIDED_(Element, rank, unit)
#  define TSR_STRIDED_(Element, rank, unit)                                                                        \
    struct {                                                                                                 \
        Element *data;                                                                                             \
        tsr_steps_##unit##_ stride[rank];                                                                    \
        _Static_assert((rank) >= 1 && (rank) <= TSR_VIEW_MODES, "a strided view has 1 to 6 modes");          \
        _Static_assert((unit) < (rank) || (unit) == TSR_VIEW_MODES, "the unit mode is one of the view's");   \
    }
#  define TSR_VIEW_RANK_OF_(view) (sizeof(view).stride / sizeof *(view).stride)
#  define TSR_VIEW_STEPS_(unit) tsr_steps_##unit##_: unit,
#  define TSR_VIEW_UNIT_(view) _Generic(*(view).stride, TSR_UNIT_LIST_(TSR_VIEW_STEPS_) tsr_steps_6_: 6)

/* Is p a pointer to const? With a pointer to void it makes one that is, too. */
#  define TSR_VIEW_CONSTANT_(p) _Generic(1 ? (p) : (void *)(uintptr_t)(p), void const *: true, default: false)

#  define tsr_strided(...) TSR_CAT(TSR_STRIDED_AS_, TSR_NARG(__VA_ARGS__))(__VA_ARGS__)
#  define TSR_STRIDED_AS_2(view, t) TSR_STRIDED_AS_3(view, t, TSR_C_TYPE_OF((view)->data))
#  define TSR_STRIDED_AS_3(view, t, type)                                                                    \
    tsr_strided_into_(view, sizeof *(view), TSR_AT(t),                                                       \
                      tsr_view_form_of_(type, TSR_VIEW_CONSTANT_((view)->data), sizeof *(view)->data,        \
                                        TSR_ALIGN_OF_(*(view)->data), TSR_VIEW_RANK_OF_(*(view)),            \
                                        TSR_VIEW_UNIT_(*(view))))
#  if defined(__GNUC__)
#    define TSR_ALIGN_OF_(x) __alignof__(x)
#  else
#    define TSR_ALIGN_OF_(x) 1
#  endif

#  define tsr_el_offset(view, ...)                                                                           \
    (TSR_VIEW_RANKED_(view, TSR_NARG(__VA_ARGS__)) + TSR_CAT(TSR_EL_, TSR_NARG(__VA_ARGS__))(view, __VA_ARGS__))
#  define TSR_VIEW_RANKED_(view, n)                                                                          \
    (0 * (int64_t)sizeof(struct {                                                                            \
        _Static_assert(TSR_VIEW_RANK_OF_(view) == n, "tsr_el: one index for each mode of the view");         \
        int one;                                                                                             \
    }))
#  define TSR_EL_AT_(view, k, i) (int64_t)(i) * (TSR_VIEW_UNIT_(view) == k ? 1 : (view).stride[k].step)
#  define TSR_EL_1(v, i) TSR_EL_AT_(v, 0, i)
#  define TSR_EL_2(v, i, j) TSR_EL_1(v, i) + TSR_EL_AT_(v, 1, j)
#  define TSR_EL_3(v, i, j, k) TSR_EL_2(v, i, j) + TSR_EL_AT_(v, 2, k)
#  define TSR_EL_4(v, i, j, k, l) TSR_EL_3(v, i, j, k) + TSR_EL_AT_(v, 3, l)
#  define TSR_EL_5(v, i, j, k, l, m) TSR_EL_4(v, i, j, k, l) + TSR_EL_AT_(v, 4, m)
#  define TSR_EL_6(v, i, j, k, l, m, n) TSR_EL_5(v, i, j, k, l, m) + TSR_EL_AT_(v, 5, n)
/* clang-format on */

#endif

TSR_HEADER_END

#endif

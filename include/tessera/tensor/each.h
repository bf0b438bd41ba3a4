/** Each: the elements of a tensor of any layout one after the other, as pointers of C, in the order of the 1-D
 *  coordinate. Swizzles and nested modes cost a step no more than strides do.
 *
 *      TSR_EACH_OF(float) x;
 *      tsr_addresses ahead;
 *      tsr_reason const why = tsr_each(&x, &ahead, tensor);
 *      for (; x.at; tsr_next(x))
 *          sum += *x.at;
 *
 *  The addresses of the next elements are computed up to 64 at a time, into `ahead`, which stays where it is as long as
 *  x is used. So x is three words, which the compiler keeps in registers.
 *
 *  Law     the i-th *x.at is the element i of the tensor; after the last one, and where it is refused, x.at is null.
 *  Errors  VIEW_COMPUTED, ELEMENT_TYPE, CONSTANT; NULL_DATA, BASIS, NOT_READ, BOUNDS, MISALIGNED, SWIZZLE_ELEMENT.
 */
#ifndef TSR_TENSOR_EACH_H
#define TSR_TENSOR_EACH_H

#include "tessera/tensor/strided.h"

TSR_HEADER_BEGIN

/** The most elements whose addresses are computed together. */
#define TSR_AHEAD 64

/** The addresses of the elements of a block, then 0. A block is all of the modes below `mode`, `below` elements, and
 *  `steps` steps of that one. */
typedef struct tsr_addresses {
    uint64_t address[TSR_AHEAD + 1];
    uint64_t block[TSR_AHEAD];  /* offsets from the first element of a block on, before the swizzles */
    tsr_walk walk;              /* at the first element of the next block */
    int64_t below, steps, left; /* left: the elements of the blocks that come */
    int mode, shift;            /* an element has 1 << shift bytes */
    uint64_t base;              /* the address of offset 0 */
    tsr_swizzle swizzle;        /* of addresses */
} tsr_addresses;

TSR_API tsr_reason tsr_each_of_(tsr_addresses *ahead, tsr_tensor const *t, tsr_view_form_ const *form);

/** The addresses of the next block; the 0 behind the last element where there is none. */
TSR_API uint64_t const *tsr_each_block_(tsr_addresses *ahead);

/** A TSR_EACH_OF without its type. */
typedef struct tsr_each_any_ {
    void *at;
    uint64_t const *next; /* where the address of `at` is */
    tsr_addresses *ahead;
} tsr_each_any_;

/** Fills a TSR_EACH_OF of `bytes` bytes, by a copy as that of tsr_strided_into_. */
TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_each_into_(void *x, size_t bytes, tsr_addresses *ahead, tsr_tensor const *t,
                                                     tsr_view_form_ form)
{
    tsr_reason const why = tsr_each_of_(ahead, t, &form);
    tsr_each_any_ any = TSR_ZERO;
    any.next = ahead->address;
    any.at = (void *)(uintptr_t)ahead->address[0];
    any.ahead = ahead;
    TSR_COPY(x, &any, bytes);
    return why;
}

#ifdef __cplusplus

template <class Element> struct tsr_each_view {
    Element *at;
    uint64_t const *next;
    tsr_addresses *ahead;

    /** To the next element. */
    TSR_HOST_MEMBER void step()
    {
        if (*++next == 0)
            next = tsr_each_block_(ahead);
        at = (Element *)(uintptr_t)*next;
    }
};

template <class Element> TSR_HOST_REF TSR_NODISCARD tsr_reason tsr_each(tsr_each_view<Element> *x,
                                                                        tsr_addresses *ahead, tsr_tensor const &t,
                                                                        int type = tsr_c_type_<Element>::type)
{
    return tsr_each_into_(
        x, sizeof *x, ahead, &t,
        tsr_view_form_of_(type, tsr_c_type_<Element>::constant != 0, sizeof(Element), alignof(Element), 0, 0));
}

#  define TSR_EACH_OF(Element) tsr_each_view<Element>
#  define tsr_next(x) ((x).step())

#else

/* clang-format off */
#  define TSR_EACH_OF(Element) \
    struct {                   \
        Element *at;           \
        uint64_t const *next;  \
        tsr_addresses *ahead;  \
    }
#  define tsr_next(x)                                                                                        \
    ((void)(*++(x).next != 0 ? (x).next : ((x).next = tsr_each_block_((x).ahead))),                          \
     (void)((x).at = (void *)(uintptr_t)*(x).next))
#  define tsr_each(...) TSR_CAT(TSR_EACH_AS_, TSR_NARG(__VA_ARGS__))(__VA_ARGS__)
#  define TSR_EACH_AS_3(x, ahead, t) TSR_EACH_AS_4(x, ahead, t, TSR_C_TYPE_OF((x)->at))
#  define TSR_EACH_AS_4(x, ahead, t, type)                                                                   \
    tsr_each_into_(x, sizeof *(x), ahead, TSR_AT(t),                                                         \
                   tsr_view_form_of_(type, TSR_VIEW_CONSTANT_((x)->at), sizeof *(x)->at,                     \
                                     TSR_ALIGN_OF_(*(x)->at), 0, 0))
/* clang-format on */

#endif

TSR_HEADER_END

#endif

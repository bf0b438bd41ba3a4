/** Shapes and strides as lists of numbers for the preprocessor: (4,8), ((2,2),8). From them the compiler knows how many
 *  elements a layout needs, as a constant that a size of an array may be.
 *
 *      TSR_COSIZE(shape)             the elements of a compact layout
 *      TSR_COSIZE(shape, stride)     one more than its greatest offset; a negative stride does not compile. The stride
 *                                    may be tsr_left() or tsr_right()
 *      TSR_LIST(shape)               the list as static numbers: tsr_t(_4, _8)
 *
 *  Limits   Six modes a list; lists in a list, and none in these. The numbers are constants of C, not `_4`.
 *  Example  TSR_COSIZE((4, 8), (8, 1))  is  32
 *  Example  TSR_COSIZE(((2, 2), 8), ((1, 16), 2))  is  32
 *  Example  TSR_COSIZE((4, 8), tsr_right())  is  32
 *  Example  TSR_LIST(((2, 2), 8))  is  ((_2,_2),_8)
 */
#ifndef TSR_TENSOR_LISTS_H
#define TSR_TENSOR_LISTS_H

#include "tessera/core/tuple.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_LIST(x) TSR_LIST_A(x)
#define TSR_COSIZE(...) TSR_JOIN_(TSR_COSIZE_, TSR_NARG(__VA_ARGS__))(__VA_ARGS__)
#define TSR_COSIZE_1(s) TSR_SIZE_A(s)
#define TSR_COSIZE_2(s, d) TSR_JOIN_(TSR_COSIZE_2_, TSR_ARE_LISTS_(s, d))(s, d)
#define TSR_COSIZE_2_00(s, d) (1 + TSR_SPAN_A(s, d))
#define TSR_COSIZE_2_11(s, d) (1 + TSR_SPAN_A(s, d))
#define TSR_COSIZE_2_10(s, d) (TSR_SIZE_A(s) * TSR_ORDER_##d)
#define TSR_ORDER_tsr_left() 1
#define TSR_ORDER_tsr_right() 1

#define TSR_JOIN_(a, b) TSR_JOINED_(a, b)
#define TSR_JOINED_(a, b) a##b
#define TSR_ARE_LISTS_(s, d) TSR_JOIN_(TSR_IS_LIST(s), TSR_IS_LIST(d))
#define TSR_COUNTED_(...) TSR_NARG(__VA_ARGS__)
#define TSR_PLAIN_(...) __VA_ARGS__

/* A number of a list. A negative stride makes the size of an array negative. */
#define TSR_LIST_OF_(s) tsr_s(s)
#define TSR_SIZE_OF_(s) (s)
#define TSR_SPAN_OF_(s, d) ((d) < 0 ? -(1 << 30) : ((s) - 1) * (d))

/* A list, A, and a list in it, B: the preprocessor expands no macro inside itself. */
#define TSR_LIST_A(x) TSR_JOIN_(TSR_LIST_A_, TSR_IS_LIST(x))(x)
#define TSR_LIST_A_0(x) TSR_LIST_OF_(x)
#define TSR_LIST_A_1(x) TSR_JOIN_(TSR_LIST_A, TSR_COUNTED_ x) x
#define TSR_LIST_A1(a) tsr_t(TSR_LIST_B(a))
#define TSR_LIST_A2(a, b) tsr_t(TSR_LIST_B(a), TSR_LIST_B(b))
#define TSR_LIST_A3(a, b, c) tsr_t(TSR_LIST_B(a), TSR_LIST_B(b), TSR_LIST_B(c))
#define TSR_LIST_A4(a, b, c, d) tsr_t(TSR_LIST_B(a), TSR_LIST_B(b), TSR_LIST_B(c), TSR_LIST_B(d))
#define TSR_LIST_A5(a, b, c, d, e) tsr_t(TSR_LIST_B(a), TSR_LIST_B(b), TSR_LIST_B(c), TSR_LIST_B(d), TSR_LIST_B(e))
#define TSR_LIST_A6(a, b, c, d, e, f) \
    tsr_t(TSR_LIST_B(a), TSR_LIST_B(b), TSR_LIST_B(c), TSR_LIST_B(d), TSR_LIST_B(e), TSR_LIST_B(f))
#define TSR_SIZE_A(x) TSR_JOIN_(TSR_SIZE_A_, TSR_IS_LIST(x))(x)
#define TSR_SIZE_A_0(x) TSR_SIZE_OF_(x)
#define TSR_SIZE_A_1(x) TSR_JOIN_(TSR_SIZE_A, TSR_COUNTED_ x) x
#define TSR_SIZE_A1(a) (TSR_SIZE_B(a))
#define TSR_SIZE_A2(a, b) (TSR_SIZE_B(a) * TSR_SIZE_B(b))
#define TSR_SIZE_A3(a, b, c) (TSR_SIZE_B(a) * TSR_SIZE_B(b) * TSR_SIZE_B(c))
#define TSR_SIZE_A4(a, b, c, d) (TSR_SIZE_B(a) * TSR_SIZE_B(b) * TSR_SIZE_B(c) * TSR_SIZE_B(d))
#define TSR_SIZE_A5(a, b, c, d, e) (TSR_SIZE_B(a) * TSR_SIZE_B(b) * TSR_SIZE_B(c) * TSR_SIZE_B(d) * TSR_SIZE_B(e))
#define TSR_SIZE_A6(a, b, c, d, e, f) \
    (TSR_SIZE_B(a) * TSR_SIZE_B(b) * TSR_SIZE_B(c) * TSR_SIZE_B(d) * TSR_SIZE_B(e) * TSR_SIZE_B(f))
#define TSR_SPAN_A(s, d) TSR_JOIN_(TSR_SPAN_A_, TSR_IS_LIST(s))(s, d)
#define TSR_SPAN_A_0(s, d) TSR_SPAN_OF_(s, d)
#define TSR_SPAN_A_1(s, d) TSR_SPAN_A_N(TSR_JOIN_(TSR_SPAN_A, TSR_COUNTED_ s), TSR_PLAIN_ s, TSR_PLAIN_ d)
#define TSR_SPAN_A_N(name, ...) name(__VA_ARGS__)
#define TSR_SPAN_A1(a, ad) (TSR_SPAN_B(a, ad))
#define TSR_SPAN_A2(a, b, ad, bd) (TSR_SPAN_B(a, ad) + TSR_SPAN_B(b, bd))
#define TSR_SPAN_A3(a, b, c, ad, bd, cd) (TSR_SPAN_B(a, ad) + TSR_SPAN_B(b, bd) + TSR_SPAN_B(c, cd))
#define TSR_SPAN_A4(a, b, c, d, ad, bd, cd, dd) \
    (TSR_SPAN_B(a, ad) + TSR_SPAN_B(b, bd) + TSR_SPAN_B(c, cd) + TSR_SPAN_B(d, dd))
#define TSR_SPAN_A5(a, b, c, d, e, ad, bd, cd, dd, ed) \
    (TSR_SPAN_B(a, ad) + TSR_SPAN_B(b, bd) + TSR_SPAN_B(c, cd) + TSR_SPAN_B(d, dd) + TSR_SPAN_B(e, ed))
#define TSR_SPAN_A6(a, b, c, d, e, f, ad, bd, cd, dd, ed, fd) \
    (TSR_SPAN_B(a, ad) + TSR_SPAN_B(b, bd) + TSR_SPAN_B(c, cd) + TSR_SPAN_B(d, dd) + TSR_SPAN_B(e, ed) + \
        TSR_SPAN_B(f, fd))

#define TSR_LIST_B(x) TSR_JOIN_(TSR_LIST_B_, TSR_IS_LIST(x))(x)
#define TSR_LIST_B_0(x) TSR_LIST_OF_(x)
#define TSR_LIST_B_1(x) TSR_JOIN_(TSR_LIST_B, TSR_COUNTED_ x) x
#define TSR_LIST_B1(a) tsr_t(TSR_LIST_OF_(a))
#define TSR_LIST_B2(a, b) tsr_t(TSR_LIST_OF_(a), TSR_LIST_OF_(b))
#define TSR_LIST_B3(a, b, c) tsr_t(TSR_LIST_OF_(a), TSR_LIST_OF_(b), TSR_LIST_OF_(c))
#define TSR_LIST_B4(a, b, c, d) tsr_t(TSR_LIST_OF_(a), TSR_LIST_OF_(b), TSR_LIST_OF_(c), TSR_LIST_OF_(d))
#define TSR_LIST_B5(a, b, c, d, e) \
    tsr_t(TSR_LIST_OF_(a), TSR_LIST_OF_(b), TSR_LIST_OF_(c), TSR_LIST_OF_(d), TSR_LIST_OF_(e))
#define TSR_LIST_B6(a, b, c, d, e, f) \
    tsr_t(TSR_LIST_OF_(a), TSR_LIST_OF_(b), TSR_LIST_OF_(c), TSR_LIST_OF_(d), TSR_LIST_OF_(e), TSR_LIST_OF_(f))
#define TSR_SIZE_B(x) TSR_JOIN_(TSR_SIZE_B_, TSR_IS_LIST(x))(x)
#define TSR_SIZE_B_0(x) TSR_SIZE_OF_(x)
#define TSR_SIZE_B_1(x) TSR_JOIN_(TSR_SIZE_B, TSR_COUNTED_ x) x
#define TSR_SIZE_B1(a) (TSR_SIZE_OF_(a))
#define TSR_SIZE_B2(a, b) (TSR_SIZE_OF_(a) * TSR_SIZE_OF_(b))
#define TSR_SIZE_B3(a, b, c) (TSR_SIZE_OF_(a) * TSR_SIZE_OF_(b) * TSR_SIZE_OF_(c))
#define TSR_SIZE_B4(a, b, c, d) (TSR_SIZE_OF_(a) * TSR_SIZE_OF_(b) * TSR_SIZE_OF_(c) * TSR_SIZE_OF_(d))
#define TSR_SIZE_B5(a, b, c, d, e) \
    (TSR_SIZE_OF_(a) * TSR_SIZE_OF_(b) * TSR_SIZE_OF_(c) * TSR_SIZE_OF_(d) * TSR_SIZE_OF_(e))
#define TSR_SIZE_B6(a, b, c, d, e, f) \
    (TSR_SIZE_OF_(a) * TSR_SIZE_OF_(b) * TSR_SIZE_OF_(c) * TSR_SIZE_OF_(d) * TSR_SIZE_OF_(e) * TSR_SIZE_OF_(f))
#define TSR_SPAN_B(s, d) TSR_JOIN_(TSR_SPAN_B_, TSR_IS_LIST(s))(s, d)
#define TSR_SPAN_B_0(s, d) TSR_SPAN_OF_(s, d)
#define TSR_SPAN_B_1(s, d) TSR_SPAN_B_N(TSR_JOIN_(TSR_SPAN_B, TSR_COUNTED_ s), TSR_PLAIN_ s, TSR_PLAIN_ d)
#define TSR_SPAN_B_N(name, ...) name(__VA_ARGS__)
#define TSR_SPAN_B1(a, ad) (TSR_SPAN_OF_(a, ad))
#define TSR_SPAN_B2(a, b, ad, bd) (TSR_SPAN_OF_(a, ad) + TSR_SPAN_OF_(b, bd))
#define TSR_SPAN_B3(a, b, c, ad, bd, cd) (TSR_SPAN_OF_(a, ad) + TSR_SPAN_OF_(b, bd) + TSR_SPAN_OF_(c, cd))
#define TSR_SPAN_B4(a, b, c, d, ad, bd, cd, dd) \
    (TSR_SPAN_OF_(a, ad) + TSR_SPAN_OF_(b, bd) + TSR_SPAN_OF_(c, cd) + TSR_SPAN_OF_(d, dd))
#define TSR_SPAN_B5(a, b, c, d, e, ad, bd, cd, dd, ed) \
    (TSR_SPAN_OF_(a, ad) + TSR_SPAN_OF_(b, bd) + TSR_SPAN_OF_(c, cd) + TSR_SPAN_OF_(d, dd) + TSR_SPAN_OF_(e, ed))
#define TSR_SPAN_B6(a, b, c, d, e, f, ad, bd, cd, dd, ed, fd) \
    (TSR_SPAN_OF_(a, ad) + TSR_SPAN_OF_(b, bd) + TSR_SPAN_OF_(c, cd) + TSR_SPAN_OF_(d, dd) + TSR_SPAN_OF_(e, ed) + \
        TSR_SPAN_OF_(f, fd))

/* clang-format on */

TSR_HEADER_END

#endif

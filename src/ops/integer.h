/** Rows of integers and partly static bits. The kinds are explained in ops.h. */
#ifndef TSR_SRC_OPS_INTEGER_H
#define TSR_SRC_OPS_INTEGER_H

#include "tessera/core/integer.h"
#include "tessera/core/query.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_OPS_INTEGER(X, A) \
    X(iadd, add, T, (T, T), "a + b, of integers, basis elements or coordinates", \
      "iadd(7, _3)", "10") \
    X(isub, isub, T, (T, T), "a - b, of integers, basis elements or coordinates", \
      "isub(_12, _4)", "_8") \
    X(imul, imul, T, (T, T), "a * b", \
      "imul(_12, _4)", "_48") \
    X(idiv, idiv, T, (T, T), "a / b, rounded toward zero", \
      "idiv(7, _-3)", "-2") \
    X(imod, imod, T, (T, T), "a % b, with the sign of a", \
      "imod(_21, _8)", "_5") \
    X(iand, iand, T, (T, T), "a & b, of integers or partly static bits", \
      "iand(_7, 3)", "3") \
    X(ior, ior, T, (T, T), "a | b, of integers or partly static bits", \
      "ior(_12, 4)", "12") \
    X(ixor, ixor, T, (T, T), "a ^ b, of integers or partly static bits", \
      "ixor(12, _4)", "8") \
    X(ishl, ishl, T, (T, T), "a << b", \
      "ishl(_1, 5)", "32") \
    X(ishr, ishr, T, (T, T), "a >> b", \
      "ishr(16, 1)", "8") \
    X(ilt, ilt, T, (T, T), "a < b", \
      "ilt(1, _5)", "1") \
    X(ile, ile, T, (T, T), "a <= b", \
      "ile(8, _8)", "1") \
    X(igt, igt, T, (T, T), "a > b", \
      "igt(_12, _4)", "_1") \
    X(ige, ige, T, (T, T), "a >= b", \
      "ige(5, 0)", "1") \
    X(ieq, ieq, T, (T, T), "a == b", \
      "ieq(2, 2)", "1") \
    X(ine, ine, T, (T, T), "a != b", \
      "ine(12, _4)", "1") \
    X(land, land, T, (T, T), "a and b", \
      "land(_0, 5)", "_0") \
    X(lor, lor, T, (T, T), "a or b", \
      "lor(_1, 5)", "_1") \
    X(ineg, ineg, T, (T), "-a, of a coordinate leaf by leaf", \
      "ineg(7)", "-7", "number:") \
    X(inot, inot, T, (T), "1 for 0, else 0", \
      "inot(_7)", "_0", "number:") \
    X(abs, abs, T, (T), "the absolute value", \
      "abs(_-3)", "_3", "number:") \
    X(signum, signum, T, (T), "-1, 0 or 1", \
      "signum(-7)", "-1", "number:") \
    X(lcm, lcm, T, (T, T), "the least common multiple", \
      "lcm(_20, _24)", "_120") \
    X(safe_div, safe_div, T, (T, T), "a / b, exact where both are static", \
      "safe_div(20, _5)", "4") \
    X(shiftl, shiftl, T, (T, T), "a << b, for negative b the other direction", \
      "shiftl(22, 1)", "44") \
    X(shiftr, shiftr, T, (T, T), "a >> b, for negative b the other direction", \
      "shiftr(_20, _3)", "_2") \
    X(make_mixed_bits, make_mixed_bits, T, (T, T, T), "s | (d & f): bits s static, bits d under f dynamic", \
      "make_mixed_bits(_8, 9, _39)", "M_8|(1&39)=9", "static: dynamic: flags:") \
    X(to_mixed_bits, to_mixed_bits, T, (T, T, T), "the bits of a coordinate, static or not (shape, stride, coord)", \
      "to_mixed_bits((_8,_8), (_1,_8), (3,_2))", "M_16|(3&7)=19", "shape: stride: coord:") \
    X(assume, assume, T, (T, T), "the integer a, refused where b does not divide it", \
      "assume(96, 8)", "96", "number: divisor:")
/* clang-format on */

TSR_HEADER_END

#endif

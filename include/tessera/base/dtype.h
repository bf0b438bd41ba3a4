/** Element types: DLPack's code and the number of bits, in one number, `code * 256 + bits`.
 *
 *  A plain number of bits is the type of signed integers of that size. The codes from 128 on are not DLPack's: such a
 *  type leaves as what DLPack has for its storage (tf32 as f32, ue4m3 as f8_e4m3fn).
 *
 *  Source  DLPack 1.1, DLDataTypeCode; the OCP 8-bit and microscaling formats; CUTLASS, numeric_types.h.
 */
#ifndef TSR_BASE_DTYPE_H
#define TSR_BASE_DTYPE_H

#include "tessera/base/config.h"

TSR_HEADER_BEGIN

/** What the patterns of a floating-point type stand for that are not finite numbers.
 *
 *      IEEE      the largest exponent: infinity for mantissa 0, else NaN
 *      ONE_NAN   exponent and mantissa all ones: NaN; there is no infinity
 *      ZERO_NAN  the pattern of -0: NaN; there is no infinity and no -0
 *      FINITE    every pattern is a number
 *      SCALE     a power of two without sign, mantissa and zero; all ones: NaN
 */
typedef enum tsr_special { TSR_NO_FLOAT, TSR_IEEE, TSR_ONE_NAN, TSR_ZERO_NAN, TSR_FINITE, TSR_SCALE } tsr_special;

/* clang-format off */
/** X(id, code, bits, exponent bits, mantissa bits, bias, special, name, NumPy's, safetensors'). A format of fewer
 *  bits than its type is in the highest ones (tf32), an unsigned one has a sign that is 0 (ue4m3). */
#define TSR_DTYPE_LIST(X) \
    X(BOOL,              6,   8,  0,  0,    0, NO_FLOAT, "bool", "|b1", "BOOL") \
    X(I2,                0,   2,  0,  0,    0, NO_FLOAT, "i2", "", "") \
    X(I4,                0,   4,  0,  0,    0, NO_FLOAT, "i4", "", "") \
    X(I6,                0,   6,  0,  0,    0, NO_FLOAT, "i6", "", "") \
    X(I8,                0,   8,  0,  0,    0, NO_FLOAT, "i8", "|i1", "I8") \
    X(I16,               0,  16,  0,  0,    0, NO_FLOAT, "i16", "<i2", "I16") \
    X(I32,               0,  32,  0,  0,    0, NO_FLOAT, "i32", "<i4", "I32") \
    X(I64,               0,  64,  0,  0,    0, NO_FLOAT, "i64", "<i8", "I64") \
    X(U1,                1,   1,  0,  0,    0, NO_FLOAT, "u1", "", "") \
    X(U2,                1,   2,  0,  0,    0, NO_FLOAT, "u2", "", "") \
    X(U4,                1,   4,  0,  0,    0, NO_FLOAT, "u4", "", "") \
    X(U6,                1,   6,  0,  0,    0, NO_FLOAT, "u6", "", "") \
    X(U8,                1,   8,  0,  0,    0, NO_FLOAT, "u8", "|u1", "U8") \
    X(U16,               1,  16,  0,  0,    0, NO_FLOAT, "u16", "<u2", "U16") \
    X(U32,               1,  32,  0,  0,    0, NO_FLOAT, "u32", "<u4", "U32") \
    X(U64,               1,  64,  0,  0,    0, NO_FLOAT, "u64", "<u8", "U64") \
    X(U128,              1, 128,  0,  0,    0, NO_FLOAT, "u128", "", "") \
    X(F16,               2,  16,  5, 10,   15, IEEE,     "f16", "<f2", "F16") \
    X(F32,               2,  32,  8, 23,  127, IEEE,     "f32", "<f4", "F32") \
    X(F64,               2,  64, 11, 52, 1023, IEEE,     "f64", "<f8", "F64") \
    X(BF16,              4,  16,  8,  7,  127, IEEE,     "bf16", "<V2", "BF16") \
    X(C64,               5,  64,  8, 23,  127, IEEE,     "c64", "<c8", "C64") \
    X(C128,              5, 128, 11, 52, 1023, IEEE,     "c128", "<c16", "") \
    X(F8_E3M4,           7,   8,  3,  4,    3, IEEE,     "f8_e3m4", "", "") \
    X(F8_E4M3,           8,   8,  4,  3,    7, IEEE,     "f8_e4m3", "", "") \
    X(F8_E4M3B11FNUZ,    9,   8,  4,  3,   11, ZERO_NAN, "f8_e4m3b11fnuz", "", "") \
    X(F8_E4M3FN,        10,   8,  4,  3,    7, ONE_NAN,  "f8_e4m3fn", "", "F8_E4M3") \
    X(F8_E4M3FNUZ,      11,   8,  4,  3,    8, ZERO_NAN, "f8_e4m3fnuz", "", "F8_E4M3FNUZ") \
    X(F8_E5M2,          12,   8,  5,  2,   15, IEEE,     "f8_e5m2", "", "F8_E5M2") \
    X(F8_E5M2FNUZ,      13,   8,  5,  2,   16, ZERO_NAN, "f8_e5m2fnuz", "", "F8_E5M2FNUZ") \
    X(F8_E8M0,          14,   8,  8,  0,  127, SCALE,    "f8_e8m0fnu", "", "F8_E8M0") \
    X(F6_E2M3,          15,   6,  2,  3,    1, FINITE,   "f6_e2m3fn", "", "F6_E2M3") \
    X(F6_E3M2,          16,   6,  3,  2,    3, FINITE,   "f6_e3m2fn", "", "F6_E3M2") \
    X(F4_E2M1,          17,   4,  2,  1,    1, FINITE,   "f4_e2m1fn", "", "F4") \
    X(TF32,            128,  32,  8, 10,  127, IEEE,     "tf32", "", "") \
    X(UE4M3,           129,   8,  4,  3,    7, ONE_NAN,  "ue4m3", "", "")

/** X(type, id): the names in CuTe, then those in NumPy, ml_dtypes and PyTorch. A type is printed by the first of its
 *  names. */
#define TSR_DTYPE_NAME_LIST(X) \
    X(bool, BOOL) X(char, I8) X(int, I32) X(float, F32) X(double, F64) \
    X(int8_t, I8) X(int16_t, I16) X(int32_t, I32) X(int64_t, I64) \
    X(uint8_t, U8) X(uint16_t, U16) X(uint32_t, U32) X(uint64_t, U64) X(uint128_t, U128) \
    X(half_t, F16) X(bfloat16_t, BF16) X(tfloat32_t, TF32) X(float_e4m3_t, F8_E4M3FN) X(float_e5m2_t, F8_E5M2) \
    X(float_ue8m0_t, F8_E8M0) X(float_ue4m3_t, UE4M3) \
    X(bin1_t, U1) X(uint1b_t, U1) X(int2b_t, I2) X(uint2b_t, U2) X(int4b_t, I4) X(uint4b_t, U4) X(int4_t, I4) \
    X(uint4_t, U4) X(float_e2m1_t, F4_E2M1) X(float_e2m3_t, F6_E2M3) X(float_e3m2_t, F6_E3M2) X(uint6b_t, U6) \
    X(int6b_t, I6) \
    X(half, F16) X(float16, F16) X(float32, F32) X(float64, F64) X(bfloat16, BF16) X(complex64, C64) \
    X(complex128, C128) X(int2, I2) X(int4, I4) X(int8, I8) X(int16, I16) X(int32, I32) X(int64, I64) X(uint1, U1) \
    X(uint2, U2) X(uint4, U4) X(uint8, U8) X(uint16, U16) X(uint32, U32) X(uint64, U64) X(float8_e3m4, F8_E3M4) \
    X(float8_e4m3, F8_E4M3) X(float8_e4m3b11fnuz, F8_E4M3B11FNUZ) X(float8_e4m3fn, F8_E4M3FN) \
    X(float8_e4m3fnuz, F8_E4M3FNUZ) X(float8_e5m2, F8_E5M2) X(float8_e5m2fnuz, F8_E5M2FNUZ) \
    X(float8_e8m0fnu, F8_E8M0) X(float6_e2m3fn, F6_E2M3) X(float6_e3m2fn, F6_E3M2) X(float4_e2m1fn, F4_E2M1)
/* clang-format on */

typedef uint16_t tsr_dtype;

enum {
#define TSR_X_(id, code, bits, ...) TSR_##id = (code)*256 + (bits),
    TSR_DTYPE_LIST(TSR_X_)
#undef TSR_X_
};

/** The bits of one element. */
TSR_FN int tsr_dtype_bits(tsr_dtype type) { return type & 255; }

/** The kind of a type: DLPack's code. */
TSR_FN int tsr_dtype_code(tsr_dtype type) { return type >> 8; }

TSR_HEADER_END

#endif

/** Element types by their names in CuTe, and their sizes in bits. */
#ifndef TSR_BASE_DTYPE_H
#define TSR_BASE_DTYPE_H

#include "tessera/base/config.h"

/* clang-format off */
#define TSR_DTYPE_LIST(X) \
    X(bool, 8) X(char, 8) X(int, 32) X(float, 32) X(double, 64) \
    X(int8_t, 8) X(int16_t, 16) X(int32_t, 32) X(int64_t, 64) \
    X(uint8_t, 8) X(uint16_t, 16) X(uint32_t, 32) X(uint64_t, 64) X(uint128_t, 128) \
    X(half_t, 16) X(bfloat16_t, 16) X(tfloat32_t, 32) X(float_e4m3_t, 8) X(float_e5m2_t, 8) \
    X(bin1_t, 1) X(uint1b_t, 1) X(int2b_t, 2) X(uint2b_t, 2) X(int4b_t, 4) X(uint4b_t, 4) X(int4_t, 4) X(uint4_t, 4) \
    X(float_e2m1_t, 4) X(float_e2m3_t, 6) X(float_e3m2_t, 6) X(uint6b_t, 6) X(int6b_t, 6)
/* clang-format on */

#endif

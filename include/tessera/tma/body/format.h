/** The bodies of tma/format.h. */
#ifndef TSR_TMA_BODY_FORMAT_H
#define TSR_TMA_BODY_FORMAT_H

#include "tessera/tma/format.h"

TSR_HEADER_BEGIN

TSR_OP int tsr_tma_format_bits(int format)
{
    switch (format) {
#define TSR_X_(id, bits, is_float) \
case TSR_TMA_##id:                 \
  return bits;
        TSR_TMA_FORMAT_LIST(TSR_X_)
#undef TSR_X_
    default:
        return 0;
    }
}

TSR_OP int tsr_tma_smem_bits(int format)
{
    return format == TSR_TMA_16U4_ALIGN16B || format == TSR_TMA_16U6_ALIGN16B ? 8 : tsr_tma_format_bits(format);
}

TSR_OP bool tsr_tma_is_float(int format)
{
    switch (format) {
#define TSR_X_(id, bits, is_float) \
case TSR_TMA_##id:                 \
  return is_float;
        TSR_TMA_FORMAT_LIST(TSR_X_)
#undef TSR_X_
    default:
        return false;
    }
}

TSR_OP int tsr_tma_format_of(tsr_dtype type)
{
    switch (type) {
#define TSR_X_(dtype, format) \
case TSR_##dtype:             \
  return TSR_TMA_##format;
        TSR_TMA_TYPE_LIST(TSR_X_)
#undef TSR_X_
    default:
        return TSR_TMA_FORMATS;
    }
}

TSR_OP int tsr_tma_swizzle_span(int swizzle)
{
    switch (swizzle) {
#define TSR_X_(name, span, b, m, s) \
case TSR_TMA_SWIZZLE_##name:        \
  return span;
        TSR_TMA_SWIZZLE_LIST(TSR_X_)
#undef TSR_X_
    default:
        return 0;
    }
}

TSR_OP tsr_swizzle tsr_tma_swizzle_bits(int swizzle)
{
    switch (swizzle) {
#define TSR_X_(name, span, b, m, s) \
case TSR_TMA_SWIZZLE_##name:        \
  return tsr_make_swizzle(b, m, s);
        TSR_TMA_SWIZZLE_LIST(TSR_X_)
#undef TSR_X_
    default:
        return tsr_make_swizzle(0, 4, 3);
    }
}

TSR_OP int tsr_tma_swizzle_of(tsr_swizzle sw)
{
    if (sw.bits == 0)
        return TSR_TMA_SWIZZLE_NONE;
    for (int i = 0; i < TSR_TMA_SWIZZLES; ++i)
        if (tsr_swizzle_same_(sw, tsr_tma_swizzle_bits(i)))
            return i;
    return TSR_TMA_SWIZZLES;
}

TSR_OP int tsr_tma_op_peers(tsr_tma_op op)
{
    switch (op) {
#define TSR_X_(name, peers, mode) \
case TSR_##name:                  \
  return peers;
        TSR_TMA_OP_LIST(TSR_X_)
#undef TSR_X_
    default:
        return 1;
    }
}

TSR_OP tsr_tma_op_mode tsr_tma_mode_of(tsr_tma_op op)
{
    switch (op) {
#define TSR_X_(name, peers, mode) \
case TSR_##name:                  \
  return TSR_TMA_OP_##mode;
        TSR_TMA_OP_LIST(TSR_X_)
#undef TSR_X_
    default:
        return TSR_TMA_OP_TILED;
    }
}

TSR_HEADER_END

#endif

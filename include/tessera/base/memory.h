/** Numbers in memory: those of an address, of any type that has numbers.
 *
 *      tsr_load(type, p, bit), tsr_store(type, p, bit, x)
 *
 *  The bits of an element smaller than a byte count from the lowest on. The bytes of a larger one are in the order of
 *  the machine. Of an element of more than 64 bits, which is no number, 64 are read.
 *
 *  Law     tsr_load of what tsr_store wrote is the number that tsr_encode rounds to.
 */
#ifndef TSR_BASE_MEMORY_H
#define TSR_BASE_MEMORY_H

#include "tessera/base/number.h"

TSR_HEADER_BEGIN

/** Where the lowest `bytes` bytes of a 64-bit number are in it. */
TSR_INLINE size_t tsr_low_bytes_(size_t bytes) { return TSR_BIG_ENDIAN ? sizeof(uint64_t) - bytes : 0; }

/** An element of less than a byte, which may end in the next one. */
TSR_INLINE unsigned tsr_load_part_(void const *p, int bit, int width)
{
    unsigned char const *const byte = (unsigned char const *)p;
    unsigned r = byte[0];
    if (bit + width > 8)
        r |= (unsigned)byte[1] << 8;
    return r >> bit & ((1u << width) - 1);
}

TSR_INLINE void tsr_store_part_(void *p, int bit, int width, unsigned bits)
{
    unsigned char *const byte = (unsigned char *)p;
    unsigned const mask = ((1u << width) - 1) << bit, value = bits << bit;
    byte[0] = (unsigned char)((byte[0] & ~mask) | (value & mask & 255));
    if (bit + width > 8)
        byte[1] = (unsigned char)((byte[1] & ~(mask >> 8)) | (value & mask) >> 8);
}

TSR_INLINE uint64_t tsr_load_bits_(void const *p, int bit, int width)
{
    size_t const n = width > 64 ? 8 : (size_t)width / 8;
    uint64_t r = 0;
    if (width % 8 != 0)
        return tsr_load_part_(p, bit, width);
    TSR_COPY((unsigned char *)&r + tsr_low_bytes_(n), p, n);
    return r;
}

TSR_INLINE void tsr_store_bits_(void *p, int bit, int width, uint64_t bits)
{
    size_t const n = width > 64 ? 8 : (size_t)width / 8;
    if (width % 8 != 0)
        tsr_store_part_(p, bit, width, (unsigned)bits);
    else
        TSR_COPY(p, (unsigned char const *)&bits + tsr_low_bytes_(n), n);
}

/** The number at an address, of any type with numbers. */
TSR_INLINE tsr_number tsr_load(tsr_dtype type, void const *p, int bit)
{
    int const width = tsr_dtype_bits(type);
    if (tsr_dtype_code(type) != 5)
        return tsr_decode(type, tsr_load_bits_(p, bit, width));
    tsr_dtype const part = (tsr_dtype)(TSR_F32 - 32 + width / 2);
    double const re = tsr_decode(part, tsr_load_bits_(p, 0, width / 2)).re;
    return tsr_number_complex(re, tsr_decode(part, tsr_load_bits_((char const *)p + width / 16, 0, width / 2)).re);
}

/** Writes the number at an address, rounded to the type. */
TSR_INLINE void tsr_store(tsr_dtype type, void *p, int bit, tsr_number x)
{
    int const width = tsr_dtype_bits(type);
    if (tsr_dtype_code(type) != 5) {
        tsr_store_bits_(p, bit, width, tsr_encode(type, x));
        return;
    }
    tsr_dtype const part = (tsr_dtype)(TSR_F32 - 32 + width / 2);
    tsr_store_bits_(p, 0, width / 2, tsr_encode(part, tsr_number_real(tsr_number_to_double(x))));
    tsr_store_bits_((char *)p + width / 16, 0, width / 2,
                    tsr_encode(part, tsr_number_real(tsr_number_imaginary_(x))));
}

TSR_HEADER_END

#endif

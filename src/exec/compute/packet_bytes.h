/* Formats of eight bits: what each header of packets makes of floats, in its own words for integers. */

/** X(id, bits of mantissa, least normal number, what is the most, NaN): of E4M3 2^-6, and what is above 448 is 448; of
 *  E5M2 2^-14, and 2^16 is infinity. */
#define BYTE_LIST(X)                              \
  X(F8_E4M3FN, 3, 0x3c800000u, 0x43e00000u, 0x7f) \
  X(F8_E5M2, 2, 0x38800000u, 0x47800000u, 0x7e)

INLINED packet_u32 bits_of(packet_f32 x) { return (packet_u32)x; }

INLINED packet_f32 floats_of(packet_u32 bits) { return (packet_f32)bits; }

/** The pattern of |x|, which is no NaN: the number and 2^(23 - mantissa) times its power of two, or that of the least
 *  normal number, add up to as many steps of the format as it has. What is above `most` is as that. */
INLINED packet_u32 byte_pattern(packet_f32 x, int const mantissa, uint32_t const least, uint32_t const most)
{
    int const shift = 23 - mantissa;
    packet_u32 const a = min_u32(bits_of(x) & 0x7fffffff, all_u32(most));
    packet_u32 const power = max_u32(a & 0x7f800000, all_u32(least));
    packet_u32 const up = power + ((uint32_t)shift << 23);
    return bits_of(floats_of(a) + floats_of(up)) - up + ((power - least) >> shift);
}

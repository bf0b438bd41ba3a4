/** Operands of tcgen05 as the hardware finds them, by the bits of descriptors alone: this file knows no layout.
 *
 *  An operand in shared memory consists of units of 16 bytes. K-major, unit (row, chunk of K):
 *
 *      start + row % 8 * width + row / 8 * stride + chunk * 16      swizzled: rows of `width` bytes, 32, 64 or 128
 *      start + row % 8 * 16    + row / 8 * stride + chunk * leading not swizzled
 *
 *  MN-major, unit (chunk of M or N, k), `w` units of 16 bytes a row of the swizzle:
 *
 *      start + chunk % w * 16 + chunk / w * leading + k % 8 * 16 * w + k / 8 * stride     (k % 4 of 128B_ATOM_32B)
 *      start + chunk * stride + k % 8 * 16 + k / 8 * leading                              not swizzled
 *
 *  The bits of the address are then swizzled: bits 4 and up are xored with bits 7 and up.
 *  Source  PTX ISA 9.0, tcgen05: "Shared memory descriptor", "Canonical layouts", "Strides", "Packing formats".
 */
#ifndef TSR_EMULATE_OPERANDS_H
#define TSR_EMULATE_OPERANDS_H

#include "tessera/base/number.h"
#include "tessera/emulate/memory.h"

namespace tsr_emulator
{

/** The fields of a descriptor, in bytes. */
struct smem_descriptor {
    uint32_t start, leading, stride, version, base, mode, swizzle;
};

inline smem_descriptor fields_of(uint64_t d)
{
    return {(uint32_t)(d & 0x3fff) << 4, (uint32_t)(d >> 16 & 0x3fff) << 4, (uint32_t)(d >> 32 & 0x3fff) << 4,
            (uint32_t)(d >> 46 & 7),     (uint32_t)(d >> 49 & 7),           (uint32_t)(d >> 52 & 1),
            (uint32_t)(d >> 61 & 7)};
}

/** Bytes of a row of the swizzle, and rows until it repeats. */
inline uint32_t width_of(uint32_t swizzle) { return swizzle == 6 ? 32 : swizzle == 4 ? 64 : swizzle == 0 ? 16 : 128; }
inline uint32_t swizzled(uint32_t at, uint32_t swizzle)
{
    switch (swizzle) {
    case 1: /* 128 bytes, units of 32 */
        return at ^ (at >> 7 & 3) << 5;
    case 2:
        return at ^ (at >> 7 & 7) << 4;
    case 4:
        return at ^ (at >> 7 & 3) << 4;
    case 6:
        return at ^ (at >> 7 & 1) << 4;
    default:
        return at;
    }
}

/** Refuses what no descriptor may be. */
inline bool descriptor_fits(uint64_t d, char const *what)
{
    smem_descriptor const f = fields_of(d);
    bool const known = f.swizzle == 0 || f.swizzle == 1 || f.swizzle == 2 || f.swizzle == 4 || f.swizzle == 6;
    uint32_t const pattern = f.swizzle == 1 ? 512 : 8 * width_of(f.swizzle);
    if (f.version != 1)
        refuse("%s: the descriptor 0x%llx has version %u in bits 46 to 48; tcgen05 reads version 1", what,
               (unsigned long long)d, f.version);
    else if (!known)
        refuse("%s: the descriptor 0x%llx has swizzle %u in bits 61 to 63; 0, 1, 2, 4 or 6", what,
               (unsigned long long)d, f.swizzle);
    else if (f.base != 0 || f.mode != 0 || (d >> 53 & 0xff) != 0 || (d >> 14 & 3) != 0 || (d >> 30 & 3) != 0)
        refuse("%s: the descriptor 0x%llx has bits outside of start, leading, stride, version and swizzle; the "
               "emulator knows no base offset and no absolute leading offset",
               what, (unsigned long long)d);
    else if (f.swizzle != 0 && f.start % pattern >= width_of(f.swizzle))
        refuse("%s: the descriptor starts at byte %u, in row %u of a swizzle pattern of %u bytes; it starts in row 0",
               what, f.start, f.start % pattern / width_of(f.swizzle), pattern);
    else
        return true;
    return false;
}

/** The address of a unit of 16 bytes, K-major. */
inline uint32_t unit_k(smem_descriptor const &f, uint32_t row, uint32_t chunk)
{
    uint32_t const w = width_of(f.swizzle), in = f.swizzle == 0 ? 1 : w / 16;
    return swizzled(f.start + row % 8 * w + row / 8 * f.stride + chunk % in * 16 + chunk / in * f.leading, f.swizzle);
}

/** The same, MN-major. */
inline uint32_t unit_mn(smem_descriptor const &f, uint32_t chunk, uint32_t k)
{
    uint32_t const w = width_of(f.swizzle) / 16, rows = f.swizzle == 1 ? 4 : 8;
    if (f.swizzle == 0)
        return f.start + chunk * f.stride + k % 8 * 16 + k / 8 * f.leading;
    return swizzled(f.start + chunk % w * 16 + chunk / w * f.leading + k % rows * 16 * w + k / rows * f.stride,
                    f.swizzle);
}

/** An element type as an instruction reads it: where its bits are in a unit of 16 bytes. */
struct element {
    tsr_dtype type;
    int bits; /* of one */
    int each; /* in a unit: those of 4 and 6 bits of f8f6f4 have the room of 8 */
};

inline int elements_of(element e) { return e.each; }

/** Units of an operand: their bytes, in the order in which decode() wants them. */
struct units {
    std::vector<uint8_t> bytes;
    bool good = true;
};

/** An operand of rows x k elements in the shared memory of a CTA. */
struct smem_operand {
    cta *in;
    smem_descriptor f;
    bool mn;
    int rows, k;
    element e;
};

inline units fetch(smem_operand const &o, char const *what)
{
    units r;
    int const major = o.mn ? o.rows : o.k, minor = o.mn ? o.k : o.rows;
    for (int x = 0; x < minor; ++x)
        for (int chunk = 0; chunk < major / o.e.each; ++chunk) {
            uint32_t const at =
                o.mn ? unit_mn(o.f, (uint32_t)chunk, (uint32_t)x) : unit_k(o.f, (uint32_t)x, (uint32_t)chunk);
            if (!inside(*o.in, at, 16, what)) {
                r.good = false;
                r.bytes.insert(r.bytes.end(), 16, 0);
            } else {
                r.bytes.insert(r.bytes.end(), o.in->shared + at, o.in->shared + at + 16);
            }
        }
    return r;
}

/** The numbers of all patterns of a type of at most 16 bits. */
inline double const *numbers_of(tsr_dtype type)
{
    static std::map<int, std::vector<double>> all;
    std::vector<double> &t = all[type];
    if (t.empty())
        for (uint32_t i = 0; i < 1u << tsr_dtype_bits(type); ++i)
            t.push_back(tsr_number_to_double(tsr_decode(type, i)));
    return t.data();
}

inline double number_of(tsr_dtype type, uint32_t bits)
{
    if (tsr_dtype_bits(type) > 16)
        return tsr_number_to_double(tsr_decode(type, bits));
    return numbers_of(type)[bits & ((1u << tsr_dtype_bits(type)) - 1)];
}

/** Element i of a unit. */
inline double element_of(uint8_t const *unit, element e, int i)
{
    uint64_t w = 0;
    int const bit = i * e.bits;
    memcpy(&w, unit + bit / 8, bit / 8 <= 8 ? 8 : (size_t)(16 - bit / 8));
    w >>= bit % 8;
    return number_of(e.type, (uint32_t)(e.bits == 32 ? w : w & ((1ull << e.bits) - 1)));
}

/** The elements of an operand, row by row. */
inline std::vector<double> decode(smem_operand const &o, units const &u)
{
    std::vector<double> r((size_t)(o.rows * o.k));
    int const major = o.mn ? o.rows : o.k, chunks = major / o.e.each;
    for (size_t unit = 0; unit < u.bytes.size() / 16; ++unit)
        for (int i = 0; i < o.e.each; ++i) {
            size_t const x = unit / (size_t)chunks, y = unit % (size_t)chunks * (size_t)o.e.each + (size_t)i;
            r[o.mn ? y * (size_t)o.k + x : x * (size_t)o.k + y] = element_of(&u.bytes[16 * unit], o.e, i);
        }
    return r;
}

/** Element i of a row of A in tensor memory. Of f8f6f4, 4 bits are in the middle of a byte, 6 at its low end. */
inline double tmem_element(uint32_t const *words_, element e, int i)
{
    int const room = e.each == 16 ? 8 : e.bits, bit = i * room;
    uint32_t w = words_[bit / 32] >> bit % 32;
    if (room == 8 && e.bits == 4)
        w >>= 2;
    return number_of(e.type, e.bits == 32 ? w : w & ((1u << e.bits) - 1));
}

} // namespace tsr_emulator

#endif

/** mma.sync on the emulator: the warp's registers become matrices by the atom's layouts, and sums go back.
 *
 *  cuda/mma.cuh includes it, behind its types.
 *
 *  Law     the sum over K is exact in double, then added and rounded once to the type of C.
 *  Source  PTX ISA 9.0, "Warp-level matrix instructions", mma, "Block scaling".
 */
#ifndef TSR_EMULATE_MMA_H
#define TSR_EMULATE_MMA_H

#include <type_traits>

#include "tessera/base/number.h"
#include "tessera/emulate/words.h"

namespace tsr_emulator
{

/** A lane's operands. */
struct mma_lane {
    void *c;
    void const *a, *b;
    uint32_t meta, sfa, sfb;
};

/** Where value v of a lane is, and its number. */
inline uint64_t register_bits(void const *registers, int v, int bits)
{
    uint64_t w = 0;
    memcpy(&w, static_cast<uint8_t const *>(registers) + v * bits / 8, (size_t)(bits + 7) / 8);
    w >>= v * bits % 8;
    return bits == 64 ? w : w & ((1ull << bits) - 1);
}

/** The elements of a matrix that 32 lanes hold; of floats below a byte in bytes, e2m1 in bits 2 to 5. */
inline std::vector<double> matrix_of(void **of, void const *mma_lane::*which, tsr_layout const &l, tsr_dtype type,
                                     tsr_dtype stored, int divide)
{
    int const bits = tsr_dtype_bits(stored), values = (int)(tsr_size(tsr_mode(l, 1)) / divide);
    std::vector<double> r((size_t)tsr_layout_size(l));
    for (int lane = 0; lane < LANES; ++lane)
        for (int v = 0; v < values; ++v) {
            uint64_t w = register_bits(static_cast<mma_lane *>(of[lane])->*which, v, bits);
            if (stored != type && type == TSR_F4_E2M1)
                w = w >> 2 & 15;
            else if (stored != type && tsr_dtype_bits(type) < 8)
                w &= 63;
            r[(size_t)tsr_layout_offset(&l, lane + (int64_t)LANES * v)] = tsr_number_to_double(tsr_decode(type, w));
        }
    return r;
}

/** The scales of row m of A or n of B, of n in a word from byte `byte` on. */
inline double scale_of(uint32_t word, int byte, tsr_dtype type)
{
    return tsr_number_to_double(tsr_decode(type, word >> 8 * byte & 255));
}

template <tsr_mma_atom const &X, class S> void multiply_warp(void **of)
{
    static tsr_layout const la = tsr_mma_layout_a(X), lb = tsr_mma_layout_b(X), lc = tsr_mma_layout_c(X);
    constexpr int count = tsr_ptx_mma_kind_<tsr_mma_kind_of_(X)>::scales;
    constexpr bool nv = tsr_mma_kind_of_(X) == TSR_MMA_KIND_MXF4NVF4;
    tsr_dtype const scale = nv ? TSR_UE4M3 : TSR_F8_E8M0;
    int const M = X.m, N = X.n, K = X.k, bits = tsr_dtype_bits(X.c), values = (int)tsr_size(tsr_mode(lc, 1));
    if (X.form == TSR_MMA_XORPOPC || X.form == TSR_MMA_ANDPOPC || (X.flags & TSR_MMA_SPARSE) != 0)
        return refuse("mma.sync of bits, or of a sparse A, is not emulated");
    std::vector<double> const a = matrix_of(of, &mma_lane::a, la, X.a, tsr_mma_stored(X, X.a), 1),
                              b = matrix_of(of, &mma_lane::b, lb, X.b, tsr_mma_stored(X, X.b), 1);
    for (int lane = 0; lane < LANES; ++lane)
        for (int v = 0; v < values; ++v) {
            int64_t const at = tsr_layout_offset(&lc, lane + (int64_t)LANES * v), m = at % M, n = at / M;
            uint8_t *const to = static_cast<uint8_t *>(static_cast<mma_lane *>(of[lane])->c) + v * bits / 8;
            double s = 0;
            for (int j = 0; j < (count ? count : 1); ++j) {
                double t = 0;
                int const part = K / (count ? count : 1);
                for (int k = j * part; k < (j + 1) * part; ++k)
                    t += a[(size_t)(m + M * k)] * b[(size_t)(n + N * k)];
                if (count)
                    t *= scale_of(static_cast<mma_lane *>(of[4 * (m % 8) + 2 * S::thread_a + m / 8])->sfa,
                                  S::byte_a + j, scale)
                         * scale_of(static_cast<mma_lane *>(of[4 * n + S::thread_b])->sfb, S::byte_b + j, scale);
                s += t;
            }
            s += tsr_number_to_double(tsr_decode(X.c, register_bits(to, 0, bits)));
            if (X.c == TSR_I32 && X.form == TSR_MMA_SATURATE)
                s = s > 2147483647.0 ? 2147483647.0 : s < -2147483648.0 ? -2147483648.0 : s;
            tsr_number const sum = X.c == TSR_I32 ? tsr_number_int((int64_t)s) : tsr_number_real(s);
            uint64_t const w = tsr_encode(X.c, sum);
            memcpy(to, &w, (size_t)bits / 8);
        }
}

} // namespace tsr_emulator

template <tsr_mma_atom const &X, class S, class D, class R, int C, int A, int B>
inline void tsr_mma_sync_(D *c, void const *a, void const *b, tsr_mma_more_ more)
{
    static_assert(X.kind == TSR_MMA_WARP, "tsr_mma: the emulator has the atoms of a warp");
    tsr_emulator::mma_lane mine = {c, a, b, more.meta, more.sfa, more.sfb};
    tsr_emulator::meet_warp(~0u, "mma.sync", &mine, tsr_emulator::multiply_warp<X, S>);
}

template <tsr_mma_atom const &X> inline void tsr_mma_dot_(int32_t *c, uint32_t a, uint32_t b)
{
    for (int i = 0; i < X.k; ++i) {
        int const x = X.k == 4 ? (int8_t)(a >> 8 * i) : (int16_t)(a >> 16 * (i % 2));
        *c += X.k == 4 ? x * (int8_t)(b >> 8 * i) : 0;
    }
    if (X.k != 4)
        tsr_emulator::refuse("dp2a is not emulated");
}

#endif

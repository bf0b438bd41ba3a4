/* Bytes by a table of 256, where the processor has instructions for it. */
#include "exec/engine.h"
#include "exec/neon.h"

#if defined(__x86_64__) && defined(__GNUC__)
#  include <immintrin.h>

__attribute__((target("avx512f,avx512bw,avx512vbmi"))) static int64_t look_up(unsigned char *to,
                                                                              unsigned char const *from,
                                                                              unsigned char const *table, int64_t n)
{
    __m512i part[4];
    int64_t i = 0;
    for (int k = 0; k < 4; ++k)
        part[k] = _mm512_loadu_si512(table + 64 * k);
    for (; i + 64 <= n; i += 64) {
        __m512i const x = _mm512_loadu_si512(from + i), low = _mm512_permutex2var_epi8(part[0], x, part[1]);
        __m512i const high = _mm512_permutex2var_epi8(part[2], x, part[3]);
        _mm512_storeu_si512(to + i, _mm512_mask_mov_epi8(low, _mm512_movepi8_mask(x), high));
    }
    return i;
}

static bool looks_up(int vector) { return vector == 64 && __builtin_cpu_supports("avx512vbmi"); }
#elif TSR_NEON
#  include <arm_neon.h>

/** A quarter of the table by a lookup each, which leaves what the other quarters have. */
static int64_t look_up(unsigned char *to, unsigned char const *from, unsigned char const *table, int64_t n)
{
    uint8x16x4_t quarter[4];
    int64_t i = 0;
    TSR_UNROLL
    for (int k = 0; k < 4; ++k)
        quarter[k] = vld1q_u8_x4(table + 64 * k);
    for (; i + 16 <= n; i += 16) {
        uint8x16_t x = vld1q_u8(from + i), y = vqtbl4q_u8(quarter[0], x);
        TSR_UNROLL
        for (int k = 1; k < 4; ++k) {
            x = vsubq_u8(x, vdupq_n_u8(64));
            y = vqtbx4q_u8(y, quarter[k], x);
        }
        vst1q_u8(to + i, y);
    }
    return i;
}

static bool looks_up(int vector) { return vector == 16; }
#else
static int64_t look_up(unsigned char *to, unsigned char const *from, unsigned char const *table, int64_t n)
{
    (void)to, (void)from, (void)table, (void)n;
    return 0;
}

static bool looks_up(int vector)
{
    (void)vector;
    return false;
}
#endif

int64_t tsr_engine_look_up_(int vector, unsigned char *to, unsigned char const *from, unsigned char const *table,
                            int64_t n)
{
    return looks_up(vector) ? look_up(to, from, table, n) : 0;
}

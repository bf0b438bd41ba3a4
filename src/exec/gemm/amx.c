/** Products by tiles of AMX: 2 vectors by 32 columns are four tiles of sums, each 16 columns of 16 rows.
 *
 *  A tile has 16 lines of 64 bytes. An instruction multiplies a tile of 16 columns of B, 16 units of K each, by one of
 *  16 units of K of A, 16 rows each: panels of A are as for vectors, lines of B are read where they lie along K, too.
 *  Numbers of bf16 below 2^-126 are taken as 0, sums below it become 0, every other sum is rounded to the nearest;
 *  integers are summed modulo 2^32.
 */
#include "exec/gemm/kernel.h"

#if defined(__x86_64__) && defined(__AVX512F__) && defined(__F16C__) && defined(__AMX_TILE__) \
    && defined(__AMX_BF16__) && defined(__AMX_INT8__) && defined(__AVX512BF16__)
#  include <immintrin.h>

#  define GEMM_BF16_OF_SUM(sum) ((__m256i)_mm512_cvtneps_pbh(sum))
#  include "exec/gemm/avx512.h"

enum { LINES = 16 };

/** Sums of `columns` tiles of columns and `vectors` of rows: 0, 1 of the first columns, 2, 3; A: 4, 5; B: 6, 7. */
#  define SUM_TILE(sum, b, a)    \
    switch (form) {              \
    case FORM_BF16:              \
      _tile_dpbf16ps(sum, b, a); \
      break;                     \
    case FORM_I8I8:              \
      _tile_dpbssd(sum, b, a);   \
      break;                     \
    case FORM_U8I8:              \
      _tile_dpbsud(sum, b, a);   \
      break;                     \
    case FORM_I8U8:              \
      _tile_dpbusd(sum, b, a);   \
      break;                     \
    default:                     \
      _tile_dpbuud(sum, b, a);   \
      break;                     \
    }

/** A tile of sums that waits in memory, to columns of C, in the lanes of a mask. */
static void put_lines(gemm_form form, uint32_t const *sums, uint32_t *c, int64_t cc, bool add, __mmask16 mask)
{
    for (int j = 0; j < LINES; ++j, sums += 16, c += cc) {
        __m512i sum = _mm512_load_si512(sums);
        if (add) {
            __m512i const before = _mm512_maskz_loadu_epi32(mask, c);
            sum = form == FORM_BF16
                      ? _mm512_castps_si512(_mm512_add_ps(_mm512_castsi512_ps(before), _mm512_castsi512_ps(sum)))
                      : _mm512_add_epi32(before, sum);
        }
        _mm512_mask_storeu_epi32(c, mask, sum);
    }
}

#  define PUT_TILE(sum, i, j)                                                        \
    if ((i) < vectors && (j) < columns) {                                            \
      uint32_t *const to = (uint32_t *)c + (i)*16 + (j)*LINES * cc;                  \
      __mmask16 const lanes = (__mmask16)((i) + 1 == vectors ? mask : ~(uint32_t)0); \
      if (!add && lanes == 0xffff) {                                                 \
        _tile_stored(sum, to, cc * 4);                                               \
      } else {                                                                       \
        _Alignas(64) uint32_t lines[LINES * 16];                                     \
        _tile_stored(sum, lines, 64);                                                \
        put_lines(form, lines, to, cc, add, lanes);                                  \
      }                                                                              \
    }

GEMM_INLINE void tile_body(gemm_form form, int vectors, int columns, int64_t k, void const *pa, int64_t as,
                           void const *pb, int64_t bs, int64_t bc, void *c, int64_t cc, int64_t ahead, bool add,
                           uint32_t mask)
{
    uint32_t const *a = (uint32_t const *)pa, *b = (uint32_t const *)pb;
    uint32_t const *next = (uint32_t const *)c + ahead;
    int64_t left = columns * LINES;
    _tile_zero(0);
    _tile_zero(1);
    _tile_zero(2);
    _tile_zero(3);
    for (; k > 0; k -= LINES, a += LINES * as, b += LINES * bs) {
        for (int j = 0; j < 4 && left > 0; ++j, --left, next += cc)
            for (int i = 0; i < vectors; ++i)
                GEMM_PREFETCH(next + i * 16);
        _tile_loadd(4, a, as * 4);
        if (vectors > 1)
            _tile_loadd(5, a + 16, as * 4);
        _tile_loadd(6, b, bc * 4);
        SUM_TILE(0, 6, 4)
        if (vectors > 1)
            SUM_TILE(1, 6, 5)
        if (columns > 1) {
            _tile_loadd(7, b + bc * LINES, bc * 4);
            SUM_TILE(2, 7, 4)
            if (vectors > 1)
                SUM_TILE(3, 7, 5)
        }
    }
    PUT_TILE(0, 0, 0)
    PUT_TILE(1, 1, 0)
    PUT_TILE(2, 0, 1)
    PUT_TILE(3, 1, 1)
}

#  define TILES(id, v, n)                                                                                   \
    static void id##_##v##_##n(int64_t k, void const *a, int64_t as, void const *b, int64_t bs, int64_t bc, \
                               int64_t far, void *c, int64_t cc, int64_t ahead, bool add, uint32_t mask)    \
    {                                                                                                       \
      (void)far;                                                                                            \
      tile_body(FORM_##id, v, n, k, a, as, b, bs, bc, c, cc, ahead, add, mask);                             \
    }

static void enter(void)
{
    static struct {
        uint8_t palette, start, zero[14];
        uint16_t bytes[16];
        uint8_t lines[16];
    } const shapes = {1, 0, {0}, {64, 64, 64, 64, 64, 64, 64, 64}, {16, 16, 16, 16, 16, 16, 16, 16}};
    _tile_loadconfig(&shapes);
}

static void leave(void) { _tile_release(); }

/** X(form): a row each. */
#  define ROW_LIST(X) X(BF16) X(I8I8) X(U8I8) X(I8U8) X(U8U8)

#  define X(id) TILES(id, 1, 1) TILES(id, 1, 2) TILES(id, 2, 1) TILES(id, 2, 2)
ROW_LIST(X)
#  undef X

static gemm_row const rows[] = {
#  define X(id)                                                                                               \
    {FORM_##id, "",                                                                                           \
     16,        2,                                                                                            \
     32,        4,                                                                                            \
     true,      false,                                                                                        \
     LINES,     {{{id##_1_1, id##_1_2}, {id##_2_1, id##_2_2}}, {{id##_1_1, id##_1_2}, {id##_2_1, id##_2_2}}}, \
     enter,     leave,                                                                                        \
     NULL,      NULL,                                                                                         \
     NULL,      NULL,                                                                                         \
     NULL,      NULL,                                                                                         \
     NULL},
    ROW_LIST(X)
#  undef X
};
gemm_table const tsr_gemm_amx = GEMM_TABLE(rows);
#else
gemm_table const tsr_gemm_amx = {0};
#endif

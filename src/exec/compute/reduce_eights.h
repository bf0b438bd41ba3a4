/* Eight elements of sums by AVX2, and by AVX-512 (exec/compute/reduce_shorts.h). */

typedef uint32_t eight __attribute__((vector_size(32)));

#if VECTOR == 64
#  define BYTES_OF(name, a, b) _mm512_##name((__m512i)(a), (__m512i)(b))
#else
#  define BYTES_OF(name, a, b) _mm256_##name((__m256i)(a), (__m256i)(b))
#endif
#define ZIP(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)

/** Eight elements as floats, or as integers of 32 bits. */
ALWAYS eight eight_of(tsr_dtype const type, unsigned char const *p)
{
    eight x;
    if (type == TSR_BF16 || type == TSR_F16)
        x = (eight)eight_floats(type, p);
    else if (type == TSR_U16)
        x = (eight)_mm256_cvtepu16_epi32(_mm_loadu_si128((void const *)p));
    else if (type == TSR_I16)
        x = (eight)_mm256_cvtepi16_epi32(_mm_loadu_si128((void const *)p));
    else if (type == TSR_I8)
        x = (eight)_mm256_cvtepi8_epi32(_mm_loadl_epi64((void const *)p));
    else if (type == TSR_U8)
        x = (eight)_mm256_cvtepu8_epi32(_mm_loadl_epi64((void const *)p));
    else
        memcpy(&x, p, sizeof x);
    return x;
}

/** Rows to columns. */
ALWAYS void transpose(eight r[8])
{
    eight t[8];
    TSR_UNROLL
    for (int i = 0; i < 8; i += 2) {
        t[i] = ZIP(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        t[i + 1] = ZIP(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    TSR_UNROLL
    for (int i = 0; i < 8; i += 4) { /* columns 0, 1, 2, 3 of four rows; 4 to 7 in the upper halves */
        r[i] = ZIP(t[i], t[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        r[i + 1] = ZIP(t[i], t[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        r[i + 2] = ZIP(t[i + 1], t[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        r[i + 3] = ZIP(t[i + 1], t[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    TSR_UNROLL
    for (int i = 0; i < 4; ++i) {
        t[i] = ZIP(r[i], r[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        t[i + 4] = ZIP(r[i], r[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    memcpy(r, t, sizeof t);
}

/** Eight numbers to their accumulators. */
ALWAYS void combine_eight(int const op, bool const real, eight const *x, words m[8 / EACH])
{
    TSR_UNROLL
    for (int v = 0; v < 8 / EACH; ++v) {
        unsigned char const *const p = (unsigned char const *)x + v * (VECTOR / 2);
        floats f;
        memcpy(&f, p, sizeof f);
        m[v] = combined(op, real, m[v], real ? (words)REALS_OF(f) : (words)WIDE_OF(epi32, p));
    }
}

/** Eight sums, or extremes, of the numbers first to end - 1. 32 bits must be enough. */
ALWAYS eight folded_eight(int const op, bool const real, eight const x[8], int first, int end)
{
    __m256i r = (__m256i)x[first];
    __m256 none = _mm256_cmp_ps((__m256)r, (__m256)r, _CMP_UNORD_Q);
    for (int j = first + 1; j < end; ++j) {
        __m256i const y = (__m256i)x[j];
        if (real) {
            none = _mm256_or_ps(none, _mm256_cmp_ps((__m256)y, (__m256)y, _CMP_UNORD_Q));
            r = (__m256i)(op == TSR_REDUCE_MAX ? _mm256_max_ps((__m256)y, (__m256)r)
                                               : _mm256_min_ps((__m256)y, (__m256)r));
        } else {
            r = op == TSR_REDUCE_SUM   ? _mm256_add_epi32(y, r)
                : op == TSR_REDUCE_MAX ? _mm256_max_epi32(y, r)
                                       : _mm256_min_epi32(y, r);
        }
    }
    return (eight)(real ? (__m256i)_mm256_or_ps((__m256)r, none) : r);
}

/** Eight bytes of each sum, which are as long as an accumulator; those with a sign are 128 too large on the way. */
ALWAYS words eight_bytes(int const op, tsr_dtype const type, words x)
{
    bool const is_signed = type == TSR_I8;
    uint64_t const high = 0x8080808080808080;
    words r = is_signed ? x ^ high : x;
    if (op == TSR_REDUCE_SUM) {
        r = (words)BYTES_OF(sad_epu8, r, (words){0});
    } else {
        TSR_UNROLL
        for (int shift = 32; shift >= 8; shift /= 2)
            r = op == TSR_REDUCE_MAX ? (words)BYTES_OF(max_epu8, r, r >> shift)
                                     : (words)BYTES_OF(min_epu8, r, r >> shift);
        r &= 0xff;
    }
    return r - (uint64_t)(!is_signed ? 0 : op == TSR_REDUCE_SUM ? 8 * 128 : 128);
}

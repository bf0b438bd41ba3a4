/* The elements of reductions by AVX2 and AVX-512 (exec/compute/reduce_row.h): widening loads, one instruction where the
 * compiler's own conversions are dozens. Eight elements are one vector of AVX2. */
#define SMALLS_AT_ONCE 1
#define PARTS 1

typedef uint32_t part32 __attribute__((vector_size(32)));
typedef uint8_t lanes __attribute__((vector_size(32)));

typedef struct eight {
    part32 part[PARTS];
} eight;

#define HALF_AT(p) ((packet_half)load_16(p))

ALWAYS words load_word(tsr_dtype const type, unsigned char const *p)
{
    words x;
    if (type == TSR_I32 || type == TSR_U32)
        return (words)(type == TSR_I32 ? MM(cvtepi32_epi64)(HALF_AT(p)) : MM(cvtepu32_epi64)(HALF_AT(p)));
    if (type == TSR_F32)
        return (words)MM(cvtps_pd)(HALF(loadu_ps)((float const *)(void const *)p));
    if (type == TSR_BF16)
        return (words)MM(cvtps_pd)((packet_half_f32)HALF(slli_epi32)(HALF(cvtepu16_epi32)(load_8(p)), 16));
    if (type == TSR_F16)
        return (words)MM(cvtps_pd)(HALF(cvtph_ps)(load_8(p)));
    memcpy(&x, p, sizeof x);
    return x;
}

ALWAYS void load_smalls(tsr_dtype const type, unsigned char const *p, smalls *x)
{
    *x = (smalls)(type == TSR_I8    ? MM(cvtepi8_epi32)(load_8(p))
                  : type == TSR_U8  ? MM(cvtepu8_epi32)(load_8(p))
                  : type == TSR_I16 ? MM(cvtepi16_epi32)(HALF_AT(p))
                                    : MM(cvtepu16_epi32)(HALF_AT(p)));
}

ALWAYS eight eight_of(tsr_dtype const type, unsigned char const *p)
{
    eight x;
    if (type == TSR_BF16)
        x.part[0] = (part32)_mm256_cvtepu16_epi32(_mm_loadu_si128((void const *)p)) << 16;
    else if (type == TSR_F16)
        x.part[0] = (part32)_mm256_cvtph_ps(_mm_loadu_si128((void const *)p));
    else if (type == TSR_U16)
        x.part[0] = (part32)_mm256_cvtepu16_epi32(_mm_loadu_si128((void const *)p));
    else if (type == TSR_I16)
        x.part[0] = (part32)_mm256_cvtepi16_epi32(_mm_loadu_si128((void const *)p));
    else if (type == TSR_I8)
        x.part[0] = (part32)_mm256_cvtepi8_epi32(_mm_loadl_epi64((void const *)p));
    else if (type == TSR_U8)
        x.part[0] = (part32)_mm256_cvtepu8_epi32(_mm_loadl_epi64((void const *)p));
    else
        x.part[0] = (part32)_mm256_loadu_ps((float const *)(void const *)p);
    return x;
}

#define ZIP(a, b, ...) __builtin_shufflevector((a).part[0], (b).part[0], __VA_ARGS__)

ALWAYS void transpose(eight r[8])
{
    eight t[8];
    TSR_UNROLL
    for (int i = 0; i < 8; i += 2) {
        t[i].part[0] = ZIP(r[i], r[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        t[i + 1].part[0] = ZIP(r[i], r[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    TSR_UNROLL
    for (int i = 0; i < 8; i += 4) { /* columns 0, 1, 2, 3 of four rows; 4 to 7 in the upper halves */
        r[i].part[0] = ZIP(t[i], t[i + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        r[i + 1].part[0] = ZIP(t[i], t[i + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        r[i + 2].part[0] = ZIP(t[i + 1], t[i + 3], 0, 1, 8, 9, 4, 5, 12, 13);
        r[i + 3].part[0] = ZIP(t[i + 1], t[i + 3], 2, 3, 10, 11, 6, 7, 14, 15);
    }
    TSR_UNROLL
    for (int i = 0; i < 4; ++i) {
        t[i].part[0] = ZIP(r[i], r[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        t[i + 4].part[0] = ZIP(r[i], r[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
    TSR_UNROLL
    for (int i = 0; i < 8; ++i)
        r[i] = t[i];
}

ALWAYS void words_of_eight(bool const real, eight const *x, words w[8 / EACH])
{
    TSR_UNROLL
    for (int v = 0; v < 8 / EACH; ++v) {
        unsigned char const *const p = (unsigned char const *)x + v * (VECTOR / 2);
        w[v] = load_word(real ? TSR_F32 : TSR_I32, p);
    }
}

/** The greater or the lesser; where either is NaN, the second one. */
ALWAYS part32 extreme_reals(int const op, part32 x, part32 m)
{
    return (part32)(op == TSR_REDUCE_MAX ? _mm256_max_ps((__m256)x, (__m256)m) : _mm256_min_ps((__m256)x, (__m256)m));
}

/** What is NaN of x, beside of what was. */
ALWAYS part32 nan_mask(part32 x) { return (part32)_mm256_cmp_ps((__m256)x, (__m256)x, _CMP_UNORD_Q); }

ALWAYS part32 note_nan(part32 none, part32 x) { return none | nan_mask(x); }

ALWAYS part32 with_nan(part32 m, part32 none) { return m | none; }

ALWAYS part32 folded_integers(int const op, part32 x, part32 m)
{
    __m256i const a = (__m256i)x, b = (__m256i)m;
    return op == TSR_REDUCE_SUM ? x + m
                                : (part32)(op == TSR_REDUCE_MAX ? _mm256_max_epi32(a, b) : _mm256_min_epi32(a, b));
}

ALWAYS lanes extreme_integers(int const op, tsr_dtype const type, lanes x, lanes m)
{
    bool const most = op == TSR_REDUCE_MAX;
    __m256i const a = (__m256i)x, b = (__m256i)m;
    return (lanes)(type == TSR_I8    ? (most ? _mm256_max_epi8(a, b) : _mm256_min_epi8(a, b))
                   : type == TSR_U8  ? (most ? _mm256_max_epu8(a, b) : _mm256_min_epu8(a, b))
                   : type == TSR_I16 ? (most ? _mm256_max_epi16(a, b) : _mm256_min_epi16(a, b))
                                     : (most ? _mm256_max_epu16(a, b) : _mm256_min_epu16(a, b)));
}

#define WORDS_BY(name, a, b) (words) MM(name)((packet_words)(a), (packet_words)(b))

ALWAYS words extreme_bytes(int const op, words a, words b)
{
    return op == TSR_REDUCE_MAX ? WORDS_BY(max_epu8, a, b) : WORDS_BY(min_epu8, a, b);
}

/** Of eight bytes each, which are 128 too large on the way if they have a sign. */
ALWAYS words sum_of_bytes(bool const is_signed, words x)
{
    words const r = is_signed ? x ^ 0x8080808080808080u : x;
    return WORDS_BY(sad_epu8, r, (words){0}) - (uint64_t)(is_signed ? 8 * 128 : 0);
}

/* alpha * x + beta * y of bf16 by AVX2, 32 at a time, in doubles made of their bits.
 *
 *  Law     that of exec/compute/update.h: every product and sum is one of doubles, and the sum is rounded once.
 *
 *  A conversion between float and double is two instructions of the slow kind, so that there is none. The bits of a
 *  bf16 are moved to where a double has its own, three places lower because its exponent has three bits more:
 *
 *      bf16      s eeeeeeee mmmmmmm
 *      double    s 000eeeeeeee mmmmmmm 0 ..      x * 2^-896, 0 too
 *
 *  Products with alpha and beta and their sum are 2^-896 of what they would be, rounded alike, and the sum has the
 *  exponent of its bf16, below the normal numbers too: sums there are exact. It is rounded once. This holds if no
 *  product is below the normal doubles and no sum beyond the largest float. Numbers for which it may not hold, and
 *  infinities and NaN, are left to others.
 *
 *  exec/compute/update_row.h includes this.
 */
enum { MANY_BF16 = 32 };

/** The factors, and the magnitudes of bf16 that the loop takes beside 0. Most numbers lie in a window of 2^14 patterns,
 *  which a difference and one of its bits tell: a vector with others, or with 0, is looked at once more. */
typedef struct bf16_factors {
    __m256d alpha, beta;
    __m256i below, most;    /* patterns: those up to `below` are not taken, and none above `most` */
    __m256i window, beyond; /* the first pattern of the window, and the bits that differences to others have */
    bool take;              /* some are taken */
} bf16_factors;

/** e, where a power of two not above |x| is 2^e, as a double holds it: -1023 for 0 and the numbers below the normal
 *  ones, 1024 for infinity and NaN. */
static inline int64_t exponent_of(double x) { return (int64_t)(tsr_double_bits_(x) >> 52 & 2047) - 1023; }

static inline bf16_factors bf16_factors_of(tsr_update const *u)
{
    enum { WINDOW = 128, FIRST = 31 }; /* exponents; from 2^-96 on, where that is taken */
    bf16_factors r;
    double const alpha = tsr_number_to_double(u->alpha), beta = tsr_number_to_double(u->beta);
    int64_t const a = exponent_of(alpha), b = tsr_update_reads_(u) ? exponent_of(beta) : a;
    int64_t const least = tsr_max64(1 - tsr_min64(a, b), 1);    /* of exponents: products are at least 2^-126 */
    int64_t const most = tsr_min64(252 - tsr_max64(a, b), 254); /* both are below 2^127 */
    int64_t const first = tsr_max64(tsr_min64(FIRST, most + 1 - WINDOW), least);
    bool const windowed = first + WINDOW - 1 <= most && first <= WINDOW;
    r.take = least <= most;
    r.alpha = _mm256_set1_pd(alpha);
    r.beta = _mm256_set1_pd(beta);
    r.below = _mm256_set1_epi16((short)(r.take ? (least << 7) - 1 : 0));
    r.most = _mm256_set1_epi16((short)(r.take ? most << 7 | 0x7f : 0));
    r.window = _mm256_set1_epi16((short)(windowed ? first << 7 : 0));
    r.beyond = _mm256_set1_epi16((short)(windowed ? 0x4000 : 0xffff)); /* or +0 alone is inside */
    return r;
}

/** Whether all of n vectors hold what the loop takes. */
INLINED bool takes_all(bf16_factors const *k, __m256i const *v, int const n)
{
    __m256i most = _mm256_setzero_si256(), least = _mm256_set1_epi16(-1);
    TSR_UNROLL
    for (int i = 0; i < n; ++i) {
        __m256i const size = _mm256_and_si256(v[i], _mm256_set1_epi16(0x7fff));
        most = _mm256_max_epi16(most, size);
        least = _mm256_min_epu16(least, _mm256_add_epi16(size, _mm256_set1_epi16(-1))); /* of 0 the greatest */
    }
    __m256i const beyond = _mm256_or_si256(_mm256_subs_epu16(k->below, least), _mm256_subs_epu16(most, k->most));
    return _mm256_testz_si256(beyond, beyond) != 0;
}

INLINED bool takes_bf16(bf16_factors const *k, __m256i const *v, int const n)
{
    __m256i any = _mm256_setzero_si256();
    TSR_UNROLL
    for (int i = 0; i < n; ++i)
        any = _mm256_or_si256(any, _mm256_sub_epi16(v[i], k->window));
    return _mm256_testz_si256(any, k->beyond) != 0 || takes_all(k, v, n);
}

/** Sixteen bf16 as doubles, in their order lane by lane: 0 and 1, 2 and 3, 4 and 5, 6 and 7. */
INLINED void load_bf16(__m256d *r, __m256i x)
{
    __m256i const none = _mm256_setzero_si256(), low = _mm256_slli_epi16(x, 13);
    __m256i const high = _mm256_and_si256(_mm256_srai_epi16(x, 3), _mm256_set1_epi16((short)0x8fff));
    __m256i const first = _mm256_unpacklo_epi16(low, high), last = _mm256_unpackhi_epi16(low, high);
    r[0] = _mm256_castsi256_pd(_mm256_unpacklo_epi32(none, first));
    r[1] = _mm256_castsi256_pd(_mm256_unpackhi_epi32(none, first));
    r[2] = _mm256_castsi256_pd(_mm256_unpacklo_epi32(none, last));
    r[3] = _mm256_castsi256_pd(_mm256_unpackhi_epi32(none, last));
}

/** The halves of eight doubles. */
INLINED __m256i lower_halves(__m256d a, __m256d b)
{
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castpd_ps(a), _mm256_castpd_ps(b), 0x88));
}

INLINED __m256i upper_halves(__m256d a, __m256d b)
{
    return _mm256_castps_si256(_mm256_shuffle_ps(_mm256_castpd_ps(a), _mm256_castpd_ps(b), 0xdd));
}

/** Half of the last bit of a bf16 added to upper halves; of each lane their upper words, then their lower ones. */
INLINED __m256i halved_words(__m256i upper)
{
    __m256i const words = _mm256_setr_epi8(2, 3, 6, 7, 10, 11, 14, 15, 0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11,
                                           14, 15, 0, 1, 4, 5, 8, 9, 12, 13);
    return _mm256_shuffle_epi8(_mm256_add_epi32(upper, _mm256_set1_epi32(0x1000)), words);
}

/** Sixteen sums to the nearest bf16, ties to even, from doubles as load_bf16 gives them. With half of the last bit
 *  added, a bf16 is what is above the bits to drop; where none of these is left the sum was a tie, and its last bit
 *  becomes 0. Signed saturation keeps whether lower halves are 0. */
INLINED __m256i store_bf16(__m256d const *sum)
{
    __m256i const lower = _mm256_packs_epi32(lower_halves(sum[0], sum[1]), lower_halves(sum[2], sum[3]));
    __m256i const first = halved_words(upper_halves(sum[0], sum[1]));
    __m256i const last = halved_words(upper_halves(sum[2], sum[3]));
    __m256i const high = _mm256_unpacklo_epi64(first, last), low = _mm256_unpackhi_epi64(first, last);
    __m256i const up = _mm256_or_si256(_mm256_slli_epi16(high, 3), _mm256_srli_epi16(low, 13));
    __m256i const left = _mm256_or_si256(_mm256_slli_epi16(low, 3), lower);
    __m256i const size = _mm256_and_si256(up, _mm256_adds_epu16(left, _mm256_set1_epi16((short)0xfffe)));
    return _mm256_or_si256(size, _mm256_and_si256(high, _mm256_set1_epi16((short)0x8000)));
}

INLINED __m256i sum_of_bf16(bf16_factors const *k, __m256i x, __m256i y, bool const reads)
{
    __m256d sum[4], old[4];
    load_bf16(sum, x);
    load_bf16(old, y);
    TSR_UNROLL
    for (int i = 0; i < 4; ++i) {
        sum[i] = k->alpha * sum[i];
        if (reads)
            sum[i] = sum[i] + k->beta * old[i];
    }
    return store_bf16(sum);
}

/** n bf16 from memory, at most a vector: eight of them twice. */
INLINED __m256i some_bf16(unsigned char const *p, int const n)
{
    return n < MANY_BF16 / 2 ? _mm256_broadcastsi128_si256(_mm_loadu_si128((__m128i const *)(void const *)p))
                             : _mm256_loadu_si256((__m256i const *)(void const *)p);
}

/** n elements: MANY_BF16, half of them, or eight. False: some are not taken, and nothing is done. */
INLINED bool add_bf16(bf16_factors const *k, unsigned char *to, unsigned char const *from, int const n,
                      bool const reads)
{
    int const vectors = n == MANY_BF16 ? 2 : 1;
    __m256i v[4];
    TSR_UNROLL
    for (int i = 0; i < vectors; ++i) {
        v[i] = some_bf16(from + 32 * i, n);
        v[vectors + i] = reads ? some_bf16(to + 32 * i, n) : _mm256_setzero_si256();
    }
    if (!takes_bf16(k, v, reads ? 2 * vectors : vectors))
        return false;
    TSR_UNROLL
    for (int i = 0; i < vectors; ++i) {
        __m256i const sum = sum_of_bf16(k, v[i], v[vectors + i], reads);
        if (n < MANY_BF16 / 2)
            _mm_storeu_si128((__m128i *)(void *)to, _mm256_castsi256_si128(sum));
        else
            _mm256_storeu_si256((__m256i *)(void *)(to + 32 * i), sum);
    }
    return true;
}

/** n of bf16, or the same by packets where their own loop does not take them. */
INLINED void update_some_bf16(factors const *all, bf16_factors const *k, unsigned char *to, unsigned char const *from,
                              int const n, bool const reads)
{
    if (k->take && add_bf16(k, to, from, n, reads))
        return;
    for (int i = 0; i < n; i += PACKET)
        update_packets(all, false, TSR_BF16, to + 2 * i, TSR_BF16, from + 2 * i, 1);
}

INLINED void update_line_of_bf16(factors const *all, bf16_factors const *k, unsigned char *to,
                                 unsigned char const *from, int64_t n, bool const reads, tsr_prefetch_ next)
{
    int64_t at = 0;
    for (; at + MANY_BF16 <= n; at += MANY_BF16) {
        tsr_prefetch_bytes_(next, 2 * at, 2 * MANY_BF16, 2 * at, 2 * MANY_BF16);
        update_some_bf16(all, k, to + 2 * at, from + 2 * at, MANY_BF16, reads);
    }
    for (; at + MANY_BF16 / 2 <= n; at += MANY_BF16 / 2)
        update_some_bf16(all, k, to + 2 * at, from + 2 * at, MANY_BF16 / 2, reads);
    for (; at + PACKET <= n; at += PACKET)
        update_some_bf16(all, k, to + 2 * at, from + 2 * at, PACKET, reads);
    if (at < n)
        update_first(all, false, TSR_BF16, to + 2 * at, TSR_BF16, from + 2 * at, n - at);
}

/** Lines, where they lie. */
INLINED void update_lines_of_bf16(factors const *all, tsr_update const *u, unsigned char *to,
                                  unsigned char const *from, tsr_lines_ b)
{
    bf16_factors const k = bf16_factors_of(u);
    for (int64_t i = 0; i < b.lines; ++i, to += b.to, from += b.from)
        if (all->reads)
            update_line_of_bf16(all, &k, to, from, b.n, true, tsr_prefetch_of_(&b, i));
        else
            update_line_of_bf16(all, &k, to, from, b.n, false, tsr_prefetch_of_(&b, i));
}

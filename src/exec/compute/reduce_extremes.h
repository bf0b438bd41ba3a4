/* The greatest and the least of elements of up to 16 bits as they lie, and of floats in float: lines of CHUNK, which
 * are put to the accumulators in the end. NaN is known beside. */

#if VECTOR >= 32
ALWAYS __m256i extreme_integers(int const op, tsr_dtype const type, __m256i a, __m256i b)
{
    bool const most = op == TSR_REDUCE_MAX;
    return type == TSR_I8    ? (most ? _mm256_max_epi8(a, b) : _mm256_min_epi8(a, b))
           : type == TSR_U8  ? (most ? _mm256_max_epu8(a, b) : _mm256_min_epu8(a, b))
           : type == TSR_I16 ? (most ? _mm256_max_epi16(a, b) : _mm256_min_epi16(a, b))
                             : (most ? _mm256_max_epu16(a, b) : _mm256_min_epu16(a, b));
}

ALWAYS void extreme_integer_lines(int const op, tsr_dtype const type, unsigned char const *from, int64_t lines,
                                  int64_t far, void *acc)
{
    enum { BYTES = 32, MOST = CHUNK * 2 / BYTES };
    int const vectors = tsr_dtype_bits(type) == 8 ? MOST / 2 : MOST;
    __m256i m[MOST];
    TSR_UNROLL
    for (int v = 0; v < vectors; ++v)
        m[v] = _mm256_loadu_si256((void const *)(from + v * BYTES));
    for (int64_t line = 1; line < lines; ++line) {
        from += far;
        TSR_UNROLL
        for (int v = 0; v < vectors; ++v)
            m[v] = extreme_integers(op, type, _mm256_loadu_si256((void const *)(from + v * BYTES)), m[v]);
    }
    tsr_fold_lines_(op, type, false, (unsigned char const *)m, 1, 0, CHUNK, tsr_dtype_bits(type) / 8, acc);
}

ALWAYS __m256 eight_floats(tsr_dtype const type, unsigned char const *p)
{
    if (type == TSR_BF16)
        return _mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(_mm_loadu_si128((void const *)p)), 16));
    if (type == TSR_F16)
        return _mm256_cvtph_ps(_mm_loadu_si128((void const *)p));
    return _mm256_loadu_ps((float const *)(void const *)p);
}

ALWAYS void extreme_float_lines(int const op, tsr_dtype const type, unsigned char const *from, int64_t lines,
                                int64_t far, void *acc)
{
    enum { EIGHT = 8, VECTORS = CHUNK / EIGHT };
    int64_t const step = EIGHT * (tsr_dtype_bits(type) / 8);
    __m256 m[VECTORS], none[VECTORS];
    TSR_UNROLL
    for (int v = 0; v < VECTORS; ++v) {
        m[v] = eight_floats(type, from + v * step);
        none[v] = _mm256_cmp_ps(m[v], m[v], _CMP_UNORD_Q);
    }
    for (int64_t line = 1; line < lines; ++line) {
        from += far;
        TSR_UNROLL
        for (int v = 0; v < VECTORS; ++v) { /* where either is NaN, the second one */
            __m256 const x = eight_floats(type, from + v * step);
            m[v] = op == TSR_REDUCE_MAX ? _mm256_max_ps(x, m[v]) : _mm256_min_ps(x, m[v]);
            none[v] = _mm256_or_ps(none[v], _mm256_cmp_ps(x, x, _CMP_UNORD_Q));
        }
    }
    TSR_UNROLL
    for (int v = 0; v < VECTORS; ++v)
        m[v] = _mm256_or_ps(m[v], none[v]);
    tsr_fold_lines_(op, TSR_F32, true, (unsigned char const *)m, 1, 0, CHUNK, 4, acc);
}

#endif

#if VECTOR >= 32 || REDUCE_NEON
/** Whether that was the way, which pays off from a few lines on. */
ALWAYS bool extreme_lines(int const op, tsr_dtype const type, bool const real, unsigned char const *from,
                          int64_t lines, int64_t far, void *acc)
{
    bool const narrow = tsr_dtype_bits(type) <= (real ? 32 : 16);
    if (op == TSR_REDUCE_SUM || !narrow || lines < 4)
        return false;
    if (real)
        extreme_float_lines(op, type, from, lines, far, acc);
    else
        extreme_integer_lines(op, type, from, lines, far, acc);
    return true;
}
#else
ALWAYS bool extreme_lines(int const op, tsr_dtype const type, bool const real, unsigned char const *from,
                          int64_t lines, int64_t far, void *acc)
{
    (void)op, (void)type, (void)real, (void)from, (void)lines, (void)far, (void)acc;
    return false;
}
#endif

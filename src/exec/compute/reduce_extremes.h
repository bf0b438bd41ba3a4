/* The greatest and the least of elements of up to 16 bits as they lie, and of floats in float: lines of CHUNK, which
 * are put to the accumulators in the end. NaN is known beside. */

#if defined(PARTS)
ALWAYS void extreme_integer_lines(int const op, tsr_dtype const type, unsigned char const *from, int64_t lines,
                                  int64_t outer, void *acc)
{
    enum { BYTES = sizeof(lanes), MOST = CHUNK * 2 / BYTES };
    int const vectors = tsr_dtype_bits(type) == 8 ? MOST / 2 : MOST;
    lanes m[MOST], x;
    TSR_UNROLL
    for (int v = 0; v < vectors; ++v)
        memcpy(&m[v], from + v * BYTES, BYTES);
    for (int64_t line = 1; line < lines; ++line) {
        from += outer;
        TSR_UNROLL
        for (int v = 0; v < vectors; ++v) {
            memcpy(&x, from + v * BYTES, BYTES);
            m[v] = extreme_integers(op, type, x, m[v]);
        }
    }
    tsr_fold_lines_(op, type, false, (unsigned char const *)m, 1, 0, CHUNK, tsr_dtype_bits(type) / 8, acc);
}

ALWAYS void extreme_float_lines(int const op, tsr_dtype const type, unsigned char const *from, int64_t lines,
                                int64_t outer, void *acc)
{
    enum { VECTORS = CHUNK / 8 };
    int64_t const step = 8 * (tsr_dtype_bits(type) / 8);
    eight m[VECTORS], none[VECTORS];
    TSR_UNROLL
    for (int v = 0; v < VECTORS; ++v) {
        m[v] = eight_of(type, from + v * step);
        EACH_PART none[v].part[k] = nan_mask(m[v].part[k]);
    }
    for (int64_t line = 1; line < lines; ++line) {
        from += outer;
        TSR_UNROLL
        for (int v = 0; v < VECTORS; ++v) {
            eight const x = eight_of(type, from + v * step);
            EACH_PART m[v].part[k] = extreme_reals(op, x.part[k], m[v].part[k]);
            EACH_PART none[v].part[k] = note_nan(none[v].part[k], x.part[k]);
        }
    }
    TSR_UNROLL
    for (int v = 0; v < VECTORS; ++v)
        EACH_PART m[v].part[k] = with_nan(m[v].part[k], none[v].part[k]);
    tsr_fold_lines_(op, TSR_F32, true, (unsigned char const *)m, 1, 0, CHUNK, 4, acc);
}

/** Whether that was the way, which pays off from a few lines on. */
ALWAYS bool extreme_lines(int const op, tsr_dtype const type, bool const real, unsigned char const *from,
                          int64_t lines, int64_t outer, void *acc)
{
    bool const narrow = tsr_dtype_bits(type) <= (real ? 32 : 16);
    if (op == TSR_REDUCE_SUM || !narrow || lines < 4)
        return false;
    if (real)
        extreme_float_lines(op, type, from, lines, outer, acc);
    else
        extreme_integer_lines(op, type, from, lines, outer, acc);
    return true;
}
#else
#  define extreme_lines(op, type, real, from, lines, outer, acc) false
#endif

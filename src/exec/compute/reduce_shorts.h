/* Short sums side by side: eight at a time, after a transpose of their elements. */

#if defined(PARTS)
/** Eight numbers to their accumulators. */
ALWAYS void combine_eight(int const op, bool const real, eight const *x, words m[8 / EACH])
{
    words w[8 / EACH];
    words_of_eight(real, x, w);
    TSR_UNROLL
    for (int v = 0; v < 8 / EACH; ++v)
        m[v] = combined(op, real, m[v], w[v]);
}

/** Eight sums, or extremes, of the numbers first to end - 1. 32 bits must be enough. */
ALWAYS eight folded_eight(int const op, bool const real, eight const x[8], int first, int end)
{
    eight r = x[first], none;
    EACH_PART none.part[k] = nan_mask(r.part[k]);
    for (int j = first + 1; j < end; ++j)
        if (real) {
            EACH_PART none.part[k] = note_nan(none.part[k], x[j].part[k]);
            EACH_PART r.part[k] = extreme_reals(op, x[j].part[k], r.part[k]);
        } else {
            EACH_PART r.part[k] = folded_integers(op, x[j].part[k], r.part[k]);
        }
    EACH_PART r.part[k] = real ? with_nan(r.part[k], none.part[k]) : r.part[k];
    return r;
}

/** Eight bytes of each sum, which are as long as an accumulator. In extremes those with a sign are 128 too large. */
ALWAYS words eight_bytes(int const op, tsr_dtype const type, words x)
{
    bool const is_signed = type == TSR_I8;
    words r = is_signed ? x ^ 0x8080808080808080u : x;
    if (op == TSR_REDUCE_SUM)
        return sum_of_bytes(is_signed, x);
    TSR_UNROLL
    for (int shift = 32; shift >= 8; shift /= 2)
        r = extreme_bytes(op, r, r >> shift);
    return (r & 0xff) - (uint64_t)(is_signed ? 128 : 0);
}

/** Elements first to end - 1 of eight elements of each of eight sums. */
ALWAYS void add_eight(int const op, tsr_dtype const type, bool const real, unsigned char const *from, int64_t near,
                      int first, int end, words m[8 / EACH])
{
    bool const at_once = op != TSR_REDUCE_SUM || (!real && tsr_dtype_bits(type) <= 16);
    eight x[8];
    TSR_UNROLL
    for (int i = 0; i < 8; ++i)
        x[i] = eight_of(type, from + i * near);
    transpose(x);
    if (at_once) {
        eight const r = folded_eight(op, real, x, first, end);
        combine_eight(op, real, &r, m);
        return;
    }
    for (int j = first; j < end; ++j)
        combine_eight(op, real, &x[j], m);
}

/** The sums of n neighbours each. Returns the number of sums made; the others have too few neighbours. */
ALWAYS int64_t shorts(int const op, tsr_dtype const type, bool const real, unsigned char const *from, int64_t count,
                      int64_t n, int64_t near, unsigned char *acc)
{
    int64_t const bytes = tsr_dtype_bits(type) / 8;
    bool const known = type != TSR_U32 && bytes <= 4; /* 32 bits hold them */
    int64_t const most = !known || count < 4 ? 0 : count >= 8 ? n : near == count * bytes ? n - 1 : 0;
    int64_t i = 0;
    for (; bytes == 1 && count == 8 && near == 8 && i + EACH <= n; i += EACH, from += VECTOR) {
        words m, x;
        memcpy(&m, acc + 8 * i, sizeof m);
        memcpy(&x, from, sizeof x);
        m = combined(op, false, m, eight_bytes(op, type, x));
        memcpy(acc + 8 * i, &m, sizeof m);
    }
    for (; i + 8 <= most; i += 8, from += 8 * near) {
        words m[8 / EACH];
        int64_t j = 0;
        memcpy(m, acc + 8 * i, sizeof m);
        for (; j + 8 <= count; j += 8)
            add_eight(op, type, real, from + j * bytes, near, 0, 8, m);
        if (j < count) { /* what was added already is read again; behind a first group lies the next sum */
            int64_t const at = j > 0 ? count - 8 : 0;
            add_eight(op, type, real, from + at * bytes, near, (int)(j - at), (int)(count - at), m);
        }
        memcpy(acc + 8 * i, m, sizeof m);
    }
    return i;
}

/** Of an operation and a type, a function each: as cases of one function they take the compiler an eighth longer. */
#  define SHORTS(op, id, real)                                                                                     \
    ALL_IN_IT static int64_t shorts_##op##_##id(unsigned char const *from, int64_t count, int64_t n, int64_t near, \
                                                unsigned char *acc)                                                \
    {                                                                                                              \
      return shorts(op, TSR_##id, real, from, count, n, near, acc);                                                \
    }
#  define X(id, T, real) OPERATIONS(SHORTS, id, real)
TSR_REDUCED_LIST(X)
#  undef X
#  undef SHORTS
#endif

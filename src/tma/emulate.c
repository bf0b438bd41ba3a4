/** What TMA instructions do to memory, one element after the other. */
#include <string.h>

#include "tessera/exec/tma.h"

/* Elements as bits: numbers of whole bytes as the machine has them, packed ones of 4 and 6 bits lowest bit first. */

/** The byte of bit i of an element of n bits that begins at `bit`. */
static int64_t byte_of(int64_t bit, int i, int n)
{
    return TSR_BIG_ENDIAN && n >= 16 ? (bit + n - 8 - i) / 8 : (bit + i) / 8;
}

static uint64_t read_bits(unsigned char const *p, int64_t bit, int n)
{
    uint64_t v = 0;
    for (int i = 0; i < n;) {
        int const skip = (int)((bit + i) % 8), take = 8 - skip < n - i ? 8 - skip : n - i;
        v |= (uint64_t)((unsigned)p[byte_of(bit, i, n)] >> skip & ((1u << take) - 1)) << i;
        i += take;
    }
    return v;
}

static void write_bits(unsigned char *p, int64_t bit, int n, uint64_t v)
{
    for (int i = 0; i < n;) {
        int const skip = (int)((bit + i) % 8), take = 8 - skip < n - i ? 8 - skip : n - i;
        unsigned const mask = ((1u << take) - 1) << skip;
        unsigned char *const at = p + byte_of(bit, i, n);
        *at = (unsigned char)((*at & ~mask) | ((unsigned)(v >> i << skip) & mask));
        i += take;
    }
}

/** Where a box is while it is walked. */
typedef struct walk {
    tsr_tma_desc const *d;
    tsr_tma_box const *at;
    tsr_swizzle swizzle;
    int bits;                       /* of an element */
    int64_t end;                    /* of dimension 0 */
    int64_t position[TSR_TMA_DIMS]; /* of the row's first element in the tensor; im2col: before the offset */
    int64_t row;                    /* rows before this one */
    int64_t const *rows;            /* gather and scatter: where each row stands in dimension 1 */
} walk;

static walk walk_begin(tsr_tma_desc const *d, tsr_tma_box const *at, int64_t const *rows)
{
    walk w = {d, at, tsr_tma_swizzle_bits(d->swizzle), tsr_tma_format_bits(d->format), d->dim[0], {0}, 0, rows};
    for (int i = 0; i < d->rank; ++i)
        w.position[i] = at->coord[i];
    if (rows)
        w.position[1] = rows[0];
    return w;
}

/** The next row of the box: tiled, the next place of the box, im2col, the next pixel of the bounding box. */
static bool walk_next(walk *w)
{
    tsr_tma_desc const *const d = w->d;
    int64_t rows = 1, count = ++w->row;
    for (int i = 1; i < d->rank; ++i)
        rows *= tsr_tma_extent(d, i);
    if (w->rows) {
        w->position[1] = w->rows[count < rows ? count : 0];
    } else if (d->im2col) {
        for (int i = 1; i < d->rank; ++i) {
            w->position[i] += d->step[i];
            if (i > d->rank - 2 || w->position[i] < d->dim[i] + d->upper[i - 1])
                break;
            w->position[i] = d->lower[i - 1];
        }
    } else {
        for (int i = 1; i < d->rank; ++i) {
            int64_t const n = tsr_tma_extent(d, i);
            w->position[i] = w->at->coord[i] + count % n * d->step[i];
            count /= n;
        }
    }
    return w->row < rows;
}

/** The bit of element k of the row in the tensor, or -1 outside of it. */
static int64_t global_bit(walk const *w, int64_t k)
{
    tsr_tma_desc const *const d = w->d;
    int64_t const first = w->position[0] + k;
    int64_t byte = 0;
    if (first < 0 || first >= w->end)
        return -1;
    for (int i = 1; i < d->rank; ++i) {
        int64_t const x = w->position[i] + (d->im2col && i <= d->rank - 2 ? w->at->offset[i - 1] : 0);
        if (x < 0 || x >= d->dim[i])
            return -1;
        byte += x * d->stride[i];
    }
    return byte * 8 + first * w->bits;
}

/** The bit of element k of the row in shared memory. Formats padded to 16 bytes hold 16 elements in each. */
static int64_t shared_bit(walk const *w, int64_t k)
{
    bool const padded = tsr_tma_smem_bits(w->d->format) != w->bits;
    int64_t const bit =
        w->row * tsr_tma_row_pitch(w->d) * 8 + (padded ? k / 16 * 128 + k % 16 * w->bits : k * w->bits);
    int64_t byte = (int64_t)tsr_swizzle_apply(w->swizzle, (uint64_t)(w->at->address + bit / 8));
    if (w->d->swizzle == TSR_TMA_SWIZZLE_128B_ATOM_32B_FLIP_8B && ((w->at->address + bit / 8) >> 7 & 1) != 0)
        byte ^= 8;
    return byte * 8 + bit % 8;
}

/** What stands for an element outside the tensor: the NaN is the one that an H200 writes. */
static uint64_t fill_of(tsr_tma_desc const *d)
{
    if (d->fill == TSR_TMA_FILL_ZERO)
        return 0;
    return 0x7ff77ff77ff77ff7 & (UINT64_MAX >> (64 - tsr_tma_format_bits(d->format)));
}

/** What a load makes of an element: TFLOAT32 keeps 10 bits of the mantissa, rounded to nearest even, and has one NaN.
 *  The FTZ formats load subnormal numbers like the others. (Not documented; so does an H200.) */
static uint64_t loaded(int format, uint64_t v)
{
    bool const tf32 = format == TSR_TMA_TFLOAT32 || format == TSR_TMA_TFLOAT32_FTZ;
    uint64_t const exponent = v >> 23 & 255;
    if (!tf32)
        return v;
    if (exponent == 255)
        return (v & 0x7fffff) != 0 ? 0x7fffe000 : v;
    return (v + 0xfff + (v >> 13 & 1)) & ~(uint64_t)0x1fff;
}

/** Why a box cannot be moved. */
static tsr_reason reason(tsr_tma_desc const *d, tsr_tma_box const *at)
{
    tsr_verdict const v = tsr_tma_lint_smem_at(*d, at->address, at->size - at->address, TSR_TMA_SMEM_UNIT);
    if (v.answer != TSR_YES)
        return v.why;
    int64_t const first = at->coord[0] * tsr_tma_format_bits(d->format);
    if (first % 128 != 0)
        return tsr_because(TSR_TMA_COORD, 0, at->coord[0], first / 8, 0);
    if (d->interleave != TSR_TMA_INTERLEAVE_NONE)
        return tsr_because(TSR_TMA_INTERLEAVED, 0, d->interleave, 0, 0);
    return tsr_no_reason();
}

/** The map with a box of four rows, or why it has none. */
static tsr_tma_desc four_rows(tsr_tma_desc const *d)
{
    tsr_tma_desc r = *d;
    if (!d->why.status && (d->im2col || d->rank != 2 || d->box[1] != 1))
        r.why = tsr_because(TSR_TMA_GATHER, 0, d->rank, d->im2col ? d->pixels : d->box[1], 1);
    r.box[1] = 4;
    return r;
}

static void load(tsr_tma_desc const *d, void const *global, tsr_tma_box const *at, int64_t const *rows)
{
    walk w = walk_begin(d, at, rows);
    uint64_t const fill = fill_of(d);
    do {
        for (int64_t k = 0; k < tsr_tma_extent(d, 0); ++k) {
            int64_t const from = global_bit(&w, k);
            uint64_t const v =
                from < 0 ? fill : loaded(d->format, read_bits((unsigned char const *)global, from, w.bits));
            write_bits(at->shared, shared_bit(&w, k), w.bits, v);
        }
    } while (walk_next(&w));
}

tsr_reason tsr_tma_load(tsr_tma_desc const *d, void const *global, tsr_tma_box const *at)
{
    tsr_reason const r = reason(d, at);
    if (!r.status)
        load(d, global, at, NULL);
    return r;
}

tsr_reason tsr_tma_gather4(tsr_tma_desc const *d, void const *global, tsr_tma_box const *at, int64_t const *rows)
{
    tsr_tma_desc const four = four_rows(d);
    tsr_reason const r = reason(&four, at);
    if (!r.status)
        load(&four, global, at, rows);
    return r;
}

tsr_reason tsr_tma_load_multicast(tsr_tma_desc const *d, void const *global, tsr_tma_box const *at,
                                  unsigned char *const *shared, uint32_t mask)
{
    tsr_reason const r = reason(d, at);
    for (int cta = 0; !r.status && cta < 16; ++cta) {
        tsr_tma_box one = *at;
        if ((mask >> cta & 1) != 0) {
            one.shared = shared[cta];
            load(d, global, &one, NULL);
        }
    }
    return r;
}

/* Reductions */

/** A 16-bit float with `mantissa` bits (10 or 7) as a double. */
static double from_float16(uint64_t v, int mantissa)
{
    int const width = 15 - mantissa, bias = (1 << (width - 1)) - 1, all = (1 << width) - 1;
    int const exponent = (int)(v >> mantissa) & all;
    uint64_t const fraction = v & ((1u << mantissa) - 1);
    uint64_t bits = v >> 15 << 63;
    double r = 0;
    if (exponent == all)
        bits |= (uint64_t)0x7ff << 52 | fraction << (52 - mantissa);
    else if (exponent != 0)
        bits |= (uint64_t)(exponent - bias + 1023) << 52 | fraction << (52 - mantissa);
    memcpy(&r, &bits, 8);
    if (exponent == 0 && fraction != 0) {
        uint64_t unit = (uint64_t)(1 - bias - mantissa + 1023) << 52;
        memcpy(&r, &unit, 8);
        r = (bits != 0 ? -1.0 : 1.0) * (double)fraction * r;
    }
    return r;
}

/** The nearest 16-bit float, ties to even; NaN is 0x7fff. */
static uint64_t to_float16(double x, int mantissa)
{
    int const width = 15 - mantissa, bias = (1 << (width - 1)) - 1, all = (1 << width) - 1;
    uint64_t bits = 0;
    memcpy(&bits, &x, 8);
    uint64_t const sign = bits >> 63 << 15;
    int64_t const exponent = (int64_t)(bits >> 52 & 0x7ff) - 1023 + bias;
    if (x != x)
        return 0x7fff;
    if (exponent >= all)
        return sign | (uint64_t)all << mantissa;
    if (exponent < -mantissa)
        return sign;
    uint64_t const whole = (bits & (((uint64_t)1 << 52) - 1)) | (exponent > 0 ? 0 : (uint64_t)1 << 52);
    int const drop = 52 - mantissa + (exponent > 0 ? 0 : (int)(1 - exponent));
    uint64_t const kept = (exponent > 0 ? (uint64_t)exponent << mantissa : 0) + (whole >> drop);
    uint64_t const rest = whole & (((uint64_t)1 << drop) - 1), half = (uint64_t)1 << (drop - 1);
    return sign | (kept + (rest > half || (rest == half && (kept & 1) != 0)));
}

/** A subnormal float32 as zero of its sign, if `ftz`. */
static uint32_t flushed(uint32_t v, bool ftz) { return ftz && (v >> 23 & 255) == 0 ? v & 0x80000000u : v; }

/** a op b on floats of a format, TFLOAT32 like FLOAT32. A sum that is no number is one pattern, but of FLOAT64 the NaN
 *  of b, else that of a, as it is; min and max of a NaN and a number is the number. (All as an H200 does it.) */
static uint64_t combine_floats(int op, int format, uint64_t a, uint64_t b)
{
    if (tsr_tma_format_bits(format) == 32) {
        bool const ftz = format == TSR_TMA_FLOAT32_FTZ || format == TSR_TMA_TFLOAT32_FTZ;
        uint32_t const u[2] = {flushed((uint32_t)a, ftz), flushed((uint32_t)b, ftz)};
        uint32_t r = 0;
        float x[2];
        memcpy(x, u, 8);
        x[0] += x[1];
        memcpy(&r, x, 4);
        return x[0] == x[0] ? flushed(r, ftz) : 0x7fffffff;
    }
    if (format == TSR_TMA_FLOAT64) {
        double x[2];
        memcpy(&x[0], &a, 8);
        memcpy(&x[1], &b, 8);
        if (x[0] != x[0] || x[1] != x[1])
            return x[1] != x[1] ? b : a;
        x[0] += x[1];
        memcpy(&a, x, 8);
        return x[0] == x[0] ? a : UINT64_C(0xfff8000000000000);
    }
    int const mantissa = format == TSR_TMA_FLOAT16 ? 10 : 7;
    double const x = from_float16(a, mantissa), y = from_float16(b, mantissa);
    if (op == TSR_TMA_ADD)
        return to_float16(x + y, mantissa);
    if (x != x || y != y)
        return x == x ? a : y == y ? b : 0x7fff;
    bool const first = x == y ? (op == TSR_TMA_MIN) == (a >> 15 != 0) : (op == TSR_TMA_MIN) == (x < y);
    return first ? a : b;
}

static uint64_t combine(int op, int format, uint64_t a, uint64_t b)
{
    bool const is_signed = format == TSR_TMA_INT32 || format == TSR_TMA_INT64;
    uint64_t const sign = is_signed ? (uint64_t)1 << (tsr_tma_format_bits(format) - 1) : 0;
    bool const less = (a ^ sign) < (b ^ sign);
    if (tsr_tma_is_float(format))
        return combine_floats(op, format, a, b);
    switch (op) {
    case TSR_TMA_ADD:
        return a + b;
    case TSR_TMA_MIN:
        return less ? a : b;
    case TSR_TMA_MAX:
        return less ? b : a;
    case TSR_TMA_INC:
        return a >= b ? 0 : a + 1;
    case TSR_TMA_DEC:
        return a == 0 || a > b ? b : a - 1;
    case TSR_TMA_AND:
        return a & b;
    case TSR_TMA_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

static bool reduces(int op, int format)
{
    switch (format) {
    case TSR_TMA_UINT32:
        return op >= TSR_TMA_ADD && op < TSR_TMA_REDUCTIONS;
    case TSR_TMA_INT64:
        return op == TSR_TMA_MIN || op == TSR_TMA_MAX;
    case TSR_TMA_INT32:
    case TSR_TMA_UINT64:
        return op >= TSR_TMA_ADD && op < TSR_TMA_REDUCTIONS && op != TSR_TMA_INC && op != TSR_TMA_DEC;
    case TSR_TMA_FLOAT16:
    case TSR_TMA_BFLOAT16:
        return op == TSR_TMA_ADD || op == TSR_TMA_MIN || op == TSR_TMA_MAX;
    case TSR_TMA_FLOAT32:
    case TSR_TMA_FLOAT32_FTZ:
    case TSR_TMA_TFLOAT32:
    case TSR_TMA_TFLOAT32_FTZ:
    case TSR_TMA_FLOAT64:
        return op == TSR_TMA_ADD;
    default:
        return false;
    }
}

/** A store, combining when op is a reduction. Whole 16 bytes of dimension 0 are written: where its extent ends inside
 *  of them, what lies behind it is overwritten or combined, too. (So does an H200; no document says it.) */
static tsr_reason store(tsr_tma_desc const *d, int op, void *global, tsr_tma_box const *at, int64_t const *rows)
{
    tsr_reason const r = reason(d, at);
    walk w = walk_begin(d, at, rows);
    unsigned char *const to = (unsigned char *)global;
    for (int i = 0; !r.status && i < d->rank; ++i)
        for (int k = 0; k < (rows && i == 1 ? 4 : 1); ++k) {
            int64_t const first = rows && i == 1 ? rows[k] : at->coord[i];
            if (first < 0)
                return tsr_because(TSR_TMA_STORE, i, first, 0, 0);
        }
    for (int i = 1; d->im2col && !r.status && i < d->rank - 1; ++i)
        if (d->lower[i - 1] < 0 || d->upper[i - 1] > 0)
            return tsr_because(TSR_TMA_STORE_PIXELS, i, d->lower[i - 1], d->upper[i - 1], 0);
    if (r.status)
        return r;
    w.end = tsr_round_up64(w.end * w.bits, 128) / w.bits;
    do {
        for (int64_t k = 0; k < tsr_tma_extent(d, 0); ++k) {
            int64_t const bit = global_bit(&w, k);
            uint64_t v = read_bits(at->shared, shared_bit(&w, k), w.bits);
            if (bit < 0)
                continue;
            if (op != TSR_TMA_REDUCTIONS)
                v = combine(op, d->format, read_bits(to, bit, w.bits), v);
            write_bits(to, bit, w.bits, v);
        }
    } while (walk_next(&w));
    return r;
}

tsr_reason tsr_tma_store(tsr_tma_desc const *d, void *global, tsr_tma_box const *at)
{
    return store(d, TSR_TMA_REDUCTIONS, global, at, NULL);
}

tsr_reason tsr_tma_scatter4(tsr_tma_desc const *d, void *global, tsr_tma_box const *at, int64_t const *rows)
{
    tsr_tma_desc const four = four_rows(d);
    return store(&four, TSR_TMA_REDUCTIONS, global, at, rows);
}

tsr_reason tsr_tma_reduce(tsr_tma_desc const *d, tsr_tma_reduction op, void *global, tsr_tma_box const *at)
{
    if (!d->why.status && !reduces((int)op, d->format))
        return tsr_because(TSR_TMA_REDUCE, 0, (int)op, d->format, 0);
    return store(d, (int)op, global, at, NULL);
}

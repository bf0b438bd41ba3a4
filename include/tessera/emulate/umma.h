/** tcgen05.mma on the emulator: an instruction word, descriptors and addresses become sums in tensor memory.
 *
 *  Rows of C are lanes. Which ones depends on the rows that a CTA has:
 *
 *      128 rows                       lane m, column n
 *      64 rows, one CTA; a pair with a sparse A     lane m % 16 + m / 16 * 32, column n
 *      64 rows of a pair, of .ws; 32 of .ws         lane m + rows * part, column n % (N / parts): N in 128 / rows parts
 *
 *  The data path of a lane reads A in tensor memory from that lane, and scales and its part of N's from the 32 lanes
 *  that it belongs to. So A and scales must be there as often as lanes need them.
 *
 *  Law     the sum over one instruction's K is exact in double, then added and rounded once to the type of C.
 *  Source  PTX ISA 9.0, tcgen05: "Data path layout organization", "Scale factor", "Sparse matrices".
 */
#ifndef TSR_EMULATE_UMMA_H
#define TSR_EMULATE_UMMA_H

#include "tessera/atom/umma.h"
#include "tessera/emulate/operands.h"

namespace tsr_emulator
{

/** One mma, all that its words and registers say. */
struct mma {
    tsr_umma_kind kind;
    int ctas, vector, shift, collect; /* elements with a scale; C is first divided by 2^shift; TSR_UMMA_COLLECT_.. */
    bool ts, sparse, ws, add;
    uint32_t word, c, e, sfa, sfb;
    uint64_t a, b, zero; /* the mask of columns of B that are 0 (.ws) */
    uint32_t masked[8];  /* lanes that are not written */
    int first;           /* rank of the first CTA */
    actor by;
    int m, n, k, rows; /* rows of C in a CTA */
    element ea, eb;
    units held[2][2]; /* operands as they were at the issue: [A, B][CTA] */
};

inline uint32_t field(mma const &x, tsr_umma_field f) { return tsr_umma_field_of(x.kind, x.word, f); }

/** The type of A or B by the number in the word. */
inline element element_in(tsr_umma_kind kind, uint32_t type)
{
    static tsr_dtype const eights[] = {TSR_F8_E4M3FN, TSR_F8_E5M2, 0, TSR_F6_E2M3, TSR_F6_E3M2, TSR_F4_E2M1, 0, 0};
    tsr_dtype const t = kind == TSR_UMMA_KIND_TF32   ? (tsr_dtype)TSR_TF32
                        : kind == TSR_UMMA_KIND_F16  ? (tsr_dtype)(type ? TSR_BF16 : TSR_F16)
                        : kind == TSR_UMMA_KIND_I8   ? (tsr_dtype)(type ? TSR_I8 : TSR_U8)
                        : kind == TSR_UMMA_KIND_MXF4 ? (tsr_dtype)TSR_F4_E2M1
                                                     : eights[type & 7];
    int const bits = tsr_dtype_bits(t);
    return {t, bits, kind == TSR_UMMA_KIND_MXF4 ? 32 : bits < 8 ? 16 : 128 / bits};
}

inline char const *kind_words(tsr_umma_kind kind)
{
    static char const *const all[] = {
#define TSR_X_(id, words, scaled) words,
        TSR_UMMA_KIND_LIST(TSR_X_)
#undef TSR_X_
    };
    return kind < TSR_UMMA_KINDS ? all[kind] : "?";
}

inline char const *field_words(tsr_umma_field f)
{
    static char const *const all[] = {
#define TSR_X_(id, words, ...) words,
        TSR_UMMA_FIELD_LIST(TSR_X_)
#undef TSR_X_
    };
    return f < TSR_UMMA_FIELDS ? all[f] : "?";
}

/** Rows of C: which lanes. */
enum rows_in { FULL, SCATTERED, FOLDED };
inline rows_in place_of(mma const &x)
{
    if (x.rows == 128)
        return FULL;
    return x.rows == 64 && !x.ws && (x.ctas == 1 || x.sparse) ? SCATTERED : FOLDED;
}

/** The row of C in a lane, -1 where it has none, and which part of N. */
inline int row_of_lane(mma const &x, int lane, int *part)
{
    int const first = (int)(x.c >> 16 & 127), in = lane - first;
    *part = 0;
    switch (place_of(x)) {
    case FULL:
        return lane;
    case SCATTERED:
        return in >= 0 && in % 32 < 16 ? in / 32 * 16 + in % 32 : -1;
    default:
        *part = lane / x.rows;
        return lane % x.rows;
    }
}

inline int parts_of(mma const &x) { return place_of(x) == FOLDED ? 128 / x.rows : 1; }

/** The first column of B, and the greatest that the word announces. */
inline int shift_of(mma const &x) { return (int)(x.zero >> 56 & 63); }
inline int most_shift(mma const &x)
{
    uint32_t const code = field(x, TSR_UMMA_FIELD_SHIFT);
    return code ? 4 << code : 0;
}

/** Refuses words and addresses that the instruction does not have. */
inline bool mma_fits(mma const &x)
{
    tsr_umma_field const f = tsr_umma_fault(x.kind, x.word);
    int const most = x.ctas == 1 ? 128 : 256;
    bool const rows = x.ws ? x.m == 32 || x.m == 64 || x.m == 128 : x.m == most || x.m == most / 2;
    int const step = x.kind == TSR_UMMA_KIND_I8 ? (x.n < 32 ? 8 : 16) : x.m == most || x.ctas == 2 ? 16 : 8;
    uint32_t const lane = x.c >> 16 & 127;
    if (f != TSR_UMMA_FIELDS)
        refuse("tcgen05.mma: the instruction word 0x%08x has %s %u, which kind::%s does not have", x.word,
               field_words(f), tsr_umma_field_of(x.kind, x.word, f), kind_words(x.kind));
    else if (!rows)
        refuse("tcgen05.mma: M is %d in the word 0x%08x; cta_group::%d%s has %s%d and %d", x.m, x.word, x.ctas,
               x.ws ? ".ws" : "", x.ws ? "32, " : "", most / 2, most);
    else if (x.ws && x.n != 64 && x.n != 128 && (x.n != 256 || x.sparse))
        refuse("tcgen05.mma.ws: N is %d in the word 0x%08x; 64, 128 and, of a dense A, 256", x.n, x.word);
    else if (!x.ws && (x.n > 256 || x.n % step != 0))
        refuse("tcgen05.mma: N is %d with M %d in the word 0x%08x; multiples of %d up to 256", x.n, x.m, x.word,
               step);
    else if ((field(x, TSR_UMMA_FIELD_SPARSE) != 0) != x.sparse)
        refuse("tcgen05.mma: the word 0x%08x says %s, the instruction %s", x.word, x.sparse ? "dense" : "sparse",
               x.sparse ? ".sp" : "no .sp");
    else if (field(x, TSR_UMMA_FIELD_SPARSE_ID) != 0 || field(x, TSR_UMMA_FIELD_K96) != 0)
        refuse("tcgen05.mma: sparse ids and K = 96 (the word 0x%08x) are not emulated", x.word);
    else if (most_shift(x) > (!x.ws ? 0 : x.m == 32 ? 16 : 32))
        refuse("tcgen05.mma: the word 0x%08x has shifts up to %d; .ws has them up to 32, with 32 rows up to 16",
               x.word, most_shift(x));
    else if (x.vector
             && (field(x, TSR_UMMA_FIELD_SCALE_A) != x.sfa >> 30 || field(x, TSR_UMMA_FIELD_SCALE_B) != x.sfb >> 30))
        refuse("tcgen05.mma: the word has scale ids %u and %u, the addresses of the scales %u and %u",
               field(x, TSR_UMMA_FIELD_SCALE_A), field(x, TSR_UMMA_FIELD_SCALE_B), x.sfa >> 30, x.sfb >> 30);
    else if (x.vector && place_of(x) == FOLDED && x.n % 128 != 0)
        refuse("tcgen05.mma: where the scales of B are for a pair with M 128 and N %d is not known; N 128 or 256",
               x.n);
    else if (lane != 0 && !(place_of(x) == SCATTERED && lane == 16))
        refuse("tcgen05.mma: the sums begin at lane %u; 0%s", lane, place_of(x) == SCATTERED ? " or 16" : "");
    else
        return true;
    return false;
}

/** How many scales a row has, and the byte of the first one. */
inline int scales_of(mma const &x) { return x.vector ? x.k / (x.sparse ? 2 : 1) / x.vector : 0; }

/** Scales at an address: of `count` rows, for each quarter of the lanes, `each` a row. */
inline std::vector<double> scales_at(mma const &x, cta &c, uint32_t at, int count, int each, char const *what)
{
    int const column = (int)(at & 0xffff), byte = (int)(at >> 30);
    tsr_dtype const type = field(x, TSR_UMMA_FIELD_SCALE) ? TSR_F8_E8M0 : TSR_UE4M3;
    std::vector<double> r((size_t)(4 * count * each));
    if (byte + each > 4)
        refuse("%s: %d scales a row from byte %d of a column of 4", what, each, byte);
    if (!columns_held(c, column, (count + 31) / 32, what))
        return r;
    for (int q = 0; q < 4; ++q) {
        touch_columns(c, q, column, (count + 31) / 32, false, x.by, what);
        for (int i = 0; i < count; ++i) {
            uint32_t const w = read_cell(c, 32 * q + i % 32, column + i / 32, what);
            for (int j = 0; j < each; ++j)
                r[(size_t)((q * count + i) * each + j)] = number_of(type, w >> 8 * ((byte + j) & 3) & 255);
        }
    }
    return r;
}

/** Refuses copies of scales that differ: all four quarters, or those of the same part of N. */
inline void check_copies(mma const &x, std::vector<double> const &s, int count, int each, bool parts,
                         char const *what)
{
    for (int q = 0; q < 4; ++q) {
        int const like = parts ? q / (4 / parts_of(x)) * (4 / parts_of(x)) : 0;
        for (int i = 0; i < count * each; ++i) {
            double const one = s[(size_t)(like * count * each + i)], other = s[(size_t)(q * count * each + i)];
            if (one != other && (one == one || other == other))
                return refuse("%s: the scale %d of row %d is %g in lanes %d to %d and %g in lanes %d to %d", what,
                              i % each, i / each, one, 32 * like, 32 * like + 31, other, 32 * q, 32 * q + 31);
        }
    }
}

/** A sparse row of A: positions that metadata name, of four; of tf32, of two; of 4-bit types pairs, of four pairs. */
inline void spread(mma const &x, cta &c, int row, std::vector<double> const &stored, double *to)
{
    int const group = x.kind == TSR_UMMA_KIND_TF32 ? 2 : x.kind == TSR_UMMA_KIND_MXF4 ? 8 : 4, groups = x.k / group;
    bool const wide = x.kind == TSR_UMMA_KIND_TF32 || x.kind == TSR_UMMA_KIND_F16;
    int const lane = wide ? row % 8 + row / 16 * 16 : row, column = (int)(x.e & 0xffff);
    for (int i = 0; i < x.k; ++i)
        to[i] = 0;
    for (int g = 0; g < groups; ++g) {
        int const half = g / (groups / 2);
        uint32_t const w = wide ? read_cell(c, lane + 8 * half, column, "tcgen05.mma metadata")
                                : read_cell(c, lane, column + g / 8, "tcgen05.mma metadata");
        int const bit = wide ? 16 * (row / 8 % 2) + 4 * (g % (groups / 2)) : 4 * (g % 8);
        uint32_t const code = w >> bit & 15, p0 = code & 3, p1 = code >> 2;
        if (group == 2) {
            if (code != 4 && code != 14)
                refuse("tcgen05.mma: the metadata of row %d, group %d are 0x%x; of tf32 0x4 or 0xe", row, g, code);
            to[2 * g + (code == 14)] = stored[(size_t)g];
            continue;
        }
        if (p0 >= p1)
            refuse("tcgen05.mma: the metadata of row %d, group %d name positions %u and %u; the first is less", row,
                   g, p0, p1);
        for (int i = 0; i < group / 4; ++i) {
            to[group * g + group / 4 * (int)p0 + i] = stored[(size_t)(group / 2 * g + i)];
            to[group * g + group / 4 * (int)p1 + i] = stored[(size_t)(group / 2 * g + group / 4 + i)];
        }
    }
}

inline smem_operand operand_a(mma const &x, int g)
{
    return {&m().ctas[(size_t)(x.first + g)],   fields_of(x.a),
            field(x, TSR_UMMA_FIELD_MN_A) != 0, x.rows,
            x.sparse ? x.k / 2 : x.k,           x.ea};
}
inline smem_operand operand_b(mma const &x, int g)
{
    bool const mn = field(x, TSR_UMMA_FIELD_MN_B) != 0;
    int const each = mn ? x.eb.each : 1, more = (shift_of(x) + each - 1) / each * each; /* whole units */
    return {&m().ctas[(size_t)(x.first + g)], fields_of(x.b), mn, x.n / x.ctas + more, x.k, x.eb};
}

/** Bytes as they are now; a refusal where they are not those of the issue. */
inline units fetch_held(smem_operand const &o, units const &held, char const *what)
{
    units u = fetch(o, what);
    for (size_t i = 0; i < u.bytes.size() && i < held.bytes.size(); ++i)
        if (u.bytes[i] != held.bytes[i]) {
            refuse("%s: shared memory of CTA %d that a pending instruction reads was rewritten (unit %d of the "
                   "operand, 16 bytes each)",
                   what, o.in->rank, (int)(i / 16));
            break;
        }
    return u;
}

/** What an instruction does with a collector buffer. A use reads the buffer or memory, so both have the same matrix. */
inline void collect(cta &c, int buffer, int what, std::vector<double> const &x)
{
    static char const *const names[] = {"a", "b0", "b1", "b2", "b3"};
    std::vector<double> &held = c.collected[buffer];
    bool const reads = what == TSR_UMMA_COLLECT_USE || what == TSR_UMMA_COLLECT_LASTUSE;
    bool const same = held.size() == x.size() && memcmp(held.data(), x.data(), sizeof(double) * x.size()) == 0;
    if (reads && held.empty())
        refuse("tcgen05.mma: collector::%s is used in CTA %d, and no fill before it is still valid", names[buffer],
               c.rank);
    else if (reads && !same)
        refuse("tcgen05.mma: collector::%s of CTA %d was filled with another matrix than the operand names",
               names[buffer], c.rank);
    if (what == TSR_UMMA_COLLECT_FILL)
        held = x;
    else if (what != TSR_UMMA_COLLECT_USE)
        held.clear();
}

/** Is column n of B taken as 0? In each part of N, spans of columns that are used and that are skipped take turns.
 *  Source  the examples of PTX ISA 9.0, "Zero-Column Mask Descriptor", and CuTe; the words of its table are swapped. */
inline bool is_zeroed(mma const &x, int n)
{
    int const skip = (int)(x.zero >> 40 & 255) + 1, use = (int)(x.zero >> 48 & 255) + 1, part = n * parts_of(x) / x.n;
    bool const first = (x.zero >> (32 + part) & 1) != 0; /* begins with columns that are skipped */
    int const at = (n % (x.n / parts_of(x)) + (int)(x.zero >> 8 * part & 255)) % (skip + use);
    return (x.zero >> 39 & 1) != 0 && (first ? at < skip : at >= use);
}

/** Refuses masks whose meaning no document has. */
inline bool mask_fits(mma const &x)
{
    uint64_t const spans[] = {x.zero >> 48 & 255, x.zero >> 40 & 255}; /* less one: used, skipped */
    int const use = x.collect % TSR_UMMA_BUFFER(1);
    if ((x.zero & 0xc000007000000000u) != 0) {
        refuse("tcgen05.mma.ws: the column mask 0x%llx has bits without a name", (unsigned long long)x.zero);
        return false;
    }
    if (shift_of(x) > most_shift(x)) {
        refuse("tcgen05.mma.ws: a shift of %d columns where the word 0x%08x has shifts up to %d", shift_of(x), x.word,
               most_shift(x));
        return false;
    }
    if (shift_of(x) > 0 && use != TSR_UMMA_COLLECT_NONE && use != TSR_UMMA_COLLECT_DISCARD) {
        refuse("tcgen05.mma.ws: a shift of %d columns beside a collector buffer is not emulated", shift_of(x));
        return false;
    }
    for (int i = 0; i < parts_of(x) && (x.zero >> 39 & 1) != 0; ++i)
        if ((x.zero >> 8 * i & 255) > spans[x.zero >> (32 + i) & 1]) {
            refuse("tcgen05.mma.ws: the column mask 0x%llx starts at column %d of a span of %d",
                   (unsigned long long)x.zero, (int)(x.zero >> 8 * i & 255), (int)spans[x.zero >> (32 + i) & 1] + 1);
            return false;
        }
    return true;
}

/** A for every lane of a CTA: rows of k elements, of those lanes that have one. */
inline std::vector<double> a_of_lanes(mma const &x, int g)
{
    cta &c = m().ctas[(size_t)(x.first + g)];
    int const stored = x.sparse ? x.k / 2 : x.k, per = 32 / (x.ea.each == 16 ? 8 : x.ea.bits);
    std::vector<double> r((size_t)(128 * x.k)), rows, one((size_t)stored), all;
    int const columns = stored / per, column = (int)(x.a & 0xffff);
    if (x.ts) {
        if (!columns_held(c, column, columns, "tcgen05.mma A"))
            return r;
        for (int q = 0; q < 4; ++q)
            touch_columns(c, q, column, columns, false, x.by, "tcgen05.mma A");
    } else {
        rows = decode(operand_a(x, g), fetch_held(operand_a(x, g), x.held[0][g], "tcgen05.mma A"));
    }
    for (int lane = 0; lane < 128; ++lane) {
        int part = 0;
        int const row = row_of_lane(x, lane, &part);
        uint32_t w[64] = {};
        if (row < 0)
            continue;
        for (int i = 0; i < columns && x.ts; ++i)
            w[i] = read_cell(c, lane, column + i, "tcgen05.mma A");
        for (int i = 0; i < stored; ++i)
            one[(size_t)i] = x.ts ? tmem_element(w, x.ea, i) : rows[(size_t)(row * stored + i)];
        all.insert(all.end(), one.begin(), one.end());
        if (x.sparse)
            spread(x, c, row, one, &r[(size_t)(lane * x.k)]);
        else
            memcpy(&r[(size_t)(lane * x.k)], one.data(), sizeof(double) * (size_t)x.k);
    }
    if (!x.ws)
        collect(c, 0, x.collect, all);
    return r;
}

/** One sum, in the type of C. Halves are in the low part of a column. */
inline uint32_t rounded(mma const &x, double s, uint32_t junk)
{
    switch (field(x, TSR_UMMA_FIELD_D)) {
    case 0:
        if (x.vector == 0)
            return (uint32_t)tsr_encode(TSR_F16, tsr_number_real(s)) | (junk & 0xffff0000u);
        break;
    case 2: {
        double const top = 2147483647.0, low = -2147483648.0;
        if (field(x, TSR_UMMA_FIELD_SATURATE))
            s = s > top ? top : s < low ? low : s;
        return (uint32_t)(int64_t)s;
    }
    default:
        break;
    }
    float const f = (float)s;
    uint32_t r;
    memcpy(&r, &f, 4);
    return r;
}

inline double sum_before(mma const &x, uint32_t w)
{
    uint32_t const d = x.vector ? 1 : field(x, TSR_UMMA_FIELD_D);
    double s = d == 2 ? (double)(int32_t)w : number_of(d == 0 ? TSR_F16 : TSR_F32, d == 0 ? w & 0xffff : w);
    for (int i = 0; i < x.shift; ++i)
        s /= 2;
    return s;
}

/** The sums of the lanes of a CTA. */
inline void multiply(mma const &x, int g, std::vector<double> const &b)
{
    cta &c = m().ctas[(size_t)(x.first + g)];
    int const parts = parts_of(x), columns = x.n / parts, each = scales_of(x), first = (int)(x.c & 0xffff);
    std::vector<double> const a = a_of_lanes(x, g);
    std::vector<double> sa, sb;
    if (!columns_held(c, first, columns, "tcgen05.mma D"))
        return;
    if (each) {
        sa = scales_at(x, c, x.sfa, x.rows, each, "tcgen05.mma scales of A");
        sb = scales_at(x, c, x.sfb, columns, each, "tcgen05.mma scales of B");
        check_copies(x, sa, x.rows, each, false, "tcgen05.mma scales of A");
        check_copies(x, sb, columns, each, true, "tcgen05.mma scales of B");
    }
    for (int q = 0; q < 4; ++q) {
        if (x.add)
            touch_columns(c, q, first, columns, false, x.by, "tcgen05.mma D");
        touch_columns(c, q, first, columns, true, x.by, "tcgen05.mma D");
    }
    double const sign = field(x, TSR_UMMA_FIELD_NEGATE_A) != field(x, TSR_UMMA_FIELD_NEGATE_B) ? -1 : 1;
    for (int lane = 0; lane < 128; ++lane) {
        int part = 0;
        int const row = row_of_lane(x, lane, &part), q = lane / 32;
        if (row < 0 || (x.masked[4 * g + lane / 32] >> lane % 32 & 1) != 0)
            continue;
        for (int n = 0; n < columns; ++n) {
            double const *const p = &a[(size_t)(lane * x.k)], *const r = &b[(size_t)((part * columns + n) * x.k)];
            double s = 0;
            if (each == 0)
                for (int k = 0; k < x.k; ++k)
                    s += p[k] * r[k];
            for (int j = 0; j < each; ++j) {
                double t = 0;
                for (int k = j * (x.k / each); k < (j + 1) * (x.k / each); ++k)
                    t += p[k] * r[k];
                s += t * sa[(size_t)((q * x.rows + row) * each + j)] * sb[(size_t)((q * columns + n) * each + j)];
            }
            uint32_t const before = x.add ? read_cell(c, lane, first + n, "tcgen05.mma adds and")
                                          : c.tmem.word[(size_t)(lane * TMEM_COLUMNS + first + n)];
            write_cell(c, lane, first + n, rounded(x, sign * s + (x.add ? sum_before(x, before) : 0), before),
                       "tcgen05.mma");
        }
    }
}

inline void run_mma(mma const &x)
{
    std::vector<double> b;
    for (int g = 0; g < x.ctas; ++g) { /* each CTA has its part of B's rows */
        smem_operand const o = operand_b(x, g);
        std::vector<double> const part = decode(o, fetch_held(o, x.held[1][g], "tcgen05.mma B"));
        b.insert(b.end(), part.begin(), part.end());
    }
    if (x.ws)
        collect(m().ctas[(size_t)x.first], 1 + x.collect / TSR_UMMA_BUFFER(1), x.collect % TSR_UMMA_BUFFER(1), b);
    b.erase(b.begin(), b.begin() + shift_of(x) * x.k);
    for (int n = 0; n < x.n; ++n)
        for (int k = 0; k < x.k && is_zeroed(x, n); ++k)
            b[(size_t)(n * x.k + k)] = 0;
    for (int g = 0; g < x.ctas; ++g)
        multiply(x, g, b);
}

/** Fills in what the word says, checks it, and keeps the operands' bytes as they are. */
inline bool make_mma(mma &x)
{
    static int const depths[] = {8, 16, 32, 32, 32, 64};
    x.m = (int)field(x, TSR_UMMA_FIELD_M) * 16;
    x.n = (int)field(x, TSR_UMMA_FIELD_N) * 8;
    x.k = depths[x.kind] * (x.sparse ? 2 : 1);
    x.rows = x.m / x.ctas;
    x.ea = element_in(x.kind, field(x, TSR_UMMA_FIELD_A));
    x.eb = element_in(x.kind, field(x, TSR_UMMA_FIELD_B));
    if (!mma_fits(x) || !mask_fits(x) || (!x.ts && !descriptor_fits(x.a, "tcgen05.mma A"))
        || !descriptor_fits(x.b, "tcgen05.mma B"))
        return false;
    for (int g = 0; g < x.ctas; ++g) {
        if (!x.ts)
            x.held[0][g] = fetch(operand_a(x, g), "tcgen05.mma A");
        x.held[1][g] = fetch(operand_b(x, g), "tcgen05.mma B");
        if ((!x.ts && !x.held[0][g].good) || !x.held[1][g].good)
            return false;
    }
    return true;
}

} // namespace tsr_emulator

#endif

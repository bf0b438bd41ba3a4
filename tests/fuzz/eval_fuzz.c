/** Bytes as calls of the operations in the table, on layouts, tuples and swizzles built from the bytes: nothing
 *  crashes, every result has a text, and a composition that is accepted obeys its law. */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/atom/banks.h"
#include "tessera/text.h"

typedef struct bytes {
    uint8_t const *at, *end;
} bytes;

static unsigned next(bytes *b) { return b->at < b->end ? *b->at++ : 0; }

static int64_t number(bytes *b)
{
    static int64_t const odd[] = {
        0, -1, 1, 2147483647, 2147483648, 4294967296, 9223372036854775807, -9223372036854775807};
    unsigned const x = next(b);
    return x < 240 ? x % 13 : odd[x % 8];
}

static tsr_tuple leaf(bytes *b, bool stride)
{
    unsigned const kind = next(b);
    tsr_leaf a = tsr_leaf_make(kind % 2 ? TSR_STATIC : TSR_DYNAMIC, number(b));
    if (kind % 16 == 3)
        return tsr_wild();
    if (stride && kind % 8 == 5)
        a.aux = 1 + kind / 64;
    return tsr_from_leaf(a);
}

static tsr_tuple tuple(bytes *b, bool stride, int depth)
{
    unsigned const shape = next(b);
    if (depth == 0 || shape % 3 == 0)
        return leaf(b, stride);
    tsr_tuple r = TSR_ZERO;
    for (unsigned i = 0; i < 1 + shape % 4; ++i) {
        tsr_tuple const x = tuple(b, stride, depth - 1);
        tsr_tuple_push(&r, &x);
    }
    return tsr_tuple_close(r);
}

/** An MMA atom (A), a copy atom (C), and what tiles them (H, K). */
static void write_atom(bytes *b, char kind, char *out, size_t size)
{
    static char const *const mma[] = {"SM80_16x8x16_F32F16F16F32_TN",        "SM70_8x8x4_F32F16F16F32_NT",
                                      "GFX11_16x16x16_F32F16F16F32_TN",      "SM90_64x16x16_F16F16F16_SS",
                                      "SM80_16x8x256_S32U1U1S32_TN_XORPOPC", "SM61_DP4A"};
    static char const *const copy[] = {"Copy_Atom<SM75_U32x4_LDSM_N,half_t>",
                                       "SM90_U16x2_STSM_T",
                                       "UniversalCopy<float>",
                                       "Copy_Atom<SM80_CP_ASYNC_CACHEGLOBAL<uint128_t>,float>",
                                       "SM100_UTCCP_4x32dp128bit_2cta",
                                       "SM100_TMEM_LOAD_16dp64b4x"};
    char const *const m = mma[next(b) % 6], *const c = copy[next(b) % 6];
    unsigned const x = 1 + next(b) % 3, y = 1 + next(b) % 4, z = 1 + next(b) % 2;
    if (kind == 'A' || kind == 'C')
        snprintf(out, size, "%s", kind == 'A' ? m : c);
    else if (kind == 'H')
        snprintf(out, size, "make_tiled_mma(%s, (_%u,_%u,_%u), <_%u,_,_>)", m, x, y, z, 16 * x);
    else if (next(b) % 2)
        snprintf(out, size, "make_tiled_copy_A(%s, make_tiled_mma(%s, (_%u,_%u,_%u)))", c, m, x, y, z);
    else
        snprintf(out, size, "make_tiled_copy(%s, (_%u,_%u), (_%u,_%u))", c, 8 * x, 4 * y, 1u << y, z);
}

/** What only the rows of tensor maps take. */
static bool write_tma_argument(bytes *b, char kind, char *out, size_t size)
{
    static char const *const types[] = {"half_t",       "float",           "float_e2m1_t",
                                        "float_e3m2_t", "half_t/uint64_t", "float/half_t"};
    int const m = 1 << next(b) % 5, n = 1 << next(b) % 8;
    if (kind == 'O')
        snprintf(out, size, "%s", next(b) % 2 ? "SM90_TMA_LOAD" : "SM100_TMA_2SM_LOAD_MULTICAST");
    else if (kind == 'Y')
        snprintf(out, size, "%s", types[next(b) % 6]);
    else if (kind == 'S')
        snprintf(out, size, "Sw<%u,%u,3> o smem_ptr[%ub](unset) o (_%d,_%d):(_%d,_1)", next(b) % 4, 3 + next(b) % 3,
                 4u << next(b) % 5, m, n, n);
    else if (kind == 'F')
        snprintf(out, size, "tma_tiled<half_t,%u,%u,%u>((%lld,%lld), (%lld), (%d,%d), (1,%lld))", next(b) % 8,
                 next(b) % 4, next(b) % 5, (long long)number(b), (long long)number(b),
                 (long long)(number(b) % 256 * 16), n, m, (long long)number(b));
    else if (kind == 'I')
        snprintf(out, size,
                 "make_tma_copy(SM90_TMA_LOAD, %s, (%lld,%lld):(_1,%lld), (_%d,_%d):(_1,_%d), (_%d,_%d), %u)",
                 types[next(b) % 6], (long long)number(b), (long long)number(b), (long long)number(b), n, m, n, n, m,
                 1 + next(b) % 4);
    else
        return false;
    return true;
}

/** What only the rows of CK Tile take. */
static bool write_tile_argument(bytes *b, char kind, char *out, size_t size)
{
    static char const *const operations[] = {"set", "add", "max", "atomic_add", "atomic_max", "sum"};
    static char const *const transforms[] = {"pass(%d)",     "pad(%d,1,2)",   "rpad(%d,3)", "slice(%d,1,2)",
                                             "offset(%d,1)", "unmerge(2,%d)", "merge(%d)",  "modulo(%d,9)",
                                             "freeze(%d)",   "insert(%d?)"};
    static char const *const below[] = {"", " | pass(%d):0>0 + pad(%d,1,1):1>1", " | merge(%d,%d):0,1>0",
                                        " | xor(%d,%d):0,1>0,1"};
    char shape[128], stage[128], transform[64];
    int const m = 1 + (int)(next(b) % 9), n = 1 << next(b) % 5;
    snprintf(shape, sizeof shape, "packed((%d,%d),v=%d)", m, n, 1 << next(b) % 3);
    snprintf(stage, sizeof stage, below[next(b) % 4], m, n);
    snprintf(transform, sizeof transform, transforms[next(b) % 10], m);
    if (kind == 'd')
        snprintf(out, size, "%s%s", shape, stage);
    else if (kind == 'v')
        snprintf(out, size, "%s o %s%s", next(b) % 4 ? "counting_iter(0)" : "gmem<float>(4096)", shape, stage);
    else if (kind == 'w')
        snprintf(out, size, "%s%s @@ dist{R=();H=((%d),(2,%d));P=((2.0));Y=(1.0,2.1)} origin=(%d,%d)", shape, stage,
                 m, n, (int)(number(b) % 4), (int)(next(b) % 4));
    else if (kind == 'e')
        snprintf(out, size, "dist{R=(%d);H=((%d,2),(%d));P=((0.0,1.%u));Y=(1.%u,2.0)}", 1 + (int)(next(b) % 3), m, n,
                 next(b) % 2, next(b) % 3);
    else if (kind == 't' || kind == 'l')
        snprintf(out, size, kind == 't' ? "%s" : "%s:0>0, pass(%d):1>1", transform, n);
    else if (kind == 'm' || kind == 'p')
        snprintf(out, size, "%s", kind == 'm' ? operations[next(b) % 6] : next(b) % 2 ? "lds" : "global");
    else if (kind == 'b')
        snprintf(out, size, "%s", tsr_banks_name((tsr_banks)(next(b) % 13)));
    else if (kind == 'i')
        snprintf(out, size, "(%d,%d)", (int)(number(b) % 9), (int)(next(b) % 9));
    else
        return false;
    return true;
}

/** A distributed layout in the words of some system, and a redistribution. */
static bool write_dist_argument(bytes *b, char kind, char *out, size_t size)
{
    static char const *const placements[] = {"S(0)", "S(1)", "R", "P", "SS(0,2)", "SS(1,3)", "S(0)[1]", "S(0)[0]"};
    int const m = (int)(next(b) % 20), n = 1 + (int)(next(b) % 9), p = 1 + (int)(next(b) % 4),
              q = 1 + (int)(next(b) % 4);
    char text[2][256];
    if (kind != 'r' && kind != 'x')
        return false;
    for (int i = 0; i < 2; ++i) {
        unsigned const system = next(b) % 5;
        if (system == 0)
            snprintf(text[i], sizeof text[i], "scalapack(%d,%d,%u,%d,%d,%d)", m, n, 1 + next(b) % 4, n, p, q);
        else if (system == 1)
            snprintf(text[i], sizeof text[i], "hpf((%d,%d),(BLOCK,CYCLIC(%u)),(%d,%d))", m, n, 1 + next(b) % 3, p, q);
        else if (system == 2)
            snprintf(text[i], sizeof text[i],
                     "xla((%d,%d),{devices=[%d,1,%d]<=[%d,%d]T(1,0) last_tile_dim_replicate})", m, n, p, q, q, p);
        else if (system == 3)
            snprintf(text[i], sizeof text[i], "distributed((%d,(%d,%d)):(%d@1,(1@1,1@0)))", m + 1, n, p, n);
        else
            snprintf(text[i], sizeof text[i], "dtensor((%d,%d),(%d,%d),[%s,%s])@%u", m, n, p, q,
                     placements[next(b) % 8], placements[next(b) % 8], next(b) % 3);
    }
    snprintf(out, size, kind == 'r' ? "%s" : "redistribute(%s, %s)", text[0], text[1]);
    return true;
}

static void write_argument(bytes *b, char kind, char *out, size_t size)
{
    char shape[TSR_TEXT_SIZE], stride[TSR_TEXT_SIZE];
    unsigned const style = next(b);
    if (kind == 'W') {
        snprintf(out, size, "Sw<%u,%u,%d>", next(b) % 4, next(b) % 6, (int)(next(b) % 9) - 4);
        return;
    }
    if (strchr("ACHK", kind)) {
        write_atom(b, kind, out, size);
        return;
    }
    if (write_tma_argument(b, kind, out, size) || write_tile_argument(b, kind, out, size)
        || write_dist_argument(b, kind, out, size))
        return;
    tsr_tuple const s = tuple(b, false, 3);
    tsr_format_tuple(shape, sizeof shape, s, 0);
    tsr_format_tuple(stride, sizeof stride, style % 4 ? tsr_compact_col_major(s) : tuple(b, true, 3), 0);
    if (kind == 'L' && style % 7 == 0)
        snprintf(out, size, "Sw<%u,%u,3> o %u o %s:%s", next(b) % 4, next(b) % 6, next(b), shape, stride);
    else if (kind == 'L' || (strchr("RQM", kind) && style % 3 == 0))
        snprintf(out, size, "%s:%s", shape, stride);
    else
        snprintf(out, size, "%s", shape);
}

static void check_composition(char const *left, char const *right)
{
    tsr_layout const a = tsr_parse(left), b = tsr_parse(right), r = tsr_composition(a, b);
    bool plain = tsr_ok(r) && !a.composed && !b.composed;
    for (int i = 0; plain && i < a.stride.leaves; ++i)
        plain = a.stride.leaf[i].aux == 0 && a.stride.leaf[i].value >= 0 && a.shape.leaf[i].value < 1000
                && a.stride.leaf[i].value < 1000;
    for (int i = 0; plain && i < b.stride.leaves; ++i)
        plain = b.stride.leaf[i].aux == 0 && b.stride.leaf[i].value >= 0 && b.shape.leaf[i].value < 1000
                && b.stride.leaf[i].value < 1000;
    for (int64_t c = 0; plain && c < tsr_size(b) && c < 512; ++c)
        if (tsr_at(r, c) != tsr_at(a, tsr_at(b, c)))
            abort();
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    enum { MOST = 8 }; /* arguments of a row */
    static char argument[MOST][2 * TSR_TEXT_SIZE], expression[(2 * MOST + 2) * TSR_TEXT_SIZE], text[TSR_TEXT_SIZE];
    bytes b = {data, data + size};
    int count = 0, args = 0;
    tsr_op const *const ops = tsr_ops(&count);
    tsr_op const *const op = &ops[(next(&b) | next(&b) << 8) % (unsigned)count];
    char brackets[64] = "";
    char const *label = op->labels;
    for (char const *p = op->signature; *p; ++p) {
        if (strchr("(), oc", *p))
            continue;
        size_t const n = strlen(brackets), m = strcspn(label, " ");
        if (strchr("NP", *p))
            snprintf(brackets + n, sizeof brackets - n, "%s%d", n ? "," : "<", (int)(next(&b) % 6) - 1);
        else if (*p == 'B')
            snprintf(brackets + n, sizeof brackets - n, "%s%s", n ? "," : "<", next(&b) % 2 ? "half_t" : "uint4b_t");
        else {
            bool const in_front = m > 0 && *label != '-' && label[m - 1] != ':';
            int const before = in_front ? snprintf(argument[args], 16, "%.*s=", (int)m, label) : 0;
            write_argument(&b, *p, argument[args] + before, sizeof argument[0] - (size_t)before);
            ++args;
        }
        label += m + (label[m] == ' ');
    }
    int n = snprintf(expression, sizeof expression, "%s%s%s(", op->name, brackets, *brackets ? ">" : "");
    for (int i = 0; i < args; ++i)
        n += snprintf(expression + n, sizeof expression - (size_t)n, "%s%s", i ? ", " : "", argument[i]);
    snprintf(expression + n, sizeof expression - (size_t)n, ")");
    bool const ok = tsr_calc(expression, 0, text, sizeof text);
    if (*text == 0 && !(ok && op->result == 'a')) /* an answer may be that there is nothing: no lanes, no steps */
        abort();
    if (args == 2)
        check_composition(argument[0], argument[1]);
    return 0;
}

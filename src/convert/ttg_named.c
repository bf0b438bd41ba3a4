/** Linear maps as named encodings of Triton. Candidates of each kind follow from the bits that each input has along
 *  each dimension. Each is read as text, and the first one whose map is the same is written. So no rule of an encoding
 *  is stated twice. */
#include <stdarg.h>

#include "convert/attribute.h"

enum { LANE = 1, WARP = 2, TEXT = 512, TRIES = 1 << 13 };

typedef struct search {
    tsr_linear f;
    tsr_tuple shape;
    int rank, left, best; /* tries left; the most bases that a candidate has in common with the map */
    int64_t size[TSR_LINEAR_DIMS][3], none[3]; /* bits of register, lane and warp along each dimension, and nowhere */
    int least[TSR_LINEAR_DIMS];                /* the lowest bit of a lane or a warp along a dimension; 64: none */
    bool found;
    char const *front, *back; /* of an operand, around its parent */
    char cluster[TEXT], text[TEXT], nearest[TEXT];
} search;

/* Candidates */

static int common_bases(tsr_linear const *f, tsr_linear const *g)
{
    int same = 0;
    for (int d = 0, at = 0, other = 0; d < f->in.count && d < g->in.count; ++d) {
        for (int b = 0; b < f->in.bits[d] && b < g->in.bits[d]; ++b)
            same += f->basis[at + b] == g->basis[other + b];
        at += f->in.bits[d];
        other += g->in.bits[d];
    }
    return same;
}

/** Reads a candidate; the same map is the end of the search. */
SCAN_FORMAT(2) static void try_text(search *s, char const *format, ...)
{
    char inner[TEXT];
    tsr_message error;
    tsr_converted r = TSR_ZERO;
    va_list args;
    if (s->found || s->left-- <= 0)
        return;
    va_start(args, format);
    vsnprintf(inner, sizeof inner, format, args);
    va_end(args);
    snprintf(s->text, sizeof s->text, "%s%s%s", s->front, inner, s->back);
    scan in = tsr_scan_open_(s->text, strlen(s->text), &error);
    tsr_read_ttg_(&in, s->shape, &r);
    if (in.failed || r.map.why.status)
        return;
    int const bits = tsr_linear_bits(&s->f.in), same = common_bases(&s->f, &r.map);
    s->found = tsr_linear_bits(&r.map.in) == bits && same == bits;
    for (int d = 0; d < s->f.in.count && d < r.map.in.count; ++d)
        s->found = s->found && s->f.in.bits[d] == r.map.in.bits[d];
    if (same > s->best) {
        s->best = same;
        memcpy(s->nearest, s->text, sizeof s->nearest);
    }
}

/** "[1, 2]" of powers of two. */
static char const *list_of(char *out, size_t size, int64_t const *bits, int rank)
{
    writer w;
    writer_open(&w, out, size);
    for (int d = 0; d < rank; ++d)
        put(&w, "%s%lld", d > 0 ? ", " : "[", 1ll << bits[d]);
    put(&w, "]");
    return out;
}

/** Bits that go nowhere lie along some dimension, beyond the shape. The next way to share them out, or false. */
static bool next_share(int *share, int64_t bits, int rank)
{
    for (int64_t i = bits - 1; i >= 0; --i)
        if (share[i] + 1 < rank) {
            int const d = share[i] + 1;
            for (; i < bits; ++i)
                share[i] = d;
            return true;
        }
    return false;
}

/** The bits of an input along each dimension, with those that go nowhere shared out. */
static void shared_bits(search const *s, int in, int const *share, int64_t *bits)
{
    for (int d = 0; d < s->rank; ++d)
        bits[d] = s->size[d][in];
    for (int i = 0; i < s->none[in]; ++i)
        ++bits[share[i]];
}

/** A candidate for each way in which its warps can lie: `front` warpsPerCTA `back`. */
static void try_warps(search *s, char const *front, char const *back)
{
    int share[TSR_LINEAR_BITS] = {0};
    int64_t bits[TSR_LINEAR_DIMS];
    char warps[TEXT];
    do {
        shared_bits(s, WARP, share, bits);
        try_text(s, "%s, warpsPerCTA = %s%s%s}>", front, list_of(warps, sizeof warps, bits, s->rank), back,
                 s->cluster);
    } while (!s->found && next_share(share, s->none[WARP], s->rank));
}

/* Registers, lanes and warps */

static void swap(int64_t *a, int64_t *b)
{
    int64_t const t = *a;
    *a = *b;
    *b = t;
}

/** The next order of dimensions, downwards: [2, 1, 0], [2, 0, 1], .. */
static bool next_order(int64_t *order, int rank)
{
    int i = rank - 2, k = rank - 1;
    while (i >= 0 && order[i] < order[i + 1])
        --i;
    if (i < 0)
        return false;
    while (order[k] > order[i])
        --k;
    swap(&order[i], &order[k]);
    for (int a = i + 1, b = rank - 1; a < b; ++a, --b)
        swap(&order[a], &order[b]);
    return true;
}

static char const *order_of(char *out, size_t size, int64_t const *order, int rank)
{
    writer w;
    writer_open(&w, out, size);
    for (int d = 0; d < rank; ++d)
        put(&w, "%s%lld", d > 0 ? ", " : "[", (long long)order[d]);
    put(&w, "]");
    return out;
}

/** Are there only registers along a dimension, within the shape and beyond? */
static bool is_free(search const *s, int d, int64_t const *lanes, int64_t const *warps)
{
    return s->least[d] == 64 && lanes[d] + warps[d] == s->size[d][LANE] + s->size[d][WARP];
}

/** The registers of a thread side by side: below the lanes and warps of a dimension, all where these go beyond the
 *  shape; where there are none, as many as `free` says. */
static void thread_bits(search const *s, int64_t const *lanes, int64_t const *warps, int64_t const *free,
                        int64_t *bits)
{
    for (int d = 0; d < s->rank; ++d)
        bits[d] = s->least[d] < 64 ? s->least[d] : is_free(s, d, lanes, warps) ? free[d] : s->size[d][0];
}

/** The next numbers of registers side by side. */
static bool next_free(search const *s, int64_t const *lanes, int64_t const *warps, int64_t *free)
{
    for (int d = 0; d < s->rank; ++d) {
        if (is_free(s, d, lanes, warps) && free[d]++ < s->size[d][0])
            return true;
        free[d] = 0;
    }
    return false;
}

static void try_orders(search *s, int64_t const *size, int64_t const *lanes, int64_t const *warps)
{
    int64_t order[TSR_LINEAR_DIMS];
    char text[4][128];
    for (int d = 0; d < s->rank; ++d)
        order[d] = s->rank - 1 - d;
    do
        try_text(s, "#ttg.blocked<{sizePerThread = %s, threadsPerWarp = %s, warpsPerCTA = %s, order = %s%s}>",
                 list_of(text[0], sizeof text[0], size, s->rank), list_of(text[1], sizeof text[1], lanes, s->rank),
                 list_of(text[2], sizeof text[2], warps, s->rank), order_of(text[3], sizeof text[3], order, s->rank),
                 s->cluster);
    while (!s->found && s->left > 0 && next_order(order, s->rank));
}

static void try_blocked(search *s)
{
    int lane_share[TSR_LINEAR_BITS] = {0};
    int64_t lanes[TSR_LINEAR_DIMS], warps[TSR_LINEAR_DIMS], size[TSR_LINEAR_DIMS];
    do {
        int warp_share[TSR_LINEAR_BITS] = {0};
        shared_bits(s, LANE, lane_share, lanes);
        do {
            shared_bits(s, WARP, warp_share, warps);
            int64_t free[TSR_LINEAR_DIMS] = {0};
            do {
                int share[TSR_LINEAR_BITS] = {0};
                do {
                    thread_bits(s, lanes, warps, free, size);
                    for (int i = 0; i < s->none[0]; ++i)
                        ++size[share[i]];
                    try_orders(s, size, lanes, warps);
                } while (!s->found && s->left > 0 && next_share(share, s->none[0], s->rank));
            } while (!s->found && s->left > 0 && next_free(s, lanes, warps, free));
        } while (!s->found && s->left > 0 && next_share(warp_share, s->none[WARP], s->rank));
    } while (!s->found && s->left > 0 && next_share(lane_share, s->none[LANE], s->rank));
}

/** instrShape of version 2 with 1 for each batch. */
static void try_nvidia(search *s)
{
    char back[TEXT];
    writer w;
    writer_open(&w, back, sizeof back);
    put(&w, ", instrShape = [");
    for (int d = 0; d + 2 < s->rank; ++d)
        put(&w, "1, ");
    put(&w, "16, 8]");
    try_warps(s, "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0", back);
    for (int n = 256; n >= 8; n /= 2) {
        snprintf(back, sizeof back, ", instrShape = [16, %d, 16]", n);
        try_warps(s, "#ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0", back);
    }
}

static void try_amd(search *s)
{
    static char const *const shapes[] = {"[32, 32, 8]", "[16, 16, 16]", "[4, 64, 4]", "[64, 4, 4]"};
    char back[TEXT], tiles[128];
    for (int i = 0; i < 4 * 2 * 16; ++i) {
        int64_t each[TSR_LINEAR_DIMS] = {0};
        int const many = i / 8; /* tiles of a warp, 1 to 8 down and across */
        each[s->rank - 2] = many / 4;
        each[s->rank - 1] = many % 4;
        list_of(tiles, sizeof tiles, each, s->rank);
        snprintf(back, sizeof back, "%s%s, instrShape = %s, isTransposed = %s", many ? ", tilesPerWarp = " : "",
                 many ? tiles : "", shapes[i % 4], i / 4 % 2 ? "true" : "false");
        try_warps(s, "#ttg.amd_mfma<{version = 3", back);
    }
    for (int i = 0; i < 4; ++i) {
        snprintf(back, sizeof back, "#ttg.amd_wmma<{version = %d, isTransposed = %s", 1 + i / 2,
                 i % 2 ? "true" : "false");
        try_warps(s, back, "");
    }
}

static void try_operands(search *s)
{
    char front[TEXT], back[TEXT];
    s->front = front;
    s->back = back;
    for (int which = 0; which < 2 && !s->found; ++which) {
        snprintf(front, sizeof front, "#ttg.dot_op<{opIdx = %d, parent = ", which);
        for (int width = 1; width <= 32 && !s->found; width *= 2) {
            snprintf(back, sizeof back, ", kWidth = %d}>", width);
            s->left = TRIES;
            try_nvidia(s);
            try_amd(s);
        }
        snprintf(back, sizeof back, "}>");
        s->left = TRIES;
        try_blocked(s);
    }
    s->front = s->back = "";
}

/* Shared memory */

/** All that differ: groups of `vec` columns, in `most` phases of `per` rows; none, where there is one phase. */
static void try_phases(search *s, int64_t const *order)
{
    char text[128];
    int64_t const columns = s->shape.leaf[order[0]].value, rows = s->rank < 2 ? 1 : s->shape.leaf[order[1]].value;
    order_of(text, sizeof text, order, s->rank);
    for (int64_t most = 1; most <= rows && !s->found; most *= 2)
        for (int64_t per = 1; per < (most == 1 ? 2 : rows) && !s->found; per *= 2)
            for (int64_t vec = 1; vec < (most == 1 ? 2 : columns) && !s->found; vec *= 2)
                try_text(s, "#ttg.swizzled_shared<{vec = %lld, perPhase = %lld, maxPhase = %lld, order = %s%s}>",
                         (long long)vec, (long long)per, (long long)most, text, s->cluster);
}

static void try_swizzled(search *s)
{
    int64_t order[TSR_LINEAR_DIMS];
    for (int d = 0; d < s->rank; ++d)
        order[d] = s->rank - 1 - d;
    do
        try_phases(s, order);
    while (!s->found && s->left > 0 && next_order(order, s->rank));
}

static void try_nvmma(search *s)
{
    static int const widths[] = {16, 8, 32, 64, 4};
    for (int i = 0; i < 5 * 4 * 2; ++i) {
        int const bytes = i / 5 % 4 ? 16 << i / 5 % 4 : 0;
        try_text(s, "#ttg.nvmma_shared<{swizzlingByteWidth = %d, transposed = %s, elementBitWidth = %d%s}>", bytes,
                 i / 20 ? "true" : "false", widths[i % 5], s->cluster);
    }
}

/* The map */

/** The dimension and the bit that a basis is; false: it is none alone. */
static bool take_basis(tsr_linear const *f, uint64_t basis, int *dim, int *bit)
{
    int at = tsr_bit_width(basis) - 1, d = 0;
    for (; d < f->out.count && at >= f->out.bits[d]; ++d)
        at -= f->out.bits[d];
    *dim = d;
    *bit = at;
    return (basis & (basis - 1)) == 0;
}

/** CGALayout of the bases of blocks, in parts of the shape. */
static void write_cluster(search *s, int at, int bits)
{
    int dim = 0, bit = 0, parts[TSR_LINEAR_DIMS] = {0};
    writer w;
    writer_open(&w, s->cluster, sizeof s->cluster);
    for (int b = 0; b < bits; ++b)
        if (s->f.basis[at + b] && take_basis(&s->f, s->f.basis[at + b], &dim, &bit))
            ++parts[dim];
    for (int b = 0; b < bits; ++b) {
        bool const some = s->f.basis[at + b] && take_basis(&s->f, s->f.basis[at + b], &dim, &bit);
        put(&w, "%s[", b > 0 ? ", " : ", CGALayout = [");
        for (int d = 0; d < s->rank; ++d) {
            int const part = bit - (s->f.out.bits[d] - parts[d]);
            put(&w, "%s%lld", d > 0 ? ", " : "", some && d == dim && part >= 0 ? 1ll << part : 0ll);
        }
        put(&w, b + 1 == bits ? "]]" : "]");
    }
}

/** Counts the bits of registers, lanes and warps along each dimension. */
static void count_bits(search *s)
{
    int at = 0;
    for (int d = 0; d < s->rank; ++d)
        s->least[d] = 64;
    for (int in = 0; in < 3 && in < s->f.in.count; ++in)
        for (int b = 0; b < s->f.in.bits[in]; ++b, ++at) {
            int dim = 0, bit = 0;
            if (s->f.basis[at] == 0)
                ++s->none[in];
            else if (take_basis(&s->f, s->f.basis[at], &dim, &bit)) {
                ++s->size[dim][in];
                s->least[dim] = in > 0 && bit < s->least[dim] ? bit : s->least[dim];
            }
        }
    if (s->f.in.count == 4)
        write_cluster(s, at, s->f.in.bits[3]);
}

/** Which bit of the nearest candidate goes elsewhere. */
static void refuse_nearest(search const *s, scan *to)
{
    tsr_message error;
    tsr_converted r = TSR_ZERO;
    scan in = tsr_scan_open_(s->nearest, strlen(s->nearest), &error);
    if (s->nearest[0])
        tsr_read_ttg_(&in, s->shape, &r);
    for (int d = 0, at = 0, other = 0; s->nearest[0] && d < s->f.in.count; ++d) {
        int const bits = s->f.in.bits[d], others = r.map.in.bits[d];
        if (bits != others)
            scan_fail(to, "no named encoding is this map: the nearest, %s, has %d bits of %s, not %d", s->nearest,
                      others, s->f.in.name[d], bits);
        for (int b = 0; b < bits && !to->failed; ++b)
            if (s->f.basis[at + b] != r.map.basis[other + b]) {
                char here[128], there[128];
                writer w;
                writer_open(&w, here, sizeof here);
                tsr_write_basis_(&w, "(", &s->f.out, s->f.basis[at + b], ",", ")");
                writer_open(&w, there, sizeof there);
                tsr_write_basis_(&w, "(", &s->f.out, r.map.basis[other + b], ",", ")");
                scan_fail(to, "no named encoding is this map: in the nearest, %s, bit %d of %s goes to %s, not to %s",
                          s->nearest, b, s->f.in.name[d], there, here);
            }
        at += bits;
        other += others;
    }
    if (!to->failed)
        scan_fail(to, "no named encoding is this map");
}

void tsr_write_ttg_named_(writer *w, tsr_linear const *f, scan *to)
{
    search s = TSR_ZERO;
    bool const memory = f->out.count == 1 && strcmp(f->out.name[0], "offset") == 0;
    char linear[8];
    writer none;
    s.f = memory ? tsr_linear_left_inverse(*f) : *f; /* a layout of shared memory, from coordinates to offsets */
    s.front = s.back = "";
    s.best = -1;
    s.left = TRIES;
    if (s.f.why.status)
        scan_refuse(to, s.f.why);
    writer_open(&none, linear, sizeof linear);
    if (!to->failed)
        tsr_write_ttg_(&none, &s.f, to); /* what #ttg.linear refuses has no name either */
    if (to->failed)
        return;
    s.rank = s.f.out.count;
    for (int d = 0; d < s.rank; ++d)
        tsr_tuple_push_leaf(&s.shape, tsr_leaf_static((int64_t)1 << s.f.out.bits[d]));
    s.shape = tsr_tuple_close(s.shape);
    bool const shared = s.f.in.count > 0 && strcmp(s.f.in.name[0], "offset") == 0;
    if (shared && s.f.in.count == 2)
        write_cluster(&s, s.f.in.bits[0], s.f.in.bits[1]);
    if (!shared)
        count_bits(&s);
    if (shared) {
        try_swizzled(&s);
        s.left = TRIES;
        try_nvmma(&s);
    } else {
        try_blocked(&s);
        s.left = TRIES;
        if (s.rank >= 2)
            try_nvidia(&s), try_amd(&s);
        s.left = TRIES;
        if (s.rank >= 2)
            try_operands(&s);
    }
    if (s.found)
        put(w, "%s", s.text);
    else
        refuse_nearest(&s, to);
}

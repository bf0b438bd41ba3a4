/** TileLang's words: a layout of one offset as T.Layout, one of the coordinates (thread, index) as T.Fragment. A map
 *  from register, lane and warp to a tensor is a fragment the other way round: its inverse, and a replica for each lane
 *  and warp bit that repeats elements. src/fit/tilelang.c reads them. */
#include "convert/convert.h"

enum { DIMS = TSR_LINEAR_DIMS };

static char const *const names[DIMS] = {"i", "j", "k", "l", "m", "n", "p", "q", "r", "s"};

bool tsr_is_tilelang_(char const *text)
{
    return strncmp(text, "T.", 2) == 0 || strncmp(text, "tilelang.", 9) == 0
           || strncmp(text, "make_swizzled_layout(", 21) == 0
           || (strncmp(text, "make_", 5) == 0 && strstr(text, "_bank_swizzled_layout("))
           || strncmp(text, "Fragment(", 9) == 0;
}

/** lambda i, j: */
static void write_names(writer *w, int count, bool rep)
{
    put(w, "lambda");
    for (int d = 0; d < count; ++d)
        put(w, "%s%s", d > 0 ? ", " : " ", rep && d + 1 == count ? "rep" : names[d]);
    put(w, ": ");
}

/** i // 4 % 8 * 16 + ..: the leaves along one basis element, each mode apart. */
static void write_sum(writer *w, tsr_layout const *l, uint32_t path, int64_t offset)
{
    bool some = false;
    int const modes = (int)tsr_layout_rank(*l);
    for (int m = 0; m < modes; ++m) {
        tsr_layout const mode = tsr_coalesce(tsr_static_all(tsr_mode(*l, m)));
        int64_t before = 1;
        for (int k = 0; k < mode.shape.leaves; before *= mode.shape.leaf[k++].value) {
            int64_t const n = mode.shape.leaf[k].value, d = mode.stride.leaf[k].value;
            if (n == 1 || d == 0 || mode.stride.leaf[k].aux != path)
                continue;
            put(w, "%s%s", some ? " + " : "", names[m]);
            if (before > 1)
                put(w, " // %lld", (long long)before);
            if (k + 1 < mode.shape.leaves)
                put(w, " %% %lld", (long long)n);
            if (d != 1)
                put(w, " * %lld", (long long)d);
            some = true;
        }
    }
    if (!some)
        put(w, "%s * 0", names[0]);
    if (offset)
        put(w, " + %lld", (long long)offset);
}

/** (x) ^ (x) // 64 % 8 * 8: the layout behind `swizzles` of its swizzles. */
static void write_offset(writer *w, tsr_layout const *l, int swizzles)
{
    tsr_swizzle const sw = swizzles == 2 ? l->outer_swizzle : l->swizzle;
    int const from = sw.shift >= 0 ? sw.base + sw.shift : sw.base, to = sw.shift >= 0 ? sw.base : sw.base - sw.shift;
    if (swizzles == 0) {
        write_sum(w, l, 0, l->composed ? tsr_leaf_value(l->offset) : 0);
        return;
    }
    if (sw.bits == 0) {
        write_offset(w, l, swizzles - 1);
        return;
    }
    put(w, "(");
    write_offset(w, l, swizzles - 1);
    put(w, ") ^ ((");
    write_offset(w, l, swizzles - 1);
    put(w, ") // %lld %% %lld * %lld)", 1ll << from, 1ll << sw.bits, 1ll << to);
}

/** Offsets of TileLang are read from 0 to 2^40; a swizzle may add a bit. */
static void check_range(tsr_layout const *l, scan *s)
{
    int64_t const most = (int64_t)1 << 39;
    int64_t least = l->composed ? tsr_leaf_value(l->offset) : 0, greatest = least;
    bool ok = least <= most;
    for (int k = 0; k < l->shape.leaves && ok; ++k) {
        int64_t reach = 0;
        int64_t const n = l->shape.leaf[k].kind == TSR_UNIT ? 1 : l->shape.leaf[k].value;
        ok = tsr_mul64(n - 1, l->stride.leaf[k].value, &reach) && reach >= -most && reach <= most;
        least += reach < 0 ? reach : 0;
        greatest += reach > 0 ? reach : 0;
    }
    if (!ok || least < 0 || greatest > most)
        scan_fail(s, "an index before the beginning of a buffer, or beyond 2^39");
}

/** A swizzle is found again from its offsets where they are a linear map, and in a small tile. */
static bool is_found(tsr_layout const *l)
{
    bool const front = l->composed && (l->swizzle.bits > 0 || l->twice);
    return !front || !tsr_linear_of_layout(*l).why.status
           || (!l->twice && tsr_leaf_value(l->offset) == 0 && tsr_layout_size(*l) <= 4096);
}

/** [4, 8], behind the name of a class; the number of elements. */
static int64_t write_shape(writer *w, char const *name, int64_t const *extent, int count, int64_t replicas, scan *s)
{
    int64_t size = replicas;
    put(w, "%s([", name);
    for (int m = 0; m < count; ++m) {
        put(w, "%s%lld", m > 0 ? ", " : "", (long long)extent[m]);
        if (!tsr_mul64(size, extent[m], &size) || size > TSR_LAW_BUDGET) {
            scan_fail(s, "TileLang is written for at most 65536 elements");
            return 1;
        }
    }
    put(w, "], ");
    return size;
}

/** The end of a text, which is no longer than what is read again. */
static void write_end(writer *w, int64_t size, scan *s)
{
    put(w, ")");
    if ((int64_t)w->used * size > MOST_SAMPLED)
        scan_fail(s, "the function and the extents together are too long to be sampled");
}

/** A fragment of coordinates (thread, index), or a layout of one offset. */
static void write_layout(writer *w, tsr_layout const *l, scan *s)
{
    int const modes = (int)tsr_layout_rank(*l);
    int64_t extent[TSR_MAX_LEAVES] = {0};
    bool const fragment = tsr_has_basis(&l->stride);
    for (int k = 0; k < l->stride.leaves; ++k)
        if (fragment && l->stride.leaf[k].value && l->stride.leaf[k].aux - 1u > 1u)
            scan_fail(s, "a fragment has the coordinates @0, thread, and @1, index");
    if (modes > DIMS - 1)
        scan_fail(s, "TileLang is written for at most 9 dimensions");
    check_range(l, s);
    if (!s->failed && !is_found(l))
        scan_fail(s, "a swizzle with an offset, a second one, or a large tile, whose offsets are no linear map");
    if (s->failed)
        return;
    for (int m = 0; m < modes; ++m)
        extent[m] = tsr_layout_size(tsr_mode(*l, m));
    int64_t const size = write_shape(w, fragment ? "T.Fragment" : "T.Layout", extent, modes, 1, s);
    if (!fragment) {
        write_names(w, modes, false);
        write_offset(w, l, l->twice ? 2 : l->composed ? 1 : 0);
    }
    for (uint32_t path = 1; fragment && path <= 2; ++path) {
        put(w, path == 1 ? "forward_thread_fn=" : ", forward_index_fn=");
        write_names(w, modes, false);
        write_sum(w, l, path, 0);
    }
    write_end(w, size, s);
}

/* Maps */

/** What bit b of the input gives of the output whose bits begin at `begin`. */
static uint64_t part_of(tsr_linear const *f, int b, int begin, int bits)
{
    return bits ? f->basis[b] >> begin & ~(uint64_t)0 >> (64 - bits) : 0;
}

/** (i // 2 % 4 * 4) ^ ..: an output of a map, bits in a row together. */
static void write_xor(writer *w, tsr_linear const *f, int begin, int bits, bool rep)
{
    bool some = false;
    for (int d = 0, first = 0; d < f->in.count; first += f->in.bits[d++])
        for (int b = 0, n = 1; b < f->in.bits[d]; b += n) {
            uint64_t const part = part_of(f, first + b, begin, bits);
            n = 1;
            while (part && (part & (part - 1)) == 0 && b + n < f->in.bits[d]
                   && part_of(f, first + b + n, begin, bits) == part << n)
                ++n;
            if (part == 0)
                continue;
            put(w, "%s(%s", some ? " ^ " : "", rep && d + 1 == f->in.count ? "rep" : names[d]);
            if (b > 0)
                put(w, " // %lld", 1ll << b);
            if (b + n < f->in.bits[d])
                put(w, " %% %lld", 1ll << n);
            put(w, part > 1 ? " * %llu)" : ")", (unsigned long long)part);
            some = true;
        }
    if (!some)
        put(w, "%s * 0", names[0]);
}

static bool is_named(tsr_linear_side const *side, int d, char const *name)
{
    return d < side->count && strcmp(side->name[d], name) == 0;
}

bool tsr_is_fragment_(tsr_linear const *f)
{
    return f->out.count == 2 && is_named(&f->out, 0, "thread") && is_named(&f->out, 1, "index");
}

tsr_linear tsr_fragment_map_(tsr_layout const *l)
{
    tsr_linear f = tsr_linear_of_layout(*l);
    tsr_linear_side out = TSR_ZERO;
    int const first = is_named(&f.out, 0, "dim0"), second = is_named(&f.out, first, "dim1");
    if (f.why.status || f.out.count != first + second)
        return f;
    tsr_linear_side_add(&out, "thread", first ? f.out.bits[0] : 0);
    tsr_linear_side_add(&out, "index", second ? f.out.bits[first] : 0);
    f.out = out;
    return f;
}

tsr_linear tsr_fragment_of_(tsr_linear const *f, scan *s)
{
    int const warp = 2, block = 3, registers = f->in.bits[0], lanes = f->in.bits[1];
    bool const ok =
        f->in.count >= 3 && is_named(&f->in, 0, "register") && is_named(&f->in, 1, "lane")
        && is_named(&f->in, warp, "warp")
        && (f->in.count == 3 || (f->in.count == 4 && is_named(&f->in, block, "block") && f->in.bits[block] == 0));
    tsr_linear_side held = TSR_ZERO, in = f->out, out = TSR_ZERO;
    uint64_t basis[TSR_LINEAR_BITS] = {0}, rep[TSR_LINEAR_BITS];
    int place[TSR_LINEAR_BITS], bits = 0, replicas = 0;
    if (!ok)
        scan_fail(s, "a fragment is of register, lane and warp, in one block");
    int const threads = ok ? lanes + f->in.bits[warp] : 0;
    for (int b = 0; b < registers + threads && !s->failed; ++b) {
        bool const of_register = b < registers;
        int const at = of_register ? threads + b : b - registers; /* its output: the thread, then the index */
        if (f->basis[b] == 0 && of_register)
            scan_fail(s, "a fragment repeats no register");
        if (f->basis[b] == 0)
            rep[replicas++] = (uint64_t)1 << at;
        else
            basis[bits] = f->basis[b], place[bits++] = at;
    }
    tsr_linear_side_add(&held, "held", bits);
    tsr_linear const inverse = s->failed ? *f : tsr_linear_left_inverse(tsr_make_linear(&held, &f->out, basis));
    if (!s->failed && inverse.why.status)
        scan_refuse(s, inverse.why);
    if (!s->failed && bits != tsr_linear_bits(&f->out))
        scan_fail(s, "some elements of the tensor are in no register");
    int const dims = tsr_linear_bits(&f->out);
    memset(basis, 0, sizeof basis);
    for (int b = 0; b < dims && !s->failed; ++b)
        for (int k = 0; k < bits; ++k)
            basis[b] |= (inverse.basis[b] >> k & 1u) << place[k];
    if (replicas > 0 && dims + replicas <= TSR_LINEAR_BITS)
        memcpy(basis + dims, rep, (size_t)replicas * sizeof *rep);
    if (replicas > 0)
        tsr_linear_side_add(&in, "rep", replicas);
    tsr_linear_side_add(&out, "thread", threads);
    tsr_linear_side_add(&out, "index", registers);
    return s->failed ? *f : tsr_make_linear(&in, &out, basis);
}

tsr_linear tsr_distributed_of_(tsr_linear const *f, scan *s)
{
    int const lane_bits = 5;
    tsr_linear_side in = TSR_ZERO, out = f->in;
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    bool const rep = is_named(&f->in, f->in.count - 1, "rep");
    int const threads = f->out.bits[0], index = f->out.bits[1], lanes = threads < lane_bits ? threads : lane_bits;
    tsr_linear const inverse = tsr_linear_left_inverse(*f);
    if (inverse.why.status)
        scan_refuse(s, inverse.why);
    else if (threads + index != tsr_linear_bits(&f->in))
        scan_fail(s, "some registers of the fragment have no element");
    out.count = (uint8_t)(out.count - rep);
    int const dims = tsr_linear_bits(&out);
    uint64_t const mask = dims ? ~(uint64_t)0 >> (64 - dims) : 0;
    for (int b = 0; b < threads + index && !s->failed; ++b)
        basis[b] = inverse.basis[b < index ? threads + b : b - index] & mask;
    tsr_linear_side_add(&in, "register", index);
    tsr_linear_side_add(&in, "lane", lanes);
    tsr_linear_side_add(&in, "warp", threads - lanes);
    tsr_linear_side_add(&in, "block", 0);
    return s->failed ? *f : tsr_make_linear(&in, &out, basis);
}

static void write_map(writer *w, tsr_linear const *map, scan *s)
{
    bool const distributed = is_named(&map->in, 0, "register") && strncmp(map->out.name[0], "dim", 3) == 0;
    bool const as_it_is = tsr_is_fragment_(map) || (map->out.count == 1 && !distributed);
    tsr_linear const f = as_it_is ? *map : tsr_fragment_of_(map, s);
    if (!s->failed && tsr_linear_bits(&f.out) > 39 && f.out.count == 1)
        scan_fail(s, "an index beyond 2^39");
    bool const fragment = f.out.count == 2, rep = f.in.count > 1 && is_named(&f.in, f.in.count - 1, "rep");
    int64_t extent[DIMS] = {0};
    if (!s->failed && f.in.count > DIMS - 1 + rep)
        scan_fail(s, "TileLang is written for at most 9 dimensions");
    if (s->failed)
        return;
    for (int d = 0; d < f.in.count; ++d)
        extent[d] = (int64_t)1 << f.in.bits[d];
    int const dims = f.in.count - (rep && fragment);
    int64_t const replicas = dims < f.in.count ? extent[dims] : 1;
    int64_t const size = write_shape(w, fragment ? "T.Fragment" : "T.Layout", extent, dims, replicas, s);
    if (fragment) {
        put(w, "forward_thread_fn=");
        write_names(w, f.in.count, rep);
        write_xor(w, &f, 0, f.out.bits[0], rep);
        if (rep)
            put(w, ", replicate=%lld", (long long)extent[f.in.count - 1]);
        put(w, ", forward_index_fn=");
        write_names(w, f.in.count - rep, false);
        write_xor(w, &f, f.out.bits[0], f.out.bits[1], false);
    } else {
        write_names(w, f.in.count, false);
        write_xor(w, &f, 0, f.out.bits[0], false);
    }
    write_end(w, size, s);
}

void tsr_write_tilelang_(writer *w, tsr_converted const *v, scan *s)
{
    if (v->is_map)
        write_map(w, &v->map, s);
    else
        write_layout(w, &v->layout, s);
}

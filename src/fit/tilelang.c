/** Layouts of TileLang, whose functions are sampled at every coordinate.
 *
 *      T.Fragment([8, 8], forward_thread_fn=lambda i, j: i * 4 + j // 2, forward_index_fn=lambda i, j: j % 2)
 *      T.Layout([8, 8], lambda i, j: [j // 8, i, j ^ i])
 *      make_swizzled_layout(8, 64, 16), make_full_bank_swizzled_layout(A_shared), ..
 *
 *  A fragment is a layout of the coordinates (thread, index), or a linear map with these outputs; a replicated one has
 *  one more mode, `rep`. A layout of several outputs is the offset in the smallest row-major buffer that holds them.
 *  Source   tile-ai/tilelang, layout/fragment.py, layout/layout.py, src/layout/gemm_layouts.cc. */
#include <stdlib.h>

#include "fit/fit.h"

enum { OUTPUTS = 8, NAMES = TSR_LINEAR_DIMS };

/** lambda i, j: [e, e]: its names, and where its expressions begin and end. */
typedef struct lambda {
    int names, outputs;
    char name[NAMES][TSR_LINEAR_NAME];
    char const *begin[OUTPUTS], *end[OUTPUTS];
} lambda;

/** What is read of a layout: its functions, and how often it is replicated. */
typedef struct functions {
    lambda all, thread, index; /* outputs 0: not there */
    int64_t replicate;
} functions;

/** The end of an expression: a comma or a parenthesis that it does not open. */
static char const *end_of(char const *p, char const *end)
{
    for (int depth = 0; p < end; ++p) {
        depth += *p == '(' || *p == '[';
        if (depth == 0 && (*p == ',' || *p == ')' || *p == ']'))
            break;
        depth -= *p == ')' || *p == ']';
    }
    return p;
}

/** The expressions of a body: of a list or a tuple those of its items, and of such items theirs. */
static void take_body(scan *s, lambda *f, char const *begin, char const *end, int depth)
{
    while (begin < end && strchr(" \t\r\n", *begin))
        ++begin;
    while (end > begin && strchr(" \t\r\n", end[-1]))
        --end;
    bool const opens = begin < end && (*begin == '(' || *begin == '[');
    char const *stop = opens ? end_of(begin + 1, end) : end; /* of its first item, and of its last */
    bool list = stop < end && (*begin == '[' || *stop == ',');
    while (stop < end && *stop == ',')
        stop = end_of(stop + 1, end);
    list = list && stop + 1 == end;
    if (depth > 2 || (!list && f->outputs == OUTPUTS))
        scan_fail(s, "a function has at most 8 outputs, and lists in a list at most");
    if (s->failed)
        return;
    if (!list) {
        f->begin[f->outputs] = begin;
        f->end[f->outputs++] = end;
        return;
    }
    for (char const *item = begin + 1; item < end; item = stop + 1) {
        stop = end_of(item, end);
        if (stop > item + strspn(item, " \t\r\n"))
            take_body(s, f, item, stop, depth + 1);
    }
}

static void take_lambda(scan *s, lambda *f)
{
    memset(f, 0, sizeof *f);
    scan_expect(s, "lambda");
    do {
        if (f->names == NAMES)
            scan_fail(s, "a function has at most 10 variables");
        if (!s->failed)
            scan_word(s, f->name[f->names++], TSR_LINEAR_NAME);
    } while (!s->failed && scan_take(s, ","));
    scan_expect(s, ":");
    if (s->failed)
        return;
    char const *const end = end_of(s->p, s->end);
    take_body(s, f, s->p, end, 0);
    if (!s->failed && f->outputs == 0)
        scan_fail(s, "a function without outputs");
    if (!s->failed)
        s->p = end;
}

/** [4, 8] or (4, 8); of a name, the extents that are known. */
static tsr_tuple take_shape(scan *s, tsr_tuple known)
{
    integers list = {0, {0}};
    tsr_tuple shape = TSR_ZERO;
    char const open = scan_next(s);
    if (open == '[' || open == '(') {
        take_integers(s, open == '[' ? "[" : "(", open == '[' ? "]" : ")", &list);
    } else {
        s->p = s->failed ? s->p : end_of(s->p, s->end);
        if (!s->failed && (known.leaves == 0 || known.leaf[0].kind == TSR_UNIT))
            scan_fail(s, "the extents are needed: a shape that is a name has none");
        list.count = s->failed ? 0 : known.leaves;
        for (int i = 0; i < list.count; ++i)
            list.at[i] = known.leaf[i].value;
    }
    if (!s->failed && (list.count < 1 || list.count >= NAMES))
        scan_fail(s, "a layout has 1 to 9 dimensions");
    int64_t size = 1;
    for (int i = 0; i < list.count && !s->failed; ++i) {
        if (list.at[i] < 1 || !tsr_mul64(size, list.at[i], &size) || size > TSR_LAW_BUDGET)
            scan_fail(s, "extents are positive, and at most 65536 elements are sampled");
        tsr_tuple_push_leaf(&shape, tsr_leaf_static(list.at[i]));
    }
    return shape;
}

/** The arguments behind the shape. */
static void take_functions(scan *s, functions *r)
{
    lambda f;
    r->replicate = 1;
    while (scan_take(s, ",") && !s->failed) {
        if (scan_next(s) == ')') /* a comma may end the list */
            return;
        char word[32] = "forward_fn";
        if (!scan_begins(s, "lambda")) {
            scan_word(s, word, sizeof word);
            scan_expect(s, "=");
        }
        if (!s->failed && strcmp(word, "replicate") == 0) {
            r->replicate = scan_integer(s);
            if (!s->failed && (r->replicate < 1 || r->replicate > TSR_LAW_BUDGET))
                scan_fail(s, "replicate is from 1 to 65536");
            continue;
        }
        lambda *const to = strcmp(word, "forward_fn") == 0          ? &r->all
                           : strcmp(word, "forward_thread_fn") == 0 ? &r->thread
                           : strcmp(word, "forward_index_fn") == 0  ? &r->index
                                                                    : NULL;
        if (!to)
            scan_fail(s, "the arguments are forward_fn, forward_thread_fn, forward_index_fn and replicate");
        take_lambda(s, &f);
        if (!s->failed)
            *to = f;
    }
}

/** The values of an output at every coordinate of a grid; a function may leave out the last variable, `rep`. */
static void sample(scan *s, lambda const *f, int output, grid const *g, int64_t *value)
{
    if ((int64_t)(f->end[output] - f->begin[output]) * g->size > MOST_SAMPLED)
        scan_fail(s, "the function and the extents together are too long to be sampled");
    char const *const end = s->end;
    s->end = f->end[output];
    for (int64_t c = 0; c < g->size && !s->failed; ++c) {
        int64_t digit[TSR_MAX_LEAVES];
        for (int k = 0; k < g->leaves; ++k)
            digit[k] = grid_digit(g, k, c);
        s->p = f->begin[output];
        value[c] = tsr_fit_expression_(s, true, f->names, f->name, digit);
        scan_blanks(s);
        if (s->p < s->end)
            scan_fail(s, "an operator or the end of the expression is expected here");
        if (!s->failed && (value[c] < 0 || value[c] > (int64_t)1 << 40))
            scan_fail(s, "a function gives a negative number, or one beyond 2^40");
    }
    s->end = end;
}

/** The offset of outputs first, first + 1, .. in the smallest row-major buffer that holds them. */
static void sample_offset(scan *s, lambda const *f, int first, grid const *g, int64_t *value, int64_t *one)
{
    memset(value, 0, (size_t)g->size * sizeof *value);
    for (int k = first; k < f->outputs && !s->failed; ++k) {
        int64_t extent = 1;
        sample(s, f, k, g, one);
        for (int64_t c = 0; c < g->size && !s->failed; ++c)
            extent = tsr_max64(extent, one[c] + 1);
        for (int64_t c = 0; c < g->size && !s->failed; ++c)
            if (!tsr_mul64(value[c], extent, &value[c]) || !tsr_add64(value[c], one[c], &value[c]))
                scan_fail(s, "the buffer of the outputs has more than 2^63 elements");
    }
}

/** Where a fragment has no index: the number of elements before this one, in row-major order, that its thread holds.
 *  That is what TileLang does where the thread is a mixed radix of the coordinate. */
static void count_index(scan *s, tsr_samples const *thread, grid const *g, int64_t *index, int64_t *used)
{
    tsr_found found;
    int64_t threads = 1, most = 0;
    bool radix = tsr_samples_fit(thread, TSR_FORM_LAYOUT, 0, &found);
    for (int k = 0; radix && k < found.layout.shape.leaves; ++k)
        threads *= found.layout.stride.leaf[k].value ? found.layout.shape.leaf[k].value : 1;
    for (int64_t c = 0; c < g->size; ++c)
        most = tsr_max64(most, thread->value[c]);
    radix = radix && most < 4 * TSR_LAW_BUDGET;
    memset(used, 0, (size_t)(radix ? most + 1 : 0) * sizeof *used);
    for (int64_t i = 0, distinct = 0; radix && i <= g->size; ++i) {
        int64_t c = 0, rest = i;
        radix = i < g->size || distinct == threads;
        if (i == g->size)
            break;
        for (int k = g->leaves - 1; k >= 0; rest /= g->extent[k--])
            c += rest % g->extent[k] * g->weight[k];
        distinct += used[thread->value[c]] == 0;
        index[c] = used[thread->value[c]]++;
    }
    if (!radix && !s->failed)
        scan_fail(s, "forward_index_fn is needed where the thread is no mixed radix of the coordinate");
}

/** The layout of samples along basis element `mode`. */
static bool fit_along(tsr_samples const *of, int mode, tsr_layout *r)
{
    tsr_found found;
    if (!tsr_samples_fit(of, TSR_FORM_LAYOUT, 0, &found))
        return false;
    for (int k = 0; k < found.layout.stride.leaves; ++k)
        if (found.layout.stride.leaf[k].value)
            found.layout.stride.leaf[k].aux = (uint32_t)mode + 1;
    *r = found.layout;
    return true;
}

/** The linear map of both, with the outputs thread and index. */
static bool fit_map(tsr_samples const *thread, tsr_samples const *index, tsr_converted *r)
{
    tsr_found t, x;
    uint64_t basis[TSR_LINEAR_BITS];
    tsr_linear_side out = TSR_ZERO;
    if (!tsr_samples_fit(thread, TSR_FORM_LINEAR, 0, &t) || !tsr_samples_fit(index, TSR_FORM_LINEAR, 0, &x))
        return false;
    int const threads = tsr_linear_bits(&t.map.out);
    tsr_linear_side_add(&out, "thread", threads);
    tsr_linear_side_add(&out, "index", tsr_linear_bits(&x.map.out));
    for (int b = 0; b < TSR_LINEAR_BITS; ++b)
        basis[b] = t.map.basis[b] | (threads < 64 ? x.map.basis[b] << threads : 0);
    r->map = tsr_make_linear(&t.map.in, &out, basis);
    r->is_map = true;
    return true;
}

/** A layout of coordinates where there is one, else a map. */
static void fit_fragment(scan *s, tsr_samples const *thread, tsr_samples const *index, tsr_converted *r)
{
    tsr_layout a, b;
    bool const replicated = thread->name[tsr_mode_count(&thread->shape) - 1][0] == 'r';
    if (replicated && fit_map(thread, index, r)) /* its last input is `rep` */
        return;
    if (fit_along(thread, 0, &a) && fit_along(index, 1, &b)) {
        r->layout = tsr_layout_add(a, b);
        if (tsr_ok(r->layout) && (tsr_has_basis(&r->layout.stride) || !fit_map(thread, index, r)))
            return;
        r->layout = tsr_make_layout(1);
    }
    if (!r->is_map && (replicated || !fit_map(thread, index, r)))
        scan_fail(s, "thread and index are no layout of coordinates, and no linear map");
}

static void fit_offset(scan *s, tsr_samples const *of, tsr_converted *r)
{
    tsr_found found;
    if (tsr_samples_fit(of, TSR_FORM_SWIZZLED, 0, &found)) {
        r->layout = found.layout;
    } else if (tsr_samples_fit(of, TSR_FORM_LINEAR, 0, &found)) {
        r->map = found.map;
        r->is_map = true;
    } else {
        scan_fail(s, "no layout, no swizzled layout and no linear map has these offsets");
    }
}

/** The samples of a layout's functions, and what they are. `memory` has room for 8 times the size. */
static void fit_functions(scan *s, functions const *f, bool fragment, tsr_tuple shape, int64_t *memory,
                          tsr_converted *r)
{
    int const rank = shape.leaves;
    tsr_tuple whole = shape;
    if (f->replicate > 1)
        tsr_tuple_push_leaf(&whole, tsr_leaf_static(f->replicate));
    whole = tsr_tuple_close(whole);
    grid const g = tsr_fit_grid_(&whole);
    int64_t *const second = memory + g.size, *const work = second + g.size;
    tsr_samples thread = tsr_make_samples(memory, g.size, work, 2 * g.size),
                index = tsr_make_samples(second, g.size, work, 2 * g.size);
    thread.shape = index.shape = whole;
    thread.count = index.count = g.size;
    for (int k = 0; k < rank; ++k)
        snprintf(thread.name[k], TSR_LINEAR_NAME, "dim%d", k);
    if (f->replicate > 1)
        snprintf(thread.name[rank], TSR_LINEAR_NAME, "rep");
    memcpy(index.name, thread.name, sizeof index.name);
    lambda const *const first = f->all.outputs ? &f->all : &f->thread;
    int const names = g.leaves;
    if (first->names != names || (f->index.outputs && f->index.names != rank))
        scan_fail(s, "a function has a variable for each dimension, and one more where it is replicated");
    if (!fragment) {
        sample_offset(s, first, 0, &g, memory, work);
        if (!s->failed)
            fit_offset(s, &thread, r);
        return;
    }
    sample(s, first, 0, &g, memory);
    if (f->all.outputs)
        sample_offset(s, first, 1, &g, second, work);
    else if (f->index.outputs)
        sample_offset(s, &f->index, 0, &g, second, work);
    else if (!s->failed)
        count_index(s, &thread, &g, second, work);
    for (int64_t c = 0; c < g.size && !s->failed; ++c)
        if (second[c] != second[c % (g.size / f->replicate)])
            scan_fail(s, "the replicas of an element have one index");
    if (!s->failed)
        fit_fragment(s, &thread, &index, r);
}

static void take_lambdas(scan *s, bool fragment, tsr_tuple known, tsr_converted *r)
{
    functions f;
    memset(&f, 0, sizeof f);
    scan_expect(s, "(");
    tsr_tuple const shape = take_shape(s, known);
    take_functions(s, &f);
    scan_expect(s, ")");
    char const *const behind = s->p;
    if (f.thread.outputs == 0 && f.all.outputs == 1 && fragment) { /* its older form: the thread alone */
        f.thread = f.all;
        f.all.outputs = 0;
    }
    int64_t size = tsr_max64(f.replicate, 1);
    for (int k = 0; k < shape.leaves; ++k) /* each is positive, and all are in the budget */
        size *= s->failed ? 1 : shape.leaf[k].value;
    if (size > TSR_LAW_BUDGET)
        scan_fail(s, "at most 65536 elements are sampled, replicas too");
    if (!s->failed && (fragment ? f.thread.outputs != 1 && f.all.outputs < 2 : f.all.outputs == 0))
        scan_fail(s, fragment ? "a fragment has forward_thread_fn, or forward_fn with thread and index"
                              : "a layout has forward_fn: lambda i, j: ..");
    if (s->failed)
        return;
    int64_t *const memory = (int64_t *)malloc((size_t)(4 * TSR_LAW_BUDGET + 4 * size) * sizeof *memory);
    if (!memory)
        scan_fail(s, "out of memory");
    else
        fit_functions(s, &f, fragment, shape, memory, r);
    free(memory);
    if (!s->failed)
        s->p = behind;
}

/* The layouts of shared memory that have names */

/** (8, 64, 16), or a buffer, whose extents and bits are known. */
static void take_buffer(scan *s, tsr_tuple known, int64_t bits, int numbers, int64_t *n)
{
    scan_blanks(s);
    n[2] = bits;
    if (scan_is_digit(s)) {
        for (int k = 0; k < numbers; ++k) {
            if (k > 0)
                scan_expect(s, ",");
            n[k] = scan_integer(s);
        }
    } else {
        s->p = s->failed ? s->p : end_of(s->p, s->end);
        if (!s->failed && (known.leaves != 2 || known.leaf[0].kind == TSR_UNIT))
            scan_fail(s, "the two extents of the buffer are needed");
        n[0] = s->failed ? 1 : known.leaf[0].value;
        n[1] = s->failed ? 1 : known.leaf[1].value;
    }
    if (!s->failed && (n[0] < 1 || n[1] < 1 || n[0] > (int64_t)1 << 30 || n[1] > (int64_t)1 << 30))
        scan_fail(s, "extents are from 1 to 2^30");
    if (!s->failed && (n[2] < 4 || n[2] > 64 || !tsr_is_pow2(n[2])))
        scan_fail(s, "elements have 4, 8, 16, 32 or 64 bits");
}

/** Tiles of `rows` rows and `columns` columns, one behind the other down a column of tiles, behind a swizzle. */
static tsr_layout tiled(int64_t const *n, int64_t rows, int64_t columns, tsr_swizzle sw)
{
    tsr_layout const l = tsr_make_layout_from(
        tsr_t(tsr_t(tsr_s(rows), tsr_s(n[0] / rows)), tsr_t(tsr_s(columns), tsr_s(n[1] / columns))),
        tsr_t(tsr_t(tsr_s(columns), tsr_s(rows * columns)), tsr_t(tsr_s(1), tsr_s(n[0] * columns))));
    return tsr_make_composed_layout(sw, tsr_s(0), tsr_coalesce_by(l, tsr_t(tsr_s(1), tsr_s(1))));
}

static tsr_layout rows_of(int64_t const *n, int64_t pitch)
{
    return tsr_make_layout_from(tsr_t(tsr_s(n[0]), tsr_s(n[1])), tsr_t(tsr_s(pitch), tsr_s(1)));
}

/** The swizzle of 2^bits units of 128 bits. */
static tsr_layout banks(scan *s, int64_t const *n, int bits)
{
    int64_t const unit = 128 / n[2], columns = unit << bits;
    if (!s->failed && (n[0] % 8 != 0 || n[1] % columns != 0))
        scan_fail(s, "this swizzle needs a multiple of 8 rows and of %lld columns, not %lld and %lld",
                  (long long)columns, (long long)n[0], (long long)n[1]);
    return s->failed ? tsr_make_layout(1)
                     : tiled(n, 8, columns, tsr_make_swizzle(bits, tsr_bit_width((uint64_t)unit) - 1, 3));
}

/** What make_swizzled_layout chooses. */
static tsr_layout chosen(scan *s, int64_t const *n, bool k_major, bool pads)
{
    int64_t const unit = 128 / n[2];
    bool const doubles = n[2] == 64;
    if (!s->failed && doubles && !pads)
        scan_fail(s, "without padding, elements have at most 32 bits here");
    if (!s->failed && doubles && n[1] % 16 == 0 && n[0] % 4 != 0)
        scan_fail(s, "this swizzle needs a multiple of 4 rows");
    if (s->failed)
        return tsr_make_layout(1);
    if (doubles && n[1] % 16 == 0)
        return tiled(n, 4, 16, k_major ? tsr_make_swizzle(2, 0, 4) : tsr_make_swizzle(2, 2, 2));
    bool const bytes = n[2] == 8 && !k_major && pads;
    for (int bits = 3; bits > (pads ? 1 : 0) && !doubles && !bytes; --bits)
        if (n[1] % (unit << bits) == 0)
            return banks(s, n, bits);
    return rows_of(n, n[1] + (pads && n[1] * n[2] % 256 == 0 ? unit : 0));
}

static void take_named(scan *s, char const *name, tsr_tuple known, int64_t bits, tsr_layout *r)
{
    static char const *const by_bits[] = {"", "make_quarter_bank_swizzled_layout", "make_half_bank_swizzled_layout",
                                          "make_full_bank_swizzled_layout"};
    int64_t n[3] = {1, 1, 16};
    bool k_major = true, pads = true;
    bool const linear = strcmp(name, "make_linear_layout") == 0, choose = strcmp(name, "make_swizzled_layout") == 0;
    int banked = 3;
    while (banked > 0 && strcmp(name, by_bits[banked]) != 0)
        --banked;
    if (!linear && !choose && banked == 0)
        scan_fail(s,
                  "Layout, Fragment, make_swizzled_layout, make_linear_layout, and make_full_bank_swizzled_layout, "
                  "half and quarter, are read");
    scan_expect(s, "(");
    take_buffer(s, known, bits, linear ? 2 : 3, n);
    while (choose && scan_take(s, ",")) {
        bool const named = scan_take(s, "k_major"), pad = !named && scan_take(s, "allow_pad");
        if (!named && !pad)
            scan_fail(s, "k_major= or allow_pad= is expected here");
        scan_expect(s, "=");
        bool const yes = scan_take(s, "True");
        if (!yes)
            scan_expect(s, "False");
        *(named ? &k_major : &pads) = yes;
    }
    scan_expect(s, ")");
    if (!s->failed)
        *r = linear ? rows_of(n, n[1]) : choose ? chosen(s, n, k_major, pads) : banks(s, n, banked);
}

void tsr_read_tilelang_(scan *s, tsr_tuple shape, int64_t bytes, tsr_converted *r)
{
    char word[48];
    do
        scan_word(s, word, sizeof word);
    while (!s->failed && scan_take(s, ".")); /* T., tilelang.layout. */
    bool const fragment = strcmp(word, "Fragment") == 0;
    if (s->failed)
        return;
    if (fragment || strcmp(word, "Layout") == 0)
        take_lambdas(s, fragment, shape, r);
    else
        take_named(s, word, shape, 8 * bytes, &r->layout);
}

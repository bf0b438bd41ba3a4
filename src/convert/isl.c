/** Maps of ISL: { [i0, i1] -> [8*i0 + i1] : 0 <= i0 < 4 and 0 <= i1 < 8 }. A mode of several leaves has digits:
 *  4*((i0) mod 2) + 16*floor((i0)/2). */
#include "convert/convert.h"

enum { VARIABLES = 10, NAME = 24, DIGITS = 32 };

/** stride * (floor(variable / divisor) mod modulus); modulus 0: to the end. */
typedef struct digit {
    int variable;
    int64_t divisor, modulus, stride;
} digit;

typedef struct map {
    int variables, digits;
    char name[VARIABLES][NAME];
    int64_t extent[VARIABLES], constant;
    digit of[DIGITS];
} map;

/** A[i, j], the name of the space optional. */
static void take_variables(scan *s, map *m)
{
    char space[NAME];
    if (scan_next(s) != '[')
        scan_word(s, space, sizeof space);
    for (bool more = scan_list(s, "[", "]"); more; more = scan_more(s, "]")) {
        if (m->variables == VARIABLES)
            scan_fail(s, "a map of at most 10 dimensions is read");
        if (s->failed)
            return;
        scan_word(s, m->name[m->variables++], NAME);
    }
}

static int take_variable(scan *s, map const *m)
{
    char name[NAME];
    int v = 0;
    scan_word(s, name, sizeof name);
    while (v < m->variables && strcmp(m->name[v], name) != 0)
        ++v;
    if (v == m->variables)
        scan_fail(s, "a dimension of the map is expected here");
    return s->failed ? 0 : v;
}

static int64_t take_positive(scan *s)
{
    int64_t const n = scan_integer(s);
    if (!s->failed && n < 1)
        scan_fail(s, "a positive integer is expected here");
    return s->failed ? 1 : n;
}

/** i0, (..), floor((..)/4), each with mod 8 behind it. */
static void take_digit(scan *s, map const *m, digit *d, int depth)
{
    bool const floors = scan_take(s, "floor"), open = floors || scan_take(s, "(");
    if (floors)
        scan_expect(s, "(");
    if (depth > 8)
        scan_fail(s, "parentheses are nested 8 times at most");
    if (s->failed)
        return;
    if (open) {
        take_digit(s, m, d, depth + 1);
    } else {
        d->variable = take_variable(s, m);
        d->divisor = 1;
        d->modulus = 0;
    }
    if (floors) {
        scan_expect(s, "/");
        int64_t const n = take_positive(s);
        if (!s->failed && (d->modulus % n != 0 || !tsr_mul64(d->divisor, n, &d->divisor)))
            scan_fail(s, "a floor of mod divides it");
        d->modulus /= n;
    }
    if (open)
        scan_expect(s, ")");
    if (!s->failed && scan_take(s, "mod")) {
        int64_t const n = take_positive(s);
        if (!s->failed && d->modulus % n != 0 && n % d->modulus != 0)
            scan_fail(s, "a mod of mod divides it");
        d->modulus = d->modulus == 0 || n < d->modulus ? n : d->modulus;
    }
}

/** 8*i0 + 4i1 - 3 */
static void take_sum(scan *s, map *m)
{
    bool minus = scan_take(s, "-");
    do {
        scan_blanks(s);
        int64_t factor = 1;
        bool const number = scan_is_digit(s);
        if (number)
            factor = scan_integer(s);
        bool const times = number && scan_take(s, "*");
        scan_blanks(s);
        bool const alone = number && !times && (s->p == s->end || scan_is(s, "+-]"));
        factor = minus ? -factor : factor;
        if (alone && !tsr_add64(m->constant, factor, &m->constant))
            scan_refuse(s, tsr_because(TSR_OVERFLOW, 0, factor, 0, 0));
        if (!alone && m->digits == DIGITS)
            scan_fail(s, "a map has at most 32 terms");
        if (!alone && !s->failed) {
            take_digit(s, m, &m->of[m->digits], 0);
            m->of[m->digits++].stride = factor;
        }
        minus = !s->failed && scan_take(s, "-");
    } while (!s->failed && (minus || scan_take(s, "+")));
}

/** 0 <= i0 < 4 and 0 <= i1 <= 7; several bounds of one dimension hold together. */
static void take_bounds(scan *s, map *m)
{
    do {
        scan_expect(s, "0");
        scan_expect(s, "<=");
        int const v = take_variable(s, m);
        scan_expect(s, "<");
        bool const equal = scan_take(s, "=");
        int64_t const n = scan_integer(s);
        if (!s->failed && (n < !equal || n - !equal == TSR_INT_MAX))
            scan_fail(s, "a bound is positive");
        if (!s->failed && (m->extent[v] == 0 || n + equal < m->extent[v]))
            m->extent[v] = n + equal;
    } while (!s->failed && scan_take(s, "and"));
}

/** The leaves of one dimension: its digits from the smallest divisor on, with strides of 0 between them. */
static void push_mode(scan *s, map *m, int v, tsr_tuple *extents, tsr_tuple *strides)
{
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    int64_t const all = m->extent[v];
    int64_t at = 1;
    while (at < all && !s->failed) {
        digit *next = NULL;
        for (int i = 0; i < m->digits; ++i)
            if (m->of[i].variable == v && m->of[i].divisor >= at && (!next || m->of[i].divisor < next->divisor))
                next = &m->of[i];
        int64_t const begin = next && next->divisor < all ? next->divisor : all;
        bool const here = begin == at, ends = here && next->modulus && next->modulus < all / at;
        int64_t const extent = !here ? begin / at : ends ? next->modulus : all / at;
        if (begin % at != 0 || all % at != 0 || (all / at) % extent != 0)
            scan_fail(s, "the digits of a dimension are no mixed radix of its extent");
        tsr_tuple_push_leaf(&shape, tsr_leaf_static(extent));
        tsr_tuple_push_leaf(&stride, tsr_leaf_static(here ? next->stride : 0));
        if (here)
            next->divisor = 0; /* done */
        at *= s->failed ? 1 : extent;
    }
    for (int i = 0; i < m->digits; ++i)
        if (m->of[i].variable == v && m->of[i].divisor > 0 && m->of[i].divisor < all && all > 1)
            scan_fail(s, "two digits of a dimension overlap");
    tsr_layout_push_(extents, strides, shape, stride);
}

void tsr_read_isl_(scan *s, tsr_layout *r)
{
    map m = TSR_ZERO;
    char space[NAME];
    tsr_tuple extents = TSR_ZERO, strides = TSR_ZERO;
    scan_expect(s, "{");
    take_variables(s, &m);
    if (m.variables == 0)
        scan_fail(s, "a map has a dimension");
    scan_expect(s, "->");
    if (scan_next(s) != '[' && !s->failed)
        scan_word(s, space, sizeof space);
    scan_expect(s, "[");
    if (!s->failed)
        take_sum(s, &m);
    scan_expect(s, "]");
    if (scan_take(s, ":"))
        take_bounds(s, &m);
    scan_expect(s, "}");
    for (int v = 0; v < m.variables && !s->failed; ++v) {
        if (m.extent[v] == 0)
            scan_fail(s, "every dimension needs bounds: 0 <= i0 < 4");
        push_mode(s, &m, v, &extents, &strides);
    }
    if (s->failed)
        return;
    tsr_layout const l = tsr_layout_close_(extents, strides);
    *r = m.constant ? tsr_make_composed_layout(tsr_make_swizzle(0, 0, 0), tsr_s(m.constant), l) : l;
}

/** The terms of one mode. */
static void write_mode(writer *w, tsr_layout const *mode, int m, bool *some)
{
    int64_t before = 1;
    for (int i = 0; i < mode->shape.leaves; before *= mode->shape.leaf[i++].value) {
        int64_t const n = mode->shape.leaf[i].value, d = mode->stride.leaf[i].value;
        bool const last = i + 1 == mode->shape.leaves;
        if (d == 0 || n == 1)
            continue;
        put(w, "%s", !*some ? d < 0 ? "-" : "" : d < 0 ? " - " : " + ");
        *some = true;
        if (d != 1 && d != -1)
            put(w, "%llu*", d < 0 ? 0 - (unsigned long long)d : (unsigned long long)d);
        put(w, "%s%s", last ? "" : "(", before > 1 ? last ? "floor(" : "(floor(" : "");
        put(w, last && before == 1 ? "i%d" : "(i%d)", m);
        if (before > 1)
            put(w, "/%lld%s", (long long)before, last ? ")" : "))");
        if (!last)
            put(w, " mod %lld)", (long long)n);
    }
}

void tsr_write_isl_(writer *w, tsr_layout const *l, scan *s)
{
    int const modes = (int)tsr_layout_rank(*l);
    bool some = false;
    int64_t const offset = l->composed ? tsr_leaf_value(l->offset) : 0;
    if ((l->composed && (l->swizzle.bits > 0 || l->twice)) || tsr_has_basis(&l->stride) || modes > VARIABLES) {
        scan_fail(s, "ISL has no xor; a map is of at most 10 dimensions to one offset");
        return;
    }
    put(w, "{ [");
    for (int m = 0; m < modes; ++m)
        put(w, "%si%d", m > 0 ? ", " : "", m);
    put(w, "] -> [");
    for (int m = 0; m < modes; ++m) {
        tsr_layout const mode = tsr_coalesce(tsr_static_all(tsr_mode(*l, m)));
        write_mode(w, &mode, m, &some);
    }
    if (offset || !some)
        put(w,
            some         ? offset < 0 ? " - %llu" : " + %llu"
            : offset < 0 ? "-%llu"
                         : "%llu",
            offset < 0 ? 0 - (unsigned long long)offset : (unsigned long long)offset);
    put(w, "] : ");
    for (int m = 0; m < modes; ++m)
        put(w, "%s0 <= i%d < %lld", m > 0 ? " and " : "", m, (long long)tsr_layout_size(tsr_mode(*l, m)));
    put(w, " }");
}

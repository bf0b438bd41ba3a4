/** Samples as text: one value for each coordinate, or lines `(3,1) -> 17`. */
#include "convert/convert.h"

#include "fit/fit.h"

/** The line of a place, for messages. */
static int line_of(scan const *s, char const *place)
{
    int line = 1;
    for (char const *p = s->text; p < place; ++p)
        line += *p == '\n';
    return line;
}

/** Passes blanks, commas and comments. */
static void pass(scan *s)
{
    for (scan_pass(s, " \t\r\n,"); scan_is(s, "#"); scan_pass(s, " \t\r\n,"))
        scan_until(s, "\n");
}

/** An integer up to a blank, a comma, a parenthesis or `->`. */
static int64_t take_integer(scan *s)
{
    char const *const begin = s->p;
    uint64_t v = 0;
    bool const minus = scan_take_here(s, "-");
    (void)(!minus && scan_take_here(s, "+"));
    bool const ok = !s->failed && scan_digits(s, 10, &v) && v <= TSR_INT_MAX;
    if (!ok || (s->p < s->end && !scan_is(s, " \t\r\n,()#") && !scan_begins(s, "->"))) {
        scan_until(s, " \t\r\n,");
        scan_fail_at(s, begin, "`%.*s` in line %d is not an integer of 62 bits", (int)tsr_min64(s->p - begin, 32),
                     begin, line_of(s, begin));
    }
    return s->failed ? 0 : minus ? -(int64_t)v : (int64_t)v;
}

/** (3,1), 3,1 or 3 in front of an arrow. */
static void take_coordinate(scan *s, integers *r)
{
    bool const open = scan_take_here(s, "(");
    r->count = 0;
    while (!s->failed) {
        scan_pass(s, " \t");
        if (r->count == TSR_MAX_LEAVES) {
            scan_fail(s, "a coordinate has at most 16 integers");
            return;
        }
        r->at[r->count++] = take_integer(s);
        if (!s->failed && r->at[r->count - 1] < 0)
            scan_fail(s, "the integers of a coordinate are not negative");
        scan_pass(s, " \t");
        if (!scan_take_here(s, ",") && (scan_is(s, ")") || scan_begins(s, "->")))
            break;
    }
    if (open)
        scan_expect(s, ")");
}

/** The index of a coordinate that has an integer for each mode, or for each leaf; -1: it is outside. */
static int64_t index_of(tsr_tuple const *shape, integers const *c)
{
    int const modes = tsr_mode_count(shape);
    bool const by_leaf = c->count != modes;
    int64_t index = 0, weight = 1;
    if (by_leaf && c->count != shape->leaves)
        return -1;
    for (int i = 0; i < c->count; ++i) {
        tsr_tuple const mode = by_leaf ? tsr_from_leaf(shape->leaf[i]) : tsr_tuple_get(*shape, i);
        int64_t const extent = tsr_fit_grid_(&mode).size;
        if (c->at[i] >= extent)
            return -1;
        index += c->at[i] * weight;
        weight *= extent;
    }
    return index;
}

/** The smallest shape that holds all coordinates; the text is gone through, and begins again. */
static tsr_tuple shape_of(scan *s)
{
    char const *const begin = s->p;
    integers c, most = {0, {0}};
    tsr_tuple shape = TSR_ZERO;
    for (pass(s); !s->failed && s->p < s->end; pass(s)) {
        take_coordinate(s, &c);
        scan_expect(s, "->");
        scan_pass(s, " \t");
        (void)take_integer(s);
        if (!s->failed && most.count > 0 && c.count != most.count)
            scan_fail(s, "all coordinates have equally many integers");
        most.count = s->failed ? 0 : c.count;
        for (int i = 0; i < most.count; ++i)
            most.at[i] = tsr_max64(most.at[i], c.at[i]);
    }
    for (int i = 0; i < most.count; ++i)
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(most.at[i] < TSR_LAW_BUDGET ? most.at[i] + 1 : most.at[i]));
    s->p = begin;
    return most.count > 1 ? tsr_tuple_close(shape) : shape;
}

/** How many samples can be read. */
static int64_t most_of(tsr_samples const *r) { return tsr_min64(r->capacity, TSR_LAW_BUDGET); }

/** Takes a shape: its size is what can be tried. */
static void take_shape(scan *s, tsr_samples *r, tsr_tuple shape)
{
    tsr_reason why;
    int64_t const size = tsr_fit_size_(shape, &why);
    if (why.status)
        scan_refuse(s, why);
    else if (size > most_of(r))
        scan_fail(s, "a shape of samples has at most %lld coordinates, not %lld", (long long)most_of(r),
                  (long long)size);
    r->shape = shape;
    r->count = s->failed ? 0 : size;
    for (int64_t c = 0; c < r->count; ++c)
        r->value[c] = TSR_BAD_OFFSET;
}

static void read_lines(scan *s, tsr_samples *r)
{
    integers coordinate;
    for (pass(s); !s->failed && s->p < s->end; pass(s)) {
        take_coordinate(s, &coordinate);
        scan_expect(s, "->");
        scan_pass(s, " \t");
        int64_t const v = take_integer(s), c = s->failed ? 0 : index_of(&r->shape, &coordinate);
        if (c < 0)
            scan_fail(s, "a coordinate is outside of the shape, or has not as many integers");
        if (s->failed)
            return;
        if (r->value[c] != TSR_BAD_OFFSET && r->value[c] != v)
            scan_fail(s, "line %d gives %lld for a coordinate that has %lld already", line_of(s, s->p), (long long)v,
                      (long long)r->value[c]);
        r->value[c] = v;
    }
}

static void read_values(scan *s, tsr_samples *r, tsr_tuple shape)
{
    int64_t count = 0;
    for (pass(s); !s->failed && s->p < s->end; pass(s)) {
        int64_t const v = take_integer(s);
        if (count == most_of(r))
            scan_fail(s, "more than %lld integers", (long long)count);
        if (s->failed)
            return;
        r->work[count++] = v;
    }
    tsr_tuple const all = tsr_is_unit(&shape) ? tsr_int(count) : shape;
    if (!s->failed)
        take_shape(s, r, all);
    if (!s->failed && r->count != count)
        scan_refuse(s, tsr_because(TSR_DIFFER_SIZE, 0, count, r->count, 0));
    if (!s->failed)
        memcpy(r->value, r->work, (size_t)count * sizeof *r->value);
}

bool tsr_samples_read(tsr_samples *r, char const *text, tsr_tuple shape, tsr_message *error)
{
    scan s = tsr_scan_open_(text, strlen(text), error);
    if (shape.status)
        scan_refuse(&s, tsr_tuple_why(shape));
    pass(&s);
    if (s.p == s.end)
        scan_fail(&s, "there are no integers");
    if (strstr(text, "->")) {
        tsr_tuple const over = tsr_is_unit(&shape) && !s.failed ? shape_of(&s) : shape;
        if (!s.failed)
            take_shape(&s, r, over);
        read_lines(&s, r);
    } else {
        read_values(&s, r, shape);
    }
    return !s.failed;
}

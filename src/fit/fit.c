/** Forms of samples: the simplest that explains them, and which sample breaks each simpler one. */
#include "fit/fit.h"

static char const *const names[] = {
#define X(id, name) name,
    TSR_FORM_LIST(X)
#undef X
};

char const *tsr_form_name(tsr_form form) { return form < TSR_FORMS ? names[form] : ""; }

tsr_samples tsr_make_samples(int64_t *value, int64_t values, int64_t *work, int64_t works)
{
    tsr_samples s = TSR_ZERO;
    s.shape = tsr_unit();
    s.value = value;
    s.work = work;
    s.capacity = tsr_max64(tsr_min64(values, works / 2), 0);
    return s;
}

int64_t tsr_fit_size_(tsr_tuple shape, tsr_reason *why)
{
    tsr_layout const over = tsr_make_layout_compact(shape);
    *why = tsr_layout_why(over);
    return tsr_ok(over) ? tsr_layout_size(over) : 0;
}

int64_t tsr_fit_missing_(tsr_samples const *s)
{
    int64_t missing = 0;
    for (int64_t c = 0; c < s->count; ++c)
        missing += s->value[c] == TSR_BAD_OFFSET;
    return missing;
}

/** (3,1): an integer for each leaf. */
static void write_coordinate(writer *w, tsr_samples const *s, int64_t c)
{
    grid const g = tsr_fit_grid_(&s->shape);
    put(w, "%s", g.leaves > 1 ? "(" : "");
    for (int k = 0; k < g.leaves; ++k)
        put(w, "%s%lld", k > 0 ? "," : "", (long long)grid_digit(&g, k, c));
    put(w, "%s", g.leaves > 1 ? ")" : "");
}

void tsr_fit_break_(tsr_found *r, tsr_samples const *s, int64_t at, int64_t got)
{
    writer w;
    writer_open(&w, r->text, sizeof r->text);
    put(&w, "sample ");
    write_coordinate(&w, s, at);
    put(&w, " -> %lld, but it gives %lld", (long long)s->value[at], (long long)got);
}

void tsr_fit_refuse_(tsr_found *r, tsr_reason why) { tsr_format_reason(r->text, sizeof r->text, why); }

/** Takes the layout of values that are all known. */
static bool take_layout(tsr_samples const *s, int64_t const *value, unsigned flags, tsr_found *r)
{
    r->layout = tsr_fit(value, s->count, s->shape);
    r->ok = tsr_ok(r->layout);
    tsr_reason const why = tsr_layout_why(r->layout);
    if (why.status == TSR_FIT)
        tsr_fit_break_(r, s, why.number[0], why.number[1]);
    else
        tsr_format_layout(r->text, sizeof r->text, r->layout, flags);
    return r->ok;
}

/** The layout of a sum, in the profile of the samples: what tsr_fit makes of values, for any number of them. */
static tsr_layout layout_of(tsr_samples const *s, sums const *of)
{
    tsr_tuple const *const over = &s->shape;
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    bool known = true;
    for (int k = 0; k < over->leaves; ++k)
        known = known && over->leaf[k].kind != TSR_DYNAMIC;
    tsr_kind const kind = known ? TSR_STATIC : TSR_DYNAMIC;
    for (int k = 0; k < over->leaves; ++k) {
        int const first = shape.leaves, count = of->of[k].count;
        for (int i = 0; i < (count > 0 ? count : 1); ++i) {
            tsr_tuple_push_leaf(&shape, count > 0 ? tsr_leaf_make(kind, of->of[k].extent[i]) : tsr_leaf_static(1));
            tsr_tuple_push_leaf(&stride, count > 0 ? tsr_leaf_make(kind, of->of[k].stride[i]) : tsr_leaf_static(0));
        }
        tsr_enclose_(&shape, first, over->leaf[k]);
        tsr_enclose_(&stride, first, over->leaf[k]);
    }
    tsr_layout const l = tsr_layout_checked(tsr_layout_unchecked(shape, stride));
    return of->base ? tsr_make_composed_layout(tsr_make_swizzle(0, 0, 0), tsr_int(of->base), l) : l;
}

/** Takes a layout as what was found. */
static bool take_found(tsr_layout l, unsigned flags, tsr_found *r)
{
    r->layout = l;
    r->ok = tsr_ok(l);
    tsr_format_layout(r->text, sizeof r->text, l, flags);
    return r->ok;
}

bool tsr_fit_plain_(tsr_samples const *s, unsigned flags, tsr_found *r)
{
    grid const g = tsr_fit_grid_(&s->shape);
    source const f = {s->value, &g, {0, 0, 0, 0, 0}};
    sums of;
    int64_t at = 0, got = 0;
    if (!tsr_fit_sums_(&f, s->work, &of, &at, &got))
        return tsr_fit_break_(r, s, at, got), false;
    if (g.size > TSR_LAW_BUDGET)
        return take_found(layout_of(s, &of), flags, r);
    for (int64_t c = 0; c < g.size; ++c)
        s->work[c] = tsr_fit_sums_at_(&of, &g, c);
    return take_layout(s, s->work, flags, r);
}

bool tsr_fit_swizzled_(tsr_samples const *s, unsigned flags, tsr_found *r)
{
    if (s->count <= TSR_LAW_BUDGET && tsr_fit_missing_(s) == 0)
        return take_layout(s, s->value, flags, r);
    if (!tsr_fit_linear_(s, r))
        return false;
    return take_found(tsr_linear_to_layout(r->map), flags, r);
}

/** Whether samples are those of their shape, and their memory holds them; else why not. */
static bool is_sampled(tsr_samples const *s, tsr_found *r)
{
    tsr_reason why;
    int64_t const size = tsr_fit_size_(s->shape, &why);
    char *const text = r->text;
    if (why.status)
        tsr_fit_refuse_(r, why);
    else if (s->count != size)
        snprintf(text, sizeof r->text, "%lld samples, but the shape has %lld coordinates", (long long)s->count,
                 (long long)size);
    else if (s->count > s->capacity)
        snprintf(text, sizeof r->text, "%lld samples, but their memory has room for %lld", (long long)s->count,
                 (long long)s->capacity);
    else if (tsr_fit_missing_(s) == s->count)
        snprintf(text, sizeof r->text, "none of the %lld coordinates has a sample", (long long)s->count);
    return text[0] == 0;
}

bool tsr_samples_fit(tsr_samples const *s, tsr_form form, unsigned flags, tsr_found *r)
{
    memset(r, 0, sizeof *r);
    r->form = form;
    r->tried = true;
    if (!is_sampled(s, r))
        return false;
    switch (form) {
    /* clang-format off */
    case TSR_FORM_LAYOUT: return tsr_fit_plain_(s, flags, r);
    case TSR_FORM_SWIZZLED: return tsr_fit_swizzled_(s, flags, r);
    case TSR_FORM_LINEAR: return tsr_fit_linear_(s, r);
    case TSR_FORM_SUM: return tsr_fit_sum_(s, flags, r);
    case TSR_FORM_DESCRIPTOR: return tsr_fit_descriptor_(s, r);
    case TSR_FORMS: break;
        /* clang-format on */
    }
    return false;
}

tsr_form tsr_samples_explain(tsr_samples const *s, unsigned flags, tsr_found *found)
{
    tsr_form best = TSR_FORMS;
    for (int i = 0; i < TSR_FORMS; ++i) {
        tsr_found *const r = &found[i];
        bool const simpler = best == TSR_FORM_LAYOUT || best == TSR_FORM_SWIZZLED;
        memset(r, 0, sizeof *r);
        if (simpler || !tsr_samples_fit(s, (tsr_form)i, flags, r))
            continue;
        if (best == TSR_FORMS || strlen(r->text) < strlen(found[best].text))
            best = (tsr_form)i;
    }
    return best;
}

/** Expressions over named sizes: evaluated again with every guard that they need, their text, and their numbers. */
#include <stdlib.h>
#include <string.h>

#include "symbolic/evaluation.h"

/** Reads the expression once more for every guard that is added on the way. */
static void evaluate(tsr_symbolic *e, char const *expression)
{
    do {
        reader r = {&e->s, tsr_scan_open_(expression, strlen(expression), &e->error), 0, 0, 0, e->stack, e->item};
        e->s.again = false;
        tsr_symbol_read_(&r, &e->result);
    } while (e->s.again && !e->s.failed);
    if (!e->s.failed && e->result.kind == SYMBOL_TILER)
        tsr_size_fail_(&e->s, "a tiler alone has no value over named sizes");
}

tsr_symbolic *tsr_symbolic_read(char const *expression, char const *given, tsr_message *error)
{
    tsr_symbolic *const e = (tsr_symbolic *)malloc(sizeof *e);
    error->at = 0;
    error->text[0] = 0;
    if (!e) {
        snprintf(error->text, sizeof error->text, "out of memory");
        return NULL;
    }
    memset(e, 0, offsetof(tsr_symbolic, stack)); /* the rest is large, and most of it is never used */
    e->s.error = &e->error;
    reader r = {&e->s, tsr_scan_open_(given, strlen(given), &e->error), 0, 0, 0, e->stack, e->item};
    tsr_symbol_read_guards_(&r);
    bool const guards = !e->s.failed;
    if (guards)
        evaluate(e, expression);
    if (!e->s.failed)
        return e;
    *error = e->error;
    if (!guards) {
        error->at = 0;
        snprintf(error->text, sizeof error->text, "guards: %.*s", (int)(sizeof error->text - 16), e->error.text);
    }
    free(e);
    return NULL;
}

void tsr_symbolic_free(tsr_symbolic *e) { free(e); }

void tsr_symbolic_write_(writer *w, tsr_symbolic const *e)
{
    if (e->result.kind == SYMBOL_SUM) {
        tsr_sum_write_(w, &e->s, &e->result.total);
        return;
    }
    if (e->result.front.bits > 0)
        put(w, "Sw<%d,%d,%d> o _0 o ", e->result.front.bits, e->result.front.base, e->result.front.shift);
    tsr_symbol_tuple_write_(w, &e->s, &e->result.layout.shape);
    if (e->result.kind == SYMBOL_LAYOUT) {
        put(w, ":");
        tsr_symbol_tuple_write_(w, &e->s, &e->result.layout.stride);
    }
}

size_t tsr_symbolic_format(char *out, size_t size, tsr_symbolic const *e)
{
    writer w;
    writer_open(&w, out, size);
    tsr_symbolic_write_(&w, e);
    return w.used;
}

size_t tsr_symbolic_format_guards(char *out, size_t size, tsr_symbolic const *e)
{
    writer w;
    writer_open(&w, out, size);
    tsr_size_write_guards_(&w, &e->s, spelling_of_text);
    return w.used;
}

int tsr_symbolic_count(tsr_symbolic const *e) { return e->s.names; }

char const *tsr_symbolic_name(tsr_symbolic const *e, int i) { return i >= 0 && i < e->s.names ? e->s.name[i] : ""; }

bool tsr_symbolic_is_layout(tsr_symbolic const *e) { return e->result.kind == SYMBOL_LAYOUT; }

/* Numbers */

void tsr_symbolic_numbers(tsr_symbolic const *e, int64_t const *factor, int64_t *number)
{
    tsr_size_numbers_(&e->s, factor, number);
}

/** The quotients of the numbers, for a result of a kind. */
static bool begin(tsr_symbolic const *e, symbol_kind kind, int64_t const *number, int64_t *quotient,
                  tsr_message *error)
{
    writer w;
    int name = 0;
    error->at = 0;
    error->text[0] = 0;
    if (e->result.kind != kind)
        snprintf(error->text, sizeof error->text,
                 kind == SYMBOL_LAYOUT ? "the result is no layout" : "the result is no number");
    else if (!tsr_size_quotients_(&e->s, number, kind == SYMBOL_LAYOUT, quotient, &name)) {
        writer_open(&w, error->text, sizeof error->text);
        put(&w, "%s = %lld must be a multiple of ", e->s.name[name], (long long)number[name]);
        tsr_product_write_(&w, &e->s, spelling_of_text, e->s.divisor[name]);
        put(&w, ", and positive");
    }
    return !error->text[0];
}

static bool fail_range(tsr_message *error, bool fits)
{
    if (!fits)
        snprintf(error->text, sizeof error->text, "the result leaves the range of 64-bit integers at these numbers");
    return fits;
}

static bool tuple_at(symbol_tuple const *t, int64_t const *quotient, tsr_tuple *r, tsr_message *error)
{
    bool fits = true;
    *r = t->frame;
    for (int i = 0; i < r->leaves && fits; ++i)
        fits = tsr_product_at_(&t->leaf[i], quotient, &r->leaf[i].value);
    return fail_range(error, fits);
}

bool tsr_symbolic_layout_at(tsr_symbolic const *e, int64_t const *number, tsr_layout *r, tsr_message *error)
{
    int64_t quotient[TSR_SYMBOLS];
    tsr_tuple shape, stride;
    if (!begin(e, SYMBOL_LAYOUT, number, quotient, error)
        || !tuple_at(&e->result.layout.shape, quotient, &shape, error)
        || !tuple_at(&e->result.layout.stride, quotient, &stride, error))
        return false;
    *r = tsr_layout_checked(tsr_layout_unchecked(shape, stride));
    if (e->result.front.bits > 0)
        *r = tsr_make_composed_layout(e->result.front, tsr_s(0), *r);
    if (r->shape.status)
        tsr_format_layout(error->text, sizeof error->text, *r, 0);
    return !error->text[0];
}

bool tsr_symbolic_number_at(tsr_symbolic const *e, int64_t const *number, int64_t *r, tsr_message *error)
{
    int64_t quotient[TSR_SYMBOLS], term = 0;
    bool fits = true;
    if (!begin(e, SYMBOL_SUM, number, quotient, error))
        return false;
    *r = 0;
    for (int i = 0; i < e->result.total.terms && fits; ++i)
        fits = tsr_product_at_(&e->result.total.term[i], quotient, &term) && tsr_add64(*r, term, r);
    return fail_range(error, fits);
}

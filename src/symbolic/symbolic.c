/** Expressions over named sizes: evaluated again with every guard that they need, their text, and their numbers. */
#include <stdlib.h>
#include <string.h>

#include "symbolic/evaluation.h"

/** Reads the expression once more for every guard that is added on the way. */
static void evaluate(tsr_symbolic *e, char const *expression)
{
    do {
        reader r = {&e->s, tsr_scan_open_(expression, strlen(expression), &e->error), 0, 0, e->stack};
        e->s.again = false;
        e->s.products = 0;
        tsr_symbol_read_(&r, &e->result);
    } while (e->s.again && !e->s.failed);
    if (!e->s.failed && e->result.v.kind == VALUE_TILER && !tsr_symbol_is_numeric_(&e->result.v))
        tsr_size_fail_(&e->s, "a tiler alone has no value over named sizes");
}

/** What the calculator alone can read has its value, or is refused in its words. */
static void evaluate_numbers(tsr_symbolic *e, char const *expression, sizes const *given)
{
    tsr_evaluation *const v = tsr_evaluate(expression, TSR_TEXT_STATIC, NULL, NULL);
    bool const ok = v && v->ok && tsr_value_ok_(&v->result);
    if (ok) {
        e->s = *given;
        e->numbers = v;
        e->result.v = v->result;
        tsr_symbol_make_static_(&e->result.v);
        return;
    }
    if (v && v->ok)
        (void)tsr_format_evaluation(e->error.text, sizeof e->error.text, v);
    tsr_evaluation_free(v);
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
    e->s.kept = &e->kept;
    reader r = {&e->s, tsr_scan_open_(given, strlen(given), &e->error), 0, 0, e->stack};
    tsr_symbol_read_guards_(&r);
    bool const guards = !e->s.failed;
    sizes const given_sizes = e->s;
    if (guards)
        evaluate(e, expression);
    if (guards && e->s.failed)
        evaluate_numbers(e, expression, &given_sizes);
    if (!e->s.failed)
        return e;
    *error = e->error;
    if (!guards) {
        error->at = 0;
        snprintf(error->text, sizeof error->text, "guards: %.*s", (int)(sizeof error->text - 16), e->error.text);
    }
    tsr_symbolic_free(e);
    return NULL;
}

void tsr_symbolic_free(tsr_symbolic *e)
{
    if (!e)
        return;
    tsr_memory_free_(&e->kept);
    tsr_evaluation_free(e->numbers);
    free(e);
}

bool tsr_symbolic_is_of_sizes_(value const *v)
{
    tsr_layout const *const l = &v->as.layout;
    bool const plain = v->kind == VALUE_TUPLE
                       || (v->kind == VALUE_LAYOUT && !l->twice && (!l->composed || tsr_leaf_is(l->offset, 0)));
    return plain && !v->names;
}

void tsr_symbolic_write_(writer *w, tsr_symbolic const *e)
{
    value const *const v = &e->result.v;
    if ((int)v->kind == SYMBOL_SUM) {
        tsr_sum_write_(w, &e->s, &e->result.total);
    } else if (!tsr_symbolic_is_of_sizes_(v)) {
        tsr_value_write_(w, v, TSR_TEXT_STATIC);
    } else if (v->kind == VALUE_TUPLE) {
        tsr_symbol_tuple_write_(w, &e->s, &v->as.tuple);
    } else {
        tsr_swizzle const sw = v->as.layout.swizzle;
        if (v->as.layout.composed)
            put(w, "Sw<%d,%d,%d> o _0 o ", sw.bits, sw.base, sw.shift);
        tsr_symbol_tuple_write_(w, &e->s, &v->as.layout.shape);
        put(w, ":");
        tsr_symbol_tuple_write_(w, &e->s, &v->as.layout.stride);
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

bool tsr_symbolic_is_layout(tsr_symbolic const *e) { return e->result.v.kind == VALUE_LAYOUT; }

/* Numbers */

void tsr_symbolic_numbers(tsr_symbolic const *e, int64_t const *factor, int64_t *number)
{
    tsr_size_numbers_(&e->s, factor, number);
}

/** The quotients of the numbers, each of which is `least` or more. */
static bool begin(tsr_symbolic const *e, int64_t const *number, int64_t least, int64_t *quotient, tsr_message *error)
{
    writer w;
    int name = 0;
    error->at = 0;
    error->text[0] = 0;
    if (!tsr_size_quotients_(&e->s, number, least, quotient, &name)) {
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

/** The integers of names become numbers; what else a leaf may be stays. */
static bool put_numbers(tsr_symbolic const *e, int64_t const *quotient, tsr_tuple *t)
{
    bool fits = true;
    for (int i = 0; i < t->leaves && fits; ++i) {
        tsr_leaf *const at = &t->leaf[i];
        if (at->kind == TSR_DYNAMIC)
            fits = tsr_product_at_(&e->s.product[at->value], quotient, &at->value);
        else if (at->kind == TSR_STATIC)
            at->kind = TSR_DYNAMIC;
    }
    return fits;
}

bool tsr_symbolic_layout_at(tsr_symbolic const *e, int64_t const *number, tsr_layout *r, tsr_message *error)
{
    int64_t quotient[TSR_SYMBOLS];
    if (!begin(e, number, 1, quotient, error))
        return false;
    if (!tsr_symbolic_is_layout(e)) {
        snprintf(error->text, sizeof error->text, "the result is no layout");
        return false;
    }
    *r = e->result.v.as.layout;
    if (!fail_range(error, put_numbers(e, quotient, &r->shape) && put_numbers(e, quotient, &r->stride)))
        return false;
    *r = tsr_layout_checked(*r);
    if (r->shape.status)
        tsr_format_layout(error->text, sizeof error->text, *r, 0);
    return !error->text[0];
}

/** A sum, or a number alone; false: it is neither. */
static bool sum_of(tsr_symbolic const *e, sum *r)
{
    value const *const v = &e->result.v;
    bool const number = v->kind == VALUE_TUPLE && tsr_is_leaf(&v->as.tuple) && tsr_leaf_is_int(v->as.tuple.leaf[0]);
    *r = e->result.total;
    if (number) {
        tsr_leaf const at = v->as.tuple.leaf[0];
        r->terms = 1;
        r->term[0] = at.kind == TSR_DYNAMIC ? e->s.product[at.value] : tsr_product_of_(at.value);
    }
    return number || (int)v->kind == SYMBOL_SUM;
}

bool tsr_symbolic_number_at(tsr_symbolic const *e, int64_t const *number, int64_t *r, tsr_message *error)
{
    int64_t quotient[TSR_SYMBOLS], term = 0;
    sum total;
    bool fits = true;
    if (!begin(e, number, 0, quotient, error))
        return false;
    if (!sum_of(e, &total)) {
        snprintf(error->text, sizeof error->text, "the result is no number");
        return false;
    }
    *r = 0;
    for (int i = 0; i < total.terms && fits; ++i)
        fits = tsr_product_at_(&total.term[i], quotient, &term) && tsr_add64(*r, term, r);
    return fail_range(error, fits);
}

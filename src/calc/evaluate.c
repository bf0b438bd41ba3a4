/** What the library offers of expressions: the text of their values, and values of some kinds. */
#include <string.h>

#include "calc/value.h"

bool tsr_format_evaluation(char *out, size_t size, tsr_evaluation const *e)
{
    writer w;
    writer_open(&w, out, size);
    bool const ok = e && e->ok && tsr_value_ok_(&e->result);
    if (!e)
        put(&w, "out of memory");
    else if (!e->ok)
        put(&w, "%s (at character %zu)", e->error.text, e->error.at);
    else
        tsr_value_write_(&w, &e->result, e->flags);
    if (!ok || w.used < size)
        return ok;
    writer_open(&w, out, size);
    put(&w, "the answer is longer than the text that holds it");
    return false;
}

char const *tsr_evaluation_kind(tsr_evaluation const *e) { return e && e->ok ? tsr_value_words_(&e->result) : ""; }

/** Appends the answer for static numbers, if dynamic numbers are the obstacle. */
static void put_static_answer(char *out, size_t size, char const *expression, unsigned flags)
{
    evaluation *const e = tsr_evaluate(expression, flags | TSR_TEXT_STATIC, NULL, NULL);
    writer w = {out, size, strlen(out)};
    if (e && e->ok && tsr_value_ok_(&e->result)) {
        put(&w, "; with static numbers it is ");
        tsr_value_write_(&w, &e->result, flags | TSR_TEXT_STATIC);
    }
    tsr_evaluation_free(e);
}

bool tsr_calc_traced(char const *expression, unsigned flags, char *out, size_t size, tsr_trace trace, void *context)
{
    evaluation *const e = tsr_evaluate(expression, flags, trace, context);
    bool const ok = tsr_format_evaluation(out, size, e);
    bool const refused = e && e->ok && !tsr_value_ok_(&e->result);
    tsr_evaluation_free(e);
    if (refused && size > 0 && !(flags & TSR_TEXT_STATIC))
        put_static_answer(out, size, expression, flags);
    return ok;
}

bool tsr_calc(char const *expression, unsigned flags, char *out, size_t size)
{
    return tsr_calc_traced(expression, flags, out, size, NULL, NULL);
}

/** Are two texts the same but for the `_` of static numbers? */
static bool same_numbers(char const *with, char const *without)
{
    for (; *with && *without; ++with)
        if (*with == *without)
            ++without;
        else if (*with != '_')
            return false;
    while (*with == '_')
        ++with;
    return *with == *without;
}

bool tsr_calc_static(char const *expression, unsigned flags, char const *result, char *out, size_t size)
{
    bool const other = !(flags & TSR_TEXT_STATIC) && tsr_calc(expression, flags | TSR_TEXT_STATIC, out, size)
                       && !same_numbers(result, out);
    if (!other && size > 0)
        out[0] = 0;
    return other;
}

/** Evaluates; there is no error yet. */
static evaluation *begin(char const *text, unsigned flags, tsr_message *error)
{
    if (error) {
        error->at = 0;
        error->text[0] = 0;
    }
    return tsr_evaluate(text, flags, NULL, NULL);
}

/** Copies the words of an error, or the reason why a value is not of the wanted kind. */
static tsr_tuple explain_error(evaluation const *e, char const *wanted, tsr_message *error)
{
    size_t const at = e ? e->error.at : 0;
    char const *const text = !e ? "out of memory" : e->ok ? wanted : e->error.text;
    if (error) {
        error->at = at;
        snprintf(error->text, sizeof error->text, "%s", text);
    }
    return tsr_syntax_reason_(at, text);
}

static bool is(evaluation const *e, value_kind kind) { return e && e->ok && e->result.kind == kind; }

bool tsr_is_expression(char const *text, unsigned flags, tsr_message *error)
{
    evaluation *const e = begin(text, flags, error);
    bool const ok = !e || e->ok;
    if (!ok)
        explain_error(e, "", error);
    tsr_evaluation_free(e);
    return ok;
}

tsr_layout tsr_parse_layout(char const *text, unsigned flags, tsr_message *error)
{
    evaluation *const e = begin(text, flags, error);
    char why[256] = "";
    tsr_layout r = TSR_ZERO;
    if (!e || !e->ok || !tsr_value_as_layout_(&e->result, flags, &r, why, sizeof why))
        r = tsr_invalid_layout(explain_error(e, why, error));
    tsr_evaluation_free(e);
    return r;
}

tsr_tuple tsr_parse_tuple(char const *text, unsigned flags, tsr_message *error)
{
    evaluation *const e = begin(text, flags, error);
    tsr_tuple const r =
        is(e, VALUE_TUPLE) ? e->result.as.tuple : explain_error(e, "this is not a tuple or an integer", error);
    tsr_evaluation_free(e);
    return r;
}

tsr_tensor tsr_parse_tensor(char const *text, unsigned flags, tsr_message *error)
{
    evaluation *const e = begin(text, flags, error);
    tsr_tensor r = TSR_ZERO;
    if (is(e, VALUE_TENSOR)) {
        r = e->result.as.tensor;
    } else {
        r.engine.at = explain_error(e, "this is not a tensor", error);
        r = tsr_make_tensor_of(r.engine, tsr_invalid_layout(r.engine.at));
    }
    tsr_evaluation_free(e);
    return r;
}

tsr_linear tsr_parse_linear(char const *text, unsigned flags, tsr_message *error)
{
    evaluation *const e = begin(text, flags, error);
    tsr_linear const r = is(e, VALUE_LINEAR)
                             ? e->result.as.linear
                             : tsr_bad_linear(tsr_tuple_why(explain_error(e, "this is not a linear map", error)));
    tsr_evaluation_free(e);
    return r;
}

tsr_layout_sum tsr_parse_sum(char const *text, unsigned flags, tsr_message *error)
{
    evaluation *const e = begin(text, flags, error);
    tsr_layout_sum r = TSR_ZERO;
    if (is(e, VALUE_SUM))
        r = *e->result.as.sum;
    else if (is(e, VALUE_LAYOUT))
        r = tsr_sum_of_layout(e->result.as.layout);
    else
        r = tsr_sum_of_layout(tsr_invalid_layout(explain_error(e, "this is not a sum of layouts", error)));
    tsr_evaluation_free(e);
    return r;
}

bool tsr_dist_read(char const *text, unsigned flags, tsr_dist_layout *d, tsr_message *error)
{
    evaluation *const e = begin(text, flags, error);
    bool ok = is(e, VALUE_DISTRIBUTED) || (is(e, VALUE_LAYOUT) && tsr_value_ok_(&e->result));
    if (!ok && e && e->ok && !tsr_value_ok_(&e->result))
        (void)tsr_format_evaluation(error->text, sizeof error->text, e);
    else if (!ok)
        (void)explain_error(e, "this is neither a distributed layout nor a layout into (rank, offset)", error);
    else if (e->result.kind == VALUE_DISTRIBUTED)
        *d = *e->result.as.distributed;
    else {
        *d = tsr_distributed_of(e->result.as.layout, tsr_unit(), error);
        ok = !error->text[0];
    }
    tsr_evaluation_free(e);
    return ok;
}

tsr_layout tsr_parse(char const *text) { return tsr_parse_layout(text, 0, NULL); }

tsr_tma_copy tsr_parse_tma(char const *text, unsigned flags, tsr_message *error)
{
    evaluation *const e = begin(text, flags, error);
    tsr_tma_copy r = TSR_ZERO;
    if (is(e, VALUE_TMA))
        r = *e->result.as.tma;
    else if (is(e, VALUE_TMA_MAP))
        r.desc = e->result.as.map;
    else if (e && e->ok && tsr_value_reason_(&e->result).status)
        r = tsr_bad_tma_copy(tsr_tuple_why(tsr_value_reason_(&e->result)));
    else
        r = tsr_bad_tma_copy(tsr_tuple_why(explain_error(e, "this is neither a TMA copy nor a tensor map", error)));
    tsr_evaluation_free(e);
    return r;
}

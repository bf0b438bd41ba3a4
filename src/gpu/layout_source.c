/** A layout as source: its members, one after the other. */
#include "gpu/text.h"

#include <stdio.h>

/** Text of which more may be written than there is room for. */
typedef struct limited {
    char *out;
    size_t size, length;
} limited;

static void add_text(limited *to, char const *text)
{
    for (; *text; ++text, ++to->length)
        if (to->length + 1 < to->size)
            to->out[to->length] = *text;
}

/** The least number has no literal of its own. */
static void add_number(limited *to, int64_t n)
{
    char digits[40];
    if (n < -TSR_INT_MAX)
        add_text(to, "-9223372036854775807ll - 1");
    snprintf(digits, sizeof digits, "%lld%s", (long long)n, n > 2147483647 || n < -2147483647 ? "ll" : "");
    if (n >= -TSR_INT_MAX)
        add_text(to, digits);
}

/** `{a,b,..}` of unsigned or signed numbers. */
static void add_numbers(limited *to, int64_t const *n, int count)
{
    add_text(to, "{");
    for (int i = 0; i < count; ++i) {
        add_text(to, i ? "," : "");
        add_number(to, n[i]);
    }
    add_text(to, "}");
}

static void add_leaf(limited *to, tsr_leaf const *x)
{
    int64_t const n[] = {x->value, x->aux, x->kind, x->open, x->close, x->tile};
    add_numbers(to, n, 6);
}

static void add_tuple(limited *to, tsr_tuple const *x)
{
    int const n[] = {x->status, x->leaves, x->mode, x->law, x->along};
    add_text(to, "{");
    for (int i = 0; i < 5; ++i) {
        add_number(to, n[i]);
        add_text(to, ",");
    }
    int const held = x->status ? TSR_NOTES : x->leaves < TSR_MAX_LEAVES ? x->leaves : TSR_MAX_LEAVES;
    int const count = held > 0 ? held : 1; /* the others are 0 without being written */
    add_text(to, "{");
    for (int i = 0; i < count; ++i) {
        add_text(to, i ? "," : "");
        add_leaf(to, &x->leaf[i]);
    }
    add_text(to, "}}");
}

static void add_swizzle(limited *to, tsr_swizzle const *x)
{
    int64_t const number[] = {x->number[0], x->number[1], x->number[2]};
    int const n[] = {x->status, x->bits, x->base, x->shift};
    add_text(to, "{");
    for (int i = 0; i < 4; ++i) {
        add_number(to, n[i]);
        add_text(to, ",");
    }
    add_numbers(to, number, 3);
    add_text(to, "}");
}

size_t tsr_format_layout_source(char *out, size_t size, tsr_layout l)
{
    limited to = {out, size, 0};
    add_text(&to, "{");
    add_tuple(&to, &l.shape);
    add_text(&to, ",");
    add_tuple(&to, &l.stride);
    add_text(&to, ",");
    add_leaf(&to, &l.offset);
    add_text(&to, ",");
    add_swizzle(&to, &l.swizzle);
    add_text(&to, l.composed ? ",true" : ",false");
    add_text(&to, l.twice ? ",true," : ",false,");
    add_leaf(&to, &l.outer_offset);
    add_text(&to, ",");
    add_swizzle(&to, &l.outer_swizzle);
    add_text(&to, "}");
    if (size > 0)
        out[to.length < size ? to.length : size - 1] = 0;
    return to.length;
}

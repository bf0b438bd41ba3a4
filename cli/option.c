/** The options that were given, and the names of element types. */
#include "option.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "words.h"

char const *did_you_mean(tsr_nearest const *nearest)
{
    static char text[128];
    snprintf(text, sizeof text, ", did you mean %s?", nearest->name ? nearest->name : "");
    return nearest->name ? text : "";
}

void add_word(char *out, size_t size, char const *word)
{
    size_t const n = strlen(out);
    snprintf(out + n, size - n, "%s%s", n > 0 ? " " : "", word);
}

void type_names(char *out, size_t size)
{
    out[0] = 0;
#define X(id, code, bits, exponent, mantissa, bias, special, name, ...) add_word(out, size, name);
    TSR_DTYPE_LIST(X)
#undef X
}

char const *option_of(options const *o, char const *name)
{
    char const *value = NULL;
    size_t const n = strlen(name);
    for (int i = 0; i < o->count; ++i) /* the last one counts */
        if (strcspn(o->given[i].name, "=") == n && strncmp(o->given[i].name, name, n) == 0)
            value = o->given[i].value;
    return value;
}

bool type_of_option(options const *o, char const *option, tsr_dtype absent, tsr_dtype *type)
{
    char known[512];
    char const *const name = option_of(o, option);
    *type = name ? tsr_dtype_named(name) : absent;
    if (!name || *type)
        return true;
    tsr_nearest nearest = {name, NULL, 0};
#define X(id, code, bits, exponent, mantissa, bias, special, ours, ...) tsr_nearest_try(&nearest, ours);
    TSR_DTYPE_LIST(X)
#undef X
#define X(cute, id) tsr_nearest_try(&nearest, #cute);
    TSR_DTYPE_NAME_LIST(X)
#undef X
    type_names(known, sizeof known);
    complain(o, "%s: unknown element type %s%s", option, name, did_you_mean(&nearest));
    fprintf(stderr, "  the types: %s; the names of CuTe and NumPy are read, too\n", known);
    return false;
}

bool read_layout(options const *o, char const *of, char const *text, tsr_layout *l)
{
    static tsr_message error;
    *l = tsr_parse_layout(text, o->flags | TSR_TEXT_SHAPES, &error);
    if (tsr_ok(*l))
        return true;
    if (!error.text[0])
        tsr_format_layout(error.text, sizeof error.text, *l, 0);
    complain(o, "%s%s", of, error.text);
    point_at_error(o, text);
    return false;
}

int64_t size_of_text(char const *text)
{
    static char const units[] = "KMG";
    char *end = NULL;
    long long const n = *text >= '1' && *text <= '9' ? strtoll(text, &end, 10) : 0;
    char const *const unit = n > 0 && *end ? strchr(units, *end) : NULL;
    int const shift = unit ? 10 * (int)(unit - units + 1) : 0;
    return n <= 0 || n > INT64_MAX >> 31 || (*end && (!unit || end[1])) ? 0 : (int64_t)n << shift;
}

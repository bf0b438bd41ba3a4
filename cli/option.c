/** Options taken out of the arguments, and the names of element types. */
#include "option.h"

#include <stdio.h>
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

char const *take_option(int *n, char **argument, char const *name, bool has_value)
{
    size_t const length = strlen(name);
    for (int i = 0; i < *n; ++i) {
        bool const whole = strcmp(argument[i], name) == 0;
        bool const joined = has_value && strncmp(argument[i], name, length) == 0 && argument[i][length] == '=';
        if (!joined && (!whole || (has_value && i + 1 >= *n)))
            continue;
        char const *const value = joined ? argument[i] + length + 1 : has_value ? argument[i + 1] : "";
        int const taken = has_value && !joined ? 2 : 1;
        for (int k = i; k + taken < *n; ++k)
            argument[k] = argument[k + taken];
        *n -= taken;
        return value;
    }
    return NULL;
}

tsr_dtype type_of_option(options const *o, char const *option, char const *name)
{
    tsr_dtype const type = tsr_dtype_named(name);
    char known[512];
    tsr_nearest nearest = {name, NULL, 0};
#define X(id, code, bits, exponent, mantissa, bias, special, ours, ...) tsr_nearest_try(&nearest, ours);
    TSR_DTYPE_LIST(X)
#undef X
#define X(cute, id) tsr_nearest_try(&nearest, #cute);
    TSR_DTYPE_NAME_LIST(X)
#undef X
    type_names(known, sizeof known);
    if (type == 0)
        complain(o, "%s: there is no element type %s%s\n  %s, and CuTe's names", option, name, did_you_mean(&nearest),
                 known);
    return type;
}

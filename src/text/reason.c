/** Why a value is invalid, in one sentence. */
#include "text/write.h"

#include <string.h>

static char const *const reasons[TSR_STATUS_COUNT] = {
#define X(id, text) text,
    TSR_STATUS_LIST(X)
#undef X
};

/** An element type; 0 is a type of C that is none. */
static void put_type(writer *w, tsr_dtype type)
{
    char const *const name = tsr_dtype_name(type);
    if (name)
        put(w, "%s", name);
    else if (type == 0)
        put(w, "(unknown)");
    else
        put(w, "code %d with %d bits", tsr_dtype_code(type), tsr_dtype_bits(type));
}

/** The words of a syntax error stand in the numbers behind its place, eight characters each. */
enum { WORDS = 8 * (TSR_MAX_LEAVES - 1) };

tsr_tuple syntax_reason(size_t at, char const *words)
{
    char text[WORDS + 1] = "";
    tsr_tuple r = tsr_bad_tuple(TSR_SYNTAX, 0, (int64_t)at, 0, 0);
    if (snprintf(text, sizeof text, "%s", words) > WORDS)
        memcpy(text + WORDS - 2, "..", 3);
    for (int i = 1; i < TSR_MAX_LEAVES; ++i)
        memcpy(&r.leaf[i].value, text + 8 * (i - 1), 8);
    return r;
}

static void write_syntax(writer *w, tsr_tuple const *t)
{
    char text[WORDS + 1] = "";
    for (int i = 1; i < TSR_MAX_LEAVES; ++i)
        memcpy(text + 8 * (i - 1), &t->leaf[i].value, 8);
    for (char const *p = *text ? text : reasons[TSR_SYNTAX]; *p >= ' ' && *p <= '~'; ++p)
        put(w, "%c", *p);
    put(w, " (at character %lld)", (long long)t->leaf[0].value);
}

void write_reason(writer *w, tsr_tuple const *t)
{
    if (t->status == TSR_SYNTAX) {
        write_syntax(w, t);
        return;
    }
    for (char const *p = reasons[t->status]; *p; ++p) {
        if (p[0] == '{' && p[1] == 'm' && p[2] == '}') {
            put(w, "%d", t->mode);
            p += 2;
        } else if (p[0] == '{' && p[1] >= '0' && p[1] <= '5' && p[2] == '}') {
            put(w, "%lld", (long long)t->leaf[p[1] - '0'].value);
            p += 2;
        } else if (p[0] == '{' && p[1] == 't') { /* {t0}: an element type */
            put_type(w, (tsr_dtype)t->leaf[p[2] - '0'].value);
            p += 3;
        } else {
            put(w, "%c", *p);
        }
    }
    bool const composing = t->status == TSR_COMPOSE_STRIDE || t->status == TSR_COMPOSE_SHAPE
                        || t->status == TSR_COMPOSE_CARRY;
    if (composing && t->law)
        put(w, "; the result at %lld would be %lld, but A(B(%lld)) is %lld", (long long)t->leaf[3].value,
            (long long)t->leaf[4].value, (long long)t->leaf[3].value, (long long)t->leaf[5].value);
    if (t->status == TSR_COMPOSE_STRIDE || t->status == TSR_COMPOSE_SHAPE) {
        char const *const what = t->status == TSR_COMPOSE_STRIDE ? "stride" : "extent";
        int64_t const below = t->leaf[6].value, above = t->leaf[7].value;
        if (below > 0 && above > 0)
            put(w, "; the nearest legal %ss are %lld and %lld", what, (long long)below, (long long)above);
        else if (below > 0 || above > 0)
            put(w, "; the nearest legal %s is %lld", what, (long long)(below > 0 ? below : above));
    }
}

size_t tsr_format_reason(char *out, size_t size, tsr_tuple t)
{
    writer w;
    writer_open(&w, out, size);
    write_reason(&w, &t);
    return w.used;
}

void tsr_explain(FILE *file, tsr_layout l)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_reason(text, sizeof text, l.shape);
    fprintf(file, "%s\n", text);
}

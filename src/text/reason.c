/** Why a value is invalid, in one sentence. */
#include "text/write.h"

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

void write_why(writer *w, tsr_reason const *why)
{
    for (char const *p = reasons[why->status]; *p; ++p) {
        if (p[0] == '{' && p[1] == 'm' && p[2] == '}') {
            put(w, "%d", why->mode);
            p += 2;
        } else if (p[0] == '{' && p[1] >= '0' && p[1] <= '5' && p[2] == '}') {
            put(w, "%lld", (long long)why->number[p[1] - '0']);
            p += 2;
        } else if (p[0] == '{' && p[1] == 't') { /* {t0}: an element type */
            put_type(w, (tsr_dtype)why->number[p[2] - '0']);
            p += 3;
        } else {
            put(w, "%c", *p);
        }
    }
    bool const composing = why->status == TSR_COMPOSE_STRIDE || why->status == TSR_COMPOSE_SHAPE
                        || why->status == TSR_COMPOSE_CARRY;
    if (composing && why->law)
        put(w, "; the result at %lld would be %lld, but A(B(%lld)) is %lld", (long long)why->number[3],
            (long long)why->number[4], (long long)why->number[3], (long long)why->number[5]);
    if (why->status == TSR_COMPOSE_STRIDE || why->status == TSR_COMPOSE_SHAPE) {
        char const *const what = why->status == TSR_COMPOSE_STRIDE ? "stride" : "extent";
        int64_t const below = why->number[2], above = why->number[6];
        if (below > 0 && above > 0)
            put(w, "; the nearest legal %ss are %lld and %lld", what, (long long)below, (long long)above);
        else if (below > 0 || above > 0)
            put(w, "; the nearest legal %s is %lld", what, (long long)(below > 0 ? below : above));
    }
}

void write_reason(writer *w, tsr_tuple const *t)
{
    tsr_reason const why = tsr_tuple_why(*t);
    write_why(w, &why);
}

size_t tsr_format_reason(char *out, size_t size, tsr_reason why)
{
    writer w;
    writer_open(&w, out, size);
    write_why(&w, &why);
    return w.used;
}

void tsr_explain_reason(FILE *file, tsr_reason why)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_reason(text, sizeof text, why);
    fprintf(file, "%s\n", text);
}

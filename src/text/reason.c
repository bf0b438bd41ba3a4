/** Why a value is invalid, in one sentence. */
#include "text/write.h"

#include <string.h>

#include "tessera/atom/umma.h"
#include "tessera/exec/loops.h"

_Static_assert(TSR_STATUS_COUNT <= 255 + 128, "a status has a byte and a half in a swizzle, 16 bits in other values");

static char const *const reasons[TSR_STATUS_COUNT] = {
#define TSR_ROW_(id, text) text,
#include "tessera/base/status_list.h"
};

/** Why a plan has no loops. */
static void put_slow(writer *w, int64_t slow)
{
    static char const *const slows[] = {
#define X(id, words) words,
        TSR_SLOW_LIST(X)
#undef X
    };
    int64_t const count = (int64_t)(sizeof slows / sizeof slows[0]);
    put(w, "%s", 0 <= slow && slow < count ? slows[slow] : "(unknown)");
}

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

/** A kind (k) or a field (f) of tcgen05.mma. */
static void put_umma(writer *w, char what, int64_t i)
{
    static char const *const kinds[] = {
#define X(id, name, scaled) name,
        TSR_UMMA_KIND_LIST(X)
#undef X
    };
    static char const *const fields[] = {
#define X(id, words, first, bits, kinds) words,
        TSR_UMMA_FIELD_LIST(X)
#undef X
    };
    int64_t const count = what == 'k' ? TSR_UMMA_KINDS : TSR_UMMA_FIELDS;
    put(w, "%s", i < 0 || i >= count ? "(unknown)" : what == 'k' ? kinds[i] : fields[i]);
}

/** 0, 1, 3 for the bits 1011; runs of more than two as 1 to 32. */
static void put_set(writer *w, uint64_t set)
{
    char const *comma = "";
    for (int i = 0; i < 64; ++i) {
        int end = i;
        while (end < 63 && set >> end & 1 && set >> (end + 1) & 1)
            ++end;
        if (!(set >> i & 1))
            continue;
        put(w, "%s%d", comma, i);
        if (end > i + 1) {
            put(w, " to %d", end);
            i = end;
        }
        comma = ", ";
    }
}

/** The text of an einsum, which stands in the numbers from 3 on. */
static void put_quoted(writer *w, tsr_reason const *why)
{
    char text[8 * (TSR_NOTES - 3) + 1] = "";
    memcpy(text, &why->number[3], sizeof text - 1);
    for (char const *p = text; *p; ++p)
        put(w, "%c", *p >= ' ' && *p <= '~' ? *p : '?');
    put(w, "%s", text[sizeof text - 2] ? ".." : "");
}

/** A number of the sentence, behind it the basis element that it counts. */
static void put_number(writer *w, tsr_reason const *why, int i)
{
    tsr_tuple number = tsr_int(why->number[i]);
    number.leaf[0].aux = why->along >> i & 1u ? why->unit : 0;
    tsr_write_tuple_(w, &number, 0);
}

/** The words of a syntax error stand in the numbers behind its place, eight characters each: all that fit into a tuple,
 *  or into a reason. */
enum { WORDS = 8 * (TSR_MAX_LEAVES - 1), FEWER_WORDS = 8 * (TSR_NOTES - 1) };

tsr_tuple tsr_syntax_reason_(size_t at, char const *words)
{
    char text[WORDS + 1] = "";
    tsr_tuple r = tsr_bad_tuple(TSR_SYNTAX, 0, (int64_t)at, 0, 0);
    if (snprintf(text, sizeof text, "%s", words) > WORDS)
        memcpy(text + WORDS - 2, "..", 3);
    for (int i = 1; i < TSR_MAX_LEAVES; ++i)
        memcpy(&r.leaf[i].value, text + 8 * (i - 1), 8);
    return r;
}

static void write_syntax(writer *w, char const *words, int64_t at)
{
    for (char const *p = *words ? words : reasons[TSR_SYNTAX]; *p >= ' ' && *p <= '~'; ++p)
        put(w, "%c", *p);
    put(w, " (at character %lld)", (long long)at);
}

void tsr_write_reason_(writer *w, tsr_tuple const *t)
{
    char words[WORDS + 1] = "";
    tsr_reason const why = tsr_tuple_why(*t);
    for (int i = 1; i < TSR_MAX_LEAVES; ++i)
        memcpy(words + 8 * (i - 1), &t->leaf[i].value, 8);
    if (t->status == TSR_SYNTAX)
        write_syntax(w, words, why.number[0]);
    else
        tsr_write_why_(w, &why);
}

/** Of a refused composition, also in a divide or a product: the counterexample, and the nearest legal numbers. */
static void put_composing(writer *w, tsr_reason const *why)
{
    int const status = tsr_status_composing_(why->status);
    bool const composing = status == TSR_COMPOSE_STRIDE || status == TSR_COMPOSE_SHAPE || status == TSR_COMPOSE_CARRY;
    if (composing && why->law) {
        put(w, "; the result at %lld would be ", (long long)why->number[3]);
        put_number(w, why, 4);
        if (status == why->status)
            put(w, ", but A(B(%lld)) is ", (long long)why->number[3]);
        else
            put(w, ", but the law wants ");
        put_number(w, why, 5);
    }
    if (status == TSR_COMPOSE_STRIDE || status == TSR_COMPOSE_SHAPE) {
        char const *const what = why->status == TSR_TILES_STRIDE  ? "distance"
                                 : why->status == TSR_TILES_SHAPE ? "number"
                                 : status == TSR_COMPOSE_STRIDE   ? "stride"
                                                                  : "extent";
        int64_t const below = why->number[2], above = why->number[6];
        if (below > 0 && above > 0)
            put(w, "; the nearest legal %ss are %lld and %lld", what, (long long)below, (long long)above);
        else if (below > 0 || above > 0)
            put(w, "; the nearest legal %s is %lld", what, (long long)(below > 0 ? below : above));
    }
}

void tsr_write_why_(writer *w, tsr_reason const *why)
{
    if (why->status == TSR_SYNTAX) {
        char words[FEWER_WORDS + 3] = "";
        memcpy(words, &why->number[1], FEWER_WORDS);
        if (words[FEWER_WORDS - 1])
            memcpy(words + FEWER_WORDS, "..", 3);
        write_syntax(w, words, why->number[0]);
        return;
    }
    for (char const *p = reasons[why->status]; *p; ++p) {
        if (p[0] == '{' && p[1] == 'm' && p[2] == '}') {
            put(w, "%d", why->mode);
            p += 2;
        } else if (p[0] == '{' && p[1] >= '0' && p[1] <= '5' && p[2] == '}') {
            put_number(w, why, p[1] - '0');
            p += 2;
        } else if (p[0] == '{' && p[1] == 't') { /* {t0}: an element type */
            put_type(w, (tsr_dtype)why->number[p[2] - '0']);
            p += 3;
        } else if (p[0] == '{' && p[1] == 'w') { /* {w0}: why there are no loops */
            put_slow(w, why->number[p[2] - '0']);
            p += 3;
        } else if (p[0] == '{' && (p[1] == 'k' || p[1] == 'f')) {
            put_umma(w, p[1], why->number[p[2] - '0']);
            p += 3;
        } else if (p[0] == '{' && p[1] == 'b') {
            put_set(w, (uint64_t)why->number[p[2] - '0']);
            p += 3;
        } else if (p[0] == '{' && p[1] == 'x') {
            put(w, "0x%llx", (long long unsigned)why->number[p[2] - '0']);
            p += 3;
        } else if (p[0] == '{' && p[1] == 's') {
            put_quoted(w, why);
            p += 2;
        } else {
            put(w, "%c", *p);
        }
    }
    put_composing(w, why);
}

size_t tsr_format_reason(char *out, size_t size, tsr_reason why)
{
    writer w;
    writer_open(&w, out, size);
    tsr_write_why_(&w, &why);
    return w.used;
}

/** What a program in C can do about a refused composition. */
static char const *hint(unsigned along)
{
    return along & TSR_WOULD_COALESCE ? "; with static numbers (tsr_static_all) modes on the left would coalesce"
                                      : "";
}

void tsr_explain_reason(FILE *file, tsr_reason why)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_reason(text, sizeof text, why);
    fprintf(file, "%s%s\n", text, hint(why.along));
}

void tsr_explain_tuple(FILE *file, tsr_tuple t)
{
    char text[TSR_TEXT_SIZE];
    writer w;
    writer_open(&w, text, sizeof text);
    tsr_write_reason_(&w, &t);
    fprintf(file, "%s%s\n", text, t.status ? hint(t.along) : "");
}

void tsr_explain_layout(FILE *file, tsr_layout l) { tsr_explain_tuple(file, l.shape); }

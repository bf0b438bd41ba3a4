/** The playground: what its page asks of the library. Every function leaves its answer in one text, which
 *  playground_text points at until the next call, and says whether it is what was asked for or why it is not. */
#include <emscripten.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/atoms.h"
#include "tessera/convert.h"
#include "tessera/picture.h"
#include "tessera/symbolic.h"

#include "picture/stream.h"

#include "../cli/commands.h"
#include "../cli/gallery.h"
#include "../cli/laws.h"
#include "../cli/swizzle.h"

/* The answer. */

static struct {
    char *text;
    size_t used, room;
} answer;

/** Takes bytes behind what is there, and a 0. */
static bool to_answer(void *context, char const *bytes, size_t n)
{
    (void)context;
    if (answer.used + n + 1 > answer.room) {
        size_t const room = 2 * (answer.used + n + 1);
        char *const text = (char *)realloc(answer.text, room);
        if (!text)
            return false;
        answer.text = text;
        answer.room = room;
    }
    memcpy(answer.text + answer.used, bytes, n);
    answer.used += n;
    answer.text[answer.used] = 0;
    return true;
}

static stream open_answer(void)
{
    stream s = {to_answer, NULL, 0, false, {0}};
    answer.used = 0;
    to_answer(NULL, "", 0);
    return s;
}

EMSCRIPTEN_KEEPALIVE char const *playground_text(void) { return answer.text ? answer.text : "out of memory"; }

/* JSON */

static void put_member(stream *s, char const *before, char const *name, char const *text)
{
    tsr_stream_put_(s, "%s\"%s\":", before, name);
    tsr_stream_json_(s, text);
}

/** A text of a list, which has `count` before it. */
static void put_item(stream *s, int count, char const *text)
{
    tsr_stream_text_(s, count > 0 ? "," : "");
    tsr_stream_json_(s, text);
}

/* The tables of the library, as JSON. */

static void put_operation(stream *s, tsr_op const *op)
{
    static char const *const laws[][3] = {
#define X(name, law, condition) {#name, law, condition},
        LAW_LIST(X)
#undef X
    };
    char call[256];
    tsr_format_op(call, sizeof call, op);
    put_member(s, "{", "name", op->name);
    put_member(s, ",", "call", call);
    put_member(s, ",", "result", (char const[]){op->result, 0});
    put_member(s, ",", "help", op->help);
    put_member(s, ",", "example", op->example);
    put_member(s, ",", "value", op->value);
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; ++i)
        if (strcmp(laws[i][0], op->name) == 0) {
            put_member(s, ",", "law", laws[i][1]);
            put_member(s, ",", "condition", laws[i][2]);
        }
    tsr_stream_text_(s, "}");
}

static void put_architectures(stream *s)
{
    int last = 0;
    tsr_stream_text_(s, "\"architectures\":[");
    for (int i = 0, count = 0; i < TSR_MMA_ROWS; ++i) {
        int const arch = tsr_mma_row_at(i).arch;
        if (arch == last)
            continue;
        tsr_stream_put_(s, "%s[%d,\"", count++ ? "," : "", arch);
        switch (arch) {
#define X(id, number, prefix)                                   \
  case number:                                                  \
    tsr_stream_put_(s, "%.*s", (int)sizeof prefix - 2, prefix); \
    break;
            TSR_MMA_ARCH_LIST(X)
#undef X
        default:
            tsr_stream_put_(s, "SM%d", arch);
            break;
        }
        tsr_stream_text_(s, "\"]");
        last = arch;
    }
    tsr_stream_text_(s, "],");
}

EMSCRIPTEN_KEEPALIVE bool playground_table(void)
{
    stream s = open_answer();
    int count = 0;
    tsr_op const *const ops = tsr_ops(&count);
    tsr_stream_text_(&s, "{\"operations\":[");
    for (int i = 0; i < count; ++i) {
        tsr_stream_text_(&s, i ? ",\n" : "\n");
        put_operation(&s, &ops[i]);
    }
    tsr_stream_text_(&s, "],\"kinds\":{\"\":\"\"");
#define X(letter, id, type, member, words) put_member(&s, ",", #letter, words);
    VALUE_LIST(X, X)
#undef X
    tsr_stream_text_(&s, "},");
    put_architectures(&s);
    int n = 0;
    tsr_stream_text_(&s, "\"gallery\":[");
#define X(section, file, caption, expression, option)       \
  put_member(&s, n++ ? ",\n{" : "\n{", "section", section); \
  put_member(&s, ",", "caption", caption);                  \
  put_member(&s, ",", "expression", expression);            \
  put_member(&s, ",", "option", option);                    \
  tsr_stream_text_(&s, "}");
    GALLERY_LIST(X)
#undef X
#define NAMES(list, names)                   \
  tsr_stream_text_(&s, "],\"" names "\":["); \
  n = 0;                                     \
  list(X)
#define X(id, name, ...) put_item(&s, n++, name);
    NAMES(TSR_LABEL_LIST, "labels")
    NAMES(TSR_FORMAT_LIST, "formats")
    NAMES(TSR_LANGUAGE_LIST, "languages")
#undef X
#define X(id, name, help) put_item(&s, n++, help);
    NAMES(TSR_LABEL_LIST, "label_words")
#undef X
#define X(id, code, bits, exponent, mantissa, bias, special, name, ...) put_item(&s, n++, name);
    NAMES(TSR_DTYPE_LIST, "types")
#undef X
#define X(id, format) put_item(&s, n++, tsr_dtype_name(TSR_##id));
    NAMES(TSR_TMA_TYPE_LIST, "tma_types")
#undef X
#define X(name, ...) put_item(&s, n++, #name);
    NAMES(TSR_TMA_SWIZZLE_LIST, "tma_swizzles")
#undef X
#undef NAMES
    tsr_stream_text_(&s, "],\"accesses\":[");
    for (int i = 0; swizzle_access(i); ++i)
        put_item(&s, i, swizzle_access(i));
    tsr_stream_text_(&s, "]}");
    return tsr_stream_end_(&s);
}

typedef struct atom_search {
    stream *s;
    int arch, found;
    char const *part;
} atom_search;

static void put_atom(void *context, tsr_mma_atom x)
{
    enum { MOST = 200 };
    atom_search *const search = (atom_search *)context;
    char name[256];
    if (x.arch != search->arch)
        return;
    tsr_format_mma_atom(name, sizeof name, x);
    if (strstr(name, search->part) && search->found++ < MOST)
        put_item(search->s, search->found - 1, name);
}

/** The names of an architecture's matrix instructions in which `part` occurs: how many, and the first of them. */
EMSCRIPTEN_KEEPALIVE bool playground_atoms(int arch, char const *part)
{
    stream s = open_answer();
    atom_search search = {&s, arch, 0, part};
    tsr_stream_text_(&s, "{\"names\":[");
    tsr_each_mma_atom(put_atom, &search);
    tsr_stream_put_(&s, "],\"count\":%d}", search.found);
    return tsr_stream_end_(&s);
}

/** The names of copy instructions in which `part` occurs: each row with each of its numbers, up to 128 bits of a thread
 *  and 1 KiB of a TMA where there is no last one. */
EMSCRIPTEN_KEEPALIVE bool playground_copies(char const *part)
{
    stream s = open_answer();
    int found = 0;
    tsr_stream_text_(&s, "{\"names\":[");
    for (int op = 0; op < TSR_COPY_OPS; ++op) {
        tsr_copy_row const row = tsr_copy_row_at(op);
        bool const bulk = row.kind == TSR_COPY_BULK, any = row.most == 0;
        int const first = bulk ? 8192 : any && row.least == 1 ? 8 : row.least;
        int const last = bulk ? 8192 : any ? 128 : row.most;
        for (int number = first; number <= last; number = number > 0 ? 2 * number : last + 1) {
            char name[256];
            tsr_format_copy_atom(name, sizeof name, tsr_make_copy((tsr_copy_op)op, number));
            if (strstr(name, part) && tsr_is_expression(name, 0, NULL))
                put_item(&s, found++, name);
        }
    }
    tsr_stream_put_(&s, "],\"count\":%d}", found);
    return tsr_stream_end_(&s);
}

/* An expression: its value, its steps, its picture. */

typedef struct steps {
    stream *s;
    int count;
} steps;

static void put_step(void *context, char const *name, char const *arguments, char const *result)
{
    steps *const to = (steps *)context;
    tsr_stream_text_(to->s, to->count++ ? ",[" : "[");
    put_item(to->s, 0, name);
    put_item(to->s, 1, arguments);
    put_item(to->s, 1, result);
    tsr_stream_text_(to->s, "]");
}

EMSCRIPTEN_KEEPALIVE bool playground_evaluate(char const *expression, unsigned flags)
{
    static char text[16 * TSR_TEXT_SIZE];
    static tsr_message error;
    stream s = open_answer();
    steps to = {&s, 0};
    tsr_stream_text_(&s, "{\"steps\":[");
    bool const ok = tsr_calc_traced(expression, flags, text, sizeof text, put_step, &to);
    put_member(&s, "],", "text", text);
    bool const read = tsr_is_expression(expression, flags, &error);
    tsr_stream_put_(&s, ",\"ok\":%s,\"at\":%d", ok ? "true" : "false", read ? -1 : (int)error.at);
    tsr_evaluation *const e = tsr_evaluate(expression, flags, NULL, NULL);
    put_member(&s, ",", "kind", tsr_evaluation_kind(e));
    tsr_stream_text_(&s, ",\"sources\":[");
    for (int i = 0; i < TSR_LANGUAGES; ++i)
        put_item(&s, i, tsr_format_source(text, sizeof text, e, (tsr_language)i) ? text : "");
    tsr_stream_text_(&s, "]}");
    tsr_evaluation_free(e);
    return tsr_stream_end_(&s) && ok;
}

/* Other systems, and sizes with names. */

/** A text of any system, or an expression: the system that it is of, its value as an expression, and the words of every
 *  system for it. `shape` is the extents of the tensor where the text has none, `type` the type of its elements. */
EMSCRIPTEN_KEEPALIVE bool playground_convert(char const *text, unsigned flags, char const *shape, char const *type)
{
    static char words[16 * TSR_TEXT_SIZE];
    tsr_message error = {0, ""};
    tsr_converted v = {false, tsr_make_layout(1), tsr_bad_linear(tsr_no_reason())};
    int const bits = tsr_dtype_bits(*type ? tsr_dtype_named(type) : TSR_F32);
    int64_t const bytes = bits % 8 == 0 ? bits / 8 : 0;
    tsr_tuple const extents = *shape ? tsr_parse_tuple(shape, TSR_TEXT_STATIC, &error) : tsr_unit();
    bool const ok = !error.text[0] && tsr_converted_of(text, flags, extents, bytes, &v, &error);
    stream s = open_answer();
    put_member(&s, "{", "system", tsr_system_name(tsr_system_of(text)));
    if (ok && v.is_map)
        tsr_format_linear(words, sizeof words, v.map);
    else if (ok)
        tsr_format_layout(words, sizeof words, v.layout, flags);
    put_member(&s, ",", "text", ok ? words : error.text);
    tsr_stream_put_(&s, ",\"ok\":%s,\"at\":%d,\"written\":[", ok ? "true" : "false", ok ? -1 : (int)error.at);
    for (int i = 0; ok && i < TSR_SYSTEMS; ++i) {
        bool const written = tsr_convert_write(words, sizeof words, (tsr_system)i, &v, bytes, &error);
        put_member(&s, i ? ",{" : "{", "name", tsr_system_name((tsr_system)i));
        put_member(&s, ",", written ? "text" : "why", written ? words : error.text);
        tsr_stream_text_(&s, "}");
    }
    tsr_stream_text_(&s, "]}");
    return tsr_stream_end_(&s) && ok;
}

/** An expression over sizes with names, under guards: its value, all its guards, and its index function as code. */
EMSCRIPTEN_KEEPALIVE bool playground_given(char const *expression, char const *guards)
{
    static char text[16 * TSR_TEXT_SIZE];
    static char const *const names[] = {
#define X(id, name) #name,
        TSR_CODE_LIST(X)
#undef X
    };
    tsr_message error;
    tsr_symbolic *e = tsr_symbolic_read(expression, guards, &error);
    stream s = open_answer();
    if (e && tsr_symbolic_format(text, sizeof text, e) + tsr_symbolic_format_guards(NULL, 0, e) >= sizeof text) {
        tsr_symbolic_free(e);
        e = NULL;
        snprintf(error.text, sizeof error.text, "the result is longer than %d characters", (int)sizeof text);
        error.at = 0;
    }
    put_member(&s, "{", "text", e ? text : error.text);
    if (e)
        tsr_symbolic_format_guards(text, sizeof text, e);
    put_member(&s, ",", "guards", e ? text : "");
    tsr_stream_put_(&s, ",\"ok\":%s,\"at\":%d,\"names\":%d,\"code\":[", e ? "true" : "false", e ? -1 : (int)error.at,
                    e ? tsr_symbolic_count(e) : 0);
    for (int i = 0, n = 0; e && i < TSR_CODES; ++i)
        if (tsr_symbolic_emit(text, sizeof text, (tsr_code)i, e, &error)) {
            put_member(&s, n++ ? ",{" : "{", "name", names[i]);
            put_member(&s, ",", "text", text);
            tsr_stream_text_(&s, "}");
        }
    tsr_stream_text_(&s, "]}");
    tsr_symbolic_free(e);
    return tsr_stream_end_(&s) && e;
}

/** The picture of an expression, or of what differs between two layouts; false: the answer says why there is none. */
EMSCRIPTEN_KEEPALIVE bool playground_draw(char const *expression, char const *other, unsigned flags, int label,
                                          char const *type, int format)
{
    static tsr_message error;
    tsr_picture_options options = tsr_plain_picture();
    tsr_picture p = TSR_ZERO;
    options.flags = flags;
    options.label = (tsr_label)label;
    options.type = tsr_dtype_named(type);
    if (*other) {
        tsr_layout const a = tsr_parse_layout(expression, flags, &error), b = tsr_parse_layout(other, flags, &error);
        p = tsr_make_diff_picture(&a, &b, &options);
    } else {
        tsr_evaluation *const e = tsr_evaluate(expression, flags, NULL, NULL);
        p = tsr_make_picture(e, &options);
        tsr_evaluation_free(e);
    }
    stream s = open_answer();
    tsr_stream_end_(&s);
    bool const made = tsr_picture_ok(&p);
    if (!made)
        to_answer(NULL, p.refused, strlen(p.refused));
    bool const ok = made && tsr_draw_picture(&p, (tsr_drawing){(tsr_format)format, 0, 0, 0}, to_answer, NULL);
    tsr_picture_free(&p);
    return ok;
}

/** What a command of the program prints of an expression goes to standard output: explain, tma, or swizzle of elements
 *  of a type under accesses. */
EMSCRIPTEN_KEEPALIVE bool playground_say(char const *command, char const *expression, unsigned flags,
                                         char const *type, char const *accesses)
{
    char *argument[] = {(char *)expression};
    options o = {flags & TSR_TEXT_STATIC, false, false, command, 0, {{NULL, NULL}}};
    if (*accesses) {
        o.count = 2;
        o.given[0].name = "--type";
        o.given[0].value = type;
        o.given[1].name = "--access";
        o.given[1].value = accesses;
    }
    int const status = strcmp(command, "explain") == 0   ? command_explain(&o, 1, argument)
                       : strcmp(command, "tma") == 0     ? command_tma(&o, 1, argument)
                       : strcmp(command, "swizzle") == 0 ? command_swizzle(&o, 1, argument)
                                                         : MISUSE;
    fflush(stdout);
    return status == DONE;
}

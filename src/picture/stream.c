/** Bytes on their way to a sink, and the table of formats. */
#include "picture/stream.h"

#include <string.h>

static void flush_stream(stream *s)
{
    if (s->used > 0 && !s->stopped)
        s->stopped = !s->sink(s->context, s->block, s->used);
    s->used = 0;
}

void tsr_stream_bytes_(stream *s, char const *bytes, size_t n)
{
    while (n > 0 && !s->stopped) {
        size_t const room = sizeof s->block - s->used, part = n < room ? n : room;
        memcpy(s->block + s->used, bytes, part);
        s->used += part;
        bytes += part;
        n -= part;
        if (s->used == sizeof s->block)
            flush_stream(s);
    }
}

void tsr_stream_text_(stream *s, char const *text) { tsr_stream_bytes_(s, text, strlen(text)); }

void tsr_stream_put_(stream *s, char const *format, ...)
{
    char text[TSR_TEXT_SIZE];
    va_list args;
    va_start(args, format);
    int const n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    tsr_stream_bytes_(s, text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void tsr_stream_number_(stream *s, int64_t n)
{
    char digits[DIGITS];
    tsr_stream_text_(s, tsr_decimal_(digits, n));
}

void tsr_stream_xml_(stream *s, char const *text, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        char const c = text[i];
        if (c == '<')
            tsr_stream_text_(s, "&lt;");
        else if (c == '>')
            tsr_stream_text_(s, "&gt;");
        else if (c == '&')
            tsr_stream_text_(s, "&amp;");
        else if (c == '"')
            tsr_stream_text_(s, "&quot;");
        else if ((unsigned char)c < ' ' || c == 127)
            tsr_stream_text_(s, " ");
        else
            tsr_stream_bytes_(s, &c, 1);
    }
}

void tsr_stream_json_(stream *s, char const *text)
{
    tsr_stream_text_(s, "\"");
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\')
            tsr_stream_put_(s, "\\%c", *text);
        else if ((unsigned char)*text < ' ' || *text == '<' || *text == 127) /* `<` might end a script around it */
            tsr_stream_put_(s, "\\u%04x", (unsigned)*text);
        else
            tsr_stream_bytes_(s, text, 1);
    }
    tsr_stream_text_(s, "\"");
}

void tsr_stream_tex_(stream *s, char const *text, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        char const c = text[i];
        if (c == '\\')
            tsr_stream_text_(s, "\\textbackslash{}");
        else if (c == '^' || c == '~')
            tsr_stream_put_(s, "\\%c{}", c);
        else if (c == '<' || c == '>')
            tsr_stream_text_(s, c == '<' ? "\\textless{}" : "\\textgreater{}");
        else if (strchr("#$%&_{}", c) && c)
            tsr_stream_put_(s, "\\%c", c);
        else if ((unsigned char)c < ' ' || c == 127)
            tsr_stream_text_(s, " ");
        else
            tsr_stream_bytes_(s, &c, 1);
    }
}

void tsr_stream_utf8_(stream *s, uint32_t c)
{
    char bytes[3];
    if (c < 0x80) {
        bytes[0] = (char)c;
        tsr_stream_bytes_(s, bytes, 1);
    } else if (c < 0x800) {
        bytes[0] = (char)(0xc0 | c >> 6);
        bytes[1] = (char)(0x80 | (c & 63));
        tsr_stream_bytes_(s, bytes, 2);
    } else {
        bytes[0] = (char)(0xe0 | c >> 12);
        bytes[1] = (char)(0x80 | (c >> 6 & 63));
        bytes[2] = (char)(0x80 | (c & 63));
        tsr_stream_bytes_(s, bytes, 3);
    }
}

bool tsr_stream_end_(stream *s)
{
    flush_stream(s);
    return !s->stopped;
}

static int brackets(char c) { return (c && strchr("([{<", c)) - (c && strchr(")]}>", c)); }

enum { NO_BREAK = 1 << 20 };

/** The cost of a break in front of character i, inside `depth` brackets: 0 between words and expressions, more the
 *  deeper it would cut an expression. */
static int break_cost(char const *text, size_t i, int depth)
{
    bool const joint = strncmp(text + i, "o ", 2) == 0 || strncmp(text + i, "= ", 2) == 0
                       || (i > 2 && (strncmp(text + i - 3, " o ", 3) == 0 || strncmp(text + i - 3, " = ", 3) == 0));
    if (text[i - 1] == ' ')
        return 2 * depth + joint;
    if (text[i - 1] == ',')
        return 2 * depth + (depth <= 0);
    return text[i] == ':' ? 2 * depth + 1 : NO_BREAK;
}

size_t tsr_picture_line_(char const *text, size_t width)
{
    size_t const n = strlen(text);
    size_t best = width > 0 ? width : 1;
    int least = NO_BREAK - 1, depth = 0;
    if (n <= width)
        return n;
    for (size_t i = 1; i <= width; ++i) {
        depth += brackets(text[i - 1]);
        int const cost = break_cost(text, i, depth);
        if (cost <= least) {
            least = cost;
            best = i;
        }
    }
    return best;
}

size_t tsr_picture_piece_(char const *text)
{
    size_t longest = 0, from = 0, i = 0;
    int depth = 0;
    for (; text[i]; ++i) {
        if (i > 0 && break_cost(text, i, depth) <= 0) {
            longest = i - from > longest ? i - from : longest;
            from = i;
        }
        depth += brackets(text[i]);
    }
    return i - from > longest ? i - from : longest;
}

/* Formats */

static struct {
    char const *name, *ending;
    bool (*draw)(tsr_picture const *p, tsr_drawing const *how, stream *s);
} const formats[] = {
#define TSR_DRAW_CUTE tsr_draw_text_
#define TSR_DRAW_ASCII tsr_draw_text_
#define TSR_DRAW_UNICODE tsr_draw_text_
#define TSR_DRAW_SVG tsr_draw_svg_
#define TSR_DRAW_LATEX tsr_draw_latex_
#define TSR_DRAW_HTML tsr_draw_html_
#define TSR_DRAW_JSON tsr_draw_json_
#define TSR_DRAW_PPM tsr_draw_pixmap_
#define X(id, name, ending, help) {name, ending, TSR_DRAW_##id},
    TSR_FORMAT_LIST(X)
#undef X
};

tsr_format tsr_format_named(char const *name)
{
    int i = 0;
    while (i < TSR_FORMATS && strcmp(formats[i].name, name) != 0)
        ++i;
    return (tsr_format)i;
}

tsr_format tsr_format_of_file(char const *path)
{
    size_t const n = strlen(path);
    int i = 0;
    for (; i < TSR_FORMATS; ++i) {
        size_t const m = strlen(formats[i].ending);
        if (n > m && strcmp(path + n - m, formats[i].ending) == 0)
            break;
    }
    return (tsr_format)i;
}

bool tsr_draw_picture(tsr_picture const *p, tsr_drawing how, tsr_sink sink, void *context)
{
    stream s;
    s.sink = sink;
    s.context = context;
    s.used = 0;
    s.stopped = false;
    if (!tsr_picture_ok(p) || how.format >= TSR_FORMATS)
        return false;
    bool const ok = formats[how.format].draw(p, &how, &s);
    return tsr_stream_end_(&s) && ok;
}

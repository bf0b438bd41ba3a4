/** Bytes on their way to a sink, and the table of formats. */
#include "picture/stream.h"

#include <string.h>

static void flush_stream(stream *s)
{
    if (s->used > 0 && !s->stopped)
        s->stopped = !s->sink(s->context, s->block, s->used);
    s->used = 0;
}

void stream_bytes(stream *s, char const *bytes, size_t n)
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

void stream_text(stream *s, char const *text) { stream_bytes(s, text, strlen(text)); }

void stream_put(stream *s, char const *format, ...)
{
    char text[TSR_TEXT_SIZE];
    va_list args;
    va_start(args, format);
    int const n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    stream_bytes(s, text, n < 0 ? 0 : (size_t)n < sizeof text ? (size_t)n : sizeof text - 1);
}

void stream_number(stream *s, int64_t n)
{
    char digits[DIGITS];
    stream_text(s, decimal(digits, n));
}

void stream_xml(stream *s, char const *text, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        char const c = text[i];
        if (c == '<')
            stream_text(s, "&lt;");
        else if (c == '>')
            stream_text(s, "&gt;");
        else if (c == '&')
            stream_text(s, "&amp;");
        else if (c == '"')
            stream_text(s, "&quot;");
        else if ((unsigned char)c < ' ' || c == 127)
            stream_text(s, " ");
        else
            stream_bytes(s, &c, 1);
    }
}

void stream_json(stream *s, char const *text)
{
    stream_text(s, "\"");
    for (; *text; ++text) {
        if (*text == '"' || *text == '\\')
            stream_put(s, "\\%c", *text);
        else if ((unsigned char)*text < ' ' || *text == '<' || *text == 127) /* `<` might end a script around it */
            stream_put(s, "\\u%04x", (unsigned)*text);
        else
            stream_bytes(s, text, 1);
    }
    stream_text(s, "\"");
}

void stream_tex(stream *s, char const *text, size_t n)
{
    for (size_t i = 0; i < n; ++i) {
        char const c = text[i];
        if (c == '\\')
            stream_text(s, "\\textbackslash{}");
        else if (c == '^' || c == '~')
            stream_put(s, "\\%c{}", c);
        else if (c == '<' || c == '>')
            stream_text(s, c == '<' ? "\\textless{}" : "\\textgreater{}");
        else if (strchr("#$%&_{}", c) && c)
            stream_put(s, "\\%c", c);
        else if ((unsigned char)c < ' ' || c == 127)
            stream_text(s, " ");
        else
            stream_bytes(s, &c, 1);
    }
}

void stream_utf8(stream *s, uint32_t c)
{
    char bytes[3];
    if (c < 0x80) {
        bytes[0] = (char)c;
        stream_bytes(s, bytes, 1);
    } else if (c < 0x800) {
        bytes[0] = (char)(0xc0 | c >> 6);
        bytes[1] = (char)(0x80 | (c & 63));
        stream_bytes(s, bytes, 2);
    } else {
        bytes[0] = (char)(0xe0 | c >> 12);
        bytes[1] = (char)(0x80 | (c >> 6 & 63));
        bytes[2] = (char)(0x80 | (c & 63));
        stream_bytes(s, bytes, 3);
    }
}

bool stream_end(stream *s)
{
    flush_stream(s);
    return !s->stopped;
}

static int brackets(char c) { return (c && strchr("([{<", c)) - (c && strchr(")]}>", c)); }

enum { NO_BREAK = 1 << 20 };

/** What a break in front of character i costs, so many brackets deep: 0 between words and expressions, more the deeper
 *  it would cut an expression. */
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

size_t picture_line(char const *text, size_t width)
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

size_t picture_piece(char const *text)
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
#define TSR_DRAW_CUTE draw_text
#define TSR_DRAW_ASCII draw_text
#define TSR_DRAW_UNICODE draw_text
#define TSR_DRAW_SVG draw_svg
#define TSR_DRAW_LATEX draw_latex
#define TSR_DRAW_HTML draw_html
#define TSR_DRAW_JSON draw_json
#define TSR_DRAW_PPM draw_pixmap
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
    return stream_end(&s) && ok;
}

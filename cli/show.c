/** The commands show and diff: pictures on the terminal and into files. */
#define _POSIX_C_SOURCE 200809L /* isatty */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "commands.h"
#include "files.h"
#include "output.h"
#include "png.h"
#include "tessera/picture.h"
#include "usage.h"
#include "words.h"

/** Where a picture goes and how. */
typedef struct request {
    tsr_picture_options picture;
    tsr_drawing drawing;
    char const *file; /* NULL: standard output */
    bool png;         /* the pixels become a PNG */
} request;

/** The number of --NAME N, or what it was; false: N is no number from 0 to `most`. */
static bool take_number(options const *o, char const *name, int64_t most, int64_t *to)
{
    char *end = NULL;
    char const *const text = option_of(o, name);
    if (!text)
        return true;
    *to = strtoll(text, &end, 10);
    if (end != text && !*end && *to >= 0 && *to <= most)
        return true;
    complain(o, "%s takes a number from 0 to %lld, not %s", name, (long long)most, text);
    return false;
}

/** How many colours the terminal says it has. */
static int terminal_colours(void)
{
    char const *const depth = getenv("COLORTERM"), *const term = getenv("TERM");
    if (depth && (strcmp(depth, "truecolor") == 0 || strcmp(depth, "24bit") == 0))
        return 1 << 24;
    return term && strstr(term, "256color") ? 256 : 16;
}

static int terminal_width(void)
{
    struct winsize size;
    char const *const columns = getenv("COLUMNS");
    if (ioctl(1, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
        return size.ws_col;
    return columns && atoi(columns) > 0 ? atoi(columns) : 80;
}

static bool terminal_is_utf8(void)
{
    char const *locale = getenv("LC_ALL");
    if (!locale || !*locale)
        locale = getenv("LC_CTYPE");
    if (!locale || !*locale)
        locale = getenv("LANG");
    return locale && (strstr(locale, "UTF-8") || strstr(locale, "utf8") || strstr(locale, "UTF8"));
}

/** What is drawn where nothing was asked for: print_layout's characters, or on a terminal what it can show. */
static void choose_text(options const *o, request *r, bool sized)
{
    bool const terminal = isatty(1) != 0;
    if (terminal || o->colour_out || sized)
        r->drawing.format = terminal && !terminal_is_utf8() ? TSR_FORMAT_ASCII : TSR_FORMAT_UNICODE;
    else
        r->drawing.format = TSR_FORMAT_CUTE;
}

static bool take_labels(options const *o, request *r)
{
    int labels = 0;
#define X(id, name, help)              \
  if (option_of(o, "--" name)) {       \
    r->picture.label = TSR_LABEL_##id; \
    ++labels;                          \
  }
    TSR_LABEL_LIST(X)
#undef X
    if (labels > 1)
        complain(o, "--coord, --index, --offset and --bank exclude each other; %d were given", labels);
    return labels <= 1;
}

/** Does a path end in .png? */
static bool is_png(char const *path)
{
    size_t const n = strlen(path);
    return n > 4 && strcmp(path + n - 4, ".png") == 0;
}

/** The format of --as or of the file's ending. */
static bool take_format(options const *o, request *r, bool sized)
{
    char const *const as = option_of(o, "--as");
    r->file = option_of(o, "-o");
    r->png = as ? strcmp(as, "png") == 0 : r->file && is_png(r->file);
    if (r->png)
        r->drawing.format = TSR_FORMAT_PPM;
    else if (as)
        r->drawing.format = tsr_format_named(as);
    else if (r->file)
        r->drawing.format = tsr_format_of_file(r->file);
    else
        choose_text(o, r, sized);
    if (r->png && !png_is_there()) {
        complain(o, "this build cannot draw .png, because libpng was missing; use .ppm or .svg");
        return false;
    }
#define X(id, name, ending, help) " " name
    if (r->drawing.format == TSR_FORMATS && as)
        complain(o, "--as: unknown format %s; there are" TSR_FORMAT_LIST(X) " png", as);
#undef X
#define X(id, name, ending, help) " " ending
    else if (r->drawing.format == TSR_FORMATS)
        complain(o, "%s: the ending names no format. Use --as or one of the endings" TSR_FORMAT_LIST(X) " .png",
                 r->file);
#undef X
    return r->drawing.format != TSR_FORMATS;
}

/** What the options ask for; false: misuse, which was complained of. */
static bool take_request(options const *o, request *r)
{
    int64_t width = -1, colours = -1;
    memset(r, 0, sizeof *r);
    r->picture = tsr_plain_picture();
    r->picture.flags = o->flags | TSR_TEXT_SHAPES;
    if (!type_of_option(o, "--type", 0, &r->picture.type) || !take_number(o, "--thread", 1 << 30, &r->picture.thread)
        || !take_number(o, "--width", 1 << 20, &width) || !take_number(o, "--colors", 1 << 24, &colours)
        || !take_labels(o, r) || !take_format(o, r, width >= 0 || colours >= 0))
        return false;
    r->picture.panel = option_of(o, "--panel");
    r->picture.cute = option_of(o, "--cute") != NULL;
    r->picture.alone = option_of(o, "--alone") || (r->drawing.format == TSR_FORMAT_CUTE && !r->picture.panel);
    bool const text = r->drawing.format <= TSR_FORMAT_UNICODE;
    r->drawing.width = width >= 0 ? (int)width : text && isatty(1) && !r->file ? terminal_width() : 0;
    r->drawing.colours = colours >= 0 ? (int)colours : o->colour_out && !r->file ? terminal_colours() : 0;
    return true;
}

static bool to_file(void *context, char const *bytes, size_t n) { return fwrite(bytes, 1, n, (FILE *)context) == n; }

/** Draws into the file or on standard output. */
static bool put_picture(options const *o, request const *r, tsr_picture const *p)
{
    output out;
    if (!output_begin(o, r->file, &out))
        return false;
    bool const drawn =
        r->png ? png_draw(p, r->drawing, out.file) : tsr_draw_picture(p, r->drawing, to_file, out.file);
    return output_end(o, &out, drawn);
}

/** As print_tensor of CuTe writes it; one that points somewhere has no elements here. */
static bool put_tensor(char const *expression, unsigned flags)
{
    tsr_tensor const t = tsr_parse_tensor(expression, flags & ~TSR_TEXT_SHAPES, NULL);
    if (tsr_tensor_why(t).status || t.engine.kind == TSR_POINTER)
        return false;
    tsr_print_tensor(stdout, t);
    return true;
}

static bool show_one(options const *o, request const *r, char const *expression)
{
    static char text[16 * TSR_TEXT_SIZE];
    bool const plain = r->drawing.format == TSR_FORMAT_CUTE && !r->file && r->picture.label == TSR_LABEL_OWN
                       && r->picture.thread < 0 && !r->picture.panel;
    if (plain && put_tensor(expression, r->picture.flags))
        return true;
    tsr_evaluation *const e = tsr_evaluate(expression, r->picture.flags, NULL, NULL);
    tsr_picture p = tsr_make_picture(e, &r->picture);
    bool ok = tsr_picture_ok(&p);
    bool const words = !ok && p.worded && r->drawing.format <= TSR_FORMAT_UNICODE;
    if (ok)
        ok = put_picture(o, r, &p);
    else if (words && tsr_format_evaluation(text, sizeof text, e))
        ok = printf("%s\n", text) > 0;
    else if (r->file)
        complain(o, "%s", p.refused);
    else
        put_error(o, words ? text : p.refused);
    options read = *o;
    read.flags = r->picture.flags;
    if (!ok)
        point_at_error(o, expression);
    bool const valued = tsr_format_evaluation(text, sizeof text, e);
    if (!valued || (ok && !r->file)) /* what a picture is refused for is no matter of static numbers */
        note_static(&read, expression, valued ? text : "");
    tsr_picture_free(&p);
    tsr_evaluation_free(e);
    return ok;
}

int command_show(options const *o, int n, char **argument)
{
    request r;
    bool ok = true;
    if (!take_request(o, &r))
        return MISUSE;
    if (n == 0 || (r.file && n > 1))
        return misuse(o, n == 0 ? "show needs an expression or a file" : "-o takes one expression, not %d", n);
    for (int i = 0; i < n; ++i) {
        ok = (is_data_file(argument[i]) && !r.file ? show_data_file(o, argument[i], r.picture.type)
                                                   : show_one(o, &r, argument[i]))
             && ok;
    }
    return ok ? DONE : FAILED;
}

/** One side of a comparison; false: it is no layout, and the words are in `words`. */
static bool read_side(char const *text, unsigned flags, tsr_layout *l, char *words, size_t size)
{
    tsr_message error;
    *l = tsr_parse_layout(text, flags | TSR_TEXT_SHAPES, &error);
    if (tsr_ok(*l))
        return true;
    if (error.text[0])
        snprintf(words, size, "%.400s (at character %zu)", error.text, error.at);
    else
        tsr_format_reason(words, size, tsr_why(*l));
    return false;
}

int command_diff(options const *o, int n, char **argument)
{
    request r;
    tsr_layout side[2];
    tsr_picture p = TSR_ZERO;
    if (!take_request(o, &r))
        return MISUSE;
    if (n != 2)
        return misuse(o, "diff compares two layouts, not %d", n);
    bool ok = true;
    for (int i = 0; i < 2 && ok; ++i)
        ok = read_side(argument[i], r.picture.flags, &side[i], p.refused, sizeof p.refused);
    if (ok)
        p = tsr_make_diff_picture(&side[0], &side[1], &r.picture);
    ok = ok && tsr_picture_ok(&p);
    if (ok)
        ok = put_picture(o, &r, &p);
    else if (r.file)
        complain(o, "%s", p.refused);
    else
        put_error(o, p.refused);
    for (int i = 0; i < 2 && !ok; ++i)
        point_at_error(o, argument[i]);
    tsr_picture_free(&p);
    return ok ? DONE : FAILED;
}

/** The command gallery: a page and its pictures, from the examples of the table of operations and a list of
 *  atoms, slices, swizzles, tensor maps and tiles. */
#include "gallery.h"
#include "words.h"

#include "commands.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/picture.h"

typedef struct gallery_row {
    char const *section, *file, *caption, *expression, *option;
} gallery_row;

static gallery_row const gallery[] = {
#define X(section, file, caption, expression, option) {section, file, caption, expression, option},
    GALLERY_LIST(X)
#undef X
};

enum { GALLERY = sizeof gallery / sizeof gallery[0], SMALL = 128, LARGE = 520 };

/** The page, and how many pictures it has. */
typedef struct page {
    options const *o;
    char const *folder;
    FILE *file;
    int pictures;
    bool failed;
} page;

static bool to_gallery(void *context, char const *bytes, size_t n)
{
    return fwrite(bytes, 1, n, (FILE *)context) == n;
}

/** Text in backquotes, in HTML. */
static void put_code(FILE *file, char const *text)
{
    fputs("<code>", file);
    for (; *text; ++text)
        if (strchr("<>&\"|*_[]\\`", *text))
            fprintf(file, "&#%d;", *text);
        else
            fputc(*text, file);
    fputs("</code>", file);
}

/** Writes FOLDER/gallery/NAME.svg and its place in the page; false: there is no picture. A value is shown behind the
 *  expression, another layout is compared with it. */
static bool put_gallery_picture(page *to, char const *name, char const *caption, char const *expression,
                                char const *result, char const *other, tsr_picture_options const *options)
{
    char path[4096];
    output out;
    tsr_evaluation *const e = tsr_evaluate(expression, options->flags, NULL, NULL);
    tsr_layout const a = other ? tsr_parse(expression) : tsr_make_layout(1), b = other ? tsr_parse(other) : a;
    tsr_picture p = other ? tsr_make_diff_picture(&a, &b, options) : tsr_make_picture(e, options);
    bool const drawn = tsr_picture_ok(&p);
    if (drawn) {
        snprintf(path, sizeof path, "%s/gallery/%s.svg", to->folder, name);
        tsr_drawing const how = {TSR_FORMAT_SVG, 0, 0, result ? SMALL : LARGE}; /* larger ones in colours */
        bool const ok = output_begin(to->o, path, &out)
                        && output_end(to->o, &out, tsr_draw_picture(&p, how, to_gallery, out.file));
        to->failed = to->failed || !ok;
        fprintf(to->file, "\n**%s**<br>\n", caption);
        put_code(to->file, expression);
        if (result || other) {
            fputs(result ? " = " : " and ", to->file);
            put_code(to->file, result ? result : other);
        }
        fprintf(to->file, "\n\n![%s](gallery/%s.svg)\n", caption, name);
        ++to->pictures;
    }
    tsr_picture_free(&p);
    tsr_evaluation_free(e);
    return drawn;
}

/** Is this the first row of its name that has a picture? */
static bool is_first(tsr_op const *ops, bool const *drawn, int row)
{
    for (int i = 0; i < row; ++i)
        if (drawn[i] && strcmp(ops[i].name, ops[row].name) == 0)
            return false;
    return true;
}

/** Every operation that has a picture, once, with its example. */
static void put_operations(page *to)
{
    enum { MOST = 1024 };
    bool drawn[MOST] = {false};
    int count = 0;
    tsr_op const *const ops = tsr_ops(&count);
    tsr_picture_options const plain = tsr_plain_picture();
    fprintf(to->file, "\n## Operations\n");
    for (int i = 0; i < count && i < MOST; ++i)
        if (is_first(ops, drawn, i))
            drawn[i] = put_gallery_picture(to, ops[i].name, ops[i].name, ops[i].example, ops[i].value, NULL, &plain);
}

static tsr_picture_options gallery_options(char const *option)
{
    tsr_picture_options o = tsr_plain_picture();
    if (strcmp(option, "coord") == 0)
        o.label = TSR_LABEL_COORD;
    else if (strcmp(option, "bank") == 0)
        o.label = TSR_LABEL_BANK;
    else if (*option >= '0' && *option <= '9')
        o.thread = atoi(option);
    return o;
}

int command_gallery(options const *o, int n, char **argument)
{
    char path[4096];
    if (n != 1)
        return misuse(o, "gallery takes a folder that has a folder `gallery`");
    snprintf(path, sizeof path, "%s/gallery.md", argument[0]);
    output out;
    if (!output_begin(o, path, &out))
        return FAILED;
    page to = {o, argument[0], out.file, 0, false};
    fprintf(to.file,
            "# Gallery\n\nMade by `tessera gallery` from the examples that the tests run. Any expression is drawn "
            "by\n`tessera show EXPR -o FILE.svg`; `.html` gives an interactive page.\n");
    for (int i = 0; i < GALLERY; ++i) {
        tsr_picture_options const options = gallery_options(gallery[i].option);
        if (i == 0 || strcmp(gallery[i].section, gallery[i - 1].section) != 0)
            fprintf(to.file, "\n## %s\n", gallery[i].section);
        char const *const other = strstr(gallery[i].option, " o ") ? gallery[i].option : NULL; /* a layout */
        if (!put_gallery_picture(&to, gallery[i].file, gallery[i].caption, gallery[i].expression, NULL, other,
                                 &options)) {
            complain(o, "no picture of %s", gallery[i].expression);
            to.failed = true;
        }
    }
    put_operations(&to);
    to.failed = !output_end(o, &out, true) || to.failed;
    printf("%d pictures\n", to.pictures);
    return to.failed ? FAILED : DONE;
}

/** tessera fit: what explains the samples of a file or of a formula. */
#include "commands.h"
#include "files.h"
#include "option.h"
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/convert.h"
#include "tessera/samples.h"

/** The room of a file of samples: a line of 64 characters for each. */
enum { FILE_ROOM = 64 * TSR_LAW_BUDGET };

/** What a fit works in. */
typedef struct fitting {
    int64_t value[TSR_LAW_BUDGET], work[2 * TSR_LAW_BUDGET];
    char text[FILE_ROOM];
    tsr_found found[TSR_FORMS];
    tsr_message error;
} fitting;

static bool sample_file(options const *o, char const *path, char const *extents, fitting *f, tsr_samples *s)
{
    tsr_tuple shape = extents ? tsr_parse_tuple(extents, o->flags, &f->error) : tsr_unit();
    if (f->error.text[0]) {
        complain(o, "%s", f->error.text);
        point_at_error(o, extents);
        return false;
    }
    if (!read_text(o, path, f->text, sizeof f->text))
        return false;
    if (!tsr_samples_read(s, f->text, shape, &f->error))
        return complain(o, "%s: %s", strcmp(path, "-") == 0 ? "standard input" : path, f->error.text), false;
    return true;
}

static bool sample_formula(options const *o, int n, char **argument, fitting *f, tsr_samples *s)
{
    size_t used = 0;
    for (int i = 1; i < n && used < FILE_ROOM; ++i)
        used += (size_t)snprintf(f->text + used, FILE_ROOM - used, "%s%s", i > 1 ? "," : "", argument[i]);
    if (!tsr_samples_formula(s, argument[0], f->text, &f->error))
        return complain(o, "%s (at character %zu)", f->error.text, f->error.at), false;
    return true;
}

/** Says which samples break the forms that are simpler than the one that was found. */
static void say_others(FILE *to, fitting const *f, int forms)
{
    fflush(stdout);
    for (int i = 0; i < forms; ++i)
        if (f->found[i].tried && !f->found[i].ok)
            fprintf(to, "not %s: %s\n", tsr_form_name((tsr_form)i), f->found[i].text);
}

/** Prints the command that moves memory in layout `from`, a file of one axis, into layout `to`. */
static bool print_relayout(options const *o, tsr_layout from, char const *to)
{
    static char text[TSR_TEXT_SIZE];
    tsr_layout into;
    if (!read_layout(o, "--to: ", to, &into))
        return false;
    tsr_layout const known = tsr_static_all(from), back = tsr_right_inverse(known);
    int64_t const size = tsr_layout_size(known), places = tsr_cosize(known), reached = tsr_layout_size(back);
    bool const onto = tsr_ok(back) && size == places && size == reached;
    if (!onto)
        complain(o, "%lld samples at %lld places, of which %lld follow each other: a move needs memory without gaps",
                 (long long)size, (long long)places, (long long)reached);
    else if (size != tsr_layout_size(into))
        complain(o, "the samples are %lld, but --to has %lld", (long long)size, (long long)tsr_layout_size(into));
    if (!onto || size != tsr_layout_size(into))
        return false;
    tsr_layout moved = tsr_coalesce(tsr_composition(tsr_static_all(into), back));
    if (!tsr_is_leaf(&moved.shape)) { /* all modes are the one axis of the file */
        moved.shape = tsr_tuple_close(moved.shape);
        moved.stride = tsr_tuple_close(moved.stride);
    }
    tsr_format_layout(text, sizeof text, moved, TSR_TEXT_STATIC);
    if (!tsr_ok(moved))
        return complain(o, "%s", text), false;
    printf("tessera relayout in.npy out.npy --layout '%s'\n", text);
    return true;
}

/** The command that gives what was found in the words of a system, or that moves memory from it into another layout. */
static bool print_command(options const *o, tsr_found const *r, char const *to)
{
    bool const layout = r->form == TSR_FORM_LAYOUT || r->form == TSR_FORM_SWIZZLED;
    bool const system = tsr_system_named(to) < TSR_SYSTEMS;
    if (!layout && !(system && r->form == TSR_FORM_LINEAR))
        return complain(o, "--to needs a layout, not %s: %s", tsr_form_name(r->form), r->text), false;
    if (!system)
        return print_relayout(o, r->layout, to);
    printf("tessera convert --to %s '%s'\n", to, r->text);
    return true;
}

/** Prints what explains the samples, or that nothing does. */
static bool print_fit(options const *o, fitting *f, tsr_samples *s)
{
    char const *const to = option_of(o, "--to");
    if (o->flags & TSR_TEXT_STATIC)
        s->shape = tsr_static_tuple(s->shape);
    tsr_form const form = tsr_samples_explain(s, o->flags, f->found);
    if (form == TSR_FORMS) {
        put_error(o, "nothing explains these samples");
        say_others(stdout, f, TSR_FORMS);
        return false;
    }
    if (to)
        return print_command(o, &f->found[form], to);
    printf("%s\n", f->found[form].text);
    say_others(stderr, f, (int)form);
    return true;
}

int command_fit(options const *o, int n, char **argument)
{
    bool const formula = n > 1 && strchr(argument[1], '=');
    if (n < 1 || (n > 2 && !formula))
        return misuse(o, "fit needs a file of samples, or - for standard input, and takes a shape: "
                         "echo 0 1 3 2 | tessera fit -; or a formula and the ranges of its variables: "
                         "tessera fit 'i*8 + (j^i%%8)' i=0..7 j=0..7");
    fitting *const f = (fitting *)calloc(1, sizeof *f);
    if (!f)
        return complain(o, "out of memory"), FAILED;
    tsr_samples s = tsr_make_samples(f->value, TSR_LAW_BUDGET, f->work, 2 * TSR_LAW_BUDGET);
    bool const ok = (formula ? sample_formula(o, n, argument, f, &s)
                             : sample_file(o, argument[0], n == 2 ? argument[1] : NULL, f, &s))
                    && print_fit(o, f, &s);
    free(f);
    return ok ? DONE : FAILED;
}

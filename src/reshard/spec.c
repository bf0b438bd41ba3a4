/** Reading specs. */
#include "reshard/spec.h"

#include <stdio.h>
#include <stdlib.h>

#include "mesh/scan.h"

enum { MOST_RULES = 1 << 16, MOST_TEXT = 1 << 24 };

typedef struct spec_reader {
    tsr_reshard_spec *spec;
    scan s; /* of a line */
    int line;
    int capacity;
} spec_reader;

static char *copy_of(char const *begin, size_t n)
{
    char *const copy = (char *)malloc(n + 1);
    if (copy) {
        memcpy(copy, begin, n);
        copy[n] = 0;
    }
    return copy;
}

/** The word up to a blank, in memory of its own. */
static bool take_word(spec_reader *r, char **word, char const *what)
{
    scan *const s = &r->s;
    scan_blanks(s);
    char const *const begin = s->p;
    scan_until(s, " \t\r");
    if (s->p == begin)
        return scan_fail(s, "%s is expected here", what);
    *word = copy_of(begin, (size_t)(s->p - begin));
    return *word || scan_fail(s, "out of memory");
}

static bool take_pattern(spec_reader *r, char **word, char const *what)
{
    return take_word(r, word, what)
           && (tsr_reshard_pattern_check_(*word, r->s.error) || (scan_fail_as_is(&r->s, r->s.p), false));
}

static int axis_named(tsr_reshard_spec const *spec, char const *name, size_t n)
{
    for (int a = 0; a < spec->axes; ++a)
        if (strlen(spec->axis[a].name) == n && memcmp(spec->axis[a].name, name, n) == 0)
            return a;
    return -1;
}

/** "tp:4 pp:2": axes of the mesh, or new sizes of axes that it has. */
static bool take_mesh(spec_reader *r, bool sizes)
{
    scan *const s = &r->s;
    while (scan_next(s)) {
        char const *const begin = s->p;
        int64_t size = 0, ranks = 1;
        scan_until(s, ": \t");
        size_t const n = (size_t)(s->p - begin);
        int a = axis_named(r->spec, begin, n);
        if (n == 0 || n >= RESHARD_WORD || !scan_take_here(s, ":") || !tsr_dist_integer_(s, &size))
            return scan_fail(s, "an axis of the mesh is a name and its ranks, as tp:4");
        if (sizes ? a < 0 : a >= 0)
            return scan_fail_at(s, begin, "the mesh has %s axis %.*s", sizes ? "no" : "twice the", (int)n, begin);
        if (a < 0 && r->spec->axes == RESHARD_AXES)
            return scan_fail_at(s, begin, "a mesh has at most %d axes", RESHARD_AXES);
        if (a < 0) {
            a = r->spec->axes++;
            memcpy(r->spec->axis[a].name, begin, n);
        }
        r->spec->axis[a].size = size;
        for (int i = 0; i < r->spec->axes; ++i)
            ranks = tsr_mul64_most(ranks, r->spec->axis[i].size);
        if (ranks < 1 || ranks > 1 << 20)
            return scan_fail_at(s, begin, "the mesh has %lld ranks: they are 1 to 2^20", (long long)ranks);
    }
    return true;
}

/** "(3,5,4)" */
static bool take_sizes(scan *s, reshard_sizes *sizes)
{
    int64_t sum = 0;
    if (!tsr_dist_integers_(s, "(", ")", RESHARD_SIZES, sizes->size, &sizes->count))
        return false;
    for (int i = 0; i < sizes->count; ++i)
        if (!tsr_add64(sum, sizes->size[i], &sum))
            return scan_fail(s, "sizes have together at most 2^63 - 1 elements");
    return sizes->count > 0 || scan_fail(s, "a list has sizes, as (3,5,4)");
}

/** What follows "AXIS:", or a placement of the only axis. */
static bool take_use(spec_reader *r, reshard_axis_rule *a)
{
    scan *const s = &r->s;
    int64_t turn = -1;
    if (scan_take_here(s, "last")) {
        a->use = RESHARD_PINNED;
        a->at = -1;
        return true;
    }
    if (scan_is_digit(s)) {
        a->use = RESHARD_PINNED;
        return tsr_dist_integer_(s, &a->at);
    }
    if (scan_is(s, "{")) {
        reshard_capture hole;
        int width = 0;
        char const *const end = tsr_reshard_hole_(s->p, &hole, &width);
        if (!end || hole.local || hole.first || width)
            return scan_fail(s, "an axis is owned by a word, as pp:{layer}");
        s->p = end;
        a->use = RESHARD_OWNED;
        memcpy(a->word, hole.word, sizeof a->word);
        return !scan_is(s, "(") || take_sizes(s, &a->owned);
    }
    char const *const begin = s->p;
    if (!tsr_dist_scan_placement_(s, &a->placement, &turn))
        return false;
    if (turn >= 0 || a->placement.kind == TSR_PLACE_PARTIAL)
        return scan_fail_at(s, begin, "a checkpoint has whole elements, and axes cut in the order of the mesh");
    return true;
}

/** "[S(0),R]": all axes of the mesh. */
static bool take_list(spec_reader *r, reshard_rule *rule)
{
    scan *const s = &r->s;
    for (int a = 0; a < r->spec->axes; ++a)
        if (!scan_expect(s, a ? "," : "[") || !take_use(r, &rule->axis[a]))
            return false;
    return (r->spec->axes > 0 || scan_expect(s, "[")) && scan_expect(s, "]");
}

/** The option of a rule that begins here: 1; 0: something else does; -1: it is wrong. */
static int take_option(spec_reader *r, reshard_rule *rule)
{
    scan *const s = &r->s;
    bool ok = true;
    if (scan_take_here(s, "parts(")) {
        --s->p;
        ok = take_sizes(s, &rule->parts);
        if (ok && rule->parts.count == 1) { /* so many equal ones */
            rule->parts.count = (int)tsr_min64(rule->parts.size[0], RESHARD_SIZES + 1);
            memset(rule->parts.size, 0, sizeof rule->parts.size);
            ok = (rule->parts.count > 0 && rule->parts.count <= RESHARD_SIZES)
                 || scan_fail(s, "1 to %d parts are sharded by themselves", RESHARD_SIZES);
        }
    } else if (scan_take_here(s, "sizes(")) {
        --s->p;
        ok = take_sizes(s, &rule->sizes);
    } else if (scan_take_here(s, "heads(")) {
        --s->p;
        ok = take_sizes(s, &rule->heads);
    } else if (scan_take_here(s, "rows ")) {
        ok = tsr_dist_integer_(s, &rule->rows);
    } else if (scan_take_here(s, "groups ")) {
        ok = tsr_dist_integer_(s, &rule->groups);
    } else if (scan_take_here(s, "pad ")) {
        rule->multiple = scan_take(s, "x");
        ok = tsr_dist_integer_(s, &rule->pad);
    } else if (scan_take_here(s, "skip")) {
        rule->skip = true;
    } else if (scan_take_here(s, "once")) {
        rule->once = true;
    } else {
        return 0;
    }
    return ok ? 1 : -1;
}

static bool take_placement(spec_reader *r, reshard_rule *rule)
{
    scan *const s = &r->s;
    char const *const begin = s->p;
    scan_until(s, ":([ \t\r");
    int const a = scan_is(s, ":") ? axis_named(r->spec, begin, (size_t)(s->p - begin)) : -1;
    if (a >= 0)
        return ++s->p, take_use(r, &rule->axis[a]);
    if (scan_is(s, ":"))
        return scan_fail_at(s, begin, "the mesh has no axis %.*s", (int)(s->p - begin), begin);
    s->p = begin;
    if (scan_is(s, "["))
        return take_list(r, rule);
    reshard_axis_rule use = {RESHARD_PLACED, {TSR_PLACE_REPLICATE, 0, 0}, 0, "", {0, {0}}};
    if (!take_use(r, &use))
        return false;
    if (use.placement.kind == TSR_PLACE_REPLICATE && use.use == RESHARD_PLACED)
        return true;
    if (r->spec->axes != 1)
        return scan_fail_at(s, begin, "on which of the mesh's %d axes? Write it in front, as tp:S(0)", r->spec->axes);
    rule->axis[0] = use;
    return true;
}

static bool take_rule(spec_reader *r)
{
    tsr_reshard_spec *const spec = r->spec;
    scan *const s = &r->s;
    if (spec->rules == r->capacity) {
        int const more = r->capacity ? 2 * r->capacity : 16;
        if (more > MOST_RULES)
            return scan_fail(s, "a spec has at most %d rules", MOST_RULES);
        reshard_rule *const grown = (reshard_rule *)realloc(spec->rule, (size_t)more * sizeof *grown);
        if (!grown)
            return scan_fail(s, "out of memory for %d rules", more);
        spec->rule = grown;
        r->capacity = more;
    }
    reshard_rule *const rule = &spec->rule[spec->rules++];
    memset(rule, 0, sizeof *rule);
    rule->line = r->line;
    for (int a = 0; a < RESHARD_AXES; ++a)
        rule->axis[a].placement.kind = TSR_PLACE_REPLICATE;
    if (!take_pattern(r, &rule->name, "a name"))
        return false;
    if (scan_take(s, "as "))
        do {
            if (rule->joined == RESHARD_JOINED)
                return scan_fail(s, "a file's tensor joins at most %d tensors", RESHARD_JOINED);
            if (!take_pattern(r, &rule->as[rule->joined++], "a name of a tensor"))
                return false;
        } while (scan_take(s, "+ "));
    if (rule->joined == 0 && !(rule->as[rule->joined++] = copy_of(rule->name, strlen(rule->name))))
        return scan_fail(s, "out of memory");
    while (scan_next(s)) {
        int const option = take_option(r, rule);
        if (option < 0 || (option == 0 && !take_placement(r, rule)))
            return false;
    }
    return tsr_reshard_rule_check_(spec, rule, s->error) || (scan_fail_as_is(s, s->p), false);
}

static bool take_line(spec_reader *r)
{
    scan *const s = &r->s;
    if (!scan_next(s))
        return true;
    if (scan_take_here(s, "mesh "))
        return take_mesh(r, false);
    bool const files = scan_take_here(s, "files "), index = !files && scan_take_here(s, "index ");
    if (files || index) {
        char **const to = files ? &r->spec->files : &r->spec->index;
        free(*to);
        *to = NULL;
        if (!take_pattern(r, to, "a name of files"))
            return false;
        char const *const star = files && tsr_reshard_is_npy_(r->spec) ? strchr(*to, '*') : *to;
        if (!star || (files && tsr_reshard_is_npy_(r->spec) && strchr(star + 1, '*')))
            return scan_fail(s, "files of arrays have one star for the name of the tensor, as *.{rank}.npy");
        return !scan_next(s) || scan_fail(s, "a name of files has no blanks");
    }
    return take_rule(r);
}

static bool take_lines(spec_reader *r, char const *text, tsr_message *error)
{
    for (char const *p = text; *p;) {
        size_t const n = strcspn(p, "\n");
        char const *comment = p;
        while (comment < p + n && !(*comment == '#' && (comment == p || comment[-1] == ' ' || comment[-1] == '\t')))
            ++comment;
        ++r->line;
        r->s = tsr_scan_open_(p, (size_t)(comment - p), error);
        if (!take_line(r) || r->s.failed) {
            char words[TSR_TEXT_SIZE];
            memcpy(words, error->text, sizeof words);
            snprintf(error->text, sizeof error->text, "line %d of the spec: %.*s", r->line, TSR_TEXT_SIZE - 64,
                     words);
            error->at = (size_t)(p - text) + error->at;
            return false;
        }
        p += n + (p[n] == '\n');
    }
    return true;
}

/** The text of a file; NULL: it cannot be read, or is too long. */
static char *read_file(char const *path, tsr_message *error)
{
    FILE *const file = fopen(path, "rb");
    size_t size = 0, got = 1;
    char *text = NULL;
    bool fits = file != NULL;
    while (fits && got > 0) {
        char *const grown = (char *)realloc(text, size + 65536 + 1);
        got = grown ? fread(grown + size, 1, 65536, file) : 0;
        text = grown ? grown : text;
        size += got;
        fits = grown && size < MOST_TEXT;
    }
    bool const ok = fits && !ferror(file) && !memchr(text, 0, size);
    if (file)
        fclose(file);
    if (ok) {
        text[size] = 0;
        return text;
    }
    free(text);
    snprintf(error->text, sizeof error->text, "%.200s is no preset of specs, and no file that can be read", path);
    return NULL;
}

tsr_reshard_spec *tsr_reshard_spec_read(char const *text, tsr_message *error)
{
    spec_reader r = {(tsr_reshard_spec *)calloc(1, sizeof(tsr_reshard_spec)), {0}, 0, 0};
    bool const lines = strchr(text, '\n') != NULL;
    size_t const n = lines ? 0 : strcspn(text, " ");
    char *const name = copy_of(text, n);
    error->at = 0;
    error->text[0] = 0;
    if (!r.spec || !name) {
        snprintf(error->text, sizeof error->text, "out of memory");
    } else {
        char const *const preset = lines ? text : tsr_reshard_preset(name);
        r.spec->text = preset ? copy_of(preset, strlen(preset)) : read_file(name, error);
    }
    bool ok = r.spec && r.spec->text && take_lines(&r, r.spec->text, error);
    if (ok && text[n] && !lines) {
        r.s = tsr_scan_open_(text + n, strlen(text + n), error);
        ok = take_mesh(&r, true);
    }
    free(name);
    if (ok)
        return r.spec;
    tsr_reshard_spec_free(r.spec);
    return NULL;
}

void tsr_reshard_spec_free(tsr_reshard_spec *spec)
{
    for (int i = 0; spec && i < spec->rules; ++i) {
        free(spec->rule[i].name);
        for (int k = 0; k < spec->rule[i].joined; ++k)
            free(spec->rule[i].as[k]);
    }
    if (spec) {
        free(spec->rule);
        free(spec->files);
        free(spec->index);
        free(spec->text);
    }
    free(spec);
}

bool tsr_reshard_is_npy_(tsr_reshard_spec const *spec)
{
    size_t const n = spec->files ? strlen(spec->files) : 0;
    return n >= 4 && strcmp(spec->files + n - 4, ".npy") == 0;
}

int64_t tsr_reshard_ranks_(tsr_reshard_spec const *spec)
{
    int64_t n = 1;
    for (int a = 0; a < spec->axes; ++a)
        n *= spec->axis[a].size;
    return n;
}

void tsr_reshard_rank_words_(tsr_reshard_spec const *spec, int64_t rank, reshard_captures *c)
{
    c->count = 0;
    (void)tsr_reshard_put_(c, "rank", rank);
    for (int a = spec->axes - 1; a >= 0; --a) {
        (void)tsr_reshard_put_(c, spec->axis[a].name, rank % spec->axis[a].size);
        rank /= spec->axis[a].size;
    }
}

int64_t tsr_reshard_rank_named_(tsr_reshard_spec const *spec, reshard_captures *c)
{
    reshard_capture const *const number = tsr_reshard_captured_(c, "rank");
    int64_t rank = 0;
    if (number)
        return number->number < tsr_reshard_ranks_(spec) ? number->number : -1;
    for (int a = 0; a < spec->axes; ++a) {
        reshard_capture const *const x = tsr_reshard_captured_(c, spec->axis[a].name);
        if (x && x->number >= spec->axis[a].size)
            return -1;
        rank = rank * spec->axis[a].size + (x ? x->number : 0);
    }
    return rank;
}

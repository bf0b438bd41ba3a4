/** Parts as they were, for relayout --dist and --from. All of them are mapped, so the plan of a rank sends nothing,
 *  and reads what it receives where it lies. */
#include "relayout_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *relayout_name_of(char const *path, int64_t rank)
{
    size_t const n = strlen(path), size = n + 24, stem = n - strlen(".npy");
    char *const name = (char *)malloc(size);
    if (name)
        snprintf(name, size, "%.*s.%lld.npy", (int)stem, path, (long long)rank);
    return name;
}

/** Do the elements of an array lie as a part does? */
static bool lies_as(tsr_tensor const *t, tsr_dist_part const *part, int modes)
{
    for (int m = 0; m < modes && part->elements > 0; ++m)
        if (part->extent[m] > 1 && part->stride[m] != t->layout.stride.leaf[m].value)
            return false;
    return true;
}

static void const *memory_of(tsr_tensor const *t) { return (void const *)(uintptr_t)t->engine.address; }

bool relayout_source_whole(relayout_job const *j, tsr_tensor const *in, int64_t ranks, relayout_source *s)
{
    tsr_dist_split const copies = {TSR_DIST_COPY, 0, ranks, 1, 0, 0, 0};
    int64_t extent[TSR_DIST_MODES] = {0};
    int const modes = tsr_mode_count(&in->layout.shape);
    memset(s, 0, sizeof *s);
    s->type = in->engine.type;
    s->whole = memory_of(in);
    if (modes > TSR_DIST_MODES)
        return complain(j->o, "%s has %d axes, a distribution at most %d", j->in, modes, TSR_DIST_MODES), false;
    for (int m = 0; m < modes; ++m)
        extent[m] = in->layout.shape.leaf[m].value;
    for (int last = 1; last >= 0; --last) {
        tsr_dist_part part;
        s->layout = tsr_dist_whole(modes, extent, last == 1);
        s->layout.split[s->layout.splits++] = copies;
        if (tsr_dist_part_of(&s->layout, 0, &part) && lies_as(in, &part, modes))
            return true;
    }
    return complain(j->o, "%s does not lie in C or Fortran order", j->in), false;
}

/** Is the array of a file the part of a rank? */
static bool is_part(relayout_source *s, tsr_tensor const *t, char const *name, tsr_dist_part const *part,
                    tsr_message *error)
{
    int const modes = s->layout.modes;
    bool same = tsr_mode_count(&t->layout.shape) == modes;
    for (int m = 0; same && m < modes; ++m)
        same = t->layout.shape.leaf[m].value == part->extent[m];
    char text[TSR_DIST_MODES * 24] = "";
    int n = 0;
    for (int m = 0; m < modes; ++m)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s%lld", m ? "," : "", (long long)part->extent[m]);
    s->type = s->type ? s->type : t->engine.type;
    if (!same)
        snprintf(error->text, sizeof error->text, "%s is not the part of (%s) that --from says", name, text);
    else if (t->engine.type != s->type)
        snprintf(error->text, sizeof error->text, "%s has the type %s, and another part %s", name,
                 tsr_dtype_name(t->engine.type), tsr_dtype_name(s->type));
    else if (!lies_as(t, part, modes))
        snprintf(error->text, sizeof error->text, "%s lies in another order than --from says", name);
    else
        return true;
    return false;
}

/** Opens the part of a rank, unless it is open or has no elements. */
static bool open_part(relayout_job const *j, relayout_source *s, int64_t rank, tsr_message *error)
{
    tsr_dist_part part;
    if (s->whole || s->part[rank] || !tsr_dist_part_of(&s->layout, rank, &part) || part.elements == 0)
        return true;
    tsr_file *const file = (tsr_file *)malloc(sizeof *file);
    char *const name = relayout_name_of(j->in, rank);
    error->at = 0;
    snprintf(error->text, sizeof error->text, "no memory for the part of rank %lld", (long long)rank);
    bool ok = file && name && tsr_npy_open_as(name, s->read_as, file, error);
    if (ok) {
        s->part[rank] = file;
        ok = is_part(s, &file->tensor, name, &part, error);
    } else {
        free(file);
    }
    free(name);
    return ok;
}

/** The type of an array without elements: that of the first part. */
static bool take_type(relayout_job const *j, relayout_source *s, tsr_message *error)
{
    tsr_file file;
    char *const name = relayout_name_of(j->in, 0);
    bool const ok = name && tsr_npy_open_as(name, s->read_as, &file, error);
    if (ok) {
        s->type = file.tensor.engine.type;
        tsr_file_close(&file);
    }
    free(name);
    return ok;
}

bool relayout_source_parts(relayout_job *j, tsr_dtype type, relayout_source *s)
{
    memset(s, 0, sizeof *s);
    s->read_as = type;
    if (!has_ending(j->in, ".npy"))
        return complain(j->o, "%s: --from reads the parts of ranks, which are .npy files", j->in), false;
    if (!tsr_dist_read(option_of(j->o, "--from"), j->o->flags, &s->layout, &j->error))
        return complain(j->o, "--from: %s", j->error.text), false;
    memset(s->layout.pitch, 0, sizeof s->layout.pitch); /* files have no gaps */
    s->ranks = tsr_dist_ranks(&s->layout);
    s->part = (tsr_file **)calloc((size_t)s->ranks, sizeof *s->part);
    bool ok = s->part != NULL;
    snprintf(j->error.text, sizeof j->error.text, "no memory for the parts of %lld ranks", (long long)s->ranks);
    for (int64_t r = 0; ok && !s->type && r < s->ranks; ++r)
        ok = open_part(j, s, r, &j->error);
    ok = ok && (s->type || take_type(j, s, &j->error));
    return ok || (complain(j->o, "%s", j->error.text), false);
}

void relayout_source_close(relayout_source *s)
{
    for (int64_t r = 0; s->part && r < s->ranks; ++r)
        if (s->part[r]) {
            tsr_file_close(s->part[r]);
            free(s->part[r]);
        }
    free(s->part);
}

/** The part of a rank, where every rank sees all of them. */
static void const *window_of(void *self, int64_t rank)
{
    static char const none = 0;
    relayout_source const *const s = (relayout_source const *)self;
    bool const open = !s->whole && rank < s->ranks && s->part[rank];
    return open ? memory_of(&s->part[rank]->tensor) : &none;
}

static int pass_barrier(void *self) { return (void)self, 1; }

static bool no_send(void *self, int64_t slot, int64_t to, void const *bytes, int64_t n)
{
    return (void)self, (void)slot, (void)to, (void)bytes, (void)n, false;
}

static bool no_receive(void *self, int64_t slot, int64_t from, void *bytes, int64_t n)
{
    return (void)self, (void)slot, (void)from, (void)bytes, (void)n, false;
}

static int not_done(void *self, int64_t slot) { return (void)self, (void)slot, -1; }

bool relayout_source_run(relayout_job const *j, relayout_source *s, tsr_dist_plan const *plan, tsr_dtype type,
                         void *to, tsr_message *error)
{
    tsr_dist_transport t = {.self = s,
                            .rank = plan->rank,
                            .ranks = plan->ranks,
                            .send = no_send,
                            .receive = no_receive,
                            .done = not_done,
                            .barrier = pass_barrier,
                            .window = window_of};
    tsr_dist_terms terms = tsr_dist_terms_of(s->type);
    terms.to = type;
    bool ok = s->whole || plan->rank >= s->ranks || open_part(j, s, plan->rank, error);
    for (int64_t i = 0; ok && i < plan->receives; ++i)
        ok = open_part(j, s, plan->receive[i].peer, error);
    void const *const old = s->whole ? s->whole : window_of(s, plan->rank);
    return ok && tsr_dist_axpby(plan, &t, &terms, old, to, 0, error);
}

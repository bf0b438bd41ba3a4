/** tessera relayout: elements and bytes from file to file, while both are watched. */
#include "relayout_job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "interrupt.h"
#include "escape.h"
#include "tessera/text.h"

void relayout_describe(relayout_job const *j, char const *indent, char const *name, tsr_tensor t)
{
    char layout[TSR_TEXT_SIZE];
    fprintf(j->words, "%s", indent);
    print_escaped(j->words, name);
    format_array(layout, sizeof layout, t.layout, j->o->flags);
    fprintf(j->words, ": %s %s\n", tsr_dtype_name(t.engine.type), layout);
}

/** What one call of the guard works on. */
typedef struct work {
    relayout_job *j;
    relayout const *r;
    relayout_move *move;
    tsr_tensor in, out;
    void *to;
    void const *from;
    uint64_t bytes;
    char const *name;
    bool done;
} work;

/** Gives back the memory of the files when they may have as much as is allowed. */
static void touch(relayout_job *j, int64_t bytes, bool box_ends)
{
    j->touched += bytes;
    if (j->touched < j->memory && !(box_ends && j->touched > j->memory / 2))
        return;
    tsr_bytes_forget(j->from);
    if (j->to)
        tsr_image_forget(j->to);
    if (j->written)
        tsr_bytes_forget(j->written);
    j->touched = 0;
}

static bool tick(void *context, int64_t elements, bool box_ends)
{
    work *const w = (work *)context;
    int64_t const from = elements * tsr_dtype_bits(w->in.engine.type) / 8;
    int64_t const to = elements * tsr_dtype_bits(w->out.engine.type) / 8;
    if (w->j->to)
        meter_add(&w->j->meter, (double)from);
    touch(w->j, from + to, box_ends);
    return !interrupted() && !guard_failed();
}

/** Does some work while the files are watched. */
static bool guarded_work(work *w, void (*run)(void *context))
{
    relayout_job const *const j = w->j;
    guarded const files[] = {{j->from->data, j->from->size},
                             {j->to ? j->to->map : j->written->data, j->to ? j->to->size : j->written->size}};
    if (guard(files, 2, run, w))
        return true;
    complain(j->o, "%s or %s became shorter, or cannot be read any more, while the elements were copied", j->in,
             j->out);
    return false;
}

static void copy_elements(void *context)
{
    work *const w = (work *)context;
    relayout_run(w->move, tick, w, &w->j->error);
    w->done = w->j->error.text[0] == 0;
    if (!w->done)
        complain(w->j->o, "%s", w->j->error.text);
}

/** Says by which loops, where that was asked for; complains where there are none. */
static bool tell_plan(relayout_job *j, relayout_move const *move)
{
    char text[TSR_TEXT_SIZE];
    bool const ok = !move->plan.why.status;
    tsr_format_copy(text, sizeof text, &move->plan);
    if (!ok)
        complain(j->o, "%s: %s", j->out, text);
    else if (j->plan)
        fprintf(j->words, "plan: %s\n", text);
    return ok;
}

bool relayout_elements(relayout_job *j, relayout const *r, tsr_tensor in, tsr_tensor out)
{
    struct {
        relayout_move move;
        work work;
    } *const own = calloc(1, sizeof *own); /* 8 kB: the loops need the stack */
    if (!own)
        return complain(j->o, "%s: out of memory", j->out), false;
    own->work = (work){.j = j, .r = r, .move = &own->move, .in = in, .out = out};
    relayout_make_move(r, &own->work.in, &own->work.out, &own->move);
    own->move.image = j->to;
    bool ok = tell_plan(j, &own->move);
    if (ok)
        relayout_cut(&own->move, j->memory);
    ok = ok && guarded_work(&own->work, copy_elements) && own->work.done;
    free(own);
    return ok;
}

enum { PART = 1 << 24 };

static bool bytes_told(void *context, int64_t elements, int64_t done, int64_t all)
{
    return tick(context, elements, done == all);
}

static void copy_bytes(void *context)
{
    work *const w = (work *)context;
    w->done = tsr_image_copy(w->j->to, NULL, w->in, w->out, bytes_told, w, &w->j->error);
    if (!w->done)
        complain(w->j->o, "%s", w->j->error.text);
}

bool relayout_bytes(relayout_job *j, void *to, void const *from, uint64_t bytes)
{
    work w;
    if (bytes == 0)
        return true;
    tsr_layout const line = tsr_make_layout_from(tsr_int((int64_t)bytes), tsr_left());
    memset(&w, 0, sizeof w);
    w.j = j;
    w.in = tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, from, true, TSR_U8), line);
    w.out = tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, to, false, TSR_U8), line);
    return guarded_work(&w, copy_bytes) && w.done;
}

static void compare_elements(void *context)
{
    work *const w = (work *)context;
    w->done = relayout_verify(w->j->o, w->r, w->in, w->out, tick, w);
}

bool relayout_compare(relayout_job *j, relayout const *r, tsr_tensor in, tsr_tensor out)
{
    work w = {.j = j, .r = r, .in = in, .out = out};
    return guarded_work(&w, compare_elements) && w.done;
}

static void compare_bytes(void *context)
{
    work *const w = (work *)context;
    w->done = true;
    for (uint64_t at = 0; w->done && at < w->bytes && !interrupted() && !guard_failed(); at += PART) {
        size_t const n = (size_t)(w->bytes - at < PART ? w->bytes - at : PART);
        w->done = memcmp((char *)w->to + at, (char const *)w->from + at, n) == 0;
        touch(w->j, 2 * (int64_t)n, false);
    }
}

bool relayout_compare_bytes(relayout_job *j, char const *name, void const *a, void const *b, uint64_t bytes)
{
    work w;
    memset(&w, 0, sizeof w);
    w.j = j;
    w.to = (void *)(uintptr_t)a;
    w.from = b;
    w.bytes = bytes;
    if (!guarded_work(&w, compare_bytes))
        return false;
    return w.done ? true : (complain(j->o, "verify: tensor \"%.60s\" has changed", name), false);
}

bool relayout_may_go_on(relayout_job const *j)
{
    if (!j->to->output.temporary && j->verify)
        return complain(j->o, "%s: --verify reads the output again, which is not a regular file", j->out), false;
    if (interrupted())
        return complain(j->o, "%s: interrupted, nothing is written", j->out), false;
    return true;
}

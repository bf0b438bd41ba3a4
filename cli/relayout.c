/** tessera relayout: an array permuted, tiled, laid out by a layout, or converted, from one .npy file to another. */
#define _POSIX_C_SOURCE 200809L /* isatty, clock_gettime */

#include "relayout.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "guard.h"
#include "interrupt.h"
#include "output.h"
#include "tessera/text.h"
#include "usage.h"

typedef struct meter {
    bool shown, terminal;
    int64_t elements, element_bytes, done;
    double begin, last;
} meter;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool tick(void *context, int64_t elements)
{
    meter *const m = (meter *)context;
    double const t = m->shown ? now() : 0;
    m->done += elements;
    if (m->shown && t - m->last > 0.2) {
        fprintf(stderr, "%s%3d%%  %.0f MB/s%s", m->terminal ? "\r" : "",
                (int)(100 * (double)m->done / (double)m->elements),
                (double)m->done * (double)m->element_bytes / (t - m->begin) / 1e6, m->terminal ? "" : "\n");
        m->last = t;
    }
    return !interrupted();
}

/** What a command works with. */
typedef struct job {
    options const *o;
    relayout r;
    tsr_file in;
    char const *path; /* of the output */
    FILE *words;      /* standard output, unless the array goes there */
    bool show, plan, verify, done;
    tsr_npy_writer writer;
    tsr_file out;
    meter meter;
    relayout_move move;
} job;

static void describe(job const *j, char const *path, tsr_tensor t)
{
    char layout[TSR_TEXT_SIZE];
    tsr_format_layout(layout, sizeof layout, t.layout, j->o->flags);
    fprintf(j->words, "%s: %s %s\n", path, tsr_dtype_name(t.engine.type), layout);
}

static void copy_elements(void *context)
{
    job *const j = (job *)context;
    relayout_run(&j->move, tick, &j->meter);
}

static void verify_elements(void *context)
{
    job *const j = (job *)context;
    j->done = relayout_verify(j->o, &j->r, j->in.tensor, j->out.tensor);
}

/** The work, while both files are watched. */
static bool with_files(job *j, char const *in, void (*work)(void *context), void const *out, uint64_t out_bytes)
{
    guarded const files[] = {{j->in.bytes.data, j->in.bytes.size}, {out, out_bytes}};
    if (guard(files, 2, work, j))
        return true;
    complain(j->o, "%s or %s became shorter, or cannot be read any more, while the elements were copied", in, j->path);
    return false;
}

/** Copies into a new file. */
static bool write_output(job *j, char const *in)
{
    char text[TSR_TEXT_SIZE];
    tsr_npy_writer *const w = &j->writer;
    tsr_message error;
    meter *const m = &j->meter;
    tsr_tensor const from = j->in.tensor;
    *m = (meter){j->show, isatty(2), tsr_layout_size(from.layout), tsr_dtype_bits(from.engine.type) / 8, 0, now(), 0};
    m->last = m->begin;
    if (!tsr_npy_create(j->path, j->r.type, j->r.shape, TSR_C_ORDER, w, &error))
        return complain(j->o, "%s", error.text), false;
    bool const stream = !w->image.output.temporary;
    bool ok = true;
    relayout_make_move(&j->r, from, w->tensor, &j->move);
    tsr_format_plan(text, sizeof text, &j->move.plan);
    if (j->move.plan.why.status)
        complain(j->o, "%s: %s", j->path, text), ok = false;
    else if (j->plan)
        fprintf(j->words, "plan: %s\n", text);
    if (stream && j->verify)
        complain(j->o, "%s: --verify reads the output again, which is no regular file", j->path), ok = false;
    ok = ok && with_files(j, in, copy_elements, w->image.map, w->image.size);
    if (ok && interrupted())
        complain(j->o, "%s: interrupted, nothing is written", j->path), ok = false;
    if (!ok) {
        tsr_npy_discard(w);
        return false;
    }
    char *const target = stream ? NULL : strdup(w->image.output.target); /* the path may mean another file by then */
    double const bytes = (double)m->elements * (double)m->element_bytes, copy = now() - m->begin;
    if (stream)
        describe(j, j->path, w->tensor);
    ok = tsr_npy_commit(w, &error);
    if (ok && j->show)
        fprintf(stderr, "%s%.1f MB copied in %.2f s, %.0f MB/s; on the disk after %.2f s\n", m->terminal ? "\r" : "",
                bytes / 1e6, copy, bytes / 1e6 / copy, now() - m->begin);
    if (ok && !stream)
        ok = tsr_npy_open_as(target ? target : j->path, j->r.type, &j->out, &error);
    free(target);
    if (!ok)
        complain(j->o, "%s", error.text);
    return ok;
}

/** Says what the output is, and compares it when that is asked for. */
static bool check_output(job *j, char const *in)
{
    tsr_tensor const out = j->out.tensor;
    int64_t const size = tsr_layout_size(j->in.tensor.layout), padded = tsr_layout_size(out.layout) - size;
    describe(j, j->path, out);
    if (padded > 0)
        fprintf(j->words, "%lld elements are 0, no element of the array goes there\n", (long long)padded);
    if (j->verify && !(with_files(j, in, verify_elements, j->out.bytes.data, j->out.bytes.size) && j->done))
        return false;
    if (j->verify)
        fprintf(j->words, "verified: %lld elements\n", (long long)size);
    return true;
}

static bool run_job(job *j, char const *in)
{
    if (!relayout_take(j->o, &j->in.tensor, &j->r))
        return false;
    describe(j, in, j->in.tensor);
    if (!write_output(j, in))
        return false;
    interrupt_waits(false);
    bool const ok = !j->out.bytes.data || check_output(j, in);
    tsr_file_close(&j->out);
    return ok;
}

int command_relayout(options const *o, int n, char **argument)
{
    tsr_dtype type = 0;
    tsr_message error;
    if (!type_of_option(o, "--type", 0, &type))
        return MISUSE;
    if (n != 2)
        return misuse(o, "relayout needs an input and an output file");
    if (option_of(o, "--tile") && option_of(o, "--layout"))
        return misuse(o, "--tile and --layout exclude each other");
    job *const j = (job *)calloc(1, sizeof *j);
    if (!j)
        return complain(o, "out of memory"), FAILED;
    j->o = o;
    j->verify = option_of(o, "--verify") != NULL;
    j->plan = option_of(o, "--plan") != NULL;
    j->show = option_of(o, "--progress") || isatty(2);
    bool ok = tsr_npy_open_as(argument[0], type, &j->in, &error);
    if (!ok) {
        complain(o, "%s", error.text);
    } else {
        j->path = argument[1];
        j->words = is_standard_output(j->path) ? stderr : stdout;
        interrupt_waits(true);
        signal(SIGPIPE, SIG_IGN); /* who reads the meter, or the output, may go: an error, not an end in the middle */
        ok = run_job(j, argument[0]);
        tsr_file_close(&j->in);
    }
    free(j);
    interrupt_waits(false);
    return ok ? DONE : FAILED;
}

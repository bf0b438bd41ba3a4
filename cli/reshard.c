/** tessera reshard: checkpoints from N files to M files. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"
#include "files.h"
#include "guard.h"
#include "interrupt.h"
#include "relayout_meter.h"
#include "tessera/reshard.h"
#include "usage.h"

enum { MOST_CASTS = 32, MOST_SHOWN = 20 };

typedef struct reshard_job {
    options const *o;
    tsr_reshard_options want;
    tsr_reshard_spec *spec[2];
    tsr_reshard_cast cast[MOST_CASTS];
    char *casts; /* their text */
    tsr_reshard *plan;
    bool verifies, ok;
    meter meter;
    tsr_message error;
} reshard_job;

static int print_preset(options const *o, char const *name)
{
    char const *const text = tsr_reshard_preset(name);
    tsr_nearest nearest = {name, NULL, 0};
    if (text)
        return fputs(text, stdout) < 0 ? FAILED : DONE;
    for (int i = 0; tsr_reshard_preset_name(i); ++i)
        tsr_nearest_try(&nearest, tsr_reshard_preset_name(i));
    misuse(o, "--print-preset: there is no preset %s%s", name, did_you_mean(&nearest));
    for (int i = 0; tsr_reshard_preset_name(i); ++i)
        fprintf(stderr, "  %s\n", tsr_reshard_preset_name(i));
    return MISUSE;
}

/** "bf16", or "*.weight=bf16,lm_head.*=f32". */
static bool read_casts(reshard_job *j)
{
    char const *const text = option_of(j->o, "--cast");
    if (!text)
        return true;
    j->casts = (char *)malloc(strlen(text) + 1);
    if (!j->casts)
        return complain(j->o, "out of memory"), false;
    strcpy(j->casts, text);
    for (char *p = j->casts; p;) {
        char *const comma = strchr(p, ','), *const sign = strchr(p, '=');
        bool const named = sign && (!comma || sign < comma);
        if (j->want.casts == MOST_CASTS)
            return misuse(j->o, "--cast: at most %d patterns", MOST_CASTS), false;
        tsr_reshard_cast *const c = &j->cast[j->want.casts++];
        c->pattern = named ? p : "*";
        if (comma)
            *comma = 0;
        if (named)
            *sign = 0;
        char const *const type = named ? sign + 1 : p;
        c->type = tsr_dtype_named(type);
        if (!c->type || tsr_dtype_bits(c->type) % 8 != 0)
            return misuse(j->o, "--cast %s: %s is no type of whole bytes", text, type), false;
        p = comma ? comma + 1 : NULL;
    }
    j->want.cast = j->cast;
    return true;
}

static bool read_size_option(options const *o, char const *name, int64_t *size)
{
    char const *const text = option_of(o, name);
    *size = text ? size_of_text(text) : 0;
    return !text || *size > 0
           || (misuse(o, "%s %s: a size is a positive integer and K, M, G or nothing", name, text), false);
}

static bool read_replicas(reshard_job *j)
{
    static char const *const words[] = {"small", "all", "none"};
    char const *const text = option_of(j->o, "--replicas");
    for (int i = 0; text && i < 3; ++i)
        if (strcmp(words[i], text) == 0) {
            j->want.replicas = (tsr_reshard_replicas)i;
            return true;
        }
    return !text || (misuse(j->o, "--replicas %s: it is small, all or none", text), false);
}

static bool read_specs(reshard_job *j)
{
    static char const *const names[] = {"--from", "--to"};
    for (int side = 0; side < 2; ++side) {
        char const *const text = option_of(j->o, names[side]);
        j->spec[side] = tsr_reshard_spec_read(text ? text : "hf", &j->error);
        if (!j->spec[side])
            return complain(j->o, "%s %s: %s", names[side], text ? text : "hf", j->error.text), false;
    }
    j->want.from_spec = j->spec[0];
    j->want.to_spec = j->spec[1];
    return true;
}

static void print_bytes(char const *words, int64_t bytes)
{
    if (bytes < 100000)
        printf("%s%lld B", words, (long long)bytes);
    else
        printf("%s%.1f MB", words, (double)bytes / 1e6);
}

static void print_count(char const *words, int64_t n, char const *what)
{
    printf("%s%lld %s%s", words, (long long)n, what, n == 1 ? "" : "s");
}

static void print_plan(reshard_job const *j)
{
    tsr_reshard_report const x = tsr_reshard_report_of(j->plan);
    print_count("", x.tensors, "tensor");
    print_count(", from ", x.sources, "file");
    print_count(" of ", x.ranks[0], "rank");
    print_count(" to ", x.files, "file");
    printf(" of %lld\n", (long long)x.ranks[1]);
    print_bytes("reads ", x.bytes_read);
    print_bytes(" of ", x.bytes_there);
    print_bytes(", writes ", x.bytes_written);
    print_bytes(", compares ", x.bytes_compared);
    printf(" of copies\n");
    if (x.kept > 0)
        printf("%lld files are whole from an earlier run, and stay\n", (long long)x.kept);
}

/** Lists what is wrong. */
static bool print_problems(reshard_job const *j)
{
    int64_t const n = tsr_reshard_report_of(j->plan).problems;
    static char const *const words[] = {
#define X(id, word) word,
        TSR_RESHARD_PROBLEM_LIST(X)
#undef X
    };
    if (n == 0)
        return true;
    fflush(stdout);
    complain(j->o, "%lld problem%s; nothing is written", (long long)n, n == 1 ? "" : "s");
    for (int64_t i = 0; i < n && i < MOST_SHOWN; ++i) {
        tsr_reshard_problem const p = tsr_reshard_problem_at(j->plan, i);
        fprintf(stderr, "  %s: ", words[p.kind]);
        print_escaped(stderr, p.text);
        fprintf(stderr, "\n");
    }
    if (n > MOST_SHOWN)
        fprintf(stderr, "  .. and %lld more\n", (long long)n - MOST_SHOWN);
    return false;
}

static bool tick_bytes(void *context, int64_t bytes, int64_t done, int64_t all)
{
    reshard_job *const j = (reshard_job *)context;
    (void)done;
    (void)all;
    if (!j->verifies)
        meter_add(&j->meter, (double)bytes);
    return !interrupted() && !guard_failed();
}

static void work(void *context)
{
    reshard_job *const j = (reshard_job *)context;
    j->ok = (j->verifies ? tsr_reshard_verify : tsr_reshard_run)(j->plan, tick_bytes, j, &j->error);
}

/** Runs or verifies, while the sources are watched. */
static bool guarded_run(reshard_job *j, guarded const *files, int count, bool verifies)
{
    j->verifies = verifies;
    if (!guard(files, count, work, j))
        return complain(j->o, "a source became shorter, or cannot be read any more"), false;
    return j->ok || (complain(j->o, "%s", j->error.text), false);
}

static bool run_all(reshard_job *j)
{
    int64_t const n = tsr_reshard_report_of(j->plan).sources;
    guarded *const files = (guarded *)calloc((size_t)n + 1, sizeof *files);
    tsr_reshard_report const x = tsr_reshard_report_of(j->plan);
    if (!files)
        return complain(j->o, "out of memory"), false;
    for (int64_t i = 0; i < n; ++i) {
        tsr_bytes const *const bytes = tsr_reshard_source(j->plan, i);
        files[i].begin = bytes->data;
        files[i].bytes = bytes->size;
    }
    j->meter = meter_begin(option_of(j->o, "--progress") != NULL, (double)x.bytes_written);
    bool ok = guarded_run(j, files, (int)n, false);
    if (ok)
        meter_end(&j->meter, meter_seconds(&j->meter));
    if (ok) {
        printf("%s: ", j->want.to);
        print_count("", x.files, "file");
        printf("\n");
    }
    if (ok && option_of(j->o, "--verify")) {
        ok = guarded_run(j, files, (int)n, true);
        if (ok) {
            print_bytes("verified: ", x.bytes_written);
            print_count(" in ", x.parts[1], "tensor");
            printf(" of files\n");
        }
    }
    free(files);
    return ok;
}

static int reshard(reshard_job *j)
{
    if (!read_size_option(j->o, "--memory", &j->want.memory)
        || !read_size_option(j->o, "--shard-size", &j->want.shard_size) || !read_casts(j) || !read_replicas(j))
        return MISUSE;
    if (!read_specs(j))
        return FAILED;
    j->plan = tsr_reshard_open(&j->want, &j->error);
    if (!j->plan)
        return complain(j->o, "%s", j->error.text), FAILED;
    print_plan(j);
    if (!print_problems(j))
        return FAILED;
    if (option_of(j->o, "--dry-run"))
        return DONE;
    fflush(stdout);
    interrupt_waits(true);
    signal(SIGPIPE, SIG_IGN);
    bool const ok = run_all(j);
    interrupt_waits(false);
    return ok ? DONE : FAILED;
}

int command_reshard(options const *o, int n, char **argument)
{
    static reshard_job j;
    char const *const preset = option_of(o, "--print-preset");
    memset(&j, 0, sizeof j);
    j.o = o;
    if (preset)
        return n > 0 ? (misuse(o, "--print-preset takes no files"), MISUSE) : print_preset(o, preset);
    if (n < 2)
        return misuse(o, "reshard needs a source and a target"), MISUSE;
    j.want.from = (char const *const *)argument;
    j.want.count = n - 1;
    j.want.to = argument[n - 1];
    int const status = reshard(&j);
    tsr_reshard_close(j.plan);
    tsr_reshard_spec_free(j.spec[0]);
    tsr_reshard_spec_free(j.spec[1]);
    free(j.casts);
    return status;
}

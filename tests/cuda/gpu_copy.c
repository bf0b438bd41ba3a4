/** tsr_gpu_copy and tsr_gpu_axpby on a GPU: thousands of random pairs of layouts and types, each byte of the
 *  destination, and
 *  those around it, as the CPU makes it element by element; in as many processes as there are processors, for the
 *  kernels
 *  are compiled here, and NVRTC compiles one at a time.
 *
 *  usage: gpu_copy FOLDER [SEED [PAIRS [PROCESSES]]]. FOLDER holds the cache. Exits with 77, which means skipped,
 *  where there is
 *  no GPU or no NVRTC. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../gpu/any_pair.h"
#include "gpu/copy_plan.h"
#include "tessera/gpu.h"
#include "tessera/text.h"

enum { SHOWN = 4, MOST_WORKERS = 64, SKIPPED = 77, MOST_FORMS = 400 };

typedef struct job {
    any_pair pair;
    bool scaled, adds;
    tsr_number alpha, beta;
    uint64_t form;
} job;

typedef struct worker {
    tsr_gpu_device const *device;
    char const *folder;
    job const *jobs;
    int count, index, workers;
    int passed, failed, refused, kinds[8];
    int64_t compiled;
} worker;

static unsigned char source[PAIR_BYTES], before[PAIR_BYTES];

static tsr_dtype any_type(void)
{
    static tsr_dtype const types[] = {TSR_F32, TSR_F16, TSR_BF16, TSR_F8_E4M3FN, TSR_F8_E5M2,
                                      TSR_I8,  TSR_I32, TSR_F64,  TSR_BOOL};
    return types[below((int64_t)(sizeof types / sizeof types[0]))];
}

static uint64_t hash_of(void const *data, size_t bytes)
{
    uint64_t h = 1469598103934665603u;
    for (size_t i = 0; i < bytes; ++i)
        h = (h ^ ((unsigned char const *)data)[i]) * 1099511628211u;
    return h ^ h >> 29;
}

/** Whether a form is among those that are compiled; the first MOST_FORMS are. */
static bool is_taken(uint64_t form)
{
    static uint64_t taken[MOST_FORMS];
    static int count;
    for (int i = 0; i < count; ++i)
        if (taken[i] == form)
            return true;
    if (count == MOST_FORMS)
        return false;
    taken[count++] = form;
    return true;
}

/** Pairs of at most MOST_FORMS forms, for compiling takes longer than all else. */
static void draw(job *jobs, int count)
{
    for (int i = 0; i < count;) {
        job *const j = &jobs[i];
        tsr_gpu_planned_copy *plan;
        bool const whole = once_in(2);
        j->pair = any_pair_of(1 << 14, 8, any_type);
        j->alpha = whole ? tsr_number_int(below(9) - 4) : tsr_number_real((double)(below(33) - 16) / 8);
        j->beta = whole ? tsr_number_int(below(3)) : tsr_number_real(0.5);
        tsr_tensor const s = pair_tensor(1 << 20, j->pair.from_at, j->pair.from_type, j->pair.from);
        tsr_tensor const d = pair_tensor(1 << 25, j->pair.to_at, j->pair.to_type, j->pair.to);
        j->scaled = once_in(40) && has_one_sum(&j->pair);
        j->adds = once_in(2);
        (void)tsr_gpu_copy_plan(NULL, NULL, j->scaled ? &j->alpha : NULL, s, j->scaled && j->adds ? &j->beta : NULL,
                                d, NULL, &plan);
        j->form = plan ? hash_of(&plan->form, sizeof plan->form) : 0;
        tsr_gpu_copy_free(&plan);
        i += is_taken(j->form);
    }
}

static void complain(worker *w, job const *j, tsr_gpu_result r, char const *log, tsr_gpu_planned_copy const *plan)
{
    char from[TSR_TEXT_SIZE], to[TSR_TEXT_SIZE], text[4096];
    if (++w->failed > SHOWN)
        return;
    tsr_format_gpu_result(text, sizeof text, r);
    tsr_format_layout(from, sizeof from, j->pair.from, 0);
    tsr_format_layout(to, sizeof to, j->pair.to, 0);
    printf("FAILED %s %s at %lld to %s %s at %lld%s%s: %s %.300s\n", tsr_dtype_name(j->pair.from_type), from,
           (long long)j->pair.from_at, tsr_dtype_name(j->pair.to_type), to, (long long)j->pair.to_at,
           j->scaled ? ", scaled" : "", j->scaled && j->adds ? ", added" : "", text, log);
    if (tsr_gpu_ok(r)) {
        tsr_format_gpu_copy(text, sizeof text, plan);
        printf("%s\n", text);
    }
}

/** What the CPU makes of a job, into `wanted`. */
static void want(job const *j, unsigned char *wanted)
{
    tsr_tensor const s = pair_tensor((uint64_t)(uintptr_t)source, j->pair.from_at, j->pair.from_type, j->pair.from);
    tsr_tensor const d = pair_tensor((uint64_t)(uintptr_t)wanted, j->pair.to_at, j->pair.to_type, j->pair.to);
    memcpy(wanted, before, PAIR_BYTES);
    if (j->scaled && tsr_axpby(j->alpha, s, j->adds ? j->beta : tsr_number_int(0), d).status)
        exit(2);
    if (!j->scaled)
        tsr_copy_elements(NULL, &s, &d, 0, tsr_size(j->pair.to));
}

static void work(worker *w)
{
    tsr_gpu_cache cache = {.folder = w->folder};
    tsr_gpu_memory from = {0}, to = {0}, kept = {0};
    tsr_gpu_stream stream = {0};
    unsigned char *const wanted = (unsigned char *)malloc(PAIR_BYTES), *const found =
                                                                           (unsigned char *)malloc(PAIR_BYTES);
    char words[4096] = "";
    tsr_gpu_log const log = {words, sizeof words};
    tsr_gpu_result r = tsr_gpu_stream_make(w->device, &stream);
    tsr_gpu_memory *const all[] = {&from, &to, &kept};
    for (int i = 0; i < 3 && tsr_gpu_ok(r); ++i)
        r = tsr_gpu_alloc(w->device, PAIR_BYTES, all[i]);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_write(&from, 0, source, PAIR_BYTES, NULL);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_write(&kept, 0, before, PAIR_BYTES, NULL);
    for (int i = 0; i < w->count && wanted && found; ++i) {
        job const *const j = &w->jobs[i];
        tsr_gpu_planned_copy *plan = NULL;
        if ((int)(j->form % (uint64_t)w->workers) != w->index)
            continue;
        tsr_tensor const s = tsr_gpu_tensor_at(&from, (size_t)j->pair.from_at, j->pair.from_type, j->pair.from);
        tsr_tensor const d = tsr_gpu_tensor_at(&to, (size_t)j->pair.to_at, j->pair.to_type, j->pair.to);
        if (tsr_gpu_ok(r))
            r = tsr_gpu_move(&to, 0, &kept, 0, PAIR_BYTES, &stream);
        bool const adds = j->scaled && j->adds && !tsr_number_is_zero(j->beta);
        tsr_number const more[2] = {tsr_number_add(j->alpha, tsr_number_int(3)),
                                    tsr_number_add(j->beta, tsr_number_int(5))};
        if (tsr_gpu_ok(r)) /* the plan is for other numbers than the run */
            r = tsr_gpu_copy_plan(&cache, w->device, j->scaled ? &more[0] : NULL, s, adds ? &more[1] : NULL, d, &log,
                                  &plan);
        if (r.status == TSR_GPU_BITS || r.status == TSR_GPU_TENSORS || r.status == TSR_GPU_ALIGNED) {
            ++w->refused;
            r.status = TSR_GPU_OK;
            continue;
        }
        if (tsr_gpu_ok(r) && j->scaled)
            r = tsr_gpu_copy_run_with(plan, j->alpha, s.engine.address, j->adds ? j->beta : tsr_number_int(0),
                                      d.engine.address, &stream);
        else if (tsr_gpu_ok(r))
            r = tsr_gpu_copy_run(plan, s.engine.address, d.engine.address, &stream);
        if (tsr_gpu_ok(r))
            r = tsr_gpu_read(&to, 0, found, PAIR_BYTES, &stream);
        if (tsr_gpu_ok(r))
            r = tsr_gpu_stream_wait(&stream);
        want(j, wanted);
        if (!tsr_gpu_ok(r) || memcmp(found, wanted, PAIR_BYTES) != 0)
            complain(w, j, r, words, plan);
        else
            ++w->passed;
        w->kinds[plan ? plan->form.kind : 0] += plan != NULL;
        tsr_gpu_copy_free(&plan);
    }
    w->compiled = cache.misses;
    for (int i = 0; i < 3; ++i)
        (void)tsr_gpu_free(all[i]);
    (void)tsr_gpu_stream_free(&stream);
    tsr_gpu_cache_free(&cache);
    free(wanted);
    free(found);
}

/** Elements more than 2^32 bytes apart, there and back: a mode that is short and far apart, transposed. Places of the
 *  large side are windows of 8 kB. */
static void test_far(tsr_gpu_device const *device, char const *folder, worker *w)
{
    enum { ROWS = 1001, PLANES = 5, WINDOW = 8192 };
    int64_t const apart = ((int64_t)1 << 30) + 13, size = PLANES * apart + WINDOW;
    static unsigned char read[WINDOW];
    tsr_gpu_cache cache = {.folder = folder};
    tsr_gpu_memory large = {0}, small = {0};
    tsr_layout const far_apart = tsr_make_layout(tsr_t(ROWS, PLANES), tsr_t(1, apart));
    tsr_layout const close = tsr_parse("(1001,5):(5,1)");
    tsr_gpu_result r = tsr_gpu_alloc(device, (size_t)size, &large);
    if (!tsr_gpu_ok(r)) {
        printf("not tried: elements more than 2^32 bytes apart, for which there is no memory\n");
        return;
    }
    r = tsr_gpu_alloc(device, ROWS * PLANES, &small);
    for (int64_t k = 0; k < PLANES && tsr_gpu_ok(r); ++k)
        r = tsr_gpu_write(&large, (size_t)(k * apart), source + k * ROWS, ROWS, NULL);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_copy(&cache, device, tsr_gpu_tensor_at(&large, 0, TSR_U8, far_apart),
                         tsr_gpu_tensor_at(&small, 0, TSR_U8, close), NULL, NULL);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_copy(&cache, device, tsr_gpu_tensor_at(&small, 0, TSR_U8, close),
                         tsr_gpu_tensor_at(&large, WINDOW / 2 + 3, TSR_U8, far_apart), NULL, NULL);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_wait(device);
    for (int64_t k = 0; k < PLANES && tsr_gpu_ok(r); ++k) {
        r = tsr_gpu_read(&large, (size_t)(k * apart + WINDOW / 2 + 3), read, ROWS, NULL);
        w->failed += memcmp(read, source + k * ROWS, ROWS) != 0;
    }
    w->failed += !tsr_gpu_ok(r);
    (void)tsr_gpu_free(&large);
    (void)tsr_gpu_free(&small);
    tsr_gpu_cache_free(&cache);
}

/** One process: opens the device, does its share, and says what came of it. */
static int share(char const *folder, job const *jobs, int pairs, int index, int workers, int out)
{
    char text[512];
    tsr_gpu gpu = {0};
    tsr_gpu_device device = {0};
    tsr_gpu_result r = tsr_gpu_find_driver(&gpu, NULL);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_find_compiler(&gpu, NULL);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_open(&gpu, 0, &device);
    if (!tsr_gpu_ok(r)) {
        tsr_format_gpu_result(text, sizeof text, r);
        printf("skipped: %s\n", text);
        return SKIPPED;
    }
    worker w = {
        .device = &device, .folder = folder, .jobs = jobs, .count = pairs, .index = index, .workers = workers};
    work(&w);
    if (index == 0)
        test_far(&device, folder, &w);
    (void)tsr_gpu_close(&device);
    tsr_gpu_forget(&gpu);
    return write(out, &w, sizeof w) == (ssize_t)sizeof w ? 0 : 2;
}

int main(int argc, char **argv)
{
    long const processors = sysconf(_SC_NPROCESSORS_ONLN);
    int const pairs = argc > 3 ? atoi(argv[3]) : 2000, wanted = argc > 4 ? atoi(argv[4]) : (int)processors;
    int const workers = wanted < 1 ? 1 : wanted > MOST_WORKERS ? MOST_WORKERS : wanted;
    int pipes[2], status = 0, skipped = 0;
    worker sum = {0}, w;
    job *const jobs = (job *)calloc((size_t)pairs, sizeof *jobs);
    random_state = argc > 2 ? strtoull(argv[2], NULL, 10) * 2 + 1 : 1;
    if (!jobs || pipe(pipes) != 0)
        return 2;
    for (int i = 0; i < PAIR_BYTES; ++i) {
        source[i] = (unsigned char)random_bits();
        before[i] = (unsigned char)random_bits();
    }
    draw(jobs, pairs);
    setvbuf(stdout, NULL, _IOLBF, 0);
    for (int i = 0; i < workers; ++i)
        if (fork() == 0)
            exit(share(argc > 1 ? argv[1] : NULL, jobs, pairs, i, workers, pipes[1]));
    close(pipes[1]);
    while (read(pipes[0], &w, sizeof w) == (ssize_t)sizeof w) {
        sum.passed += w.passed;
        sum.failed += w.failed;
        sum.refused += w.refused;
        sum.compiled += w.compiled;
        for (int k = 0; k < 8; ++k)
            sum.kinds[k] += w.kinds[k];
    }
    while (wait(&status) > 0) {
        skipped += WIFEXITED(status) && WEXITSTATUS(status) == SKIPPED;
        sum.failed += !WIFEXITED(status) || (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != SKIPPED);
    }
    free(jobs);
    if (skipped == workers)
        return SKIPPED;
    printf("%d pairs equal to the last byte, %d not, %d refused; runs %d, direct %d, tiles %d, ragged %d, zip %d, "
           "unzip %d, elements %d; %lld "
           "compiled\n",
           sum.passed, sum.failed, sum.refused, sum.kinds[0], sum.kinds[1], sum.kinds[2], sum.kinds[3], sum.kinds[4],
           sum.kinds[5], sum.kinds[6], (long long)sum.compiled);
    return sum.failed != 0 || skipped != 0 || sum.passed + sum.refused != pairs;
}

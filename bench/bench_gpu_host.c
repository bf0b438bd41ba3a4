/** What the host pays for calls of the GPU engine: plans whose kernels are there already, launches, and how long each
 *  takes the first time. Medians in microseconds.
 *
 *  usage: bench_gpu_host [FOLDER [FAKE]]. FOLDER keeps the kernels, without one the user's; "": nothing does. FAKE is
 *  the library of the target gpu_older (tests/gpu/fake.c), for a machine without a GPU, with the folder "": then the
 *  host's own work is measured, and that of the books. Memory is the C library's: MALLOC_MMAP_THRESHOLD_=65536 keeps
 *  glibc from clearing it. */
#include "gpu_need.h"
#include "timing.h"

#include "tessera/gpu.h"
#include "tessera/text.h"

#define ROOM ((size_t)64 << 20)

/** Tensors of a product or of a copy, and how often one is done in a turn. */
typedef struct work {
    char const *name;
    tsr_dtype in, out;
    int64_t m, n, k, pitch; /* elements from one row of A to the next */
    bool copies, runs, moves;
    int times;
} work;

/* A product: M, N, K. A copy: from M by N to N by M, transposed. */
static work const works[] = {
    {"copy, transposed f32: plan, kernel, launch", TSR_F32, TSR_F32, 64, 64, 0, 64, true, false, false, 200},
    {"copy, transposed f32: launch", TSR_F32, TSR_F32, 64, 64, 0, 64, true, true, false, 200},
    {"product f16 by TMA: plan", TSR_F16, TSR_F16, 2048, 2048, 2048, 2048, false, false, false, 4},
    {"product f16 by TMA, K in parts: plan", TSR_F16, TSR_F16, 128, 1024, 8192, 8192, false, false, false, 4},
    {"product i8 by TMA: plan", TSR_I8, TSR_I32, 2048, 2048, 2048, 2048, false, false, false, 4},
    {"product f16 behind a copy of A: plan", TSR_F16, TSR_F16, 2048, 2048, 2048, 2049, false, false, false, 1},
    {"product f32 by plain loops: plan", TSR_F32, TSR_F32, 512, 512, 512, 512, false, false, false, 4},
    {"product f16 by TMA: launch", TSR_F16, TSR_F16, 512, 512, 512, 512, false, true, false, 100},
    {"product f16 by TMA: launch elsewhere", TSR_F16, TSR_F16, 512, 512, 512, 512, false, true, true, 100},
};
enum { WORKS = sizeof works / sizeof *works };

static struct {
    tsr_gpu gpu;
    tsr_gpu_device device;
    tsr_gpu_cache cache;
    tsr_gpu_memory memory[3];
} all;

/** What a case works on. */
typedef struct prepared {
    work const *of;
    tsr_tensor a, b, c;
    tsr_gpu_planned_copy *copy;
    tsr_gpu_planned_gemm *gemm;
} prepared;

static tsr_layout rows(int64_t m, int64_t n, int64_t pitch) { return tsr_make_layout(tsr_t(m, n), tsr_t(pitch, 1)); }

static tsr_gpu_planned_gemm *product_of(prepared const *p)
{
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    tsr_gpu_planned_gemm *plan = NULL;
    need(tsr_gpu_gemm_plan(&all.cache, &all.device, p->a, p->b, p->c, &plain, &to_words, &plan), p->of->name);
    return plan;
}

static prepared prepare(work const *w)
{
    prepared p = {.of = w};
    tsr_layout const first = w->copies ? rows(w->m, w->n, w->pitch) : rows(w->m, w->k, w->pitch);
    p.a = tsr_gpu_tensor(&all.memory[0], w->in, first);
    p.b = tsr_gpu_tensor(&all.memory[1], w->in, rows(w->n, w->copies ? w->m : w->k, w->copies ? w->m : w->k));
    p.c = tsr_gpu_tensor(&all.memory[2], w->out,
                         w->copies ? tsr_make_layout(tsr_t(w->m, w->n), tsr_t(1, w->m)) : rows(w->m, w->n, w->n));
    if (w->copies)
        need(tsr_gpu_copy_plan(&all.cache, &all.device, NULL, p.a, NULL, p.c, &to_words, &p.copy), w->name);
    else
        p.gemm = product_of(&p);
    return p;
}

/** A run of a case, `times` of them. */
static void run(bench_case const *self, int64_t times)
{
    prepared const *const p = (prepared const *)self->data;
    uint64_t const a = p->a.engine.address, b = p->b.engine.address, c = p->c.engine.address;
    for (int64_t i = 0; i < times; ++i) {
        if (p->of->copies && p->of->runs) {
            need(tsr_gpu_copy_run(p->copy, a, c, NULL), p->of->name);
        } else if (p->of->copies) {
            need(tsr_gpu_copy(&all.cache, &all.device, p->a, p->c, NULL, &to_words), p->of->name);
        } else if (p->of->runs) {
            uint64_t const far = p->of->moves && i % 2 ? 4096 : 0;
            need(tsr_gpu_gemm_run_at(p->gemm, a + far, b + far, c + far, 0, NULL), p->of->name);
        } else {
            tsr_gpu_planned_gemm *plan = product_of(p);
            need(tsr_gpu_gemm_free(&plan), "free");
        }
    }
}

static void open_all(char const *folder, char const *path)
{
    need(tsr_gpu_find_driver(&all.gpu, path), "the driver");
    need(tsr_gpu_find_compiler(&all.gpu, path), "NVRTC");
    need(tsr_gpu_open(&all.gpu, 0, &all.device), "the device");
    all.cache.folder = folder;
    for (int i = 0; i < 3; ++i)
        need(tsr_gpu_alloc(&all.device, ROOM, &all.memory[i]), "memory");
}

int main(int argc, char **argv)
{
    static bench_case cases[WORKS];
    static prepared of[WORKS];
    open_all(argc > 1 ? argv[1] : NULL, argc > 2 ? argv[2] : NULL);
    bench_print_machine();
    printf("%s, the host's microseconds\n", all.device.name);
    for (int i = 0; i < WORKS; ++i) {
        double const begin = bench_now();
        of[i] = prepare(&works[i]);
        double const first = (bench_now() - begin) / 1e3;
        cases[i] = (bench_case){.name = works[i].name, .run = run, .data = &of[i]};
        for (int turn = -1; turn < BENCH_TURNS; ++turn) {
            double const start = bench_now();
            run(&cases[i], works[i].times);
            cases[i].ns[turn < 0 ? 0 : turn] = (bench_now() - start) / works[i].times;
            need(tsr_gpu_wait(&all.device), "wait");
        }
        qsort(cases[i].ns, BENCH_TURNS, sizeof cases[i].ns[0], bench_compare);
        printf("  %-44s %9.2f   at first %9.0f\n", works[i].name, bench_median(&cases[i]) / 1e3, first);
    }
    printf("kernels compiled %lld, from the folder %lld\n", (long long)all.cache.misses, (long long)all.cache.loads);
    for (int i = 0; i < WORKS; ++i) {
        tsr_gpu_copy_free(&of[i].copy);
        need(tsr_gpu_gemm_free(&of[i].gemm), "free");
    }
    for (int i = 0; i < 3; ++i)
        need(tsr_gpu_free(&all.memory[i]), "free");
    need(tsr_gpu_cache_free(&all.cache), "free");
    return !tsr_gpu_ok(tsr_gpu_close(&all.device));
}

/** GPUs for tests of redistributions: the machine's, or those of fake_gpus.c; parts in their memory. */
#ifndef TESTS_DIST_GPU_RANKS_H
#define TESTS_DIST_GPU_RANKS_H

#include <dlfcn.h>

#include "fake_gpus.h"
#include "random_terms.h"
#include "tessera/mesh/nccl.h"

enum { MOST_GPUS = 8, MOST_RANKS = 64 };

typedef struct gpu_ranks {
    tsr_gpu gpu;
    tsr_gpu_device device[MOST_GPUS];
    tsr_gpu_stream stream[MOST_RANKS];
    tsr_gpu_cache cache;
    int devices;
    fake_gpus_state *fake; /* NULL: GPUs are true */
} gpu_ranks;

static char gpu_words[512];

/** Was it done? Else what CUDA says is printed. */
static inline bool gpu_done(tsr_gpu_result r)
{
    if (!tsr_gpu_ok(r)) {
        tsr_format_gpu_result(gpu_words, sizeof gpu_words, r);
        printf("%s\n", gpu_words);
    }
    return tsr_gpu_ok(r);
}

/** Opens all GPUs, or those of a library. False: there is none. */
static inline bool gpu_begin(gpu_ranks *g, char const *fake)
{
    int count = 0;
    memset(g, 0, sizeof *g);
    void *const library = fake ? dlopen(fake, RTLD_NOW) : NULL;
    g->fake = library ? (fake_gpus_state *)dlsym(library, "fake_gpus") : NULL;
    if (fake && !g->fake)
        return printf("%s\n", dlerror()) < 0;
    g->cache.folder = fake ? "" : NULL;
    if (!gpu_done(tsr_gpu_find_driver(&g->gpu, fake)) || !gpu_done(tsr_gpu_find_compiler(&g->gpu, fake))
        || !gpu_done(tsr_gpu_count(&g->gpu, &count)))
        return false;
    for (; g->devices < count && g->devices < MOST_GPUS; ++g->devices)
        if (!gpu_done(tsr_gpu_open(&g->gpu, g->devices, &g->device[g->devices])))
            return false;
    for (int r = 0; r < MOST_RANKS && g->devices > 0; ++r)
        if (!gpu_done(tsr_gpu_stream_make(&g->device[r % g->devices], &g->stream[r])))
            return false;
    return g->devices > 0;
}

static inline void gpu_end(gpu_ranks *g)
{
    for (int r = 0; r < MOST_RANKS; ++r)
        (void)tsr_gpu_stream_free(&g->stream[r]);
    (void)tsr_gpu_cache_free(&g->cache);
    for (int i = 0; i < g->devices; ++i)
        (void)tsr_gpu_close(&g->device[i]);
    tsr_gpu_forget(&g->gpu);
}

/** Random terms. On true GPUs, where each form of a kernel takes 0.3 s to compile, there are two kinds of them. */
static inline tsr_dist_terms gpu_terms(gpu_ranks const *g)
{
    tsr_dist_terms const updates = {TSR_F32, TSR_F32, tsr_number_int(2), tsr_number_int(1)};
    if (!g->fake)
        return noise(16) ? tsr_dist_terms_of(TSR_I32) : updates;
    return noise(2) ? tsr_dist_terms_of(random_type()) : random_terms();
}

/** A part on a GPU and here. */
typedef struct gpu_part {
    tsr_gpu_memory there;
    uint64_t address; /* its first element; 0: it has none */
    void *here;
    size_t bytes, at; /* of its memory */
} gpu_part;

static bool gpu_even; /* parts begin at multiples of 256 bytes, and not at odd places */

/** Frees what it is given, unless it becomes the part. */
static inline bool gpu_put(tsr_gpu_device const *d, gpu_part *p, void *here, int64_t span, tsr_dtype type)
{
    memset(p, 0, sizeof *p);
    p->here = here;
    size_t const one = (size_t)tsr_dtype_bits(type) / 8;
    p->bytes = (size_t)span * one;
    p->at = gpu_even || noise(4) ? 0 : (size_t)noise(16) * one;
    if (!here)
        return true;
    bool const ok = gpu_done(tsr_gpu_alloc(d, p->at + p->bytes, &p->there))
                    && gpu_done(tsr_gpu_write(&p->there, p->at, here, p->bytes, NULL));
    p->address = ok ? p->there.address + p->at : 0;
    return ok;
}

static inline bool gpu_get(gpu_part *p)
{
    return !p->here || gpu_done(tsr_gpu_read(&p->there, p->at, p->here, p->bytes, NULL));
}

static inline void gpu_drop(gpu_part *p)
{
    (void)tsr_gpu_free(&p->there);
    free(p->here);
}

/** The old and the new part of a rank of a pair. */
static inline bool gpu_parts(tsr_gpu_device const *d, pair const *p, int64_t rank, tsr_dist_terms const *t,
                             gpu_part part[2])
{
    tsr_dist_part of[2];
    (void)tsr_dist_part_of(&p->from, rank, &of[0]);
    (void)tsr_dist_part_of(&p->to, rank, &of[1]);
    void *const old = typed(memory_of(&p->from, rank, 100 * addend_of(&p->from, rank), true), of[0].span, t->from);
    void *const new_ = typed(memory_of(&p->to, rank, 0, false), of[1].span, t->to);
    bool const ok = gpu_put(d, &part[0], old, of[0].span, t->from);
    return gpu_put(d, &part[1], new_, of[1].span, t->to) && ok;
}

#endif

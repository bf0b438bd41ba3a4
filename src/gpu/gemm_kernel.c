/** The kernels of products, found by numbers. A plan with a known kernel writes no source and asks the driver nothing.
 */
#include "gpu/call.h"
#include "gpu/compile.h"
#include "gpu/gemm.h"
#include "gpu/text.h"

#include <stdio.h>
#include <stdlib.h>

enum { NUMBERS = 9 };

/** A kernel on a device, and what it was compiled for. */
struct tsr_gpu_multiplier {
    gpu_gemm_form form;
    int32_t number[NUMBERS];
    tsr_gpu_kernel kernel;
    bool prepared; /* the driver was asked for its shared memory and its clusters */
    tsr_gpu_multiplier *next;
};

static char const *const headers[] = {
    "tessera/cuda/hopper_gemm", "gpu/kernels/hopper_groups", "gpu/kernels/hopper_groups", "gpu/kernels/gemm_any",
    "gpu/kernels/gemm_async",   "gpu/kernels/hopper_pixels", "tessera/cuda/umma_gemm"};

void tsr_gpu_multipliers_free_(tsr_gpu_cache *cache)
{
    while (cache->multipliers) {
        tsr_gpu_multiplier *const m = cache->multipliers;
        cache->multipliers = m->next;
        free(m);
    }
}

/** The kernel as an expression of C++. */
static void format_name(char *name, size_t size, gpu_gemm_form form, int32_t const n[NUMBERS])
{
    static char const *const names[] = {"gemm", "gemm_groups", "list_rows", "", "", "pixels", ""};
    char dims[8] = "";
    if (form == GPU_LOOPS || form == GPU_COPIES) {
        snprintf(name, size, "tsr_gemm_by_%s<%d, %d, %d, %d, %d, %d, %d>", form == GPU_COPIES ? "copies" : "loops",
                 n[0], n[1], n[2], n[3], n[4], n[5], n[6]);
    } else if (form == GPU_UMMA) {
        snprintf(name, size, "tsr_umma_gemm<tsr_umma_plan<%d, %d, %d, %d>, tsr_gemm_epilogue<%d, %d, %d> >", n[0],
                 n[1], n[4], n[5], n[2], n[6], n[7]);
    } else {
        bool const scaled = (n[5] & TSR_HOPPER_SCALES) != 0;
        if (form == GPU_IMAGE)
            snprintf(dims, sizeof dims, "%d, ", n[8] % 10);
        snprintf(name, size,
                 "tsr_hopper_%s<tsr_hopper_plan<%d, %d, %d, %d, %d, %d>, %s%stsr_gemm_epilogue<%d, %d, %d> %s>",
                 names[form], n[0], n[1], n[2], n[3], n[4], n[5], dims, scaled ? "tsr_gemm_scaled<" : "", n[2], n[6],
                 n[7], scaled ? "> " : "");
    }
}

/** The kernel of a form, compiled or from the cache, with the layouts of its tile as constants. */
static tsr_gpu_result compile(tsr_gpu_cache *cache, tsr_gpu_device const *device, gpu_gemm_form form,
                              int32_t const n[NUMBERS], tsr_gpu_log const *log, tsr_gpu_kernel *kernel)
{
    char line[64], name[256];
    char const *const names[] = {name};
    gpu_text text = {0};
    snprintf(line, sizeof line, "#include <%s.cuh>\n", headers[form]);
    format_name(name, sizeof name, form, n);
    tsr_gpu_put_string_(&text, line);
    if (form != GPU_LOOPS && form != GPU_COPIES && form != GPU_UMMA)
        tsr_gpu_put_hopper_parts_(&text, (tsr_dtype)n[0], (tsr_dtype)n[1], (tsr_dtype)n[2], n[3], n[4], n[5]);
    tsr_gpu_source const source = {.text = text.data, .kernels = names, .kernel_count = 1};
    tsr_gpu_result const r = text.full ? tsr_gpu_refuse_(TSR_GPU_OUT_OF_MEMORY, (int64_t)text.length, 0, 0)
                                       : tsr_gpu_specialise(cache, device, &source, log, kernel);
    tsr_gpu_text_free_(&text);
    return r;
}

static tsr_gpu_result find(tsr_gpu_cache *cache, tsr_gpu_device const *device, gpu_gemm_form form,
                           int32_t const number[NUMBERS], tsr_gpu_log const *log, tsr_gpu_multiplier **found)
{
    for (tsr_gpu_multiplier *m = cache->multipliers; m; m = m->next)
        if (m->form == form && memcmp(m->number, number, sizeof m->number) == 0
            && m->kernel.device->gpu == device->gpu && m->kernel.device->context == device->context) {
            *found = m;
            return tsr_gpu_fine_();
        }
    tsr_gpu_multiplier *const m = (tsr_gpu_multiplier *)calloc(1, sizeof *m);
    if (!m)
        return tsr_gpu_refuse_(TSR_GPU_OUT_OF_MEMORY, (int64_t)sizeof *m, 0, 0);
    tsr_gpu_result const r = compile(cache, device, form, number, log, &m->kernel);
    if (!tsr_gpu_ok(r)) {
        free(m);
        return r;
    }
    m->form = form;
    memcpy(m->number, number, sizeof m->number);
    m->next = cache->multipliers;
    cache->multipliers = *found = m;
    return r;
}

bool tsr_gpu_next_compiled_(gpu_work const *work, tsr_hopper_tile const *tile, tsr_gpu_multiplier const **at,
                            tsr_hopper_tile *next)
{
    int const free = TSR_HOPPER_TURNS | TSR_HOPPER_PAIRS;
    tsr_gpu_multiplier const *m = *at ? (*at)->next : work->compiled.cache->multipliers;
    int32_t number[NUMBERS] = {
        tile->a,     tile->b,   tile->d, 0, 0, tile->flags & ~free, work->like->product.bias.engine.type,
        work->parts, work->dims};
    for (; m; m = m->next) {
        number[3] = next->m = m->number[3];
        number[4] = next->n = m->number[4];
        next->flags = m->number[5];
        number[5] = (tile->flags & ~free) | (next->flags & free);
        if (m->form == work->form && memcmp(m->number, number, sizeof number) == 0
            && m->kernel.device->gpu == work->device->gpu && m->kernel.device->context == work->device->context)
            break;
    }
    *at = m;
    return m != NULL;
}

tsr_gpu_result tsr_gpu_hopper_kernel_(tsr_gpu_planned_gemm const *g, tsr_gpu_cache *cache, gpu_gemm_form form,
                                      tsr_dtype bias, tsr_gpu_log const *log, tsr_gpu_multiplier **kernel)
{
    tsr_hopper_tile const *const t = &g->tile;
    int32_t const number[NUMBERS] = {t->a, t->b, t->d, t->m, t->n, t->flags, bias, g->parts, g->pixels.dims};
    return find(cache, g->device, form, number, log, kernel);
}

tsr_gpu_result tsr_gpu_loops_kernel_(tsr_gpu_planned_gemm const *g, tsr_gpu_cache *cache, tsr_product_ const *x,
                                     tsr_gpu_log const *log, tsr_gpu_multiplier **kernel)
{
    bool const copied = (g->access & TSR_ANY_COPIED) == TSR_ANY_COPIED;
    int32_t const number[NUMBERS] = {x->a.engine.type,
                                     x->b.engine.type,
                                     x->c.engine.type,
                                     x->bias.engine.type,
                                     g->parts,
                                     g->tile.m / 16,
                                     g->access,
                                     0,
                                     0};
    return find(cache, g->device, copied ? GPU_COPIES : GPU_LOOPS, number, log, kernel);
}

tsr_gpu_kernel const *tsr_gpu_kernel_of_(tsr_gpu_multiplier const *kernel) { return &kernel->kernel; }

tsr_gpu_result tsr_gpu_prepare_multiplier_(tsr_gpu_multiplier *kernel, tsr_gpu_launch const *launch,
                                           tsr_gpu_argument const *arguments, int count)
{
    if (kernel->prepared)
        return tsr_gpu_check(&kernel->kernel, launch, arguments, count);
    tsr_gpu_result const r = tsr_gpu_prepare_(&kernel->kernel, launch, arguments, count);
    kernel->prepared = tsr_gpu_ok(r);
    return r;
}

/** Plans on the driver of tests/gpu/fake.c, which runs nothing. */
#include "plan_of.h"

#include "../gpu/faked.h"
#include "gpu/gemm.h"

static void take(tsr_gpu_planned_gemm const *g, plan_of_product *x)
{
    x->grid = g->launch.grid[0];
    x->cluster = g->launch.cluster[0];
    x->threads = g->launch.block[0];
    x->shared = g->launch.shared;
    x->a = g->tile.a;
    x->b = g->tile.b;
    x->d = g->tile.d;
    x->n = g->tile.n;
    x->flags = g->tile.flags & ~TSR_HOPPER_D_ANY;
    memcpy(x->shape, &g->shape, sizeof x->shape);
    memcpy(x->epilogue, &g->epilogue, sizeof x->epilogue);
}

bool plan_of_umma(char const *path, int processors, tsr_tensor a, tsr_tensor b, tsr_tensor c, double alpha,
                  double beta, plan_of_product *x, char *text, size_t size)
{
    tsr_gpu gpu = {0};
    tsr_gpu_device d = {0};
    tsr_gpu_cache cache = {0};
    tsr_gpu_planned_gemm *plan = NULL;
    tsr_gemm_problem p;
    gpu_choice choice;
    tsr_tma_desc desc[3];
    tsr_gpu_log const log = {text, size};
    tsr_gpu_gemm_options const options = {.not_run_on_silicon = true};
    tsr_epilogue const e = tsr_make_epilogue(alpha, beta);
    void *library = NULL;
    if (!load_fake(path, &library))
        return false;
    fake->major = 10;
    fake->attribute = 1; /* kernels of products have no shared memory of their own */
    find_fake(&gpu, path);
    bool good = tsr_gpu_ok(tsr_gpu_open(&gpu, 0, &d));
    gpu.cuFuncGetParamInfo = NULL;
    d.processors = processors;
    good = good && tsr_gpu_ok(tsr_gpu_gemm_plan_with(&cache, &d, NULL, a, b, c, &e, &options, &log, &plan))
           && plan->by_umma && tsr_gpu_ok(tsr_gpu_plan_loops_(&d, a, b, c, &e, 0, &log, &p))
           && !tsr_gpu_cut_umma_(&d, &p, &choice, desc).status;
    if (plan)
        tsr_format_gpu_gemm(text, size, plan);
    if (good) {
        take(plan, x);
        memcpy(x->desc, desc, sizeof x->desc);
        good = desc[0].address == plan->place[0] && desc[1].address == plan->place[1];
    }
    (void)tsr_gpu_gemm_free(&plan);
    tsr_gpu_cache_free(&cache);
    (void)tsr_gpu_close(&d);
    tsr_gpu_forget(&gpu);
    reset();
    dlclose(library);
    return good;
}

/** Products with a measured plan: the model proposes a few plans, and the fastest is kept. */
#include "gpu/call.h"
#include "gpu/gemm.h"

/** Milliseconds of a plan, behind a run that nobody measures. */
static tsr_gpu_result measure(tsr_gpu_planned_gemm const *plan, tsr_gpu_event const event[2],
                              tsr_gpu_stream const *stream, float *milliseconds)
{
    enum { RUNS = 4 };
    tsr_gpu_result r = tsr_gpu_gemm_run(plan, stream);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_event_record(&event[0], stream);
    for (int i = 0; i < RUNS && tsr_gpu_ok(r); ++i)
        r = tsr_gpu_gemm_run(plan, stream);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_event_record(&event[1], stream);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_event_wait(&event[1]);
    return tsr_gpu_ok(r) ? tsr_gpu_event_elapsed(&event[0], &event[1], milliseconds) : r;
}

/** The faster one of *best, which took `least`, and the plan of the next rank. `more`: there may be others. */
static tsr_gpu_result try_next(gpu_gemm_request const *x, int rank, tsr_gpu_event const event[2],
                               tsr_gpu_stream const *stream, tsr_gpu_planned_gemm **best, float *least, bool *more)
{
    tsr_gpu_planned_gemm *next = NULL;
    float took = 0;
    tsr_gpu_result r = tsr_gpu_plan_ranked_(x, rank, &next);
    *more = tsr_gpu_ok(r) && next->by_tma;
    if (tsr_gpu_ok(r) && (*more || rank == 0))
        r = measure(next, event, stream, &took);
    bool const wins = tsr_gpu_ok(r) && (rank == 0 || (*more && took < *least));
    if (wins) {
        tsr_gpu_planned_gemm *const swap = *best;
        *best = next;
        next = swap;
        *least = took;
    }
    tsr_gpu_result const freed = tsr_gpu_gemm_free(&next);
    return tsr_gpu_ok(r) ? freed : r;
}

tsr_gpu_result tsr_gpu_gemm_tune(tsr_gpu_cache *cache, tsr_gpu_device const *device, char const *text, tsr_tensor a,
                                 tsr_tensor b, tsr_tensor c, tsr_epilogue const *epilogue, int tries,
                                 tsr_gpu_stream const *stream, tsr_gpu_log const *log, tsr_gpu_planned_gemm **plan)
{
    gpu_gemm_request const x = {cache, device, text, a, b, c, epilogue, log, false, 1};
    tsr_gpu_event event[2] = {{0}};
    float least = 0;
    *plan = NULL;
    if (!epilogue || epilogue->beta != 0 || tries < 2)
        return tsr_gpu_plan_ranked_(&x, 0, plan);
    bool more = true;
    tsr_gpu_result r = tsr_gpu_event_make(device, &event[0]);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_event_make(device, &event[1]);
    for (int rank = 0; rank < tries && more && tsr_gpu_ok(r); ++rank)
        r = try_next(&x, rank, event, stream, plan, &least, &more);
    for (int i = 0; i < 4; ++i) { /* twice, for nobody else could give them back */
        tsr_gpu_result const freed = tsr_gpu_event_free(&event[i % 2]);
        r = tsr_gpu_ok(r) ? freed : r;
    }
    if (!tsr_gpu_ok(r))
        (void)tsr_gpu_gemm_free(plan);
    return r;
}

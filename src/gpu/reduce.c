/** Reductions in the memory of a device: the kernels of a plan, and their launches. */
#include "gpu/reduce.h"
#include "gpu/call.h"
#include "gpu/compile.h"
#include "gpu/forms.h"
#include "tessera/text.h"

#include <stdio.h>
#include <stdlib.h>

static char const text_of_kernel[] = TSR_KNOWN_FORM_
    "#include <gpu/kernels/reduce_form.h>\n"
    "static constexpr tsr_reduction_form f = {%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d};\n"
    "#include <gpu/kernels/reduce.h>\n"
    "extern \"C\" __global__ __launch_bounds__(TSR_REDUCTION_THREADS) void reduce(__grid_constant__ tsr_reduction "
    "const r, uint64_t from, uint64_t to, uint64_t by)\n"
    "{\n"
    "    tsr_reduction_kernel_(f, &r, from, to, by);\n"
    "}\n";

tsr_gpu_launch tsr_gpu_reduce_launch_(gpu_reduce_stage const *s, tsr_gpu_stream const *stream)
{
    return (tsr_gpu_launch){.grid = {(unsigned)s->blocks, (unsigned)s->parts},
                            .block = {TSR_REDUCTION_THREADS},
                            .shared = s->shared,
                            .stream = stream,
                            .early = s->kernel.device->major >= GPU_WAITING};
}

/** Launches a stage, or checks that it can be. */
static tsr_gpu_result launch(gpu_reduce_stage const *s, uint64_t from, uint64_t by, uint64_t to,
                             tsr_gpu_stream const *stream, bool launches)
{
    tsr_gpu_launch const how = tsr_gpu_reduce_launch_(s, stream);
    tsr_gpu_argument const argument[] = {TSR_GPU_ARGUMENT(s->numbers), TSR_GPU_ARGUMENT(from), TSR_GPU_ARGUMENT(to),
                                         TSR_GPU_ARGUMENT(by)};
    return (launches ? tsr_gpu_run_prepared_ : tsr_gpu_prepare_)(&s->kernel, &how, argument, 4);
}

/** Finds or compiles the kernel of a stage. */
static tsr_gpu_result find_kernel(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_gpu_log const *log,
                                  gpu_reduce_stage *s)
{
    char text[sizeof text_of_kernel + 160];
    char const *const kernels[] = {"reduce"};
    tsr_gpu_source const source = {.text = text, .kernels = kernels, .kernel_count = 1};
    tsr_reduction_form *const f = &s->form;
    bool const fp8 = f->from_type == TSR_F8_E4M3FN || f->by_type == TSR_F8_E4M3FN || f->to_type == TSR_F8_E4M3FN
                     || f->to_type == TSR_F8_E5M2;
    f->fp8 = fp8 && device->major * 10 + device->minor >= 89;
    snprintf(text, sizeof text, text_of_kernel, f->op, f->across, f->items, f->single, f->wide, f->fp8, f->swizzled,
             f->by, f->from_item, f->to_item, f->by_item, f->work, f->from_type, f->to_type, f->by_type);
    tsr_gpu_result const r = tsr_gpu_specialise(cache, device, &source, log, &s->kernel);
    return tsr_gpu_ok(r) ? launch(s, 0, 0, 0, NULL, false) : r;
}

/** The kernels of a plan whose stages are known, and its memory. */
static tsr_gpu_result complete(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_gpu_log const *log,
                               tsr_gpu_planned_reduce *plan)
{
    tsr_gpu_result r = tsr_gpu_fine_();
    plan->device = device;
    for (int i = 0; i < plan->stages && tsr_gpu_ok(r); ++i)
        r = find_kernel(cache, device, log, &plan->stage[i]);
    return tsr_gpu_ok(r) && plan->stages > 1 ? tsr_gpu_take_scratch_(cache, device, 0, plan->bytes, &plan->scratch)
                                             : r;
}

static tsr_gpu_result make(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_reducer op, tsr_tensor from,
                           tsr_tensor to, tsr_gpu_log const *log, tsr_gpu_planned_reduce *plan)
{
    char words[TSR_TEXT_SIZE];
    tsr_gpu_result r = cache ? tsr_gpu_usable_(device) : tsr_gpu_not_there_("cache");
    if (!tsr_gpu_ok(r))
        return r;
    tsr_reason const why = tsr_gpu_plan_reduce_(op, from, to, device->processors, plan);
    if (why.status) {
        tsr_format_reason(words, sizeof words, why);
        tsr_gpu_log_(log, words);
        return tsr_gpu_forbid_(TSR_GPU_TENSORS, why, 0);
    }
    return complete(cache, device, log, plan);
}

tsr_gpu_result tsr_gpu_reduce_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_reducer op,
                                   tsr_tensor from, tsr_tensor to, tsr_gpu_log const *log,
                                   tsr_gpu_planned_reduce **plan)
{
    tsr_gpu_log_(log, "");
    *plan = (tsr_gpu_planned_reduce *)calloc(1, sizeof **plan);
    if (!*plan)
        return tsr_gpu_refuse_(TSR_GPU_OUT_OF_MEMORY, (int64_t)sizeof **plan, 0, 0);
    tsr_gpu_result const r = make(cache, device, op, from, to, log, *plan);
    if (!tsr_gpu_ok(r))
        (void)tsr_gpu_reduce_free(plan);
    return r;
}

tsr_gpu_result tsr_gpu_dots_plan_(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_gemm_problem const *p,
                                  tsr_gpu_log const *log, tsr_gpu_planned_reduce **plan)
{
    *plan = (tsr_gpu_planned_reduce *)calloc(1, sizeof **plan);
    if (!*plan)
        return tsr_gpu_refuse_(TSR_GPU_OUT_OF_MEMORY, (int64_t)sizeof **plan, 0, 0);
    tsr_gpu_plan_dots_(p, device->processors, *plan);
    tsr_gpu_result const r = complete(cache, device, log, *plan);
    if (!tsr_gpu_ok(r))
        (void)tsr_gpu_reduce_free(plan);
    return r;
}

tsr_gpu_result tsr_gpu_reduce_run(tsr_gpu_planned_reduce const *plan, uint64_t from, uint64_t to,
                                  tsr_gpu_stream const *stream)
{
    return tsr_gpu_dots_run_(plan, from, 0, to, stream);
}

tsr_gpu_result tsr_gpu_dots_run_(tsr_gpu_planned_reduce const *plan, uint64_t from, uint64_t by, uint64_t to,
                                 tsr_gpu_stream const *stream)
{
    enum { GRAIN = 16 };
    if (!plan || !plan->device)
        return tsr_gpu_not_there_("reduction");
    if ((from - plan->from) % GRAIN != 0)
        return tsr_gpu_refuse_(TSR_GPU_MOVED, (int64_t)from, (int64_t)plan->from, GRAIN);
    if ((by - plan->by) % GRAIN != 0)
        return tsr_gpu_refuse_(TSR_GPU_MOVED, (int64_t)by, (int64_t)plan->by, GRAIN);
    if ((to - plan->to) % GRAIN != 0)
        return tsr_gpu_refuse_(TSR_GPU_MOVED, (int64_t)to, (int64_t)plan->to, GRAIN);
    gpu_reduce_stage first = plan->stage[0], last = plan->stage[plan->stages - 1];
    gpu_reduce_stage *const writes = plan->stages > 1 ? &last : &first;
    first.numbers.from += plan->from_absolute ? (int64_t)(from - plan->from) : 0;
    writes->numbers.to += plan->to_absolute ? (int64_t)(to - plan->to) : 0;
    from = plan->from_absolute ? 0 : from;
    to = plan->to_absolute ? 0 : to;
    tsr_gpu_result const r = launch(&first, from, by, plan->stages > 1 ? plan->scratch.address : to, stream, true);
    return tsr_gpu_ok(r) && plan->stages > 1 ? launch(&last, plan->scratch.address, 0, to, stream, true) : r;
}

tsr_gpu_result tsr_gpu_reduce_free(tsr_gpu_planned_reduce **plan)
{
    tsr_gpu_planned_reduce *const p = *plan;
    tsr_gpu_result r = tsr_gpu_fine_();
    if (!p)
        return r;
    r = tsr_gpu_give_scratch_(&p->scratch);
    p->device = NULL; /* what stays does not run */
    if (tsr_gpu_ok(r)) {
        free(p);
        *plan = NULL;
    }
    return r;
}

size_t tsr_gpu_reduce_memory(tsr_gpu_planned_reduce const *plan) { return plan ? plan->scratch.bytes : 0; }

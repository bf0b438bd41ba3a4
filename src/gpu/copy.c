/** Copies between tensors of a device: the kernel of a plan, and its launch. */
#include "gpu/copy_plan.h"
#include "gpu/call.h"
#include "gpu/compile.h"
#include "gpu/forms.h"

#include <stdlib.h>

tsr_tensor tsr_gpu_tensor_at(tsr_gpu_memory const *memory, size_t at, tsr_dtype type, tsr_layout layout)
{
    tsr_engine e = tsr_gmem_ptr(tsr_int((int64_t)(memory->address + at)), type);
    e.begin = memory->address;
    e.end = memory->address + memory->bytes;
    return tsr_make_tensor_of(e, layout);
}

static size_t write_form(char *out, size_t size, void const *form)
{
    return tsr_gpu_format_relayout_(out, size, *(tsr_relayout_form const *)form);
}

/** Checks the launch of a plan's kernel, or does it, with these numbers at these addresses. */
static tsr_gpu_result launch(tsr_gpu_planned_copy const *plan, tsr_relayout const *numbers, uint64_t from,
                             uint64_t to, tsr_gpu_stream const *stream, bool launches)
{
    tsr_tensor s, d;
    tsr_relayout r;
    tsr_gpu_launch const how = {.grid = {(unsigned)plan->blocks},
                                .block = {TSR_RELAYOUT_THREADS},
                                .shared = (unsigned)plan->shared,
                                .stream = stream,
                                .early = plan->kernel.device->major >= GPU_WAITING};
    tsr_gpu_argument argument[] = {TSR_GPU_ARGUMENT(*numbers), TSR_GPU_ARGUMENT(from), TSR_GPU_ARGUMENT(to)};
    if (plan->form.kind == TSR_RELAYOUT_ELEMENTS) {
        s = plan->from;
        d = plan->to;
        s.engine.address = from;
        d.engine.address = to;
        argument[1] = (tsr_gpu_argument)TSR_GPU_ARGUMENT(s);
        argument[2] = (tsr_gpu_argument)TSR_GPU_ARGUMENT(d);
    }
    bool const from_moves = plan->from.engine.swizzle.bits > 0, to_moves = plan->to.engine.swizzle.bits > 0;
    if (plan->form.kind != TSR_RELAYOUT_ELEMENTS && (from_moves || to_moves)) {
        r = *numbers; /* such an address is a part of what the swizzle moves */
        r.from += from_moves ? (int64_t)(from - plan->from.engine.address) : 0;
        r.to += to_moves ? (int64_t)(to - plan->to.engine.address) : 0;
        from = from_moves ? 0 : from;
        to = to_moves ? 0 : to;
        argument[0] = (tsr_gpu_argument)TSR_GPU_ARGUMENT(r);
    }
    return (launches ? tsr_gpu_run_prepared_ : tsr_gpu_prepare_)(&plan->kernel, &how, argument, 3);
}

tsr_gpu_result tsr_gpu_copy_make_(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_number const *alpha,
                                  tsr_tensor from, tsr_number const *beta, tsr_tensor to,
                                  gpu_copy_wishes const *wishes, tsr_gpu_log const *log, tsr_gpu_planned_copy *plan)
{
    tsr_gpu_result r = tsr_gpu_plan_copy_(alpha, from, beta, to, wishes, log, plan);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_usable_(device);
    plan->kernel.device = device;
    if (tsr_gpu_ok(r)) {
        tsr_relayout_form *const f = &plan->form;
        bool const fp8 = f->from_type == TSR_F8_E4M3FN || f->to_type == TSR_F8_E4M3FN || f->to_type == TSR_F8_E5M2;
        f->fp8 = fp8 && device->major * 10 + device->minor >= 89;
    }
    if (tsr_gpu_ok(r) && plan->form.kind != TSR_RELAYOUT_RUN)
        r = !cache ? tsr_gpu_not_there_("cache")
                   : tsr_gpu_form_kernel_(cache, device, "relayout", &plan->form, sizeof plan->form, write_form, log,
                                          &plan->kernel);
    return tsr_gpu_ok(r) && plan->kernel.handle
               ? launch(plan, &plan->numbers, from.engine.address, to.engine.address, NULL, false)
               : r;
}

tsr_gpu_result tsr_gpu_copy_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_number const *alpha,
                                 tsr_tensor from, tsr_number const *beta, tsr_tensor to, tsr_gpu_log const *log,
                                 tsr_gpu_planned_copy **plan)
{
    gpu_copy_wishes const none = {0};
    tsr_gpu_planned_copy *const p = *plan = (tsr_gpu_planned_copy *)calloc(1, sizeof *p);
    tsr_gpu_log_(log, "");
    if (!p)
        return tsr_gpu_refuse_(TSR_GPU_OUT_OF_MEMORY, (int64_t)sizeof *p, 0, 0);
    tsr_gpu_result const r = cache || device ? tsr_gpu_copy_make_(cache, device, alpha, from, beta, to, &none, log, p)
                                             : tsr_gpu_plan_copy_(alpha, from, beta, to, &none, log, p);
    if (!tsr_gpu_ok(r))
        tsr_gpu_copy_free(plan);
    return r;
}

void tsr_gpu_copy_free(tsr_gpu_planned_copy **plan)
{
    free(*plan);
    *plan = NULL;
}

tsr_gpu_kernel const *tsr_gpu_copy_kernel(tsr_gpu_planned_copy const *plan)
{
    return plan && plan->kernel.handle ? &plan->kernel : NULL;
}

/** Whether a plan serves another address, too; grains are powers of two. */
static bool is_place(uint64_t address, tsr_tensor const *planned, int64_t grain)
{
    return (address - planned->engine.address) % (uint64_t)grain == 0;
}

static tsr_gpu_result refuse_place(uint64_t address, tsr_tensor const *planned, int64_t grain)
{
    return tsr_gpu_refuse_(TSR_GPU_MOVED, (int64_t)address, (int64_t)planned->engine.address, grain);
}

/** The bytes of a run. */
static tsr_gpu_result run_bytes(tsr_gpu_planned_copy const *p, uint64_t from, uint64_t to,
                                tsr_gpu_stream const *stream)
{
    tsr_gpu_device const *const d = p->kernel.device;
    tsr_gpu_result const r = stream && !stream->handle ? tsr_gpu_not_there_("stream") : tsr_gpu_enter_(d);
    if (!tsr_gpu_ok(r))
        return r;
    return tsr_gpu_leave_(d, DRIVER(d->gpu, cuMemcpyDtoDAsync,
                                    (to + (uint64_t)p->numbers.to, from + (uint64_t)p->numbers.from,
                                     (size_t)p->numbers.run, stream ? stream->handle : NULL)));
}

/** Runs a plan with its own numbers or with others. */
static tsr_gpu_result run(tsr_gpu_planned_copy const *plan, tsr_relayout const *numbers, uint64_t from, uint64_t to,
                          tsr_gpu_stream const *stream)
{
    if (!is_place(from, &plan->from, plan->from_grain))
        return refuse_place(from, &plan->from, plan->from_grain);
    if (!is_place(to, &plan->to, plan->to_grain))
        return refuse_place(to, &plan->to, plan->to_grain);
    return plan->form.kind == TSR_RELAYOUT_RUN ? run_bytes(plan, from, to, stream)
                                               : launch(plan, numbers, from, to, stream, true);
}

tsr_gpu_result tsr_gpu_copy_run(tsr_gpu_planned_copy const *plan, uint64_t from, uint64_t to,
                                tsr_gpu_stream const *stream)
{
    return plan && plan->kernel.device ? run(plan, &plan->numbers, from, to, stream) : tsr_gpu_not_there_("plan");
}

tsr_gpu_result tsr_gpu_copy_run_with(tsr_gpu_planned_copy const *plan, tsr_number alpha, uint64_t from,
                                     tsr_number beta, uint64_t to, tsr_gpu_stream const *stream)
{
    tsr_relayout numbers;
    if (!plan || !plan->kernel.device)
        return tsr_gpu_not_there_("plan");
    numbers = plan->numbers;
    tsr_gpu_result const r = tsr_gpu_renumber_copy_(plan, alpha, beta, &numbers);
    return tsr_gpu_ok(r) ? run(plan, &numbers, from, to, stream) : r;
}

static tsr_gpu_result make_and_run(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_number const *alpha,
                                   tsr_tensor from, tsr_number const *beta, tsr_tensor to,
                                   tsr_gpu_stream const *stream, tsr_gpu_log const *log)
{
    tsr_gpu_planned_copy plan;
    gpu_copy_wishes const none = {0};
    tsr_gpu_result const r = tsr_gpu_copy_make_(cache, device, alpha, from, beta, to, &none, log, &plan);
    return tsr_gpu_ok(r) ? tsr_gpu_copy_run(&plan, from.engine.address, to.engine.address, stream) : r;
}

tsr_gpu_result tsr_gpu_copy(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_tensor from, tsr_tensor to,
                            tsr_gpu_stream const *stream, tsr_gpu_log const *log)
{
    return make_and_run(cache, device, NULL, from, NULL, to, stream, log);
}

tsr_gpu_result tsr_gpu_axpby(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_number alpha, tsr_tensor from,
                             tsr_number beta, tsr_tensor to, tsr_gpu_stream const *stream, tsr_gpu_log const *log)
{
    return make_and_run(cache, device, &alpha, from, &beta, to, stream, log);
}

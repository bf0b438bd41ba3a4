/** Traces: launches in a row, recorded once and done again at other addresses. */
#include "tessera/gpu/trace.h"

#include <string.h>

#include "gpu/call.h"

/* Recording */

bool tsr_gpu_trace_begin(tsr_gpu_trace *t, uint64_t const *address, int arrays)
{
    if (arrays < 1 || arrays > TSR_GPU_KEY_ARRAYS)
        return false;
    memset(t, 0, sizeof *t);
    t->arrays = t->memories = arrays;
    memcpy(t->begin, address, (size_t)arrays * sizeof *address);
    return true;
}

int tsr_gpu_trace_memory(tsr_gpu_trace *t, uint64_t begin, uint64_t bytes)
{
    if (t->memories - t->arrays >= TSR_GPU_TRACE_BETWEEN || begin % TSR_GPU_KEY_ALIGNED != 0)
        return -1;
    t->begin[t->memories] = begin;
    t->size[t->memories] = bytes;
    return t->memories++;
}

/** The next step, with its places, of which one is written, and its numbers; NULL: it does not fit. */
static tsr_gpu_step *next_step(tsr_gpu_trace *t, tsr_gpu_step_kind kind, tsr_gpu_place const *at, int operands,
                               int written, tsr_gpu_factor const *number)
{
    bool fits = t->steps < TSR_GPU_TRACE_STEPS && operands <= TSR_GPU_TRACE_OPERANDS;
    for (int i = 0; i < operands && fits; ++i)
        fits = at[i].memory >= 0 && at[i].memory < t->memories;
    if (!fits)
        return NULL;
    tsr_gpu_step *const s = &t->step[t->steps++];
    s->kind = kind;
    s->operands = operands;
    memcpy(s->at, at, (size_t)operands * sizeof *at);
    for (int i = 0; i < 2 && number; ++i) {
        s->number[i] = number[i];
        s->renumbered = s->renumbered || number[i].slot >= 0;
    }
    if (at[written].memory < t->arrays)
        t->written |= 1u << at[written].memory;
    return s;
}

bool tsr_gpu_trace_copy(tsr_gpu_trace *t, tsr_gpu_place const at[2], tsr_gpu_factor const *number,
                        tsr_gpu_planned_copy **plan)
{
    tsr_gpu_step *const s = next_step(t, TSR_GPU_STEP_COPY, at, 2, 1, number);
    if (!s)
        return false;
    s->copy = *plan;
    *plan = NULL;
    return true;
}

bool tsr_gpu_trace_combine(tsr_gpu_trace *t, tsr_gpu_place const at[3], tsr_gpu_factor const *number,
                           tsr_gpu_planned_combine **plan)
{
    tsr_gpu_step *const s = next_step(t, TSR_GPU_STEP_COMBINE, at, 3, 2, number);
    if (!s)
        return false;
    s->combine = *plan;
    *plan = NULL;
    return true;
}

bool tsr_gpu_trace_gemm(tsr_gpu_trace *t, tsr_gpu_place const *at, int operands, tsr_gpu_factor const *number,
                        tsr_gpu_planned_gemm const *plan)
{
    tsr_gpu_step *const s = next_step(t, TSR_GPU_STEP_GEMM, at, operands, 2, number);
    if (s)
        s->product = plan;
    return s != NULL;
}

bool tsr_gpu_trace_reduce(tsr_gpu_trace *t, tsr_gpu_place const at[2], tsr_gpu_planned_reduce const *plan)
{
    tsr_gpu_step *const s = next_step(t, TSR_GPU_STEP_REDUCE, at, 2, 1, NULL);
    if (s)
        s->sum = plan;
    return s != NULL;
}

void tsr_gpu_trace_end(tsr_gpu_trace *t, int result)
{
    tsr_gpu_place now[TSR_GPU_TRACE_MEMORIES];
    for (int i = 0; i < t->memories; ++i) {
        uint64_t const whole = (t->size[i] + TSR_GPU_KEY_ALIGNED - 1) / TSR_GPU_KEY_ALIGNED * TSR_GPU_KEY_ALIGNED;
        bool const made = i == result && i >= t->arrays;
        now[i].memory = i < t->arrays ? i : t->arrays + made;
        now[i].offset = i < t->arrays || made ? 0 : t->bytes[0];
        if (i >= t->arrays)
            t->bytes[made] += made ? t->size[i] : whole;
    }
    for (int i = 0; i < t->steps; ++i)
        for (int k = 0; k < t->step[i].operands; ++k) {
            tsr_gpu_place *const at = &t->step[i].at[k];
            at->offset += now[at->memory].offset;
            at->memory = now[at->memory].memory;
        }
}

/* Replay */

static tsr_gpu_result run_step(tsr_gpu_step const *s, uint64_t const *at, tsr_gpu_stream const *on)
{
    return s->kind == TSR_GPU_STEP_COPY      ? tsr_gpu_copy_run(s->copy, at[0], at[1], on)
           : s->kind == TSR_GPU_STEP_COMBINE ? tsr_gpu_combine_run(s->combine, at[0], at[1], at[2], on)
           : s->kind == TSR_GPU_STEP_GEMM    ? tsr_gpu_gemm_run_at(s->product, at[0], at[1], at[2], at[3], on)
                                             : tsr_gpu_reduce_run(s->sum, at[0], at[1], on);
}

static tsr_gpu_result run_renumbered(tsr_gpu_step const *s, tsr_number const *number, uint64_t const *at,
                                     tsr_gpu_stream const *on)
{
    tsr_number n[2];
    for (int i = 0; i < 2; ++i)
        n[i] = s->number[i].slot >= 0 ? number[s->number[i].slot] : s->number[i].value;
    return s->kind == TSR_GPU_STEP_COPY ? tsr_gpu_copy_run_with(s->copy, n[0], at[0], n[1], at[1], on)
           : s->kind == TSR_GPU_STEP_COMBINE
               ? tsr_gpu_combine_run_with(s->combine, n[0], at[0], n[1], at[1], at[2], on)
               : tsr_gpu_gemm_run_with(s->product, tsr_number_to_double(n[0]), tsr_number_to_double(n[1]), at[0],
                                       at[1], at[2], at[3], on);
}

tsr_gpu_result tsr_gpu_trace_run(tsr_gpu_trace const *t, uint64_t const *address, uint64_t const at[2],
                                 tsr_number const *number, tsr_gpu_stream const *stream, int *ran)
{
    uint64_t base[TSR_GPU_KEY_ARRAYS + 2];
    tsr_gpu_result r = tsr_gpu_fine_();
    int i = 0;
    memcpy(base, address, (size_t)t->arrays * sizeof *address);
    base[t->arrays] = at ? at[0] : 0;
    base[t->arrays + 1] = at ? at[1] : 0;
    for (; i < t->steps && tsr_gpu_ok(r); ++i) {
        tsr_gpu_step const *const s = &t->step[i];
        uint64_t place[TSR_GPU_TRACE_OPERANDS] = {0};
        for (int k = 0; k < s->operands; ++k)
            place[k] = base[s->at[k].memory] + s->at[k].offset;
        r = s->renumbered ? run_renumbered(s, number, place, stream) : run_step(s, place, stream);
    }
    if (ran)
        *ran = tsr_gpu_ok(r) ? i : i - 1;
    return r;
}

void tsr_gpu_trace_free(tsr_gpu_trace *t)
{
    for (int i = 0; i < t->steps; ++i) {
        tsr_gpu_copy_free(&t->step[i].copy);
        tsr_gpu_combine_free(&t->step[i].combine);
    }
    t->steps = 0;
}

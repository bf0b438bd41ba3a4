/** Combinations of tensors of a device: the kernel of a plan, and its launch. */
#include "gpu/combine.h"
#include "gpu/call.h"
#include "gpu/compile.h"
#include "gpu/forms.h"
#include "gpu/text.h"
#include "tessera/text.h"

#include <stdio.h>
#include <stdlib.h>

static char const head[] = TSR_KNOWN_FORM_
    "#include <gpu/kernels/combine_form.h>\n"
    "static constexpr tsr_combine_form f = {%d,%d,%d,%d,%d,{%d,%d,%d},%d,{%d,%d},{%d,%d},"
    "%d,%d,%d,%d,%d,%d,%d,{%d,%d,%d}};\n"
    "#include <gpu/kernels/combine%s.h>\n"
    "extern \"C\" __global__ __launch_bounds__(TSR_COMBINE_THREADS) void combine(__grid_constant__ tsr_combination "
    "const r, ";

static char const items[] = "uint64_t x, uint64_t y, uint64_t z)\n"
                            "{\n"
                            "    tsr_combine_kernel_(f, &r, x, y, z);\n"
                            "}\n";

static char const elements[] = "__grid_constant__ tsr_tensor const x, __grid_constant__ tsr_tensor const y, "
                               "__grid_constant__ tsr_tensor const z)\n"
                               "{\n"
                               "    int64_t const i = blockIdx.x * (int64_t)TSR_COMBINE_THREADS + threadIdx.x;\n"
                               "    tsr_kernel_wait_();\n"
                               "    tsr_combine_element_(f, &r, &x, &y, &z, i);\n"
                               "}\n";

size_t tsr_gpu_format_combine_(char *out, size_t size, tsr_combine_form f)
{
    bool const each = f.kind == TSR_COMBINE_ELEMENTS;
    size_t const n =
        (size_t)snprintf(out, size, head, f.kind, f.op, f.in, f.alpha, f.beta, f.item[0], f.item[1], f.item[2],
                         f.items, f.way[0], f.way[1], f.load[0], f.load[1], f.parts, f.load_parts, f.batch, f.loops,
                         f.side, f.wide, f.fp8, f.type[0], f.type[1], f.type[2], each ? "_elements" : "");
    bool const fits = n < size;
    return n + (size_t)snprintf(fits ? out + n : NULL, fits ? size - n : 0, "%s", each ? elements : items);
}

tsr_gpu_launch tsr_gpu_combine_launch_(tsr_gpu_planned_combine const *plan, tsr_gpu_stream const *stream)
{
    return (tsr_gpu_launch){.grid = {(unsigned)plan->blocks},
                            .block = {TSR_COMBINE_THREADS},
                            .shared = (unsigned)plan->bytes,
                            .stream = stream,
                            .early = plan->kernel.device->major >= GPU_WAITING};
}

/** Checks the launch of a plan's kernel, or does it, with these numbers at these addresses. */
static tsr_gpu_result launch(tsr_gpu_planned_combine const *plan, tsr_combination const *numbers,
                             uint64_t const address[3], tsr_gpu_stream const *stream, bool launches)
{
    tsr_tensor t[3];
    tsr_gpu_launch const how = tsr_gpu_combine_launch_(plan, stream);
    tsr_gpu_argument argument[4] = {TSR_GPU_ARGUMENT(*numbers), TSR_GPU_ARGUMENT(address[0]),
                                    TSR_GPU_ARGUMENT(address[1]), TSR_GPU_ARGUMENT(address[2])};
    for (int i = 0; i < 3 && plan->form.kind == TSR_COMBINE_ELEMENTS; ++i) {
        t[i] = plan->side[i];
        t[i].engine.address = address[i];
        argument[1 + i] = (tsr_gpu_argument)TSR_GPU_ARGUMENT(t[i]);
    }
    return (launches ? tsr_gpu_run_prepared_ : tsr_gpu_prepare_)(&plan->kernel, &how, argument, 4);
}

static size_t write_form(char *out, size_t size, void const *form)
{
    return tsr_gpu_format_combine_(out, size, *(tsr_combine_form const *)form);
}

/** Finds or compiles the kernel of a plan. */
static tsr_gpu_result find_kernel(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_gpu_log const *log,
                                  tsr_gpu_planned_combine *plan)
{
    tsr_combine_form *const f = &plan->form;
    bool fp8 = false;
    for (int i = 0; i < 3; ++i)
        fp8 = fp8 || f->type[i] == TSR_F8_E4M3FN || (i == 2 && f->type[i] == TSR_F8_E5M2);
    f->fp8 = fp8 && device->major * 10 + device->minor >= 89;
    return tsr_gpu_form_kernel_(cache, device, "combine", f, sizeof *f, write_form, log, &plan->kernel);
}

static tsr_gpu_result make(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_combiner op,
                           tsr_number const factor[2], tsr_tensor const side[3], tsr_gpu_log const *log,
                           tsr_gpu_planned_combine *plan)
{
    tsr_gpu_result r = tsr_gpu_plan_combine_(op, factor, side, log, plan);
    if (!tsr_gpu_ok(r) || (!cache && !device))
        return r;
    r = cache ? tsr_gpu_usable_(device) : tsr_gpu_not_there_("cache");
    plan->kernel.device = device;
    if (tsr_gpu_ok(r))
        r = find_kernel(cache, device, log, plan);
    uint64_t const address[3] = {plan->side[0].engine.address, plan->side[1].engine.address,
                                 plan->side[2].engine.address};
    return tsr_gpu_ok(r) ? launch(plan, &plan->numbers, address, NULL, false) : r;
}

tsr_gpu_result tsr_gpu_combine_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_combiner op,
                                    tsr_number alpha, tsr_tensor x, tsr_number beta, tsr_tensor y, tsr_tensor z,
                                    tsr_gpu_log const *log, tsr_gpu_planned_combine **plan)
{
    tsr_number const factor[2] = {alpha, beta};
    tsr_tensor const side[3] = {x, y, z};
    tsr_gpu_planned_combine *const p = *plan = (tsr_gpu_planned_combine *)calloc(1, sizeof *p);
    tsr_gpu_log_(log, "");
    if (!p)
        return tsr_gpu_refuse_(TSR_GPU_OUT_OF_MEMORY, (int64_t)sizeof *p, 0, 0);
    tsr_gpu_result const r = make(cache, device, op, factor, side, log, p);
    if (!tsr_gpu_ok(r))
        tsr_gpu_combine_free(plan);
    return r;
}

void tsr_gpu_combine_free(tsr_gpu_planned_combine **plan)
{
    free(*plan);
    *plan = NULL;
}

/** Runs a plan with its own numbers or with others. */
static tsr_gpu_result run(tsr_gpu_planned_combine const *plan, tsr_combination const *numbers, uint64_t x, uint64_t y,
                          uint64_t z, tsr_gpu_stream const *stream)
{
    uint8_t const *const way = plan->form.way;
    uint64_t const first = way[0] == TSR_COMBINE_NUMBER ? z : x;
    uint64_t const address[3] = {first,
                                 way[1] == TSR_COMBINE_NUMBER    ? z
                                 : way[1] == TSR_COMBINE_NOTHING ? first
                                                                 : y,
                                 z};
    for (int i = 0; i < 3; ++i) {
        uint64_t const before = plan->side[i].engine.address;
        if ((address[i] - before) % (uint64_t)plan->grain[i] != 0)
            return tsr_gpu_refuse_(TSR_GPU_MOVED, (int64_t)address[i], (int64_t)before, plan->grain[i]);
    }
    return launch(plan, numbers, address, stream, true);
}

tsr_gpu_result tsr_gpu_combine_run(tsr_gpu_planned_combine const *plan, uint64_t x, uint64_t y, uint64_t z,
                                   tsr_gpu_stream const *stream)
{
    return plan && plan->kernel.device ? run(plan, &plan->numbers, x, y, z, stream) : tsr_gpu_not_there_("plan");
}

tsr_gpu_result tsr_gpu_combine_run_with(tsr_gpu_planned_combine const *plan, tsr_number alpha, uint64_t x,
                                        tsr_number beta, uint64_t y, uint64_t z, tsr_gpu_stream const *stream)
{
    tsr_combination numbers;
    tsr_number const factor[2] = {alpha, beta};
    if (!plan || !plan->kernel.device)
        return tsr_gpu_not_there_("plan");
    numbers = plan->numbers;
    tsr_gpu_result const r = tsr_gpu_renumber_combine_(plan, factor, &numbers);
    return tsr_gpu_ok(r) ? run(plan, &numbers, x, y, z, stream) : r;
}

tsr_gpu_result tsr_gpu_combine(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_combiner op, tsr_number alpha,
                               tsr_tensor x, tsr_number beta, tsr_tensor y, tsr_tensor z,
                               tsr_gpu_stream const *stream, tsr_gpu_log const *log)
{
    tsr_number const factor[2] = {alpha, beta};
    tsr_tensor const side[3] = {x, y, z};
    tsr_gpu_planned_combine plan;
    tsr_gpu_result const r =
        !cache && !device ? tsr_gpu_not_there_("cache") : make(cache, device, op, factor, side, log, &plan);
    return tsr_gpu_ok(r) ? tsr_gpu_combine_run(&plan, x.engine.address, y.engine.address, z.engine.address, stream)
                         : r;
}

/* Text */

static void put(gpu_text *to, char const *text, int64_t n)
{
    tsr_gpu_put_string_(to, text);
    tsr_gpu_put_number_(to, n);
}

static void put_side(gpu_text *to, tsr_gpu_planned_combine const *p, int i)
{
    static char const *const ways[] = {
#define X(id, words) words,
        TSR_COMBINE_WAY_LIST(X)
#undef X
    };
    char const *const name = tsr_dtype_name(p->form.type[i]);
    tsr_gpu_put_string_(to, i == 0 ? "\n  x " : i == 1 ? "\n  y " : "\n  z ");
    if (i < 2 && p->form.way[i] == TSR_COMBINE_NUMBER) {
        tsr_gpu_put_string_(to, ways[TSR_COMBINE_NUMBER]);
        return;
    }
    tsr_gpu_put_string_(to, name ? name : "numbers");
    if (i < 2 && p->form.kind != TSR_COMBINE_ELEMENTS) {
        tsr_gpu_put_string_(to, ", ");
        tsr_gpu_put_string_(to, ways[p->form.way[i]]);
    }
    for (int k = 0; k < p->numbers.loops; ++k)
        put(to, k == 0 ? ", steps " : ", ", p->numbers.loop[k].step[i]);
}

size_t tsr_format_gpu_combine(char *out, size_t size, tsr_gpu_planned_combine const *p)
{
    static char const *const kinds[] = {
#define X(id, words) words,
        TSR_COMBINE_KIND_LIST(X)
#undef X
    };
    static char const *const ins[] = {
#define X(id, words) words,
        TSR_COMBINE_IN_LIST(X)
#undef X
    };
    gpu_text to = {0};
    if (!p)
        return (size_t)snprintf(out, size, "no combination");
    tsr_gpu_put_number_(&to, p->elements);
    tsr_gpu_put_string_(&to, " elements, computed in ");
    tsr_gpu_put_string_(&to, ins[p->form.in]);
    tsr_gpu_put_string_(&to, "\n");
    tsr_gpu_put_string_(&to, kinds[p->form.kind]);
    if (p->form.kind != TSR_COMBINE_ELEMENTS)
        put(&to, "; writes bytes at a time: ", p->form.items * p->form.item[2]);
    put(&to, "; blocks: ", p->blocks);
    for (int k = 0; k < p->numbers.loops; ++k)
        put(&to, k == 0 ? "\n  loops of " : ", ", p->numbers.loop[k].count.n);
    for (int i = 0; i < 3; ++i)
        put_side(&to, p, i);
    size_t const length = (size_t)snprintf(out, size, "%s", to.data ? to.data : "");
    tsr_gpu_text_free_(&to);
    return length;
}

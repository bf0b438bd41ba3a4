/** A copy as text: its plan, and the source of its kernel. */
#include "gpu/copy_plan.h"
#include "gpu/forms.h"
#include "gpu/text.h"
#include "tessera/text.h"

#include <stdio.h>

static char const head[] = TSR_KNOWN_FORM_
    "#include <gpu/kernels/relayout_form.h>\n"
    "static constexpr tsr_relayout_form f = {"
    "%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d};\n"
    "#include <gpu/kernels/%s.h>\n"
    "extern \"C\" __global__ __launch_bounds__(TSR_RELAYOUT_THREADS) void relayout(__grid_constant__ tsr_relayout "
    "const r, ";

static char const moves[] = "uint64_t from, uint64_t to)\n"
                            "{\n"
                            "    tsr_relayout_kernel_(f, &r, from, to);\n"
                            "}\n";

static char const elements[] = "__grid_constant__ tsr_tensor const from, __grid_constant__ tsr_tensor const to)\n"
                               "{\n"
                               "    int64_t const i = blockIdx.x * (int64_t)TSR_RELAYOUT_THREADS + threadIdx.x;\n"
                               "    tsr_kernel_wait_();\n"
                               "    tsr_relayout_element_(f, &r, &from, &to, i);\n"
                               "}\n";

size_t tsr_gpu_format_relayout_(char *out, size_t size, tsr_relayout_form f)
{
    size_t const n =
        (size_t)snprintf(out, size, head, f.kind, f.from_item, f.to_item, f.from_items, f.to_items, f.batch, f.loops,
                         f.columns, f.from_parts, f.to_parts, f.to_any, f.from_run, f.to_run, f.unit, f.warps,
                         f.tables, f.wide, f.swizzled, f.alpha, f.beta, f.fp8, f.async, f.from_type, f.to_type,
                         f.kind == TSR_RELAYOUT_ELEMENTS ? "relayout_elements" : "relayout");
    bool const fits = n < size;
    char const *const body = f.kind == TSR_RELAYOUT_ELEMENTS ? elements : moves;
    return n + (size_t)snprintf(fits ? out + n : NULL, fits ? size - n : 0, "%s", body);
}

static void put(gpu_text *to, char const *text, int64_t n)
{
    tsr_gpu_put_string_(to, text);
    tsr_gpu_put_number_(to, n);
}

/** The loops, in bytes. */
static void put_loops(gpu_text *to, tsr_gpu_planned_copy const *p)
{
    char line[128];
    bool const tiles = p->form.kind == TSR_RELAYOUT_TILE || p->form.kind == TSR_RELAYOUT_RAGGED;
    tsr_relayout const *const r = &p->numbers;
    for (int i = 0; i < r->loops; ++i) {
        tsr_relayout_loop const *const l = &r->loop[i];
        bool const row = tiles && i < r->row_loops, column = tiles && !row && i < r->row_loops + r->column_loops;
        snprintf(line, sizeof line, "\n  %-7s %10lld  from %+12lld  to %+12lld",
                 row      ? "rows"
                 : column ? "columns"
                          : "loop",
                 (long long)l->count.n, (long long)l->from, (long long)l->to);
        tsr_gpu_put_string_(to, line);
    }
}

static void put_kind(gpu_text *to, tsr_gpu_planned_copy const *p)
{
    static char const *const kinds[] = {
#define X(id, words) words,
        TSR_RELAYOUT_LIST(X)
#undef X
    };
    static char const *const slows[] = {
#define X(id, words) words,
        TSR_SLOW_LIST(X)
#undef X
    };
    tsr_relayout_form const *const f = &p->form;
    tsr_gpu_put_string_(to, kinds[f->kind]);
    if (f->kind == TSR_RELAYOUT_TILE || f->kind == TSR_RELAYOUT_RAGGED) {
        put(to, ", ", p->numbers.tile_rows);
        put(to, " rows by ", p->numbers.tile_columns);
        put(to, " columns, ", p->shared);
        tsr_gpu_put_string_(to, " bytes each");
    }
    if (f->kind != TSR_RELAYOUT_RUN && f->kind != TSR_RELAYOUT_ELEMENTS) {
        put(to, "; reads ",
            f->kind == TSR_RELAYOUT_RAGGED && f->async ? TSR_RELAYOUT_ACCESS : f->from_items * f->from_item);
        put(to, " and writes ", f->to_items * f->to_item);
        tsr_gpu_put_string_(to, " bytes at a time");
    }
    if (p->slow) {
        tsr_gpu_put_string_(to, ": ");
        tsr_gpu_put_string_(to, slows[p->slow]);
    }
    if (f->kind != TSR_RELAYOUT_RUN)
        put(to, "; blocks: ", p->blocks);
}

size_t tsr_format_gpu_copy(char *out, size_t size, tsr_gpu_planned_copy const *p)
{
    gpu_text to = {0};
    if (!p)
        return (size_t)snprintf(out, size, "no copy");
    int64_t const n = p->elements;
    char const *const from = tsr_dtype_name(p->from.engine.type);
    int64_t const read = n * tsr_dtype_bits(p->from.engine.type), written = n * tsr_dtype_bits(p->to.engine.type);
    int64_t distinct = read;
    for (int i = 0; i < p->numbers.loops; ++i)
        distinct /= p->numbers.loop[i].from == 0 ? p->numbers.loop[i].count.n : 1;
    tsr_gpu_put_number_(&to, n);
    tsr_gpu_put_string_(&to, " elements, ");
    tsr_gpu_put_string_(&to, from ? from : "numbers");
    tsr_gpu_put_string_(&to, " to ");
    tsr_gpu_put_string_(&to, tsr_dtype_name(p->to.engine.type));
    put(&to, ": reads ", (distinct + (p->form.beta ? written : 0) + 7) / 8);
    put(&to, " bytes, writes ", (written + 7) / 8);
    tsr_gpu_put_string_(&to, "\n");
    put_kind(&to, p);
    put_loops(&to, p);
    size_t const length = (size_t)snprintf(out, size, "%s", to.data ? to.data : "");
    tsr_gpu_text_free_(&to);
    return length;
}

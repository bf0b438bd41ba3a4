/** The layouts of a product's tile as source, which the host computes in 0.1 ms and NVRTC in 0.2 s: specialisations of
 *  the templates of constants in cuda/hopper_plan.cuh, gemm.cuh and tile_tma.cuh.
 *
 *  Law     each is what the template itself computes (tests/gpu/nvrtc.c compares them). */
#include "gpu/gemm.h"
#include "gpu/text.h"
#include "tessera/atom/hopper_parts.h"

#include <stdio.h>

static void put_numbers(gpu_text *to, int64_t const *n, int count)
{
    for (int i = 0; i < count; ++i) {
        tsr_gpu_put_number_(to, n[i]);
        tsr_gpu_put_string_(to, ",");
    }
}

static void put_reason(gpu_text *to, tsr_reason why)
{
    int64_t const n[] = {why.status, why.mode, why.along, why.unit, why.law};
    tsr_gpu_put_string_(to, "{");
    put_numbers(to, n, 5);
    tsr_gpu_put_string_(to, "{");
    put_numbers(to, why.number, TSR_NOTES);
    tsr_gpu_put_string_(to, "}},");
}

static void put_layout(gpu_text *to, tsr_layout l, bool more)
{
    char text[8192];
    size_t const length = tsr_format_layout_source(text, sizeof text, l);
    tsr_gpu_put_(to, text, length < sizeof text ? length : sizeof text - 1);
    to->full = to->full || length >= sizeof text;
    tsr_gpu_put_string_(to, more ? ",\n" : "");
}

static void put_atom(gpu_text *to, tsr_mma_atom x)
{
    int64_t const n[] = {x.status, x.arch, x.kind, x.form, x.flags, x.d, x.a, x.b, x.c, x.m, x.n, x.k};
    int64_t note[6];
    for (int i = 0; i < 6; ++i)
        note[i] = x.note[i];
    tsr_gpu_put_string_(to, "{");
    put_numbers(to, n, 12);
    tsr_gpu_put_string_(to, "{");
    put_numbers(to, note, 6);
    tsr_gpu_put_string_(to, "}},\n");
}

static void put_tile(gpu_text *to, tsr_hopper_tile const *t)
{
    int64_t const n[] = {t->a,     t->b,    t->d,    t->sums,    t->m,      t->n,     t->k,
                         t->flags, t->ctas, t->rows, t->columns, t->stages, t->bytes, t->shared};
    tsr_gpu_put_string_(to, "{");
    put_reason(to, t->why);
    put_numbers(to, n, 14);
    put_layout(to, t->smem_a, true);
    put_layout(to, t->rows_a, true);
    put_layout(to, t->smem_b, true);
    put_layout(to, t->smem_d, false);
    tsr_gpu_put_string_(to, "},\n");
}

/** A tile of shared memory as an operand of the instruction. */
static void put_gmma(gpu_text *to, tsr_gmma_tile t)
{
    int64_t const fields[] = {t.fields.layout_type, t.fields.leading, t.fields.stride};
    int64_t const n[] = {t.rows, t.depth, t.vector};
    tsr_gpu_put_string_(to, "{");
    put_reason(to, t.why);
    tsr_gpu_put_string_(to, "{");
    put_reason(to, t.fields.why);
    put_numbers(to, fields, 3);
    tsr_gpu_put_string_(to, "},");
    put_numbers(to, n, 3);
    put_layout(to, t.start, false);
    tsr_gpu_put_string_(to, "};\n");
}

/** One for the copy engine. */
static void put_tma(gpu_text *to, tsr_tma_tile t)
{
    tsr_swizzle const s = t.swizzle;
    int64_t const swizzle[] = {s.status, s.bits, s.base, s.shift},
                  numbers[] = {s.number[0], s.number[1], s.number[2]};
    int64_t const n[] = {t.along, t.rows}, box[] = {t.box[0], t.box[1]}, rest[] = {t.boxes, t.parts, t.elements};
    tsr_gpu_put_string_(to, "{");
    put_reason(to, t.why);
    tsr_gpu_put_string_(to, "{");
    put_numbers(to, swizzle, 4);
    tsr_gpu_put_string_(to, "{");
    put_numbers(to, numbers, 3);
    tsr_gpu_put_string_(to, "}},");
    put_numbers(to, n, 2);
    tsr_gpu_put_string_(to, "{");
    put_numbers(to, box, 2);
    tsr_gpu_put_string_(to, "},");
    put_numbers(to, rest, 3);
    put_layout(to, t.start, false);
    tsr_gpu_put_string_(to, "};\n");
}

/** The beginning of a specialisation, up to the value. `arguments` follow `plan::`. */
static void put_name(gpu_text *to, char const *type, char const *plan, char const *first, char const *second,
                     char const *rest)
{
    char text[512];
    snprintf(text, sizeof text, "template <> constexpr tsr_%s tsr_%s_of_<%s%s%s%s%s%s> = ", type, type, plan, first,
             second ? ", " : "", second ? plan : "", second ? second : "", rest);
    tsr_gpu_put_string_(to, text);
}

void tsr_gpu_put_hopper_parts_(gpu_text *to, tsr_dtype a, tsr_dtype b, tsr_dtype d, int m, int n, int flags)
{
    char plan[96], arguments[64], last[3][32];
    tsr_hopper_parts const p = tsr_make_hopper_parts(a, b, d, m, n, flags);
    bool const wide = p.atom.n != n; /* the instruction takes a part of N */
    snprintf(arguments, sizeof arguments, "%d, %d, %d, %d, %d, %d", a, b, d, m, n, flags);
    snprintf(plan, sizeof plan, "tsr_hopper_plan<%s>::", arguments);
    put_name(to, "hopper_parts", arguments, "", NULL, "");
    tsr_gpu_put_string_(to, "{");
    put_tile(to, &p.tile);
    put_atom(to, p.atom);
    put_layout(to, p.rows_b, true);
    put_layout(to, p.fragment, true);
    put_layout(to, p.to_d, false);
    tsr_gpu_put_string_(to, "};\n");
    put_name(to, "gmma_tile", plan, "atom", "rows_a", ", false");
    put_gmma(to, tsr_make_gmma_tile_a(p.atom, p.tile.rows_a));
    put_name(to, "gmma_tile", plan, "atom", wide ? "rows_b" : "smem_b", ", true");
    put_gmma(to, tsr_make_gmma_tile_b(p.atom, wide ? p.rows_b : p.tile.smem_b));
    snprintf(last[0], sizeof last[0], ", %d, 1", tsr_dtype_bits(a));
    snprintf(last[1], sizeof last[1], ", %d, %d", tsr_dtype_bits(b), p.tile.ctas);
    snprintf(last[2], sizeof last[2], ", %d, 1", tsr_dtype_bits(d));
    put_name(to, "tma_tile", plan, "smem_a", NULL, last[0]);
    put_tma(to, tsr_make_tma_tile(p.tile.smem_a, (tsr_dtype)(TSR_U8 - 8 + tsr_dtype_bits(a)), 1));
    put_name(to, "tma_tile", plan, "smem_b", NULL, last[1]);
    put_tma(to, tsr_make_tma_tile(p.tile.smem_b, (tsr_dtype)(TSR_U8 - 8 + tsr_dtype_bits(b)), p.tile.ctas));
    put_name(to, "tma_tile", plan, "smem_d", NULL, last[2]);
    put_tma(to, tsr_make_tma_tile(p.tile.smem_d, (tsr_dtype)(TSR_U8 - 8 + tsr_dtype_bits(d)), 1));
}

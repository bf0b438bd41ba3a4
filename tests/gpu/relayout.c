/** Copies of tsr_gpu_copy without a GPU: random pairs of layouts, moved by the text of the kernels thread by thread,
 *  are byte by byte what tsr_copy and tsr_axpby make; every form of accesses occurs.
 *
 *  usage: gpu_relayout [SEED [PAIRS]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stdint.h>

/** Accesses lie where a GPU can make them. */
static int misplaced;
#define TSR_RELAYOUT_LOOK_(p, bytes) (misplaced += (uintptr_t)(p) % (unsigned)(bytes) != 0)

#include "any_pair.h"
#include "check.h"
#include "gpu/copy_plan.h"
#include "gpu/kernels/relayout.h"
#include "gpu/kernels/relayout_elements.h"
#include "tessera/text.h"

typedef struct side {
    _Alignas(256) unsigned char byte[PAIR_BYTES];
} side;

static side source, moved, wanted;
static int renumbered, kinds[8], widths[2][17], by_words, by_words_of[2],
    pairs_of_four; /* of units; of more loops than two */

static uint64_t at(side const *x) { return (uint64_t)(uintptr_t)x->byte; }

static void stir(side *x)
{
    for (int i = 0; i < PAIR_BYTES; i += 8) {
        uint64_t const bits = random_bits();
        memcpy(&x->byte[i], &bits, 8);
    }
}

/** The blocks of a plan one after the other, in each the threads. */
static void run(tsr_gpu_planned_copy const *p)
{
    static _Alignas(16) unsigned char shared[81920];
    tsr_relayout_form const f = p->form;
    uint64_t const from = p->from.engine.swizzle.bits ? 0 : p->from.engine.address;
    uint64_t const to = p->to.engine.swizzle.bits ? 0 : p->to.engine.address;
    if (f.kind == TSR_RELAYOUT_RUN)
        memcpy((void *)(uintptr_t)(to + (uint64_t)p->numbers.to),
               (void const *)(uintptr_t)(from + (uint64_t)p->numbers.from), (size_t)p->numbers.run);
    for (int64_t b = 0; b < p->blocks && f.kind != TSR_RELAYOUT_RUN; ++b)
        for (int phase = 0; phase < tsr_relayout_phases_(f); ++phase)
            for (int t = 0; t < TSR_RELAYOUT_THREADS; ++t) {
                if (f.kind == TSR_RELAYOUT_ELEMENTS)
                    tsr_relayout_element_(f, &p->numbers, &p->from, &p->to, b * TSR_RELAYOUT_THREADS + t);
                else
                    tsr_relayout_phase_(f, &p->numbers, from, to, b, t, shared, phase);
            }
}

static tsr_dtype any_type(void)
{
    static tsr_dtype const types[] = {
        TSR_BOOL,        TSR_I8,      TSR_U8,      TSR_I16, TSR_U16,     TSR_I32,  TSR_U32,       TSR_I64,
        TSR_U64,         TSR_F16,     TSR_BF16,    TSR_F32, TSR_F64,     TSR_TF32, TSR_F8_E4M3FN, TSR_F8_E5M2,
        TSR_F8_E4M3FNUZ, TSR_F8_E8M0, TSR_F8_E3M4, TSR_I4,  TSR_F4_E2M1, TSR_C64,  TSR_C128,      TSR_F6_E2M3};
    return types[below((int64_t)(sizeof types / sizeof types[0]))];
}

static tsr_number any_factor(void)
{
    return once_in(2) ? tsr_number_int(below(9) - 4) : tsr_number_real((double)(below(33) - 16) / 8);
}

static void show(any_pair const *p, tsr_gpu_planned_copy const *plan)
{
    char from[TSR_TEXT_SIZE], to[TSR_TEXT_SIZE], text[4096];
    tsr_format_layout(from, sizeof from, p->from, 0);
    tsr_format_layout(to, sizeof to, p->to, 0);
    tsr_format_gpu_copy(text, sizeof text, plan);
    printf("    %s %s at %lld to %s %s at %lld\n%s\n", tsr_dtype_name(p->from_type), from, (long long)p->from_at,
           tsr_dtype_name(p->to_type), to, (long long)p->to_at, text);
}

static void try_pair(gpu_copy_wishes const *wishes)
{
    tsr_gpu_planned_copy plan;
    any_pair const p = any_pair_of(1 << 15, 3, any_type);
    bool const scale = once_in(6) && has_one_sum(&p), adds = once_in(2);
    tsr_number const alpha = any_factor(), beta = any_factor();
    tsr_tensor const s = pair_tensor(at(&source), p.from_at, p.from_type, p.from);
    tsr_tensor const d = pair_tensor(at(&moved), p.to_at, p.to_type, p.to);
    tsr_tensor const w = pair_tensor(at(&wanted), p.to_at, p.to_type, p.to);
    tsr_gpu_result const r =
        tsr_gpu_plan_copy_(scale ? &alpha : NULL, s, scale && adds ? &beta : NULL, d, wishes, NULL, &plan);
    tsr_planned_copy const cpu = tsr_copy_plan(s, d);
    if (r.status == TSR_GPU_BITS && tsr_dtype_bits(p.to_type) % 8 != 0)
        return;
    if (r.status == TSR_GPU_ALIGNED && (p.from_type != p.to_type || scale)) {
        int64_t const from = tsr_dtype_bits(p.from_type) / 8, to = tsr_dtype_bits(p.to_type) / 8;
        check((from > 1 && p.from_at % from != 0) || (to > 1 && p.to_at % to != 0), "numbers that begin anywhere");
        return;
    }
    if (r.status == TSR_GPU_TENSORS) {
        check(cpu.why.status == r.why.status && cpu.why.status != TSR_OK,
              "what the CPU refuses is refused for its reason");
        return;
    }
    check(tsr_gpu_ok(r), "a plan");
    if (!tsr_gpu_ok(r))
        return;
    if (scale) { /* by a plan for other numbers */
        tsr_gpu_planned_copy other;
        uint64_t const state = random_state;
        tsr_number const x = any_factor(), y = any_factor();
        check(tsr_gpu_ok(tsr_gpu_plan_copy_(&x, s, adds ? &y : NULL, d, wishes, NULL, &other)), "other numbers");
        bool const serves =
            tsr_gpu_ok(tsr_gpu_renumber_copy_(&other, alpha, adds ? beta : tsr_number_int(0), &other.numbers));
        check(serves == (memcmp(&other.form, &plan.form, sizeof plan.form) == 0), "a kernel for both");
        plan = serves ? other : plan;
        renumbered += serves;
        random_state = state;
    }
    moved = wanted;
    run(&plan);
    if (scale)
        check(!tsr_axpby(alpha, s, adds ? beta : tsr_number_int(0), w).status, "the CPU's");
    else
        tsr_copy_elements(NULL, &s, &w, 0, plan.elements);
    bool const same = memcmp(&moved, &wanted, sizeof moved) == 0;
    check(same, "every byte");
    if (!same)
        show(&p, &plan);
    ++kinds[plan.form.kind];
    pairs_of_four += plan.form.kind == TSR_RELAYOUT_ELEMENTS && plan.numbers.run > 0;
    bool const words = plan.form.kind == TSR_RELAYOUT_RAGGED && plan.form.async;
    by_words += words;
    by_words_of[0] += words && plan.form.unit > 1;
    by_words_of[1] += words && plan.form.tables;
    ++widths[0][plan.form.from_item * plan.form.from_items];
    ++widths[1][plan.form.to_item * plan.form.to_items];
}

static void test_pairs(int pairs)
{
    static gpu_copy_wishes const wishes[] = {
        {0}, {.direct = true}, {64, 32, 1, 1, false}, {16, 512, 0, 1, false}, {512, 128, 2, 0, false}};
    stir(&source);
    stir(&wanted);
    for (int i = 0; i < pairs; ++i) {
        if (i % 64 == 0)
            stir(&wanted);
        try_pair(&wishes[once_in(2) ? 0 : below(5)]);
    }
    for (int k = TSR_RELAYOUT_RUN; k <= TSR_RELAYOUT_ELEMENTS; ++k)
        check(kinds[k] > pairs / 500, "every kind occurs");
    check(by_words > pairs / 100 && by_words < kinds[TSR_RELAYOUT_RAGGED] - pairs / 100, "by words, and by items");
    for (int n = 1; n <= 16; n *= 2)
        check(widths[0][n] > pairs / 100 && widths[1][n] > pairs / 100, "every width occurs");
    check(by_words_of[0] > pairs / 200 && by_words_of[1] > pairs / 200, "by words, units and more loops");
    check(pairs_of_four > pairs / 2000, "elements of 4 bits, two at a time");
    check(renumbered > pairs / 100, "other numbers");
    check(misplaced == 0, "every access is at a multiple of its bytes");
    printf("runs %d, direct %d, tiles %d, ragged %d, %d by words, zip %d, unzip %d, elements %d\n", kinds[0],
           kinds[1], kinds[2], kinds[3], by_words, kinds[4], kinds[5], kinds[6]);
}

/** Tiles of tensors that are too large to be moved here: all elements are in one, and each fits into shared memory. */
static void test_large(int tries)
{
    static tsr_dtype const types[] = {TSR_U8, TSR_F16, TSR_F32, TSR_F64, TSR_C128};
    gpu_copy_wishes const none = {0};
    for (int k = 0; k < tries; ++k) {
        tsr_tuple shape = TSR_ZERO;
        tsr_dtype const type = types[below(5)];
        int const rank = 2 + (int)below(5);
        for (int i = 0; i < rank; ++i) {
            int64_t const mean = (int64_t)1 << (26 + below(4)) / rank, n = mean / 2 + below(mean);
            tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(once_in(8)   ? 1 + below(40)
                                                         : once_in(3) ? (n + 31) / 32 * 32
                                                                      : n));
        }
        tsr_layout const from = pair_layout(tsr_tuple_close(shape), false),
                         to = pair_layout(tsr_tuple_close(shape), false);
        tsr_gpu_planned_copy plan;
        tsr_gpu_result const r =
            tsr_gpu_plan_copy_(NULL, pair_tensor((uint64_t)1 << 40, 8 * below(5), type, from), NULL,
                               pair_tensor((uint64_t)1 << 50, 8 * below(5), type, to), &none, NULL, &plan);
        tsr_relayout const *const n = &plan.numbers;
        check(tsr_gpu_ok(r) && plan.shared <= 65536, "a large tile fits into shared memory");
        if (plan.form.kind == TSR_RELAYOUT_TILE || plan.form.kind == TSR_RELAYOUT_RAGGED)
            check(plan.blocks * n->tile_rows * n->tile_columns * plan.form.to_item
                      >= plan.elements * tsr_dtype_bits(type) / 8,
                  "every element is in a tile");
    }
}

int main(int argc, char **argv)
{
    random_state = argc > 1 ? strtoull(argv[1], NULL, 10) * 2 + 1 : 1;
    test_pairs(argc > 2 ? atoi(argv[2]) : 2000);
    test_large(argc > 2 ? atoi(argv[2]) : 2000);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

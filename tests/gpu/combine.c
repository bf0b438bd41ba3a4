/** Combinations of tsr_gpu_combine without a GPU: random layouts, types and factors, by the text of the kernels thread
 *  by thread, are byte by byte what tsr_transform_2 makes.
 *
 *  usage: gpu_combine [SEED [CASES]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stdint.h>

/** Accesses lie where a GPU can make them. */
static int misplaced;
#define TSR_RELAYOUT_LOOK_(p, bytes) (misplaced += (uintptr_t)(p) % (unsigned)(bytes) != 0)

#include "any_combination.h"
#include "gpu/gemm.h"
#include "gpu/kernels/combine.h"
#include "gpu/kernels/combine_elements.h"
#include "tessera/text.h"

typedef struct side {
    _Alignas(256) unsigned char byte[PAIR_BYTES];
} side;

static side first, second, moved, wanted;
static int renumbered[2], kinds[3], ways[6], ins[4], widths[17], in_place, pairs_of_four;

static uint64_t at(side const *x) { return (uint64_t)(uintptr_t)x->byte; }

/** The blocks of a plan one after the other, in each the threads, with its numbers or with others. */
static void run(tsr_gpu_planned_combine const *p, tsr_combination const *numbers)
{
    static _Alignas(16) unsigned char shared[49152];
    tsr_combine_form const f = p->form;
    uint64_t const address[3] = {p->side[0].engine.address, p->side[1].engine.address, p->side[2].engine.address};
    check(p->bytes <= (int64_t)sizeof shared, "tiles fit into shared memory");
    for (int64_t b = 0; b < p->blocks; ++b) {
        for (int t = 0; t < TSR_COMBINE_THREADS; ++t)
            if (f.kind == TSR_COMBINE_ELEMENTS)
                tsr_combine_element_(f, numbers, &p->side[0], &p->side[1], &p->side[2], b * TSR_COMBINE_THREADS + t);
            else
                tsr_combine_begin_(f, numbers, address, b, t, shared);
        for (int t = 0; t < TSR_COMBINE_THREADS && f.kind == TSR_COMBINE_TILE; ++t)
            tsr_combine_end_(f, numbers, address, b, t, shared);
    }
}

static void stir(side *x)
{
    for (int i = 0; i < PAIR_BYTES; i += 8) {
        uint64_t const word = random_bits();
        memcpy(&x->byte[i], &word, 8);
    }
}

static void show(tsr_tensor const side[3], tsr_gpu_planned_combine const *plan)
{
    char text[8192];
    for (int i = 0; i < 3; ++i) {
        tsr_format_layout(text, sizeof text, side[i].layout, 0);
        printf("    %s %s at %llu\n", tsr_dtype_name(side[i].engine.type), text,
               (unsigned long long)(side[i].engine.address % 4096));
    }
    tsr_format_gpu_combine(text, sizeof text, plan);
    printf("%s\n", text);
}

/** The bytes after a run are those of the CPU. */
static bool runs(any_combination const *c, tsr_gpu_planned_combine const *plan, tsr_combination const *numbers,
                 tsr_tensor const w[3])
{
    check(!combine_on_cpu(c, w).status, "the CPU combines");
    run(plan, numbers);
    return memcmp(&moved, &wanted, sizeof moved) == 0;
}

/** The plan with other numbers: what it takes are the bytes of the CPU, what it refuses has another form. */
static void try_numbers(any_combination c, tsr_gpu_planned_combine const *plan, tsr_tensor const t[3],
                        tsr_tensor const w[3])
{
    for (int i = 0; i < 3; ++i) {
        tsr_gpu_planned_combine other;
        tsr_combination numbers = plan->numbers;
        c.l.alpha = any_factor();
        c.l.beta = any_factor();
        combination_law(&c);
        tsr_number const factor[2] = {c.l.alpha, c.l.beta};
        tsr_gpu_result const r = tsr_gpu_renumber_combine_(plan, factor, &numbers);
        ++renumbered[tsr_gpu_ok(r)];
        wanted = moved;
        if (tsr_gpu_ok(r)) {
            check(runs(&c, plan, &numbers, w), "other numbers, by the same kernel");
        } else {
            check(r.status == TSR_GPU_NUMBERS, "the reason");
            check(tsr_gpu_ok(tsr_gpu_plan_combine_(c.l.op, factor, t, NULL, &other))
                      && memcmp(&other.form, &plan->form, sizeof other.form) != 0,
                  "numbers that are refused have another kernel");
        }
    }
}

static void try_case(void)
{
    tsr_gpu_planned_combine plan;
    any_combination c;
    tsr_tensor t[3], w[3];
    uint64_t const memory[3] = {at(&first), at(&second), at(&moved)}, cpu[3] = {memory[0], memory[1], at(&wanted)};
    if (!any_combination_of(&c))
        return;
    combination_tensors(&c, memory, t);
    combination_tensors(&c, cpu, w);
    for (int i = 0; i < 3; ++i)
        put_numbers(t[i]);
    wanted = moved;
    tsr_number const factor[2] = {c.l.alpha, c.l.beta};
    tsr_gpu_result const r = tsr_gpu_plan_combine_(c.l.op, factor, t, NULL, &plan);
    if (r.status == TSR_GPU_BITS && tsr_dtype_bits(c.type[2]) % 8 != 0)
        return;
    if (r.status == TSR_GPU_ALIGNED) {
        bool any = false;
        for (int i = 0; i < 3; ++i)
            any = any || t[i].engine.address % (uint64_t)tsr_max64(tsr_dtype_bits(c.type[i]) / 8, 1) != 0;
        check(any, "numbers that begin anywhere");
        return;
    }
    tsr_reason const why = combine_on_cpu(&c, w);
    if (r.status == TSR_GPU_TENSORS) {
        check(why.status == r.why.status && why.status != TSR_OK, "what the CPU refuses is refused for its reason");
        return;
    }
    check(tsr_gpu_ok(r) && !why.status, "a plan");
    if (!tsr_gpu_ok(r))
        return;
    run(&plan, &plan.numbers);
    bool const same = memcmp(&moved, &wanted, sizeof moved) == 0;
    check(same, "the bytes of tsr_transform_2");
    if (!same) {
        show(t, &plan);
        printf("    op %d, factors %g and %g\n", c.l.op, tsr_number_to_double(c.l.alpha),
               tsr_number_to_double(c.l.beta));
    }
    ++kinds[plan.form.kind];
    ++ins[plan.form.in];
    in_place += c.mine >= 0;
    pairs_of_four += plan.form.kind == TSR_COMBINE_ELEMENTS && plan.numbers.run > 0;
    if (plan.form.kind != TSR_COMBINE_ELEMENTS) {
        ++widths[plan.form.items * plan.form.item[2]];
        for (int s = 0; s < 2; ++s)
            ++ways[plan.form.way[s]];
    }
    try_numbers(c, &plan, t, w);
}

/** The largest tensors, which are only planned: indices of more than 31 bits, blocks that a launch can have. */
static void test_large(void)
{
    static char const *const layouts[][3] = {
        {"(65536,65536):(65536,1)", "(65536,65536):(65536,1)", "(65536,65536):(65536,1)"},
        {"(65536,65536):(1,65536)", "(65536,65536):(65536,1)", "(65536,65536):(65536,1)"},
        {"(65536,65536):(0,1)", "(65536,65536):(1,0)", "(65536,65536):(65536,1)"}};
    tsr_number const one[2] = {tsr_number_int(1), tsr_number_int(1)};
    for (int k = 0; k < 3; ++k) {
        tsr_gpu_planned_combine plan;
        tsr_tensor t[3];
        for (int i = 0; i < 3; ++i)
            t[i] = pair_tensor((uint64_t)(i + 1) << 40, 0, TSR_U8, tsr_parse(layouts[k][i]));
        check(tsr_gpu_ok(tsr_gpu_plan_combine_(TSR_COMBINE_SUM, one, t, NULL, &plan)), "a large plan");
        check(plan.form.kind == (k == 1 ? TSR_COMBINE_TILE : TSR_COMBINE_DIRECT), "its kind");
        check(plan.blocks > 0 && plan.blocks <= INT32_MAX, "its blocks");
        check(plan.form.items == 16, "accesses of 16 bytes");
    }
}

/** An einsum that sums nothing is a combination, whatever the order of its modes; one that sums is none. */
static void test_einsum(void)
{
    static struct {
        char const *text, *a, *b, *c;
        bool combines;
    } const rows[] = {{"ij,ij->ij", "(24,40):(40,1)", "(24,40):(1,24)", "(24,40):(40,1)", true},
                      {"ij,ij->ji", "(24,40):(40,1)", "(24,40):(40,1)", "(40,24):(24,1)", true},
                      {"ij,j->ij", "(24,40):(40,1)", "40:1", "(24,40):(40,1)", true},
                      {"j,ij->ji", "40:1", "(24,40):(40,1)", "(40,24):(1,40)", true},
                      {"i,j->ij", "24:1", "40:1", "(24,40):(40,1)", true},
                      {"bij,bi->jbi", "(3,8,10):(80,10,1)", "(3,8):(1,3)", "(10,3,8):(24,8,1)", true},
                      {"ia,jb->jabi", "(4,5):(5,1)", "(6,7):(7,1)", "(6,5,7,4):(140,28,4,1)", true},
                      {"ij,ij->i", "(24,40):(40,1)", "(24,40):(40,1)", "24:1", false}};
    static tsr_dtype const types[] = {TSR_F32, TSR_F64, TSR_F16, TSR_I32};
    tsr_epilogue const plain = tsr_make_epilogue(1, 0), twice = tsr_make_epilogue(2, 0);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k)
        for (int i = 0; i < 4; ++i) {
            tsr_gpu_planned_gemm *plan = NULL;
            char text[4096];
            tsr_tensor const a = pair_tensor(at(&first), 0, types[i], tsr_parse(rows[k].a)),
                             b = pair_tensor(at(&second), 0, types[i], tsr_parse(rows[k].b)),
                             c = pair_tensor(at(&moved), 0, types[i], tsr_parse(rows[k].c)),
                             w = pair_tensor(at(&wanted), 0, types[i], tsr_parse(rows[k].c));
            wanted = moved;
            tsr_gpu_result const r = tsr_gpu_einsum_plan(NULL, NULL, rows[k].text, a, b, c, &plain, NULL, &plan);
            check(tsr_gpu_ok(r) == rows[k].combines, rows[k].text);
            if (!tsr_gpu_ok(r))
                continue;
            run(plan->combined, &plan->combined->numbers);
            check(!tsr_einsum(rows[k].text, a, b, w).status, "the CPU's");
            check(memcmp(&moved, &wanted, sizeof moved) == 0, rows[k].text);
            check(tsr_format_gpu_gemm(text, sizeof text, plan) > 0, "its text");
            check(tsr_gpu_ok(tsr_gpu_gemm_free(&plan)), "and is given back");
            check(!tsr_gpu_ok(tsr_gpu_einsum_plan(NULL, NULL, rows[k].text, a, b, c, &twice, NULL, &plan)),
                  "a factor needs a product");
        }
}

int main(int argc, char **argv)
{
    random_state = argc > 1 ? strtoull(argv[1], NULL, 10) * 2 + 1 : 1;
    int const cases = argc > 2 ? atoi(argv[2]) : 1000;
    for (int i = 0; i < cases; ++i) {
        for (int k = 0; k < 3 && i % 64 == 0; ++k)
            stir(k == 0 ? &first : k == 1 ? &second : &moved);
        try_case();
    }
    test_large();
    for (int k = 0; k < 3; ++k) {
        side *const x = k == 0 ? &first : k == 1 ? &second : &moved;
        memset(x, 0, sizeof *x); /* numbers of every type */
        for (int i = 0; i < 2000; ++i)
            x->byte[i] = (unsigned char)(i % 4 == 3 ? 0x3c + i % 5 : 0);
    }
    test_einsum();
    check(misplaced == 0, "accesses lie where a GPU can make them");
    for (int k = 0; cases >= 1000 && k < 6; ++k) {
        check(k > 1 || renumbered[k] > cases / 2, "other numbers are taken, and refused");
        check(k > 2 || kinds[k] > cases / 100, "every kind occurs");
        check(ways[k] > cases / 500, "every way occurs");
        check(k > 3 || ins[k] > cases / 100, "all kinds of numbers occur");
    }
    for (int n = 1; cases >= 1000 && n <= 16; n *= 2)
        check(widths[n] > cases / 200, "every width occurs");
    check(cases < 1000 || (in_place > 0 && pairs_of_four > 0), "in place, and elements of 4 bits");
    printf("direct %d, tiles %d, elements %d; one %d, runs %d, each %d, none %d, staged %d, number %d; "
           "in place %d; other numbers taken %d, refused %d\n",
           kinds[0], kinds[1], kinds[2], ways[0], ways[1], ways[2], ways[3], ways[4], ways[5], in_place,
           renumbered[1], renumbered[0]);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

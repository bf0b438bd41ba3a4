/** Reductions of tsr_gpu_reduce without a GPU: random layouts and types, by the text of the kernels thread by thread,
 *  are byte by byte what tsr_reduce_to makes of numbers whose sums are exact.
 *
 *  usage: gpu_reduce [SEED [CASES]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <stdint.h>

/** Accesses lie where a GPU can make them. */
static int misplaced;
#define TSR_RELAYOUT_LOOK_(p, bytes) (misplaced += (uintptr_t)(p) % (unsigned)(bytes) != 0)

#include "any_pair.h"
#include "check.h"
#include "gpu/kernels/reduce.h"
#include "gpu/reduce.h"

typedef struct side {
    _Alignas(256) unsigned char byte[PAIR_BYTES];
} side;

static side source, factors, moved, wanted, room;
static int in_parts, across, along, wide[17], dots[3][2];

static uint64_t at(side const *x) { return (uint64_t)(uintptr_t)x->byte; }

/** The blocks of a stage one after the other, in each the threads. */
static void run(gpu_reduce_stage const *s, uint64_t from, uint64_t by, uint64_t to)
{
    static int64_t shared[TSR_REDUCTION_THREADS * TSR_REDUCTION_ITEMS];
    tsr_reduction_form const f = s->form;
    int next = 0;
    for (int64_t b = 0; b < s->blocks * s->parts; ++b) {
        int64_t const block = b % s->blocks, part = b / s->blocks;
        for (int t = 0; t < TSR_REDUCTION_THREADS; ++t) {
            tsr_reduction_sum sum[TSR_REDUCTION_ITEMS];
            tsr_reduction_gather_(f, &s->numbers, from, by, block, part, t, sum);
            for (int k = 0; k < (f.across ? f.items : 1); ++k)
                tsr_reduction_put_(f, shared, tsr_reduction_shared_(f, &s->numbers, t, &next) + k, sum[k]);
        }
        for (int phase = 0; phase < s->numbers.lanes; ++phase)
            for (int t = 0; t < TSR_REDUCTION_THREADS; ++t)
                tsr_reduction_halve_(f, &s->numbers, shared, t, phase);
        for (int t = 0; t < TSR_REDUCTION_THREADS; ++t)
            tsr_reduction_write_(f, &s->numbers, to, block, part, t, shared);
    }
}

static void run_stages(tsr_gpu_planned_reduce const *p, uint64_t from, uint64_t by, uint64_t to)
{
    check(p->bytes <= sizeof room, "the parts take little memory");
    run(&p->stage[0], from, by, p->stages > 1 ? at(&room) : to);
    if (p->stages > 1)
        run(&p->stage[1], at(&room), 0, to);
}

static tsr_dtype any_type(void)
{
    static tsr_dtype const types[] = {TSR_BOOL,      TSR_I8,      TSR_U8,      TSR_I16, TSR_U16,  TSR_I32,
                                      TSR_U32,       TSR_I64,     TSR_U64,     TSR_F16, TSR_F16,  TSR_BF16,
                                      TSR_BF16,      TSR_F32,     TSR_F32,     TSR_F64, TSR_TF32, TSR_C64,
                                      TSR_F8_E4M3FN, TSR_F8_E5M2, TSR_F8_E8M0, TSR_C128};
    return types[below((int64_t)(sizeof types / sizeof types[0]))];
}

/** Small whole numbers everywhere: now and then one that is none; of factors, none is 0, whose sign no law tells. */
static void put_numbers(side *to, tsr_dtype type, int64_t first, int64_t end, bool factor)
{
    int64_t const item = tsr_dtype_bits(type) / 8;
    for (int64_t k = first; k + item <= end; k += item)
        tsr_store(type, &to->byte[k], 0,
                  !factor && once_in(50000) ? tsr_number_real(tsr_nan_())
                                            : tsr_number_int(factor ? 2 * below(4) - 3 : below(8) - 3));
}

/** The results: stride 0 in some modes, the others in any order. */
static tsr_layout results_of(tsr_tuple shape)
{
    tsr_layout l = pair_layout(shape, false);
    int64_t next = 1;
    for (int i = 0; i < l.stride.leaves; ++i) {
        bool const reduced = once_in(2);
        l.stride.leaf[i].value = reduced ? 0 : next;
        next *= reduced ? 1 : l.shape.leaf[i].value + below(3);
    }
    return l;
}

static void try_case(void)
{
    static int const processors[] = {1, 2, 16, 132};
    tsr_gpu_planned_reduce plan;
    any_pair p = any_pair_of(1 << 15, 2, any_type);
    tsr_layout const inner = tsr_layout_inner(p.from);
    p.from_type = any_type();
    p.to = results_of(inner.shape);
    int64_t const item = tsr_dtype_bits(p.from_type) / 8, each = tsr_dtype_bits(p.to_type) / 8;
    p.from_at = PAIR_BYTES / 2 + (once_in(2) ? 0 : item * below(16));
    p.to_at = PAIR_GUARD + (once_in(2) ? 0 : tsr_max64(each, 1) * below(16));
    tsr_tuple const span = tsr_span(p.from);
    if (span.status || span.leaf[1].value * item > PAIR_BYTES / 2 - 512
        || -span.leaf[0].value * item > PAIR_BYTES / 2)
        return;
    tsr_reducer const op = (tsr_reducer)below(TSR_REDUCERS);
    tsr_tensor const s = pair_tensor(at(&source), p.from_at, p.from_type, p.from),
                     d = pair_tensor(at(&moved), p.to_at, p.to_type, p.to),
                     w = pair_tensor(at(&wanted), p.to_at, p.to_type, p.to);
    memset(&plan, 0, sizeof plan);
    memset(&moved, 85, sizeof moved);
    memset(&wanted, 85, sizeof wanted);
    put_numbers(&source, p.from_type, p.from_at % item, PAIR_BYTES, false);
    tsr_reason const why = tsr_gpu_plan_reduce_(op, s, d, processors[below(4)], &plan),
                     expected = tsr_reduce_to(op, s, w);
    if (why.status || expected.status) {
        check(why.status == expected.status || why.status == TSR_REDUCE_LOOPS, "both refuse");
        return;
    }
    tsr_reduction_form const f = plan.stage[0].form;
    uint64_t const from = plan.from_absolute ? 0 : plan.from, to = plan.to_absolute ? 0 : plan.to;
    run_stages(&plan, from, 0, to);
    check(memcmp(&moved, &wanted, sizeof moved) == 0, "the bytes of tsr_reduce_to");
    if (memcmp(&moved, &wanted, sizeof moved) != 0) {
        char a[TSR_TEXT_SIZE], b[TSR_TEXT_SIZE];
        tsr_format_layout(a, sizeof a, p.from, 0);
        tsr_format_layout(b, sizeof b, p.to, 0);
        printf("    op %d %s %s to %s %s, %d stages, %d parts, across %d, items %d, lanes %d\n", op,
               tsr_dtype_name(p.from_type), a, tsr_dtype_name(p.to_type), b, plan.stages, (int)plan.stage[0].parts,
               f.across, f.items, plan.stage[0].numbers.lanes);
    }
    in_parts += plan.stages > 1;
    across += f.across;
    along += !f.across && f.items > 1;
    ++wide[f.items * f.from_item];
}

/** A layout of three modes, each whole or of two leaves, in any order with gaps, some of them backward or repeated. */
static tsr_layout modes_of(int64_t const size[3], bool repeats)
{
    int order[6] = {0, 1, 2, 3, 4, 5};
    int64_t count[6], step[6], next = once_in(2) ? 1 : 1 + below(3);
    for (int i = 0; i < 3; ++i) {
        int64_t const inner = size[i] % 2 == 0 && once_in(2) ? 2 : 1;
        count[2 * i] = inner;
        count[2 * i + 1] = size[i] / inner;
    }
    for (int i = 5; i > 0; --i) {
        int const j = (int)below(i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    for (int i = 0; i < 6; ++i) {
        int64_t const n = count[order[i]];
        bool const still = repeats && n > 1 && once_in(8);
        step[order[i]] = still ? 0 : next;
        next *= still ? 1 : n;
        next += once_in(4) ? below(3) : 0;
    }
    tsr_tuple mode[2][3];
    for (int i = 0; i < 3; ++i) {
        mode[0][i] = tsr_tuple_2(tsr_int(count[2 * i]), tsr_int(count[2 * i + 1]));
        mode[1][i] = tsr_tuple_2(tsr_int(step[2 * i]), tsr_int(step[2 * i + 1]));
    }
    return tsr_make_layout(tsr_tuple_3(mode[0][0], mode[0][1], mode[0][2]),
                           tsr_tuple_3(mode[1][0], mode[1][1], mode[1][2]));
}

/** A product of which M or N is 1. */
static void try_dots(void)
{
    static int const processors[] = {1, 2, 16, 132};
    static tsr_dtype const in[] = {TSR_F16, TSR_BF16, TSR_F32, TSR_F32, TSR_F64, TSR_I8, TSR_I32, TSR_F8_E5M2},
                           out[] = {TSR_F32, TSR_F64, TSR_I32};
    bool const turned = once_in(2);
    int64_t const v = 1 + below(5), own = once_in(2) ? 1 : 1 + below(40), k = 2 + below(once_in(4) ? 1500 : 60);
    int64_t const a[3] = {v, turned ? 1 : own, k}, b[3] = {v, turned ? own : 1, k}, c[3] = {v, a[1], b[1]};
    tsr_dtype const type_a = in[below(8)], type_b = once_in(2) ? type_a : in[below(8)], type_c = out[below(3)];
    tsr_layout const la = modes_of(a, true), lb = modes_of(b, true), lc = modes_of(c, false);
    if (tsr_cosize(la) * 8 > PAIR_BYTES - 4096 || tsr_cosize(lb) * 8 > PAIR_BYTES - 4096
        || tsr_cosize(lc) * 8 > PAIR_BYTES - 4096)
        return;
    int64_t const at_a = 1024 + 8 * below(4), at_b = 1024 + 8 * below(4), at_c = 1024 + 8 * below(4);
    tsr_tensor const x = pair_tensor(at(&source), at_a, type_a, la), y = pair_tensor(at(&factors), at_b, type_b, lb),
                     z = pair_tensor(at(&moved), at_c, type_c, lc), w = pair_tensor(at(&wanted), at_c, type_c, lc);
    tsr_gpu_device const device = {.major = 8};
    tsr_gemm_near const near = {128, 128, 32};
    tsr_epilogue const plain = tsr_make_epilogue(1, 0);
    tsr_gpu_planned_reduce plan;
    tsr_gemm_problem p;
    memset(&p, 0, sizeof p);
    memset(&plan, 0, sizeof plan);
    memset(&moved, 85, sizeof moved);
    memset(&wanted, 85, sizeof wanted);
    put_numbers(&source, type_a, at_a, at_a + 8 * tsr_cosize(la), true);
    put_numbers(&factors, type_b, at_b, at_b + 8 * tsr_cosize(lb), true);
    tsr_gemm_problem_make(&p, &x, &y, &z, &plain);
    if (p.product.why.status || p.slow)
        return;
    tsr_gemm_problem_order(&p, &near);
    if (!tsr_gpu_is_dots_(&device, &p))
        return;
    tsr_gpu_plan_dots_(&p, processors[below(4)], &plan);
    run_stages(&plan, plan.from, plan.by, plan.to);
    check(!tsr_gemm_by_element(x, y, w, &plain).status, "the CPU multiplies");
    bool const same = memcmp(&moved, &wanted, sizeof moved) == 0;
    check(same, "the bytes of tsr_gemm_by_element");
    if (!same) {
        char text[2][TSR_TEXT_SIZE];
        tsr_format_layout(text[0], sizeof text[0], la, 0);
        tsr_format_layout(text[1], sizeof text[1], lb, 0);
        printf("    %s %s by %s %s to %s, by %d, across %d, items %d\n", tsr_dtype_name(type_a), text[0],
               tsr_dtype_name(type_b), text[1], tsr_dtype_name(type_c), plan.stage[0].form.by,
               plan.stage[0].form.across, plan.stage[0].form.items);
    }
    ++dots[plan.stage[0].form.by][plan.stage[0].form.items > 1];
}

int main(int argc, char **argv)
{
    random_state = argc > 1 ? strtoull(argv[1], NULL, 10) * 2 + 1 : 1;
    int const cases = argc > 2 ? atoi(argv[2]) : 200;
    for (int i = 0; i < cases; ++i)
        try_case();
    for (int i = 0; i < cases; ++i)
        try_dots();
    check(misplaced == 0, "accesses lie where a GPU can make them");
    check(cases < 200 || (in_parts > 0 && across > 0 && along > 0 && wide[16] > 0 && wide[1] > 0), "all forms occur");
    check(cases < 200 || (dots[1][0] > 0 && dots[1][1] > 0 && dots[2][0] > 0 && dots[2][1] > 0),
          "all forms of factors");
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

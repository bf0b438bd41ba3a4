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

static side source, moved, wanted, room;
static int in_parts, across, along, wide[17];

static uint64_t at(side const *x) { return (uint64_t)(uintptr_t)x->byte; }

/** The blocks of a stage one after the other, in each the threads. */
static void run(gpu_reduce_stage const *s, uint64_t from, uint64_t to)
{
    static int64_t shared[TSR_REDUCTION_THREADS * TSR_REDUCTION_ITEMS];
    tsr_reduction_form const f = s->form;
    int next = 0;
    for (int64_t b = 0; b < s->blocks * s->parts; ++b) {
        int64_t const block = b % s->blocks, part = b / s->blocks;
        for (int t = 0; t < TSR_REDUCTION_THREADS; ++t) {
            tsr_reduction_sum sum[TSR_REDUCTION_ITEMS];
            tsr_reduction_gather_(f, &s->numbers, from, block, part, t, sum);
            for (int k = 0; k < (f.across ? f.items : 1); ++k)
                tsr_reduction_put_(f, shared, tsr_reduction_shared_(f, t, &next) + k, sum[k]);
        }
        for (int phase = 0; phase < f.lanes; ++phase)
            for (int t = 0; t < TSR_REDUCTION_THREADS; ++t)
                tsr_reduction_halve_(f, shared, t, phase);
        for (int t = 0; t < TSR_REDUCTION_THREADS; ++t)
            tsr_reduction_write_(f, &s->numbers, to, block, part, t, shared);
    }
}

static tsr_dtype any_type(void)
{
    static tsr_dtype const types[] = {TSR_BOOL,      TSR_I8,      TSR_U8,      TSR_I16, TSR_U16,  TSR_I32,
                                      TSR_U32,       TSR_I64,     TSR_U64,     TSR_F16, TSR_F16,  TSR_BF16,
                                      TSR_BF16,      TSR_F32,     TSR_F32,     TSR_F64, TSR_TF32, TSR_C64,
                                      TSR_F8_E4M3FN, TSR_F8_E5M2, TSR_F8_E8M0, TSR_C128};
    return types[below((int64_t)(sizeof types / sizeof types[0]))];
}

/** Small whole numbers everywhere, now and then one that is none. */
static void put_numbers(tsr_dtype type, int64_t first)
{
    int64_t const item = tsr_dtype_bits(type) / 8;
    for (int64_t k = first % item; k + item <= PAIR_BYTES; k += item)
        tsr_store(type, &source.byte[k], 0,
                  once_in(50000) ? tsr_number_real(tsr_nan_()) : tsr_number_int(below(8) - 3));
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
    put_numbers(p.from_type, p.from_at);
    tsr_reason const why = tsr_gpu_plan_reduce_(op, s, d, processors[below(4)], &plan),
                     expected = tsr_reduce_to(op, s, w);
    if (why.status || expected.status) {
        check(why.status == expected.status || why.status == TSR_REDUCE_LOOPS, "both refuse");
        return;
    }
    tsr_reduction_form const f = plan.stage[0].form;
    uint64_t const from = plan.from_absolute ? 0 : plan.from, to = plan.to_absolute ? 0 : plan.to;
    check(plan.bytes <= sizeof room, "the parts take little memory");
    run(&plan.stage[0], from, plan.stages > 1 ? at(&room) : to);
    if (plan.stages > 1)
        run(&plan.stage[1], at(&room), to);
    check(memcmp(&moved, &wanted, sizeof moved) == 0, "the bytes of tsr_reduce_to");
    if (memcmp(&moved, &wanted, sizeof moved) != 0) {
        char a[TSR_TEXT_SIZE], b[TSR_TEXT_SIZE];
        tsr_format_layout(a, sizeof a, p.from, 0);
        tsr_format_layout(b, sizeof b, p.to, 0);
        printf("    op %d %s %s to %s %s, %d stages, %d parts, across %d, items %d, lanes %d\n", op,
               tsr_dtype_name(p.from_type), a, tsr_dtype_name(p.to_type), b, plan.stages, (int)plan.stage[0].parts,
               f.across, f.items, f.lanes);
    }
    in_parts += plan.stages > 1;
    across += f.across;
    along += !f.across && f.items > 1;
    ++wide[f.items * f.from_item];
}

int main(int argc, char **argv)
{
    random_state = argc > 1 ? strtoull(argv[1], NULL, 10) * 2 + 1 : 1;
    int const cases = argc > 2 ? atoi(argv[2]) : 200;
    for (int i = 0; i < cases; ++i)
        try_case();
    check(misplaced == 0, "accesses lie where a GPU can make them");
    check(cases < 200 || (in_parts > 0 && across > 0 && along > 0 && wide[16] > 0 && wide[1] > 0), "all forms occur");
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

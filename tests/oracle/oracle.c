/** The referee: every operation against its law, over all operands up to a bound, and over random ones.
 *
 *  usage: oracle [-s STEP] [-r CASES] [-x SEED] [-o OPERATION] [-p PART/PARTS] [-e EXAMPLES] [-m] [-v]
 *      -s  takes about every STEP-th case of each space (1: all of them)        -r  random cases of larger numbers
 *      -o  one operation        -p  every PARTS-th case, from PART on           -m  the table as Markdown
 *      -e  examples of each class                                               -v  the classes that are right, too
 *
 *  A value is what it maps, an operation is its law. The referee shares no code with the implementation: it makes
 *  operands from public leaves, calls the operation, and reads the leaves of the result.
 *
 *  Verdicts   right; refused rightly (no layout of our form satisfies the law); by condition (one does, and the
 *             operation's documented condition fails); wrong; wrongly refused.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tessera/ops.h"

#include "value.inc"

#include "conditions.inc"
#include "fit.inc"
#include "judge.inc"

#include "law_function.inc"

#include "law_complement.inc"
#include "law_divide.inc"
#include "law_product.inc"

#include "law_inverse.inc"

#include "law_coordinate.inc"

#include "enumerate.inc"
#include "spaces.inc"

typedef struct operation {
    char const *name;
    form form;
    void (*judge)(trial const *, judged *);
} operation;

#define OPERATIONS(X)                                                                                       \
    X(fit, UNARY)                                                                                           \
    X(coalesce, UNARY) X(coalesce_x, UNARY) X(filter, UNARY) X(complement, UNARY) X(complement_in, NUMBERED)  \
    X(composition, TILED_BY) X(composition_swizzle, WITH_FRONT) X(logical_divide, TILED_BY)                   \
    X(zipped_divide, TILED_BY) X(tiled_divide, TILED_BY) X(flat_divide, TILED_BY)                             \
    X(logical_product, TILED_BY) X(zipped_product, TILED_BY) X(tiled_product, TILED_BY)                       \
    X(flat_product, TILED_BY) X(blocked_product, PAIRED) X(raked_product, PAIRED) X(tile_to_shape, SHAPED)    \
    X(right_inverse, UNARY) X(left_inverse, UNARY) X(nullspace, UNARY) X(max_common_layout, PAIRED)           \
    X(max_common_vector, PAIRED) X(append, PAIRED) X(prepend, PAIRED) X(replace, PAIRED) X(zip, PAIRED)       \
    X(get_hier_coord, INDEXED) X(get_flat_coord, INDEXED) X(get_1d_coord, INDEXED) X(idx2crd, INDEXED)        \
    X(local_partition, PAIRED) X(upcast, FACTORED) X(downcast, FACTORED) X(slice, SLICED)                     \
    X(same_function, PAIRED) X(is_injective, UNARY) X(is_surjective, UNARY) X(is_compact, UNARY)              \
    X(is_bijective, UNARY) X(is_contiguous, UNARY)

static operation const operations[] = {
#define X(name, form) {#name, form, judge_##name},
    OPERATIONS(X)
#undef X
};

enum { OPERATIONS_COUNT = sizeof operations / sizeof operations[0] };

#include "tally.inc"

typedef struct options {
    uint64_t step, seed, random, part, parts;
    char const *only;
    bool markdown, verbose;
    int examples;
} options;

static void run_case(int op, trial const *t)
{
    static judged j;
    j.verdict = SKIPPED;
    j.why = "";
    j.has_best = j.has_answer = false;
    j.at = j.got = j.want = 0;
    operations[op].judge(t, &j);
    count_case(op, t, &j);
}

static void run_space(options const *o, int op, space const *s)
{
    static trial t;
    uint64_t const size = space_size(s), step = o->step * (uint64_t)s->thin;
    for (uint64_t i = o->part; i < (size + step - 1) / step; i += o->parts) {
        uint64_t state = o->seed + i;
        uint64_t const index = i * step + (step > 1 ? draw(&state) % step : 0);
        if (index >= size)
            continue;
        space_case(s, index, &t);
        run_case(op, &t);
    }
}

static void run_random(options const *o, bool const *wanted_ops)
{
    static trial t;
    uint64_t state = o->seed * 0x2545f4914f6cdd1du + o->part;
    for (uint64_t i = o->part; i < o->random; i += o->parts) {
        int op = (int)draw_to(&state, OPERATIONS_COUNT);
        while (!wanted_ops[op])
            op = (op + 1) % OPERATIONS_COUNT;
        random_case(operations[op].form, &state, &t);
        run_case(op, &t);
    }
}

static bool read_options(options *o, int n, char **arg)
{
    for (int i = 1; i < n; ++i) {
        char const *const v = i + 1 < n ? arg[i + 1] : "";
        if (arg[i][0] != '-' || arg[i][1] == 0 || arg[i][2] != 0)
            return false;
        switch (arg[i][1]) {
        case 's': o->step = strtoull(v, NULL, 10); ++i; break;
        case 'r': o->random = strtoull(v, NULL, 10); ++i; break;
        case 'x': o->seed = strtoull(v, NULL, 10); ++i; break;
        case 'e': o->examples = atoi(v); ++i; break;
        case 'o': o->only = v; ++i; break;
        case 'p': {
            char *end = NULL;
            o->part = strtoull(v, &end, 10);
            o->parts = *end == '/' ? strtoull(end + 1, NULL, 10) : 0;
            ++i;
            break;
        }
        case 'm': o->markdown = true; break;
        case 'v': o->verbose = true; break;
        default: return false;
        }
    }
    return o->parts > 0 && o->part < o->parts;
}

int main(int n, char **arg)
{
    options o = {0, 1, 0, 0, 1, NULL, false, false, 3};
    bool take_op[OPERATIONS_COUNT];
    bool any = false;
    if (!read_options(&o, n, arg)) {
        fprintf(stderr, "usage: oracle [-s STEP] [-r CASES] [-x SEED] [-o OPERATION] [-p PART/PARTS] [-e EXAMPLES] "
                        "[-m] [-v]\n");
        return 2;
    }
    for (int i = 0; i < OPERATIONS_COUNT; ++i)
        any = (take_op[i] = !o.only || strcmp(o.only, operations[i].name) == 0) || any;
    if (!any) {
        fprintf(stderr, "no operation %s\n", o.only);
        return 2;
    }
    clock_t const start = clock();
    for (int i = 0; o.step > 0 && i < OPERATIONS_COUNT; ++i)
        for (int s = 0; take_op[i] && s < SPACES; ++s)
            if (all_spaces[s].form == operations[i].form)
                run_space(&o, i, &all_spaces[s]);
    if (o.random > 0)
        run_random(&o, take_op);
    return report(o.markdown, o.verbose, o.examples, (double)(clock() - start) / CLOCKS_PER_SEC);
}

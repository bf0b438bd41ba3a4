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

#include "ops/ops.h"

#include "value.inc"

#include "conditions.inc"
#include "lattice.inc"

#include "fit.inc"

#include "fit_points.inc"
#include "judge.inc"

#include "law_function.inc"

#include "law_complement.inc"

#include "law_divide.inc"
#include "law_product.inc"

#include "law_interleave.inc"
#include "law_inverse.inc"

#include "law_coordinate.inc"
#include "law_recast.inc"
#include "law_slice.inc"
#include "law_verdict.inc"

#include "law_modes.inc"

#include "enumerate.inc"

#include "spaces.inc"

/** `thin`: how many cases of its spaces it leaves for one that it takes; the arrangements of a division or a product
 *  move the modes of one that takes all. */
typedef struct operation {
    char const *name;
    form form;
    uint64_t thin;
    void (*judge)(trial const *, judged *);
} operation;

/* clang-format off */
#define OPERATIONS(X)                                                                                         \
    X(fit, UNARY, 1) X(flatten, UNARY, 1) X(transpose, UNARY, 1) X(coalesce_by, NUMBERED, 1)                  \
    X(with_shape, SHAPED, 1) X(local_tile, TILED_BY, 1) X(coalesce, UNARY, 1) X(coalesce_x, UNARY, 1)         \
    X(filter, UNARY, 1) X(complement, UNARY, 1) X(complement_in, NUMBERED, 1) X(composition, TILED_BY, 1)     \
    X(composition_swizzle, WITH_FRONT, 1) X(logical_divide, TILED_BY, 1) X(zipped_divide, TILED_BY, 4)        \
    X(tiled_divide, TILED_BY, 4) X(flat_divide, TILED_BY, 4) X(logical_product, TILED_BY, 1)                  \
    X(zipped_product, TILED_BY, 4) X(tiled_product, TILED_BY, 4) X(flat_product, TILED_BY, 4)                 \
    X(blocked_product, PAIRED, 1) X(raked_product, PAIRED, 4) X(tile_to_shape, SHAPED, 1)                     \
    X(right_inverse, UNARY, 1) X(left_inverse, UNARY, 1) X(nullspace, UNARY, 1)                               \
    X(max_common_layout, PAIRED, 1) X(max_common_vector, PAIRED, 1) X(append, PAIRED, 1)                      \
    X(prepend, PAIRED, 1) X(replace, PAIRED, 1) X(zip, PAIRED, 1) X(get_hier_coord, INDEXED, 1)               \
    X(get_flat_coord, INDEXED, 1) X(get_1d_coord, INDEXED, 1) X(idx2crd, INDEXED, 1)                          \
    X(local_partition, PAIRED, 1) X(upcast, FACTORED, 1) X(downcast, FACTORED, 1) X(slice, SLICED, 1)         \
    X(same_function, PAIRED, 1) X(is_injective, UNARY, 1) X(is_surjective, UNARY, 1) X(is_compact, UNARY, 1)  \
    X(is_bijective, UNARY, 1) X(is_contiguous, UNARY, 1)
/* clang-format on */

static operation const operations[] = {
#define X(name, form, thin) {#name, form, thin, judge_##name},
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
    j.tail[0] = 0;
    j.at = j.got = j.want = 0;
    form const f = operations[op].form;
    bool const second = f == PAIRED || f == TILED_BY;
    swizzled_right = t->swizzle.bits > 0;
    coordinates = has_basis(&t->a);
    astray = false;
    for (int i = 0; i < t->b.parts; ++i) {
        swizzled_right = swizzled_right || t->b.part[i].fronts > 0;
        coordinates = coordinates || (second && has_basis(&t->b.part[i]));
    }
    operations[op].judge(t, &j);
    count_case(op, t, &j);
}

static void run_space(options const *o, int op, space const *s)
{
    static trial t;
    uint64_t const size = space_size(s), step = o->step * (uint64_t)s->thin * operations[op].thin;
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
        /* clang-format off */
        case 's': o->step = strtoull(v, NULL, 10); ++i; break;
        case 'r': o->random = strtoull(v, NULL, 10); ++i; break;
        case 'x': o->seed = strtoull(v, NULL, 10); ++i; break;
        case 'e': o->examples = atoi(v); ++i; break;
        case 'o': o->only = v; ++i; break;
        /* clang-format on */
        case 'p': {
            char *end = NULL;
            o->part = strtoull(v, &end, 10);
            o->parts = *end == '/' ? strtoull(end + 1, NULL, 10) : 0;
            ++i;
            break;
        }
        case 'm':
            o->markdown = true;
            break;
        case 'v':
            o->verbose = true;
            break;
        default:
            return false;
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

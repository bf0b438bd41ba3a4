/** Fragments of random tile programs: moves counted element by element, every choice of an operation against its
 *  elements, and the cost against all assignments of the candidates. Texts that are refused.
 *
 *  usage: infer [SEED [CASES]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "infer/infer.h"
#include "random.h"

enum { ELEMENTS = 256, THREADS = 128, MOST_ASSIGNMENTS = 4000 };

static long failed, moves_tried, choices_tried, programs_tried, exact;

static bool expect(bool ok, char const *what, char const *text)
{
    if (!ok && failed++ < 10)
        printf("FAILED %s\n%s\n", what, text);
    return ok;
}

/* Fragments by their elements */

static uint64_t at(fragment const *f, int thread, int reg)
{
    uint64_t r = 0;
    for (int i = 0; i < INFER_THREADS; ++i)
        r ^= thread >> i & 1 ? f->thread[i] : 0;
    for (int i = 0; i < f->registers; ++i)
        r ^= reg >> i & 1 ? f->reg[i] : 0;
    return r;
}

static void hold(fragment const *f, int threads, bool held[THREADS][ELEMENTS])
{
    memset(held, 0, sizeof(bool[THREADS][ELEMENTS]));
    for (int t = 0; t < threads; ++t)
        for (int r = 0; r < 1 << f->registers; ++r)
            held[t][at(f, t, r)] = true;
}

static bool warp_holds(bool held[THREADS][ELEMENTS], int thread, int element)
{
    bool r = false;
    for (int t = thread / 32 * 32; t < thread / 32 * 32 + 32; ++t)
        r = r || held[t][element];
    return r;
}

static tsr_move_count counted(fragment const *from, fragment const *to, int warps)
{
    static bool have[THREADS][ELEMENTS], want[THREADS][ELEMENTS];
    tsr_move_count n = {0, 0, 0};
    hold(from, 32 << warps, have);
    hold(to, 32 << warps, want);
    for (int t = 0; t < 32 << warps; ++t)
        for (int e = 0; e < ELEMENTS; ++e)
            if (want[t][e]) {
                bool const near = warp_holds(have, t, e);
                n.own += have[t][e];
                n.shuffled += near && !have[t][e];
                n.shared += !near;
            }
    return n;
}

/** Bits in any order, some threads without, and sums of bases. */
static fragment any_fragment(int bits, int warps)
{
    fragment f;
    int order[INFER_BITS], n = 0;
    memset(&f, 0, sizeof f);
    for (int i = 0; i < bits; ++i) {
        int const k = (int)below(i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    for (int i = 0; i < INFER_LANES + warps; ++i)
        if (n < bits && below(4) > 0)
            f.thread[i] = (uint64_t)1 << order[n++];
    while (n < bits)
        tsr_infer_push_(&f, (uint64_t)1 << order[n++]);
    for (int k = 0; f.registers > 0 && k < 3; ++k)
        f.thread[below(INFER_LANES + warps)] ^= below(2) ? f.reg[below(f.registers)] : 0;
    return f;
}

static void try_move(void)
{
    int const bits = (int)below(8), warps = (int)below(3);
    fragment const a = any_fragment(bits, warps), b = any_fragment(bits, warps);
    tsr_move_count const got = tsr_infer_move_(&a, &b, warps), wanted = counted(&a, &b, warps);
    ++moves_tried;
    expect(memcmp(&got, &wanted, sizeof got) == 0, "a move is counted as its elements are", "");
}

/* Choices by their elements */

static void coordinate(value_of const *v, int64_t element, int *c)
{
    for (int d = 0; d < v->dims; element >>= v->bits[d++])
        c[d] = (int)(element & ((1 << v->bits[d]) - 1));
}

static int64_t element_at(value_of const *v, int const *c)
{
    int64_t r = 0;
    for (int d = v->dims - 1; d >= 0; --d)
        r = r << v->bits[d] | (v->bits[d] ? c[d] : 0);
    return r;
}

/** The order of rows, as NumPy counts. */
static int64_t row_index(value_of const *v, int64_t element)
{
    int c[INFER_DIMS];
    int64_t r = 0;
    coordinate(v, element, c);
    for (int d = 0; d < v->dims; ++d)
        r = r << v->bits[d] | c[d];
    return r;
}

/** The element of operand i that element e of the result is made of; -1: others, too. */
static int64_t made_of(tsr_inference const *p, value_of const *op, int i, int64_t e)
{
    value_of const *const a = &p->value[op->operand[i]];
    int c[INFER_DIMS], from[INFER_DIMS];
    coordinate(op, e, c);
    if (op->kind == OP_ELEMENTWISE)
        return element_at(a, c);
    if (op->kind == OP_TRANSPOSE) { /* <1,0> */
        from[0] = c[1];
        from[1] = c[0];
        return element_at(a, from);
    }
    for (int64_t x = 0; op->kind == OP_RESHAPE && x < 1 << a->total; ++x)
        if (row_index(a, x) == row_index(op, e))
            return x;
    return -1;
}

/** Is element y of a reduced to e? */
static bool reduces_to(value_of const *a, value_of const *op, int64_t y, int64_t e)
{
    int c[INFER_DIMS];
    coordinate(a, y, c);
    return element_at(op, c) == e;
}

static void try_choice(tsr_inference const *p, value_of const *op, choice const *c, char const *text)
{
    static bool result[THREADS][ELEMENTS], have[INFER_OPERANDS][THREADS][ELEMENTS];
    int const threads = 32 << p->warps;
    bool ok = true;
    hold(&c->need[op->operands], threads, result);
    for (int i = 0; i < op->operands; ++i)
        hold(&c->need[i], threads, have[i]);
    for (int t = 0; t < threads; ++t)
        for (int64_t e = 0; e < 1 << op->total; ++e)
            for (int i = 0; i < op->operands && result[t][e]; ++i) {
                int64_t const x = made_of(p, op, i, e);
                ok = ok && (x < 0 || have[i][t][x]);
            }
    value_of const *const a = &p->value[op->operand[0]];
    for (int64_t y = 0; op->kind == OP_REDUCE && y < 1 << a->total; ++y) {
        bool found = false;
        for (int t = 0; t < threads; ++t)
            for (int64_t e = 0; have[0][t][y] && e < 1 << op->total; ++e)
                found = found || (result[t][e] && reduces_to(a, op, y, e));
        ok = ok && found;
    }
    int const m = op->bits[0], n = op->bits[1], k = op->kind == OP_MMA ? a->bits[1] : 0;
    for (int t = 0; op->kind == OP_MMA && t < threads; ++t)
        for (int64_t e = 0; e < 1 << op->total; ++e)
            for (int j = 0; result[t][e] && j < 1 << k; ++j)
                ok = ok && warp_holds(have[0], t, (int)((e & ((1 << m) - 1)) | j << m))
                     && warp_holds(have[1], t, (int)(e >> m | (int64_t)j << n)) && have[2][t][e];
    ++choices_tried;
    expect(ok, "the threads hold what an operation needs", text);
}

/* All assignments */

static fragment const *home(value_of const *v)
{
    return is_computed(v) ? &v->choice[v->chosen].need[v->operands] : v->given ? &v->fixed : &v->pool[v->home];
}

/** The cost of an assignment: of each value the different fragments that others need, and its given one. */
static int64_t cost_of(tsr_inference const *p)
{
    int64_t cost = 0;
    for (int v = 0; v < p->values; ++v) {
        value_of const *const x = &p->value[v];
        fragment wanted[INFER_VALUES];
        int n = 0;
        cost += is_computed(x) ? x->choice[x->chosen].cost : 0;
        if (is_computed(x) && x->given)
            wanted[n++] = x->fixed;
        for (int u = 0; u < p->values; ++u)
            for (int i = 0; is_computed(&p->value[u]) && i < p->value[u].operands; ++i) {
                fragment const *const f = &p->value[u].choice[p->value[u].chosen].need[i];
                bool known = p->value[u].operand[i] != v;
                for (int k = 0; !known && k < n; ++k)
                    known = tsr_infer_same_(&wanted[k], f, p->warps);
                if (!known)
                    wanted[n++] = *f;
            }
        for (int k = 0; k < n; ++k)
            cost += tsr_infer_cost_(home(x), &wanted[k], p->warps);
    }
    return cost;
}

static int64_t least_from(tsr_inference *p, int v)
{
    int64_t least = INT64_MAX;
    if (v == p->values)
        return cost_of(p);
    value_of *const x = &p->value[v];
    int const n = is_computed(x) ? x->choices : x->given ? 1 : x->fragments;
    for (int i = 0; i < n; ++i) {
        x->chosen = x->home = i;
        int64_t const cost = least_from(p, v + 1);
        least = cost < least ? cost : least;
    }
    return least;
}

static void try_all(tsr_inference *p, char const *text)
{
    int64_t all = 1, moved = 0;
    for (int v = 0; v < p->values && all <= MOST_ASSIGNMENTS; ++v)
        all *= is_computed(&p->value[v]) ? p->value[v].choices : p->value[v].given ? 1 : p->value[v].fragments;
    expect(cost_of(p) == p->cost, "the cost is that of the fragments", text);
    for (int i = 0; i < p->moves; ++i)
        moved += p->move[i].count.shuffled + TSR_INFER_SHARED * p->move[i].count.shared;
    for (int v = 0; v < p->values; ++v)
        moved += is_computed(&p->value[v]) ? p->value[v].choice[p->value[v].chosen].cost : 0;
    expect(moved == p->cost, "the cost is that of the moves and the reductions", text);
    if (all > MOST_ASSIGNMENTS || !p->proved)
        return;
    ++exact;
    expect(least_from(p, 0) == p->cost, "no assignment costs less", text);
}

/* Programs */

static char text[1 << 13];

static void say(char const *words) { strncat(text, words, sizeof text - strlen(text) - 1); }

static void say_given(int rows, int columns, int warps)
{
    char map[1 << 11];
    value_of v;
    memset(&v, 0, sizeof v);
    v.dims = 2;
    v.bits[0] = rows;
    v.bits[1] = columns;
    v.total = rows + columns;
    fragment const f = any_fragment(v.total, warps);
    tsr_format_linear(map, sizeof map, tsr_infer_map_(&f, &v, warps));
    say(" @ ");
    say(map);
}

/** A program over values of 16 x 8 elements, x0 and x1, their rows r, and what is made of them. */
static void any_program(void)
{
    static char const *const lines[] = {
        "y = elementwise(x0, x1)\n",
        "y = elementwise(x0, r)\n",
        "y = transpose<1,0>(x0)\n",
        "y = reduce<1>(x0)\n",
        "y = reduce<0>(x1)\n",
        "y = reshape<(4,32)>(x0)\n",
        "y = shared(x1)\n",
        "y = elementwise(x0)\n",
        "y = mma<SM80_16x8x8_F32TF32TF32F32_TN>(x0, b, x1)\n",
    };
    static char const *const more[] = {
        "z = elementwise(y)\n", "z = elementwise(y, y)\n", "z = transpose<1,0>(y)\n",   "z = reduce<1>(y)\n",
        "z = reduce<0>(y)\n",   "z = reshape<(2,2)>(y)\n", "z = elementwise(x0, x1)\n", "z = elementwise(x1, r)\n"};
    int const warps = (int)below(2);
    text[0] = 0;
    say(warps ? "warps 2\n" : "warps 1 # one\n");
    say("x0: (16,8)");
    if (below(3) > 0)
        say_given(4, 3, warps);
    say("\nx1: (16,8)");
    if (below(2) > 0)
        say_given(4, 3, warps);
    say("\n\nr: (16,1)");
    if (below(2) > 0)
        say_given(4, 0, warps);
    say("\nb: (8,8)\n");
    say(lines[below(9)]);
    say(more[below(8)]);
}

static void try_program(void)
{
    tsr_message error;
    any_program();
    tsr_inference *const p = tsr_infer(text, &error);
    if (!p)
        return;
    ++programs_tried;
    for (int v = 0; v < p->values; ++v)
        for (int i = 0; is_computed(&p->value[v]) && i < p->value[v].choices; ++i)
            try_choice(p, &p->value[v], &p->value[v].choice[i], text);
    try_all(p, text);
    tsr_inference_free(p);
}

/** A program, and how its refusal begins. */
static char const *const refused[][2] = {
    {"", "the program has no values"},
    {"x: (3,4)", "line 1: extent 3 of mode 0 is no power of two"},
    {"x: (4,4)\nx: (4,4)", "line 2: x has a value already"},
    {"y = elementwise(x)", "line 1: x has no value"},
    {"x: (4,4)\ny = add(x)", "line 2: add is none of shared, elementwise"},
    {"x: (4,4)\nz: (2,4)\ny = elementwise(x, z)", "line 3: extent 2 of mode 0 of z is neither 1 nor 4"},
    {"x: (4,4)\ny = reduce<2>(x)", "line 2: 1 modes from 0 to 1 are expected"},
    {"x: (4,4)\ny = transpose<0,0>(x)", "line 2: transpose names each mode once"},
    {"x: (4,4)\ny = reshape<(4,8)>(x)", "line 2: the shape has 32 elements, x has 16"},
    {"x: (4,4)\ny = mma<SM80_16x8x8_F32TF32TF32F32_TN>(x, x, x)", "line 2: extent 4 is no multiple of the 16"},
    {"x: (4,4)\ny = mma<ABC>(x, x, x)", "line 2: ABC is no MMA atom"},
    {"x: (4,4) @ linear{lane=((0,1),(0,2)) -> dim0=4;dim1=4}",
     "line 1: the fragment does not hold every element of x"},
    {"x: (4,4) @ linear{thread=((0,1)) -> dim0=4;dim1=4}",
     "line 1: a fragment has the inputs register, lane and warp"},
    {"x: (4,4) @ linear{register=(1,2,4) -> o=8}", "line 1: the fragment and x have different extents"},
    {"x: (1,131072)\nz: (131072,1)\ny = elementwise(x, z)", "line 3: a value has at most 2^18 elements"},
    {"warps 3", "line 1: the number of warps is a power of two"},
    {"x (4,4)", "line 1: `:` or `=` is expected behind x"},
    {"x: (4,4) y", "line 1: a shape has 1 to 6 extents"},
    {"x: (4,4)\ny = elementwise(x) z", "line 2: nothing more is expected on this line"},
    {"x: (32768,32768)\ny = reduce<0>(x)", "line 1: a value has at most 2^18 elements"},
};

static void try_refused(void)
{
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; ++i) {
        tsr_message error;
        tsr_inference *const p = tsr_infer(refused[i][0], &error);
        if (!expect(!p && strncmp(error.text, refused[i][1], strlen(refused[i][1])) == 0, refused[i][1],
                    p ? "it is taken" : error.text))
            tsr_inference_free(p);
    }
}

int main(int argc, char **argv)
{
    long const cases = argc > 2 ? atol(argv[2]) : 300;
    random_begin(argc > 1 ? (uint64_t)atol(argv[1]) : 1);
    try_refused();
    for (long i = 0; i < cases; ++i) {
        try_move();
        try_program();
    }
    printf("%ld moves, %ld choices, %ld programs, %ld of them against all assignments; %ld fail\n", moves_tried,
           choices_tried, programs_tried, exact, failed);
    return failed > 0 || exact < cases / 8;
}

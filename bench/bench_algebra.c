/* What operations and evaluations cost at run time, where no compiler has computed them. Every result is checked
 * before it is timed. Limits: 80 ns a composition of up to four leaves, 200 ns any other operation, 100 ns the slice of
 * a tensor, 1 us a verdict, 40 ns a value made of numbers, 5 ns an evaluation; and an evaluation takes no longer than
 * the loop of divisions that one would write by hand for the same numbers (a twentieth is allowed for noise). */
#include "tessera/text.h"
#include "timing.h"

#define LIMIT_COMPOSITION 80.0
#define LIMIT_OPERATION 200.0
#define LIMIT_SLICE 100.0
#define LIMIT_VERDICT 1000.0
#define LIMIT_EVALUATION 5.0
#define LIMIT_MAKER 40.0
#define LIMIT_RATIO 1.05

/* Operations. Layouts come from text, and calls go through pointers, so that the compiler knows no number. */

typedef tsr_layout (*binary)(tsr_layout const *a, tsr_layout const *b);

static tsr_layout composition(tsr_layout const *a, tsr_layout const *b) { return tsr_composition(*a, *b); }

static tsr_layout logical_divide(tsr_layout const *a, tsr_layout const *b) { return tsr_logical_divide(*a, *b); }

static tsr_layout logical_product(tsr_layout const *a, tsr_layout const *b) { return tsr_logical_product(*a, *b); }

static tsr_layout complement(tsr_layout const *a, tsr_layout const *b) { return tsr_complement_in(*a, b->shape); }

static tsr_layout zipped_divide(tsr_layout const *a, tsr_layout const *b) { return tsr_zipped_divide(*a, b->shape); }

static tsr_layout tiled_divide(tsr_layout const *a, tsr_layout const *b) { return tsr_tiled_divide(*a, b->shape); }

static tsr_layout flat_divide(tsr_layout const *a, tsr_layout const *b) { return tsr_flat_divide(*a, b->shape); }

static tsr_layout flat_product(tsr_layout const *a, tsr_layout const *b) { return tsr_flat_product(*a, *b); }

static tsr_layout blocked_product(tsr_layout const *a, tsr_layout const *b) { return tsr_blocked_product(*a, *b); }

static tsr_layout raked_product(tsr_layout const *a, tsr_layout const *b) { return tsr_raked_product(*a, *b); }

static tsr_layout coalesce(tsr_layout const *a, tsr_layout const *b)
{
    (void)b;
    return tsr_coalesce(*a);
}

static tsr_layout right_inverse(tsr_layout const *a, tsr_layout const *b)
{
    (void)b;
    return tsr_right_inverse(*a);
}

/** A verdict, which gives the layout back when it is yes. */
static tsr_layout is_injective(tsr_layout const *a, tsr_layout const *b)
{
    return *(tsr_is_injective(*a).answer == TSR_YES ? a : b);
}

static tsr_layout same_function(tsr_layout const *a, tsr_layout const *b)
{
    return *(tsr_same_function(*a, *b).answer == TSR_YES ? b : a);
}

typedef struct operation {
    char const *name;
    binary run;
    char const *a, *b, *want; /* zipped, tiled and flat divide: the shape of b is a tile; complement: the cotarget */
    tsr_layout left, right;
} operation;

static operation operations[] = {
    {.name = "composition", .run = composition, .a = "20:2", .b = "(5,4):(4,1)", .want = "(5,4):(8,2)"},
    {.name = "composition",
     .run = composition,
     .a = "(10,2):(16,4)",
     .b = "(5,4):(1,5)",
     .want = "((5,1),(2,2)):((16,4),(80,4))"},
    {.name = "composition",
     .run = composition,
     .a = "(_8,_16):(_16,_1)",
     .b = "((_2,_4),(_4,_4)):((_4,_8),(_1,_32))",
     .want = "((_2,_4),(_4,_4)):((_64,_1),(_16,_4))"},
    {.name = "composition",
     .run = composition,
     .a = "((_2,_2),(_2,_2),(_2,_2)):((_1,_8),(_2,_16),(_4,_32))",
     .b = "((_4,_2),(_2,_4)):((_2,_1),(_32,_8))",
     .want = "(((_2,_2),_2),(_2,(_2,_2))):(((_8,_2),_1),(_32,(_16,_4)))"},
    {.name = "complement", .run = complement, .a = "_4:_2", .b = "_24:_1", .want = "(_2,_3):(_1,_8)"},
    {.name = "complement",
     .run = complement,
     .a = "(_4,_2,_2):(_1,_16,_64)",
     .b = "_512:_1",
     .want = "(_4,_2,_4):(_4,_32,_128)"},
    {.name = "logical_divide",
     .run = logical_divide,
     .a = "(4,2,3):(2,1,8)",
     .b = "4:2",
     .want = "((2,2,1),((2,1,1),(1,1,3))):((4,1,8),((2,1,8),(16,2,8)))"},
    {.name = "logical_divide",
     .run = logical_divide,
     .a = "(_4,_2,_3):(_2,_1,_8)",
     .b = "_4:_2",
     .want = "((_2,_2),(_2,_3)):((_4,_1),(_2,_8))"},
    {.name = "zipped_divide",
     .run = zipped_divide,
     .a = "(_128,_64):(_1,_128)",
     .b = "(_32,_8):(_1,_32)",
     .want = "((_32,_8),(_4,_8)):((_1,_128),(_32,_1024))"},
    {.name = "tiled_divide",
     .run = tiled_divide,
     .a = "(_128,_64):(_1,_128)",
     .b = "(_32,_8):(_1,_32)",
     .want = "((_32,_8),_4,_8):((_1,_128),_32,_1024)"},
    {.name = "flat_divide",
     .run = flat_divide,
     .a = "(_128,_64):(_1,_128)",
     .b = "(_32,_8):(_1,_32)",
     .want = "(_32,_8,_4,_8):(_1,_128,_32,_1024)"},
    {.name = "logical_product",
     .run = logical_product,
     .a = "(_2,_2):(_4,_1)",
     .b = "(_4,_2):(_2,_1)",
     .want = "((_2,_2),(_4,_2)):((_4,_1),(_8,_2))"},
    {.name = "flat_product",
     .run = flat_product,
     .a = "(_2,_2):(_4,_1)",
     .b = "(_4,_2):(_2,_1)",
     .want = "(_2,_2,_4,_2):(_4,_1,_8,_2)"},
    {.name = "blocked_product",
     .run = blocked_product,
     .a = "(_2,_2):(_4,_1)",
     .b = "(_4,_2):(_2,_1)",
     .want = "((_2,_4),(_2,_2)):((_4,_8),(_1,_2))"},
    {.name = "raked_product",
     .run = raked_product,
     .a = "(_2,_2):(_4,_1)",
     .b = "(_4,_2):(_2,_1)",
     .want = "((_4,_2),(_2,_2)):((_8,_4),(_2,_1))"},
    {.name = "coalesce", .run = coalesce, .a = "(_2,(_1,_6)):(_1,(_6,_2))", .b = "1:0", .want = "_12:_1"},
    {.name = "coalesce",
     .run = coalesce,
     .a = "(_2,_2,_2,_4,_2,_2):(_1,_2,_4,_64,_8,_16)",
     .b = "1:0",
     .want = "(_8,_4,_4):(_1,_64,_8)"},
    {.name = "right_inverse", .run = right_inverse, .a = "(_4,_8):(_8,_1)", .b = "1:0", .want = "(_8,_4):(_4,_1)"},
    {.name = "right_inverse",
     .run = right_inverse,
     .a = "(_2,_2,_2,_4,_2,_2):(_1,_2,_4,_64,_8,_16)",
     .b = "1:0",
     .want = "(_8,_4):(_1,_32)"},
    {.name = "is_injective",
     .run = is_injective,
     .a = "(1048576,1048576):(1,1048576)",
     .b = "1:0",
     .want = "(1048576,1048576):(1,1048576)"},
    {.name = "same_function",
     .run = same_function,
     .a = "(1048576,(1024,1024)):(1,(1048576,1073741824))",
     .b = "1099511627776:1",
     .want = "1099511627776:1"},
};

enum { OPERATIONS = sizeof operations / sizeof operations[0] };

static void run_operation(bench_case const *self, int64_t times)
{
    operation const *const op = (operation const *)self->data;
    binary volatile const run = op->run;
    int64_t sum = 0;
    for (int64_t i = 0; i < times; ++i)
        sum += run(&op->left, &op->right).shape.leaves;
    bench_sink = sum;
}

static bool check_operation(operation *op)
{
    static char text[TSR_TEXT_SIZE];
    op->left = tsr_parse(op->a);
    op->right = tsr_parse(op->b);
    (void)tsr_format_layout(text, sizeof text, op->run(&op->left, &op->right), 0);
    if (strcmp(text, op->want) == 0)
        return true;
    printf("%s of %s and %s: %s, wanted %s\n", op->name, op->a, op->b, text, op->want);
    return false;
}

/* Parts of a tensor over a pointer: what is checked is the layout, and the element that it begins with. */

typedef struct part {
    char const *name, *of;
    tsr_tensor (*take)(tsr_tensor const *t, int64_t i, int64_t j);
    int64_t i, j;
    char const *want;
    int64_t first;
    tsr_tensor whole;
} part;

static float part_memory[1];

static tsr_tensor slice_row(tsr_tensor const *t, int64_t i, int64_t j)
{
    (void)j;
    return tsr_slice(tsr_t(i, tsr_wild()), *t);
}

static tsr_tensor slice_tile(tsr_tensor const *t, int64_t i, int64_t j)
{
    return tsr_slice(tsr_t(tsr_wild(), tsr_t(i, j)), *t);
}

static tsr_tensor from_coordinate(tsr_tensor const *t, int64_t i, int64_t j)
{
    return tsr_tensor_domain_offset(tsr_t(i, j), *t);
}

static tsr_tensor divided(tsr_tensor const *t, int64_t i, int64_t j) { return tsr_zipped_divide(*t, tsr_t(i, j)); }

static tsr_tensor first_mode(tsr_tensor const *t, int64_t i, int64_t j)
{
    (void)j;
    return tsr_get(*t, i);
}

static tsr_tensor local_tile(tsr_tensor const *t, int64_t i, int64_t j)
{
    return tsr_local_tile(*t, tsr_tile(32, 8), tsr_t(i, j));
}

static tsr_tensor local_partition(tsr_tensor const *t, int64_t i, int64_t j)
{
    return tsr_local_partition(*t, tsr_make_layout(tsr_t(32, j)), i);
}

static part parts[] = {
    {"slice a row", "(128,64):(64,1)", slice_row, 3, 0, "(64):(1)", 192, {0}},
    {"slice a tile", "((32,8),(4,8)):((64,1),(2048,8))", slice_tile, 3, 2, "((32,8)):((64,1))", 6160, {0}},
    {"domain_offset", "(128,64):(64,1)", from_coordinate, 3, 2, "(128,64):(64,1)", 194, {0}},
    {"get a mode", "((32,8),(4,8)):((64,1),(2048,8))", first_mode, 0, 0, "(32,8):(64,1)", 0, {0}},
    {"zipped_divide", "(128,64):(64,1)", divided, 32, 8, "((32,8),(4,8)):((64,1),(2048,8))", 0, {0}},
    {"local_tile", "(128,64):(64,1)", local_tile, 3, 2, "(32,8):(64,1)", 6160, {0}},
    {"local_partition", "(128,64):(64,1)", local_partition, 37, 8, "(4,8):(2048,8)", 321, {0}},
};

enum { PARTS = sizeof parts / sizeof parts[0] };

static bool check_part(part *p)
{
    static char text[TSR_TEXT_SIZE];
    p->whole = tsr_make_tensor(tsr_make_gmem_ptr(part_memory), tsr_parse(p->of));
    tsr_tensor const t = p->take(&p->whole, p->i, p->j);
    int64_t const first = (int64_t)(t.engine.address - p->whole.engine.address) / (int64_t)sizeof(float);
    (void)tsr_format_layout(text, sizeof text, tsr_tensor_layout(t), 0);
    if (strcmp(text, p->want) == 0 && first == p->first)
        return true;
    printf("%s of %s: %s at %d, wanted %s at %d\n", p->name, p->of, text, (int)first, p->want, (int)p->first);
    return false;
}

static void run_part(bench_case const *self, int64_t times)
{
    part const *const p = (part const *)self->data;
    int64_t sum = 0;
    for (int64_t i = 0; i < times; ++i)
        sum += (int64_t)p->take(&p->whole, p->i, p->j).engine.address;
    bench_sink = sum;
}

/* Evaluations. The pair of a case is the same sum over i, by the library and by hand. */

enum { COORDINATES = 256 };

/** What one would write who needs no layouts: extents, strides, a loop. */
typedef struct modes {
    int64_t count, extent[TSR_MAX_LEAVES], stride[TSR_MAX_LEAVES];
} modes;

typedef struct evaluation {
    char const *layout;
    tsr_layout l;
    modes m;
} evaluation;

static evaluation evaluations[] = {
    {.layout = "(8,(4,4)):(4,(1,32))"},
    {.layout = "((2,4),(4,16)):((1,64),(2,256))"},
    {.layout = "((2,3,5),(4,7,3)):((1,24,72),(2,360,2520))"},
};

enum { EVALUATIONS = sizeof evaluations / sizeof evaluations[0] };

static int64_t by_hand(modes const *m, int64_t i)
{
    uint64_t rest = (uint64_t)i, offset = 0;
    for (int64_t k = 0; k + 1 < m->count; ++k) {
        offset += rest % (uint64_t)m->extent[k] * (uint64_t)m->stride[k];
        rest /= (uint64_t)m->extent[k];
    }
    return (int64_t)(offset + rest * (uint64_t)m->stride[m->count - 1]);
}

static BENCH_NOINLINE int64_t sum_layout(tsr_layout const *l)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < COORDINATES; ++i)
        sum += tsr_at(*l, i);
    return sum;
}

static BENCH_NOINLINE int64_t sum_layout_by_hand(modes const *m)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < COORDINATES; ++i)
        sum += by_hand(m, i);
    return sum;
}

/** A literal with a leading dimension that is known at run time only; xor keeps the loop from becoming a formula. */
static BENCH_NOINLINE int64_t sum_literal(int64_t ld)
{
    int64_t sum = 0;
    for (int64_t i = 0; i < COORDINATES; ++i)
        sum ^= tsr_at(tsr_make_layout(tsr_t(tsr_t(2, 6), 8), tsr_t(tsr_t(1, 16), ld)), i);
    return sum;
}

static BENCH_NOINLINE int64_t sum_literal_by_hand(int64_t ld)
{
    int64_t sum = 0;
    for (uint64_t i = 0; i < COORDINATES; ++i)
        sum ^= (int64_t)(i % 2 + i / 2 % 6 * 16 + i / 12 * (uint64_t)ld);
    return sum;
}

static void run_layout(bench_case const *self, int64_t times)
{
    for (int64_t t = 0; t < times; t += COORDINATES)
        bench_sink = sum_layout(&((evaluation const *)self->data)->l);
}

static void run_layout_by_hand(bench_case const *self, int64_t times)
{
    for (int64_t t = 0; t < times; t += COORDINATES)
        bench_sink = sum_layout_by_hand(&((evaluation const *)self->data)->m);
}

static void run_literal(bench_case const *self, int64_t times)
{
    for (int64_t t = 0; t < times; t += COORDINATES)
        bench_sink = sum_literal(*(int64_t const volatile *)self->data);
}

static void run_literal_by_hand(bench_case const *self, int64_t times)
{
    for (int64_t t = 0; t < times; t += COORDINATES)
        bench_sink = sum_literal_by_hand(*(int64_t const volatile *)self->data);
}

/* Makers: what a program writes first, of numbers that are known at run time only. */

typedef struct maker {
    char const *name;
    int64_t m, n;
    void (*make)(struct maker *x);
    tsr_tensor made;
} maker;

static float maker_memory[1];

static BENCH_NOINLINE void make_tuple(maker *x) { x->made.layout.shape = tsr_t(x->m, x->n); }

static BENCH_NOINLINE void make_layout(maker *x)
{
    x->made.layout = tsr_make_layout(tsr_t(x->m, x->n), tsr_t(x->n, 1));
}

static BENCH_NOINLINE void make_tensor(maker *x)
{
    x->made = tsr_make_tensor(tsr_make_gmem_ptr(maker_memory), tsr_t(x->m, x->n), tsr_t(x->n, 1));
}

static BENCH_NOINLINE void make_tensor_of_layout(maker *x)
{
    x->made = tsr_make_tensor(tsr_make_gmem_ptr(maker_memory), tsr_make_layout(tsr_t(x->m, x->n), tsr_t(x->n, 1)));
}

static BENCH_NOINLINE void make_tensor_untagged(maker *x)
{
    x->made = tsr_make_tensor(maker_memory, tsr_t(x->m, x->n), tsr_t(x->n, 1));
}

static BENCH_NOINLINE void make_tensor_right(maker *x)
{
    x->made = tsr_make_tensor(maker_memory, tsr_t(x->m, x->n), tsr_right());
}

static BENCH_NOINLINE void make_tensor_compact(maker *x)
{
    x->made = tsr_make_tensor(maker_memory, tsr_t(x->m, x->n));
}

static maker makers[] = {
    {.name = "tsr_t(m, n)", .m = 5, .n = 7, .make = make_tuple},
    {.name = "tsr_make_layout(tsr_t(m, n), tsr_t(n, 1))", .m = 5, .n = 7, .make = make_layout},
    {.name = "tsr_make_tensor(tsr_make_gmem_ptr(p), tsr_t(m, n), tsr_t(n, 1))", .m = 5, .n = 7, .make = make_tensor},
    {.name = "tsr_make_tensor(tsr_make_gmem_ptr(p), tsr_make_layout(..))",
     .m = 5,
     .n = 7,
     .make = make_tensor_of_layout},
    {.name = "tsr_make_tensor(p, tsr_t(m, n), tsr_t(n, 1))", .m = 5, .n = 7, .make = make_tensor_untagged},
    {.name = "tsr_make_tensor(p, tsr_t(m, n), tsr_right())", .m = 5, .n = 7, .make = make_tensor_right},
    {.name = "tsr_make_tensor(p, tsr_t(n, m))", .m = 7, .n = 5, .make = make_tensor_compact},
};

enum { MAKERS = sizeof makers / sizeof makers[0] };

static bool check_maker(maker *x)
{
    x->make(x);
    tsr_layout l = x->made.layout;
    if (l.stride.leaves == 0)
        l.stride = tsr_t(7, 1);
    return tsr_equal(l, tsr_parse(x->make == make_tensor_compact ? "(7,5):(1,7)" : "(5,7):(7,1)"));
}

static void run_maker(bench_case const *self, int64_t times)
{
    for (int64_t t = 0; t < times; ++t)
        ((maker const *)self->data)->make((maker *)(uintptr_t)self->data);
}

static bool check_evaluation(evaluation *e)
{
    e->l = tsr_parse(e->layout);
    e->m.count = e->l.shape.leaves;
    for (int k = 0; k < e->l.shape.leaves; ++k) {
        e->m.extent[k] = e->l.shape.leaf[k].value;
        e->m.stride[k] = e->l.stride.leaf[k].value;
    }
    for (int64_t i = 0; i < 2 * tsr_size(e->l); ++i) {
        if (tsr_at(e->l, i) != by_hand(&e->m, i)) {
            printf("%s at %d: %lld, by hand %lld\n", e->layout, (int)i, (long long)tsr_at(e->l, i),
                   (long long)by_hand(&e->m, i));
            return false;
        }
    }
    return true;
}

/* The report */

static int report(char const *what, char const *layouts, double ns, double limit)
{
    bool const ok = ns <= limit;
    printf("%-15s  %-78s  %7.1f ns  limit %5.0f  %s\n", what, layouts, ns, limit, ok ? "ok" : "OVER");
    return !ok;
}

static int report_ratio(char const *what, char const *layouts, double ns, double by_hand_ns)
{
    bool const ok = ns <= LIMIT_RATIO * by_hand_ns;
    printf("%-15s  %-78s  %7.2f ns  by hand %5.2f, ratio %4.2f  %s\n", what, layouts, ns, by_hand_ns, ns / by_hand_ns,
           ok ? "ok" : "OVER");
    return !ok;
}

int main(void)
{
    static bench_case slow[OPERATIONS], fast[2 * EVALUATIONS + 2], made[MAKERS], taken[PARTS];
    static int64_t volatile leading_dimension = 200;
    static int64_t ld;
    int bad = 0, over = 0;

    bench_one_thread = true;
    bench_print_machine();
    printf("at most %d leaves; %d bytes a tensor, %d a layout, %d a tuple, %d a leaf\n", TSR_MAX_LEAVES,
           (int)sizeof(tsr_tensor), (int)sizeof(tsr_layout), (int)sizeof(tsr_tuple), (int)sizeof(tsr_leaf));
    for (int i = 0; i < OPERATIONS; ++i) {
        bad += !check_operation(&operations[i]);
        slow[i].run = run_operation;
        slow[i].data = &operations[i];
    }
    for (int i = 0; i < MAKERS; ++i) {
        bad += !check_maker(&makers[i]);
        made[i].run = run_maker;
        made[i].data = &makers[i];
    }
    for (int i = 0; i < PARTS; ++i) {
        bad += !check_part(&parts[i]);
        taken[i].run = run_part;
        taken[i].data = &parts[i];
    }
    for (int i = 0; i < EVALUATIONS; ++i) {
        bad += !check_evaluation(&evaluations[i]);
        fast[2 * i].run = run_layout;
        fast[2 * i + 1].run = run_layout_by_hand;
        fast[2 * i].data = fast[2 * i + 1].data = &evaluations[i];
    }
    ld = leading_dimension;
    bad += sum_literal(ld) != sum_literal_by_hand(ld);
    fast[2 * EVALUATIONS].run = run_literal;
    fast[2 * EVALUATIONS + 1].run = run_literal_by_hand;
    fast[2 * EVALUATIONS].data = fast[2 * EVALUATIONS + 1].data = &ld;
    if (bad) {
        printf("%d results are wrong, nothing is timed\n", bad);
        return 1;
    }

    bench_measure(slow, OPERATIONS, 200);
    bench_measure(made, MAKERS, 200);
    bench_measure(taken, PARTS, 200);
    bench_measure(fast, 2 * EVALUATIONS + 2, 40 * COORDINATES);
    for (int i = 0; i < OPERATIONS; ++i) {
        char text[160];
        bool const alone = strcmp(operations[i].b, "1:0") == 0;
        (void)snprintf(text, sizeof text, "%s%s%s", operations[i].a, alone ? "" : ", ", alone ? "" : operations[i].b);
        bool const verdict = operations[i].run == is_injective || operations[i].run == same_function;
        bool const small = operations[i].run == composition && operations[i].right.shape.leaves <= 4
                           && operations[i].left.shape.leaves <= 4;
        over += report(operations[i].name, text, bench_median(&slow[i]),
                       verdict ? LIMIT_VERDICT
                       : small ? LIMIT_COMPOSITION
                               : LIMIT_OPERATION);
    }
    for (int i = 0; i < MAKERS; ++i)
        over += report("maker", makers[i].name, bench_median(&made[i]), LIMIT_MAKER);
    for (int i = 0; i < PARTS; ++i) {
        bool const slice = parts[i].take == slice_row || parts[i].take == slice_tile;
        over += report(parts[i].name, parts[i].of, bench_median(&taken[i]), slice ? LIMIT_SLICE : LIMIT_OPERATION);
    }
    for (int i = 0; i < EVALUATIONS; ++i) {
        double const ns = bench_median(&fast[2 * i]);
        over += report("evaluation", evaluations[i].layout, ns, LIMIT_EVALUATION);
        over += report_ratio("evaluation", evaluations[i].layout, ns, bench_median(&fast[2 * i + 1]));
    }
    over += report_ratio("literal", "((2,6),8):((1,16),ld)", bench_median(&fast[2 * EVALUATIONS]),
                         bench_median(&fast[2 * EVALUATIONS + 1]));
    printf("%d over the limit\n", over);
    return 0;
}

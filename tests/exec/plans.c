/* The plans of copies, reductions and products, and the threads and parts in which they run, as the lines of plans.txt
 * have them: each number with which the planners choose is seen in one of them at least.
 *
 *  usage: plans FILE [write]      write: the plans of today, to the standard output
 *
 *  A line is a problem, " = ", and its plan. Operands are a type, behind a + bytes from where a cache line begins, and
 *  a layout:
 *
 *      copy f32 X f32 Y              y = x                       update f32 X f32 Y       y = x + y
 *      inside (100,90) f32 X f32 Y   y = x where the coordinate is inside of an extent
 *      sum f32 X f64 Y               the elements of x to places of y, which has strides of 0
 *      product SET THREADS f32 A f32 B f32 C                     c += a b, by a set of instructions; puts: c = a b
 *      run THREADS ..                one of the above as it runs: threads, and parts, of each loop that they share
 *      moves MACHINE VECTOR ..       a copy or an update by kernels of so many bytes: what its first units ask of them
 */
#include <stdio.h>
#include <stdlib.h>

#include "exec/engine.h"
#include "exec/gemm/engine.h"
#include "fake_kernels.h"
#include "tessera/tessera.h"
#include "tessera/text.h"

enum { LINE = 2048, WORDS = 16, UNITS = 3 };

int tests_machine;

/* Threads that the library shares a loop with; here they are noted down, and the caller runs all parts. */

static char shared[LINE];

void tsr_engine_share_(int threads, int64_t parts, void (*run)(void *context, int worker, int64_t i), void *context)
{
    size_t const used = strlen(shared);
    snprintf(shared + used, sizeof shared - used, "%s%d threads, %lld parts", used > 0 ? "; " : "", threads,
             (long long)parts);
    for (int64_t i = 0; i < parts; ++i)
        run(context, 0, i);
}

int tsr_engine_most_threads_(void) { return 1; }

/* Problems */

/** The words of a problem, from one on. */
typedef struct words {
    char *word[WORDS];
    int count, next;
} words;

static char const *next_word(words *w)
{
    if (w->next == w->count) {
        printf("a word is missing behind %s\n", w->count > 0 ? w->word[w->count - 1] : "the begin of a line");
        exit(1);
    }
    return w->word[w->next++];
}

/** The operand that two words say, behind an address. */
static tsr_tensor next_operand(words *w, uintptr_t address)
{
    char type[32];
    char const *const name = next_word(w), *const text = next_word(w), *const plus = strchr(name, '+');
    snprintf(type, sizeof type, "%.*s", (int)strcspn(name, "+"), name);
    tsr_message why;
    tsr_layout const l = tsr_parse_layout(text, 0, &why);
    if (l.shape.status || tsr_dtype_named(type) == 0) {
        printf("%s %s is no operand\n", name, text);
        exit(1);
    }
    return tsr_make_tensor(
        tsr_make_gmem_ptr((void *)(address + (plus ? (uintptr_t)atoi(plus + 1) : 0)), tsr_dtype_named(type)), l);
}

/* Plans as text */

static char *put_text(char *at, char const *end, char const *text)
{
    for (; *text && at + 2 < end; ++text) { /* lines and columns become one line */
        if (*text == '\n')
            *at++ = ';';
        if (*text != '\n' && (*text != ' ' || at[-1] != ' '))
            *at++ = *text;
    }
    *at = 0;
    return at;
}

static void put_copy(char out[LINE], tsr_planned_copy const *p)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_copy(text, sizeof text, p);
    char *const at = put_text(out, out + LINE, strchr(text, '\n') ? strchr(text, '\n') + 1 : text);
    snprintf(at, (size_t)(out + LINE - at), "%s%s", p->crowded ? "; crowded" : "", p->scattered ? "; scattered" : "");
}

static char *put_loop(char *at, char const *end, char const *name, int64_t count, int64_t from, int64_t to)
{
    return at
           + snprintf(at, (size_t)(end - at), "; %s %lld:%lld,%lld", name, (long long)count, (long long)from,
                      (long long)to);
}

static void put_reduce(char out[LINE], tsr_planned_reduce const *p)
{
    if (p->why.status) {
        tsr_format_reason(out, LINE, p->why);
        return;
    }
    char *at = out
               + snprintf(out, LINE, "%lld results from bit %lld to %s, reducer %d, %s%s, ", (long long)p->results,
                          (long long)p->from.begin, tsr_dtype_name(p->to.type), p->op,
                          p->along ? "along runs" : "across runs", p->in_place ? " in place" : "");
    at += snprintf(at, (size_t)(out + LINE - at), "%s as %s, %lld runs, %lld pieces, %lld blocks",
                   tsr_dtype_name(p->work), tsr_dtype_name(p->as), (long long)p->runs, (long long)p->pieces,
                   (long long)p->blocks);
    for (int i = 0; i < p->kept; ++i)
        at = put_loop(at, out + LINE, "keep", p->keep[i].count, p->keep[i].from, p->keep[i].to);
    for (int i = 0; i < p->reduced; ++i)
        at = put_loop(at, out + LINE, "over", p->over[i].count, p->over[i].from, p->over[i].to);
}

static char const *const sets[] = {
#define X(id, name) #id,
    GEMM_ISA_LIST(X)
#undef X
};

static char const *const rows_of_sets[] = {
#define X(id, name) name,
    GEMM_ISA_LIST(X)
#undef X
};

static char const *const forms[] = {
#define X(id, element, sum, group) #id,
    GEMM_FORM_LIST(X)
#undef X
};

static char *put_loops(char *at, char const *end, char const *name, tsr_gemm_loops const *x, int first, int second)
{
    for (int i = 0; i < x->loops; ++i)
        at = put_loop(at, end, name, x->count[i], x->step[first][i], x->step[second][i]);
    return at;
}

static void put_product(char out[LINE], tsr_planned_gemm const *p)
{
    static char const *const ways[] = {"by element", "in place", "blocks"};
    char const *const end = out + LINE;
    if (p->of.product.why.status) {
        tsr_format_reason(out, LINE, p->of.product.why);
        return;
    }
    if (p->way == TSR_GEMM_BY_ELEMENT) {
        snprintf(out, LINE, "%s", ways[p->way]);
        return;
    }
    char const *const special = tsr_gemm_is_lines(p)          ? " of lines"
                                : tsr_gemm_is_points(p)       ? " of points"
                                : tsr_gemm_is_dots(p)         ? " of dots"
                                : tsr_gemm_is_complex_dots(p) ? " of complex dots"
                                                              : "";
    char *at = out
               + snprintf(out, LINE, "%s%s by %s %s", ways[p->way], special, sets[p->isa],
                          forms[tsr_gemm_table((gemm_isa)p->isa)->row[p->row].form]);
    at += snprintf(at, (size_t)(end - at), "%s%s%s%s, %d threads, %lld batches", p->of.swapped ? ", turned" : "",
                   p->pack_a ? ", packs A" : "", p->pack_b ? ", packs B" : "", p->trivial ? ", to C" : "", p->threads,
                   (long long)p->batches);
    if (p->way == TSR_GEMM_BLOCKED)
        at +=
            snprintf(at, (size_t)(end - at), "; mc %lld, nc %lld, kc %lld, panel %lld, slice %lld", (long long)p->mc,
                     (long long)p->nc, (long long)p->kc, (long long)p->panel, (long long)p->slice);
    if (p->rows > 0)
        at += snprintf(at, (size_t)(end - at), ", parts of %d rows, %d of K", p->rows, p->depth);
    at = put_loops(at, end, "v", &p->of.v, TSR_IN_A, TSR_IN_C);
    at = put_loops(at, end, "m", &p->of.m, TSR_IN_A, TSR_IN_C);
    at = put_loops(at, end, "n", &p->of.n, TSR_IN_B, TSR_IN_C);
    (void)put_loops(at, end, "k", &p->of.k, TSR_IN_A, TSR_IN_B);
}

/* Lines */

/** Gives an operand memory: zeroes, as far behind a cache line as it was. Returns what is to be freed. */
static void *give_memory(tsr_tensor *t)
{
    uintptr_t const behind = (uintptr_t)t->engine.address % TSR_LINE_BYTES;
    size_t const bytes = (size_t)(tsr_ends_of(&t->layout).high + 1) * (size_t)tsr_dtype_bits(t->engine.type) / 8;
    void *const memory = calloc(bytes + 3 * TSR_LINE_BYTES, 1);
    if (!memory)
        exit(1);
    t->engine.address = ((uintptr_t)memory / TSR_LINE_BYTES + 1) * TSR_LINE_BYTES + behind;
    return memory;
}

static void *pointer_of(tsr_tensor const *t) { return (void *)(uintptr_t)t->engine.address; }

/** The coordinates of a shape: an integer a mode, whatever it is cut into. */
static tsr_layout coordinates_of(tsr_tuple shape)
{
    tsr_layout l = tsr_make_layout(shape);
    int leaf = 0;
    for (int m = 0; m < tsr_mode_count(&shape); ++m) {
        int const end = leaf + tsr_tuple_get(shape, m).leaves;
        for (int64_t step = 1; leaf < end; step *= l.shape.leaf[leaf++].value) {
            l.stride.leaf[leaf].value = step;
            l.stride.leaf[leaf].aux = (uint32_t)m + 1;
        }
    }
    return l;
}

/** The plan of a copy of those elements whose coordinates are inside of an extent. */
static tsr_planned_copy plan_inside(tsr_tuple const *end, tsr_tensor s, tsr_tensor d)
{
    tsr_tuple begin = *end;
    for (int i = 0; i < begin.leaves; ++i)
        begin.leaf[i].value = 0;
    tsr_tensor const where =
        tsr_make_tensor_of(tsr_inside_iter(tsr_make_inttuple_iter(begin), end), coordinates_of(s.layout.shape));
    return tsr_copy_if_plan(where, s, d);
}

/** Plans a problem, and runs it. */
static void plan_kind(char const *kind, tsr_tuple const *end, tsr_tensor const *t, bool runs, int vector,
                      char out[LINE])
{
    tsr_number const one = tsr_number_int(1);
    if (strcmp(kind, "copy") == 0 || strcmp(kind, "update") == 0 || strcmp(kind, "inside") == 0) {
        tsr_planned_copy const p = *kind == 'c'   ? tsr_copy_plan(t[0], t[1])
                                   : *kind == 'i' ? plan_inside(end, t[0], t[1])
                                                  : tsr_apply_plan(TSR_OF_IDENTITY, one, t[0], one, t[1]);
        if (vector > 0)
            put_moves(out, LINE, &p, vector, UNITS);
        else
            put_copy(out, &p);
        if (runs)
            tsr_engine_run(&p, pointer_of(&t[0]), pointer_of(&t[1]), 0, p.units);
    } else if (strcmp(kind, "sum") == 0) {
        tsr_planned_reduce const p = tsr_reduce_plan(TSR_REDUCE_SUM, t[0], t[1]);
        put_reduce(out, &p);
        if (runs)
            tsr_reduce_run(&p, pointer_of(&t[0]), pointer_of(&t[1]));
    } else {
        tsr_epilogue const e = tsr_make_epilogue(1, strcmp(kind, "puts") != 0);
        tsr_planned_gemm const p = tsr_gemm_plan(t[0], t[1], t[2], &e);
        put_product(out, &p);
        if (runs && tsr_gemm_run(&p, NULL, 0).status)
            exit(1);
    }
}

/** Uses the set of instructions of a name. False: this machine has none of them. */
static bool use_set(char const *name)
{
    int isa = 0;
#if defined(__aarch64__)
    if (strcmp(name, "PORTABLE") == 0) /* "vector" is NEON there */
        return false;
#endif
#if defined(__GNUC__) && defined(__x86_64__)
    if (strcmp(name, "AVX512_BF16") == 0) /* AVX512 with all of its rows */
        return tsr_cpu_engine_use("avx512") && __builtin_cpu_supports("avx512vnni")
               && __builtin_cpu_supports("avx512bf16") && !__builtin_cpu_is("intel");
#endif
    while (isa < ISAS && strcmp(sets[isa], name) != 0)
        ++isa;
    return isa < ISAS && tsr_gemm_table((gemm_isa)isa)->rows > 0 && tsr_cpu_engine_use(rows_of_sets[isa]);
}

/** The machine of a name, as copies know it (exec/move/machine.h). */
static int machine_named(char const *name)
{
    static char const *const names[] = {"INTEL", "AMD", "ZEN5", "ARM", "OTHER"};
    for (int i = 0; i < ENGINE_MACHINES; ++i)
        if (strcmp(names[i], name) == 0)
            return i;
    printf("%s is no machine\n", name);
    exit(1);
}

/** What a line has to say of its problem. False: not on this machine. */
static bool try_line(words *w, char out[LINE])
{
    bool const runs = strcmp(w->word[0], "run") == 0, moves = strcmp(w->word[0], "moves") == 0;
    int vector = 0;
    w->next = runs || moves;
    tsr_cpu_engine_threads(runs ? atoi(next_word(w)) : 1);
    if (moves) {
        tests_machine = machine_named(next_word(w));
        vector = atoi(next_word(w));
    }
    char const *const kind = next_word(w);
    int const operands = strcmp(kind, "product") == 0 || strcmp(kind, "puts") == 0 ? 3 : 2;
    tsr_tensor t[3];
    void *memory[3] = {NULL};
    if ((moves && sizeof(void *) == 4) || (operands == 2 && !tsr_cpu_engine_use("vector")))
        return false;
    if (operands == 3) {
        if (!use_set(next_word(w)))
            return false;
        if (!runs)
            tsr_cpu_engine_threads(atoi(next_word(w)));
    }
    tsr_tuple end = TSR_ZERO;
    if (strcmp(kind, "inside") == 0)
        end = tsr_parse_tuple(next_word(w), 0, NULL);
    for (int i = 0; i < operands; ++i) {
        t[i] = next_operand(w, (uintptr_t)(i + 1) << (sizeof(void *) == 4 ? 29 : 44)); /* apart */
        if (sizeof(void *) == 4 && tsr_ends_of(&t[i].layout).high > 1 << 26)
            return false;
        memory[i] = runs ? give_memory(&t[i]) : NULL;
    }
    shared[0] = 0;
    plan_kind(kind, &end, t, runs, vector, out);
    if (runs)
        snprintf(out, LINE, "%s", shared[0] ? shared : "one thread");
    for (int i = 0; i < 3; ++i)
        free(memory[i]);
    return true;
}

int main(int argc, char **argv)
{
    bool const writes = argc > 2 && strcmp(argv[2], "write") == 0;
    FILE *const f = argc > 1 ? fopen(argv[1], "r") : NULL;
    char line[LINE], problem[LINE], out[LINE];
    int tried = 0, left_out = 0, differ = 0;
    if (!f) {
        printf("usage: plans FILE [write]\n");
        return 1;
    }
    while (fgets(line, sizeof line, f)) {
        words w = {.count = 0};
        line[strcspn(line, "\n")] = 0;
        char *const equals = strstr(line, " = ");
        if (*line == '#' || *line == 0) {
            if (writes)
                printf("%s\n", line);
            continue;
        }
        snprintf(problem, sizeof problem, "%.*s", (int)(equals ? equals - line : (ptrdiff_t)strlen(line)), line);
        char text[LINE];
        memcpy(text, problem, sizeof text);
        for (char *word = strtok(text, " "); word && w.count < WORDS; word = strtok(NULL, " "))
            w.word[w.count++] = word;
        bool const there = try_line(&w, out);
        ++*(there ? &tried : &left_out);
        if (writes)
            printf("%s = %s\n", problem, there ? out : equals ? equals + 3 : "?");
        else if (there && (!equals || strcmp(out, equals + 3) != 0)) {
            printf("%s\n  is      %s\n  was %s\n", problem, out, equals ? equals + 3 : "?");
            ++differ;
        }
    }
    fclose(f);
    if (!writes)
        printf("%d plans, %d differ; %d left out, which are none of this machine's\n", tried, differ, left_out);
    return differ > 0 || tried == 0;
}

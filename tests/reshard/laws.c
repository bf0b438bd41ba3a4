/** Random checkpoints on random meshes, to each other and back: the whole is what it was, byte for byte.
 *  usage: test_reshard_laws SEED CASES */
#define _GNU_SOURCE /* mkdtemp */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../random.h"
#include "tessera/reshard.h"

enum { TENSORS = 6, NUMBERED = 5, ALL = TENSORS + 2 * NUMBERED, TEXT = 8192 };

/** A tensor of the whole. */
typedef struct shape {
    int modes;
    int64_t extent[3];
} shape;

static shape made[TENSORS];

/** Tensors x.0.a, x.0.b, x.1.a, .. of these rows and columns. */
static int64_t numbered, rows[2], columns;
static bool arrays; /* all types are NumPy's */
static char folder[4][64];
static int failed;

static void fail(char const *what, char const *why, char const *a, char const *b)
{
    if (failed++ < 3)
        printf("%s: %s\n-- from\n%s-- to\n%s\n", what, why, a, b);
}

static void clear_folder(char const *path)
{
    DIR *const d = opendir(path);
    char name[512];
    for (struct dirent const *e; d && (e = readdir(d));) {
        snprintf(name, sizeof name, "%s/%s", path, e->d_name);
        (void)unlink(name);
    }
    if (d)
        closedir(d);
}

static bool make_whole(tsr_message *error)
{
    static tsr_dtype const types[] = {TSR_BF16, TSR_F32, TSR_U8, TSR_I32, TSR_F64};
    tsr_model_tensor t[ALL];
    char names[ALL][32], path[128];
    tsr_model_writer w;
    memset(t, 0, sizeof t);
    arrays = below(2);
    for (int i = 0; i < TENSORS; ++i) {
        bool const like = i % 2 == 1 && below(2) == 0; /* it can be joined with the one before */
        made[i].modes = like ? made[i - 1].modes : (int)below(4);
        snprintf(names[i], sizeof names[i], "t.%d.w", i);
        t[i].name = names[i];
        t[i].type = like ? t[i - 1].type : types[arrays + below(5 - arrays)];
        t[i].rank = made[i].modes;
        for (int m = 0; m < made[i].modes; ++m)
            made[i].extent[m] = like && m > 0 ? made[i - 1].extent[m] : below(20) == 0 ? 0 : 1 + below(12);
        memcpy(t[i].extent, made[i].extent, sizeof made[i].extent);
    }
    numbered = below(NUMBERED + 1);
    columns = 1 + below(4);
    tsr_dtype const type = types[arrays + below(5 - arrays)];
    for (int i = 0; i < 2; ++i)
        rows[i] = 1 + below(5);
    for (int64_t i = 0; i < 2 * numbered; ++i) {
        tsr_model_tensor *const x = &t[TENSORS + i];
        snprintf(names[TENSORS + i], sizeof names[0], "x.%lld.%c", (long long)i / 2, i % 2 ? 'b' : 'a');
        x->name = names[TENSORS + i];
        x->type = type;
        x->rank = 2;
        x->extent[0] = rows[i % 2];
        x->extent[1] = columns;
    }
    snprintf(path, sizeof path, "%s/model.safetensors", folder[0]);
    if (!tsr_safetensors_create(path, t, TENSORS + (int)(2 * numbered), NULL, 0, &w, error))
        return false;
    for (int i = 0; i < w.model.count; ++i)
        for (uint64_t k = w.model.tensor[i].begin; k < w.model.tensor[i].end; ++k)
            w.data[k] = (unsigned char)random_bits();
    return tsr_model_commit(&w, error);
}

typedef struct text {
    char words[TEXT];
    int n;
    int axes;
    int64_t size[3];
} text;

#define ADD(x, ...) ((x)->n += snprintf((x)->words + (x)->n, TEXT - (size_t)(x)->n, __VA_ARGS__))

/** Sizes whose sum is n, as a list. */
static void add_sizes(text *x, char const *word, int64_t n, int64_t count)
{
    ADD(x, " %s(", word);
    for (int64_t i = 0; i < count; ++i) {
        int64_t const some = i == count - 1 ? n : below(n + 1);
        ADD(x, "%s%lld", i ? "," : "", (long long)some);
        n -= some;
    }
    ADD(x, ")");
}

/** Placements on all axes. Returns the mode that the last axis which is not pinned cuts, or -1. */
static void add_placements(text *x, shape const *s, bool plain)
{
    int const special = s->modes > 0 && !plain ? (int)below(6) : 0; /* 1: parts, 2: sizes, 3: padding */
    int const chosen = (int)below(x->axes ? x->axes : 1),
              mode = s->modes > 0 && special < 3 ? (int)below(s->modes) : 0;
    for (int a = 0; a < x->axes; ++a) {
        bool const table = special >= 1 && special <= 3;
        int const m = s->modes > 0 ? (int)below(s->modes) : 0;
        if (a == chosen && s->modes > 0 && (table || below(3)))
            ADD(x, " a%d:S(%d)", a, table ? mode : m);
        else if (s->modes > 0 && below(3) == 0 && !(table && (m == mode || a < chosen)))
            ADD(x, below(3) ? " a%d:S(%d)" : " a%d:SS(%d,2)", a, m);
        else if (below(4) == 0)
            ADD(x, " a%d:%lld", a, (long long)below(x->size[a]));
    }
    if (below(4) == 0)
        ADD(x, " once");
    if (x->axes == 0 || s->modes == 0)
        return;
    if (special == 1 && below(2) && s->extent[mode] > 0 && s->extent[mode] % 2 == 0)
        ADD(x, " parts(2)");
    else if (special == 1 && s->extent[mode] > 2)
        ADD(x, " parts(1,%lld,%lld)", (long long)s->extent[mode] / 2,
            (long long)(s->extent[mode] - 1 - s->extent[mode] / 2));
    else if (special == 2 && x->size[chosen] > 1)
        add_sizes(x, "sizes", s->extent[mode], x->size[chosen]);
    else if (special == 3 && s->extent[0] > 0 && below(2))
        ADD(x, " rows %lld pad x%lld", (long long)s->extent[0], 1 + (long long)below(9));
    else if (special == 3 && s->extent[0] > 0)
        ADD(x, " rows %lld pad %lld", (long long)s->extent[0], (long long)(s->extent[0] + below(9)));
}

static bool joins(int i)
{
    bool same = i + 1 < TENSORS && i % 2 == 0 && made[i].modes > 0 && made[i].modes == made[i + 1].modes;
    for (int m = 1; same && m < made[i].modes; ++m)
        same = made[i].extent[m] == made[i + 1].extent[m];
    return same;
}

/** Numbered tensors: one by one or stacked, on axes that own their numbers or cut their modes. */
static void add_numbered(text *x)
{
    int64_t const stack = below(3); /* 1: a and b in one, 2: each */
    for (int i = 0; i < (stack == 1 ? 1 : 2); ++i) {
        int64_t const owner = below(4); /* an axis, where there is one */
        if (stack == 0)
            ADD(x, "x.{n}.%c", i ? 'b' : 'a');
        else if (stack == 1)
            ADD(x, "stack as x.{n}.a + x.{n}.b parts(%lld,%lld)", (long long)rows[0], (long long)rows[1]);
        else
            ADD(x, "stack.%c as x.{n}.%c", i ? 'b' : 'a', i ? 'b' : 'a');
        for (int a = 0; a < x->axes; ++a)
            if (a == owner && below(3) == 0)
                add_sizes(x, (char const *[]){"a0:{n}", "a1:{n}", "a2:{n}"}[a], numbered, x->size[a]);
            else if (a == owner && stack > 0 && below(2))
                ADD(x, " a%d:S(0)", a);
            else if (a == owner)
                ADD(x, " a%d:{n}", a);
            else if (below(2))
                ADD(x, " a%d:S(%d)", a, (int)below(2) + (stack > 0));
        ADD(x, below(4) ? "\n" : " once\n");
    }
}

static void make_spec(text *x, bool const *alike)
{
    x->n = 0;
    x->axes = (int)below(4);
    ADD(x, "# random\n");
    for (int a = 0; a < x->axes; ++a) {
        x->size[a] = 1 + below(a == 0 ? 5 : 3);
        ADD(x, "mesh a%d:%lld\n", a, (long long)x->size[a]);
    }
    if (arrays && below(2))
        ADD(x, "files *.{rank}.npy\n");
    else
        ADD(x, below(2) ? "files f{rank:03}.safetensors\n" : "files f{rank+7:03}.safetensors\n");
    add_numbered(x);
    for (int i = 0; i < TENSORS; ++i) {
        bool const joined = joins(i) && alike[i] && made[i].extent[0] > 0 && below(2);
        ADD(x, joined ? "j.%d.w as t.%d.w + t.%d.w" : "t.%d.w", i, i, i + 1);
        add_placements(x, &made[i], joined);
        if (joined)
            ADD(x, " parts(%lld,%lld)", (long long)made[i].extent[0], (long long)made[i + 1].extent[0]);
        ADD(x, "\n");
        i += joined;
    }
}

static bool move(char const *from, char const *to, char const *a, char const *b, bool verify)
{
    tsr_message error = {0, ""};
    tsr_reshard_spec *const x = tsr_reshard_spec_read(a, &error), *const y =
                                                                      x ? tsr_reshard_spec_read(b, &error) : NULL;
    char const *const paths[] = {from};
    tsr_reshard_options const o = {
        .from = paths, .count = 1, .to = to, .from_spec = x, .to_spec = y, .memory = 1 << 20};
    tsr_reshard *const r = y ? tsr_reshard_open(&o, &error) : NULL;
    bool ok = r != NULL;
    clear_folder(to);
    if (r && tsr_reshard_report_of(r).problems > 0) {
        snprintf(error.text, sizeof error.text, "%s", tsr_reshard_problem_at(r, 0).text);
        ok = false;
    }
    ok = ok && tsr_reshard_run(r, NULL, NULL, &error) && (!verify || tsr_reshard_verify(r, NULL, NULL, &error));
    if (!ok)
        fail("refused", error.text, a, b);
    tsr_reshard_close(r);
    tsr_reshard_spec_free(x);
    tsr_reshard_spec_free(y);
    return ok;
}

static void compare(char const *a, char const *b)
{
    char path[128];
    tsr_message error;
    tsr_model one, other;
    memset(&one, 0, sizeof one);
    memset(&other, 0, sizeof other);
    snprintf(path, sizeof path, "%s/model.safetensors", folder[0]);
    bool same = tsr_safetensors_open(path, &one, &error);
    snprintf(path, sizeof path, "%s/model.safetensors", folder[3]);
    same = same && tsr_safetensors_open(path, &other, &error) && one.count == other.count;
    for (int i = 0; same && i < one.count; ++i) {
        int const k = tsr_model_find(&other, one.tensor[i].name);
        tsr_model_tensor const *const x = &one.tensor[i], *const y = &other.tensor[k < 0 ? 0 : k];
        same = k >= 0 && x->type == y->type && x->end - x->begin == y->end - y->begin
               && memcmp(x->extent, y->extent, (size_t)x->rank * sizeof *x->extent) == 0
               && memcmp(one.data + x->begin, other.data + y->begin, (size_t)(x->end - x->begin)) == 0;
    }
    if (!same)
        fail("compare", "the whole is not what it was", a, b);
    tsr_model_close(&one);
    tsr_model_close(&other);
}

int main(int count, char **argument)
{
    long const seed = count > 1 ? atol(argument[1]) : 1, cases = count > 2 ? atol(argument[2]) : 100;
    tsr_message error;
    char root[] = "reshard_laws_XXXXXX";
    if (!mkdtemp(root))
        return 2;
    for (int i = 0; i < 4; ++i)
        snprintf(folder[i], sizeof folder[i], "%s%d", root, i);
    rmdir(root);
    char command[128];
    snprintf(command, sizeof command, "mkdir %s0", root);
    if (system(command) != 0)
        return 2;
    random_begin((uint64_t)seed);
    for (long i = 0; i < cases && failed < 3; ++i) {
        static text a, b;
        bool alike[TENSORS] = {false};
        if (!make_whole(&error)) {
            fail("whole", error.text, "", "");
            break;
        }
        char path[128];
        tsr_model whole;
        snprintf(path, sizeof path, "%s/model.safetensors", folder[0]);
        if (tsr_safetensors_open(path, &whole, &error)) {
            for (int k = 0; k + 1 < TENSORS; ++k) {
                char name[2][16];
                snprintf(name[0], sizeof name[0], "t.%d.w", k);
                snprintf(name[1], sizeof name[1], "t.%d.w", k + 1);
                alike[k] = whole.tensor[tsr_model_find(&whole, name[0])].type
                           == whole.tensor[tsr_model_find(&whole, name[1])].type;
            }
            tsr_model_close(&whole);
        }
        make_spec(&a, alike);
        make_spec(&b, alike);
        if (move(folder[0], folder[1], "hf", a.words, true) && move(folder[1], folder[2], a.words, b.words, true)
            && move(folder[2], folder[3], b.words, "hf", true))
            compare(a.words, b.words);
    }
    for (int i = 0; i < 4; ++i) {
        clear_folder(folder[i]);
        rmdir(folder[i]);
    }
    printf("seed %ld, %ld cases: %d failed\n", seed, cases, failed);
    return failed != 0;
}

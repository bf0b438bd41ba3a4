/* einsum of 1 to 8 tensors: random texts beside loops over all letters, costs beside all orders, and every refusal. */
#include <float.h>
#include <stdio.h>
#include <string.h>

#include "../random.h"
#include "tessera/exec/einsum_plan.h"
#include "tessera/tessera.h"
#include "tessera/text.h"

enum { CASES = 1500, MOST = 10, LETTERS = 6, RANK = 4, ROOM = 512 };

static double rooms[MOST + 1][ROOM];
static tsr_tensor tensor[MOST + 1];
static tsr_tensor const *x[MOST];
static int failed;

static void check(bool right, char const *text, char const *what)
{
    failed += !right;
    if (!right)
        printf("%s: %s\n", text, what);
}

/** A random problem: the letters of each tensor and of the result, and strides of ours. */
typedef struct problem {
    int count, rank[MOST + 1], letter[MOST + 1][RANK];
    int64_t extent[LETTERS], stride[MOST + 1][RANK], size[MOST + 1];
    char text[(MOST + 1) * (RANK + 2) + 2];
} problem;

static bool has(problem const *p, int i, int letter)
{
    for (int k = 0; k < p->rank[i]; ++k)
        if (p->letter[i][k] == letter)
            return true;
    return false;
}

static void draw_letters(problem *p)
{
    for (int i = 0; i < p->count; ++i) {
        p->rank[i] = (int)below(RANK + 1);
        for (int k = 0; k < p->rank[i]; ++k)
            p->letter[i][k] = (int)below(LETTERS);
    }
    p->rank[p->count] = 0;
    for (int a = 0; a < LETTERS && p->rank[p->count] < RANK; ++a)
        for (int i = 0; i < p->count; ++i)
            if (has(p, i, a) && !has(p, p->count, a) && below(2))
                p->letter[p->count][p->rank[p->count]++] = a;
}

/** Modes in a random order of memory; of an operand one may have extent 1 in the place of its letter's. */
static void draw_tensor(problem *p, int i)
{
    int order[RANK];
    tsr_tuple shape = tsr_int(1), stride = tsr_int(0);
    int64_t extent[RANK];
    p->size[i] = 1;
    for (int k = 0; k < p->rank[i]; ++k) {
        bool const repeats = i < p->count && below(8) == 0;
        int const at = (int)below(k + 1);
        extent[k] = repeats ? 1 : p->extent[p->letter[i][k]];
        for (int m = 0; m < k; ++m)
            extent[k] = p->letter[i][m] == p->letter[i][k] ? extent[m] : extent[k];
        order[k] = order[at];
        order[at] = k;
    }
    for (int k = 0; k < p->rank[i]; ++k) {
        p->stride[i][order[k]] = extent[order[k]] > 1 ? p->size[i] : 0;
        p->size[i] *= extent[order[k]];
    }
    for (int k = 0; k < p->rank[i]; ++k) {
        tsr_tuple const n = tsr_int(extent[k]), d = tsr_int(p->stride[i][k]);
        shape = k ? tsr_tuple_append(shape, n) : tsr_wrap(n);
        stride = k ? tsr_tuple_append(stride, d) : tsr_wrap(d);
    }
    for (int k = 0; k < ROOM; ++k)
        rooms[i][k] = (double)(noise(5) - 2);
    tensor[i] = tsr_make_tensor(tsr_make_ptr(rooms[i]), shape, stride);
}

/** The extents of letters that no tensor has more than one of are 1. */
static void draw(problem *p, int count)
{
    int n = 0;
    p->count = count;
    for (int i = 0; i < LETTERS; ++i)
        p->extent[i] = 1 + below(4);
    draw_letters(p);
    for (int i = 0; i < count; ++i)
        draw_tensor(p, i);
    int64_t found[LETTERS];
    for (int a = 0; a < LETTERS; ++a) {
        found[a] = 1;
        for (int i = 0; i < count; ++i)
            for (int k = 0; k < p->rank[i]; ++k)
                if (p->letter[i][k] == a && p->stride[i][k] > 0)
                    found[a] = p->extent[a];
    }
    memcpy(p->extent, found, sizeof found);
    draw_tensor(p, count);
    for (int i = 0; i <= count; ++i) {
        n += sprintf(p->text + n, "%s", i == 0 ? "" : i < count ? "," : "->");
        for (int k = 0; k < p->rank[i]; ++k)
            p->text[n++] = (char)('a' + p->letter[i][k]);
        p->text[n] = 0;
    }
}

static int64_t offset(problem const *p, int i, int64_t const *index)
{
    int64_t r = 0;
    for (int k = 0; k < p->rank[i]; ++k)
        r += index[p->letter[i][k]] * p->stride[i][k];
    return r;
}

/** The einsum by one loop over all letters. */
static void loop(problem const *p, double *to)
{
    int64_t index[LETTERS] = {0}, all = 1;
    memset(to, 0, ROOM * sizeof *to);
    for (int a = 0; a < LETTERS; ++a)
        all *= p->extent[a];
    for (int64_t i = 0; i < all; ++i) {
        double product = 1;
        int64_t rest = i;
        for (int a = 0; a < LETTERS; ++a) {
            index[a] = rest % p->extent[a];
            rest /= p->extent[a];
        }
        for (int k = 0; k < p->count; ++k)
            product *= rooms[k][offset(p, k, index)];
        to[offset(p, p->count, index)] += product;
    }
}

/* Costs beside all orders, each found by itself: all ways to take two values and multiply them. */

typedef struct values {
    int count, number[MOST];
    unsigned letters[MOST];
} values;

static double cost(problem const *p, unsigned letters)
{
    double r = 1;
    for (int a = 0; a < LETTERS; ++a)
        r *= letters >> a & 1 ? (double)p->extent[a] : 1;
    return r;
}

/** Letters of a value that other values or the result have. */
static unsigned needed(values const *v, int i, unsigned result)
{
    unsigned r = result;
    for (int k = 0; k < v->count; ++k)
        r |= k == i ? 0 : v->letters[k];
    return v->letters[i] & r;
}

static double least(problem const *p, values const *v, unsigned result)
{
    double best = v->count > 1 ? DBL_MAX : 0;
    for (int i = 0; i < v->count; ++i)
        for (int k = i + 1; k < v->count; ++k) {
            values next = *v;
            double const now = cost(p, v->letters[i] | v->letters[k]);
            next.letters[i] |= next.letters[k];
            next.letters[k] = next.letters[--next.count];
            next.letters[i] = needed(&next, i, result);
            double const n = now + least(p, &next, result);
            best = n < best ? n : best;
        }
    return best;
}

/** What the least order costs; letters of one tensor alone are summed before. */
static double least_of(problem const *p)
{
    values v = {.count = p->count};
    unsigned letters[MOST + 1] = {0};
    for (int i = 0; i <= p->count; ++i)
        for (int k = 0; k < p->rank[i]; ++k)
            letters[i] |= p->stride[i][k] > 0 ? 1u << p->letter[i][k] : 0;
    memcpy(v.letters, letters, sizeof v.letters);
    for (int i = 0; i < p->count; ++i)
        letters[i] = needed(&v, i, letters[p->count]);
    memcpy(v.letters, letters, sizeof v.letters);
    return least(p, &v, letters[p->count]);
}

/* Cases */

static bool same(double const *a, double const *b)
{
    bool r = true;
    for (int i = 0; i < ROOM; ++i)
        r = r && a[i] == b[i]; /* 0 is -0 */
    return r;
}

/** Runs the plan, and that of an order which multiplies as the text stands. */
static void try_text(problem const *p)
{
    static double want[ROOM], got[ROOM];
    tsr_einsum_pair pair[MOST];
    loop(p, want);
    memset(rooms[p->count], 0, sizeof rooms[0]);
    tsr_reason const why = tsr_einsum_n(p->text, x, p->count, &tensor[p->count]);
    memcpy(got, rooms[p->count], sizeof got);
    check(!why.status && same(got, want), p->text, "the sums are others");
    for (int i = 0; i + 1 < p->count; ++i) {
        pair[i].left = i ? p->count + i - 1 : 0;
        pair[i].right = i + 1;
    }
    tsr_planned_einsum const along = tsr_einsum_plan_along(p->text, x, p->count, pair, p->count - 1);
    memset(rooms[p->count], 0, sizeof rooms[0]);
    tsr_reason const ran = tsr_einsum_run(&along, x, &tensor[p->count]);
    check(!ran.status && same(rooms[p->count], want), p->text, "the sums along an order are others");
    tsr_planned_einsum const plan = tsr_einsum_plan(p->text, x, p->count);
    check(plan.products <= along.products || p->count > TSR_EINSUM_EXACT, p->text, "another order costs less");
    if (p->count <= 6)
        check(plan.products == least_of(p), p->text, "some order costs less");
}

static int try_texts(void)
{
    static problem p;
    for (int i = 0; i < MOST; ++i)
        x[i] = &tensor[i];
    for (int i = 0; i < CASES; ++i) {
        draw(&p, i % 16 == 15 ? 9 + (int)below(2) : 1 + (int)below(8));
        try_text(&p);
    }
    return CASES;
}

/* What a text says and refuses */

static tsr_reason einsum(char const *text, int operands, int to)
{
    return tsr_einsum_n(text, x, operands, &tensor[to]);
}

static void refused(tsr_reason why, int status, char const *words)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_reason(text, sizeof text, why);
    check(why.status == status && strstr(text, words), words, text);
}

static void try_refusals(void)
{
    enum { WIDE = 8 };
    static double memory[ROOM];
    double *const at = memory;
    tsr_einsum_pair const loops[] = {{0, 1}, {0, 3}}, late[] = {{0, 3}, {1, 2}}, fine[] = {{0, 1}, {3, 2}};
    for (int i = 0; i < 4; ++i)
        tensor[i] = tsr_make_tensor(at, tsr_t(4, 4));
    tensor[4] = tsr_make_tensor(tsr_make_ptr(rooms[0]), tsr_t(4, 4));
    refused(einsum("ij;jk", 2, 4), TSR_EINSUM_TEXT, "character 2");
    refused(einsum("ij,jk->ik-", 2, 4), TSR_EINSUM_TEXT, "character 9");
    refused(einsum("ij,jk->ik", 3, 4), TSR_SYNTAX, "names 2 tensors, 3 are given (1 to 32)");
    refused(einsum("ij,jk,kl->ik", 2, 4), TSR_SYNTAX, "names 3 tensors, 2 are given");
    refused(einsum("", 0, 4), TSR_SYNTAX, "0 are given");
    refused(einsum(",,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,,", 3, 4), TSR_SYNTAX, "names 35 tensors");
    refused(einsum("......,jk", 2, 4), TSR_SYNTAX, "second of its tensor (at character 3)");
    refused(einsum("...,jk->jk", 2, 4), TSR_SYNTAX, "leaves out modes under");
    refused(einsum("...,abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ->...", 2, 4), TSR_EINSUM_RANK,
            "operand 1");
    refused(einsum("ijk,jk", 2, 4), TSR_EINSUM_RANK, "operand 0 has 2 modes, but 3 letters");
    refused(einsum("i,jk", 2, 4), TSR_EINSUM_RANK, "operand 0 has 2 modes, but 1 letters");
    refused(einsum("ij,jk->iki", 2, 4), TSR_EINSUM_REPEATED, "character 9 repeats the one at character 7");
    refused(einsum("ij,jk->ix", 2, 4), TSR_EINSUM_UNKNOWN, "character 8");
    refused(einsum("ij,jk->i", 2, 4), TSR_RANK, "2 here, 1 there");
    tensor[1] = tsr_make_tensor(at, tsr_t(3, 4));
    refused(einsum("ij,jk->ik", 2, 4), TSR_EINSUM_SIZE, "character 3 has 3 elements here, 4 elsewhere");
    refused(einsum("ij,kk->ij", 2, 4), TSR_EINSUM_SIZE, "character 4 has 4 elements here, 3 elsewhere");
    refused(einsum("ij,kj->ik", 2, 4), TSR_DIFFER_SIZE, "4 and 3");
    refused(einsum("ij,jk->ik", 2, 2), TSR_EINSUM_SIZE, "3 elements");
    tensor[1] = tensor[0];
    refused(einsum("ij,jk->ik", 2, 2), TSR_OVERLAP, "");
    refused(tsr_einsum_plan_along("ij,jk,kl", x, 3, loops, 2).why, TSR_EINSUM_ORDER, "pair 1 takes 0 and 3");
    refused(tsr_einsum_plan_along("ij,jk,kl", x, 3, late, 2).why, TSR_EINSUM_ORDER, "pair 0 takes 0 and 3");
    refused(tsr_einsum_plan_along("ij,jk,kl", x, 3, fine, 1).why, TSR_EINSUM_ORDER, "here 1");
    refused(tsr_einsum_plan_along("ij,jk", x, 2, fine, 2).why, TSR_EINSUM_ORDER, "here 2");
    refused(tsr_einsum_plan_along("ij,jk,kl", x, 3, fine, 2).why, TSR_OK, "ok");
    for (int i = 0; i < 3; ++i)
        tensor[i] = tsr_make_tensor(at, tsr_t(2, 2, 2, 2, 2, 2, 2, 2), tsr_t(0, 0, 0, 0, 0, 0, 0, 0));
    refused(einsum("abcdefgh,ijklmnop,qrstuvwx->abcdefghijklmnopqrstuvwx", 3, 4), TSR_CAPACITY, "24 leaves");
    refused(einsum("abcdefgh,ijklmnop,qrstuvwx", 3, 4), TSR_CAPACITY, "24 leaves");
    refused(tsr_einsum_plan_along("abcdefgh,ijklmnop,abcdefgh->ijklmnop", x, 3, fine, 2).why, TSR_OK, "ok");
    tensor[0] = tsr_make_tensor(at, tsr_t(2, 2, 2, 2, 2, 2, 2, 2, 2), tsr_t(0, 0, 0, 0, 0, 0, 0, 0, 0));
    refused(tsr_einsum_plan_along("abcdefghz,ijklmnop,abcdefghz->ijklmnop",
                                  (tsr_tensor const *const[]){&tensor[0], &tensor[1], &tensor[0]}, 3, fine, 2)
                .why,
            TSR_CAPACITY, "17 leaves");
    tensor[0] = tsr_make_tensor(at, tsr_t((int64_t)1 << 31, 2), tsr_t(0, 1));
    tensor[1] = tsr_make_tensor(at, tsr_t((int64_t)1 << 32, 2), tsr_t(0, 1));
    tensor[2] = tsr_make_tensor(at, tsr_t((int64_t)1 << 31, (int64_t)1 << 32), tsr_t(0, 0));
    refused(tsr_einsum_plan_along("ix,jy,ij->xy", x, 3, fine, 2).why, TSR_OVERFLOW, "64-bit");
    tensor[0] = tsr_make_tensor(at, tsr_t((int64_t)1 << 25, 2), tsr_t(0, 1));
    tensor[1] = tsr_make_tensor(at, tsr_t((int64_t)1 << 24, 2), tsr_t(0, 1));
    tensor[2] = tsr_make_tensor(at, tsr_t((int64_t)1 << 25, (int64_t)1 << 24), tsr_t(0, 0));
    tensor[4] = tsr_make_tensor(tsr_make_ptr(rooms[0]), tsr_t(2, 2));
    tsr_planned_einsum const huge = tsr_einsum_plan_along("ix,jy,ij->xy", x, 3, fine, 2);
    refused(tsr_einsum_run(&huge, x, &tensor[4]), TSR_NO_MEMORY, "elements");
}

/** A text and its plan. */
static void try_plan(void)
{
    static char const want[] = "192 products in 2 steps, at most 8 elements between\n"
                               "   0  jk,kl->jl  value 1 times 2 gives 3: 128 products, 8 elements\n"
                               "   1  ij,jl->il  value 0 times 3 gives 4: 64 products, 16 elements";
    char text[1024];
    tensor[0] = tsr_make_tensor(tsr_make_ptr(rooms[0]), tsr_t(8, 4));
    tensor[1] = tsr_make_tensor(tsr_make_ptr(rooms[1]), tsr_t(4, 16));
    tensor[2] = tsr_make_tensor(tsr_make_ptr(rooms[2]), tsr_t(16, 2));
    tsr_planned_einsum const p = tsr_einsum_plan("ij,jk,kl->il", x, 3);
    tsr_format_einsum(text, sizeof text, &p);
    check(strcmp(text, want) == 0, want, text);
    check(p.extent['i' - 'a' + 26] == 8 && strcmp(p.given[3], "il") == 0, "extents", text);
    check(strcmp(tsr_einsum_plan("...ba,Bb", x, 2).given[2], "Ba") == 0, "a result that is implied", "");
}

/** Types of values between: sums of bytes do not leave 64 bits, and those of halves 32. */
static void try_types(void)
{
    static int8_t bytes[3][16];
    static int64_t sum;
    static float reals[16], real_sum;
    for (int i = 0; i < 16; ++i) {
        bytes[0][i] = bytes[1][i] = bytes[2][i] = 127;
        reals[i] = 1.0f / 3;
    }
    for (int i = 0; i < 3; ++i)
        tensor[i] = tsr_make_tensor(tsr_make_ptr(bytes[i]), tsr_t(4, 4));
    tensor[4] = tsr_make_tensor(tsr_make_ptr(&sum), 1);
    check(!einsum("ij,jk,kl->", 3, 4).status && sum == (int64_t)127 * 127 * 127 * 256, "integers", "wrong sum");
    tensor[0] = tsr_make_tensor(tsr_make_ptr(reals), tsr_t(4, 4));
    tensor[4] = tsr_make_tensor(tsr_make_ptr(&real_sum), 1);
    float const want = (float)((double)reals[0] * 127 * 127 * 256);
    check(!einsum("ij,jk,kl->", 3, 4).status && real_sum > want * 0.999999f && real_sum < want * 1.000001f, "reals",
          "wrong sum");
}

/** A diagonal of modes of two shapes. */
static void try_diagonal(void)
{
    static double memory[64], out[8];
    for (int i = 0; i < 64; ++i)
        memory[i] = i;
    tensor[0] = tsr_make_tensor(tsr_make_ptr(memory), tsr_t(tsr_t(2, 4), 8));
    tensor[4] = tsr_make_tensor(tsr_make_ptr(out), 8);
    bool right = !einsum("ii->i", 1, 4).status;
    for (int i = 0; i < 8; ++i)
        right = right && out[i] == i * 9;
    check(right, "ii->i", "the diagonal of (2,4) and 8");
}

int main(void)
{
    int const texts = try_texts();
    try_refusals();
    try_plan();
    try_types();
    try_diagonal();
    printf("%d texts, %d failed\n", texts, failed);
    return failed != 0;
}

/* einsum of random texts over random layouts against a loop over all indices. */
#include "random.h"
#include "tessera/exec/gemm_plan.h"
#include "tessera/tessera.h"

#include <stdio.h>
#include <stdlib.h>

enum { ROOM = 4096, LETTERS = 7, CASES = 3000 };

static float memory[3][ROOM], product[ROOM];

/** The letters of a tensor, in the order of its modes, and their strides. */
typedef struct named {
    int count, letter[LETTERS];
    int64_t stride[LETTERS];
} named;

static void shuffle(int *x, int n)
{
    for (int i = n - 1; i > 0; --i) {
        int const k = (int)below(i + 1), y = x[i];
        x[i] = x[k];
        x[k] = y;
    }
}

/** A tensor of some letters: modes in one random order, memory in another. */
static tsr_tensor draw(float *at, named *t, int64_t const *extent)
{
    int order[LETTERS];
    int64_t size = 1;
    tsr_tuple shape = tsr_int(1), stride = tsr_int(0);
    shuffle(t->letter, t->count);
    for (int i = 0; i < t->count; ++i)
        order[i] = i;
    shuffle(order, t->count);
    for (int i = 0; i < t->count; ++i) {
        t->stride[order[i]] = size;
        size *= extent[t->letter[order[i]]];
    }
    for (int i = 0; i < t->count; ++i) {
        tsr_tuple const n = tsr_int(extent[t->letter[i]]), d = tsr_int(t->stride[i]);
        shape = i ? tsr_tuple_append(shape, n) : tsr_wrap(n);
        stride = i ? tsr_tuple_append(stride, d) : tsr_wrap(d);
    }
    for (int i = 0; i < ROOM; ++i)
        at[i] = (float)(below(9) - 4);
    return tsr_make_tensor(tsr_make_ptr(at), shape, stride);
}

static int64_t offset(named const *t, int64_t const *index)
{
    int64_t r = 0;
    for (int i = 0; i < t->count; ++i)
        r += index[t->letter[i]] * t->stride[i];
    return r;
}

static bool try_text(void)
{
    static int const where[4] = {7, 5, 6, 3}; /* V, M, N, K: in A 1, in B 2, in C 4 */
    static float want[ROOM];
    int64_t extent[LETTERS], index[LETTERS] = {0}, total = 1;
    named t[3] = {{0, {0}, {0}}};
    char text[64] = "";
    int used = 0, letters = 1 + (int)below(LETTERS);
    for (int x = 0; x < letters; ++x) {
        int const in = where[below(4)];
        extent[x] = 1 + below(3);
        total *= extent[x];
        for (int i = 0; i < 3; ++i)
            if (in >> i & 1)
                t[i].letter[t[i].count++] = x;
    }
    tsr_tensor const a = draw(memory[0], &t[0], extent), b = draw(memory[1], &t[1], extent),
                     c = draw(memory[2], &t[2], extent);
    for (int i = 0; i < 3; ++i) {
        char const *const before[3] = {"", below(2) ? "," : " , ", below(2) ? "->" : " -> "};
        used += snprintf(text + used, sizeof text - (size_t)used, "%s", before[i]);
        for (int m = 0; m < t[i].count; ++m)
            text[used++] = (char)((t[i].letter[m] % 2 ? 'a' : 'A') + t[i].letter[m]);
        text[used] = 0;
    }
    memset(want, 0, sizeof want);
    for (int64_t n = 0; n < total; ++n) {
        int64_t rest = n;
        for (int x = 0; x < letters; ++x) {
            index[x] = rest % extent[x];
            rest /= extent[x];
        }
        want[offset(&t[2], index)] += memory[0][offset(&t[0], index)] * memory[1][offset(&t[1], index)];
    }
    int64_t const size = tsr_layout_size(c.layout);
    tsr_reason const why = tsr_einsum(text, a, b, c);
    bool right = !why.status;
    for (int64_t i = 0; i < size; ++i)
        right = right && memory[2][i] == want[i];
    if (!right)
        fprintf(stderr, "%s is wrong (%d)\n", text, why.status);
    tsr_epilogue e = tsr_make_epilogue(2, 1); /* once more: 2 * product + the product that is there */
    memcpy(product, memory[2], sizeof product);
    tsr_tensor bias = c;
    bias.engine = tsr_make_ptr(product);
    e.bias = &bias;
    bool const more = !tsr_einsum_with(text, a, b, c, &e).status;
    bool four = more;
    for (int64_t i = 0; i < size; ++i)
        four = four && memory[2][i] == 4 * want[i];
    if (!four)
        fprintf(stderr, "%s with an epilogue is wrong\n", text);
    return right && four;
}

int main(void)
{
    int failed = 0;
    for (int i = 0; i < CASES; ++i)
        failed += !try_text();
    printf("%d texts, %d failed\n", CASES, failed);
    return failed != 0;
}

/* Cases of einsum: texts and layouts that below() draws, beside a loop over all indices. */
#ifndef TESTS_EINSUM_CASES_H
#define TESTS_EINSUM_CASES_H

#include "../random.h"
#include "tessera/exec/engine.h"
#include "tessera/exec/gemm_plan.h"
#include "tessera/tessera.h"

#include <stdio.h>
#include <string.h>

enum { ROOM = 4096, LETTERS = 7 };

static float rooms_a[ROOM], rooms_b[ROOM], rooms_c[ROOM], product[ROOM];
static float *const room[3] = {rooms_a, rooms_b, rooms_c};
static float *memory[3]; /* the tensors, at the ends of their rooms */
static tsr_tensor tensor[3];

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
static void draw(int which, named *t, int64_t const *extent)
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
        room[which][i] = (float)(noise(9) - 4);
    memory[which] = room[which] + ROOM - size;
    tensor[which] = tsr_make_tensor(tsr_make_ptr(memory[which]), shape, stride);
}

static int64_t offset(named const *t, int64_t const *index)
{
    int64_t r = 0;
    for (int i = 0; i < t->count; ++i)
        r += index[t->letter[i]] * t->stride[i];
    return r;
}

/** Whether the engine's row makes C of the text what is wanted, and four times as much with an epilogue: it adds to
 *  C, and to a bias that is the same, twice the product. Nothing in front of C changes. */
static bool is_right(char const *text, float const *want)
{
    static float before[ROOM];
    int64_t const size = tsr_layout_size(tensor[2].layout);
    size_t const outside = (size_t)(memory[2] - room[2]) * sizeof(float);
    memcpy(before, room[2], outside);
    bool right = !tsr_einsum(text, tensor[0], tensor[1], tensor[2]).status;
    for (int64_t i = 0; i < size; ++i)
        right = right && memory[2][i] == want[i];
    tsr_epilogue e = tsr_make_epilogue(2, 1);
    tsr_tensor bias = tensor[2];
    memcpy(product, memory[2], (size_t)size * sizeof *product);
    bias.engine = tsr_make_ptr(product);
    e.bias = &bias;
    bool four = !tsr_einsum_with(text, tensor[0], tensor[1], tensor[2], &e).status;
    for (int64_t i = 0; i < size; ++i)
        four = four && memory[2][i] == 4 * want[i];
    bool const inside = memcmp(before, room[2], outside) == 0;
    if (!right || !four || !inside)
        fprintf(stderr, "%s by %s: %s is wrong\n", text, tsr_cpu_engine_name(),
                !right  ? "the product"
                : !four ? "an epilogue"
                        : "memory in front of C");
    return right && four && inside;
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
        extent[x] = 1 + below(tsr_min64(ROOM / total, below(4) == 0 ? 40 : 3));
        total *= extent[x];
        for (int i = 0; i < 3; ++i)
            if (in >> i & 1)
                t[i].letter[t[i].count++] = x;
    }
    for (int i = 0; i < 3; ++i) {
        char const *const before[3] = {"", below(2) ? "," : " , ", below(2) ? "->" : " -> "};
        draw(i, &t[i], extent);
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
    bool right = true;
    for (int row = 0; right && tsr_cpu_engine_row(row); ++row)
        right = tsr_cpu_engine_use(tsr_cpu_engine_row(row)) && is_right(text, want);
    return right;
}

#endif

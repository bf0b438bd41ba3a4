/* Contractions beside our own product of the same extents, and beside OpenBLAS between transposes, which are our own. A
 * line is C-A-B. */
#define _GNU_SOURCE
#include "products.h"
#include "tessera/exec/einsum.h"
#include "tessera/tessera.h"

#include <dlfcn.h>

/** Extents by the rule of the benchmark: of all indices as equal as possible, of the first of a tensor multiples of
 * 24, of the others of 4, the largest tensor of about that many bytes. */
static void extents_of(char const *const part[3], int64_t extent[128], int64_t bytes)
{
    for (int64_t n = 4;; n += 4) {
        int64_t next[128] = {0}, largest = 0;
        for (int i = 0; i < 3; ++i)
            for (char const *p = part[i]; *p; ++p)
                next[(int)*p] = n;
        for (int i = 0; i < 3; ++i)
            next[(int)part[i][0]] = (n + 12) / 24 * 24 > 0 ? (n + 12) / 24 * 24 : 24;
        for (int i = 0; i < 3; ++i) {
            int64_t size = 4;
            for (char const *p = part[i]; *p; ++p)
                size *= next[(int)*p];
            largest = size > largest ? size : largest;
        }
        if (n > 4 && largest > bytes)
            return;
        memcpy(extent, next, sizeof next);
    }
}

static tsr_tensor named(void *memory, char const *letters, int64_t const extent[128], int64_t *size)
{
    tsr_tuple shape = tsr_int(1);
    *size = 1;
    for (int i = 0; letters[i]; ++i) {
        tsr_tuple const n = tsr_int(extent[(int)letters[i]]);
        shape = i ? tsr_tuple_append(shape, n) : tsr_wrap(n);
        *size *= extent[(int)letters[i]];
    }
    return tsr_make_tensor(tsr_make_gmem_ptr(memory, TSR_F32), shape);
}

/** The tensor of letters whose elements lie in the order of other ones. */
static tsr_tensor ordered(void *memory, char const *letters, char const *order, int64_t const extent[128])
{
    int64_t step = 1, stride[128] = {0};
    tsr_tuple shape = tsr_int(1), strides = tsr_int(1);
    for (; *order; step *= extent[(int)*order++])
        stride[(int)*order] = step;
    for (int i = 0; letters[i]; ++i) {
        tsr_tuple const n = tsr_int(extent[(int)letters[i]]), d = tsr_int(stride[(int)letters[i]]);
        shape = i ? tsr_tuple_append(shape, n) : tsr_wrap(n);
        strides = i ? tsr_tuple_append(strides, d) : tsr_wrap(d);
    }
    return tsr_make_tensor(tsr_make_gmem_ptr(memory, TSR_F32), tsr_make_layout_from(shape, strides));
}

/** Letters of one text that are (not) in another, behind what there is. */
static void add_letters(char *to, char const *from, char const *other, bool in)
{
    size_t n = strlen(to);
    for (; *from; ++from)
        if ((strchr(other, *from) != NULL) == in)
            to[n++] = *from;
    to[n] = 0;
}

/** A product of matrices between transposes: A and B to rows and K, a product by OpenBLAS, its result to C. */
typedef struct transposed {
    tsr_tensor a, b, c, a2, b2, c2;
    float *memory[3];
    int m, n, k;
} transposed;

static transposed make_transposed(char const *const part[3], int64_t const extent[128], tsr_tensor const t[3],
                                  int64_t const size[3], int64_t const mnk[3])
{
    char order[3][32] = {"", "", ""};
    transposed r;
    add_letters(order[0], part[0], part[1], true);
    add_letters(order[0], part[0], part[1], false);
    add_letters(order[1], part[0], part[1], true);
    add_letters(order[1], part[1], part[0], false);
    add_letters(order[2], part[0], part[2], true);
    add_letters(order[2], part[1], part[0], false);
    for (int i = 0; i < 3; ++i)
        r.memory[i] = (float *)filled(size[i], TSR_F32);
    r.c = t[0], r.a = t[1], r.b = t[2];
    r.c2 = ordered(r.memory[0], part[0], order[0], extent);
    r.a2 = ordered(r.memory[1], part[1], order[1], extent);
    r.b2 = ordered(r.memory[2], part[2], order[2], extent);
    r.m = (int)mnk[0], r.n = (int)mnk[1], r.k = (int)mnk[2];
    return r;
}

static void run_transposed(transposed const *t)
{
    union {
        void *p;
        sgemm s;
    } f;
    f.p = dlsym(peer[0].handle, "cblas_sgemm");
    bench_done(tsr_copy(t->a, t->a2));
    bench_done(tsr_copy(t->b, t->b2));
    f.s(COLUMN_MAJOR, NO, YES, t->m, t->n, t->k, 1, t->memory[1], t->m, t->memory[2], t->n, 0, t->memory[0], t->m);
    bench_done(tsr_axpby(tsr_number_real(1), t->c2, tsr_number_real(1), t->c));
}

static double measure_contraction(char const *line, int64_t bytes, int turns, double *beside)
{
    char text[3][16] = {"", "", ""}, spec[64];
    int64_t extent[128], size[3], mnk[3] = {1, 1, 1};
    if (sscanf(line, "%15[a-z]-%15[a-z]-%15[a-z]", text[0], text[1], text[2]) != 3)
        return 0;
    char const *const part[3] = {text[0], text[1], text[2]};
    extents_of(part, extent, bytes);
    for (char c = 'a'; c <= 'z'; ++c) {
        bool const in_c = strchr(text[0], c), in_a = strchr(text[1], c), in_b = strchr(text[2], c);
        if (in_a || in_b)
            mnk[in_a && in_b ? 2 : in_a && in_c ? 0 : 1] *= extent[(int)c];
    }
    float *memory[3];
    for (int i = 0; i < 3; ++i) {
        named(NULL, part[i], extent, &size[i]);
        memory[i] = (float *)filled(size[i], TSR_F32);
    }
    tsr_tensor const a = named(memory[1], text[1], extent, &size[1]), b = named(memory[2], text[2], extent, &size[2]),
                     c = named(memory[0], text[0], extent, &size[0]);
    gemm_case plain = make_case(line, TSR_F32, TSR_F32, mnk[0], mnk[1], mnk[2], false, false);
    snprintf(spec, sizeof spec, "%s,%s->%s", text[1], text[2], text[0]);
    tsr_epilogue const more = tsr_make_epilogue(1, 1);
    tsr_tensor const all[3] = {c, a, b};
    transposed const way = make_transposed(part, extent, all, size, mnk);
    double ratio[101], rate[101], other[101];
    for (int t = -1; t < turns; ++t) {
        double const start = bench_now();
        bench_done(tsr_gemm_with(plain.plan.of.product.a, plain.plan.of.product.b, plain.plan.of.product.c, &more));
        double const middle = bench_now();
        bench_done(tsr_einsum_with(spec, a, b, c, &more));
        double const end = bench_now();
        if (peer[0].handle)
            run_transposed(&way);
        other[t < 0 ? 0 : t] = (bench_now() - end) / (end - middle);
        ratio[t < 0 ? 0 : t] = (middle - start) / (end - middle);
        rate[t < 0 ? 0 : t] = 2.0 * (double)(mnk[0] * mnk[1]) * (double)mnk[2] / (end - middle);
    }
    double const r = bench_middle(ratio, turns);
    *beside = bench_middle(other, turns);
    printf("%-30s %6lld %5lld %5lld %8.1f   %.2f of the rate of gemm, %.2f of transposes and OpenBLAS\n", line,
           (long long)mnk[0], (long long)mnk[1], (long long)mnk[2], bench_middle(rate, turns), r, *beside);
    fflush(stdout);
    for (int i = 0; i < 3; ++i)
        free(memory[i]), free(way.memory[i]);
    free_case(&plain);
    return r;
}

void measure_contractions(char const *file, int64_t bytes, int turns)
{
    char line[64];
    double all[256], beside[256], worst = 9;
    int count = 0, behind = 0;
    FILE *const f = fopen(file, "r");
    while (f && count < 256 && fgets(line, sizeof line, f)) {
        line[strcspn(line, "\n")] = 0;
        double const r = *line == '#' ? 0 : measure_contraction(line, bytes, turns, &beside[count]);
        if (r > 0) {
            behind += beside[count] < 1;
            all[count++] = r;
        }
        worst = r > 0 && r < worst ? r : worst;
    }
    if (f)
        (void)fclose(f);
    if (count > 0) {
        double const middle = bench_middle(beside, count); /* sorts */
        printf("%d contractions: median %.2f of gemm, worst %.2f; beside transposes and OpenBLAS median %.2f, worst "
               "%.2f, behind in %d\n",
               count, bench_middle(all, count), worst, middle, beside[0], behind);
    }
}

/* Loops: a view is a pointer and strides, so loops over tensors cost what loops over arrays cost. */
#include <tessera/text.h>

#include <tessera/names.h>

typedef TSR_STRIDED(float, 2) matrix;
typedef TSR_STRIDED(float const, 2) source;
typedef TSR_STRIDED_UNIT(float, 2, 1) rows; /* mode 1 has stride 1 */
typedef TSR_STRIDED(float, 1) line;
typedef TSR_EACH_OF(float const) each;

static int extent(tsr_tensor t, int mode) { return (int)tsr_size(tsr_mode(t.layout, mode)); }

/** C += A B of any strides. */
static tsr_reason multiply(tsr_tensor A, tsr_tensor B, tsr_tensor C)
{
    source a, b;
    matrix c;
    tsr_reason const why_a = tsr_strided(&a, A), why_b = tsr_strided(&b, B), why_c = tsr_strided(&c, C);
    tsr_reason const why = tsr_reason_or(tsr_reason_or(why_a, why_b), why_c);
    if (!tsr_ok(why))
        return why;
    int const m = extent(C, 0), n = extent(C, 1), k = extent(A, 1);
    for (int i = 0; i < m; ++i)
        for (int l = 0; l < k; ++l)
            for (int j = 0; j < n; ++j)
                tsr_el(c, i, j) += tsr_el(a, i, l) * tsr_el(b, l, j);
    return why;
}

/** The sums of neighbours, along rows that the compiler knows to be contiguous. Views are passed as values. */
static void smooth(rows a, rows c, int m, int n)
{
    for (int i = 1; i < m - 1; ++i)
        for (int j = 1; j < n - 1; ++j)
            tsr_el(c, i, j) = tsr_el(a, i - 1, j) + tsr_el(a, i + 1, j) + tsr_el(a, i, j - 1) + tsr_el(a, i, j + 1);
}

static void transpose(matrix a, matrix c, int m, int n)
{
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            tsr_el(c, j, i) = tsr_el(a, i, j);
}

static void sum_rows(matrix a, line y, int m, int n)
{
    for (int i = 0; i < m; ++i) {
        tsr_el(y, i) = 0;
        for (int j = 0; j < n; ++j)
            tsr_el(y, i) += tsr_el(a, i, j);
    }
}

int main(void)
{
    static float x[6 * 8], y[6 * 8], z[8 * 6], products[6 * 6], sums[6];
    for (int i = 0; i < 6 * 8; ++i)
        x[i] = (float)(i % 5);
    tsr_tensor const X = tsr_make_tensor(x, tsr_t(6, 8), tsr_right()),
                     Y = tsr_make_tensor(y, tsr_t(6, 8), tsr_right());
    tsr_tensor const Z = tsr_make_tensor(z, tsr_t(8, 6)); /* columns */
    tsr_tensor const P = tsr_make_tensor(products, tsr_t(6, 6)), S = tsr_make_tensor(sums, 6);

    matrix a, c;
    rows r, s;
    line l;
    tsr_reason why = tsr_strided(&a, X);
    why = tsr_reason_or(why, tsr_strided(&c, Z));
    why = tsr_reason_or(why, tsr_strided(&r, X));
    why = tsr_reason_or(why, tsr_strided(&s, Y));
    why = tsr_reason_or(why, tsr_strided(&l, S));
    tsr_explain(stdout, why);

    transpose(a, c, 6, 8);
    tsr_explain(stdout, multiply(X, Z, P));
    smooth(r, s, 6, 8);
    sum_rows(a, l, 6, 8);
    printf("products %g %g, neighbours %g, sums %g %g\n", (double)products[0], (double)products[35],
           (double)tsr_el(s, 2, 3), (double)tsr_el(l, 0), (double)tsr_el(l, 5));

    /* The columns of Z do not lie side by side along mode 1. Two modes that go on in each other have one stride. */
    tsr_explain(stdout, tsr_strided(&r, Z));
    tsr_explain(stdout, tsr_strided(&a, tsr_make_tensor(x, tsr_t(tsr_t(2, 3), 8), tsr_t(tsr_t(8, 16), 1))));
    tsr_explain(stdout, tsr_strided(&a, tsr_make_tensor(x, tsr_t(tsr_t(2, 3), 8), tsr_t(tsr_t(1, 16), 2))));

    /* A swizzle has no strides: its elements come one after the other. */
    tsr_tensor const swizzled =
        tsr_make_tensor(x, tsr_swizzled(tsr_make_swizzle(2, 0, 2), tsr_make_layout(tsr_t(4, 4))));
    each e;
    tsr_addresses ahead;
    tsr_explain(stdout, tsr_strided(&a, swizzled));
    tsr_explain(stdout, tsr_each(&e, &ahead, swizzled));
    for (; e.at; tsr_next(e))
        printf("%g ", (double)*e.at);
    printf("\n");
    return 0;
}

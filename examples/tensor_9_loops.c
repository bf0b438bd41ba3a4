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
    enum { M = 6, N = 8 };
    tsr_empty(float, X, (M, N), tsr_right());
    tsr_zeros(float, Y, (M, N), tsr_right());
    tsr_empty(float, Z, (N, M)); /* columns */
    tsr_zeros(float, P, (M, M));
    tsr_empty(float, S, M);
    for (int i = 0; i < tsr_size(X); ++i)
        X_elements[i] = (float)(i % 5);

    matrix a, c;
    rows r, s;
    line l;
    tsr_reason why = tsr_strided(&a, X);
    why = tsr_reason_or(why, tsr_strided(&c, Z));
    why = tsr_reason_or(why, tsr_strided(&r, X));
    why = tsr_reason_or(why, tsr_strided(&s, Y));
    why = tsr_reason_or(why, tsr_strided(&l, S));
    tsr_explain(stdout, why);

    transpose(a, c, M, N);
    tsr_explain(stdout, multiply(X, Z, P));
    smooth(r, s, M, N);
    sum_rows(a, l, M, N);
    printf("products %g %g, neighbours %g, sums %g %g\n", tsr_load_at(double, P, 0, 0), tsr_load_at(double, P, 5, 5),
           (double)tsr_el(s, 2, 3), (double)tsr_el(l, 0), (double)tsr_el(l, 5));

    /* The columns of Z do not lie side by side along mode 1. Two modes that go on in each other have one stride. */
    tsr_explain(stdout, tsr_strided(&r, Z));
    tsr_explain(stdout, tsr_strided(&a, tsr_make_tensor(X_elements, tsr_t(tsr_t(2, 3), 8), tsr_t(tsr_t(8, 16), 1))));
    tsr_explain(stdout, tsr_strided(&a, tsr_make_tensor(X_elements, tsr_t(tsr_t(2, 3), 8), tsr_t(tsr_t(1, 16), 2))));

    /* A swizzle has no strides: its elements come one after the other. */
    tsr_tensor const swizzled =
        tsr_make_tensor(X_elements, tsr_swizzled(tsr_make_swizzle(2, 0, 2), tsr_make_layout(tsr_t(4, 4))));
    each e;
    tsr_addresses ahead;
    tsr_explain(stdout, tsr_strided(&a, swizzled));
    tsr_explain(stdout, tsr_each(&e, &ahead, swizzled));
    for (; e.at; tsr_next(e))
        printf("%g ", (double)*e.at);
    printf("\n");
    return 0;
}

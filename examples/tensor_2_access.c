/* Access: fill by natural coordinates, transpose, and copy as if both were arrays. */
#include <tessera/text.h>

#include <tessera/names.h>

int main(void)
{
    enum { M0 = 4, M1 = 5, N = 13 };
    tsr_zeros(float, A, ((M0, M1), N), ((12, 1), 64)); /* ((4,5),13), an array of 809 */
    tsr_empty(float, B, (N, M0 * M1));                 /* (13,20) */

    for (int m0 = 0; m0 < M0; ++m0)
        for (int m1 = 0; m1 < M1; ++m1)
            for (int n = 0; n < N; ++n)
                tsr_ref(float, A, tsr_t(m0, m1), n) = (float)(n + 2 * m0);

    for (int m = 0; m < M0 * M1; ++m)
        for (int n = 0; n < N; ++n)
            tsr_ref(float, B, n, m) = tsr_ref(float, A, m, n);

    for (int i = 0; i < tsr_size(A); ++i)
        tsr_ref(float, A, i) = tsr_ref(float, B, i);

    printf("rank %d, size %d, mode 0 has rank %d, depth %d\n", (int)tsr_rank(A), (int)tsr_size(A),
           (int)tsr_rank(tsr_get(A, 0)), (int)tsr_tensor_depth_of(A, tsr_unit()).leaf[0].value);
    printf("B(12,3) = %g, A((3,0),0) = %g\n", tsr_load_at(double, B, 12, 3), tsr_load_at(double, A, tsr_t(3, 0), 0));
    tsr_tensor const column = tsr_slice(tsr_t(_, 3), B); /* (13) */
    for (int n = 0; n < N; ++n)
        printf("%g%s", tsr_load_at(double, column, n), n + 1 < N ? " " : "\n");

    tsr_number x; /* checked: the coordinate at fault is named */
    tsr_explain(stdout, tsr_tensor_read(A, tsr_t(tsr_t(3, 5), 0), &x));
    return 0;
}

/* Access: fill by natural coordinates, transpose, and copy as if both were arrays. */
#include <tessera/text.h>

#include <tessera/names.h>

int main(void)
{
    static float b[13 * 20];
    tsr_zeros(float, A, ((4, 5), 13), ((12, 1), 64));       /* ((4,5),13), an array of 832 */
    tsr_tensor const B = tsr_make_tensor(b, tsr_t(13, 20)); /* (13,20) */
    int const m0s = 4, m1s = 5, ns = 13;

    for (int m0 = 0; m0 < m0s; ++m0)
        for (int m1 = 0; m1 < m1s; ++m1)
            for (int n = 0; n < ns; ++n)
                tsr_ref(float, A, tsr_t(m0, m1), n) = (float)(n + 2 * m0);

    for (int m = 0; m < m0s * m1s; ++m)
        for (int n = 0; n < ns; ++n)
            tsr_ref(float, B, n, m) = tsr_ref(float, A, m, n);

    for (int i = 0; i < 260; ++i)
        tsr_ref(float, A, i) = tsr_ref(float, B, i);

    printf("rank %d, size %d, mode 0 has rank %d, depth %d\n", (int)tsr_rank(A), (int)tsr_size(A),
           (int)tsr_rank(tsr_get(A, 0)), (int)tsr_tensor_depth_of(A, tsr_unit()).leaf[0].value);
    printf("B(12,3) = %g, A((3,0),0) = %g\n", (double)tsr_ref(float, B, 12, 3),
           (double)tsr_ref(float, A, tsr_t(3, 0), 0));
    tsr_tensor const column = tsr_slice(tsr_t(_, 3), B); /* (13) */
    for (int n = 0; n < ns; ++n)
        printf("%g%s", (double)tsr_ref(float, column, n), n + 1 < ns ? " " : "\n");

    tsr_number x; /* checked: the coordinate at fault is named */
    tsr_explain(stdout, tsr_tensor_read(A, tsr_t(tsr_t(3, 5), 0), &x));
    return 0;
}

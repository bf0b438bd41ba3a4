/* Thread-value partitioning: compose with a layout (thread, value) -> coordinate, then slice by the thread. */
#include <tessera/text.h>

#include <tessera/names.h>

int main(void)
{
    tsr_layout const tv_layout =
        tsr_make_layout(tsr_t(tsr_t(_2, _4), tsr_t(_2, _2)), tsr_t(tsr_t(_8, _1), tsr_t(_4, _16)));
    tsr_tensor const A = tsr_make_tensor(tsr_counting_iter(tsr_int(0)), tsr_t(_4, _8), tsr_right()); /* (4,8) */
    tsr_tensor const tv = tsr_composition(A, tv_layout);                                             /* (8,4) */

    tsr_print_tensor(stdout, tv);
    for (int thread = 0; thread < 8; thread += 7)
        tsr_print_tensor(stdout, tsr_slice(tsr_t(thread, _), tv)); /* (4) */

    /* The inverse: which thread and value hold coordinate (m,n). */
    tsr_layout const inverse = tsr_composition(tsr_right_inverse(tv_layout), tsr_make_layout(tsr_t(_4, _8)));
    tsr_print(stdout, inverse);
    printf("(1,5) is value %d of thread %d\n", (int)tsr_at(inverse, tsr_t(1, 5)) / 8,
           (int)tsr_at(inverse, tsr_t(1, 5)) % 8);
    return 0;
}

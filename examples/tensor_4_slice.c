/* Slicing: each `_` is a mode of the result; what is fixed moves the pointer. */
#include <tessera/text.h>

#include <tessera/names.h>

int main(void)
{
    tsr_tensor const A = tsr_make_tensor(tsr_counting_iter(tsr_int(0)), tsr_t(tsr_t(_3, 2), tsr_t(2, _5, _2)),
                                         tsr_t(tsr_t(4, 1), tsr_t(_2, 13, 100)));

    tsr_print(stdout, A);
    tsr_print(stdout, tsr_slice(tsr_t(2, _), A));
    tsr_print(stdout, tsr_slice(tsr_t(_, 5), A));
    tsr_print(stdout, tsr_slice(tsr_t(tsr_t(_, _), 5), A));
    tsr_print(stdout, tsr_slice(tsr_t(tsr_t(_, 1), tsr_t(0, _, 1)), A));
    tsr_print(stdout, tsr_slice(tsr_t(tsr_t(2, _), tsr_t(_, 3, _)), A));
    tsr_print_tensor(stdout, tsr_slice(tsr_t(tsr_t(_, 1), tsr_t(0, _, 1)), A));
    return 0;
}

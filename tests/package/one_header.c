/** A program that has nothing but the single header: this file brings its functions. */
#define TSR_IMPLEMENTATION
#include <tessera.h>

int main(void)
{
    float from[6] = {1, 2, 3, 4, 5, 6}, to[6] = {0};
    tsr_tensor const x = tsr_make_tensor(tsr_make_rmem_ptr(from), tsr_t(2, 3), tsr_t(3, 1));
    tsr_tensor const y = tsr_make_tensor(tsr_make_rmem_ptr(to), tsr_t(2, 3), tsr_t(1, 2));
    bool const moved = !tsr_copy(x, y).status && to[1] == 4;
    return tsr_at(tsr_make_layout(tsr_t(4, 8), tsr_t(8, 1)), tsr_t(1, 2)) != 10 || !moved;
}

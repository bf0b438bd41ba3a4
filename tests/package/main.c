/** A program of someone else: valid C11, C++17 and CUDA C++17. */
#include <stdio.h>

#include <tessera/tessera.h>
#include <tessera/text.h>

int main(void)
{
    tsr_layout const a = tsr_make_layout(tsr_t(20, 2), tsr_t(16, 4));
    tsr_layout const b = tsr_make_layout(tsr_t(4, 5), tsr_t(1, 4));
    tsr_layout const c = tsr_composition(tsr_static_all(a), tsr_static_all(b));

    if (tsr_at(c, 7) != 7 * 16) /* b(7) is 7, and a(7) is 7 * 16 */
        return 1;
    tsr_print(stdout, c);
    return 0;
}

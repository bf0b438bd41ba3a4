/** A program with macros of its own, valid C11 and C++17. */
#define X 1
#define T 2
#define A 3
#define once(x) (x)
#define each(x) (x)

#include <tessera/tessera.h>
#include <tessera/exec/tma.h>

int main(void)
{
    tsr_layout const l = tsr_make_layout(tsr_t(4, 2), tsr_t(2, 1));
    bool const kept = X == 1 && T == 2 && A == 3 && once(4) == 4 && each(5) == 5;
    return kept && tsr_at(l, 5) == 3 && tsr_tma_rules() > 0 ? 0 : 1;
}

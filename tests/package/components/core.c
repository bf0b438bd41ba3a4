/** Layouts, a TMA copy and text: what the component core has. */
#include <stdio.h>

#include <tessera/atoms.h>
#include <tessera/exec/tma.h>
#include <tessera/text.h>
#include <tessera/tile.h>

int main(void)
{
    tsr_layout const l = tsr_zipped_divide(tsr_make_layout(tsr_t(8, 6), tsr_t(1, 8)), tsr_tile(4, 2));
    tsr_print(stdout, l);
    return tsr_ok(l) && tsr_at(l, tsr_t(1, 1)) == 5 && tsr_tma_rules() > 0 ? 0 : 1;
}

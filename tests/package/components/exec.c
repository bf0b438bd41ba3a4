/** A copy: what the component exec has. */
#include <tessera/tessera.h>

int main(void)
{
    float a[4] = {1, 2, 3, 4}, b[4] = {0};
    tsr_tensor const from = tsr_make_tensor(tsr_make_gmem_ptr(a, TSR_F32), tsr_make_layout(tsr_t(2, 2), tsr_t(1, 2)));
    tsr_tensor const to = tsr_make_tensor(tsr_make_gmem_ptr(b, TSR_F32), tsr_make_layout(tsr_t(2, 2), tsr_t(2, 1)));
    return tsr_ok(tsr_copy(from, to)) && b[1] == 3 ? 0 : 1;
}

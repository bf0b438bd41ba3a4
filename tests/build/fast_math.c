/* Headers in a program that is compiled with -ffast-math, or a part of it: what does not depend on NaN and infinities
 * is what it is without. */
#include <math.h>
#include <stdio.h>

#include "tessera/tessera.h"

enum { MOST = 1000 };

static int failed;

static void is_near(char const *what, double x, double got, double wanted, double units)
{
    double const off = fabs(got - wanted);
    if (off <= units * fabs(wanted) + 1e-290)
        return;
    printf("FAILED %s of %g: %.17g, not %.17g\n", what, x, got, wanted);
    failed = 1;
}

int main(void)
{
    static double x[MOST], y[MOST];
    static float f[MOST];
    static uint16_t half[MOST];
    tsr_layout const l = tsr_make_layout(MOST);
    tsr_tensor const from = tsr_make_tensor(tsr_make_gmem_ptr(x), l), to = tsr_make_tensor(tsr_make_gmem_ptr(y), l);
    tsr_tensor const fine = tsr_make_tensor(tsr_make_gmem_ptr(f), l);
    tsr_tensor const halves = tsr_make_tensor(tsr_make_gmem_ptr(half, TSR_F16), l);
    for (int i = 0; i < MOST; ++i) {
        x[i] = 0.0171 * i - 8.3;
        f[i] = (float)x[i];
    }
    struct {
        tsr_function_id id;
        char const *name;
        double (*of)(double);
    } const known[] = {
        {TSR_OF_EXP, "exp", exp}, {TSR_OF_TANH, "tanh", tanh}, {TSR_OF_SQRT, "sqrt", sqrt}, {TSR_OF_LOG, "log", log}};
    for (int k = 0; k < 4; ++k) {
        failed += tsr_apply(known[k].id, from, to).status != TSR_OK;
        for (int i = k < 2 ? 0 : 500; i < MOST; ++i)
            is_near(known[k].name, x[i], y[i], known[k].of(x[i]), 1e-13);
    }
    failed += tsr_copy(fine, halves).status != TSR_OK || tsr_copy(halves, to).status != TSR_OK;
    for (int i = 0; i < MOST; ++i) {
        is_near("f16", x[i], y[i], x[i], 0x1p-11 * 1.001);
    }
    return failed;
}

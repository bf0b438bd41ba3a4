/** Powers: alpha x + beta y of floats where both factors are powers of two, or their negatives.
 *
 *  Law     that of exec/compute/update.h, bit by bit: each product and the sum is one of doubles, rounded once more.
 *
 *  The smaller factor is 2^s. Then 2^-s alpha x and 2^-s beta y are floats, and with t = 2^-s alpha x + 2^-s beta y
 *
 *      r = 2^s t
 *
 *  is the law's float if t is finite and 2^-s r = t. For t is the nearest float of the sum, as that of its double is
 *  (update_direct.h). Below the normal floats r is a multiple of their step, and the sum is within a quarter of a step
 *  of it. Where this may fail, which is seldom, a whole block is made in doubles.
 */
#ifndef TSR_SRC_EXEC_COMPUTE_UPDATE_POWERS_H
#define TSR_SRC_EXEC_COMPUTE_UPDATE_POWERS_H

#include "exec/compute/update_direct.h"
#include "exec/compute/update_reals.h"

/** The most elements of a block, whose old ones are kept until all of the new ones are known to hold. */
enum { TSR_POWERS_ = 256 };

/** The factors of t, 2^s and 2^-s. */
typedef struct tsr_power_factors_ {
    float alpha, beta, scale, back;
} tsr_power_factors_;

TSR_LOCAL_MEMORY tsr_power_factors_ tsr_power_factors_of_(tsr_update const *u)
{
    double const alpha = tsr_number_to_double(u->alpha), beta = tsr_number_to_double(u->beta);
    double const least = tsr_abs_(alpha) < tsr_abs_(beta) ? tsr_abs_(alpha) : tsr_abs_(beta);
    tsr_power_factors_ p = {(float)(alpha / least), (float)(beta / least), (float)least, (float)(1 / least)};
    return p;
}

/** n elements, and what they were to `old`; whether they hold. */
TSR_LOCAL_REF bool tsr_powers_block_(tsr_power_factors_ const p, float *old, void *to, void const *from, int64_t n)
{
    uint32_t found = 0;
    TSR_SIDE_BY_SIDE_
    for (int64_t i = 0; i < n; ++i) {
        float x = 0, y = 0;
        TSR_COPY(&x, (float const *)from + i, sizeof x);
        TSR_COPY(&y, (float *)to + i, sizeof y);
        float const t = p.alpha * x + p.beta * y, r = p.scale * t;
        found |= tsr_float_bits_(p.back * r - t); /* +0, where it holds */
        old[i] = y;
        TSR_COPY((float *)to + i, &r, sizeof r);
    }
    return found == 0;
}

/** n elements side by side. */
TSR_LOCAL_REF void tsr_update_powers_(tsr_update const *u, void *to, void const *from, int64_t n)
{
    tsr_power_factors_ const p = tsr_power_factors_of_(u);
    for (int64_t i = 0, m = 0; i < n; i += m) {
        float old[TSR_POWERS_];
        float *const y = (float *)to + i;
        float const *const x = (float const *)from + i;
        m = tsr_min64(n - i, TSR_POWERS_);
        if (tsr_powers_block_(p, old, y, x, m))
            continue;
        TSR_COPY(y, old, (size_t)m * sizeof *old); /* x, too, where that is y */
        tsr_update_reals_(u, y, 4, false, x, 4, m);
    }
}

#endif

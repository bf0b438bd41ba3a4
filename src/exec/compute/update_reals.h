/** Reals: sums of floats and doubles in double, one loop for all that are wanted.
 *
 *  Law     that of exec/compute/update.h.
 */
#ifndef TSR_SRC_EXEC_COMPUTE_UPDATE_REALS_H
#define TSR_SRC_EXEC_COMPUTE_UPDATE_REALS_H

#include "exec/compute/update.h"

TSR_LOCAL_REF double tsr_real_at_(void const *p, int64_t i, int bytes)
{
    double r = 0;
    float f = 0;
    if (bytes == 8)
        TSR_COPY(&r, (double const *)p + i, sizeof r);
    else
        TSR_COPY(&f, (float const *)p + i, sizeof f);
    return bytes == 8 ? r : (double)f;
}

/** r = alpha * x + beta * r of floats and doubles, by their bytes; floats are odd where they are rounded once more:
 *  one loop, because nothing but memory should be waited for. */
TSR_LOCAL_REF void tsr_update_reals_(tsr_update const *u, void *r, int r_bytes, bool odd, void const *x, int x_bytes,
                                     int64_t n)
{
    double const alpha = tsr_number_to_double(u->alpha), beta = tsr_number_to_double(u->beta);
    bool const reads = tsr_update_reads_(u);
    for (int64_t i = 0; i < n; ++i) {
        double sum = alpha * tsr_real_at_(x, i, x_bytes);
        if (reads) {
            double const old = beta * tsr_real_at_(r, i, r_bytes);
            sum = sum + old;
        }
        if (r_bytes == 8) {
            sum = sum != sum ? tsr_nan_() : sum;
            TSR_COPY((double *)r + i, &sum, sizeof sum);
        } else {
            uint32_t const bits = odd ? tsr_float_bits_(tsr_float_odd_(sum)) : tsr_one_nan_((float)sum);
            TSR_COPY((float *)r + i, &bits, sizeof bits);
        }
    }
}

#endif

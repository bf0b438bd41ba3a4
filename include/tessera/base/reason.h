/** Why a value is invalid: one small value for all layers, which a sentence of base/status_list.h is made from.
 *
 *      tsr_reason const why = tsr_why(x);        of a tuple, layout, tiler, swizzle or tensor (generic.h)
 *      if (why.status) tsr_explain(stderr, why);
 *
 *  Law     tsr_why(x).status is TSR_OK for a valid x. An invalid one keeps the first reason that led to it.
 */
#ifndef TSR_BASE_REASON_H
#define TSR_BASE_REASON_H

#include "tessera/base/status.h"

TSR_HEADER_BEGIN

/** How many numbers a sentence may have: with the rest of a reason, 64 bytes. */
#define TSR_NOTES 7

/** A bit of `along`: a composition was refused whose left side has dynamic modes that would coalesce if they were
 *  static (tsr_static_all). */
#define TSR_WOULD_COALESCE 0x80

typedef struct tsr_reason {
    uint16_t status; /* tsr_status */
    uint8_t mode;    /* the mode, or the dimension, at fault */
    uint8_t along;   /* bit i: number i is along the basis element `unit`, not a plain integer; TSR_WOULD_COALESCE */
    uint32_t unit : 30; /* its path, as in a leaf */
    uint32_t law : 1;   /* numbers 3 to 5 are a counterexample: at, got, wanted */
    int64_t number[TSR_NOTES];
} tsr_reason;

/** The reason that means "allowed". */
TSR_FN tsr_reason tsr_no_reason(void)
{
    tsr_reason r = TSR_ZERO;
    return r;
}

/** The first of two reasons. */
TSR_FN tsr_reason tsr_reason_or(tsr_reason a, tsr_reason b) { return a.status ? a : b; }

/** A reason with its mode and its first three numbers. */
TSR_FN tsr_reason tsr_because(tsr_status status, int mode, int64_t a, int64_t b, int64_t c)
{
    tsr_reason r = TSR_ZERO;
    r.status = (uint16_t)status;
    r.mode = (uint8_t)mode;
    r.number[0] = a;
    r.number[1] = b;
    r.number[2] = c;
    return r;
}

/** The same, the numbers under the mask `along` along a basis element. */
TSR_FN tsr_reason tsr_reason_along_(tsr_reason r, unsigned along, uint32_t unit)
{
    r.along = (uint8_t)(unit ? along : 0);
    r.unit = (r.along ? unit : 0) & 0x3fffffffu;
    return r;
}

TSR_HEADER_END

#endif

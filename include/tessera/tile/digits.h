/** The hidden indices of a graph as sums of digits of the top index: what makes a descriptor a layout, proved without
 *  looking at elements.
 *
 *      index  =  constant + sum of coefficient * digit        digit = (index of a top dimension / weight) mod extent
 *
 *  Linear transforms keep this form. A merge cuts a sum in two, E = q * L + r with 0 <= r < L: terms that are
 *  multiples of L go to q; a digit that straddles is split in two where that is even. What cannot be cut so becomes
 *  an opaque digit with a range, and may still cancel further down (a slice of a merged dimension, merged again).
 *
 *  Law     every sum equals the hidden index at every top index inside the lengths.
 */
#ifndef TSR_TILE_DIGITS_H
#define TSR_TILE_DIGITS_H

#include "tessera/tile/coordinate.h"

TSR_HEADER_BEGIN

#define TSR_MAX_DIGITS 40

typedef enum tsr_digit_kind { TSR_DIGIT_TOP, TSR_DIGIT_QUOTIENT, TSR_DIGIT_XOR, TSR_DIGIT_GATHER } tsr_digit_kind;

/** A digit takes the values from least on, `extent` of them. */
typedef struct tsr_digit {
    uint8_t kind, dim;
    int64_t weight, extent, least;
} tsr_digit;

typedef struct tsr_digit_sum {
    int64_t constant, term[TSR_MAX_DIGITS];
} tsr_digit_sum;

/** Sums have slots: one for each hidden dimension, and three to work with. */
#define TSR_DIGIT_SLOTS (TSR_MAX_HIDDEN + 3)

typedef struct tsr_digits {
    int count;
    bool full; /* more digits, or larger numbers, than fit: nothing is known */
    tsr_digit digit[TSR_MAX_DIGITS];
    tsr_digit_sum slot[TSR_DIGIT_SLOTS];
} tsr_digits;

/** The sums of all hidden dimensions. */
TSR_OP void tsr_make_digits(tsr_digits *s, tsr_adaptor const *a);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/digits.h"
#endif

#endif

/** The formula of a tile window: its inputs are the origin, the number of the thread, and the Ys.
 *
 *  A Y is known where an element is accessed, the rest is not: every value is f(origin, thread) + shift(y). What a
 *  quotient, a xor or a table makes of a shift stays inside of f; everything else is a constant of the access.
 *
 *  Law     value(origin, thread, y) = f(origin, thread; inside(y), whole(y)) + outside(y).
 *          The formulas of two descriptors with one structure differ in numbers that are not known, and in nothing
 *          else.
 */
#ifndef TSR_TILE_FORMULA_WINDOW_H
#define TSR_TILE_FORMULA_WINDOW_H

#include "tessera/tile/formula_make.h"

TSR_HEADER_BEGIN

/** What two descriptors say of all that are like them. A number that they share is known. Another one is a multiple
 *  of the greatest common divisor of both and `most`, the elements of the widest access. The size of memory may be any.
 *  Errors  those of the descriptors; FORMULA_GRAPH. */
TSR_OP tsr_variation tsr_variation_between(tsr_descriptor const *a, tsr_descriptor const *b, int most);

/** Why a descriptor is not like these, or OK. Errors  its own; FORMULA_GRAPH; FORMULA_NUMBER, FORMULA_MULTIPLE. */
TSR_OP tsr_reason tsr_variation_why(tsr_variation const *vary, tsr_descriptor const *like, tsr_descriptor const *d);

/** The formula of the tiles of a distribution in a tensor. Inputs: the origin of every dimension, in steps, where the
 *  step is not 0; the thread, that counts P, the last one fastest; the Ys.
 *  Errors  those of the descriptor and of the encoding; WINDOW_RANK; FORMULA_CAPACITY. */
TSR_OP tsr_formula tsr_make_window_formula(tsr_descriptor const *d, tsr_variation const *vary, tsr_encoding const *e,
                                           int const *step);

/** The formula of X(thread, y): an output a dimension, no origin. */
TSR_OP tsr_formula tsr_make_distribution_formula(tsr_encoding const *e);

/* Shifts */

/** What a Y index does to a value. */
typedef struct tsr_shift {
    bool still;              /* the value does not depend on origin and thread: it is `outside` */
    int64_t inside, other;   /* added to what the value is made of; to the other one of a xor */
    int64_t whole, outside;  /* added to the value at once; later */
    int64_t multiple, least; /* of the rest: what it is a multiple of, and not less than */
} tsr_shift;

typedef struct tsr_shifts {
    tsr_shift at[TSR_MAX_VALUES];
} tsr_shifts;

/** What the Y index y does to every value of a window; its inputs are the last `ys` ones. */
TSR_OP tsr_shifts tsr_formula_shifts(tsr_formula const *f, int ys, int64_t const *y);

/** How many elements along Y `along` are accessed at once: the widest group of at most `most`, a power of two, that all
 *  accesses of a thread can be made of. */
TSR_OP int tsr_window_width(tsr_formula const *f, tsr_encoding const *e, int along, int most);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/formula_window.h"
#endif

#endif

/** Making a formula (tile/formula.h). The graph is walked from the top, every hidden dimension as a sum of values
 *  (tile/formula_sum.h). The pads that may be hit set bounds, and so do the lengths of the top dimensions.
 */
#ifndef TSR_TILE_FORMULA_MAKE_H
#define TSR_TILE_FORMULA_MAKE_H

#include "tessera/tile/distribution.h"
#include "tessera/tile/formula_sum.h"

TSR_HEADER_BEGIN

/** Which numbers of a graph are known: what the others are multiples of, 0 of one that is known. */
typedef struct tsr_variation {
    tsr_reason why;
    int64_t multiple[TSR_SOURCES];
} tsr_variation;

/** A number of a graph. */
TSR_OP tsr_known tsr_graph_number_(tsr_adaptor const *a, tsr_variation const *vary, int source);

typedef struct tsr_formula_maker {
    tsr_formula f;
    tsr_open_sum dim[TSR_MAX_HIDDEN];
    uint64_t loose; /* hidden dimensions whose index may be outside their lengths where there is an element */
} tsr_formula_maker;

/** The formula of a descriptor; its inputs are the top dimensions. `vary` says which numbers are known; 0: all.
 *  Errors  those of the descriptor; FORMULA_CAPACITY. */
TSR_OP tsr_formula tsr_make_formula_by(tsr_descriptor const *d, tsr_variation const *vary);

/** The formula of a descriptor all of whose numbers are known. */
TSR_OP tsr_formula tsr_make_formula(tsr_descriptor const *d);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/formula_make.h"
#endif

#endif

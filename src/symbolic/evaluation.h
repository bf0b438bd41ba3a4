/** An expression over named sizes that was read. */
#ifndef TSR_SRC_SYMBOLIC_EVALUATION_H
#define TSR_SRC_SYMBOLIC_EVALUATION_H

#include "symbolic/parse.h"

struct tsr_symbolic {
    sizes s;
    symbol result;
    memory kept;
    tsr_evaluation *numbers; /* what the result refers to; NULL: nothing */
    tsr_message error;
    symbol stack[SYMBOL_ROOM]; /* of the reader */
};

/** Is it a tuple, or a layout with no more than a swizzle in front, whose modes have no names? */
bool tsr_symbolic_is_of_sizes_(value const *v);

/** The text of the result. */
void tsr_symbolic_write_(writer *w, tsr_symbolic const *e);

#endif

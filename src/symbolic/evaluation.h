/** An expression over named sizes that was read. */
#ifndef TSR_SRC_SYMBOLIC_EVALUATION_H
#define TSR_SRC_SYMBOLIC_EVALUATION_H

#include "calc/value.h"
#include "symbolic/parse.h"

struct tsr_symbolic {
    sizes s;
    symbol result;
    memory kept;
    tsr_evaluation *numbers; /* what the result refers to; NULL: nothing */
    tsr_message error;
    symbol stack[SYMBOL_ROOM], item[SYMBOL_ROOM]; /* of the reader */
};

/** The text of the result. */
void tsr_symbolic_write_(writer *w, tsr_symbolic const *e);

#endif

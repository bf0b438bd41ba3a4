/** Reads expressions and guards over named sizes, and evaluates as it reads. */
#ifndef TSR_SRC_SYMBOLIC_PARSE_H
#define TSR_SRC_SYMBOLIC_PARSE_H

#include "symbolic/value.h"
#include "text/scan.h"

enum { SYMBOL_ROOM = 128, SYMBOL_DEPTH = 24 };

/** What is read: on the stack stand the elements of unfinished lists. */
typedef struct reader {
    sizes *s;
    scan in;
    int depth, used;
    symbol *stack; /* SYMBOL_ROOM */
} reader;

/** Reads a whole expression; false where it is over. */
bool tsr_symbol_read_(reader *r, symbol *v);

/** Reads guards and adds them. */
void tsr_symbol_read_guards_(reader *r);

#endif

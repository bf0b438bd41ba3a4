/** The operations that act mode by mode, as rows of the table of operation.c call them. */
#ifndef TSR_SRC_SYMBOLIC_OPERATION_H
#define TSR_SRC_SYMBOLIC_OPERATION_H

#include "symbolic/value.h"

/** The forms of a divide, and of a product where SPLIT_PRODUCT is added. */
enum { SPLIT_LOGICAL, SPLIT_ZIPPED, SPLIT_TILED, SPLIT_FLAT, SPLIT_PRODUCT };

/** The layout that an argument is. */
static inline tsr_layout const *layout_of_(symbol const *argument) { return &argument->v.as.layout; }

void tsr_symbol_give_(symbol *r, tsr_layout l);

void tsr_symbol_run_split_(sizes *s, symbol *arg, int n, int variant, symbol *r);

/** Blocks side by side, ((block,count),..), or interleaved, ((count,block),..). */
void tsr_symbol_run_blocked_(sizes *s, symbol *arg, int n, int raked, symbol *r);

void tsr_symbol_run_composition_(sizes *s, symbol *arg, int n, int variant, symbol *r);

#endif

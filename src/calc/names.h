/** Names of modes: lists "m,n" beside the values of an evaluation. */
#ifndef TSR_SRC_CALC_NAMES_H
#define TSR_SRC_CALC_NAMES_H

#include "calc/value.h"

int tsr_names_count_(char const *names);

/** Is a name of n characters in the list? */
bool tsr_names_has_(char const *names, char const *name, size_t n);

/** The list with one more name, kept; NULL where memory has run out. */
char const *tsr_names_add_(memory *m, char const *names, char const *name, size_t n);

void tsr_names_write_(writer *w, char const *text, char const *names);

/** Puts arguments whose modes have names into the order of the layout that they are about. False: the words in *error
 *  say which name it does not have. */
bool tsr_names_arrange_(call *c, tsr_message *error);

/** The names of the modes of what a call gave; NULL: they have none. */
char const *tsr_names_of_result_(call const *c, value const *result);

#endif

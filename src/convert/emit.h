/** What the files of tsr_emit share. */
#ifndef TSR_SRC_CONVERT_EMIT_H
#define TSR_SRC_CONVERT_EMIT_H

#include "convert/convert.h"

/** Why a value is invalid. */
tsr_reason tsr_converted_why_(tsr_converted const *v);

/** Writes what stands in front of all functions; false: the value, or the language, is refused. */
bool tsr_emit_begin_(writer *w, scan *s, tsr_code in, tsr_converted const *v);

/** Writes the functions of a value, or its only one by this name. */
void tsr_emit_function_(writer *w, tsr_converted const *v, tsr_code in, char const *name, scan *s);

/** Writes a function that returns CuTe's layout. */
void tsr_emit_cute_(writer *w, tsr_converted const *v, char const *name, scan *s);

#endif

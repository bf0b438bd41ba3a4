/** The writers of plain values: what the rooms above put their own text together from. Only valid values are
 *  written. */
#ifndef TSR_SRC_TEXT_WRITE_H
#define TSR_SRC_TEXT_WRITE_H

#include "tessera/text.h"

#include "text/writer.h"

void write_tuple(writer *w, tsr_tuple const *t, unsigned flags);
TSR_EXTERN_C void write_layout(writer *w, tsr_layout const *l, unsigned flags);
void write_tiler(writer *w, tsr_tiler const *t, unsigned flags);
void write_swizzle(writer *w, tsr_swizzle sw);
void write_engine(writer *w, tsr_engine const *e, unsigned flags);
void write_tensor(writer *w, tsr_tensor const *t, unsigned flags);

/** A reason in one sentence, and that of an invalid tuple. */
void write_why(writer *w, tsr_reason const *why);
void write_reason(writer *w, tsr_tuple const *t);

/** Prints a text of any length that a function formats as snprintf does. */
void print_long(FILE *file, size_t (*format)(char *out, size_t size, void const *value), void const *value);

/** Why a text is no value: the words and their place, as many words as fit behind the place in a tuple. */
tsr_tuple syntax_reason(size_t at, char const *words);

/** The element type that the text begins with; returns how many characters its name has, 0 for none. */
size_t type_read(char const *text, tsr_dtype *type);

/** CuTe's name of an element type. */
char const *type_cute_name(tsr_dtype type);

#endif

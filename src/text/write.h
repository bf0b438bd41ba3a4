/** The writers of plain values: what the rooms above put their own text together from. Only valid values are
 *  written. */
#ifndef TSR_SRC_TEXT_WRITE_H
#define TSR_SRC_TEXT_WRITE_H

#include "tessera/text.h"

#include "text/writer.h"

void tsr_write_tuple_(writer *w, tsr_tuple const *t, unsigned flags);

/** The path of a basis element, @1@0. */
void tsr_write_path_(writer *w, uint32_t path);

TSR_EXTERN_C void tsr_write_layout_(writer *w, tsr_layout const *l, unsigned flags);
void tsr_write_sum_(writer *w, tsr_layout_sum const *s, unsigned flags);
void tsr_write_tiler_(writer *w, tsr_tiler const *t, unsigned flags);
void tsr_write_swizzle_(writer *w, tsr_swizzle sw);
void tsr_write_linear_(writer *w, tsr_linear const *f);
void tsr_write_basis_(writer *w, char const *open, tsr_linear_side const *out, uint64_t x, char const *between,
                      char const *close);
void tsr_write_engine_(writer *w, tsr_engine const *e, unsigned flags);
void tsr_write_tensor_(writer *w, tsr_tensor const *t, unsigned flags);

/** A reason in one sentence, and that of an invalid tuple. */
void tsr_write_why_(writer *w, tsr_reason const *why);
void tsr_write_reason_(writer *w, tsr_tuple const *t);

/** Prints a text of any length that a function formats as snprintf does. */
void tsr_print_long_(FILE *file, size_t (*format)(char *out, size_t size, void const *value), void const *value);

/** Why a text is no value: the words and their place, as many words as fit behind the place in a tuple. */
tsr_tuple tsr_syntax_reason_(size_t at, char const *words);

/** The element type that the text begins with; returns how many characters its name has, 0 for none. */
size_t tsr_type_read_(char const *text, tsr_dtype *type);

/** CuTe's name of an element type. */
char const *tsr_type_cute_name_(tsr_dtype type);

/** The labels of an operation (tsr_op), one parameter after the other: `*labels` goes on to the next one. */
typedef struct op_label {
    char const *word;
    int length;
    bool in_front; /* it is written in front of its argument, `origin=`; else it is a name only, or there is none */
} op_label;

op_label tsr_op_label_next_(char const **labels);

/** Is a character of a signature a parameter that an argument or a bracket fills? Where an answer or a refusal goes is
 *  none. */
bool tsr_op_is_filled_(char parameter);

#endif

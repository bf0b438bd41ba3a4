/** The options of a command, the names that they take, and layouts in words. */
#ifndef TSR_CLI_OPTION_H
#define TSR_CLI_OPTION_H

#include "commands.h"

/** The value of an option --NAME of the command, "" of one that has none; NULL: it was not given. */
char const *option_of(options const *o, char const *name);

/** The element type that an option names, or `absent`. False: complains. */
bool type_of_option(options const *o, char const *option, tsr_dtype absent, tsr_dtype *type);

/** "512M" in bytes; 0: it is none. */
int64_t size_of_text(char const *text);

/** The layout that an expression denotes, compact of a shape. False: complains, behind the words `of`, why there is
 *  none or why it is refused. */
bool read_layout(options const *o, char const *of, char const *text, tsr_layout *l);

/** Puts a word behind others. */
void add_word(char *out, size_t size, char const *word);

/** The names of all element types, with blanks between. */
void type_names(char *out, size_t size);

/** ", did you mean NAME?", or nothing where no name is near; valid until the next call. */
char const *did_you_mean(tsr_nearest const *nearest);

#endif

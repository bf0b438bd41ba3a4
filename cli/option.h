/** The options of a command, and the names that they take. */
#ifndef TSR_CLI_OPTION_H
#define TSR_CLI_OPTION_H

#include "commands.h"

/** The value of an option --name VALUE or --name=VALUE, which is taken out of the arguments; NULL when it is not
 *  there. An option without a value gives "". */
char const *take_option(int *n, char **argument, char const *name, bool has_value);

/** An element type by name. 0: complains. */
tsr_dtype type_of_option(options const *o, char const *option, char const *name);

/** Puts a word behind others. */
void add_word(char *out, size_t size, char const *word);

/** The names of all element types, with blanks between. */
void type_names(char *out, size_t size);

/** ", did you mean NAME?", or nothing where no name is near; valid until the next call. */
char const *did_you_mean(tsr_nearest const *nearest);

#endif

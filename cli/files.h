/** The commands on files of data. */
#ifndef TSR_CLI_FILES_H
#define TSR_CLI_FILES_H

#include "tessera/io.h"
#include "words.h"

/** Whether an argument names a file of data, by its ending: .npy or .safetensors. */
bool is_data_file(char const *argument);

/** Prints what is in a file of data; with a type, that of the elements. False when it cannot be read. */
bool show_data_file(options const *o, char const *path, tsr_dtype type);

/** The value of an option --name VALUE or --name=VALUE, which is taken out of the arguments; NULL when it is not
 *  there. An option without a value gives "". */
char const *take_option(int *n, char **argument, char const *name, bool has_value);

/** An element type by name. 0: complains. */
tsr_dtype type_of_option(options const *o, char const *option, char const *name);

#endif

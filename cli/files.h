/** The commands on files of data. */
#ifndef TSR_CLI_FILES_H
#define TSR_CLI_FILES_H

#include "option.h"
#include "tessera/io.h"
#include "words.h"

/** Whether a text ends so, and is longer. */
bool has_ending(char const *text, char const *end);

/** Whether an argument names a file of data, by its ending: .npy, .safetensors or .gguf. */
bool is_data_file(char const *argument);

/** Prints what is in a file of data; with a type, that of the elements. False when it cannot be read. */
bool show_data_file(options const *o, char const *path, tsr_dtype type);

/** Reads a whole file, or standard input by the name -, as fewer than `size` characters. False: complained of. */
bool read_text(options const *o, char const *path, char *text, size_t size);

#endif

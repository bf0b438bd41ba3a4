/** The commands on files of data. */
#ifndef TSR_CLI_FILES_H
#define TSR_CLI_FILES_H

#include "option.h"
#include "tessera/io.h"
#include "words.h"

/** Whether a text ends so, and is longer. */
bool has_ending(char const *text, char const *end);

/** Whether an argument names a file of data, by its ending: .npy, or a file of tensors. */
bool is_data_file(char const *argument);

/** An array without elements: it has extents that no layout has, one of them 0. Its size is 0; only functions that ask
 *  for that first may have it. */
tsr_tensor empty_array(tsr_dtype type, int rank, int64_t const *extent);

/** The array of an .npy file; a tensor of a model, which is refused where tsr_model_get refuses it and it has elements.
 *  Either may be without elements. */
tsr_tensor array_of_file(tsr_file const *file);
bool array_of_model(tsr_model const *model, tsr_model_tensor const *t, tsr_tensor *array, tsr_message *error);

/** The layout of an array as text; of one without elements "(0,3), no elements". */
void format_array(char *text, size_t size, tsr_layout layout, unsigned flags);

/** Prints what is in a file of data; with a type, that of the elements. False when it cannot be read. */
bool show_data_file(options const *o, char const *path, tsr_dtype type);

/** Reads a whole file, or standard input by the name -, as fewer than `size` characters. False: complained of. */
bool read_text(options const *o, char const *path, char *text, size_t size);

#endif

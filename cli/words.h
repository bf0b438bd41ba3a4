/** What the program says beside its results: errors, where they are, and text that fits a terminal. */
#ifndef TSR_CLI_WORDS_H
#define TSR_CLI_WORDS_H

#include "commands.h"

/** Writes "error: " and the words to standard error, in red on a terminal. */
void complain(options const *o, char const *format, ...);

/** The same of a command that was not called as it is meant, with the place to read how it is; returns MISUSE. */
int misuse(options const *o, char const *format, ...);

/** The same on standard output, in the place of a result; returns false. */
bool put_error(options const *o, char const *text);

/** Says on standard error what an expression gives with static numbers, where that is another value than `result`, the
 *  text of what it gives as it is written. */
void note_static(options const *o, char const *expression, char const *result);

/** Where a text is no expression: shows on standard error the text and a caret under the place. */
void point_at_error(options const *o, char const *expression);

/** Prints words from a column on, a line as far as 79 columns go, the following ones indented; what stands in brackets
 *  stays together. Returns the column behind the last word. */
int print_wrapped(int column, int indent, char const *text);

#endif

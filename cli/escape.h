/** Texts of others on a terminal. */
#ifndef TESSERA_CLI_ESCAPE_H
#define TESSERA_CLI_ESCAPE_H

#include <stdio.h>

/** Prints a path, a name from a file or a line of a script as it may be printed (tsr_format_printable); or n bytes. */
void print_escaped(FILE *file, char const *text);
void print_escaped_part(FILE *file, char const *text, size_t n);

/** How many columns it takes then; the bytes of one letter of UTF-8 take one. */
int escaped_columns(char const *text, size_t n);

#endif

/** Texts of others on a terminal. */
#ifndef TESSERA_CLI_TAME_H
#define TESSERA_CLI_TAME_H

#include <stdio.h>

/** Prints a path, or a name from a file, without what would command a terminal. */
void put_tame(FILE *file, char const *text);

#endif

/** Commands under --given: sizes are names, and results hold under guards. */
#ifndef TSR_CLI_GIVEN_H
#define TSR_CLI_GIVEN_H

#include "commands.h"

/** Says on standard error how an expression that was refused has a value, where that is with names as sizes. */
void hint_given(char const *expression);

int eval_given(options const *o, char const *given, int n, char **argument);
int emit_given(options const *o, char const *given, char const *language, char const *expression);

#endif

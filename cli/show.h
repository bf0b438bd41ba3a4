/** Showing an expression, for the commands show and run. */
#ifndef TSR_CLI_SHOW_H
#define TSR_CLI_SHOW_H

#include "commands.h"

/** Shows an expression on standard output as `tessera show` without options does; false: an error was printed. */
bool show_expression(options const *o, char const *expression);

#endif

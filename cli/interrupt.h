/** Signals that end the program (SIGINT, SIGTERM, SIGHUP): what was begun beside a target goes, and the program ends by
 *  the signal, so that a shell sees status 130 of an interrupt. */
#ifndef TSR_CLI_INTERRUPT_H
#define TSR_CLI_INTERRUPT_H

#include <stdbool.h>

/** From now on such a signal removes this file first (NULL: none), until interrupt_keeps() is called: once for each. */
void interrupt_removes(char const *path);
void interrupt_keeps(void);

/** While this is on, such a signal is only recorded, for work that looks at interrupted() and cleans up by itself;
 *  switched off, it ends the program. */
void interrupt_waits(bool on);
bool interrupted(void);

#endif

/** How far a long work on files is, on standard error: percent, rate and time left. */
#ifndef TSR_CLI_RELAYOUT_METER_H
#define TSR_CLI_RELAYOUT_METER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct meter {
    bool asked, terminal; /* it shows itself when it is asked for, or on a terminal when the work takes a second */
    double all, done;     /* bytes */
    double begin, last;   /* seconds */
} meter;

meter meter_begin(bool asked, double bytes);

/** Counts more bytes as done. */
void meter_add(meter *m, double bytes);

/** Seconds since the beginning. */
double meter_seconds(meter const *m);

/** The last line: the bytes copied, the seconds, and that they are on the disk. */
void meter_end(meter const *m, double copied_in);

#endif

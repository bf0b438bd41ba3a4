/** Where a command writes: standard output, or a file that appears when it is whole (tsr_output). */
#ifndef TSR_CLI_OUTPUT_H
#define TSR_CLI_OUTPUT_H

#include <stdio.h>

#include "commands.h"
#include "tessera/io.h"

typedef struct output {
    tsr_output to;
    FILE *file;
} output;

/** Whether a path is where standard output goes anyway (/dev/stdout, or the file that it was sent to). */
bool is_standard_output(char const *path);

/** Opens; NULL, "-" and the path of standard output are standard output. False: complains. */
bool output_begin(options const *o, char const *path, output *out);

/** Ends what was begun: `drawn` says whether all was written to out->file. False: complains, and the target is what it
 *  was. */
bool output_end(options const *o, output *out, bool drawn);

#endif

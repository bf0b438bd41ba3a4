/** Where the parts that relayout --dist writes come from: an array in one file, or parts in a file for each rank. */
#ifndef TSR_CLI_RELAYOUT_SOURCE_H
#define TSR_CLI_RELAYOUT_SOURCE_H

#include "relayout_job.h"
#include "tessera/mesh.h"

typedef struct relayout_source {
    tsr_dist_layout layout; /* which rank has which elements before */
    tsr_dtype type;         /* of the elements; 0: no part was open yet */
    tsr_dtype read_as;      /* of raw bytes; 0: as the files say */
    void const *whole;      /* the array, on every rank; NULL: parts */
    tsr_file **part;        /* those that are open, by ranks */
    int64_t ranks;
} relayout_source;

/** "out.npy" of rank 3 is "out.3.npy". NULL: no memory. */
char *relayout_name_of(char const *path, int64_t rank);

/** The array as it lies in its file, a copy on each rank. False: complains. */
bool relayout_source_whole(relayout_job const *j, tsr_tensor const *in, int64_t ranks, relayout_source *s);

/** The parts that --from says, of which the first one with elements is opened. False: complains. */
bool relayout_source_parts(relayout_job *j, tsr_dtype type, relayout_source *s);
void relayout_source_close(relayout_source *s);

/** Runs a plan: opens the parts that the rank needs, and reads where they lie. */
TSR_TRY bool relayout_source_run(relayout_job const *j, relayout_source *s, tsr_dist_plan const *plan, tsr_dtype type,
                                 void *to, tsr_message *error);

#endif

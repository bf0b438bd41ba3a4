/** A redistribution as one collective call. */
#ifndef TSR_SRC_MESH_TOGETHER_H
#define TSR_SRC_MESH_TOGETHER_H

#include "mesh/move.h"

/** Packed parts of all ranks. {0}: there is no collective. */
typedef struct dist_together {
    tsr_dist_together call; /* NONE: messages do it */
    int64_t *bytes;         /* sent to each rank, received from each */
    char *buffer;
    bool begun;
} dist_together;

/** Is a run one collective call? All ranks answer alike. False: no memory. */
bool tsr_dist_together_make_(tsr_dist_plan const *plan, tsr_dist_transport const *transport,
                             tsr_dist_terms const *terms, tsr_dtype carried, int64_t budget, dist_together *t);
void tsr_dist_together_free_(dist_together *t);

/** Does it sum? Then what stays is among what it sends. */
bool tsr_dist_together_sums_(dist_together const *t);

/** Packs everything by the terms of a message. */
bool tsr_dist_together_pack_(dist_together *t, tsr_dist_plan const *plan, tsr_dist_terms const *terms,
                             void const *old, tsr_message *error);
bool tsr_dist_together_unpack_(dist_together *t, tsr_dist_plan const *plan, tsr_dist_terms const *terms, void *new_,
                               tsr_message *error);

#endif

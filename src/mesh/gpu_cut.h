/** Messages of a plan in chunks (src/mesh/gpu_packed.c): where they are cut, and which of them need no buffer. */
#ifndef TSR_SRC_MESH_GPU_CUT_H
#define TSR_SRC_MESH_GPU_CUT_H

#include "mesh/gpu_copies.h"

/** The chunks of a message: those from `first` on in the cutter's list, and its address if it is moved in place. */
typedef struct dist_gpu_message {
    int64_t first, chunks, begin;
    bool in_place;
} dist_gpu_message;

typedef struct dist_gpu_cutter {
    tsr_dist_plan const *plan;
    dist_gpu_terms terms;
    int64_t bytes, most; /* of a carried element; elements of a chunk */
    tsr_message *error;
    dist_gpu_message *message[2]; /* received, sent */
    int64_t *end;                 /* of chunks, in elements of their messages */
    int64_t ends, capacity;
} dist_gpu_cutter;

/** Cuts all messages; the first members are given. */
bool tsr_dist_gpu_cut_(dist_gpu_cutter *k);
void tsr_dist_gpu_cut_free_(dist_gpu_cutter *k);

#endif

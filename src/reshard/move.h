/** Elements of a tensor of the target's file, in pieces: which boxes of which sources they are. */
#ifndef TSR_SRC_RESHARD_MOVE_H
#define TSR_SRC_RESHARD_MOVE_H

#include "reshard/reshard.h"
#include "tessera/mesh/plan.h"

/** One tensor of the checkpoint, as part of a tensor of a file: its plan, and where its elements begin. */
typedef struct reshard_stream {
    tsr_dist_plan plan;
    void const **memory; /* of the plan's messages, and of what it keeps */
    int64_t base;        /* of its part, in the tensor of the file */
    int64_t reach[2];    /* from which element to which one the file's tensor has it */
    tsr_dtype from, to;
} reshard_stream;

typedef struct reshard_move {
    reshard_stream *stream;
    int streams;
    uint64_t at;      /* bytes, in the image */
    int64_t elements; /* of the tensor in the file */
    bool failed;
    tsr_message *error;
} reshard_move;

/** Plans what rank `rank` of the target has of a target tensor. Its elements go to byte `at` of the file. */
bool tsr_reshard_move_make_(tsr_reshard const *r, reshard_target const *g, int64_t rank, uint64_t at, reshard_move *m,
                            tsr_message *error);
void tsr_reshard_move_free_(reshard_move *m);

/** Puts elements `first` to `last` - 1 into the image, by a buffer of their size where they are not one run of one
 *  source. *touched: bytes of sources that are in memory now, about. */
bool tsr_reshard_move_piece_(reshard_move const *m, tsr_image const *image, int64_t first, int64_t last, void *buffer,
                             int64_t *touched, tsr_message *error);

#endif

/** Boxes of elements as copies. */
#ifndef TSR_SRC_DIST_MOVE_H
#define TSR_SRC_DIST_MOVE_H

#include "tessera/dist/plan.h"

/** What walks over boxes: from memory to memory, each a part or a buffer that is compact. */
typedef struct dist_mover {
    void const *from;
    void *to;
    bool packed[2]; /* from, to: a buffer, whose elements are in the order of the message */
    bool adds;
    tsr_dtype type;
    tsr_message *error;
} dist_mover;

/** Moves one box; a tsr_dist_see whose context is a dist_mover. */
bool tsr_dist_move_(void *context, tsr_dist_box const *box, int64_t at);

/** Every element of a part becomes 0. */
bool tsr_dist_clear_(tsr_dist_part const *part, int modes, void *memory, tsr_dtype type, tsr_message *error);

#endif

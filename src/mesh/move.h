/** Boxes of elements as copies. */
#ifndef TSR_SRC_MESH_MOVE_H
#define TSR_SRC_MESH_MOVE_H

#include "tessera/mesh/run.h"
#include "tessera/tensor/pointer.h"

/** What walks over boxes: from memory to memory, each a part or a buffer that is compact. */
typedef struct dist_mover {
    void const *from;
    void *to;
    bool packed[2]; /* from, to: a buffer, whose elements are in the order of the message */
    tsr_dist_terms terms;
    tsr_message *error;
    bool past; /* whole lines of the destination pass the caches, though boxes are small (tsr_dist_goes_past_) */
} dist_mover;

/** A tensor of n modes in memory; steps are elements. */
tsr_tensor tsr_dist_strided_(void const *memory, bool constant, tsr_dtype type, int n, int64_t const *count,
                             int64_t const *step);

/** Moves one box; a tsr_dist_see whose context is a dist_mover. */
bool tsr_dist_move_(void *context, tsr_dist_box const *box, int64_t at);

/** Is a part so large that nothing of it stays in the caches? */
bool tsr_dist_goes_past_(tsr_dist_part const *part, tsr_dtype type);

/** Does alpha * x + beta * y leave x as it is? */
bool tsr_dist_copies_(tsr_dist_terms const *terms);

/** Are these types and factors ones that can be computed? */
bool tsr_dist_computes_(tsr_dist_terms const *terms, tsr_message *error);

/** Every element of a part is multiplied by beta. */
bool tsr_dist_scale_(tsr_dist_part const *part, int modes, void *memory, tsr_dist_terms const *terms,
                     tsr_message *error);

#endif

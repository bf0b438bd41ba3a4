/** How a rule cuts a tensor, and the layout of that. */
#ifndef TSR_SRC_RESHARD_CUT_H
#define TSR_SRC_RESHARD_CUT_H

#include "reshard/spec.h"

/** The axes that place elements, in the order of the mesh. There is room for one that becomes two. */
typedef struct reshard_mesh {
    int axes, axis[RESHARD_AXES + 1];
    int64_t size[RESHARD_AXES + 1], ranks;
} reshard_mesh;

/** Placements of the axes that place, one of which may have become two. */
typedef struct cutting {
    reshard_mesh mesh;
    tsr_placement p[RESHARD_AXES + 1];
    reshard_rule const *rule; /* its parts, and .. */
    reshard_sizes sizes;
    int mode; /* which parts, sizes or padding are of; -1: the one of the first shard */
} cutting;

/** The layout of a tensor of these extents, of which files have `there` in place of mode 0's. */
bool tsr_reshard_cut_(cutting const *c, int modes, int64_t const *extent, int64_t there, tsr_dist_layout *d,
                      tsr_message *error);

#endif

/** Reading texts of distributions: integers from 0 on, below 10^18. */
#ifndef TSR_SRC_MESH_SCAN_H
#define TSR_SRC_MESH_SCAN_H

#include "mesh/form.h"
#include "tessera/mesh/make.h"
#include "text/scan.h"

/** The names of the systems, by tsr_dist_system. */
extern char const *const tsr_dist_system_names_[];

bool tsr_dist_integer_(scan *s, int64_t *value);

/** Reads at most `most` of them between `open` and `close`, with commas between them. */
bool tsr_dist_integers_(scan *s, char const *open, char const *close, int most, int64_t *value, int *n);

/** A placement of DTensor, and its turn among the shards of its mode: -1 if none is given. */
bool tsr_dist_scan_placement_(scan *s, tsr_placement *p, int64_t *turn);

/** The sharding of XLA that begins at s. */
bool tsr_dist_scan_sharding_(scan *s, int modes, int64_t const *extent, tsr_dist_layout *d);

#endif

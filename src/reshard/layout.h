/** Where a rule puts a tensor: a distributed layout of the axes of the mesh that do not pin it. */
#ifndef TSR_SRC_RESHARD_LAYOUT_H
#define TSR_SRC_RESHARD_LAYOUT_H

#include "reshard/cut.h"

/** A tensor of a checkpoint, as its files join it with others: `which` of `joined`, of these rows (before padding). */
typedef struct reshard_view {
    int modes;
    int64_t extent[TSR_DIST_MODES]; /* of the whole */
    int64_t rows_there;             /* of mode 0 in files, with padding */
    int64_t groups;                 /* both sides see mode 0 as so many groups; 0: as one mode */
    int64_t before, turn;           /* rows of a group in files: of the tensors before this one, of all */
    int64_t heads;                  /* of mode 0; 0: it is no mode of heads */
} reshard_view;

reshard_mesh tsr_reshard_mesh_(tsr_reshard_spec const *spec, reshard_rule const *rule);

/** The rank of the whole mesh, where rank `sub` of the placing axes is on these coordinates of the others. */
int64_t tsr_reshard_rank_(tsr_reshard_spec const *spec, reshard_rule const *rule, int64_t const *pin, int64_t sub);

/** The coordinate of a rank on an axis. */
int64_t tsr_reshard_coordinate_(tsr_reshard_spec const *spec, int64_t rank, int axis);

/** The layout of the whole tensor's elements in the memory that files have. */
bool tsr_reshard_layout_(tsr_reshard_spec const *spec, reshard_rule const *rule, reshard_view const *view,
                         tsr_dist_layout *d, tsr_message *error);

/** The same with its padding, of which files have the extents. */
bool tsr_reshard_layout_there_(tsr_reshard_spec const *spec, reshard_rule const *rule, reshard_view const *view,
                               tsr_dist_layout *d, tsr_message *error);

/** How many neighbours along an axis have copies of one head of this one of the joined tensors; 1: no two. */
int64_t tsr_reshard_repeats_(tsr_reshard_spec const *spec, reshard_rule const *rule, int which, int axis);

/** How many rows files have of a tensor with `rows` of them. */
int64_t tsr_reshard_padded_(reshard_rule const *rule, int64_t rows);

#endif

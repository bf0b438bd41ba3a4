/** The lists of a plan: for each mode, the overlap of the rank with each coordinate of the other mesh. */
#ifndef TSR_SRC_MESH_LIST_H
#define TSR_SRC_MESH_LIST_H

#include "mesh/piece.h"
#include "tessera/mesh/plan.h"

typedef struct dist_entry {
    int64_t elements;
    int64_t width;  /* of the other side's line */
    int32_t rank;   /* what the coordinate adds to the rank: at most 2^24 */
    uint32_t first; /* its pieces end where those of the next entry begin: at most 2^24 */
} dist_entry;

typedef struct dist_list {
    dist_entry *entry; /* those that have elements */
    int64_t count, capacity;
    dist_pieces pieces;
    dist_common common;
    int64_t width; /* of the rank's own line */
} dist_list;

struct tsr_dist_lists {
    dist_list mode[TSR_DIST_MODES];
};

/** The lists of the rank with the digits form[own], against all coordinates of the other form. NULL: no memory. */
tsr_dist_lists *tsr_dist_lists_make_(dist_form const form[2], int own, int64_t const *digit);
void tsr_dist_lists_free_(tsr_dist_lists *lists);

/** Ranks as a sorted array: every sum of the places of these splits, the smallest stride first. NULL: no memory. */
int64_t *tsr_dist_offsets_(tsr_dist_layout const *d, int const *split, int splits, int64_t *count);

/** Which of the ranks base + copy[..] sends to a receiver: one of its host, if there is one. Receivers in a row, and at
 *  equal steps, take different copies. */
int64_t tsr_dist_sender_(int64_t const *copy, int64_t copies, int64_t base, int64_t receiver, int64_t host);

/** What the digits of these splits add to the rank, and their number: the first split counts fastest. */
int64_t tsr_dist_place_of_(dist_form const *f, int const *split, int splits, int64_t const *digit, int64_t *number);

#endif

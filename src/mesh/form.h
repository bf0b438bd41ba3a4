/** A distributed layout as the planner reads it: splits in order, the digits of ranks, and a rank's share of a mode. */
#ifndef TSR_SRC_MESH_FORM_H
#define TSR_SRC_MESH_FORM_H

#include "tessera/mesh/layout.h"

/** The indices of splits: by their strides and of each mode by their blocks, the largest first. */
typedef struct dist_form {
    tsr_dist_layout const *d;
    int by_stride[TSR_DIST_SPLITS];
    int nest[TSR_DIST_MODES][TSR_DIST_SPLITS], nests[TSR_DIST_MODES];
    int copy[TSR_DIST_SPLITS], copies; /* by their strides, the smallest first */
    int sum[TSR_DIST_SPLITS], sums;
} dist_form;

typedef struct dist_interval {
    int64_t at, length, local;
} dist_interval;

/** A rank's indices along a mode: intervals of one period, which repeats up to the extent; and its local indices. One
 *  period has `width` of them. */
typedef struct dist_line {
    int64_t extent, period, width;
    dist_interval *interval;
    int64_t count, capacity;
    bool failed; /* no memory, or more than DIST_MOST intervals */
} dist_line;

/** The most intervals of a period, and the most pieces of a mode. */
#define DIST_MOST ((int64_t)1 << 24)

dist_form tsr_dist_form_of_(tsr_dist_layout const *d);

/** The digits of a rank, one a split. False: the mesh does not have the rank. */
bool tsr_dist_digits_(dist_form const *f, int64_t rank, int64_t digit[TSR_DIST_SPLITS]);

/** The rank of digits. */
int64_t tsr_dist_rank_(tsr_dist_layout const *d, int64_t const digit[TSR_DIST_SPLITS]);

/** What a split adds to the rank for a digit. */
int64_t tsr_dist_place_(tsr_dist_split const *s, int64_t digit);

/** The indices along a mode of the ranks with these digits; the line's memory is used again. */
void tsr_dist_line_take_(dist_line *l, dist_form const *f, int mode, int64_t const *digit);
void tsr_dist_line_free_(dist_line *l);

/** How many indices below `end` a line has. */
int64_t tsr_dist_line_count_(dist_line const *l, int64_t end);

/** Writes the words of an error; returns false. Exported: tessera::mpi, a library of its own, calls it. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
TSR_API bool
tsr_dist_fail_(tsr_message *error, char const *format, ...);

/** Makes room for one more item; false where memory has run out. Exported for tessera::mpi, too. */
TSR_API bool tsr_dist_grow_(void **items, int64_t count, int64_t *capacity, size_t size);

/** Reserves room for `most` items in an empty list. If there is no memory for them, the list grows on demand. */
void tsr_dist_reserve_(void **items, int64_t most, int64_t *capacity, size_t size);

#endif

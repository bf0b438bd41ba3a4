/** A distributed layout as the planner reads it: splits in order, the digits of ranks, and a rank's share of a mode. */
#ifndef TSR_SRC_MESH_FORM_H
#define TSR_SRC_MESH_FORM_H

#include "tessera/mesh/layout.h"

/** The indices of splits: by their strides, the largest first, and of each mode as they nest: its table, its shards by
 *  their blocks, the largest first, and its chunks. */
typedef struct dist_form {
    tsr_dist_layout const *d;
    int by_stride[TSR_DIST_SPLITS];
    int nest[TSR_DIST_MODES][TSR_DIST_SPLITS], nests[TSR_DIST_MODES];
    int rules[TSR_DIST_MODES];         /* how many of these are shards; where all are, a period says it all */
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
    dist_interval *whole; /* before a split by chunks */
    int64_t whole_capacity;
    bool failed; /* no memory, or more than DIST_MOST intervals */
} dist_line;

struct tsr_dist_table {
    int64_t extent, owners, count;
    int64_t *first;          /* of an owner, and one behind the last: its intervals */
    dist_interval *interval; /* by owners, of each in order */
    tsr_dist_interval *run;  /* in order: neighbours have other owners, and none is empty */
    int64_t *begin;          /* of a run: its first index */
    tsr_dist_table const *next;
};

/** The most intervals of a period, and the most pieces of a mode. */
#define DIST_MOST ((int64_t)1 << 24)

dist_form tsr_dist_form_of_(tsr_dist_layout const *d);

/** The digits of a rank, one a split. False: the mesh does not have the rank. */
bool tsr_dist_digits_(dist_form const *f, int64_t rank, int64_t digit[TSR_DIST_SPLITS]);

/** The digits of the ranks that have an index of a mode, one of each of its splits. The line becomes theirs. */
void tsr_dist_digits_at_(dist_line *l, dist_form const *f, int mode, int64_t index, int64_t *digit);

/** The interval of a line, of one period, that begins last before `local`. */
int64_t tsr_dist_line_find_(dist_line const *l, int64_t local);

/** Does a table split a mode? */
static inline bool tsr_dist_has_table_(dist_form const *f, int mode)
{
    return f->nests[mode] > 0 && f->d->split[f->nest[mode][0]].role == TSR_DIST_TABLE;
}

/** Does a split cut a mode? */
static inline bool tsr_dist_cuts_(tsr_dist_split const *s)
{
    return s->role != TSR_DIST_COPY && s->role != TSR_DIST_SUM;
}

/** The rank of digits. */
int64_t tsr_dist_rank_(tsr_dist_layout const *d, int64_t const digit[TSR_DIST_SPLITS]);

/** What a split adds to the rank for a digit. */
int64_t tsr_dist_place_(tsr_dist_split const *s, int64_t digit);

/** The indices along a mode of the ranks with these digits; the line's memory is used again. */
void tsr_dist_line_take_(dist_line *l, dist_form const *f, int mode, int64_t const *digit);
void tsr_dist_line_free_(dist_line *l);

/** The most indices of a mode that a rank has. */
int64_t tsr_dist_line_most_(dist_line *l, dist_form const *f, int mode);

/** Goes on to the next digits of the splits of a mode; false behind the last ones. */
bool tsr_dist_next_digits_(dist_form const *f, int mode, int64_t *digit);

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

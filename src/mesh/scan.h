/** Reading texts of distributions: a place in a text, words and integers. */
#ifndef TSR_SRC_MESH_SCAN_H
#define TSR_SRC_MESH_SCAN_H

#include "mesh/form.h"

typedef struct dist_scan {
    char const *text;
    size_t at;
    tsr_message *error;
} dist_scan;

/** Skips blanks, and the word where it is next; was it there? */
bool tsr_dist_next_(dist_scan *s, char const *word);

/** The word must be next. */
bool tsr_dist_expect_(dist_scan *s, char const *word);

/** An integer of at most 18 digits. */
bool tsr_dist_integer_(dist_scan *s, int64_t *value);

/** Reads at most `most` integers between `open` and `close`, with commas between them. None if `close` follows `open`.
 */
bool tsr_dist_integers_(dist_scan *s, char const *open, char const *close, int most, int64_t *value, int *n);

/** What is wrong at this place; returns false. */
bool tsr_dist_wrong_(dist_scan *s, char const *words);

/** The sharding of XLA that begins at s. */
bool tsr_dist_scan_sharding_(dist_scan *s, int modes, int64_t const *extent, tsr_dist_layout *d);

#endif

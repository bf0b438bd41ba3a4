/** What the readers and writers of other systems' texts share. */
#ifndef TSR_SRC_CONVERT_CONVERT_H
#define TSR_SRC_CONVERT_CONVERT_H

#include "tessera/convert.h"

#include "text/scan.h"

/** The most integers of a list, and lists of a list. */
enum { MOST = TSR_LINEAR_BITS };

/** The most characters of a function of TileLang, times the elements for which it is read. */
enum { MOST_SAMPLED = 1 << 25 };

typedef struct integers {
    int count;
    int64_t at[MOST];
} integers;

/** open 1, 2, 3 close */
static inline void take_integers(scan *s, char const *open, char const *close, integers *r)
{
    r->count = scan_integers(s, open, close, MOST, r->at);
}

/** One more mode of a layout: its leaves, in parentheses where they are several; 1:0 where there are none. */
void tsr_layout_push_(tsr_tuple *shape, tsr_tuple *stride, tsr_tuple extents, tsr_tuple steps);

/** The layout of the modes that were pushed, or why there is none. */
tsr_layout tsr_layout_close_(tsr_tuple shape, tsr_tuple stride);

/** The layout of an extent and a stride for each mode, and both of a layout of strides; false: refused. */
tsr_layout tsr_layout_of_(integers const *extent, integers const *step);
bool tsr_layout_take_(tsr_layout const *l, integers *extent, integers *step, scan *s);

/** Ends a text: empties what is refused or has no room. */
bool tsr_convert_end_(writer *w, scan *s);

/* The readers and writers of the systems */

/** Does a text begin with a layout of Gluon? */
bool tsr_is_gluon_(char const *text);

/** Does a text begin with words of CuTe that are no expression of ours? */
bool tsr_is_cute_(char const *text);

/** Does a text begin with a layout of TileLang? */
bool tsr_is_tilelang_(char const *text);

/** Has a map the outputs (thread, index) of a fragment of TileLang? */
bool tsr_is_fragment_(tsr_linear const *f);

/** The map of a layout of the coordinates (thread, index). */
tsr_linear tsr_fragment_map_(tsr_layout const *l);

/** The fragment of a map from register, lane and warp, and back; what it cannot be is refused. */
tsr_linear tsr_fragment_of_(tsr_linear const *f, scan *s);
tsr_linear tsr_distributed_of_(tsr_linear const *f, scan *s);

void tsr_read_dump_(scan *s, tsr_linear *r);
void tsr_read_ttg_(scan *s, tsr_tuple shape, tsr_converted *r);
void tsr_read_mdspan_(scan *s, tsr_layout *r);
void tsr_read_cute_(scan *s, tsr_layout *r);
void tsr_read_isl_(scan *s, tsr_layout *r);
void tsr_read_einops_(scan *s, tsr_tuple shape, tsr_layout *r);
void tsr_read_strides_(scan *s, tsr_system from, int64_t bytes, tsr_layout *r);
void tsr_read_tilelang_(scan *s, tsr_tuple shape, int64_t bytes, tsr_converted *r);
void tsr_read_mpi_(scan *s, int64_t bytes, tsr_layout *r);
void tsr_read_tag_(scan *s, tsr_tuple shape, tsr_layout *r);

void tsr_write_dump_(writer *w, tsr_linear const *f);
void tsr_write_ttg_(writer *w, tsr_linear const *f, scan *s);
void tsr_write_ttg_named_(writer *w, tsr_linear const *f, scan *s);
void tsr_write_gluon_(writer *w, tsr_linear const *f, scan *s);
void tsr_write_cute_(writer *w, tsr_layout const *l, scan *s);
void tsr_write_cutedsl_(writer *w, tsr_layout const *l, scan *s);
void tsr_write_isl_(writer *w, tsr_layout const *l, scan *s);
void tsr_write_mdspan_(writer *w, tsr_layout const *l, scan *s);
void tsr_write_ck_(writer *w, tsr_converted const *v, scan *s);
void tsr_write_strides_(writer *w, tsr_system to, tsr_layout const *l, int64_t bytes, scan *s);
void tsr_write_tilelang_(writer *w, tsr_converted const *v, scan *s);
void tsr_write_mpi_(writer *w, tsr_layout const *l, int64_t bytes, scan *s);
void tsr_write_tag_(writer *w, tsr_layout const *l, scan *s);

#endif

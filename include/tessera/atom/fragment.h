/** Fragments: which elements of a tile a thread's registers hold, as a layout (thread, values...) -> coordinate whose
 *  strides are basis elements (tsr_thread_values_a, _b, _c of an identity layout); and what follows from it.
 *
 *      same_partition    do two partitions give every thread the same elements in the same order, or where not
 *      reduced_fragment  the fragment without mode d of the coordinate, which is summed up or dropped
 *      reduced_value     the register of the sums for each register of the fragment: its row, for d = 1
 *      widened_fragment  the fragment after quads of threads have exchanged blocks for wider accesses
 *
 *  Law     coordinate(t, v) = coordinate(t, 0) + coordinate(0, v). With R = reduced_fragment(F, d) and g =
 *          reduced_value(F, d): R(t, g(v)) is F(t, v) without mode d, and different values of R differ in the other
 *          modes (tests/laws/atom/fragment.inc, for every atom).
 */
#ifndef TSR_ATOM_FRAGMENT_H
#define TSR_ATOM_FRAGMENT_H

#include "tessera/atom/tv.h"
#include "tessera/core/verdict.h"

TSR_HEADER_BEGIN

enum { TSR_FRAGMENT_MODES = 5 };

/** A coordinate of a fragment in plain numbers; of offsets, mode 0. */
typedef struct tsr_fragment_coord {
    int64_t at[TSR_FRAGMENT_MODES];
} tsr_fragment_coord;

/** Where element `index` of a partition is; leaves of other modes count for nothing. */
TSR_OP tsr_fragment_coord tsr_fragment_coord_of(tsr_layout const *l, int64_t index);

/** The first mode in which two coordinates differ, or -1. */
TSR_OP int tsr_fragment_coords_differ(tsr_fragment_coord a, tsr_fragment_coord b);

/** They differ at value v of thread t, which is at x in the first and at y in the second. */
TSR_OP tsr_reason tsr_partition_difference(int64_t t, int64_t v, tsr_fragment_coord x, tsr_fragment_coord y);

/** Do two partitions (thread, values...) give every thread the same elements in the same order?
 *  Errors in `why`: PARTITION_SIZE; PARTITION_DIFFERS: the thread, the value, modes 0 and 1 of both coordinates. */
TSR_OP tsr_verdict tsr_same_partition(tsr_layout a, tsr_layout b);

/* Fragments */

/** Does a leaf of a fragment run along mode d of the coordinate? */
TSR_FN bool tsr_leaf_along(tsr_leaf stride, int64_t d) { return stride.value != 0 && (int64_t)stride.aux - 1 == d; }

/* Why a layout is not a fragment, as the tuple that its results carry, or a valid one. */
TSR_OP tsr_tuple tsr_fragment_bad_(tsr_layout f);

/** Returns why a layout is not a fragment, or no reason. Threads may share elements (a stride of 0). A thread has each
 *  element once.
 *  Errors  RANK; SWIZZLE_STRIDE; FRAGMENT_LEAF; FRAGMENT_TWICE. */
TSR_FN tsr_reason tsr_fragment_why(tsr_layout f) { return tsr_tuple_why(tsr_fragment_bad_(f)); }

/** Returns the fragment without mode d of its coordinate. Threads along d share their elements (stride 0). Values that
 *  differ in d alone become one value.
 *  Errors  INDEX, those of tsr_fragment_why. */
TSR_OP tsr_layout tsr_reduced_fragment(tsr_layout f, int64_t d);

/** Returns the layout from the values of a fragment to the values of its reduction. The registers of one value are a
 *  row (d = 1) or a column (d = 0) of this thread. Errors: those of tsr_reduced_fragment. */
TSR_OP tsr_layout tsr_reduced_value(tsr_layout f, int64_t d);

/** Returns the number of values before the mode that steps by 4*n, the width of a quad, a multiple of four times; 0
 *  without such a mode. The threads of each quad hold n neighbours each along one mode of the coordinate. */
TSR_OP int64_t tsr_widened_step(tsr_layout f, int64_t n);

/** Returns the fragment after the threads of each quad, n neighbours each, have exchanged blocks: then a thread has 4*n
 *  neighbours.
 *  Errors  FRAGMENT_WIDE. */
TSR_OP tsr_layout tsr_widened_fragment(tsr_layout f, int64_t n);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/fragment.h"
#endif

#endif

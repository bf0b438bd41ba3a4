/** The bridge to layouts: a descriptor as a layout, and a layout as a descriptor.
 *
 *      offset(x)  =  base + L(x)                    L a layout, behind a swizzle if need be
 *      valid(x)   =  lo_k <= G_k(x) < hi_k          for every guard k: one for each pad that is not provably inside
 *
 *  The graph is walked as sums of digits (tile/digits.h), which proves the result. Where sums do not decide, the
 *  offsets of all elements are tried, up to TSR_LAW_BUDGET of them. A descriptor that folds runs on the layout engine,
 *  and any other stays a graph.
 *
 *  Law     at every top index inside the lengths, layout and guards give what the graph gives; fold(unfold(L)) is L,
 *          each mode coalesced.
 *  Dimensions of a descriptor become modes in the same order. Within one mode the leftmost factor is the fastest, as
 *  in all layouts, where the last dimension of a merge is.
 *
 *  Example  fold naive((3,5),(8,1)) | merge(3,5):0,1>0 | slice(15,5,15):0>0  =  off=8 ((5,2)):((1,8))
 *  Example  foldswz packed((8,8)) | xor(8,8):0,1>0,1  =  Swizzle<3,0,3> off=0 (8,8):(8,1)
 */
#ifndef TSR_TILE_FOLD_H
#define TSR_TILE_FOLD_H

#include "tessera/core/eval.h"
#include "tessera/core/swizzle.h"
#include "tessera/tile/digits.h"

TSR_HEADER_BEGIN

/** How a descriptor folds: it does, or some element is padding and no guard says so, a xor or a gather is in the way,
 *  or the offsets are no layout. */
typedef enum tsr_fold_kind {
    TSR_FOLDED,
    TSR_FOLD_PADDING,
    TSR_FOLD_XOR,
    TSR_FOLD_GATHER,
    TSR_FOLD_NONLINEAR
} tsr_fold_kind;

#define TSR_MAX_GUARDS 8

/** lo <= by(x) + base < hi */
typedef struct tsr_guard {
    tsr_layout by;
    int64_t base, lo, hi;
} tsr_guard;

typedef struct tsr_folded {
    tsr_fold_kind kind;
    int64_t base;
    tsr_layout layout; /* invalid when the descriptor is, or when the layout needs more leaves than there are */
    int guards;
    tsr_guard guard[TSR_MAX_GUARDS];
} tsr_folded;

/** The next index, the last dimension fastest; false after the last one. */
TSR_OP bool tsr_next_index(tsr_index const *length, int64_t *x);

/** The layout that all offsets follow, if there is one: no rule, every element. */
TSR_OP bool tsr_fold_by_trial_(tsr_descriptor const *d, tsr_swizzle const *sw, tsr_folded *f);

/** Returns base + layout and guards, without a swizzle, or the obstacle. */
TSR_OP tsr_folded tsr_fold_plain(tsr_descriptor const *d);

/** The layout with a swizzle in front, offset = Sw(base + L(x)): the first one in the order of B, M, S. Elements are
 *  tried, so there may be no more than TSR_LAW_BUDGET. */
TSR_OP tsr_folded tsr_fold_swizzled(tsr_descriptor const *d);

/** Returns base + layout and guards, with a swizzle where a plain layout does not suffice. */
TSR_OP tsr_folded tsr_fold(tsr_descriptor const *d);

/** Is the element there? (The index is inside the lengths.) */
TSR_OP bool tsr_fold_valid(tsr_folded const *f, tsr_tuple coord);

/** Returns a descriptor whose dimensions are the modes of a layout.
 *  Errors  those of the layout; BASIS; DIMS; NEGATIVE_REACH; SWIZZLE_TWICE; OVERFLOW. */
TSR_API tsr_descriptor tsr_unfold(tsr_layout const *l);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/fold.h"
#endif

#endif

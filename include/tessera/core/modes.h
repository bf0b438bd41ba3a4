/** The structure of tuples: operations that move modes and leave the integers alone.
 *
 *  Source  CuTe, include/cute/algorithm/tuple_algorithms.hpp.
 */
#ifndef TSR_CORE_MODES_H
#define TSR_CORE_MODES_H

#include "tessera/core/tuple.h"

TSR_HEADER_BEGIN

/** The number of modes, a static integer. */
TSR_FN tsr_tuple tsr_tuple_rank(tsr_tuple t) { return t.status ? t : tsr_s(tsr_mode_count(&t)); }

/** 0 for an integer, one more than the deepest mode for a tuple. */
TSR_OP tsr_tuple tsr_tuple_depth(tsr_tuple t);

/** The mode reached by a path of indices.
 *  Example  get<1,0>((2,(3,4)))  =  3 */
TSR_OP tsr_tuple tsr_tuple_get_path(tsr_tuple t, tsr_tuple path);

/** Modes b to e (not included) as a tuple; e = -1 means to the end. */
TSR_OP tsr_tuple tsr_tuple_take(tsr_tuple t, int64_t b, int64_t e);

/** The modes that `path` lists, always as a tuple. Those of a tuple within the list become one mode; a list of one
 *  tuple is that tuple. */
TSR_OP tsr_tuple tsr_tuple_select(tsr_tuple t, tsr_tuple path);

/** An integer becomes a tuple of one mode; a tuple stays. */
TSR_FN tsr_tuple tsr_wrap(tsr_tuple t) { return !t.status && tsr_is_leaf(&t) ? tsr_tuple_close(t) : t; }

/** Strips every tuple of one mode from the outside. */
TSR_OP tsr_tuple tsr_unwrap(tsr_tuple t);

/** All leaves in one tuple; an integer becomes a tuple of one mode. */
TSR_OP tsr_tuple tsr_flatten_to_tuple(tsr_tuple t);

/** All leaves in one tuple; an integer stays an integer. */
TSR_OP tsr_tuple tsr_tuple_flatten(tsr_tuple t);

/** The inverse of flatten: the leaves of t in the profile of `profile`. */
TSR_OP tsr_tuple tsr_tuple_unflatten(tsr_tuple t, tsr_tuple profile);

/** Modes b to e become one mode; an empty range changes nothing; e = -1 means to the end. */
TSR_OP tsr_tuple tsr_tuple_group(tsr_tuple t, int64_t b, int64_t e);

TSR_OP tsr_tuple tsr_tuple_append(tsr_tuple t, tsr_tuple x);

TSR_OP tsr_tuple tsr_tuple_prepend(tsr_tuple t, tsr_tuple x);

/** Copies of x after (or before) the modes of t, up to rank n. An integer padded to rank 1 stays an integer. */
TSR_OP tsr_tuple tsr_tuple_append_to(tsr_tuple t, tsr_tuple x, int64_t n);

TSR_OP tsr_tuple tsr_tuple_prepend_to(tsr_tuple t, tsr_tuple x, int64_t n);

TSR_OP tsr_tuple tsr_insert(tsr_tuple t, tsr_tuple x, int64_t n);

TSR_OP tsr_tuple tsr_remove(tsr_tuple t, int64_t n);

TSR_OP tsr_tuple tsr_tuple_replace(tsr_tuple t, tsr_tuple x, int64_t n);

TSR_OP tsr_tuple tsr_replace_front(tsr_tuple t, tsr_tuple x);

TSR_OP tsr_tuple tsr_replace_back(tsr_tuple t, tsr_tuple x);

/** n copies of x; one copy is x itself. */
TSR_OP tsr_tuple tsr_repeat(tsr_tuple x, int64_t n);

/** The profile of t with x at every leaf. */
TSR_OP tsr_tuple tsr_repeat_like(tsr_tuple t, tsr_tuple x);

/** The modes of all tuples of a list in one tuple; an integer in the list is a mode.
 *  Law      rank(tuple_cat(a, b, ..)) = rank(a) + rank(b) + .., and the modes keep their order.
 *  Example  tsr_tuple_cat(tsr_t(tsr_t(1, 2), tsr_t(tsr_t(3, 4)), 5))  is  (1,2,(3,4),5) */
TSR_OP tsr_tuple tsr_tuple_cat(tsr_tuple list);

/** The modes in the opposite order, the top level only. */
TSR_OP tsr_tuple tsr_reverse(tsr_tuple t);

/** The first and the last leaf. */
TSR_OP tsr_tuple tsr_front(tsr_tuple t);

TSR_OP tsr_tuple tsr_back(tsr_tuple t);

/** The transpose of a tuple of tuples: ((a,b),(c,d)) becomes ((a,c),(b,d)). */
TSR_OP tsr_tuple tsr_tuple_zip(tsr_tuple t);

TSR_OP tsr_tuple tsr_zip2_by(tsr_tuple t, tsr_tuple guide);

/** The same parentheses around the same number of leaves. */
TSR_OP bool tsr_same_profile(tsr_tuple const *a, tsr_tuple const *b);

/** Every leaf static: the promise of one who knows all numbers. */
TSR_OP tsr_tuple tsr_static_tuple(tsr_tuple t);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/modes.h"
#endif

#endif

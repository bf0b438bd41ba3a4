/** coalesce and filter: fewer modes, the same function.
 *
 *  Law of coalesce  R(i) = L(i) for every i < size(L), and depth(R) <= 1. Modes merge only where static integers
 *      prove that they do, so that the structure of the result does not depend on dynamic numbers.
 *  Law of filter    coalesce after every mode of static stride 0 has shrunk to extent 1.
 *  Source           CuTe, include/cute/layout.hpp (bw_coalesce).
 */
#ifndef TSR_CORE_COALESCE_H
#define TSR_CORE_COALESCE_H

#include "tessera/core/front.h"
#include "tessera/core/tiler.h"

TSR_HEADER_BEGIN

/** Modes in a row, more of them than a tuple holds: what the operations work on inside. */
typedef struct tsr_row_ {
    int n;
    tsr_leaf shape[2 * TSR_MAX_LEAVES + 2], stride[2 * TSR_MAX_LEAVES + 2];
} tsr_row_;

TSR_INTERNAL void tsr_row_push_(tsr_row_ *row, tsr_leaf shape, tsr_leaf stride);

/** The integers of a layout; one that has none, of () alone, has one element at 0. */
TSR_INTERNAL void tsr_row_of_(tsr_row_ *row, tsr_layout const *l);

/** The row as a layout: one mode is an integer, more are a tuple. */
TSR_INTERNAL tsr_layout tsr_row_layout_(tsr_row_ const *row);

/** The layout with as few modes as static integers allow.
 *  Example  coalesce((_2,(_1,_6)):(_1,(_6,_2)))  =  _12:_1 */
TSR_OP tsr_layout tsr_layout_coalesce(tsr_layout l);

/** The same function beyond its size, too (the left operand of composition). */
TSR_OP tsr_layout tsr_coalesce_x(tsr_layout l);

TSR_OP tsr_layout tsr_coalesce_by(tsr_layout l, tsr_tuple profile);

TSR_OP tsr_layout tsr_coalesce_x_by(tsr_layout l, tsr_tuple profile);

/** The shape with neighbours multiplied that are both static or both dynamic. */
TSR_OP tsr_tuple tsr_tuple_coalesce(tsr_tuple t);

/** Modes of static stride 0 shrink to extent _1; the rank stays. */
TSR_OP tsr_layout tsr_layout_filter_zeros(tsr_layout l);

/** Modes under a static 0 of `profile` shrink to extent _1. */
TSR_OP tsr_layout tsr_layout_filter_zeros_by(tsr_layout l, tsr_tuple profile);

TSR_OP tsr_layout tsr_filter(tsr_layout l);

TSR_OP tsr_layout tsr_filter_by(tsr_layout l, tsr_tuple profile);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/coalesce.h"
#endif

#endif

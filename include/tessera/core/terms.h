/** Sums of layouts, whose strides go along several basis elements: (4,8):(_1@0+_1@1,_1@1).
 *
 *  A stride of a layout goes along one basis element. A sum has up to four layouts of one shape, and leaf k of its
 *  stride is the sum of theirs. So only those who use sums pay for them.
 *
 *  Law     S(c) is the sum of the values of its layouts at c.
 *  Form    in each leaf the basis elements ascend, no two are the same, and the first layouts hold them. So sums of one
 *          shape are equal if and only if their leaves are.
 *  Source  PyCuTe (NVlabs/CuTe): strides that are sums of basis elements.
 */
#ifndef TSR_CORE_TERMS_H
#define TSR_CORE_TERMS_H

#include "tessera/core/linear.h"
#include "tessera/core/sum.h"
#include "tessera/core/verdict.h"

TSR_HEADER_BEGIN

/** The most basis elements of a stride. */
enum { TSR_SUM_TERMS = 4 };

/** term[0] to term[terms - 1] are layouts of one shape. An invalid sum has one term, which holds the reason. */
typedef struct tsr_layout_sum {
    int32_t terms;
    tsr_layout term[TSR_SUM_TERMS];
} tsr_layout_sum;

/** The sum of layouts <A,B,..> in the profile of the first, cut where any of them is.
 *  Errors   those of tsr_common_refinement; STRIDE for an element that is no layout; SWIZZLED; BASIS: an integer and a
 *           basis element in one leaf; CAPACITY: more than four basis elements in a leaf.
 *  Example  sum((4,8):(1@0,0), (4,8):(1@1,1@1))  =  (4,8):(1@0+1@1,1@1) */
TSR_API tsr_layout_sum tsr_make_sum(tsr_tiler layouts);

/** The sum of n layouts of one shape, n at least 1. Errors: those of tsr_make_sum but the shapes'. */
TSR_API tsr_layout_sum tsr_sum_of_layouts(tsr_layout const *l, int n);

/** The sum that a layout is. */
TSR_API tsr_layout_sum tsr_sum_of_layout(tsr_layout l);

/** Why a sum is invalid. */
TSR_FN tsr_reason tsr_sum_why(tsr_layout_sum const *s) { return tsr_tuple_why(s->term[0].shape); }

/** The shape, and its size. */
TSR_API tsr_tuple tsr_sum_shape(tsr_layout_sum const *s);
TSR_API tsr_tuple tsr_sum_size(tsr_layout_sum const *s);

/** The layout along a basis element <outermost mode, .., innermost>, whose strides are integers; along <> of integers.
 *  Law      S(c) has at this element the value of the layout at c. */
TSR_API tsr_layout tsr_sum_along(tsr_layout_sum const *s, tsr_tuple element);

/** S(c) of a coordinate, or of the index of one.
 *  Errors   those of the coordinate.
 *  Example  call((4,8):(1@0+1@1,1@1), (2,3))  =  (2,5) */
TSR_API tsr_tuple tsr_sum_call(tsr_layout_sum const *s, tsr_tuple coord);

/** The same function of the index with fewer leaves: two merge if they do along every basis element. */
TSR_API tsr_layout_sum tsr_sum_coalesce(tsr_layout_sum const *s);

/** S o B: c -> S(B(c)), in B's profile.
 *  Errors   those of the compositions of the layouts along each basis element with B. */
TSR_API tsr_layout_sum tsr_sum_composition(tsr_layout_sum const *s, tsr_layout b);

/** A sum as the layout of a tensor of coordinates: its tiles, as of layouts.
 *  Law      divide(S, T) = S o divide(D, T), where D is the compact layout of S's shape and no tile is ragged. The
 *           coordinates of a ragged tile go on behind the edge.
 *  Errors   those of the divides of the layouts along each basis element.
 *  Example  zipped_divide((4,8):(1@0+1@1,1@1), <2,4>)  =  ((2,4),(2,2)):((1@0+1@1,1@1),(2@0+2@1,4@1)) */
TSR_API tsr_layout_sum tsr_sum_logical_divide(tsr_layout_sum const *s, tsr_tiler t);
TSR_API tsr_layout_sum tsr_sum_zipped_divide(tsr_layout_sum const *s, tsr_tiler t);
TSR_API tsr_layout_sum tsr_sum_tiled_divide(tsr_layout_sum const *s, tsr_tiler t);
TSR_API tsr_layout_sum tsr_sum_flat_divide(tsr_layout_sum const *s, tsr_tiler t);

/** The modes under `_` of a coordinate.
 *  Law      S(c) = slice(c, S)(the part of c at `_`) + S(c with 0 for each `_`).
 *  Errors   COORD.
 *  Example  slice((2,_), (4,8):(1@0+1@1,1@1))  =  (8):(1@1) */
TSR_API tsr_layout_sum tsr_sum_slice(tsr_tuple coord, tsr_layout_sum const *s);

/** The same value for every index? Errors in `why`: those of tsr_same_function, of the first basis element. */
TSR_API tsr_verdict tsr_sum_same_function(tsr_layout_sum const *a, tsr_layout_sum const *b);

/** The linear map of a sum: an output for each basis element, dim0, dim1, .., and dim1_0 for `_1@0@1`.
 *  Errors   those of tsr_linear_of_layout. */
TSR_API tsr_linear tsr_sum_linear(tsr_layout_sum const *s);

TSR_HEADER_END

#endif

/** Sums of layouts, and the cuts that two shapes have together.
 *
 *  Law        layout_add:         R(c) = A(c) + B(c) for every c < size(A) = size(B).
 *             common_refinement:  R has A's profile or a refinement of it, and a cut after p elements wherever A or B
 *                                 has one, and nowhere else. So common_refinement(B, A) has the same leaves in B's
 *                                 profile, apart from extents of 1.
 *  Condition  of a refinement: of any two cuts one divides the other (SHAPE_DIV, with what is left of both extents),
 *             and the sizes are one (DIFFER_SIZE). A sum needs neither: where the shapes have no common refinement,
 *             fit looks for the layout in A's profile, in B's and in one mode, and proves that there is none.
 *  Source     PyCuTe (NVlabs/CuTe), layout_add; Cecka, "CuTe Layout Representation and Algebra", arXiv 2603.02298;
 *             "mutual refinement" of Carlisle, Shah, Stern, VanKoughnett, arXiv 2601.05972.
 */
#ifndef TSR_CORE_SUM_H
#define TSR_CORE_SUM_H

#include "tessera/core/fit.h"

TSR_HEADER_BEGIN

/** The coarsest shape that refines a, mode by mode, and has the cuts of b. Errors: DIFFER_SIZE, SHAPE_DIV, CAPACITY.
 *  Example  common_refinement((4,6), (2,12))  =  ((2,2),6) */
TSR_API tsr_tuple tsr_common_refinement(tsr_tuple a, tsr_tuple b);

/** Layout a in that shape: the same function. Errors: those of the shapes.
 *  Example  common_refinement((4,6):(6,1), (2,12):(12,1))  =  ((2,2),6):((6,12),1) */
TSR_API tsr_layout tsr_layout_common_refinement(tsr_layout a, tsr_layout b);

/** The layout of c -> A(c) + B(c), in A's profile where it can be. Basis strides add along one basis element, and to 0.
 *  Errors   DIFFER_SIZE; BASIS where strides along two basis elements would be one; FIT, NOT_DECIDED where no layout
 *           has these values; OVERFLOW; CAPACITY.
 *  Example  layout_add((4,6):(1,4), (2,12):(0,100))  =  ((2,2),6):((1,102),204) */
TSR_API tsr_layout tsr_layout_add(tsr_layout a, tsr_layout b);

TSR_HEADER_END

#endif

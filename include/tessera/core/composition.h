/** composition: R = A o B.
 *
 *  Law        R(c) = A(B(c)) for every c < size(B), where A goes on beyond its size; R has the profile of B or a
 *             refinement of it, and its size.
 *  Condition  a leaf s:d of B walks over the modes of A from the left. At a mode of extent n it must hold that n
 *             divides d (the mode is stepped over), or that d divides n and n/d divides s or covers it (the mode is
 *             cut), or that the leaf ends inside the mode. The leaves of B must not carry into each other.
 *             Of a static leaf the first step must be so even when its extent is 1, as in CuTe. A dynamic stride of B
 *             is not 0 where A has several modes: CuTe divides by it.
 *  Decision   CuTe checks the condition on static integers only. Here it is checked on the numbers: where the rule
 *             does not prove the law, the law itself is tried on every coordinate, up to TSR_LAW_BUDGET.
 *  Swizzles   one in front of A stays in front. One in front of B is part of the function: R(c) = A(Sw(off + B(c))). It
 *             comes to the front as CuTe moves it, where that obeys the law; else R is the layout of our form that has
 *             these values (core/fit.h), or there is none and FIT says where.
 *  Example    composition((_6,_2):(_8,_2), (_4,_3):(_3,_1))  =  ((_2,_2),_3):((_24,_2),_8)
 *  Source     CuTe, include/cute/layout.hpp, composition_impl; include/cute/swizzle_layout.hpp;
 *             media/docs/cpp/cute/02_layout_algebra.md.
 */
#ifndef TSR_CORE_COMPOSITION_H
#define TSR_CORE_COMPOSITION_H

#include "tessera/core/fit.h"
#include "tessera/core/offset.h"

TSR_HEADER_BEGIN

/** L o Sw: R(x) = L(Sw(x)) for x < size(L). The swizzle moves to the front; where L keeps the swizzled bits but moves
 *  other numbers, the layout is fitted to the values.
 *  Errors  SWIZZLE_MASKS where L does not carry the bits over; FIT. */
TSR_OP tsr_layout tsr_composition_swizzle(tsr_layout l, tsr_swizzle sw);

/** A o B: A a layout, swizzled or not; B a layout, swizzled or not, an integer, `_`, or a tuple of these.
 *  Errors  COMPOSE_STRIDE, COMPOSE_SHAPE, COMPOSE_CARRY with the mode of B, the numbers, and a counterexample;
 *          COMPOSE_ZERO; TILER_RANK; OVERFLOW; CAPACITY; FIT.
 *  Example  composition((_4,_2):(_2,_1), Sw<1,0,1> o _0 o _4:_1)  =  Sw<1,1,1> o _0 o _4:_2 */
TSR_OP tsr_layout tsr_composition_by(tsr_layout a, tsr_tiler b);

/** The same into r, which has no modes. */
TSR_INTERNAL void tsr_composition_into_(tsr_layout *r, tsr_layout const *a, tsr_layout const *by);

/** The layout with the values A(B(c)), where there is one, whether the condition of composition holds or not: what a
 *  refused composition would be.
 *  Example  composition_fit((_3,_4):(_9,_1), _3:_4)  =  _3:_10 */
TSR_OP tsr_layout tsr_composition_fit(tsr_layout a, tsr_layout b);

/** (a, b) as the modes of one plain layout. */
TSR_OP tsr_layout tsr_make_pair(tsr_layout const *a, tsr_layout const *b);

/** A by mode: mode 0 composed with B, which may be swizzled, mode 1 as it is. */
TSR_INTERNAL tsr_layout tsr_compose_first_(tsr_layout a, tsr_layout b);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/composition.h"
#endif

#endif

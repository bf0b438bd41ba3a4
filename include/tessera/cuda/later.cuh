/** Values that a template computes when it is instantiated, not when its text is read.
 *
 *  NVRTC compiles the functions that the text of a template names, and all that these call, also where nothing
 *  instantiates it. A call of which an argument's type depends on the template's parameters is looked up later. By
 *  this, and by functions that are templates themselves (base/config.h), cuda.cuh costs an empty kernel 0.04 s of
 *  processor time, and 0.21 where all calls are named at once (13.0).
 *
 *      static constexpr tsr_tma_tile tile = tsr_make_tma_tile(tsr_later_<tsr_tma_boxes_>(L), ...);     in a struct
 *      constexpr int size = tsr_size(tsr_later_<tsr_on_<L>>(L));                                       elsewhere
 *
 *  Law     tsr_later_<anything>(x) is x.
 */
#ifndef TSR_CUDA_LATER_CUH
#define TSR_CUDA_LATER_CUH

#include "tessera/base/config.h"

/** A type that depends on values with static addresses. */
template <auto const &...> struct tsr_on_ {
};

/** The same of integers. */
template <auto...> struct tsr_numbered_ {
};

template <class When, class T> TSR_TEMPLATE_EVAL T const &tsr_later_(T const &x) { return x; }

#endif

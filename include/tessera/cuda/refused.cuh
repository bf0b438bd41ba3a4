/** A value that a function refuses does not compile. The compiler's message is the sentence of base/status_list.h.
 *  Its {0} to {5} and {m} are Number0 to Number5 and Mode of the instantiation that the message names.
 *
 *      if constexpr (TSR_FINE(tsr_tuple_why(L.shape)))       else it is said, once, and what needs L is not compiled
 */
#ifndef TSR_CUDA_REFUSED_CUH
#define TSR_CUDA_REFUSED_CUH

#include "tessera/core/tuple.h"

template <tsr_status Status, int Mode, int64_t Number0, int64_t Number1, int64_t Number2, int64_t Number3,
          int64_t Number4, int64_t Number5>
struct tsr_refusal_ {
    TSR_EVAL bool said(void)
    {
/* clang-format off */
#define TSR_ROW_(id, text) \
        if constexpr (TSR_##id != TSR_OK) \
            static_assert(Status != TSR_##id, text);
/* clang-format on */
#include "tessera/base/status_list.h"
        return false;
    }
};
template <> struct tsr_refusal_<TSR_OK, 0, 0, 0, 0, 0, 0, 0> {
    TSR_EVAL bool said(void) { return true; }
};

/** True for the reason of a valid value; any other is an error, and false. */
#define TSR_FINE(why)                                                                                                \
  tsr_fine_<(tsr_status)(why).status, (why).status ? (why).mode : 0, tsr_number_of_(why, 0), tsr_number_of_(why, 1), \
            tsr_number_of_(why, 2), tsr_number_of_(why, 3), tsr_number_of_(why, 4), tsr_number_of_(why, 5)>

TSR_FN int64_t tsr_number_of_(tsr_reason const &why, int i) { return why.status ? why.number[i] : 0; }

template <tsr_status Status, int Mode, int64_t Number0, int64_t Number1, int64_t Number2, int64_t Number3,
          int64_t Number4, int64_t Number5>
constexpr bool tsr_fine_ = tsr_refusal_<Status, Mode, Number0, Number1, Number2, Number3, Number4, Number5>::said();

/** Any argument, for which every other conversion is better. */
struct tsr_any_ {
    template <class T> TSR_MEMBER tsr_any_(T const &) {}
};

template <class> constexpr bool tsr_none_ = false;

/** The overload of `name` that takes the arguments that no other takes. Its `words` say which arguments the others
 *  take. Its template parameters follow. */
#define TSR_ELSE_(name, words, ...)                                                                               \
  template <__VA_ARGS__, class None = void>                                                                       \
  TSR_REF void name(tsr_any_, tsr_any_ = 0, tsr_any_ = 0, tsr_any_ = 0, tsr_any_ = 0, tsr_any_ = 0, tsr_any_ = 0) \
  {                                                                                                               \
    static_assert(tsr_none_<None>, words);                                                                        \
  }

#endif

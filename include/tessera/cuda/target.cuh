/** Which instruction exists on which GPU: one table, by verb and target.
 *
 *      if constexpr (tsr_has_verb<TSR_VERB_REDUX_F32>)                    is it there where this code will run?
 *      TSR_NEEDS_VERB_(TSR_VERB_TCGEN05_CP, Ctas)                         in a template: a sentence where it is not
 *
 *  `sm_100f` is code for the family of sm_100, `sm_100a` for that GPU alone: `-gencode=arch=compute_100a,code=sm_100a`.
 *  `-arch=sm_100a` of CUDA 13 also makes code for compute_100, which lacks most of these verbs. Each row
 *  was asked of ptxas. A target that is not in the list has what its kin in the list have: sm_103f what sm_100f and
 *  sm_103a both have, sm_121 what sm_120 has. On a host every verb is there: an emulator has all.
 *
 *  Source  ptxas 13.0 (tests/cuda/verbs.tsv); PTX ISA 9.0, the "Target ISA Notes" of each instruction.
 */
#ifndef TSR_CUDA_TARGET_CUH
#define TSR_CUDA_TARGET_CUH

#include "tessera/base/config.h"

/* clang-format off */
/** X(target): a bit each, TSR_ON_90a and so on. */
#define TSR_TARGET_LIST(X) X(90) X(90a) X(100) X(100f) X(100a) X(103a) X(110a) X(120) X(120f) X(120a) X(121a)

/** Sets of targets. The first one goes to F, the others to X, so that a list of names has its commas. */
#define TSR_TARGETS_NONE(F, X)
#define TSR_TARGETS_WGMMA(F, X)         F(90a)
#define TSR_TARGETS_100(F, X)           F(100a) X(100f) X(103a) X(110a)
#define TSR_TARGETS_100_EXACT(F, X)     F(100a) X(103a) X(110a)
#define TSR_TARGETS_100_INTEGER(F, X)   F(100a) X(110a)
#define TSR_TARGETS_100_RED(F, X)       F(103a) X(110a)
#define TSR_TARGETS_100_103(F, X)       F(100a) X(100f) X(103a)
#define TSR_TARGETS_100_103_EXACT(F, X) F(100a) X(103a)
#define TSR_TARGETS_120(F, X)           F(120a) X(120f) X(121a)
#define TSR_TARGETS_120_EXACT(F, X)     F(120a) X(121a)
#define TSR_TARGETS_FAMILIES(F, X)      F(100a) X(100f) X(103a) X(110a) X(120a) X(120f) X(121a)
#define TSR_TARGETS_MULTIMEM(F, X)      F(100a) X(100f) X(103a) X(110a) X(120a) X(121a)
#define TSR_TARGETS_SPECIFIC(F, X)      F(90a) X(100a) X(100f) X(103a) X(110a) X(120a) X(120f) X(121a)
#define TSR_TARGETS_SINCE_100(F, X)     F(100) X(100a) X(100f) X(103a) X(110a) X(120) X(120a) X(120f) X(121a)
#define TSR_TARGETS_EVERY(F, X)         F(90) X(90a) TSR_TARGETS_SINCE_100(X, X)
/* clang-format on */

enum {
#define TSR_X_(target) TSR_TARGET_##target,
    TSR_TARGET_LIST(TSR_X_)
#undef TSR_X_
#define TSR_X_(target) TSR_ON_##target = 1 << TSR_TARGET_##target,
        TSR_TARGET_LIST(TSR_X_)
#undef TSR_X_
};

enum tsr_verb {
#define TSR_ROW_(id, verb, set) TSR_VERB_##id,
#include "tessera/cuda/verb_list.h"
    TSR_VERBS
};

/** The targets that code for a GPU will run on, each of which must have a verb. 0: none of the table; -1: a host.
 *  `exact`, `family`: the code is for that GPU alone, or for its family. */
TSR_FN int tsr_targets_of_(int arch, bool exact, bool family)
{
    int const one = arch == 900    ? TSR_ON_90a
                    : arch == 1000 ? TSR_ON_100a
                    : arch == 1030 ? TSR_ON_103a
                    : arch == 1100 ? TSR_ON_110a
                    : arch == 1200 ? TSR_ON_120a
                    : arch == 1210 ? TSR_ON_121a
                                   : 0;
    if (arch < 900)
        return arch == 0 ? -1 : 0;
    if (exact || family)
        return exact ? one : one | (arch < 1200 ? TSR_ON_100f : TSR_ON_120f);
    return arch < 1000 ? TSR_ON_90 : arch < 1200 ? TSR_ON_100 : TSR_ON_120;
}

constexpr int tsr_here_ = tsr_targets_of_(TSR_GPU_ARCH, TSR_GPU_EXACT != 0, TSR_GPU_FAMILY != 0);

/** The row of a verb: its targets, and the sentence where it is used and not there. */
template <int Verb> struct tsr_verb_;
/* clang-format off */
#define TSR_BIT_(target) | TSR_ON_##target
#define TSR_FIRST_(target) "sm_" #target
#define TSR_NEXT_(target) ", sm_" #target
#define TSR_FLAG_(target) "-gencode=arch=compute_" #target ",code=sm_" #target
#define TSR_NO_FLAG_(target)
#define TSR_ROW_(id, verb, set) \
    template <> struct tsr_verb_<TSR_VERB_##id> { \
        enum { targets = 0 TSR_TARGETS_##set(TSR_BIT_, TSR_BIT_) }; \
        template <bool Has> TSR_TEMPLATE_EVAL bool said(void) \
        { \
            static_assert(Has, verb ": not on this target, but on " TSR_TARGETS_##set(TSR_FIRST_, TSR_NEXT_) \
                          ": compile with " TSR_TARGETS_##set(TSR_FLAG_, TSR_NO_FLAG_) " or its like"); \
            return true; \
        } \
    };
#include "tessera/cuda/verb_list.h"
#undef TSR_NO_FLAG_
#undef TSR_FLAG_
#undef TSR_NEXT_
#undef TSR_FIRST_
#undef TSR_BIT_
/* clang-format on */

/** Has every target that this code will run on the verb? `Later` depends on a template's parameter where the answer is
 *  to wait for its instantiation. */
template <int Verb, int Later = 0>
constexpr bool tsr_has_verb = (tsr_verb_<Verb>::targets & tsr_here_) == tsr_here_ ? tsr_here_ != 0 : tsr_here_ < 0;

/** In a template, of which `number` is or has a parameter: one sentence with the targets that have the verb. */
#define TSR_NEEDS_VERB_(verb, number) \
  static_assert(tsr_verb_<verb>::template said<tsr_has_verb<verb, (int)(number)>>(), "see the verb's sentence")

#endif

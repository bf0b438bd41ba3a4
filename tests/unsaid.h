/* What a reason carries and its sentence does not name: nothing. */
#ifndef TESTS_UNSAID_H
#define TESTS_UNSAID_H

#include <string.h>

#include "tessera/base/reason.h"

static char const *const sentences[] = {
#define TSR_ROW_(id, text) text,
#include "tessera/base/status_list.h"
};

/** Reasons that carry more than their sentence names: what that of another status names, or leaves that stood there. */
static inline bool carries_more(int status)
{
    static int const some[] = {TSR_CAPACITY,  TSR_DEPTH,        TSR_BASIS,     TSR_COORD_LEAF,
                               TSR_ZIP_RANK,  TSR_LINEAR_SUM,   TSR_ATOM_NAME, TSR_TILED_RANK,
                               TSR_COPY_BITS, TSR_TMA_MODE,     TSR_SYNTAX,    TSR_MMA_INTEGER_WIDTH,
                               TSR_SHAPE_DIV, TSR_SWIZZLE_SLICE};
    bool more = status == TSR_OK;
    for (size_t i = 0; i < sizeof some / sizeof *some; ++i)
        more = more || status == some[i];
    return more;
}

/** A refused composition tells a counterexample behind its sentence, and the nearest legal numbers. Its mode is that of
 *  the tiler. */
static inline bool is_told_behind(tsr_reason why, int i)
{
    int const status = tsr_status_composing_(why.status);
    bool const nearest = status == TSR_COMPOSE_STRIDE || status == TSR_COMPOSE_SHAPE;
    if (why.status == TSR_TYPE && i == 0)
        return true; /* its bits */
    return (nearest || status == TSR_COMPOSE_CARRY)
           && (i < 0 || (why.law && i >= 3 && i <= 5) || (nearest && (i == 2 || i == 6)));
}

/** The number of a reason, or its mode (-1), that is not 0 and in no sentence; TSR_NOTES: there is none. */
static inline int first_unsaid(tsr_reason why)
{
    for (int i = -1; !carries_more(why.status) && i < TSR_NOTES; ++i) {
        bool said = is_told_behind(why, i);
        for (char const *at = strchr(sentences[why.status], '{'); at; at = strchr(at + 1, '{')) {
            char const last = strchr(at, '}')[-1];
            said = said || last == (i < 0 ? 'm' : '0' + i) || last == 's';
        }
        if (!said && (i < 0 ? why.mode : why.number[i]) != 0)
            return i;
    }
    return TSR_NOTES;
}

#endif

/** A redistribution as a value: both layouts, the bytes of an element, and what the plans of all ranks add up to.
 *
 *      tsr_dist_exchange x;
 *      if (tsr_dist_exchange_make(&from, &to, 4, tsr_dist_usual_clock(1), &x, &error))
 *          ... x.all.elements * x.bytes bytes are sent, in x.all.seconds of the model
 *
 *  Law     `all` is what tsr_dist_simulate says.
 *  Errors  those of a plan; more than TSR_DIST_EXCHANGE_RANKS ranks, or more than TSR_WORK_BUDGET pairs of intervals
 *          of their shares: `tessera dist --plan` takes its time for these.
 */
#ifndef TSR_MESH_EXCHANGE_H
#define TSR_MESH_EXCHANGE_H

#include "tessera/mesh/simulate.h"

TSR_HEADER_BEGIN

#define TSR_DIST_EXCHANGE_RANKS 1024

typedef struct tsr_dist_exchange {
    tsr_dist_layout from, to;
    int64_t bytes; /* of an element */
    tsr_dist_clock clock;
    tsr_dist_simulation all;
} tsr_dist_exchange;

/** 2 us a message and 10 GB/s each way, where `host` ranks in a row share a host. */
TSR_API tsr_dist_clock tsr_dist_usual_clock(int64_t host);

TSR_TRY bool tsr_dist_exchange_make(tsr_dist_layout const *from, tsr_dist_layout const *to, int64_t bytes,
                                    tsr_dist_clock clock, tsr_dist_exchange *x, tsr_message *error);

/** The bytes that one rank sends to another; those that stay, where it is the same rank. -1: an error. */
TSR_TRY int64_t tsr_dist_exchange_sent(tsr_dist_exchange const *x, int64_t from, int64_t to, tsr_message *error);

/** The first pairs with their bytes, all bytes, the lower bound and the time of the model, in one line, as snprintf
 *  writes it. */
TSR_API size_t tsr_dist_format_exchange(char *out, size_t size, tsr_dist_exchange const *x);

TSR_HEADER_END

#endif

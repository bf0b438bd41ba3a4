/** A simulation: the plans of all ranks against a clock, with counts of every element.
 *
 *  Law     A message takes latency + bytes / bandwidth. A rank sends one message at a time and receives one at a time,
 *          in the order of the rounds; nothing else is waited for.
 *  Source  R. Hockney, "The communication challenge for MPP: Intel Paragon and Meiko CS-2", 1994: the model.
 */
#ifndef TSR_MESH_SIMULATE_H
#define TSR_MESH_SIMULATE_H

#include "tessera/mesh/plan.h"

TSR_HEADER_BEGIN

typedef struct tsr_dist_clock {
    double latency;   /* seconds a message */
    double bandwidth; /* bytes a second, each way */
    int64_t host;     /* how many ranks in a row are one */
} tsr_dist_clock;

typedef struct tsr_dist_simulation {
    int64_t ranks, messages, rounds;  /* rounds that have a message */
    int64_t elements, least;          /* sent, and what any plan sends at least */
    int64_t kept;                     /* that stay on their rank */
    int64_t most_sent, most_received; /* elements of one rank */
    int64_t checked;                  /* elements of new parts that were counted, each once */
    double seconds, least_seconds;    /* of the clock; and of the busiest rank without waiting */
} tsr_dist_simulation;

/** Plans every rank and runs the clock. With `check` it also follows every element: each place of a new part gets the
 *  element of its index once, and once for each addend where they are summed.
 *  Errors  those of a plan; a place that gets a wrong element, none or two, with rank and index; no memory. */
TSR_TRY bool tsr_dist_simulate(tsr_dist_layout const *from, tsr_dist_layout const *to, int64_t bytes,
                               tsr_dist_clock clock, bool check, tsr_dist_simulation *simulation, tsr_message *error);

/** Bytes, lower bound, messages, rounds and time, as snprintf writes them; `bytes` are those of an element. */
TSR_API size_t tsr_dist_format_simulation(char *out, size_t size, tsr_dist_simulation const *s, int64_t bytes);

TSR_HEADER_END

#endif

/** Plans from one distribution to another, for one rank: what it sends, what it receives, and what it keeps.
 *
 *      tsr_dist_plan p;
 *      if (!tsr_dist_plan_make(&from, &to, rank, 1, &p, &error))
 *          puts(error.text);
 *      ... p.receive[i].peer sends p.receive[i].elements elements
 *      tsr_dist_plan_free(&p);
 *
 *  Law     The messages of all ranks bring each element of a rank's new part once: from itself where it holds the
 *          element, else from one rank that holds a copy, of its own host if there is one. Addends are summed where
 *          only the old tensor has them. Where only the new one has them, the first addend gets the elements and the
 *          others are 0.
 *  Bytes   No plan of point-to-point messages without sums on the way moves fewer.
 *  Rounds  Message p to q is in round (q - p) mod ranks. In a round a rank sends at most one message and receives at
 *          most one.
 *  Work    that of the messages and of the pieces along each mode; no element is looked at.
 */
#ifndef TSR_MESH_PLAN_H
#define TSR_MESH_PLAN_H

#include "tessera/mesh/layout.h"

TSR_HEADER_BEGIN

/** What one rank sends to another. `which` numbers the combinations of one entry of each list of the plan. The entry of
 *  mode 0 counts fastest. Messages are small, because a plan may have 2^24 of them. */
typedef struct tsr_dist_message {
    int64_t peer, elements, which;
} tsr_dist_message;

typedef struct tsr_dist_lists tsr_dist_lists;

typedef struct tsr_dist_plan {
    tsr_dist_layout from, to;
    tsr_dist_part part[2]; /* of the rank: before, and after */
    bool holds[2];         /* is the rank one of the mesh's? */
    int64_t rank, ranks, host;
    tsr_dist_message *send, *receive; /* by rounds */
    int64_t sends, receives;
    tsr_dist_message keep; /* no elements: nothing stays */
    int64_t send_elements, receive_elements;
    bool clears, adds;        /* the new part is 0 at first; messages are added to it */
    tsr_dist_lists *lists[2]; /* pieces, of what is sent and of what is received */
} tsr_dist_plan;

/** The plan of one rank, where `host` ranks in a row share a host (1: none do). The extents of both layouts are the
 *  same, and so are their addends where both have some.
 *  Errors  other extents or addends, layouts that break their law, no memory. */
TSR_TRY bool tsr_dist_plan_make(tsr_dist_layout const *from, tsr_dist_layout const *to, int64_t rank, int64_t host,
                                tsr_dist_plan *plan, tsr_message *error);
TSR_API void tsr_dist_plan_free(tsr_dist_plan *plan);

/** The elements that the rank needs and does not hold, for each addend: what it must receive in any plan. Counted from
 *  the parts alone. */
TSR_API int64_t tsr_dist_plan_least(tsr_dist_plan const *plan);

/** The round of a message between two ranks. */
TSR_API int64_t tsr_dist_round(tsr_dist_plan const *plan, int64_t sender, int64_t receiver);

/** X(id, word): what all ranks do together in place of messages. */
#define TSR_DIST_COLLECTIVE_LIST(X)     \
  X(NONE, "messages")                   \
  X(ALLTOALL, "an alltoall")            \
  X(ALLGATHER, "an allgather")          \
  X(REDUCE_SCATTER, "a reduce-scatter") \
  X(ALLREDUCE, "an allreduce")

typedef enum tsr_dist_collective {
#define TSR_X_(id, word) TSR_DIST_##id,
    TSR_DIST_COLLECTIVE_LIST(TSR_X_)
#undef TSR_X_
        TSR_DIST_COLLECTIVES
} tsr_dist_collective;

/** Which collective of all ranks a redistribution is. NONE: of some of them, or none.
 *  Law     ALLTOALL: shards of one mode become shards of another, and every rank has elements for each other one.
 *          ALLGATHER: shards become copies of all, as from [S(0)] to [R]. REDUCE_SCATTER, ALLREDUCE: addends become
 *          shards, or copies. */
TSR_API tsr_dist_collective tsr_dist_collective_of(tsr_dist_layout const *from, tsr_dist_layout const *to);

/** A strided box of elements, in the sender's and in the receiver's memory. Loops are from the inside out. */
#define TSR_DIST_LOOPS (3 * TSR_DIST_MODES)
typedef struct tsr_dist_box {
    int loops;
    int64_t count[TSR_DIST_LOOPS], step[2][TSR_DIST_LOOPS], begin[2];
    int64_t elements;
} tsr_dist_box;

/** Called for a box, whose elements are those from `at` on in the message; false ends the walk. */
typedef bool (*tsr_dist_see)(void *context, tsr_dist_box const *box, int64_t at);

/** Walks over elements `first` to `last` - 1 of a message that this rank receives or keeps, or of one that it sends.
 *  Both ends of a message see the same elements in the same order. The steps of the peer's side are those of its own
 *  memory. False: `see` said so. */
TSR_API bool tsr_dist_walk(tsr_dist_plan const *plan, tsr_dist_message const *message, bool sent, int64_t first,
                           int64_t last, tsr_dist_see see, void *context);

TSR_HEADER_END

#endif

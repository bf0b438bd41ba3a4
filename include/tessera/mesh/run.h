/** Running a plan: its messages over a transport, packed and unpacked by copies of exec/, or as one copy where ranks
 *  see each other's memory.
 *
 *      tsr_dist_redistribute(&plan, &transport, TSR_F64, old, new_, 0, &error)
 *
 *  Law     After all ranks of the transport have run their plans, each new part has its elements. Old parts stay.
 *          Messages are sent in the order of their rounds, in chunks. At most TSR_DIST_FLIGHT chunks each way of a rank
 *          are on their way.
 *  Terms   With factors and two types each element of the new part is
 *
 *              to = alpha * cast(from) + beta * to
 *
 *          as tsr_axpby computes it. Where addends are summed, beta * to comes first, and each addend is added in turn:
 *          every step rounds to the type of `to`. Messages carry the narrower type where beta is 0 and nothing is
 *          summed, else the type of `from`. So the numbers do not depend on the transport.
 *  Rule    A redistribution that is a collective (tsr_dist_collective_of) is one call of the transport, if the
 *          transport has it, the tensor has at most 256 kB, and twice the tensor fits the budget. Sums are one call
 *          only of integers, with alpha 1, beta 0 and one type: no order of their addends changes a bit.
 *  Memory  at most `budget` bytes of buffers, or what 2 * TSR_DIST_FLIGHT elements need; 0 is 16 MB. All ranks give the
 *          same budget, because it decides the chunks.
 *  Errors  false and a message; the other ranks wait then, and the transport ends them, or you do.
 */
#ifndef TSR_MESH_RUN_H
#define TSR_MESH_RUN_H

#include "tessera/base/number.h"
#include "tessera/mesh/plan.h"

TSR_HEADER_BEGIN

#define TSR_DIST_FLIGHT 4

/** What all ranks of a transport do together. The two buffers have a part for each rank, in order, of `sent` and
 *  `received` bytes. An allgather sends one part to all. Sums are of elements of a type. */
typedef struct tsr_dist_together {
    tsr_dist_collective kind;
    tsr_dtype type;
    void const *send;
    void *receive;
    int64_t const *sent, *received;
} tsr_dist_together;

/** Bytes of a GPU that are sent to a rank, or received from it. */
typedef struct tsr_dist_wire {
    void *at;
    size_t bytes;
    int64_t peer;
    bool sent;
} tsr_dist_wire;

/** What carries messages between ranks: a table of functions, none of which waits. A slot, below 2 * TSR_DIST_FLIGHT,
 *  names a message until it is done. Messages from one rank to another arrive in the order in which they were sent.
 *  A transport has `send`, `receive` and `done` for the host's memory, `group` for that of GPUs, or both; all other
 *  functions may be NULL. */
typedef struct tsr_dist_transport {
    void *self;
    int64_t rank, ranks;
    bool (*send)(void *self, int64_t slot, int64_t to, void const *bytes, int64_t n);
    bool (*receive)(void *self, int64_t slot, int64_t from, void *bytes, int64_t n);
    int (*done)(void *self, int64_t slot); /* 1: done, 0: not yet, -1: failed */

    /* Where ranks see each other's memory. */
    int (*barrier)(void *self); /* 1: all ranks have called it as often, 0: not yet, -1: failed */
    void const *(*window)(void *self, int64_t rank); /* that rank's old part, if it sees this one's, too; else NULL */

    /* A request that is kept is made once, and started again and again; -1: none is made. */
    char const *(*why)(void *self);           /* why the last call failed, as the end of a sentence */
    bool (*cancel)(void *self, int64_t slot); /* ends a message; false: its memory may still be used */
    int64_t (*keep)(void *self, bool sent, int64_t peer, void *bytes, int64_t n);
    bool (*start)(void *self, int64_t slot, int64_t request);
    void (*drop)(void *self, int64_t request);

    /* Has it such a collective, of elements of a type? All ranks answer alike. Begins one in slot 0. */
    bool (*joins)(void *self, tsr_dist_collective kind, tsr_dtype type);
    bool (*together)(void *self, tsr_dist_together const *what);

    /* GPUs (mesh/comm.h). Begins messages behind the work of a stream of the driver, all under way at once; the stream
     * goes on after them. As `done`: 1: the stream has them, 0: not yet, which `state` asks, -1: failed. The GPU's
     * context is current. */
    int (*group)(void *self, tsr_dist_wire const *wire, int64_t wires, void *stream);
    int (*connect)(void *self); /* to the other ranks, as the first call */
    int (*state)(void *self);   /* of the last call, and of the messages since */
    void (*abort)(void *self);  /* after an error: ends all messages, and so what streams wait for; then only close */
    void (*close)(void *self);  /* gives back `self` */
} tsr_dist_transport;

/** What becomes of elements on their way. */
typedef struct tsr_dist_terms {
    tsr_dtype from, to;
    tsr_number alpha, beta;
} tsr_dist_terms;

/** Elements of one type as they are: alpha is 1, and beta 0. */
TSR_API tsr_dist_terms tsr_dist_terms_of(tsr_dtype type);

/** A run that goes on step by step. */
typedef struct tsr_dist_run tsr_dist_run;

/** Begins a run from `old` to `new_`, parts of the rank's own layouts (NULL where they have no elements). NULL: it is
 *  refused. */
TSR_TRY tsr_dist_run *tsr_dist_run_begin(tsr_dist_plan const *plan, tsr_dist_transport const *transport,
                                         tsr_dtype type, void const *old, void *new_, int64_t budget,
                                         tsr_message *error);

/** The same with factors and casts. Old parts have elements of terms->from, new ones of terms->to.
 *  Errors  as tsr_dist_run_begin; types that tsr_axpby refuses. */
TSR_TRY tsr_dist_run *tsr_dist_axpby_begin(tsr_dist_plan const *plan, tsr_dist_transport const *transport,
                                           tsr_dist_terms const *terms, void const *old, void *new_, int64_t budget,
                                           tsr_message *error);

/** Does what can be done without waiting. *done: the run has ended. */
TSR_TRY bool tsr_dist_run_step(tsr_dist_run *run, bool *done, tsr_message *error);

/** Begins a run that has ended once more, from and to the same memory. All ranks do so. The second run keeps requests
 *  of its messages, if the transport can; later ones start them. False: it has not ended. */
TSR_TRY bool tsr_dist_run_again(tsr_dist_run *run);

/** Ends a run. Messages of one that has failed are cancelled; buffers that the transport may still use are left. */
TSR_API void tsr_dist_run_free(tsr_dist_run *run);

/** Steps a run until it has ended, which waits for the other ranks. */
TSR_TRY bool tsr_dist_run_wait(tsr_dist_run *run, tsr_message *error);

/** The whole run, which waits for the other ranks. */
TSR_TRY bool tsr_dist_redistribute(tsr_dist_plan const *plan, tsr_dist_transport const *transport, tsr_dtype type,
                                   void const *old, void *new_, int64_t budget, tsr_message *error);

/** The whole run with factors and casts.
 *  So {TSR_F32, TSR_BF16, tsr_number_real(0.5), tsr_number_int(1)} adds halves: new_ += old / 2, rounded to bf16. */
TSR_TRY bool tsr_dist_axpby(tsr_dist_plan const *plan, tsr_dist_transport const *transport,
                            tsr_dist_terms const *terms, void const *old, void *new_, int64_t budget,
                            tsr_message *error);

/* A transport inside one process: all ranks in turns. */

typedef struct tsr_dist_loopback tsr_dist_loopback;

/** NULL: no memory. */
TSR_TRY tsr_dist_loopback *tsr_dist_loopback_make(int64_t ranks);
TSR_API void tsr_dist_loopback_free(tsr_dist_loopback *loopback);

/** Shows the old part of a rank, so that one copy moves its elements. All ranks show theirs, or none. */
TSR_API void tsr_dist_loopback_show(tsr_dist_loopback *loopback, int64_t rank, void const *old);
TSR_API tsr_dist_transport tsr_dist_loopback_at(tsr_dist_loopback *loopback, int64_t rank);

/** How many bytes its messages have carried. */
TSR_API int64_t tsr_dist_loopback_bytes(tsr_dist_loopback const *loopback);

/** Steps the runs, one a rank, in turns until each has ended. */
TSR_TRY bool tsr_dist_loopback_run(tsr_dist_loopback *loopback, tsr_dist_run *const *runs, tsr_message *error);

TSR_HEADER_END

#endif

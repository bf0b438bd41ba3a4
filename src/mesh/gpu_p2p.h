/** Ranks of one host whose GPUs reach each other: the control block, and each other's parts as they are addressed here.
 *
 *  A run begins with handle messages: each rank tells where its part is. Memory of another process is mapped when it is
 *  first named, and stays mapped until others take its place.
 *
 *  Slow calls  of the driver wait for all work of a GPU, and for copies of other GPUs that touch its memory; other
 *              threads of the process cannot launch work on it meanwhile. On H200 with driver 13 these are to load
 *              and unload a module, to free memory and to give back host memory. Such work may wait for a rank of
 *              this process that has still to give work to its own stream: then all wait for ever. So ranks that share
 *              a process make slow calls only while each rank's last run is given to its stream whole: between runs,
 *              or between two exchanges of one run.
 */
#ifndef TSR_SRC_MESH_GPU_P2P_H
#define TSR_SRC_MESH_GPU_P2P_H

#include "mesh/gpu_control.h"
#include "mesh/gpu_graph.h"
#include "mesh/gpu_messages.h"

enum { DIST_GPU_MAPPED = 32 /* allocations of a rank that stay known */ };

/** What gives flags to streams: kernels, the driver's operations, or the one that should be sooner done. */
typedef enum dist_gpu_flager {
    DIST_GPU_FLAGER,
    DIST_GPU_KERNELS,
    DIST_GPU_OPERATIONS,
    DIST_GPU_FLAGERS
} dist_gpu_flager;

/** An allocation. */
typedef struct dist_gpu_mapping {
    uint64_t base, id; /* as its rank addresses it */
    uint64_t here;     /* as it is addressed here; 0: the place is free */
    tsr_cu_ipc handle;
    uint64_t used; /* when: a number of a run */
    bool pinned;   /* a captured graph uses it */
} dist_gpu_mapping;

/** {0} but for its messages: ranks have no peer access, and the transport sends. */
typedef struct dist_gpu_p2p {
    dist_gpu_messages *messages; /* by whose timeout it waits */
    dist_gpu_control control;
    bool reads;             /* nobody writes to the memory of others: a rank has a timeout, and may leave */
    dist_gpu_replay replay; /* how runs come again */
    int64_t row;            /* copy engines move rows of at least this many bytes; 0: no rows */
    int64_t read;           /* and read only messages of at least this many bytes */
    dist_gpu_flager flag_writer;
    int64_t small;   /* bytes that are copied sooner than events are made */
    bool off;        /* plans are sent by the transport all the same, in tests and benchmarks */
    bool *remote;    /* of each rank: is it in another process? */
    bool any_remote; /* is one? */
    bool shares;     /* does any process have several ranks? See *Slow calls* */
    dist_gpu_mapping (*known)[DIST_GPU_MAPPED]; /* of each rank */
    tsr_gpu_event idle;                         /* after the last run */
    uint64_t runs;
    tsr_gpu_cache late; /* kernels that runs found they need: threads of several ranks may plan with one cache */
} dist_gpu_p2p;

/** Makes all else, for a control block that is open. False: there is no memory, or the driver lacks a function. */
bool tsr_dist_gpu_p2p_make_(dist_gpu_p2p *n);
void tsr_dist_gpu_p2p_free_(dist_gpu_p2p *n);

/** Are there a control block and all that a run needs? */
static inline bool tsr_dist_gpu_has_p2p_(dist_gpu_p2p const *n) { return n->control.at != NULL && n->known; }

/** Names an allocation to other processes. False: it cannot be named. */
bool tsr_dist_gpu_name_memory_(tsr_gpu_device const *device, uint64_t address, dist_gpu_handles *handles);

/** Posts where this rank's part is (0: it has none that others need), and where its other part is. Then waits for the
 *  handle messages of all. *can: every part can be reached.
 *  Errors  a rank has left, or does not come in time. */
bool tsr_dist_gpu_p2p_exchange_(dist_gpu_p2p *n, uint64_t part, uint64_t other, bool *can, tsr_message *error);

/** Posts once more, with the same handle messages. */
bool tsr_dist_gpu_p2p_exchange_again_(dist_gpu_p2p *n, tsr_message *error);

/** Posts a handle message that only says whether a rank can; *can: all can. */
bool tsr_dist_gpu_p2p_agree_(dist_gpu_p2p *n, bool *can, tsr_message *error);

/** A number of the handle messages of all ranks: the same one while all parts are where they were. */
uint64_t tsr_dist_gpu_p2p_places_(dist_gpu_p2p const *n);

/** This rank's run is given to its stream. Ranks that share a process wait until all runs are: see *Slow calls*. */
bool tsr_dist_gpu_p2p_end_(dist_gpu_p2p *n, tsr_message *error);

/** The part of another rank, as this one addresses it; after an exchange. */
bool tsr_dist_gpu_p2p_reach_(dist_gpu_p2p *n, int rank, bool pinned, uint64_t *address, tsr_message *error);

/** Leaves: other ranks are told, and streams of this one wait for no flag any more. */
void tsr_dist_gpu_p2p_leave_(dist_gpu_p2p *n, double seconds);

#endif

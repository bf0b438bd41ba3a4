/** Ranks of one host whose GPUs reach each other: the board, and each other's parts as they are addressed here.
 *
 *  A run begins with letters: each rank tells where its part is. Memory of another process is mapped when it is first
 *  named, and stays mapped until others take its place.
 */
#ifndef TSR_SRC_DIST_GPU_NEAR_H
#define TSR_SRC_DIST_GPU_NEAR_H

#include "dist/gpu_board.h"
#include "dist/gpu_graph.h"
#include "tessera/dist/nccl.h"

enum { DIST_GPU_KEPT = 32 /* allocations of a rank that stay known */ };

/** An allocation. */
typedef struct dist_gpu_known {
    uint64_t base, id; /* as its rank addresses it */
    uint64_t here;     /* as it is addressed here; 0: the place is free */
    tsr_cu_ipc handle;
    uint64_t used; /* when: a number of a run */
    bool pinned;   /* a captured graph uses it */
} dist_gpu_known;

/** {0}: ranks are not near each other, and NCCL sends. */
typedef struct dist_gpu_near {
    dist_gpu_board board;
    bool reads;           /* nobody writes to the memory of others: a rank has patience, and may leave */
    dist_gpu_again again; /* how runs come again */
    int64_t row;          /* copy engines move rows of at least this many bytes; 0: no rows */
    int64_t small;        /* bytes that are copied sooner than events are made */
    bool off;             /* plans are sent by NCCL all the same, in tests and benchmarks */
    bool *stranger;       /* of each rank: is it in another process? */
    bool strange;         /* is one? */
    bool shares;          /* does any process have several ranks? */
    dist_gpu_known (*known)[DIST_GPU_KEPT]; /* of each rank */
    tsr_gpu_event idle;                     /* after the last run */
    uint64_t runs;
} dist_gpu_near;

struct tsr_dist_nccl;

/** Makes what {0} has not, for a board that is open. False: there is no memory, or the driver lacks a function. */
bool tsr_dist_gpu_near_make_(dist_gpu_near *n, tsr_gpu_device const *device, int ranks);
void tsr_dist_gpu_near_free_(dist_gpu_near *n, int ranks);

/** Are there a board and all that a run needs? */
static inline bool tsr_dist_gpu_is_near_(dist_gpu_near const *n) { return n->board.at != NULL && n->known; }

/** Names an allocation to other processes. False: it cannot be named. */
bool tsr_dist_gpu_name_memory_(tsr_gpu_device const *device, uint64_t address, dist_gpu_letter *letter);

/** Posts where this rank's part is (0: it has none that others need), and waits for the letters of all. *can: every
 *  part can be reached.
 *  Errors  a rank has left, or does not come in time. */
bool tsr_dist_gpu_near_meet_(tsr_dist_nccl *all, uint64_t part, bool *can, tsr_message *error);

/** The part of another rank, as this one addresses it; after they have met. */
bool tsr_dist_gpu_near_reach_(tsr_dist_nccl *all, int rank, bool pinned, uint64_t *address, tsr_message *error);

/** Leaves: other ranks are told, and streams of this one wait for no sign any more. */
void tsr_dist_gpu_near_leave_(dist_gpu_near *n, double seconds);

#endif

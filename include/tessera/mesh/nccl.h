/** NCCL as a transport between processes, or threads, with one GPU each. NCCL is found when the program runs.
 *
 *      tsr_nccl nccl = {0};
 *      tsr_dist_nccl_find(&nccl, NULL, &error)
 *      tsr_dist_nccl_id(&nccl, &id, &error)                       one rank, which gives the id to the others
 *      tsr_dist_nccl_open(&nccl, &device, &id, rank, ranks, 30, &all, &error)
 *      tsr_dist_nccl_plan(all, &cache, &plan, &terms, old, new_, 0, &moves, &error)
 *      tsr_dist_nccl_run(moves, &stream, &error)
 *      tsr_dist_nccl_wait(all, &stream, &error)
 *
 *  Ranks are *p2p* if they run on one host and their GPUs reach each other's memory. P2P ranks move
 *  elements like the peers of mesh/gpu.h: one kernel packs, sends and unpacks. Their streams wait for each other. Other
 *  ranks pack messages, and NCCL sends them.
 *
 *  Law     as in mesh/gpu.h.
 *  Order   A run waits on the host until all ranks have called it, because p2p ranks tell each other where their
 *          parts are. It does not wait for the GPU. P2P ranks that share a process also wait until all have given
 *          their work to their streams: calls that wait for a GPU, as cuMemFree and cuModuleLoadData do, are safe
 *          between runs. Graphs of captured runs do not wait so: launch them all before such a call.
 *  Memory  Other processes map the allocation of a part when it is first used, and keep the last 32 of each rank.
 *          Memory that its owner frees stays in use until then, or until the communicator is closed. Parts that cannot
 *          be mapped, as those of CUDA's virtual memory, are sent by NCCL.
 *  Source  NCCL, User Guide: point-to-point communication; fault tolerance.
 */
#ifndef TSR_MESH_NCCL_H
#define TSR_MESH_NCCL_H

#include "tessera/mesh/gpu.h"

TSR_HEADER_BEGIN

/** ncclUniqueId. */
typedef struct tsr_nccl_id {
    char bytes[128];
} tsr_nccl_id;

/** ncclConfig_t, as NCCL 2.17 has it; later ones read it by its size. */
typedef struct tsr_nccl_config {
    size_t size;
    unsigned magic, version;
    int blocking, cluster, least, most;
    char const *net;
} tsr_nccl_config;

/* clang-format off */
/** X(result, name, parameters). */
#define TSR_NCCL_LIST(X)                                                                                       \
    X(int, ncclGetVersion, (int *version))                                                                     \
    X(char const *, ncclGetErrorString, (int error))                                                           \
    X(char const *, ncclGetLastError, (void *all))                                                             \
    X(int, ncclGetUniqueId, (tsr_nccl_id *id))                                                                 \
    X(int, ncclCommInitRankConfig, (void **all, int ranks, tsr_nccl_id id, int rank, tsr_nccl_config *config)) \
    X(int, ncclCommGetAsyncError, (void *all, int *error))                                                     \
    X(int, ncclCommDestroy, (void *all))                                                                       \
    X(int, ncclCommAbort, (void *all))                                                                         \
    X(int, ncclGroupStart, (void))                                                                             \
    X(int, ncclGroupEnd, (void))                                                                               \
    X(int, ncclSend, (void const *from, size_t count, int type, int peer, void *all, void *stream))            \
    X(int, ncclRecv, (void *to, size_t count, int type, int peer, void *all, void *stream))
/* clang-format on */

/** The functions that were found. {0} holds none. */
typedef struct tsr_nccl {
    void *loaded;
    int version; /* 22809 is 2.28.9 */
#define TSR_X_(result, name, parameters) result(*name) parameters;
    TSR_NCCL_LIST(TSR_X_)
#undef TSR_X_
} tsr_nccl;

/** Loads NCCL: the library at `path`, else the one that TESSERA_NCCL names, else libnccl.so.2 where the system looks.
 *  Errors  none is there; one older than 2.17. */
TSR_TRY bool tsr_dist_nccl_find(tsr_nccl *nccl, char const *path, tsr_message *error);
TSR_API void tsr_dist_nccl_forget(tsr_nccl *nccl);

TSR_TRY bool tsr_dist_nccl_id(tsr_nccl const *nccl, tsr_nccl_id *id, tsr_message *error);

/** A rank among all that have the id. */
typedef struct tsr_dist_nccl tsr_dist_nccl;

/** Connects to the other ranks. `timeout` is how many seconds this call, a run and tsr_dist_nccl_wait wait for others
 *  before they fail with a sentence; 0 is for ever. If any rank has a timeout, p2p ranks only read each other's memory:
 *  a rank that was late never writes to one that gave up. NCCL's messages cost some 20 us more. */
TSR_TRY bool tsr_dist_nccl_open(tsr_nccl const *nccl, tsr_gpu_device const *device, tsr_nccl_id const *id, int rank,
                                int ranks, double timeout, tsr_dist_nccl **all, tsr_message *error);

/** Why NCCL sends all messages, in one sentence; "" where ranks have peer access to each other. Where shared memory
 *  (/dev/shm) is missing or too small, ranks of one host have none. */
TSR_API char const *tsr_dist_nccl_far(tsr_dist_nccl const *all);

/** Ends the communicator, by ncclCommAbort where it has failed. */
TSR_API void tsr_dist_nccl_close(tsr_dist_nccl **all);

typedef struct tsr_dist_nccl_moves tsr_dist_nccl_moves;

/** Plans moves of p2p ranks, or packets (tsr_dist_packed_plan) with a buffer, streams and events of their own. Several
 *  threads may run moves at once that were planned with one cache. */
TSR_TRY bool tsr_dist_nccl_plan(tsr_dist_nccl *all, tsr_gpu_cache *cache, tsr_dist_plan const *plan,
                                tsr_dist_terms const *terms, uint64_t old, uint64_t new_, int64_t budget,
                                tsr_dist_nccl_moves **moves, tsr_message *error);

/** Moves behind the stream, and does not wait for the GPU. All ranks call it. A stream of p2p ranks may be captured,
 *  on all ranks alike, after a run of the same plan. Its graph runs at the same addresses. */
TSR_TRY bool tsr_dist_nccl_run(tsr_dist_nccl_moves *moves, tsr_gpu_stream const *stream, tsr_message *error);

/** The same for parts at other addresses, multiples of 16 bytes from those of the plan. */
TSR_TRY bool tsr_dist_nccl_run_at(tsr_dist_nccl_moves *moves, uint64_t old, uint64_t new_,
                                  tsr_gpu_stream const *stream, tsr_message *error);
TSR_API void tsr_dist_nccl_free(tsr_dist_nccl_moves **moves);

/** Waits until the work of a stream is done. A lost rank, or one that does not come, is an error after the timeout;
 *  the communicator is then aborted, and so is its work on the GPU. */
TSR_TRY bool tsr_dist_nccl_wait(tsr_dist_nccl *all, tsr_gpu_stream const *stream, tsr_message *error);

TSR_HEADER_END

#endif

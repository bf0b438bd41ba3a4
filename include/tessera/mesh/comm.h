/** Communicators: ranks with one GPU each, in processes or threads, and a transport for messages between their GPUs.
 *
 *      tsr_dist_nccl_open(&nccl, &device, &id, rank, ranks, 30, &comm, &error)    NCCL (mesh/nccl.h)
 *      tsr_dist_comm_open(&transport, &device, 30, &comm, &error)                 a transport of yours
 *      tsr_dist_comm_plan(comm, &cache, &plan, &terms, old, new_, 0, &moves, &error)
 *      tsr_dist_comm_run(moves, &stream, &error)
 *      tsr_dist_comm_wait(comm, &stream, &error)
 *
 *  Ranks are *p2p* if they run on one host and their GPUs reach each other's memory. P2P ranks move elements like the
 *  peers of mesh/gpu.h: one kernel packs, sends and unpacks. Their streams wait for each other. Other ranks pack
 *  messages, and the transport sends them.
 *
 *  Law     as in mesh/gpu.h.
 *  Order   A run waits on the host until all ranks have called it, because p2p ranks tell each other where their
 *          parts are. It does not wait for the GPU. P2P ranks that share a process also wait until all have given
 *          their work to their streams: calls that wait for a GPU, as cuMemFree and cuModuleLoadData do, are safe
 *          between runs. Graphs of captured runs do not wait so: launch them all before such a call.
 *  Memory  Other processes map the allocation of a part when it is first used, and keep the last 32 of each rank.
 *          Memory that its owner frees stays in use until then, or until the communicator is closed. Parts that cannot
 *          be mapped, as those of CUDA's virtual memory, are sent by the transport.
 *  Errors  A run that fails aborts the communicator, because the other ranks wait for it.
 */
#ifndef TSR_MESH_COMM_H
#define TSR_MESH_COMM_H

#include "tessera/mesh/gpu.h"

TSR_HEADER_BEGIN

typedef struct tsr_dist_comm tsr_dist_comm;

/** Connects to the other ranks of a transport that has `group`, and owns it: `close` is called even if this call fails.
 *  `timeout` is how many seconds this call, a run and tsr_dist_comm_wait wait for others before they fail with a
 *  sentence; 0 is for ever. If any rank has a timeout, p2p ranks only read each other's memory: a rank that was late
 *  never writes to one that gave up. NCCL's messages cost some 20 us more. */
TSR_TRY bool tsr_dist_comm_open(tsr_dist_transport const *transport, tsr_gpu_device const *device, double timeout,
                                tsr_dist_comm **comm, tsr_message *error);

/** Why the transport sends all messages, in one sentence; "" where ranks have peer access to each other. Where shared
 *  memory (/dev/shm) is missing or too small, ranks of one host have none. */
TSR_API char const *tsr_dist_comm_p2p_why(tsr_dist_comm const *comm);

/** Ends the communicator, after its messages; one that has failed was aborted. */
TSR_API void tsr_dist_comm_close(tsr_dist_comm **comm);

typedef struct tsr_dist_moves tsr_dist_moves;

/** Plans moves of p2p ranks, or packets (tsr_dist_packed_plan) with a buffer, streams and events of their own. Several
 *  threads may run moves at once that were planned with one cache. */
TSR_TRY bool tsr_dist_comm_plan(tsr_dist_comm *comm, tsr_gpu_cache *cache, tsr_dist_plan const *plan,
                                tsr_dist_terms const *terms, uint64_t old, uint64_t new_, int64_t budget,
                                tsr_dist_moves **moves, tsr_message *error);

/** Moves behind the stream, and does not wait for the GPU. All ranks call it. A stream of p2p ranks may be captured,
 *  on all ranks alike, after a run of the same plan. Its graph runs at the same addresses. */
TSR_TRY bool tsr_dist_comm_run(tsr_dist_moves *moves, tsr_gpu_stream const *stream, tsr_message *error);

/** The same for parts at other addresses, multiples of 16 bytes from those of the plan. */
TSR_TRY bool tsr_dist_comm_run_at(tsr_dist_moves *moves, uint64_t old, uint64_t new_, tsr_gpu_stream const *stream,
                                  tsr_message *error);
TSR_API void tsr_dist_moves_free(tsr_dist_moves **moves);

/** Waits until the work of a stream is done. A lost rank, or one that does not come, is an error after the timeout;
 *  the communicator is then aborted, and so is its work on the GPU. */
TSR_TRY bool tsr_dist_comm_wait(tsr_dist_comm *comm, tsr_gpu_stream const *stream, tsr_message *error);

TSR_HEADER_END

#endif

/** Redistributions between GPUs: by kernels that write into a neighbour's memory, or packed for a transport.
 *
 *      tsr_dist_peers_plan(&cache, &from, &to, &terms, parts, ranks, &plan, &error)     all ranks in one process
 *      tsr_dist_peers_run(plan, streams, &error)
 *
 *  A plan holds strided copies (gpu/copy.h), one for each box of each message. It is made once and run many times.
 *
 *  Law     After the work of the streams, new parts are those of tsr_dist_axpby, bit by bit. Old parts stay, unless
 *          beta scales a part in its place.
 *  Memory  Old and new parts do not overlap, unless nothing changes: then nothing is copied.
 *  Units   elements in layouts and terms, bytes in packets.
 *  Errors  false and a sentence: those of tsr_dist_plan_make, of the types, and of CUDA; the output is NULL.
 *  Cost    A box is a launch, about 3 us of the host. In one process small plans that run again are one launch a GPU.
 */
#ifndef TSR_MESH_GPU_H
#define TSR_MESH_GPU_H

#include "tessera/mesh/run.h"
#include "tessera/gpu/copy.h"

TSR_HEADER_BEGIN

/* All ranks in one process */

/** A rank's GPU, and the addresses of its parts there (0 where they have no elements). Ranks may share a GPU. */
typedef struct tsr_dist_gpu_rank {
    tsr_gpu_device const *device;
    uint64_t old, new_;
} tsr_dist_gpu_rank;

typedef struct tsr_dist_peers tsr_dist_peers;

/** Plans copies from memory to memory. A sender writes into the receiver's memory, so that one kernel packs, sends and
 *  unpacks. Where elements are added, or beta is not 0, the receiver reads. What stays is copied meanwhile.
 *  Errors  GPUs without peer access; fewer parts than ranks. */
TSR_TRY bool tsr_dist_peers_plan(tsr_gpu_cache *cache, tsr_dist_layout const *from, tsr_dist_layout const *to,
                                 tsr_dist_terms const *terms, tsr_dist_gpu_rank const *rank, int64_t ranks,
                                 tsr_dist_peers **plan, tsr_message *error);

/** Launches the copies of all ranks, each behind its own stream and those of its neighbours, and does not wait. There
 *  is one stream a rank, on the rank's GPU; two ranks may have the same one. */
TSR_TRY bool tsr_dist_peers_run(tsr_dist_peers *plan, tsr_gpu_stream const *stream, tsr_message *error);

/** How many bytes go from one GPU's ranks to others. */
TSR_API int64_t tsr_dist_peers_bytes(tsr_dist_peers const *plan);
TSR_API void tsr_dist_peers_free(tsr_dist_peers **plan);

/* One rank, packed: messages for any transport of memory of GPUs */

/** A message of a stage. */
typedef struct tsr_dist_packet {
    int64_t peer, bytes;
    uint64_t at;   /* byte of the buffer; in place: of the part */
    bool in_place; /* it is sent from the old part itself, or received in the new one */
} tsr_dist_packet;

typedef struct tsr_dist_packed tsr_dist_packed;

/** Plans the stages of a rank. A stage is packed, sent and unpacked; meanwhile the next one is packed. Messages that
 *  are one run of memory are moved in place. Both ends of a message agree on its packets, if all ranks give one budget.
 *  The parts may move later, by multiples of 16 bytes.
 *  Memory  a buffer of tsr_dist_packed_bytes, at most `budget` or what the smallest chunks need; 0 is 1 GB. */
TSR_TRY bool tsr_dist_packed_plan(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_dist_plan const *plan,
                                  tsr_dist_terms const *terms, uint64_t old, uint64_t new_, int64_t budget,
                                  tsr_dist_packed **packed, tsr_message *error);
TSR_API void tsr_dist_packed_free(tsr_dist_packed **packed);

/** The buffer's bytes; it begins at a multiple of 256. */
TSR_API int64_t tsr_dist_packed_bytes(tsr_dist_packed const *packed);
TSR_API int64_t tsr_dist_packed_stages(tsr_dist_packed const *packed);

/** The packets that a stage sends or receives; returns how many, and *packets are theirs. */
TSR_API int64_t tsr_dist_packed_packets(tsr_dist_packed const *packed, int64_t stage, bool sent,
                                        tsr_dist_packet const **packets);

/** How many copies pack a stage, and unpack it: 0, it needs no such step. */
TSR_API int64_t tsr_dist_packed_copies(tsr_dist_packed const *packed, int64_t stage, bool sent);

/** What stays, and zeros; before anything is unpacked. */
TSR_TRY bool tsr_dist_packed_keep(tsr_dist_packed const *packed, uint64_t old, uint64_t new_,
                                  tsr_gpu_stream const *stream, tsr_message *error);

/** Packs a stage. Stages s and s + 2 use one part of the buffer. */
TSR_TRY bool tsr_dist_packed_pack(tsr_dist_packed const *packed, int64_t stage, uint64_t old, uint64_t buffer,
                                  tsr_gpu_stream const *stream, tsr_message *error);
TSR_TRY bool tsr_dist_packed_unpack(tsr_dist_packed const *packed, int64_t stage, uint64_t buffer, uint64_t new_,
                                    tsr_gpu_stream const *stream, tsr_message *error);

TSR_HEADER_END

#endif

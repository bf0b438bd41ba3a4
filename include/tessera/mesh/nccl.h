/** NCCL as a transport of communicators (mesh/comm.h), between processes or threads. It is found when the program runs.
 *
 *      tsr_nccl nccl = {0};
 *      tsr_dist_nccl_find(&nccl, NULL, &error)
 *      tsr_dist_nccl_id(&nccl, &id, &error)                       one rank, which gives the id to the others
 *      tsr_dist_nccl_open(&nccl, &device, &id, rank, ranks, 30, &comm, &error)
 *
 *  Source  NCCL, User Guide: point-to-point communication; fault tolerance.
 */
#ifndef TSR_MESH_NCCL_H
#define TSR_MESH_NCCL_H

#include "tessera/mesh/comm.h"

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

/** A rank among all that have the id: connects to the others by NCCL (tsr_dist_comm_open). */
TSR_TRY bool tsr_dist_nccl_open(tsr_nccl const *nccl, tsr_gpu_device const *device, tsr_nccl_id const *id, int rank,
                                int ranks, double timeout, tsr_dist_comm **comm, tsr_message *error);

TSR_HEADER_END

#endif

/** The control block: host memory that all ranks of one host map. It has *handle messages*, by which ranks tell each
 *  other where their parts are, and *flags*: numbers that streams write and wait for.
 *
 *      handle message n   of a rank is read by all ranks before they post number n + 1: two places a rank are enough.
 *      a flag             is 0, or 1 after its writer's work. The rank that waits for it makes it 0 again.
 *      given              the last handle message whose run a rank has given to its stream, whole.
 */
#ifndef TSR_SRC_MESH_GPU_CONTROL_H
#define TSR_SRC_MESH_GPU_CONTROL_H

#include "tessera/gpu.h"

/** Where a rank's part is, for the other ranks. */
typedef struct dist_gpu_handles {
    uint64_t address;
    uint64_t other;    /* the part that nobody else touches */
    uint64_t base, id; /* of the allocation; `id` tells it from earlier ones there */
    tsr_cu_ipc handle; /* of the allocation */
    bool can;          /* others may reach the part */
} dist_gpu_handles;

/** A flag of a neighbour's stream: its part may be touched, or it has touched this rank's part. */
typedef enum dist_gpu_flag { DIST_GPU_READY, DIST_GPU_DONE, DIST_GPU_FLAGS } dist_gpu_flag;

/** {0}: there is none. */
typedef struct dist_gpu_control {
    tsr_gpu_device const *device;
    unsigned char *at;
    size_t bytes;
    uint64_t address; /* as streams of the device see it */
    int rank, ranks;
    uint32_t turn; /* the number of the last handle message */
} dist_gpu_control;

/** What tells the other ranks where the control block is. */
typedef struct dist_gpu_control_name {
    char path[64]; /* empty: there is no control block */
    uint64_t token;
    int64_t bytes;
    int code; /* errno of why there is none */
} dist_gpu_control_name;

#define DIST_GPU_CONTROL_RANKS 64

/** Makes the file of a control block. False: there is none, nothing is left of it, and the name says why. */
bool tsr_dist_gpu_control_make_(int ranks, dist_gpu_control_name *name);

/** Maps the control block, for the rank and its device; no call of the driver is made. False: it cannot. */
bool tsr_dist_gpu_control_open_(dist_gpu_control *b, tsr_gpu_device const *device, int rank, int ranks,
                                dist_gpu_control_name const *name);

/** Makes the control block known to the driver, and so to streams. False: it cannot. */
bool tsr_dist_gpu_control_show_(dist_gpu_control *b);

/** Removes the file; who has mapped it keeps it. */
void tsr_dist_gpu_control_forget_(dist_gpu_control_name *name);
void tsr_dist_gpu_control_close_(dist_gpu_control *b);

/** Posts the next handle message of this rank. */
void tsr_dist_gpu_control_post_(dist_gpu_control *b, dist_gpu_handles const *handles);

/** The handle message of a rank with the number of this rank's last one; NULL: it is not there yet. */
dist_gpu_handles const *tsr_dist_gpu_control_handles_(dist_gpu_control const *b, int rank);

/** Says that the run of this rank's last handle message is given to its stream; has another one said so? */
void tsr_dist_gpu_control_give_(dist_gpu_control *b);
bool tsr_dist_gpu_control_has_given_(dist_gpu_control const *b, int rank);

/** Says that this rank posts no more handle messages; has another one said so? */
void tsr_dist_gpu_control_leave_(dist_gpu_control *b);
bool tsr_dist_gpu_control_left_(dist_gpu_control const *b, int rank);

/** The address of a flag that `waits` waits for and `writes` writes. */
uint64_t tsr_dist_gpu_control_flag_(dist_gpu_control const *b, int waits, int writes, dist_gpu_flag flag);

/** Writes all flags that this rank may wait for. */
void tsr_dist_gpu_control_release_(dist_gpu_control *b);

#endif

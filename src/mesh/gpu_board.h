/** Host memory that all ranks of one host map. It has *letters*, by which ranks tell each other where their parts are,
 *  and *signs*: numbers that streams write and wait for.
 *
 *      letter n of a rank     is read by all ranks before they post letter n + 1. So two places a rank are enough.
 *      a sign                 is 0, or 1 after its writer's work. The rank that waits for it makes it 0 again.
 *      given                  the last letter whose run a rank has given to its stream, whole.
 */
#ifndef TSR_SRC_MESH_GPU_BOARD_H
#define TSR_SRC_MESH_GPU_BOARD_H

#include "tessera/gpu.h"

/** Where a rank's part is, for the other ranks. */
typedef struct dist_gpu_letter {
    uint64_t address;
    uint64_t other;    /* the part that nobody else touches */
    uint64_t base, id; /* of the allocation; `id` tells it from earlier ones there */
    tsr_cu_ipc handle; /* of the allocation */
    bool can;          /* others may reach the part */
} dist_gpu_letter;

/** A sign of a neighbour's stream: its part may be touched, or it has touched this rank's part. */
typedef enum dist_gpu_sign { DIST_GPU_READY, DIST_GPU_DONE, DIST_GPU_SIGNS } dist_gpu_sign;

/** {0}: there is none. */
typedef struct dist_gpu_board {
    tsr_gpu_device const *device;
    unsigned char *at;
    size_t bytes;
    uint64_t address; /* as streams of the device see it */
    int rank, ranks;
    uint32_t turn; /* the number of the last letter */
} dist_gpu_board;

/** What tells the other ranks where the board is. */
typedef struct dist_gpu_board_name {
    char path[64]; /* empty: there is no board */
    uint64_t token;
    int64_t bytes;
    int code; /* errno of why there is none */
} dist_gpu_board_name;

#define DIST_GPU_BOARD_RANKS 64

/** Makes the file of a board. False: there is none, nothing is left of it, and the name says why. */
bool tsr_dist_gpu_board_make_(int ranks, dist_gpu_board_name *name);

/** Maps the board, for the rank and its device; no call of the driver is made. False: it cannot. */
bool tsr_dist_gpu_board_open_(dist_gpu_board *b, tsr_gpu_device const *device, int rank, int ranks,
                              dist_gpu_board_name const *name);

/** Makes the board known to the driver, and so to streams. False: it cannot. */
bool tsr_dist_gpu_board_show_(dist_gpu_board *b);

/** Removes the file; who has mapped it keeps it. */
void tsr_dist_gpu_board_forget_(dist_gpu_board_name *name);
void tsr_dist_gpu_board_close_(dist_gpu_board *b);

/** Posts the next letter of this rank. */
void tsr_dist_gpu_board_post_(dist_gpu_board *b, dist_gpu_letter const *letter);

/** The letter of a rank with the number of this rank's last one; NULL: it is not there yet. */
dist_gpu_letter const *tsr_dist_gpu_board_letter_(dist_gpu_board const *b, int rank);

/** Says that the run of this rank's last letter is given to its stream; has another one said so? */
void tsr_dist_gpu_board_give_(dist_gpu_board *b);
bool tsr_dist_gpu_board_has_given_(dist_gpu_board const *b, int rank);

/** Says that this rank posts no more letters; has another one said so? */
void tsr_dist_gpu_board_leave_(dist_gpu_board *b);
bool tsr_dist_gpu_board_left_(dist_gpu_board const *b, int rank);

/** The address of a sign that `waits` waits for and `writes` writes. */
uint64_t tsr_dist_gpu_board_sign_(dist_gpu_board const *b, int waits, int writes, dist_gpu_sign sign);

/** Writes all signs that this rank may wait for. */
void tsr_dist_gpu_board_release_(dist_gpu_board *b);

#endif

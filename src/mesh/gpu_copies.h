/** Boxes of elements as kept copies on a GPU. */
#ifndef TSR_SRC_MESH_GPU_COPIES_H
#define TSR_SRC_MESH_GPU_COPIES_H

#include "mesh/move.h"
#include "tessera/gpu/copy.h"

/** A plan serves all boxes of its loops that begin alike in 16 bytes. */
typedef struct dist_gpu_shape {
    tsr_gpu_planned_copy *plan; /* NULL: rows that the driver copies */
    size_t bytes, rows, pitch[2];
    int loops, low[2];
    int64_t count[TSR_MAX_LEAVES], step[2][TSR_MAX_LEAVES];
} dist_gpu_shape;

typedef struct dist_gpu_copy {
    int64_t shape, from, to; /* bytes behind the two memories */
} dist_gpu_copy;

/** Copies from one memory to another. */
typedef struct dist_gpu_copies {
    dist_gpu_copy *copy;
    dist_gpu_shape *shape;
    int64_t copies, copy_capacity, shapes, shape_capacity;
    tsr_gpu_device const *device; /* of rows */
} dist_gpu_copies;

/** The most copies of a list. */
#define DIST_GPU_MOST ((int64_t)1 << 20)

/** Rows of so many bytes are moved by copy engines. */
#define DIST_GPU_ROW 4096

/** What makes copies of boxes. */
typedef struct dist_gpu_maker {
    dist_gpu_copies *list;
    tsr_gpu_cache *cache;
    tsr_gpu_device const *device;
    uint64_t memory[2]; /* from, to */
    bool packed[2];     /* a buffer, whose elements are in the order of the message */
    int64_t at[2];      /* bytes behind a packed memory */
    int64_t row;        /* the driver copies rows of at least this many bytes; 0: no rows */
    bool fixed;         /* the addresses stay: what is there already is not copied */
    tsr_dist_terms terms;
    tsr_message *error;
} dist_gpu_maker;

/** Adds the copies of a box; a tsr_dist_see whose context is a maker. */
bool tsr_dist_gpu_box_(void *context, tsr_dist_box const *box, int64_t at);

/** Adds what multiplies a part by beta: its source is the zeros of tsr_dist_gpu_zeros_. */
bool tsr_dist_gpu_scale_(dist_gpu_maker const *m, tsr_dist_part const *part, int modes, tsr_number beta);

/** What a rank keeps, and what multiplies its part by beta where it begins with zeros; `m` has no list yet. */
bool tsr_dist_gpu_own_(dist_gpu_maker const *m, tsr_dist_plan const *plan, tsr_number beta, tsr_gpu_memory *zeros,
                       dist_gpu_copies *clear, dist_gpu_copies *keep);

/** Launches all copies. */
bool tsr_dist_gpu_launch_(dist_gpu_copies const *c, uint64_t from, uint64_t to, tsr_gpu_stream const *stream,
                          tsr_message *error);
void tsr_dist_gpu_copies_free_(dist_gpu_copies *c);

/** Was it done? Else the sentence. */
bool tsr_dist_gpu_done_(tsr_gpu_result r, tsr_message *error);

/** The terms of a rank's packs and unpacks (mesh/run.h, Terms), and the type that messages have. */
typedef struct dist_gpu_terms {
    tsr_dist_terms all, pack, unpack;
    tsr_dtype carried;
} dist_gpu_terms;

dist_gpu_terms tsr_dist_gpu_terms_(tsr_dist_terms const *terms, bool adds);

/** Are the types, and the addresses of a rank's parts, such as can be run? */
bool tsr_dist_gpu_runs_(int64_t rank, tsr_dist_part const part[2], tsr_dist_terms const *terms, uint64_t old,
                        uint64_t new_, tsr_message *error);

/** 16 zeros on a device. */
bool tsr_dist_gpu_zeros_(tsr_gpu_device const *device, tsr_gpu_memory *zeros, tsr_message *error);

#endif

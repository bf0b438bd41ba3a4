/** Work of streams as a graph of the driver: captured once, and launched by one call. */
#ifndef TSR_SRC_MESH_GPU_GRAPH_H
#define TSR_SRC_MESH_GPU_GRAPH_H

#include "tessera/mesh/gpu.h"

/** How a plan is run again: call by call, as a graph of each GPU, or by the one that should be sooner done. */
typedef enum dist_gpu_replay { DIST_GPU_CALLS, DIST_GPU_GRAPHS, DIST_GPU_CHOSEN, DIST_GPU_REPLAYS } dist_gpu_replay;

/** How to run again what takes so many launches and events of the host, and moves so many bytes: a graph, or calls? */
dist_gpu_replay tsr_dist_gpu_choose_(int64_t launches, int64_t events, int64_t bytes);

/** A graph; {0}: there is none. */
typedef struct dist_gpu_graph {
    tsr_gpu_device const *device; /* of the stream that it was captured on, and is launched on */
    void *run;
} dist_gpu_graph;

/** Is a stream captured by the caller, or does the driver not say? */
bool tsr_dist_gpu_is_captured_(tsr_gpu_stream const *stream);

/** Calls that a capture does not allow are allowed to this thread; returns what was, for the call that ends it. */
int tsr_dist_gpu_relax_(tsr_gpu_device const *device, int mode);
enum { DIST_GPU_RELAXED = 2 /* CU_STREAM_CAPTURE_MODE_RELAXED */ };

/** Begins to capture what this stream is given, and what others are given that wait for it. No stream of `others` may
 *  be captured by the caller. False: nothing is captured, for want of a driver that can. */
bool tsr_dist_gpu_capture_(tsr_gpu_stream const *stream, tsr_gpu_stream const *others, int64_t count);

/** Ends it. All streams must have been joined. False: there is no graph; `ok` false: it is not wanted. */
bool tsr_dist_gpu_captured_(tsr_gpu_stream const *stream, bool ok, dist_gpu_graph *graph);

bool tsr_dist_gpu_graph_launch_(dist_gpu_graph const *graph, tsr_gpu_stream const *stream, tsr_message *error);
void tsr_dist_gpu_graph_free_(dist_gpu_graph *graph);

#endif

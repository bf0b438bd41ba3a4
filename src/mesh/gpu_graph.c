/** Graphs of the driver. A driver without them, or one that refuses, costs time and nothing else. */
#include "mesh/gpu_copies.h"
#include "mesh/gpu_graph.h"
#include "gpu/call.h"

enum { THREAD_LOCAL = 1 /* CU_STREAM_CAPTURE_MODE_THREAD_LOCAL */ };

static bool has_graphs(tsr_gpu const *g)
{
    return g->cuStreamBeginCapture && g->cuStreamEndCapture && g->cuStreamIsCapturing && g->cuGraphInstantiate
           && g->cuGraphLaunch && g->cuGraphExecDestroy && g->cuGraphDestroy;
}

static bool enters(tsr_gpu_device const *device) { return tsr_gpu_ok(tsr_gpu_enter_(device)); }

static bool leaves(tsr_gpu_device const *device, bool ok)
{
    return tsr_gpu_ok(tsr_gpu_leave_(device, tsr_gpu_fine_())) && ok;
}

bool tsr_dist_gpu_is_captured_(tsr_gpu_stream const *s)
{
    int status = 1;
    if (!enters(s->device))
        return true;
    bool const knows = s->device->gpu->cuStreamIsCapturing(s->handle, &status) == 0;
    return !leaves(s->device, knows) || status != 0;
}

/** Graphs save time of the host. They are sooner done if calls take the host longer than messages take the busiest GPU:
 *  a graph itself begins some us later (measured on two H100, docs/benchmarks.md). */
dist_gpu_replay tsr_dist_gpu_choose_(int64_t launches, int64_t events, int64_t bytes)
{
    enum { LAUNCH = 3000, EVENT = 1000 /* ns */, BANDWIDTH = 350 /* bytes a ns */ };
    return LAUNCH * launches + EVENT * events > bytes / BANDWIDTH ? DIST_GPU_GRAPHS : DIST_GPU_CALLS;
}

int tsr_dist_gpu_relax_(tsr_gpu_device const *device, int mode)
{
    if (device->gpu->cuThreadExchangeStreamCaptureMode)
        (void)device->gpu->cuThreadExchangeStreamCaptureMode(&mode);
    return mode;
}

bool tsr_dist_gpu_capture_(tsr_gpu_stream const *stream, tsr_gpu_stream const *others, int64_t count)
{
    tsr_gpu_device const *const d = stream->device;
    if (!has_graphs(d->gpu))
        return false;
    for (int64_t i = 0; i < count; ++i)
        if (tsr_dist_gpu_is_captured_(&others[i]))
            return false;
    return enters(d) && leaves(d, d->gpu->cuStreamBeginCapture(stream->handle, THREAD_LOCAL) == 0);
}

bool tsr_dist_gpu_captured_(tsr_gpu_stream const *stream, bool ok, dist_gpu_graph *graph)
{
    tsr_gpu_device const *const d = stream->device;
    void *made = NULL;
    graph->device = d;
    graph->run = NULL;
    if (!enters(d))
        return false;
    bool const ended = d->gpu->cuStreamEndCapture(stream->handle, &made) == 0 && made;
    if (!ended || !ok || d->gpu->cuGraphInstantiate(&graph->run, made, 0) != 0)
        graph->run = NULL;
    if (ended)
        (void)d->gpu->cuGraphDestroy(made);
    return leaves(d, graph->run != NULL);
}

bool tsr_dist_gpu_graph_launch_(dist_gpu_graph const *graph, tsr_gpu_stream const *stream, tsr_message *error)
{
    tsr_gpu_device const *const d = graph->device;
    if (!tsr_dist_gpu_done_(tsr_gpu_enter_with_(d, stream->handle, "stream"), error))
        return false;
    return tsr_dist_gpu_done_(tsr_gpu_leave_(d, DRIVER(d->gpu, cuGraphLaunch, (graph->run, stream->handle))), error);
}

void tsr_dist_gpu_graph_free_(dist_gpu_graph *graph)
{
    if (graph->run && enters(graph->device)) {
        (void)graph->device->gpu->cuGraphExecDestroy(graph->run);
        (void)leaves(graph->device, true);
    }
    graph->run = NULL;
}

/** GPUs that are this machine's CPU: a driver, an NVRTC and an NCCL in one library. Memory is the host's. Streams do
 *  their work late (fake_streams.h). Kernels of copies are read from their source text, and their threads are run one
 *  by one. Ranks of NCCL (fake_nccl.h) are threads of one process.
 *
 *  `fake_gpus` steers it: which NCCL function fails, and whether events never come. */
#include "fake_gpus.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake_graphs.h"
#include "fake_nccl.h"
#include "fake_p2p.h"
#include "fake_streams.h"
#include "gpu/kernels/relayout.h"
#include "gpu/kernels/relayout_elements.h"

static char *kept(char const *text)
{
    char *const copy = (char *)malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

EXPORT fake_gpus_state fake_gpus = {.devices = 4, .version = 22809};

enum { OK = 0, INVALID = 1, NOT_READY = 600, MOST_DEVICES = 8 };

static char contexts[MOST_DEVICES];
static _Thread_local int current;

#define BEGIN       \
  if (current == 0) \
    return 201;

EXPORT int cuInit(unsigned flags) { return (int)flags; }
EXPORT int cuGetErrorName(int error, char const **name) { return *name = "FAKE", error < 0; }
EXPORT int cuGetErrorString(int error, char const **text) { return *text = "as it was told", error < 0; }
EXPORT int cuDeviceGetCount(int *count) { return *count = fake_gpus.devices, OK; }
EXPORT int cuDeviceGet(int *device, int ordinal) { return *device = ordinal, OK; }
EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device) { return *bytes = 1 << 30, device < 0; }

EXPORT int cuDeviceGetName(char *name, int size, int device)
{
    return snprintf(name, (size_t)size, "fake %d", device) < 0;
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    *value = attribute == 75 ? 9 : attribute == 76 ? 0 : attribute == 5 ? INT32_MAX : attribute == 120 ? 1 : 1024;
    if (attribute == 97)
        *value = 232448;
    return device < 0;
}

EXPORT int cuDevicePrimaryCtxRetain(void **context, int device) { return *context = &contexts[device], OK; }
EXPORT int cuDevicePrimaryCtxRelease_v2(int device) { return device < 0; }
EXPORT int cuCtxPushCurrent_v2(void *context) { return ++current, context == NULL; }
EXPORT int cuCtxPopCurrent_v2(void **context) { return --current, *context = contexts, OK; }
EXPORT int cuCtxSynchronize(void) { return OK; }

EXPORT int cuDeviceCanAccessPeer(int *can, int device, int peer)
{
    *can = !fake_gpus.apart;
    return device == peer;
}

EXPORT int cuCtxEnablePeerAccess(void *context, unsigned flags)
{
    BEGIN
    fake_slow();
    static char enabled[MOST_DEVICES];
    int const device = (int)((char *)context - contexts);
    return flags ? INVALID : __atomic_fetch_add(&enabled[device], 1, __ATOMIC_SEQ_CST) ? 704 : OK;
}

static _Thread_local int relaxed;

EXPORT int cuThreadExchangeStreamCaptureMode(int *mode)
{
    int const was = relaxed ? 2 : 0;
    relaxed = *mode == 2;
    return *mode = was, OK;
}

EXPORT int cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
    BEGIN
    fake_slow();
    if (fake_capturing && !relaxed)
        return 900; /* not while a stream is captured */
    *address = (uint64_t)(uintptr_t)aligned_alloc(256, (bytes + 255) / 256 * 256);
    return fake_allocated(*address, bytes), OK;
}

EXPORT int cuMemFree_v2(uint64_t address)
{
    fake_slow();
    fake_drain(NULL);
    fake_freed(address);
    free((void *)(uintptr_t)address);
    return OK;
}

static int copy(uint64_t to, uint64_t from, size_t bytes)
{
    BEGIN
    memmove((void *)(uintptr_t)to, (void const *)(uintptr_t)from, bytes);
    return OK;
}

/** Rows of bytes to copy. */
typedef struct rows_work {
    fake_work as_work;
    tsr_cu_rows rows;
} rows_work;

static bool copy_rows(fake_work *w)
{
    tsr_cu_rows const *const r = &((rows_work const *)w)->rows;
    for (size_t i = 0; i < r->rows; ++i)
        memmove((void *)(uintptr_t)(r->to.device + i * r->to.pitch),
                (void const *)(uintptr_t)(r->from.device + i * r->from.pitch), r->bytes);
    return true;
}

static int give_rows(tsr_cu_rows const *rows, void *stream)
{
    BEGIN
    rows_work *const w = (rows_work *)calloc(1, sizeof *w);
    w->as_work.run = copy_rows;
    w->as_work.bytes = sizeof *w;
    w->rows = *rows;
    return fake_give(stream, &w->as_work);
}

static int give_copy(uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    tsr_cu_rows const r = {.from = {.device = from}, .to = {.device = to}, .bytes = bytes, .rows = 1};
    return give_rows(&r, stream);
}

EXPORT int cuMemcpyHtoD_v2(uint64_t to, void const *from, size_t bytes) { return copy(to, (uintptr_t)from, bytes); }
EXPORT int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) { return copy((uintptr_t)to, from, bytes); }

EXPORT int cuMemcpyHtoDAsync_v2(uint64_t to, void const *from, size_t bytes, void *stream)
{
    return give_copy(to, (uintptr_t)from, bytes, stream);
}

EXPORT int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream)
{
    return give_copy((uintptr_t)to, from, bytes, stream);
}

EXPORT int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    return give_copy(to, from, bytes, stream);
}

EXPORT int cuMemcpy2DAsync_v2(tsr_cu_rows const *r, void *stream)
{
    return r->from.kind == 2 && r->to.kind == 2 ? give_rows(r, stream) : INVALID;
}

EXPORT int cuMemsetD8Async(uint64_t to, unsigned char byte, size_t bytes, void *stream)
{
    memset((void *)(uintptr_t)to, byte, bytes);
    return stream ? INVALID : OK; /* only the device's own stream is used */
}

/* Streams and events */

EXPORT int cuStreamCreate(void **stream, unsigned flags) { return fake_stream_make(stream) + (flags != 1); }
EXPORT int cuStreamDestroy_v2(void *stream) { return fake_stream_free((fake_stream *)stream); }

EXPORT int cuStreamSynchronize(void *stream)
{
    fake_stream *const s = stream ? fake_found(stream) : NULL;
    if (s)
        fake_drain(s);
    return OK;
}

EXPORT int cuEventCreate(void **event, unsigned flags)
{
    *event = calloc(1, sizeof(fake_event));
    return flags != 0 && flags != 2 /* without times */;
}

EXPORT int cuEventDestroy_v2(void *event)
{
    pthread_mutex_lock(&fake_lock);
    (void)fake_leave((fake_event *)event, 0, true);
    pthread_mutex_unlock(&fake_lock);
    return OK;
}

EXPORT int cuEventRecord(void *event, void *stream) { return fake_mark_event(stream, (fake_event *)event, true); }

EXPORT int cuStreamWaitEvent(void *stream, void *event, unsigned flags)
{
    return flags ? INVALID : fake_mark_event(stream, (fake_event *)event, false);
}

EXPORT int cuEventSynchronize(void *event)
{
    while (!fake_event_done((fake_event *)event))
        fake_step();
    return OK;
}

EXPORT int cuEventQuery(void *event)
{
    fake_step();
    return fake_event_done((fake_event *)event) ? OK : NOT_READY;
}

EXPORT int cuEventElapsedTime(float *milliseconds, void *from, void *to)
{
    *milliseconds = 1;
    return !from || !to;
}

/* Graphs */

EXPORT int cuStreamBeginCapture_v2(void *stream, int mode)
{
    BEGIN
    return mode == 1 ? fake_capture(fake_found(stream)) : INVALID;
}

EXPORT int cuStreamEndCapture(void *stream, void **graph)
{
    BEGIN
    return fake_captured(fake_found(stream), fake_gpus.no_graphs, (fake_graph **)graph);
}

EXPORT int cuStreamIsCapturing(void *stream, int *status)
{
    pthread_mutex_lock(&fake_lock);
    fake_stream *const s = fake_find(stream);
    *status = s && s->graph;
    pthread_mutex_unlock(&fake_lock);
    return OK;
}

EXPORT int cuGraphInstantiateWithFlags(void **run, void *graph, unsigned long long flags)
{
    BEGIN
    fake_slow();
    return *run = fake_instantiate((fake_graph *)graph), flags != 0;
}

EXPORT int cuGraphLaunch(void *run, void *stream)
{
    BEGIN
    __atomic_add_fetch(&fake_gpus.launched, 1, __ATOMIC_SEQ_CST);
    return fake_launch((fake_graph *)run, stream);
}

EXPORT int cuGraphDestroy(void *graph) { return fake_graph_free((fake_graph *)graph); }

EXPORT int cuGraphExecDestroy(void *run)
{
    fake_graph *const g = (fake_graph *)run;
    while (__atomic_load_n(&g->arrived, __ATOMIC_SEQ_CST) != g->launched)
        fake_step();
    return fake_graph_free(g);
}

/* Modules: their code is the source text */

EXPORT int cuModuleLoadData(void **module, void const *image)
{
    BEGIN
    fake_slow();
    return *module = kept((char const *)image), OK;
}

EXPORT int cuModuleUnload(void *module) { return fake_slow(), free(module), OK; }
EXPORT int cuModuleGetFunction(void **f, void *module, char const *name) { return *f = module, !name; }

EXPORT int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *module, char const *name)
{
    (void)module, (void)name;
    return *address = *bytes = 0, INVALID;
}

EXPORT int cuFuncGetAttribute(int *value, int attribute, void *function)
{
    *value = attribute == 0 ? 1024 : attribute == 4 ? 32 : 0;
    return !function;
}

EXPORT int cuFuncSetAttribute(void *f, int attribute, int value) { return !f || attribute < 0 || value < 0; }

EXPORT int cuOccupancyMaxActiveClusters(int *clusters, void *function, tsr_cu_launch const *launch)
{
    (void)function, (void)launch;
    return *clusters = 1, OK;
}

/** The form of a kernel, from the text that it was made of. */
static int form_of(char const *text, tsr_relayout_form *f)
{
    char const *at = strstr(text, "tsr_relayout_form f = {");
    int n[24];
    for (int i = 0; at && i < 24; ++i) {
        at = strpbrk(at, "{,");
        n[i] = at ? (int)strtol(++at, NULL, 10) : 0;
    }
    if (!at)
        return INVALID;
    uint8_t *const field[] = {&f->kind,   &f->from_item, &f->to_item,    &f->from_items, &f->to_items, &f->batch,
                              &f->loops,  &f->columns,   &f->from_parts, &f->to_parts,   &f->to_any,   &f->from_run,
                              &f->to_run, &f->unit,      &f->warps,      &f->tables,     &f->wide,     &f->swizzled,
                              &f->alpha,  &f->beta,      &f->fp8,        &f->async};
    for (int i = 0; i < 22; ++i)
        *field[i] = (uint8_t)n[i];
    f->from_type = (tsr_dtype)n[22];
    f->to_type = (tsr_dtype)n[23];
    return OK;
}

/** A kernel with its arguments. */
typedef struct kernel_work {
    fake_work as_work;
    tsr_relayout_form form;
    tsr_relayout numbers;
    tsr_tensor tensor[2];
    uint64_t memory[2];
    int64_t blocks;
} kernel_work;

static bool run_kernel(fake_work *w)
{
    kernel_work const *const k = (kernel_work const *)w;
    unsigned char *const shared = (unsigned char *)aligned_alloc(16, 1 << 18);
    for (int64_t b = 0; shared && b < k->blocks; ++b)
        for (int phase = 0; phase < tsr_relayout_phases_(k->form); ++phase)
            for (int t = 0; t < TSR_RELAYOUT_THREADS; ++t) {
                if (k->form.kind == TSR_RELAYOUT_ELEMENTS)
                    tsr_relayout_element_(k->form, &k->numbers, &k->tensor[0], &k->tensor[1],
                                          b * TSR_RELAYOUT_THREADS + t);
                else
                    tsr_relayout_phase_(k->form, &k->numbers, k->memory[0], k->memory[1], b, t, shared, phase);
            }
    free(shared);
    return true;
}

EXPORT int cuLaunchKernelEx(tsr_cu_launch const *launch, void *function, void **arguments, void **extra)
{
    BEGIN
    if (strstr((char const *)function, "tsr_flag("))
        return give_flags(launch->stream, (dist_gpu_flags const *)arguments[0]);
    kernel_work *const k = (kernel_work *)calloc(1, sizeof *k);
    if (extra || form_of((char const *)function, &k->form) != OK)
        return free(k), INVALID;
    k->as_work.run = run_kernel;
    k->as_work.bytes = sizeof *k;
    k->numbers = *(tsr_relayout const *)arguments[0];
    k->blocks = launch->grid[0];
    for (int i = 0; i < 2; ++i) {
        if (k->form.kind == TSR_RELAYOUT_ELEMENTS)
            k->tensor[i] = *(tsr_tensor const *)arguments[1 + i];
        else
            k->memory[i] = *(uint64_t const *)arguments[1 + i];
    }
    return fake_give(launch->stream, &k->as_work);
}

EXPORT int cuTensorMapEncodeTiled(void) { return INVALID; }
EXPORT int cuTensorMapEncodeIm2col(void) { return INVALID; }

/* NVRTC: a program is its text */

EXPORT int nvrtcVersion(int *major, int *minor) { return *major = 13, *minor = 0, OK; }
EXPORT char const *nvrtcGetErrorString(int error) { return error ? "FAKE" : "ok"; }

EXPORT int nvrtcCreateProgram(void **program, char const *text, char const *name, int headers,
                              char const *const *header, char const *const *header_name)
{
    (void)name, (void)headers, (void)header, (void)header_name;
    return *program = kept(text), OK;
}

EXPORT int nvrtcDestroyProgram(void **program) { return free(*program), *program = NULL, OK; }
EXPORT int nvrtcAddNameExpression(void *program, char const *name) { return !program || !name; }
EXPORT int nvrtcCompileProgram(void *p, int n, char const *const *option) { return !p || n < 1 || !option; }
EXPORT int nvrtcGetProgramLogSize(void *program, size_t *bytes) { return *bytes = 1, !program; }
EXPORT int nvrtcGetProgramLog(void *program, char *log) { return *log = 0, !program; }
EXPORT int nvrtcGetCUBINSize(void *program, size_t *bytes) { return *bytes = strlen((char *)program) + 1, OK; }
EXPORT int nvrtcGetCUBIN(void *program, char *cubin) { return strcpy(cubin, (char *)program), OK; }

EXPORT int nvrtcGetLoweredName(void *program, char const *name, char const **lowered)
{
    return *lowered = name, !program;
}

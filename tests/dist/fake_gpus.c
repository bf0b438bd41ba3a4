/** GPUs that are this machine's CPU: a driver, an NVRTC and an NCCL in one library. Memory is the host's. Streams do
 *  their work at once. Kernels of copies are read from their source text, and their threads are run one by one. Ranks
 *  of NCCL are threads of one process.
 *
 *  `fake_gpus` steers it: which NCCL function fails, and whether events never come. */
#include "fake_gpus.h"

#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/kernels/relayout.h"
#include "tessera/dist/nccl.h"

static char *kept(char const *text)
{
    char *const copy = (char *)malloc(strlen(text) + 1);
    return copy ? strcpy(copy, text) : NULL;
}

#define EXPORT __attribute__((visibility("default")))

EXPORT fake_gpus_state fake_gpus = {.devices = 4, .version = 22809};

enum { OK = 0, INVALID = 1, NOT_READY = 600, IN_PROGRESS = 7, REMOTE = 6, MOST_DEVICES = 8, MOST = 64 };

static char contexts[MOST_DEVICES];
static _Thread_local int current;

#define BEGIN          \
    if (current == 0)  \
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
    static char enabled[MOST_DEVICES];
    int const device = (int)((char *)context - contexts);
    return flags ? INVALID : enabled[device]++ ? 704 : OK;
}

EXPORT int cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
    BEGIN
    return *address = (uint64_t)(uintptr_t)aligned_alloc(256, (bytes + 255) / 256 * 256), OK;
}

EXPORT int cuMemFree_v2(uint64_t address)
{
    free((void *)(uintptr_t)address);
    return OK;
}

static int copy(uint64_t to, uint64_t from, size_t bytes)
{
    BEGIN
    memmove((void *)(uintptr_t)to, (void const *)(uintptr_t)from, bytes);
    return OK;
}

EXPORT int cuMemcpyHtoD_v2(uint64_t to, void const *from, size_t bytes) { return copy(to, (uintptr_t)from, bytes); }
EXPORT int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes) { return copy((uintptr_t)to, from, bytes); }

EXPORT int cuMemcpyHtoDAsync_v2(uint64_t to, void const *from, size_t bytes, void *stream)
{
    return stream ? copy(to, (uintptr_t)from, bytes) : INVALID;
}

EXPORT int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream)
{
    return stream ? copy((uintptr_t)to, from, bytes) : INVALID;
}

EXPORT int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    (void)stream;
    return copy(to, from, bytes);
}

EXPORT int cuMemcpy2DAsync_v2(tsr_cu_rows const *r, void *stream)
{
    int code = stream && r->from.kind == 2 && r->to.kind == 2 ? OK : INVALID;
    for (size_t i = 0; i < r->rows && code == OK; ++i)
        code = copy(r->to.device + i * r->to.pitch, r->from.device + i * r->from.pitch, r->bytes);
    return code;
}

EXPORT int cuMemsetD8Async(uint64_t to, unsigned char byte, size_t bytes, void *stream)
{
    (void)stream;
    memset((void *)(uintptr_t)to, byte, bytes);
    return OK;
}

/* Streams and events */

EXPORT int cuStreamCreate(void **stream, unsigned flags) { return *stream = malloc(1), flags != 1; }
EXPORT int cuStreamDestroy_v2(void *stream) { return free(stream), OK; }
EXPORT int cuStreamSynchronize(void *stream) { return (void)stream, OK; }
EXPORT int cuEventCreate(void **event, unsigned flags) { return *event = malloc(1), (int)flags; }
EXPORT int cuEventDestroy_v2(void *event) { return free(event), OK; }
EXPORT int cuEventRecord(void *event, void *stream) { return !event || !stream; }
EXPORT int cuEventSynchronize(void *event) { return !event; }
EXPORT int cuEventQuery(void *event) { return !event ? INVALID : fake_gpus.hangs ? NOT_READY : OK; }
EXPORT int cuStreamWaitEvent(void *s, void *event, unsigned flags) { return !s || !event || flags; }

EXPORT int cuEventElapsedTime(float *milliseconds, void *from, void *to)
{
    *milliseconds = 1;
    return !from || !to;
}

/* Modules: their code is the source text */

EXPORT int cuModuleLoadData(void **module, void const *image)
{
    BEGIN
    return *module = kept((char const *)image), OK;
}

EXPORT int cuModuleUnload(void *module) { return free(module), OK; }
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
    char const *at = strstr(text, "form = {");
    int n[24];
    for (int i = 0; at && i < 24; ++i) {
        at = strpbrk(at, "{,");
        n[i] = at ? (int)strtol(++at, NULL, 10) : 0;
    }
    if (!at)
        return INVALID;
    uint8_t *const field[] = {&f->kind,     &f->from_item, &f->to_item,    &f->from_items, &f->to_items, &f->batch,
                              &f->loops,    &f->columns,   &f->from_parts, &f->to_parts,   &f->to_any,   &f->from_run,
                              &f->to_run,   &f->unit,      &f->warps,      &f->tables,     &f->wide,     &f->swizzled,
                              &f->alpha,    &f->beta,      &f->fp8,        &f->async};
    for (int i = 0; i < 22; ++i)
        *field[i] = (uint8_t)n[i];
    f->from_type = (tsr_dtype)n[22];
    f->to_type = (tsr_dtype)n[23];
    return OK;
}

EXPORT int cuLaunchKernelEx(tsr_cu_launch const *launch, void *function, void **arguments, void **extra)
{
    tsr_relayout_form f;
    BEGIN
    if (extra || form_of((char const *)function, &f) != OK)
        return INVALID;
    unsigned char *const shared = (unsigned char *)aligned_alloc(16, 1 << 18);
    tsr_relayout const *const r = (tsr_relayout const *)arguments[0];
    for (int64_t b = 0; shared && b < launch->grid[0]; ++b)
        for (int phase = 0; phase < tsr_relayout_phases_(f); ++phase)
            for (int t = 0; t < TSR_RELAYOUT_THREADS; ++t) {
                if (f.kind == TSR_RELAYOUT_ELEMENTS)
                    tsr_relayout_element_(f, r, (tsr_tensor const *)arguments[1], (tsr_tensor const *)arguments[2],
                                          b * TSR_RELAYOUT_THREADS + t);
                else
                    tsr_relayout_phase_(f, r, *(uint64_t const *)arguments[1], *(uint64_t const *)arguments[2], b, t,
                                        shared, phase);
            }
    free(shared);
    return OK;
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

/* NCCL: what a group sends waits in a queue of its pair until the receiver's group asks for it */

typedef struct message {
    void *bytes;
    size_t n;
    struct message *next;
} message;

typedef struct comm {
    int rank, ranks, come;
    struct {
        void *to;
        size_t n;
        int peer;
    } wanted[MOST];
    int wanteds, blocking;
} comm;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static message *mail[MOST][MOST]; /* from, to */
static int met;
static _Thread_local comm *in_group;

static int fails(char const *name)
{
    return fake_gpus.failing && strcmp(fake_gpus.failing, name) == 0 ? REMOTE : OK;
}

/** Takes what has come. */
static int receive_some(comm *c)
{
    int left = 0;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < c->wanteds; ++i) {
        message *const m = mail[c->wanted[i].peer][c->rank];
        if (m && m->n == c->wanted[i].n && left == 0) {
            memcpy(c->wanted[i].to, m->bytes, m->n);
            mail[c->wanted[i].peer][c->rank] = m->next;
            free(m->bytes);
            free(m);
        } else {
            c->wanted[left++] = c->wanted[i];
        }
    }
    c->wanteds = left;
    pthread_mutex_unlock(&lock);
    if (left)
        (void)sched_yield();
    return left ? IN_PROGRESS : OK;
}

EXPORT int ncclGetVersion(int *version) { return *version = fake_gpus.version, OK; }
EXPORT char const *ncclGetErrorString(int error) { return error == REMOTE ? "remote error" : "another error"; }
EXPORT char const *ncclGetLastError(void *all) { return all ? "the cable is cut" : ""; }

EXPORT int ncclGetUniqueId(tsr_nccl_id *id)
{
    memset(id, 1, sizeof *id);
    met = 0;
    for (int i = 0; i < MOST * MOST; ++i)
        for (message **at = &mail[i / MOST][i % MOST]; *at;) {
            message *const m = *at;
            *at = m->next;
            free(m->bytes);
            free(m);
        }
    return fails(__func__);
}


EXPORT int ncclCommInitRankConfig(void **all, int ranks, tsr_nccl_id id, int rank, tsr_nccl_config *config)
{
    comm *const c = (comm *)calloc(1, sizeof *c);
    if (!c || id.bytes[0] != 1 || config->magic != 0xcafebeef || ranks > MOST)
        return free(c), INVALID;
    c->rank = rank;
    c->ranks = ranks;
    c->blocking = config->blocking;
    *all = c;
    pthread_mutex_lock(&lock);
    ++met;
    pthread_mutex_unlock(&lock);
    return fails(__func__) ? REMOTE : c->blocking ? OK : IN_PROGRESS;
}

EXPORT int ncclCommGetAsyncError(void *all, int *error)
{
    comm *const c = (comm *)all;
    pthread_mutex_lock(&lock);
    c->come = c->come || met >= c->ranks;
    pthread_mutex_unlock(&lock);
    *error = fails(__func__) ? REMOTE : !c->come ? IN_PROGRESS : receive_some(c);
    return OK;
}

EXPORT int ncclCommDestroy(void *all) { return free(all), OK; }
EXPORT int ncclCommAbort(void *all) { return ++fake_gpus.aborted, free(all), OK; }
EXPORT int ncclGroupStart(void) { return in_group = NULL, fails(__func__); }

EXPORT int ncclSend(void const *from, size_t count, int type, int peer, void *all, void *stream)
{
    comm *const c = (comm *)all;
    message *const m = (message *)calloc(1, sizeof *m);
    message **end = &mail[c->rank][peer];
    if (!m || type != 1 || !stream || fails(__func__))
        return free(m), REMOTE;
    m->bytes = malloc(count);
    m->n = count;
    memcpy(m->bytes, from, count);
    in_group = c;
    pthread_mutex_lock(&lock);
    while (*end)
        end = &(*end)->next;
    *end = m;
    fake_gpus.bytes += (long long)count;
    pthread_mutex_unlock(&lock);
    return OK;
}

EXPORT int ncclRecv(void *to, size_t count, int type, int peer, void *all, void *stream)
{
    comm *const c = (comm *)all;
    if (type != 1 || !stream || c->wanteds == MOST || fails(__func__))
        return REMOTE;
    in_group = c;
    c->wanted[c->wanteds].to = to;
    c->wanted[c->wanteds].n = count;
    c->wanted[c->wanteds++].peer = peer;
    return OK;
}

EXPORT int ncclGroupEnd(void)
{
    comm *const c = in_group;
    if (fails(__func__) || !c)
        return c ? REMOTE : OK;
    while (c->blocking && receive_some(c) != OK)
        ;
    return c->blocking ? OK : IN_PROGRESS;
}

/** A CUDA driver and an NVRTC that only keep the books: any function can be told to fail, memory is the host's, a
 *  kernel takes a pointer and an int, and code is the text that it was compiled from. Like the true ones, they refuse a
 *  call without a current context.
 *
 *  With FAKE_OLDER it is a driver before CUDA 12.4, which tells no parameters, and its kernels have no shared memory of
 *  their own: any kernel of the library can be launched on it, for programs that do not steer it. */
#include "fake.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/gpu/driver.h"

#define EXPORT __attribute__((visibility("default")))

#if defined(FAKE_OLDER)
enum { ASKED_DIFFERENTLY = 1 /* shared memory */ };
#else
enum { ASKED_DIFFERENTLY = -1 };
#endif

EXPORT fake_state fake = {
    .devices = 2, .major = 9, .attribute = ASKED_DIFFERENTLY, .clusters = 66, .version = 130, .strict = 1};

enum {
    OK = 0,
    INVALID_VALUE = 1,
    NO_MEMORY = 2,
    NO_CONTEXT = 201,
    NOT_FOUND = 500,
    NVRTC_FAILED = 6,
    CAPTURED = 900
};

/** Whether the next of what is counted is the one to spoil. */
static int is_next(int *count, int spoiled, char const *name)
{
    if (++*count != spoiled)
        return 0;
    fake.spoiled = name;
    return 1;
}

static int fails(char const *name)
{
    int const next = is_next(&fake.calls, fake.failing_call, name);
    return next || (fake.failing && strcmp(fake.failing, name) == 0) ? fake.code : OK;
}

/** A number that a function reports. */
static long long report_of(long long n, char const *name)
{
    return is_next(&fake.reports, fake.false_report, name) ? fake.reported : n;
}
#define REPORT(n) report_of((long long)(n), __func__)

/** Begins a function: the failure that was asked for, or a missing context. */
#define BEGIN                         \
  {                                   \
    int const code = fails(__func__); \
    if (code != OK)                   \
      return code;                    \
  }
#define BEGIN_IN_CONTEXT \
  BEGIN                  \
  if (fake.current == 0) \
    return NO_CONTEXT;

/** Makes a handle, and gives one back. */
static int made(int *count, void **handle, char const *name)
{
    *handle = NULL;
    if (is_next(&fake.handles, fake.no_handle, name))
        return OK;
    ++*count;
    *handle = malloc(1);
    return *handle ? OK : NO_MEMORY;
}

static int given_back(int *count, void *handle)
{
    --*count;
    free(handle);
    return OK;
}

EXPORT int cuInit(unsigned flags) { BEGIN return flags == 0 ? OK : INVALID_VALUE; }

EXPORT int cuGetErrorName(int error, char const **name)
{
    *name = error == NO_MEMORY ? "CUDA_ERROR_OUT_OF_MEMORY" : "CUDA_ERROR_FAKE";
    return error == 999 ? INVALID_VALUE : OK;
}

EXPORT int cuGetErrorString(int error, char const **text)
{
    *text = error == NO_MEMORY ? "out of memory" : "as it was told";
    return error == 999 ? INVALID_VALUE : OK;
}

/* Devices */

EXPORT int cuDeviceGetCount(int *count)
{
    BEGIN
    *count = (int)REPORT(fake.devices);
    return OK;
}

EXPORT int cuDeviceGet(int *device, int ordinal)
{
    BEGIN
    *device = 10 + ordinal;
    return OK;
}

EXPORT int cuDeviceGetName(char *name, int size, int device)
{
    BEGIN
    snprintf(name, (size_t)size, "fake %d", device);
    return OK;
}

EXPORT int cuDeviceTotalMem_v2(size_t *bytes, int device)
{
    (void)device;
    BEGIN
    *bytes = (size_t)REPORT(1 << 30);
    return OK;
}

EXPORT int cuDeviceGetAttribute(int *value, int attribute, int device)
{
    static int const known[][2] = {{75, 0}, {76, 0},         {16, 4},    {1, 1024},  {2, 1024},    {3, 1024},
                                   {4, 64}, {5, 2147483647}, {6, 65535}, {7, 65535}, {97, 232448}, {120, 1}};
    (void)device;
    BEGIN
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (known[i][0] == attribute)
            *value = attribute == 75 ? fake.major : attribute == 76 ? fake.minor : known[i][1];
    if (attribute == 120)
        *value = fake.major >= 9;
    if (attribute == fake.device_attribute)
        *value = fake.device_value;
    *value = (int)REPORT(*value);
    return OK;
}

EXPORT int cuDevicePrimaryCtxRetain(void **context, int device)
{
    (void)device;
    BEGIN
    ++fake.contexts;
    *context = is_next(&fake.handles, fake.no_handle, __func__) ? NULL : &fake;
    return OK;
}

EXPORT int cuDevicePrimaryCtxRelease_v2(int device)
{
    (void)device;
    --fake.contexts;
    BEGIN
    return OK;
}

EXPORT int cuCtxPushCurrent_v2(void *context)
{
    BEGIN
    ++fake.current;
    return context == &fake ? OK : NO_CONTEXT;
}

EXPORT int cuCtxPopCurrent_v2(void **context)
{
    --fake.current;
    *context = &fake;
    BEGIN
    return OK;
}

EXPORT int cuCtxGetCurrent(void **context)
{
    *context = fake.current > 0 ? (void *)&fake : NULL;
    return OK;
}

EXPORT int cuCtxSynchronize(void) { BEGIN_IN_CONTEXT return OK; }

EXPORT int cuDeviceCanAccessPeer(int *can, int device, int peer)
{
    BEGIN
    *can = (int)REPORT(device != peer);
    return OK;
}

EXPORT int cuCtxEnablePeerAccess(void *context, unsigned flags)
{
    BEGIN_IN_CONTEXT
    return context && flags == 0 ? OK : INVALID_VALUE;
}

#if defined(FAKE_OLDER) /* which programs find that capture */
EXPORT int cuStreamIsCapturing(void *stream, int *status)
{
    *status = fake.capturing;
    return stream ? OK : INVALID_VALUE;
}

EXPORT int cuThreadExchangeStreamCaptureMode(int *mode)
{
    int const before = fake.strict ? 0 : 2;
    fake.strict = *mode == 0;
    *mode = before;
    return OK;
}
#endif

/* Memory */

EXPORT int cuMemAlloc_v2(uint64_t *address, size_t bytes)
{
    BEGIN_IN_CONTEXT
    if (fake.capturing && fake.strict)
        return CAPTURED;
    if (bytes > (size_t)1 << 30)
        return NO_MEMORY;
    *address = 0;
    if (is_next(&fake.handles, fake.no_handle, __func__))
        return OK;
    void *const p = calloc(1, bytes);
    ++fake.memories;
    *address = (uint64_t)(uintptr_t)p;
    return p ? OK : NO_MEMORY;
}

EXPORT int cuMemFree_v2(uint64_t address)
{
    given_back(&fake.memories, (void *)(uintptr_t)address);
    BEGIN_IN_CONTEXT
    return OK;
}

static void move(void *to, void const *from, size_t bytes) { memcpy(to, from, bytes); }

EXPORT int cuMemcpyHtoD_v2(uint64_t to, void const *from, size_t bytes)
{
    BEGIN_IN_CONTEXT
    move((void *)(uintptr_t)to, from, bytes);
    return OK;
}

EXPORT int cuMemcpyDtoH_v2(void *to, uint64_t from, size_t bytes)
{
    BEGIN_IN_CONTEXT
    move(to, (void const *)(uintptr_t)from, bytes);
    return OK;
}

EXPORT int cuMemcpyHtoDAsync_v2(uint64_t to, void const *from, size_t bytes, void *stream)
{
    BEGIN_IN_CONTEXT
    move((void *)(uintptr_t)to, from, bytes);
    return stream ? OK : INVALID_VALUE;
}

EXPORT int cuMemcpyDtoHAsync_v2(void *to, uint64_t from, size_t bytes, void *stream)
{
    BEGIN_IN_CONTEXT
    move(to, (void const *)(uintptr_t)from, bytes);
    return stream ? OK : INVALID_VALUE;
}

EXPORT int cuMemcpyDtoDAsync_v2(uint64_t to, uint64_t from, size_t bytes, void *stream)
{
    (void)stream;
    BEGIN_IN_CONTEXT
    move((void *)(uintptr_t)to, (void const *)(uintptr_t)from, bytes);
    return OK;
}

EXPORT int cuMemcpy2DAsync_v2(tsr_cu_rows const *r, void *stream)
{
    (void)stream;
    BEGIN_IN_CONTEXT
    for (size_t i = 0; i < r->rows; ++i)
        move((void *)(uintptr_t)(r->to.device + i * r->to.pitch),
             (void const *)(uintptr_t)(r->from.device + i * r->from.pitch), r->bytes);
    return r->from.kind == 2 && r->to.kind == 2 ? OK : INVALID_VALUE;
}

EXPORT int cuMemsetD8Async(uint64_t to, unsigned char byte, size_t bytes, void *stream)
{
    (void)stream;
    BEGIN_IN_CONTEXT
    memset((void *)(uintptr_t)to, byte, bytes);
    return OK;
}

/* Streams and events */

EXPORT int cuStreamCreate(void **stream, unsigned flags)
{
    BEGIN_IN_CONTEXT
    return flags == 1 ? made(&fake.streams, stream, __func__) : INVALID_VALUE;
}

EXPORT int cuStreamDestroy_v2(void *stream)
{
    given_back(&fake.streams, stream);
    BEGIN_IN_CONTEXT
    return OK;
}

EXPORT int cuStreamSynchronize(void *stream)
{
    (void)stream;
    BEGIN_IN_CONTEXT
    return OK;
}

EXPORT int cuStreamWaitEvent(void *stream, void *event, unsigned flags)
{
    BEGIN_IN_CONTEXT
    return stream && event && flags == 0 ? OK : INVALID_VALUE;
}

EXPORT int cuEventCreate(void **event, unsigned flags)
{
    BEGIN_IN_CONTEXT
    return flags == 0 ? made(&fake.events, event, __func__) : INVALID_VALUE;
}

EXPORT int cuEventDestroy_v2(void *event)
{
    given_back(&fake.events, event);
    BEGIN_IN_CONTEXT
    return OK;
}

EXPORT int cuEventRecord(void *event, void *stream)
{
    (void)stream;
    BEGIN_IN_CONTEXT
    return event ? OK : INVALID_VALUE;
}

EXPORT int cuEventSynchronize(void *event)
{
    BEGIN_IN_CONTEXT
    return event ? OK : INVALID_VALUE;
}

EXPORT int cuEventQuery(void *event)
{
    BEGIN_IN_CONTEXT
    return event ? OK : INVALID_VALUE;
}

EXPORT int cuEventElapsedTime(float *milliseconds, void *from, void *to)
{
    BEGIN_IN_CONTEXT
    *milliseconds = 0.5f;
    return from && to ? OK : INVALID_VALUE;
}

/* Modules and kernels */

EXPORT int cuModuleLoadData(void **module, void const *image)
{
    BEGIN_IN_CONTEXT
    if (fake.capturing && fake.strict)
        return CAPTURED;
    return image ? made(&fake.modules, module, __func__) : INVALID_VALUE;
}

EXPORT int cuModuleUnload(void *module)
{
    given_back(&fake.modules, module);
    BEGIN_IN_CONTEXT
    return OK;
}

EXPORT int cuModuleGetFunction(void **function, void *module, char const *name)
{
    BEGIN_IN_CONTEXT
    *function = is_next(&fake.handles, fake.no_handle, __func__) ? NULL : module;
    return strcmp(name, "none") == 0 ? NOT_FOUND : OK;
}

EXPORT int cuModuleGetGlobal_v2(uint64_t *address, size_t *bytes, void *module, char const *name)
{
    static char variable[16];
    BEGIN_IN_CONTEXT(void) module;
    *address = is_next(&fake.handles, fake.no_handle, __func__) ? 0 : (uint64_t)(uintptr_t)variable;
    *bytes = (size_t)REPORT(sizeof variable);
    return strcmp(name, "none") == 0 ? NOT_FOUND : OK;
}

EXPORT int cuFuncGetAttribute(int *value, int attribute, void *function)
{
    BEGIN_IN_CONTEXT(void) function;
    *value = attribute == 0 ? 512 : attribute == 1 ? 1024 : attribute == 4 ? 128 : 0;
    if (attribute == fake.attribute)
        *value = fake.value;
    *value = (int)REPORT(*value);
    return OK;
}

EXPORT int cuFuncSetAttribute(void *function, int attribute, int value)
{
    BEGIN_IN_CONTEXT(void) function;
    return attribute == 8 || (attribute == 14 && value == 1) ? OK : INVALID_VALUE;
}

#if !defined(FAKE_OLDER)
EXPORT int cuFuncGetParamInfo(void *function, size_t index, size_t *offset, size_t *bytes)
{
    BEGIN_IN_CONTEXT(void) function;
    *offset = 8 * index;
    *bytes = index == 0 ? 8 : 4;
    if (fake.parameter[0] > 0)
        *bytes = fake.parameter[index % 4];
    *bytes = (size_t)REPORT(*bytes);
    size_t const count = fake.parameter[3] > 0 ? 4 : fake.parameter[0] > 0 ? 3 : 2;
    return index < count ? OK : INVALID_VALUE;
}
#endif

static void note(tsr_cu_launch const *launch)
{
    memcpy(fake.grid, launch->grid, sizeof fake.grid);
    memcpy(fake.block, launch->block, sizeof fake.block);
    memset(fake.cluster, 0, sizeof fake.cluster);
    for (unsigned i = 0; i < launch->count; ++i)
        if (launch->attributes[i].id == 4)
            memcpy(fake.cluster, launch->attributes[i].value.cluster, sizeof fake.cluster);
    fake.early = 0;
    for (unsigned i = 0; i < launch->count; ++i)
        if (launch->attributes[i].id == 6)
            fake.early += (unsigned)launch->attributes[i].value.early;
    fake.shared = launch->shared;
}

EXPORT int cuOccupancyMaxActiveClusters(int *clusters, void *function, tsr_cu_launch const *launch)
{
    BEGIN_IN_CONTEXT(void) function;
    *clusters = (int)REPORT(fake.clusters);
    note(launch);
    return fake.cluster[0] > 0 ? OK : INVALID_VALUE;
}

EXPORT int cuLaunchKernelEx(tsr_cu_launch const *launch, void *function, void **arguments, void **extra)
{
    BEGIN_IN_CONTEXT
    note(launch);
    ++fake.launches;
    if (arguments[0] && arguments[1]) /* our side ends the list */
        memcpy(&fake.argument, arguments[1], sizeof fake.argument);
    return function && !extra ? OK : INVALID_VALUE;
}

EXPORT int cuTensorMapEncodeTiled(void *map, int format, uint32_t rank, void *address, uint64_t const *dim,
                                  uint64_t const *stride, uint32_t const *box, uint32_t const *step, int interleave,
                                  int swizzle, int l2, int fill)
{
    (void)format, (void)rank, (void)address, (void)dim, (void)stride, (void)box, (void)step;
    (void)interleave, (void)swizzle, (void)l2, (void)fill;
    BEGIN_IN_CONTEXT
    memset(map, 1, 128);
    return OK;
}

EXPORT int cuTensorMapReplaceAddress(void *map, void *address)
{
    BEGIN_IN_CONTEXT
    memcpy(map, &address, sizeof address);
    return OK;
}

EXPORT int cuTensorMapEncodeIm2col(void *map, int format, uint32_t rank, void *address, uint64_t const *dim,
                                   uint64_t const *stride, int const *lower, int const *upper, uint32_t channels,
                                   uint32_t pixels, uint32_t const *step, int interleave, int swizzle, int l2,
                                   int fill)
{
    (void)format, (void)rank, (void)address, (void)dim, (void)stride, (void)lower, (void)upper, (void)channels;
    (void)pixels, (void)step, (void)interleave, (void)swizzle, (void)l2, (void)fill;
    BEGIN_IN_CONTEXT
    memset(map, 2, 128);
    return OK;
}

#include "fake_nvrtc.inc"

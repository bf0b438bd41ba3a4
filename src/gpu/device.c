/** Devices, streams and events. */
#include "gpu/call.h"

#include <stdio.h>

/** CUDA_ERROR_NOT_READY, CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED, CU_EVENT_DISABLE_TIMING. */
enum { MOST_DEVICES = 4096, NOT_READY = 600, REACHED_ALREADY = 704, NO_TIMES = 2 };

tsr_gpu_result tsr_gpu_count(tsr_gpu const *gpu, int *count)
{
    int reported = 0;
    tsr_gpu_result r = DRIVER(gpu, cuDeviceGetCount, (&reported));
    if (tsr_gpu_ok(r))
        r = tsr_gpu_within_("cuDeviceGetCount", "devices", reported, 0, MOST_DEVICES);
    *count = tsr_gpu_ok(r) ? reported : 0;
    return r;
}

/** Code for one architecture runs there alone, and may use all that it has: from compute capability 9.0 on this needs
 *  an `a` behind the number. */
static void name_arch(tsr_gpu_device *d)
{
    snprintf(d->arch, sizeof d->arch, "sm_%d%d%s", d->major, d->minor, d->major >= 9 ? "a" : "");
}

tsr_gpu_result tsr_gpu_describe(tsr_gpu const *gpu, int ordinal, tsr_gpu_device *device)
{
    int count = 0;
    tsr_gpu_device d;
    memset(device, 0, sizeof *device);
    memset(&d, 0, sizeof d);
    tsr_gpu_result r = tsr_gpu_count(gpu, &count);
    if (tsr_gpu_ok(r) && (ordinal < 0 || ordinal >= count))
        r = tsr_gpu_refuse_(TSR_GPU_NO_DEVICE, ordinal, count, 0);
    d.gpu = gpu;
    d.ordinal = ordinal;
    if (tsr_gpu_ok(r))
        r = DRIVER(gpu, cuDeviceGet, (&d.handle, ordinal));
    if (tsr_gpu_ok(r))
        r = DRIVER(gpu, cuDeviceGetName, (d.name, (int)sizeof d.name, d.handle));
    if (tsr_gpu_ok(r))
        r = DRIVER(gpu, cuDeviceTotalMem, (&d.memory, d.handle));
    if (tsr_gpu_ok(r))
        r = tsr_gpu_within_("cuDeviceTotalMem", "bytes of memory", tsr_gpu_shown_(d.memory), 1, GPU_MOST_MEMORY);
#define X(field, number, least, most)                                    \
  if (tsr_gpu_ok(r))                                                     \
    r = DRIVER(gpu, cuDeviceGetAttribute, (&d.field, number, d.handle)); \
  if (tsr_gpu_ok(r))                                                     \
    r = tsr_gpu_within_("cuDeviceGetAttribute", #field, d.field, least, most);
    TSR_GPU_LIMIT_LIST(X)
#undef X
    if (tsr_gpu_ok(r)) {
        d.name[sizeof d.name - 1] = 0;
        name_arch(&d);
        *device = d;
    }
    return r;
}

tsr_gpu_result tsr_gpu_open(tsr_gpu const *gpu, int ordinal, tsr_gpu_device *device)
{
    tsr_gpu_result r = tsr_gpu_describe(gpu, ordinal, device);
    if (tsr_gpu_ok(r)) {
        r = DRIVER(gpu, cuDevicePrimaryCtxRetain, (&device->context, device->handle));
        r = tsr_gpu_given_(r, "cuDevicePrimaryCtxRetain", &device->context);
        if (r.status == TSR_GPU_NOTHING) /* it counts all the same */
            (void)DRIVER(gpu, cuDevicePrimaryCtxRelease, (device->handle));
    }
    if (!tsr_gpu_ok(r))
        memset(device, 0, sizeof *device);
    return r;
}

tsr_gpu_result tsr_gpu_close(tsr_gpu_device *device)
{
    tsr_gpu_result r = tsr_gpu_fine_();
    if (device->context)
        r = DRIVER(device->gpu, cuDevicePrimaryCtxRelease, (device->handle));
    memset(device, 0, sizeof *device);
    return r;
}

tsr_gpu_result tsr_gpu_wait(tsr_gpu_device const *device)
{
    tsr_gpu_result const r = tsr_gpu_enter_(device);
    return tsr_gpu_ok(r) ? tsr_gpu_leave_(device, DRIVER(device->gpu, cuCtxSynchronize, ())) : r;
}

tsr_gpu_result tsr_gpu_reach(tsr_gpu_device const *device, tsr_gpu_device const *other)
{
    int can = 0;
    tsr_gpu_result r = tsr_gpu_usable_(device);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_usable_(other);
    if (!tsr_gpu_ok(r) || device->context == other->context)
        return r;
    r = DRIVER(device->gpu, cuDeviceCanAccessPeer, (&can, device->handle, other->handle));
    if (tsr_gpu_ok(r))
        r = tsr_gpu_within_("cuDeviceCanAccessPeer", "access", can, 0, 1);
    if (tsr_gpu_ok(r) && !can)
        r = tsr_gpu_refuse_(TSR_GPU_NO_PEER, device->ordinal, other->ordinal, 0);
    if (!tsr_gpu_ok(r) || !tsr_gpu_ok(r = tsr_gpu_enter_(device)))
        return r;
    int const code = device->gpu->cuCtxEnablePeerAccess(other->context, 0);
    r = tsr_gpu_driver_result_(device->gpu, "cuCtxEnablePeerAccess", code == REACHED_ALREADY ? 0 : code);
    return tsr_gpu_leave_(device, r);
}

/* Streams */

tsr_gpu_result tsr_gpu_stream_make(tsr_gpu_device const *device, tsr_gpu_stream *stream)
{
    tsr_gpu_result r = tsr_gpu_enter_(device);
    memset(stream, 0, sizeof *stream);
    stream->device = device;
    if (tsr_gpu_ok(r)) {
        r = DRIVER(device->gpu, cuStreamCreate, (&stream->handle, 1)); /* CU_STREAM_NON_BLOCKING */
        r = tsr_gpu_leave_(device, tsr_gpu_given_(r, "cuStreamCreate", &stream->handle));
    }
    if (!tsr_gpu_ok(r))
        (void)tsr_gpu_stream_free(stream);
    return r;
}

tsr_gpu_result tsr_gpu_stream_adopt(tsr_gpu_device const *device, void *handle, tsr_gpu_stream *stream)
{
    tsr_gpu_result const r = tsr_gpu_usable_(device);
    stream->device = tsr_gpu_ok(r) ? device : NULL;
    stream->handle = tsr_gpu_ok(r) ? (handle ? handle : (void *)(uintptr_t)1) : NULL; /* CU_STREAM_LEGACY */
    return r;
}

tsr_gpu_result tsr_gpu_stream_wait(tsr_gpu_stream const *stream)
{
    tsr_gpu_device const *const d = stream->device;
    tsr_gpu_result const r = tsr_gpu_enter_with_(d, stream->handle, "stream");
    return tsr_gpu_ok(r) ? tsr_gpu_leave_(d, DRIVER(d->gpu, cuStreamSynchronize, (stream->handle))) : r;
}

tsr_gpu_result tsr_gpu_stream_after(tsr_gpu_stream const *stream, tsr_gpu_event const *event)
{
    tsr_gpu_device const *const d = stream->device;
    if (!event->handle)
        return tsr_gpu_not_there_("event");
    tsr_gpu_result const r = tsr_gpu_enter_with_(d, stream->handle, "stream");
    return tsr_gpu_ok(r) ? tsr_gpu_leave_(d, DRIVER(d->gpu, cuStreamWaitEvent, (stream->handle, event->handle, 0)))
                         : r;
}

tsr_gpu_result tsr_gpu_stream_free(tsr_gpu_stream *stream)
{
    tsr_gpu_device const *const d = stream->device;
    tsr_gpu_result r = tsr_gpu_fine_();
    if (stream->handle && !tsr_gpu_ok(r = tsr_gpu_enter_(d)))
        return r;
    if (stream->handle)
        r = tsr_gpu_leave_(d, DRIVER(d->gpu, cuStreamDestroy, (stream->handle)));
    memset(stream, 0, sizeof *stream);
    return r;
}

/* Events */

static tsr_gpu_result make_event(tsr_gpu_device const *device, unsigned flags, tsr_gpu_event *event)
{
    tsr_gpu_result r = tsr_gpu_enter_(device);
    memset(event, 0, sizeof *event);
    event->device = device;
    if (tsr_gpu_ok(r)) {
        r = DRIVER(device->gpu, cuEventCreate, (&event->handle, flags));
        r = tsr_gpu_leave_(device, tsr_gpu_given_(r, "cuEventCreate", &event->handle));
    }
    if (!tsr_gpu_ok(r))
        (void)tsr_gpu_event_free(event);
    return r;
}

tsr_gpu_result tsr_gpu_event_make(tsr_gpu_device const *device, tsr_gpu_event *event)
{
    return make_event(device, 0, event);
}

tsr_gpu_result tsr_gpu_mark_make_(tsr_gpu_device const *device, tsr_gpu_event *event)
{
    return make_event(device, NO_TIMES, event);
}

tsr_gpu_result tsr_gpu_event_record(tsr_gpu_event const *event, tsr_gpu_stream const *stream)
{
    tsr_gpu_device const *const d = event->device;
    if (stream && !stream->handle)
        return tsr_gpu_not_there_("stream");
    tsr_gpu_result const r = tsr_gpu_enter_with_(d, event->handle, "event");
    void *const in = stream ? stream->handle : NULL;
    return tsr_gpu_ok(r) ? tsr_gpu_leave_(d, DRIVER(d->gpu, cuEventRecord, (event->handle, in))) : r;
}

tsr_gpu_result tsr_gpu_event_wait(tsr_gpu_event const *event)
{
    tsr_gpu_device const *const d = event->device;
    tsr_gpu_result const r = tsr_gpu_enter_with_(d, event->handle, "event");
    return tsr_gpu_ok(r) ? tsr_gpu_leave_(d, DRIVER(d->gpu, cuEventSynchronize, (event->handle))) : r;
}

tsr_gpu_result tsr_gpu_event_come(tsr_gpu_event const *event, bool *come)
{
    tsr_gpu_device const *const d = event->device;
    tsr_gpu_result const r = tsr_gpu_enter_with_(d, event->handle, "event");
    *come = false;
    if (!tsr_gpu_ok(r))
        return r;
    int const code = d->gpu->cuEventQuery(event->handle);
    *come = code == 0;
    return tsr_gpu_leave_(d, tsr_gpu_driver_result_(d->gpu, "cuEventQuery", code == NOT_READY ? 0 : code));
}

tsr_gpu_result tsr_gpu_event_elapsed(tsr_gpu_event const *from, tsr_gpu_event const *to, float *milliseconds)
{
    tsr_gpu_device const *const d = from->device;
    *milliseconds = 0;
    if (!to->handle)
        return tsr_gpu_not_there_("event");
    tsr_gpu_result const r = tsr_gpu_enter_with_(d, from->handle, "event");
    return tsr_gpu_ok(r)
               ? tsr_gpu_leave_(d, DRIVER(d->gpu, cuEventElapsedTime, (milliseconds, from->handle, to->handle)))
               : r;
}

tsr_gpu_result tsr_gpu_event_free(tsr_gpu_event *event)
{
    tsr_gpu_device const *const d = event->device;
    tsr_gpu_result r = tsr_gpu_fine_();
    if (event->handle && !tsr_gpu_ok(r = tsr_gpu_enter_(d)))
        return r;
    if (event->handle)
        r = tsr_gpu_leave_(d, DRIVER(d->gpu, cuEventDestroy, (event->handle)));
    memset(event, 0, sizeof *event);
    return r;
}

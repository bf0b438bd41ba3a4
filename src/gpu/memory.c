/** Memory of a device, and tensor maps of it. */
#include "tma/driver.h"
#include "gpu/call.h"

tsr_gpu_result tsr_gpu_alloc(tsr_gpu_device const *device, size_t bytes, tsr_gpu_memory *memory)
{
    memset(memory, 0, sizeof *memory);
    if (bytes == 0)
        return tsr_gpu_refuse_(TSR_GPU_EMPTY, 0, 0, 0);
    tsr_gpu_result r = tsr_gpu_enter_(device);
    memory->device = device;
    if (!tsr_gpu_ok(r))
        return r;
    uint64_t address = 0;
    r = DRIVER(device->gpu, cuMemAlloc, (&address, bytes));
    if (tsr_gpu_ok(r))
        r = tsr_gpu_within_("cuMemAlloc", "the address", tsr_gpu_shown_(address), 1,
                            INT64_MAX - tsr_gpu_shown_(bytes));
    if (tsr_gpu_ok(r)) {
        memory->address = address;
        memory->bytes = bytes;
    }
    r = tsr_gpu_leave_(device, r);
    if (!tsr_gpu_ok(r))
        (void)tsr_gpu_free(memory);
    return r;
}

tsr_gpu_result tsr_gpu_adopt(tsr_gpu_device const *device, uint64_t address, size_t bytes, tsr_gpu_memory *memory)
{
    memset(memory, 0, sizeof *memory);
    tsr_gpu_result const r = tsr_gpu_usable_(device);
    if (!tsr_gpu_ok(r))
        return r;
    if (address == 0)
        return tsr_gpu_not_there_("memory");
    if (bytes == 0)
        return tsr_gpu_refuse_(TSR_GPU_EMPTY, 0, 0, 0);
    if (address > INT64_MAX || bytes > INT64_MAX - address)
        return tsr_gpu_refuse_(TSR_GPU_OUTSIDE, tsr_gpu_shown_(address), tsr_gpu_shown_(bytes), INT64_MAX);
    *memory = (tsr_gpu_memory){device, address, bytes, true};
    return r;
}

tsr_gpu_result tsr_gpu_free(tsr_gpu_memory *memory)
{
    tsr_gpu_device const *const d = memory->device;
    tsr_gpu_result r = tsr_gpu_fine_();
    if (memory->adopted)
        memset(memory, 0, sizeof *memory);
    if (memory->address && !tsr_gpu_ok(r = tsr_gpu_enter_(d)))
        return r;
    if (memory->address)
        r = tsr_gpu_leave_(d, DRIVER(d->gpu, cuMemFree, (memory->address)));
    memset(memory, 0, sizeof *memory);
    return r;
}

/** Whether bytes lie inside of the memory. */
static tsr_gpu_result check_range(tsr_gpu_memory const *memory, size_t at, size_t bytes, tsr_gpu_stream const *stream)
{
    if (!memory->address)
        return tsr_gpu_not_there_("memory");
    if (stream && !stream->handle)
        return tsr_gpu_not_there_("stream");
    if (at > memory->bytes || bytes > memory->bytes - at)
        return tsr_gpu_refuse_(TSR_GPU_OUTSIDE, tsr_gpu_shown_(at), tsr_gpu_shown_(bytes),
                               tsr_gpu_shown_(memory->bytes));
    return tsr_gpu_fine_();
}

/** Makes the context current for bytes that lie inside of the memory. */
static tsr_gpu_result enter_range(tsr_gpu_memory const *memory, size_t at, size_t bytes, tsr_gpu_stream const *stream)
{
    tsr_gpu_result const r = check_range(memory, at, bytes, stream);
    return tsr_gpu_ok(r) ? tsr_gpu_enter_(memory->device) : r;
}

tsr_gpu_result tsr_gpu_write(tsr_gpu_memory const *to, size_t at, void const *from, size_t bytes,
                             tsr_gpu_stream const *stream)
{
    tsr_gpu_result r = enter_range(to, at, bytes, stream);
    if (!tsr_gpu_ok(r))
        return r;
    tsr_gpu const *const gpu = to->device->gpu;
    if (stream)
        r = DRIVER(gpu, cuMemcpyHtoDAsync, (to->address + at, from, bytes, stream->handle));
    else
        r = DRIVER(gpu, cuMemcpyHtoD, (to->address + at, from, bytes));
    if (!stream && tsr_gpu_ok(r)) /* the driver returns when bytes are staged; our streams do not wait for its own */
        r = DRIVER(gpu, cuStreamSynchronize, (NULL));
    return tsr_gpu_leave_(to->device, r);
}

tsr_gpu_result tsr_gpu_read(tsr_gpu_memory const *from, size_t at, void *to, size_t bytes,
                            tsr_gpu_stream const *stream)
{
    tsr_gpu_result r = enter_range(from, at, bytes, stream);
    if (!tsr_gpu_ok(r))
        return r;
    tsr_gpu const *const gpu = from->device->gpu;
    if (stream)
        r = DRIVER(gpu, cuMemcpyDtoHAsync, (to, from->address + at, bytes, stream->handle));
    else
        r = DRIVER(gpu, cuMemcpyDtoH, (to, from->address + at, bytes));
    return tsr_gpu_leave_(from->device, r);
}

tsr_gpu_result tsr_gpu_move(tsr_gpu_memory const *to, size_t at, tsr_gpu_memory const *from, size_t from_at,
                            size_t bytes, tsr_gpu_stream const *stream)
{
    uint64_t const q = to->address + at, p = from->address + from_at;
    tsr_gpu_result r = check_range(from, from_at, bytes, stream);
    if (tsr_gpu_ok(r))
        r = check_range(to, at, bytes, stream);
    if (tsr_gpu_ok(r) && (q - p < bytes || p - q < bytes))
        r = tsr_gpu_refuse_(TSR_GPU_OVERLAP, tsr_gpu_shown_(from_at), tsr_gpu_shown_(at), tsr_gpu_shown_(bytes));
    if (!tsr_gpu_ok(r) || !tsr_gpu_ok(r = tsr_gpu_enter_(to->device)))
        return r;
    return tsr_gpu_leave_(to->device,
                          DRIVER(to->device->gpu, cuMemcpyDtoDAsync, (q, p, bytes, stream ? stream->handle : NULL)));
}

tsr_gpu_result tsr_gpu_move_rows(tsr_gpu_device const *device, uint64_t to, size_t to_pitch, uint64_t from,
                                 size_t from_pitch, size_t bytes, size_t rows, tsr_gpu_stream const *stream)
{
    enum { DEVICE = 2 };
    size_t const least = to_pitch < from_pitch ? to_pitch : from_pitch;
    if (stream && !stream->handle)
        return tsr_gpu_not_there_("stream");
    if (bytes > least)
        return tsr_gpu_refuse_(TSR_GPU_OVERLAP, 0, tsr_gpu_shown_(least), tsr_gpu_shown_(bytes));
    tsr_cu_rows const r = {
        {0, 0, DEVICE, NULL, from, NULL, from_pitch}, {0, 0, DEVICE, NULL, to, NULL, to_pitch}, bytes, rows};
    tsr_gpu_result const entered = tsr_gpu_enter_(device);
    if (!tsr_gpu_ok(entered))
        return entered;
    return tsr_gpu_leave_(device, DRIVER(device->gpu, cuMemcpy2DAsync, (&r, stream ? stream->handle : NULL)));
}

tsr_gpu_result tsr_gpu_fill(tsr_gpu_memory const *to, size_t at, unsigned char byte, size_t bytes,
                            tsr_gpu_stream const *stream)
{
    tsr_gpu_result r = enter_range(to, at, bytes, stream);
    if (!tsr_gpu_ok(r))
        return r;
    tsr_gpu const *const gpu = to->device->gpu;
    r = DRIVER(gpu, cuMemsetD8Async, (to->address + at, byte, bytes, stream ? stream->handle : NULL));
    if (tsr_gpu_ok(r) && !stream)
        r = DRIVER(gpu, cuStreamSynchronize, (NULL));
    return tsr_gpu_leave_(to->device, r);
}

tsr_reason tsr_gpu_tma_encode(tsr_gpu_device const *device, tsr_tma_desc const *d, uint64_t address, tsr_tma_map *map)
{
    void *function = NULL;
    tsr_gpu_result const r = tsr_gpu_enter_(device);
    if (tsr_gpu_ok(r) && d->im2col)
        memcpy(&function, &device->gpu->cuTensorMapEncodeIm2col, sizeof function);
    else if (tsr_gpu_ok(r))
        memcpy(&function, &device->gpu->cuTensorMapEncodeTiled, sizeof function);
    tsr_reason const encoded = tsr_tma_encode_with_(function, d, address, map);
    tsr_gpu_result const left = tsr_gpu_ok(r) ? tsr_gpu_leave_(device, r) : r;
    if (!tsr_gpu_ok(r) || tsr_gpu_ok(left))
        return encoded;
    return encoded.status ? encoded : tsr_because(TSR_TMA_ENCODE, 0, left.code, 0, 0);
}

/** Devices, their memory, streams and events.
 *
 *  Law     reading gives the bytes that were written. The work of one stream is done in order. A stream that waits for
 *          an event goes on after all work before that event in the other stream.
 *  Units   bytes, and milliseconds.
 *  A stream of NULL is the device's own: calls that copy then wait until it is done.
 */
#ifndef TSR_GPU_DEVICE_H
#define TSR_GPU_DEVICE_H

#include "tessera/exec/tma.h"
#include "tessera/gpu/driver.h"

TSR_HEADER_BEGIN

/* clang-format off */
/** X(field, number, least, most): a limit of a device, by its CUdevice_attribute. A driver that reports a number
 *  outside least to most is refused. */
#define TSR_GPU_LIMIT_LIST(X)                                                                                  \
    X(major, 75, 1, 99)                                                                                        \
    X(minor, 76, 0, 9)                                                                                         \
    X(processors, 16, 1, 65536)                                                                                \
    X(threads, 1, 32, 65536)                                                                                   \
    X(block_x, 2, 1, 65536)                                                                                    \
    X(block_y, 3, 1, 65536)                                                                                    \
    X(block_z, 4, 1, 65536)                                                                                    \
    X(grid_x, 5, 1, 2147483647)                                                                                \
    X(grid_y, 6, 1, 2147483647)                                                                                \
    X(grid_z, 7, 1, 2147483647)                                                                                \
    X(shared, 97, 1, 1 << 24)                                                                                  \
    X(clusters, 120, 0, 1)
/* clang-format on */

/** A device. With a context (tsr_gpu_open) it can be used. */
typedef struct tsr_gpu_device {
    tsr_gpu const *gpu;
    int ordinal, handle;
    void *context; /* the primary one, retained */
    size_t memory; /* bytes in all */
#define TSR_X_(field, number, least, most) int field;
    TSR_GPU_LIMIT_LIST(TSR_X_)
#undef TSR_X_
    char name[128], arch[16]; /* arch: what NVRTC compiles for, "sm_90a" */
} tsr_gpu_device;

/** Sets *count to the number of devices. Errors: NO_DRIVER, REPORTED; then it is 0. */
TSR_API tsr_gpu_result tsr_gpu_count(tsr_gpu const *gpu, int *count);

/** What the device is and can. Errors: NO_DRIVER, NO_DEVICE, REPORTED. */
TSR_API tsr_gpu_result tsr_gpu_describe(tsr_gpu const *gpu, int ordinal, tsr_gpu_device *device);

/** The same, and its primary context is retained until tsr_gpu_close. */
TSR_API tsr_gpu_result tsr_gpu_open(tsr_gpu const *gpu, int ordinal, tsr_gpu_device *device);
TSR_API tsr_gpu_result tsr_gpu_close(tsr_gpu_device *device);

/** Waits until all work of the device is done, and gives the error of what failed on the way. */
TSR_API tsr_gpu_result tsr_gpu_wait(tsr_gpu_device const *device);

/** Kernels and copies of the device may use the memory of another one from now on, over NVLink or PCIe.
 *  Errors  NO_PEER. */
TSR_API tsr_gpu_result tsr_gpu_reach(tsr_gpu_device const *device, tsr_gpu_device const *other);

/* Streams and events */

typedef struct tsr_gpu_stream {
    tsr_gpu_device const *device;
    void *handle;
} tsr_gpu_stream;

/** A stream beside all others, the device's own one included. */
TSR_API tsr_gpu_result tsr_gpu_stream_make(tsr_gpu_device const *device, tsr_gpu_stream *stream);
TSR_API tsr_gpu_result tsr_gpu_stream_wait(tsr_gpu_stream const *stream);
TSR_API tsr_gpu_result tsr_gpu_stream_free(tsr_gpu_stream *stream);

typedef struct tsr_gpu_event {
    tsr_gpu_device const *device;
    void *handle;
} tsr_gpu_event;

TSR_API tsr_gpu_result tsr_gpu_event_make(tsr_gpu_device const *device, tsr_gpu_event *event);
TSR_API tsr_gpu_result tsr_gpu_event_record(tsr_gpu_event const *event, tsr_gpu_stream const *stream);
TSR_API tsr_gpu_result tsr_gpu_event_wait(tsr_gpu_event const *event);

/** Sets *come: is the work before the event done? It does not wait. */
TSR_API tsr_gpu_result tsr_gpu_event_come(tsr_gpu_event const *event, bool *come);
TSR_API tsr_gpu_result tsr_gpu_event_elapsed(tsr_gpu_event const *from, tsr_gpu_event const *to, float *milliseconds);
TSR_API tsr_gpu_result tsr_gpu_event_free(tsr_gpu_event *event);

/** A stream of somebody else: of PyTorch, CuPy, cudaStreamCreate. The handle 0 is CUDA's default stream. It is not
 *  given to tsr_gpu_stream_free: whoever made it gives it back.
 *
 *      tsr_gpu_stream_adopt(&device, torch_stream, &stream);      then tsr_gpu_run and all others take &stream
 *  Errors  NOT_THERE for a device that is not open. */
TSR_API tsr_gpu_result tsr_gpu_stream_adopt(tsr_gpu_device const *device, void *handle, tsr_gpu_stream *stream);

/** What comes into the stream from now on begins after the event. */
TSR_API tsr_gpu_result tsr_gpu_stream_after(tsr_gpu_stream const *stream, tsr_gpu_event const *event);

/* Memory */

typedef struct tsr_gpu_memory {
    tsr_gpu_device const *device;
    uint64_t address; /* aligned to 256, where it is our own */
    size_t bytes;
    bool adopted; /* somebody else gives it back */
} tsr_gpu_memory;

/** Errors  EMPTY: no bytes; CALL: CUDA_ERROR_OUT_OF_MEMORY. */
TSR_API tsr_gpu_result tsr_gpu_alloc(tsr_gpu_device const *device, size_t bytes, tsr_gpu_memory *memory);
TSR_API tsr_gpu_result tsr_gpu_free(tsr_gpu_memory *memory);

/** Memory of the device that somebody else has: of PyTorch, CuPy, cudaMalloc. tsr_gpu_free forgets it.
 *
 *      tsr_gpu_adopt(&device, address, bytes, &memory);      then tsr_gpu_write, tsr_gpu_tensor_at and all others
 *  Errors  NOT_THERE for a device that is not open, or the address 0; EMPTY: no bytes; OUTSIDE: they end behind the
 *          last address. Whether they are the device's, the driver finds out when they are used. */
TSR_API tsr_gpu_result tsr_gpu_adopt(tsr_gpu_device const *device, uint64_t address, size_t bytes,
                                     tsr_gpu_memory *memory);

/** Copies `bytes` bytes to `at` bytes behind the beginning of the memory, or from there. With a stream the call may
 *  return before the bytes are moved: those of the host must stay until the stream is waited for.
 *  Errors  OUTSIDE, before the driver is asked. */
TSR_API tsr_gpu_result tsr_gpu_write(tsr_gpu_memory const *to, size_t at, void const *from, size_t bytes,
                                     tsr_gpu_stream const *stream);
TSR_API tsr_gpu_result tsr_gpu_read(tsr_gpu_memory const *from, size_t at, void *to, size_t bytes,
                                    tsr_gpu_stream const *stream);
TSR_API tsr_gpu_result tsr_gpu_fill(tsr_gpu_memory const *to, size_t at, unsigned char byte, size_t bytes,
                                    tsr_gpu_stream const *stream);

/** Copies bytes from one place of the device's memory to another, and does not wait. The stream NULL is the device's
 *  own.
 *  Errors  OUTSIDE; OVERLAP: of one memory, bytes that overlap. */
TSR_API tsr_gpu_result tsr_gpu_move(tsr_gpu_memory const *to, size_t at, tsr_gpu_memory const *from, size_t from_at,
                                    size_t bytes, tsr_gpu_stream const *stream);

/** Copies `rows` rows of bytes, whose beginnings are `to_pitch` and `from_pitch` bytes apart, by the device's copy
 *  engines; either memory may be another device's (tsr_gpu_reach). It does not wait.
 *  Errors  OVERLAP: rows that begin before the one in front of them has ended. Bounds are the caller's. */
TSR_API tsr_gpu_result tsr_gpu_move_rows(tsr_gpu_device const *device, uint64_t to, size_t to_pitch, uint64_t from,
                                         size_t from_pitch, size_t bytes, size_t rows, tsr_gpu_stream const *stream);

/** tsr_tma_encode for a device that is open: its context need not be current.
 *  Errors  those of tsr_tma_encode. */
TSR_TRY tsr_reason tsr_gpu_tma_encode(tsr_gpu_device const *device, tsr_tma_desc const *d, uint64_t address,
                                      tsr_tma_map *map);

TSR_HEADER_END

#endif

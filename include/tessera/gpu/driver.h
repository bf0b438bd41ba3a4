/** The functions of the CUDA driver and of NVRTC, found at run time, and what a call of them gives back.
 *
 *  Source  CUDA driver API (cuda.h) and NVRTC (nvrtc.h) of CUDA 12.0 and later, whose C interface does not change.
 */
#ifndef TSR_GPU_DRIVER_H
#define TSR_GPU_DRIVER_H

#include "tessera/base/reason.h"

TSR_HEADER_BEGIN

/* clang-format off */
/** X(id, sentence). {0} to {3} stand for the numbers of a result; {call}, {name}, {code} and {text} for the function
 *  that failed and for what CUDA says about it; {why} for the sentence of its reason. */
#define TSR_GPU_STATUS_LIST(X)                                                                                 \
    X(OK, "ok")                                                                                                \
    X(NO_DRIVER, "there is no CUDA driver: {call} cannot be loaded")                                           \
    X(NO_COMPILER, "there is no NVRTC: {call} cannot be loaded")                                               \
    X(NO_FUNCTION, "{text} has no {call}; CUDA 12.0 or later is needed")                                       \
    X(CALL, "{call} fails with {name} ({code}): {text}")                                                       \
    X(REPORTED, "{call} reports {0} for {name}; it must be {1} to {2}")                                        \
    X(NOTHING, "{call} succeeds but gives no {name}")                                                          \
    X(NO_DEVICE, "there is no device {0}, the driver has {1}")                                                 \
    X(NO_PEER, "device {0} cannot use the memory of device {1}")                                              \
    X(NOT_THERE, "there is no {call}: it was refused, given back, or never made")                              \
    X(OUTSIDE, "{1} bytes from byte {0} on are not inside the {2} bytes of this memory")                       \
    X(NO_PRODUCTS, "a group has one product or more, not {0}")                                                 \
    X(EMPTY, "{0} bytes of memory are asked for")                                                              \
    X(GRID, "the grid has {1} blocks in dimension {0}, this device takes 1 to {2}")                            \
    X(BLOCK, "the block has {1} threads in dimension {0}, this device takes 1 to {2}")                         \
    X(THREADS, "the block has {0} threads, this device takes {1}")                                             \
    X(REGISTERS, "the block has {0} threads of {2} registers, of this kernel the device takes {1}")            \
    X(SHARED, "{0} bytes of shared memory are asked for beside the kernel's own {1}, a block can have {2} in all") \
    X(NO_CLUSTERS, "the cluster has {0} blocks, a device of compute capability {1}.{2} has no clusters")        \
    X(CLUSTER, "the cluster has {0} blocks, at most {1} are possible")                                         \
    X(CLUSTER_GRID, "the grid has {1} blocks in dimension {0}, which is not a multiple of the cluster's {2}")      \
    X(CLUSTER_FIXED, "the cluster has {1} blocks in dimension {0}, the kernel was compiled for {2}")            \
    X(CLUSTER_FIT, "no cluster of {0} blocks with {1} threads and {2} bytes of shared memory fits on the device") \
    X(ARGUMENT_COUNT, "{0} arguments are given, the kernel takes {1}")                                              \
    X(ARGUMENT_BYTES, "argument {0} has {1} bytes, the kernel takes {2}")                                            \
    X(COMPILE, "the kernel does not compile ({name}); the log says why")                                       \
    X(LAYOUT, "layout {0} is invalid; the log says why")                                                       \
    X(NAME, "the name of layout {0} is not an identifier")                                                         \
    X(OPTIONS, "{0} options are given, at most {1} fit")                                                         \
    X(PRODUCT, "there is no such product: {why}")                                                              \
    X(PRODUCT_LOOPS, "the modes of the tensors of the product do not go through plain memory in common loops: " \
                     "{text}")                                                                             \
    X(PRODUCT_TYPES, "no kernel multiplies elements of the types {0} and {1} to {2} with a bias of {3} "       \
                     "(DLPack's code * 256 + bits)")                                                           \
    X(TENSORS, "the tensors cannot be copied: {why}")                                                          \
    X(BITS, "elements of {0} bits begin inside of bytes, of which kernels write whole ones")                   \
    X(COMPUTED, "the source is computed when it is read; a kernel copies memory")                              \
    X(ALIGNED, "numbers begin at the address {0}, which is not a multiple of their {1} bytes")                     \
    X(MOVED, "the plan was made for the address {1}, {0} is not a multiple of {2} bytes from there")              \
    X(NUMBERS, "the plan was made for other numbers: 0 and 1 differ from others, integers and complex ones from reals") \
    X(OVERLAP, "{2} bytes from byte {0} on and from byte {1} on of one memory overlap")                        \
    X(OUT_OF_MEMORY, "there is no memory for {0} bytes")                                                       \
    X(FILE, "{call} of a file of the cache fails ({code}): {text}")                                            \
    X(FOLDER, "compiled kernels are not kept in the user's folder: {text}")
/* clang-format on */

typedef enum tsr_gpu_status {
#define TSR_X_(id, text) TSR_GPU_##id,
    TSR_GPU_STATUS_LIST(TSR_X_)
#undef TSR_X_
        TSR_GPU_STATUSES
} tsr_gpu_status;

/** The result of a call. The texts are constants: tessera's, or those of the library that failed. */
typedef struct tsr_gpu_result {
    tsr_gpu_status status;
    int code;          /* CUDA's, or errno */
    char const *call;  /* the function that failed */
    char const *name;  /* CUDA's name of the code */
    char const *text;  /* CUDA's words for it */
    int64_t number[4]; /* of the sentence */
    tsr_reason why;    /* what forbids a product or a copy, as exec/gemm.h and exec/copy.h give it; else no reason */
} tsr_gpu_result;

static inline bool tsr_gpu_ok(tsr_gpu_result r) { return r.status == TSR_GPU_OK; }

/** The sentence of a result, as snprintf writes it. */
TSR_API size_t tsr_format_gpu_result(char *out, size_t size, tsr_gpu_result r);

/** The sentence of a status, with its places; NULL for any other number. */
TSR_API char const *tsr_gpu_sentence(int status);

/** How a kernel is launched, as the driver reads it: CUlaunchConfig, and CUlaunchAttribute for a cluster or for a
 *  kernel that waits itself for the one in front of it. */
typedef struct tsr_cu_launch_attribute {
    int id, reserved;
    union {
        char bytes[64];
        unsigned cluster[3];
        int early;
    } value;
} tsr_cu_launch_attribute;

typedef struct tsr_cu_launch {
    unsigned grid[3], block[3], shared;
    void *stream;
    tsr_cu_launch_attribute *attributes;
    unsigned count;
} tsr_cu_launch;

/** Rows of bytes that the driver copies: CUDA_MEMCPY2D. */
typedef struct tsr_cu_place {
    size_t x, y;
    int kind; /* CUmemorytype; 2: memory of a device */
    void *host;
    uint64_t device;
    void *array;
    size_t pitch;
} tsr_cu_place;

typedef struct tsr_cu_rows {
    tsr_cu_place from, to;
    size_t bytes, rows; /* of a row; how many */
} tsr_cu_rows;

/** What names memory to another process: CUipcMemHandle. */
typedef struct tsr_cu_ipc {
    char bytes[64];
} tsr_cu_ipc;

/** What a stream writes, or waits for: CUstreamBatchMemOpParams. */
typedef struct tsr_cu_mem_op {
    int operation;
    uint64_t address, value;
    unsigned flags;
    uint64_t alias, unused;
} tsr_cu_mem_op;

/* clang-format off */
/** X(result, name, symbol, parameters): the driver. Devices are int, addresses uint64_t, handles void *. */
#define TSR_GPU_DRIVER_LIST(X)                                                                                 \
    X(int, cuInit, "cuInit", (unsigned flags))                                                                 \
    X(int, cuGetErrorName, "cuGetErrorName", (int error, char const **name))                                   \
    X(int, cuGetErrorString, "cuGetErrorString", (int error, char const **text))                               \
    X(int, cuDeviceGetCount, "cuDeviceGetCount", (int *count))                                                 \
    X(int, cuDeviceGet, "cuDeviceGet", (int *device, int ordinal))                                             \
    X(int, cuDeviceGetName, "cuDeviceGetName", (char *name, int size, int device))                             \
    X(int, cuDeviceTotalMem, "cuDeviceTotalMem_v2", (size_t *bytes, int device))                               \
    X(int, cuDeviceGetAttribute, "cuDeviceGetAttribute", (int *value, int attribute, int device))              \
    X(int, cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", (void **context, int device))                 \
    X(int, cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (int device))                            \
    X(int, cuCtxPushCurrent, "cuCtxPushCurrent_v2", (void *context))                                           \
    X(int, cuCtxPopCurrent, "cuCtxPopCurrent_v2", (void **context))                                            \
    X(int, cuCtxSynchronize, "cuCtxSynchronize", (void))                                                       \
    X(int, cuDeviceCanAccessPeer, "cuDeviceCanAccessPeer", (int *can, int device, int peer))                   \
    X(int, cuCtxEnablePeerAccess, "cuCtxEnablePeerAccess", (void *context, unsigned flags))                    \
    X(int, cuMemAlloc, "cuMemAlloc_v2", (uint64_t *address, size_t bytes))                                     \
    X(int, cuMemFree, "cuMemFree_v2", (uint64_t address))                                                      \
    X(int, cuMemcpyHtoD, "cuMemcpyHtoD_v2", (uint64_t to, void const *from, size_t bytes))                     \
    X(int, cuMemcpyDtoH, "cuMemcpyDtoH_v2", (void *to, uint64_t from, size_t bytes))                           \
    X(int, cuMemcpyHtoDAsync, "cuMemcpyHtoDAsync_v2", (uint64_t to, void const *from, size_t bytes, void *stream)) \
    X(int, cuMemcpyDtoHAsync, "cuMemcpyDtoHAsync_v2", (void *to, uint64_t from, size_t bytes, void *stream))   \
    X(int, cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", (uint64_t to, uint64_t from, size_t bytes, void *stream)) \
    X(int, cuMemcpy2DAsync, "cuMemcpy2DAsync_v2", (tsr_cu_rows const *rows, void *stream))                     \
    X(int, cuMemsetD8Async, "cuMemsetD8Async", (uint64_t to, unsigned char byte, size_t bytes, void *stream))   \
    X(int, cuStreamCreate, "cuStreamCreate", (void **stream, unsigned flags))                                  \
    X(int, cuStreamDestroy, "cuStreamDestroy_v2", (void *stream))                                              \
    X(int, cuStreamSynchronize, "cuStreamSynchronize", (void *stream))                                         \
    X(int, cuStreamWaitEvent, "cuStreamWaitEvent", (void *stream, void *event, unsigned flags))                \
    X(int, cuEventCreate, "cuEventCreate", (void **event, unsigned flags))                                     \
    X(int, cuEventDestroy, "cuEventDestroy_v2", (void *event))                                                 \
    X(int, cuEventRecord, "cuEventRecord", (void *event, void *stream))                                        \
    X(int, cuEventSynchronize, "cuEventSynchronize", (void *event))                                            \
    X(int, cuEventQuery, "cuEventQuery", (void *event))                                                        \
    X(int, cuEventElapsedTime, "cuEventElapsedTime", (float *milliseconds, void *from, void *to))              \
    X(int, cuModuleLoadData, "cuModuleLoadData", (void **module, void const *image))                           \
    X(int, cuModuleUnload, "cuModuleUnload", (void *module))                                                   \
    X(int, cuModuleGetFunction, "cuModuleGetFunction", (void **function, void *module, char const *name))      \
    X(int, cuModuleGetGlobal, "cuModuleGetGlobal_v2",                                                          \
      (uint64_t *address, size_t *bytes, void *module, char const *name))                                      \
    X(int, cuFuncGetAttribute, "cuFuncGetAttribute", (int *value, int attribute, void *function))              \
    X(int, cuFuncSetAttribute, "cuFuncSetAttribute", (void *function, int attribute, int value))               \
    X(int, cuOccupancyMaxActiveClusters, "cuOccupancyMaxActiveClusters",                                       \
      (int *clusters, void *function, tsr_cu_launch const *launch))                                            \
    X(int, cuLaunchKernelEx, "cuLaunchKernelEx",                                                               \
      (tsr_cu_launch const *launch, void *function, void **arguments, void **extra))                           \
    X(int, cuTensorMapEncodeTiled, "cuTensorMapEncodeTiled",                                                   \
      (void *map, int format, uint32_t rank, void *address, uint64_t const *dim, uint64_t const *stride,       \
       uint32_t const *box, uint32_t const *step, int interleave, int swizzle, int l2, int fill))              \
    X(int, cuTensorMapEncodeIm2col, "cuTensorMapEncodeIm2col",                                                 \
      (void *map, int format, uint32_t rank, void *address, uint64_t const *dim, uint64_t const *stride,       \
       int const *lower, int const *upper, uint32_t channels, uint32_t pixels, uint32_t const *step,           \
       int interleave, int swizzle, int l2, int fill))

/** The same, of drivers that are newer than CUDA 12.0, and what only saves time; NULL where there is none. */
#define TSR_GPU_NEWER_LIST(X)                                                                                  \
    X(int, cuCtxGetCurrent, "cuCtxGetCurrent", (void **context))                                               \
    X(int, cuTensorMapReplaceAddress, "cuTensorMapReplaceAddress", (void *map, void *address))                 \
    X(int, cuIpcGetMemHandle, "cuIpcGetMemHandle", (tsr_cu_ipc *handle, uint64_t address))                     \
    X(int, cuIpcOpenMemHandle, "cuIpcOpenMemHandle_v2", (uint64_t *address, tsr_cu_ipc handle, unsigned flags)) \
    X(int, cuIpcCloseMemHandle, "cuIpcCloseMemHandle", (uint64_t address))                                     \
    X(int, cuMemGetAddressRange, "cuMemGetAddressRange_v2", (uint64_t *base, size_t *bytes, uint64_t address))  \
    X(int, cuPointerGetAttribute, "cuPointerGetAttribute", (void *value, int attribute, uint64_t address))     \
    X(int, cuMemHostRegister, "cuMemHostRegister_v2", (void *memory, size_t bytes, unsigned flags))            \
    X(int, cuMemHostGetDevicePointer, "cuMemHostGetDevicePointer_v2",                                          \
      (uint64_t *address, void *memory, unsigned flags))                                                       \
    X(int, cuMemHostUnregister, "cuMemHostUnregister", (void *memory))                                         \
    X(int, cuStreamBatchMemOp, "cuStreamBatchMemOp_v2",                                                        \
      (void *stream, unsigned count, tsr_cu_mem_op *op, unsigned flags))                                       \
    X(int, cuThreadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode", (int *mode))                \
    X(int, cuStreamBeginCapture, "cuStreamBeginCapture_v2", (void *stream, int mode))                          \
    X(int, cuStreamEndCapture, "cuStreamEndCapture", (void *stream, void **graph))                             \
    X(int, cuStreamIsCapturing, "cuStreamIsCapturing", (void *stream, int *status))                            \
    X(int, cuGraphInstantiate, "cuGraphInstantiateWithFlags", (void **run, void *graph, unsigned long long flags)) \
    X(int, cuGraphLaunch, "cuGraphLaunch", (void *run, void *stream))                                          \
    X(int, cuGraphExecDestroy, "cuGraphExecDestroy", (void *run))                                              \
    X(int, cuGraphDestroy, "cuGraphDestroy", (void *graph))                                                    \
    X(int, cuFuncGetParamInfo, "cuFuncGetParamInfo", (void *function, size_t index, size_t *offset, size_t *bytes))

/** The same of NVRTC. */
#define TSR_GPU_COMPILER_LIST(X)                                                                               \
    X(int, nvrtcVersion, "nvrtcVersion", (int *major, int *minor))                                             \
    X(char const *, nvrtcGetErrorString, "nvrtcGetErrorString", (int error))                                   \
    X(int, nvrtcCreateProgram, "nvrtcCreateProgram",                                                           \
      (void **program, char const *text, char const *name, int headers, char const *const *header,             \
       char const *const *header_name))                                                                        \
    X(int, nvrtcDestroyProgram, "nvrtcDestroyProgram", (void **program))                                       \
    X(int, nvrtcAddNameExpression, "nvrtcAddNameExpression", (void *program, char const *name))                \
    X(int, nvrtcCompileProgram, "nvrtcCompileProgram", (void *program, int options, char const *const *option)) \
    X(int, nvrtcGetProgramLogSize, "nvrtcGetProgramLogSize", (void *program, size_t *bytes))                   \
    X(int, nvrtcGetProgramLog, "nvrtcGetProgramLog", (void *program, char *log))                               \
    X(int, nvrtcGetCUBINSize, "nvrtcGetCUBINSize", (void *program, size_t *bytes))                             \
    X(int, nvrtcGetCUBIN, "nvrtcGetCUBIN", (void *program, char *cubin))                                       \
    X(int, nvrtcGetLoweredName, "nvrtcGetLoweredName", (void *program, char const *name, char const **lowered))
/* clang-format on */

/** The functions that were found. {0} holds none; then every call names the missing one. */
typedef struct tsr_gpu {
    void *driver, *compiler; /* the libraries */
    int major, minor;        /* version of NVRTC */
#define TSR_X_(result, name, symbol, parameters) result(*name) parameters;
    TSR_GPU_DRIVER_LIST(TSR_X_) TSR_GPU_NEWER_LIST(TSR_X_) TSR_GPU_COMPILER_LIST(TSR_X_)
#undef TSR_X_
} tsr_gpu;

/** Loads the CUDA driver, libcuda.so.1 or the library at `path`, and starts it.
 *  Errors  NO_DRIVER, NO_FUNCTION, CALL of cuInit. */
TSR_API tsr_gpu_result tsr_gpu_find_driver(tsr_gpu *gpu, char const *path);

/** Loads NVRTC, the newest libnvrtc.so there is or the library at `path`; this needs no GPU and no driver.
 *  Errors  NO_COMPILER, NO_FUNCTION. */
TSR_API tsr_gpu_result tsr_gpu_find_compiler(tsr_gpu *gpu, char const *path);

/** Gives the libraries back. Results that name CUDA's texts lose them. */
TSR_API void tsr_gpu_forget(tsr_gpu *gpu);

TSR_HEADER_END

#endif

/** Calls of the driver: in a context, with a result. */
#ifndef TSR_SRC_GPU_CALL_H
#define TSR_SRC_GPU_CALL_H

#include "tessera/gpu.h"

/** Success. */
static inline tsr_gpu_result tsr_gpu_fine_(void)
{
    tsr_gpu_result const r = {.call = "", .name = "", .text = ""};
    return r;
}

/** A result of ours, with its numbers. */
tsr_gpu_result tsr_gpu_refuse_(tsr_gpu_status status, int64_t a, int64_t b, int64_t c);

/** The same for a reason: PRODUCT, TENSORS. */
tsr_gpu_result tsr_gpu_forbid_(tsr_gpu_status status, tsr_reason why, int64_t number);

/** The same, of a function or a library. */
tsr_gpu_result tsr_gpu_fail_(tsr_gpu_status status, char const *call, int code, char const *name, char const *text);

/** OK where a number that CUDA reports is within least to most, else REPORTED. */
tsr_gpu_result tsr_gpu_within_(char const *call, char const *what, int64_t reported, int64_t least, int64_t most);

/** A size as such a number, INT64_MAX at most. */
int64_t tsr_gpu_shown_(uint64_t n);

/** The result of a call that gives a handle. Success with NULL becomes NOTHING, and a failed call leaves no handle. */
tsr_gpu_result tsr_gpu_given_(tsr_gpu_result r, char const *call, void **handle);

/** What a code of the driver means, and one of NVRTC. */
tsr_gpu_result tsr_gpu_driver_result_(tsr_gpu const *gpu, char const *call, int code);
tsr_gpu_result tsr_gpu_compiler_result_(tsr_gpu const *gpu, char const *call, int code);

/** More bytes than a device addresses, and than compiled code or a log of it has. */
#define GPU_MOST_MEMORY ((int64_t)1 << 56)
#define GPU_MOST_CODE ((int64_t)256 << 20)

/** The result of f args, or that there is no driver (no NVRTC). */
#define DRIVER(gpu, f, args)                                   \
  ((gpu)->f ? tsr_gpu_driver_result_((gpu), #f, (gpu)->f args) \
            : tsr_gpu_fail_(TSR_GPU_NO_DRIVER, "libcuda.so.1", 0, "", ""))
#define COMPILER(gpu, f, args)                                   \
  ((gpu)->f ? tsr_gpu_compiler_result_((gpu), #f, (gpu)->f args) \
            : tsr_gpu_fail_(TSR_GPU_NO_COMPILER, "libnvrtc.so", 0, "", ""))

/** That there is no device, stream, kernel, .. of the caller's: it is all zero. */
tsr_gpu_result tsr_gpu_not_there_(char const *what);

/** An event that only orders streams, which is cheaper than one that keeps the time. */
tsr_gpu_result tsr_gpu_mark_make_(tsr_gpu_device const *device, tsr_gpu_event *event);

/** Whether there is a device, with a driver, and it is open. */
tsr_gpu_result tsr_gpu_usable_(tsr_gpu_device const *device);

/** Makes the context of the device current, and the one before it again. The first failure is the one reported;
 *  those of gpu_usable come before. */
tsr_gpu_result tsr_gpu_enter_(tsr_gpu_device const *device);

/** The same for work with something that was made of a device: `handle` is NULL when it was not. */
tsr_gpu_result tsr_gpu_enter_with_(tsr_gpu_device const *device, void const *handle, char const *what);
tsr_gpu_result tsr_gpu_leave_(tsr_gpu_device const *device, tsr_gpu_result done);

/** Whether the context of an open device is current already, as in programs that launch again and again. */
bool tsr_gpu_is_inside_(tsr_gpu_device const *device);

/** The compute capability from which on kernels of copies, sums and plain loops wait for those in front of them. They
 *  are launched early, which costs the host 0.4 us less. */
enum { GPU_WAITING = 9 };

/** The two halves of tsr_gpu_run: all that is checked and asked for once, and the launch. */
tsr_gpu_result tsr_gpu_prepare_(tsr_gpu_kernel const *kernel, tsr_gpu_launch const *launch,
                                tsr_gpu_argument const *arguments, int count);
tsr_gpu_result tsr_gpu_run_prepared_(tsr_gpu_kernel const *kernel, tsr_gpu_launch const *launch,
                                     tsr_gpu_argument const *arguments, int count);

#endif

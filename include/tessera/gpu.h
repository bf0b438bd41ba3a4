/** GPUs at run time, in C: devices, memory, streams, kernels, and kernels made for layouts that are known only then.
 *
 *  The CUDA driver and NVRTC are looked for when the program asks for them: nothing of CUDA is needed to build or to
 *  link, and where there is none, each call says so.
 *
 *      tsr_gpu gpu = {0};
 *      tsr_gpu_device device;
 *      tsr_gpu_result r = tsr_gpu_find_driver(&gpu, NULL);
 *      if (tsr_gpu_ok(r))
 *          r = tsr_gpu_open(&gpu, 0, &device);
 *
 *  docs/gpu.md has a whole program. What a call was to make and could not is all zero but for its owner; giving that
 *  back is no error, and any other use of it is refused (NOT_THERE). A handle that a call could not give back, because
 *  its context could not be made current, stays as it is: give it back again. Numbers that CUDA reports are checked
 *  (REPORTED), and so are the handles that it makes (NOTHING). Handles are plain structs in the caller's storage;
 *  each points to the one that it was made of, which must outlive it. There is no state but theirs: a call makes its
 *  context current for as long as it takes, and leaves the thread as it found it. Different threads may use one device;
 *  a cache belongs to one thread at a time.
 */
#ifndef TSR_GPU_H
#define TSR_GPU_H

#include "tessera/gpu/compile.h"
#include "tessera/gpu/copy.h"
#include "tessera/gpu/device.h"
#include "tessera/gpu/driver.h"
#include "tessera/gpu/gemm.h"
#include "tessera/gpu/kernel.h"

TSR_HEADER_BEGIN

TSR_HEADER_END

#endif

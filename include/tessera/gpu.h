/** GPUs at run time, in C: devices, memory, streams, kernels, and kernels made for layouts that are known only then.
 *
 *  The program finds the CUDA driver and NVRTC when it runs. Building and linking need nothing of CUDA. On a machine
 *  without CUDA each call says so.
 *
 *      tsr_gpu gpu = {0};
 *      tsr_gpu_device device;
 *      tsr_gpu_result r = tsr_gpu_find_driver(&gpu, NULL);
 *      if (tsr_gpu_ok(r))
 *          r = tsr_gpu_open(&gpu, 0, &device);
 *
 *  docs/gpu.md has a whole program.
 *
 *  Handles  plain structs in the caller's storage. Each points to its owner, the handle that it was made of, which must
 *           outlive it. The library keeps no other state.
 *  Failure  a failed call zeroes its output except for the owner pointer. Giving such a handle back is allowed; any
 *           other use of it is refused (NOT_THERE). A handle that could not be given back, because its context could
 *           not be made current, is unchanged: give it back again.
 *  Checks   the numbers that CUDA reports (REPORTED), and the handles that it makes (NOTHING).
 *  Threads  a call makes its context current while it runs and then restores the thread's own. Several threads may
 *           use one device; a cache belongs to one thread at a time.
 */
#ifndef TSR_GPU_H
#define TSR_GPU_H

#include "tessera/gpu/combine.h"
#include "tessera/gpu/compile.h"
#include "tessera/gpu/copy.h"
#include "tessera/gpu/device.h"
#include "tessera/gpu/driver.h"
#include "tessera/gpu/gemm.h"
#include "tessera/gpu/kernel.h"
#include "tessera/gpu/plan_cache.h"
#include "tessera/gpu/reduce.h"
#include "tessera/gpu/trace.h"

TSR_HEADER_BEGIN

TSR_HEADER_END

#endif

/** The kernel of flags, and the operations. Where a rank is given up, the host raises all flags that are awaited. */
#include "mesh/gpu_flag.h"
#include "mesh/gpu_copies.h"
#include "gpu/call.h"

enum { THREADS = DIST_GPU_CONTROL_RANKS };
enum { WAIT = 1 /* CU_STREAM_MEM_OP_WAIT_VALUE_32 */, WRITE = 2, EQUAL = 1 /* CU_STREAM_WAIT_VALUE_EQ */ };

static char const text_of_kernel[] =
    "struct tsr_flags {\n"
    "    unsigned raised, awaited;\n"
    "    unsigned long long flag[128];\n"
    "};\n"
    "extern \"C\" __global__ __launch_bounds__(64) void tsr_flag(__grid_constant__ tsr_flags const s)\n"
    "{\n"
    "    unsigned const i = threadIdx.x;\n"
    "    if (i < s.raised) {\n"
    "        __threadfence_system();\n"
    "        asm volatile(\"st.release.sys.u32 [%0], %1;\" ::\"l\"(s.flag[i]), \"r\"(1u) : \"memory\");\n"
    "    }\n"
    "    __syncthreads();\n"
    "    if (i < s.awaited) {\n"
    "        unsigned long long const flag = s.flag[s.raised + i];\n"
    "        unsigned x = 0;\n"
    "        while (x == 0)\n"
    "            asm volatile(\"ld.acquire.sys.u32 %0, [%1];\" : \"=r\"(x) : \"l\"(flag) : \"memory\");\n"
    "        asm volatile(\"st.relaxed.sys.u32 [%0], %1;\" ::\"l\"(flag), \"r\"(0u) : \"memory\");\n"
    "        __threadfence_system();\n"
    "    }\n"
    "}\n";

_Static_assert(THREADS == 64 && sizeof(dist_gpu_flags) == 8 + 8 * 128, "the kernel's numbers");

static tsr_gpu_result launch(tsr_gpu_kernel const *kernel, dist_gpu_flags const *flags, tsr_gpu_stream const *stream,
                             bool launches)
{
    tsr_gpu_launch const how = {.grid = {1}, .block = {THREADS}, .stream = stream};
    tsr_gpu_argument const argument[] = {{flags, sizeof *flags}};
    return (launches ? tsr_gpu_run_prepared_ : tsr_gpu_prepare_)(kernel, &how, argument, 1);
}

bool tsr_dist_gpu_flag_plan_(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_gpu_kernel *kernel,
                             tsr_message *error)
{
    char words[1024] = "";
    tsr_gpu_log const log = {words, sizeof words};
    char const *const kernels[] = {"tsr_flag"};
    tsr_gpu_source const source = {.text = text_of_kernel, .kernels = kernels, .kernel_count = 1, .header = ""};
    dist_gpu_flags const none = {0};
    return tsr_dist_gpu_done_(tsr_gpu_specialise(cache, device, &source, &log, kernel), error)
           && tsr_dist_gpu_done_(launch(kernel, &none, NULL, false), error);
}

static tsr_cu_mem_op operation(int what, uint64_t flag, uint64_t value)
{
    tsr_cu_mem_op const op = {what, flag, value, what == WAIT ? EQUAL : 0, 0, 0};
    return op;
}

static tsr_gpu_result operate(dist_gpu_flags const *flags, tsr_gpu_stream const *stream)
{
    tsr_gpu_device const *const d = stream->device;
    tsr_cu_mem_op op[3 * DIST_GPU_CONTROL_RANKS];
    unsigned n = 0;
    for (uint32_t i = 0; i < flags->raised; ++i)
        op[n++] = operation(WRITE, flags->flag[i], 1);
    for (uint32_t i = 0; i < flags->awaited; ++i) {
        op[n++] = operation(WAIT, flags->flag[flags->raised + i], 1);
        op[n++] = operation(WRITE, flags->flag[flags->raised + i], 0);
    }
    tsr_gpu_result const r = tsr_gpu_enter_with_(d, stream->handle, "stream");
    return tsr_gpu_ok(r) ? tsr_gpu_leave_(d, DRIVER(d->gpu, cuStreamBatchMemOp, (stream->handle, n, op, 0))) : r;
}

bool tsr_dist_gpu_flag_(tsr_gpu_kernel const *kernel, dist_gpu_flags const *flags, tsr_gpu_stream const *stream,
                        tsr_message *error)
{
    return flags->raised + flags->awaited == 0
           || tsr_dist_gpu_done_(kernel->handle ? launch(kernel, flags, stream, true) : operate(flags, stream),
                                 error);
}

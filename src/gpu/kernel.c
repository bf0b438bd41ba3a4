/** Modules, kernels and launches. */
#include "gpu/call.h"

#include <limits.h>

/* Attributes of a function (CUfunction_attribute) and of a launch (CUlaunchAttributeID). */
enum {
    FUNCTION_THREADS = 0,
    FUNCTION_SHARED = 1,
    FUNCTION_LOCAL = 3,
    FUNCTION_REGISTERS = 4,
    FUNCTION_DYNAMIC_SHARED = 8,
    FUNCTION_CLUSTER = 11, /* 12 and 13 are the other dimensions */
    FUNCTION_ANY_CLUSTER = 14,
    LAUNCH_CLUSTER = 4,
    LAUNCH_EARLY = 6 /* programmatic stream serialization */
};

enum { INVALID_VALUE = 1 }; /* CUDA_ERROR_INVALID_VALUE */
enum { PORTABLE_CLUSTER = 8, LARGEST_CLUSTER = 16, PORTABLE_SHARED = 48 * 1024 };

tsr_gpu_result tsr_gpu_module_load(tsr_gpu_device const *device, void const *image, tsr_gpu_module *module)
{
    tsr_gpu_result r = tsr_gpu_enter_(device);
    memset(module, 0, sizeof *module);
    module->device = device;
    if (tsr_gpu_ok(r)) {
        r = DRIVER(device->gpu, cuModuleLoadData, (&module->handle, image));
        r = tsr_gpu_leave_(device, tsr_gpu_given_(r, "cuModuleLoadData", &module->handle));
    }
    if (!tsr_gpu_ok(r))
        (void)tsr_gpu_module_free(module);
    return r;
}

tsr_gpu_result tsr_gpu_module_free(tsr_gpu_module *module)
{
    tsr_gpu_device const *const d = module->device;
    tsr_gpu_result r = tsr_gpu_fine_();
    if (module->handle && !tsr_gpu_ok(r = tsr_gpu_enter_(d)))
        return r;
    if (module->handle)
        r = tsr_gpu_leave_(d, DRIVER(d->gpu, cuModuleUnload, (module->handle)));
    memset(module, 0, sizeof *module);
    return r;
}

tsr_gpu_result tsr_gpu_module_variable(tsr_gpu_module const *module, char const *name, tsr_gpu_memory *memory)
{
    tsr_gpu_device const *const d = module->device;
    tsr_gpu_memory m = {d, 0, 0, true};
    tsr_gpu_result r = tsr_gpu_enter_with_(d, module->handle, "module");
    memset(memory, 0, sizeof *memory);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_leave_(d, DRIVER(d->gpu, cuModuleGetGlobal, (&m.address, &m.bytes, module->handle, name)));
    if (tsr_gpu_ok(r))
        r = tsr_gpu_within_("cuModuleGetGlobal", "bytes", tsr_gpu_shown_(m.bytes), 1, GPU_MOST_MEMORY);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_within_("cuModuleGetGlobal", "the address", tsr_gpu_shown_(m.address), 1,
                            INT64_MAX - GPU_MOST_MEMORY);
    if (tsr_gpu_ok(r))
        *memory = m;
    return r;
}

/** How many parameters the kernel has, and their sizes: asking for the one behind the last is an invalid value. */
static tsr_gpu_result read_parameters(tsr_gpu const *gpu, tsr_gpu_kernel *k)
{
    size_t at = 0, bytes = 0;
    tsr_gpu_result r = tsr_gpu_fine_();
    k->parameters = gpu->cuFuncGetParamInfo ? 0 : -1;
    while (k->parameters >= 0 && k->parameters <= TSR_GPU_ARGUMENTS) { /* one more than fit: no launch is right */
        r = DRIVER(gpu, cuFuncGetParamInfo, (k->handle, (size_t)k->parameters, &at, &bytes));
        if (r.code == INVALID_VALUE)
            return tsr_gpu_fine_();
        if (tsr_gpu_ok(r))
            r = tsr_gpu_within_("cuFuncGetParamInfo", "bytes of a parameter", tsr_gpu_shown_(bytes), 1, UINT16_MAX);
        if (!tsr_gpu_ok(r))
            break;
        if (k->parameters < TSR_GPU_ARGUMENTS)
            k->bytes[k->parameters] = (uint16_t)bytes;
        ++k->parameters;
    }
    return r;
}

tsr_gpu_result tsr_gpu_module_kernel(tsr_gpu_module const *module, char const *name, tsr_gpu_kernel *kernel)
{
    tsr_gpu_device const *const d = module->device;
    tsr_gpu_kernel k;
    memset(&k, 0, sizeof k);
    memset(kernel, 0, sizeof *kernel);
    tsr_gpu_result r = tsr_gpu_enter_with_(d, module->handle, "module");
    if (!tsr_gpu_ok(r))
        return r;
    tsr_gpu const *const gpu = d->gpu;
    k.device = d;
    r = DRIVER(gpu, cuModuleGetFunction, (&k.handle, module->handle, name));
    r = tsr_gpu_given_(r, "cuModuleGetFunction", &k.handle);
    struct {
        int attribute, *value;
        char const *name;
        int least, most;
    } const wanted[] = {{FUNCTION_THREADS, &k.threads, "threads", 1, 65536},
                        {FUNCTION_REGISTERS, &k.registers, "registers", 0, 65536},
                        {FUNCTION_SHARED, &k.shared, "shared memory", 0, 1 << 24},
                        {FUNCTION_LOCAL, &k.local, "local memory", 0, INT_MAX},
                        {FUNCTION_CLUSTER, &k.cluster[0], "cluster", 0, 65536},
                        {FUNCTION_CLUSTER + 1, &k.cluster[1], "cluster", 0, 65536},
                        {FUNCTION_CLUSTER + 2, &k.cluster[2], "cluster", 0, 65536}};
    for (int i = 0; i < (d->clusters ? 7 : 4) && tsr_gpu_ok(r); ++i) {
        r = DRIVER(gpu, cuFuncGetAttribute, (wanted[i].value, wanted[i].attribute, k.handle));
        if (tsr_gpu_ok(r))
            r = tsr_gpu_within_("cuFuncGetAttribute", wanted[i].name, *wanted[i].value, wanted[i].least,
                                wanted[i].most);
    }
    if (tsr_gpu_ok(r))
        r = read_parameters(gpu, &k);
    r = tsr_gpu_leave_(d, r);
    if (tsr_gpu_ok(r))
        *kernel = k;
    return r;
}

/* Launches */

/** Blocks and threads in each dimension, 1 for 0; and the cluster that the kernel was compiled for,
 *  if none is given. */
static tsr_gpu_launch complete(tsr_gpu_kernel const *kernel, tsr_gpu_launch l)
{
    bool const given = l.cluster[0] || l.cluster[1] || l.cluster[2];
    for (int i = 0; i < 3; ++i) {
        l.grid[i] += l.grid[i] == 0;
        l.block[i] += l.block[i] == 0;
        if (!given)
            l.cluster[i] = (unsigned)kernel->cluster[i];
        l.cluster[i] += l.cluster[i] == 0;
    }
    return l;
}

static int64_t count_of(unsigned const n[3])
{
    int64_t count = 0;
    return tsr_mul64(n[0], n[1], &count) && tsr_mul64(count, n[2], &count) ? count : TSR_INT_MAX;
}

static tsr_gpu_result check_grid(tsr_gpu_device const *d, tsr_gpu_launch const *l)
{
    int const grid[3] = {d->grid_x, d->grid_y, d->grid_z}, block[3] = {d->block_x, d->block_y, d->block_z};
    for (int i = 0; i < 3; ++i)
        if ((int64_t)l->grid[i] > grid[i])
            return tsr_gpu_refuse_(TSR_GPU_GRID, i, l->grid[i], grid[i]);
    for (int i = 0; i < 3; ++i)
        if ((int64_t)l->block[i] > block[i])
            return tsr_gpu_refuse_(TSR_GPU_BLOCK, i, l->block[i], block[i]);
    if (count_of(l->block) > d->threads)
        return tsr_gpu_refuse_(TSR_GPU_THREADS, count_of(l->block), d->threads, 0);
    return tsr_gpu_fine_();
}

static tsr_gpu_result check_cluster(tsr_gpu_kernel const *k, tsr_gpu_launch const *l)
{
    int64_t const blocks = count_of(l->cluster);
    tsr_gpu_device const *const d = k->device;
    if (blocks > 1 && !d->clusters)
        return tsr_gpu_refuse_(TSR_GPU_NO_CLUSTERS, blocks, d->major, d->minor);
    if (blocks > LARGEST_CLUSTER)
        return tsr_gpu_refuse_(TSR_GPU_CLUSTER, blocks, LARGEST_CLUSTER, 0);
    for (int i = 0; i < 3; ++i)
        if (k->cluster[0] != 0 && (int64_t)l->cluster[i] != (k->cluster[i] ? k->cluster[i] : 1))
            return tsr_gpu_refuse_(TSR_GPU_CLUSTER_FIXED, i, l->cluster[i], k->cluster[i]);
    for (int i = 0; i < 3; ++i)
        if (l->grid[i] % l->cluster[i] != 0)
            return tsr_gpu_refuse_(TSR_GPU_CLUSTER_GRID, i, l->grid[i], l->cluster[i]);
    return tsr_gpu_fine_();
}

/** As many arguments as parameters, of their sizes, where the driver tells them. */
static tsr_gpu_result check_arguments(tsr_gpu_kernel const *k, tsr_gpu_argument const *arguments, int count)
{
    if (count < 0 || count > TSR_GPU_ARGUMENTS || (k->parameters >= 0 && count != k->parameters))
        return tsr_gpu_refuse_(TSR_GPU_ARGUMENT_COUNT, count, k->parameters >= 0 ? k->parameters : TSR_GPU_ARGUMENTS,
                               0);
    for (int i = 0; i < count && k->parameters >= 0; ++i)
        if (arguments[i].bytes != k->bytes[i])
            return tsr_gpu_refuse_(TSR_GPU_ARGUMENT_BYTES, i, (int64_t)arguments[i].bytes, k->bytes[i]);
    return tsr_gpu_fine_();
}

static tsr_gpu_result check_all(tsr_gpu_kernel const *k, tsr_gpu_launch const *l, tsr_gpu_argument const *arguments,
                                int count)
{
    tsr_gpu_result r = check_grid(k->device, l);
    if (tsr_gpu_ok(r) && count_of(l->block) > k->threads)
        r = tsr_gpu_refuse_(TSR_GPU_REGISTERS, count_of(l->block), k->threads, k->registers);
    if (tsr_gpu_ok(r) && (int64_t)l->shared + k->shared > k->device->shared)
        r = tsr_gpu_refuse_(TSR_GPU_SHARED, l->shared, k->shared, k->device->shared);
    if (tsr_gpu_ok(r))
        r = check_cluster(k, l);
    return tsr_gpu_ok(r) ? check_arguments(k, arguments, count) : r;
}

tsr_gpu_result tsr_gpu_check(tsr_gpu_kernel const *kernel, tsr_gpu_launch const *launch,
                             tsr_gpu_argument const *arguments, int count)
{
    tsr_gpu_launch const l = complete(kernel, *launch);
    return kernel->device && kernel->handle ? check_all(kernel, &l, arguments, count) : tsr_gpu_not_there_("kernel");
}

/** Requests limits above the driver's defaults, and checks that a cluster fits. It requests all shared memory, so that
 *  two threads that launch one kernel do not reduce it for each other. */
static tsr_gpu_result prepare(tsr_gpu_kernel const *k, tsr_gpu_launch const *l, tsr_cu_launch const *launch)
{
    tsr_gpu const *const gpu = k->device->gpu;
    int64_t const blocks = count_of(l->cluster);
    int fitting = 1;
    tsr_gpu_result r = tsr_gpu_fine_();
    if ((int64_t)l->shared + k->shared > PORTABLE_SHARED)
        r = DRIVER(gpu, cuFuncSetAttribute, (k->handle, FUNCTION_DYNAMIC_SHARED, k->device->shared - k->shared));
    if (tsr_gpu_ok(r) && blocks > PORTABLE_CLUSTER)
        r = DRIVER(gpu, cuFuncSetAttribute, (k->handle, FUNCTION_ANY_CLUSTER, 1));
    if (tsr_gpu_ok(r) && blocks > 1)
        r = DRIVER(gpu, cuOccupancyMaxActiveClusters, (&fitting, k->handle, launch));
    if (tsr_gpu_ok(r) && fitting < 1)
        r = tsr_gpu_refuse_(TSR_GPU_CLUSTER_FIT, blocks, count_of(l->block), (int64_t)l->shared + k->shared);
    return r;
}

/** Inside of the context: what `work` says, with the launch as the driver takes it. */
static tsr_gpu_result launch_as(tsr_gpu_kernel const *kernel, tsr_gpu_launch const *l,
                                tsr_gpu_argument const *arguments, int count, bool prepares, bool launches)
{
    void *data[TSR_GPU_ARGUMENTS + 1];
    for (int i = 0; i < count; ++i)
        data[i] = (void *)(uintptr_t)arguments[i].data;
    data[count] = NULL;
    tsr_cu_launch_attribute attribute[2];
    unsigned attributes = 0;
    memset(attribute, 0, sizeof attribute);
    if (count_of(l->cluster) > 1) {
        attribute[attributes].id = LAUNCH_CLUSTER;
        memcpy(attribute[attributes++].value.cluster, l->cluster, sizeof l->cluster);
    }
    if (l->early) {
        attribute[attributes].id = LAUNCH_EARLY;
        attribute[attributes++].value.early = 1;
    }
    tsr_cu_launch const how = {{l->grid[0], l->grid[1], l->grid[2]},
                               {l->block[0], l->block[1], l->block[2]},
                               l->shared,
                               l->stream ? l->stream->handle : NULL,
                               attribute,
                               attributes};
    if (!prepares) /* launched again and again, which is what has to be quick */
        return DRIVER(kernel->device->gpu, cuLaunchKernelEx, (&how, kernel->handle, data, NULL));
    tsr_gpu_result const r = prepare(kernel, l, &how);
    return tsr_gpu_ok(r) && launches
               ? DRIVER(kernel->device->gpu, cuLaunchKernelEx, (&how, kernel->handle, data, NULL))
               : r;
}

/** Checks, prepares and launches, as far as is asked for. */
static tsr_gpu_result run(tsr_gpu_kernel const *kernel, tsr_gpu_launch const *launch,
                          tsr_gpu_argument const *arguments, int count, bool prepares, bool launches)
{
    tsr_gpu_launch const l = complete(kernel, *launch);
    if (prepares) {
        tsr_gpu_result const r = tsr_gpu_check(kernel, launch, arguments, count);
        if (!tsr_gpu_ok(r))
            return r;
    }
    if (l.stream && !l.stream->handle)
        return tsr_gpu_not_there_("stream");
    if (tsr_gpu_is_inside_(kernel->device))
        return launch_as(kernel, &l, arguments, count, prepares, launches);
    tsr_gpu_result const r = tsr_gpu_enter_(kernel->device);
    return tsr_gpu_ok(r) ? tsr_gpu_leave_(kernel->device, launch_as(kernel, &l, arguments, count, prepares, launches))
                         : r;
}

tsr_gpu_result tsr_gpu_run(tsr_gpu_kernel const *kernel, tsr_gpu_launch const *launch,
                           tsr_gpu_argument const *arguments, int count)
{
    return run(kernel, launch, arguments, count, true, true);
}

tsr_gpu_result tsr_gpu_prepare_(tsr_gpu_kernel const *kernel, tsr_gpu_launch const *launch,
                                tsr_gpu_argument const *arguments, int count)
{
    return run(kernel, launch, arguments, count, true, false);
}

tsr_gpu_result tsr_gpu_run_prepared_(tsr_gpu_kernel const *kernel, tsr_gpu_launch const *launch,
                                     tsr_gpu_argument const *arguments, int count)
{
    return run(kernel, launch, arguments, count, false, true);
}

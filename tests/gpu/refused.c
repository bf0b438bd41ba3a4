/** What was refused stays refused: every call on a device, stream, event, memory, module or kernel that is not there
 *  says so, in every way in which it can be missing.
 *
 *  usage: gpu_refused FAKE EMPTY FOLDER, as of gpu_runtime. */
#include "faked.h"

/** Refused with this status, and a sentence that ends: no place of it is left open. */
static void refuses(tsr_gpu_result r, tsr_gpu_status status, char const *call)
{
    char text[512];
    tsr_format_gpu_result(text, sizeof text, r);
    check(r.status == status && !strchr(text, '{') && strlen(text) > 10, call);
    if (r.status != status)
        printf("    it says: %s\n", text);
}

static bool all_zero(void const *p, size_t n)
{
    for (size_t i = 0; i < n; ++i)
        if (((unsigned char const *)p)[i])
            return false;
    return true;
}

static char const *const kernel_names[] = {"scale"};
static tsr_gpu_source const source = {
    .text = "good", .kernels = kernel_names, .kernel_count = 1, .header = "/* none */"};

/** Every call that takes a device, on one that cannot be used. */
static void use_device(tsr_gpu_device const *d, tsr_gpu_status status)
{
    static tsr_tma_desc none;
    static tsr_tma_map map;
    tsr_gpu_memory memory = {0};
    tsr_gpu_stream stream = {0};
    tsr_gpu_event event = {0};
    tsr_gpu_module module = {0};
    tsr_gpu_cache cache = {0};
    tsr_gpu_kernel kernel;
    memset(&kernel, 1, sizeof kernel);
    refuses(tsr_gpu_wait(d), status, "wait");
    refuses(tsr_gpu_alloc(d, 64, &memory), status, "alloc");
    refuses(tsr_gpu_stream_make(d, &stream), status, "stream");
    refuses(tsr_gpu_stream_adopt(d, &stream, &stream), status, "adopted stream");
    refuses(tsr_gpu_adopt(d, 4096, 64, &memory), status, "adopted memory");
    refuses(tsr_gpu_event_make(d, &event), status, "event");
    refuses(tsr_gpu_module_load(d, "code", &module), status, "module");
    refuses(tsr_gpu_specialise(&cache, d, &source, NULL, &kernel), status, "specialise");
    check(!memory.address && !memory.bytes && !stream.handle && !event.handle && !module.handle, "nothing was made");
    check(all_zero(&kernel, sizeof kernel), "a kernel that was refused is all zero");
    check(!cache.entries && cache.misses == 0, "nothing was compiled for it");
    none = tsr_tma_tiled(TSR_F16, tsr_t(64, 8), tsr_t(128), tsr_t(64, 8), tsr_t(1, 1), tsr_unit());
    check(tsr_gpu_tma_encode(d, &none, 4096, &map).status == TSR_TMA_DRIVER, "a tensor map");
    check(tsr_gpu_ok(tsr_gpu_free(&memory)) && tsr_gpu_ok(tsr_gpu_stream_free(&stream))
              && tsr_gpu_ok(tsr_gpu_event_free(&event)) && tsr_gpu_ok(tsr_gpu_module_free(&module)),
          "giving it back is no error");
    tsr_gpu_cache_free(&cache);
}

/** Every call that takes something else, on what is not there; `d` is its owner, or NULL. */
static void use_nothing(tsr_gpu_device const *d, tsr_gpu_stream const *stream, tsr_gpu_memory const *memory)
{
    tsr_gpu_status const status = TSR_GPU_NOT_THERE;
    tsr_gpu_memory no_memory = {d, 0, 0, false};
    tsr_gpu_stream no_stream = {d, NULL};
    tsr_gpu_event no_event = {d, NULL};
    tsr_gpu_module no_module = {d, NULL};
    tsr_gpu_kernel kernel = {0};
    tsr_gpu_launch const plain = {.grid = {1}};
    char byte = 0;
    float ms = 1;
    kernel.device = d;
    refuses(tsr_gpu_write(&no_memory, 0, &byte, 0, NULL), status, "write");
    refuses(tsr_gpu_read(&no_memory, 0, &byte, 1, NULL), status, "read");
    refuses(tsr_gpu_fill(&no_memory, 0, 1, 0, NULL), status, "fill");
    refuses(tsr_gpu_stream_wait(&no_stream), status, "stream_wait");
    refuses(tsr_gpu_stream_after(&no_stream, &no_event), status, "stream_after");
    refuses(tsr_gpu_event_record(&no_event, NULL), status, "event_record");
    refuses(tsr_gpu_event_wait(&no_event), status, "event_wait");
    refuses(tsr_gpu_event_elapsed(&no_event, &no_event, &ms), status, "event_elapsed");
    check(ms == 0, "no time");
    refuses(tsr_gpu_module_variable(&no_module, "x", &no_memory), status, "module_variable");
    refuses(tsr_gpu_run(&kernel, &plain, NULL, 0), status, "run");
    refuses(tsr_gpu_check(&kernel, &plain, NULL, 0), status, "check");
    refuses(tsr_gpu_module_kernel(&no_module, "x", &kernel), status, "module_kernel");
    check(all_zero(&kernel, sizeof kernel), "no kernel");
    if (!stream)
        return;
    refuses(tsr_gpu_stream_after(stream, &no_event), status, "an event that is not there");
    refuses(tsr_gpu_write(memory, 0, &byte, 1, &no_stream), status, "a stream that is not there, write");
    refuses(tsr_gpu_read(memory, 0, &byte, 1, &no_stream), status, "a stream that is not there, read");
    refuses(tsr_gpu_fill(memory, 0, 1, 1, &no_stream), status, "a stream that is not there, fill");
}

static void test_handles(tsr_gpu const *gpu)
{
    tsr_gpu_device d = {0}, described;
    tsr_gpu nothing = {0};
    tsr_gpu_stream stream;
    tsr_gpu_event event;
    tsr_gpu_memory memory;
    float ms = 1;
    refuses(tsr_gpu_open(gpu, 7, &d), TSR_GPU_NO_DEVICE, "a device that is not there");
    check(all_zero(&d, sizeof d), "it is all zero");
    use_device(&d, TSR_GPU_NOT_THERE);
    use_nothing(&d, NULL, NULL);
    use_nothing(NULL, NULL, NULL);
    check(tsr_gpu_ok(tsr_gpu_describe(gpu, 0, &described)), "a device that is described");
    use_device(&described, TSR_GPU_NOT_THERE);
    d.gpu = &nothing;
    use_device(&d, TSR_GPU_NO_DRIVER);
    check(tsr_gpu_ok(tsr_gpu_open(gpu, 0, &d)) && tsr_gpu_ok(tsr_gpu_stream_make(&d, &stream))
              && tsr_gpu_ok(tsr_gpu_event_make(&d, &event)) && tsr_gpu_ok(tsr_gpu_alloc(&d, 64, &memory)),
          "a device that is there");
    use_nothing(&d, &stream, &memory);
    tsr_gpu_event const no_event = {&d, NULL};
    tsr_gpu_stream no_stream = {&d, NULL};
    refuses(tsr_gpu_event_elapsed(&event, &no_event, &ms), TSR_GPU_NOT_THERE, "elapsed to nothing");
    refuses(tsr_gpu_event_record(&event, &no_stream), TSR_GPU_NOT_THERE, "record in nothing");
    tsr_gpu_module module;
    tsr_gpu_kernel kernel;
    uint64_t address = 0;
    int n = 0;
    tsr_gpu_argument const arguments[] = {TSR_GPU_ARGUMENT(address), TSR_GPU_ARGUMENT(n)};
    tsr_gpu_launch const launch = {.grid = {1}, .stream = &no_stream};
    check(tsr_gpu_ok(tsr_gpu_module_load(&d, "code", &module))
              && tsr_gpu_ok(tsr_gpu_module_kernel(&module, "k", &kernel)),
          "a kernel");
    refuses(tsr_gpu_run(&kernel, &launch, arguments, 2), TSR_GPU_NOT_THERE, "a launch in a stream that is not there");
    check(fake->launches == 0, "nothing was launched");
    (void)tsr_gpu_module_free(&module);
    refuses(tsr_gpu_module_kernel(&module, "k", &kernel), TSR_GPU_NOT_THERE, "a module that was given back");
    (void)tsr_gpu_free(&memory);
    refuses(tsr_gpu_write(&memory, 0, &n, 1, NULL), TSR_GPU_NOT_THERE, "memory that was given back");
    (void)tsr_gpu_event_free(&event);
    (void)tsr_gpu_stream_free(&stream);
    (void)tsr_gpu_close(&d);
    use_device(&d, TSR_GPU_NOT_THERE);
    check(fake->contexts == 0 && fake->current == 0 && fake->modules == 0 && fake->memories == 0,
          "all was given back");
}

int main(int argc, char **argv)
{
    tsr_gpu gpu = {0};
    void *library = NULL;
    if (argc != 4 || !load_fake(argv[1], &library))
        return 2;
    find_fake(&gpu, argv[1]);
    test_handles(&gpu);
    return unload_fake(&gpu, library);
}

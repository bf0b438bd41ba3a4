/** What was refused stays refused: every call on a device, stream, event, memory, module or kernel that is not there
 *  says so, in every way in which it can be missing; and files of the cache that this user alone did not write are not
 *  read.
 *
 *  usage: gpu_refused FAKE EMPTY FOLDER, as of gpu_runtime. */
#define _XOPEN_SOURCE 700

#include <dirent.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "fake.h"
#include "tessera/gpu.h"

static fake_state *fake;
static int skipped;

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
    static unsigned char map[128];
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
    refuses(tsr_gpu_event_make(d, &event), status, "event");
    refuses(tsr_gpu_module_load(d, "code", &module), status, "module");
    refuses(tsr_gpu_specialise(&cache, d, &source, NULL, &kernel), status, "specialise");
    check(!memory.address && !memory.bytes && !stream.handle && !event.handle && !module.handle, "nothing was made");
    check(all_zero(&kernel, sizeof kernel), "a kernel that was refused is all zero");
    check(!cache.entries && cache.misses == 0, "nothing was compiled for it");
    none = tsr_tma_tiled(TSR_F16, tsr_t(64, 8), tsr_t(128), tsr_t(64, 8), tsr_t(1, 1), tsr_unit());
    check(tsr_gpu_tma_encode(d, &none, 4096, map).status == TSR_TMA_DRIVER, "a tensor map");
    check(tsr_gpu_ok(tsr_gpu_free(&memory)) && tsr_gpu_ok(tsr_gpu_stream_free(&stream))
              && tsr_gpu_ok(tsr_gpu_event_free(&event)) && tsr_gpu_ok(tsr_gpu_module_free(&module)),
          "giving it back is no error");
    tsr_gpu_cache_free(&cache);
}

/** Every call that takes something else, on what is not there; `d` is its owner, or NULL. */
static void use_nothing(tsr_gpu_device const *d, tsr_gpu_stream const *stream, tsr_gpu_memory const *memory)
{
    tsr_gpu_status const status = TSR_GPU_NOT_THERE;
    tsr_gpu_memory no_memory = {d, 0, 0};
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
    check(fake->contexts == 0 && fake->current == 0 && fake->modules == 0 && fake->memories == 0, "all was given back");
}

/* The cache trusts what this user alone can have written */

/** The one file of the folder. */
static bool entry_of(char const *folder, char *path, size_t size)
{
    int count = 0;
    DIR *const d = opendir(folder);
    for (struct dirent const *e; d && (e = readdir(d));)
        if (e->d_name[0] != '.') {
            snprintf(path, size, "%s/%s", folder, e->d_name);
            ++count;
        }
    if (d)
        closedir(d);
    return count == 1;
}

/** Where the code comes from: a file, or the compiler. */
static char from_where(tsr_gpu const *gpu, char const *folder)
{
    tsr_gpu_cache cache = {.folder = folder};
    tsr_gpu_binary const *binary = NULL;
    tsr_gpu_result const r = tsr_gpu_cache_compile(&cache, gpu, "sm_90", &source, NULL, &binary);
    char const from = !tsr_gpu_ok(r) || !tsr_gpu_ok(cache.stored) ? '?' : cache.loads ? 'F' : 'C';
    tsr_gpu_cache_free(&cache);
    return from;
}

static void expect_compiled(tsr_gpu const *gpu, char const *folder, char const *what)
{
    check(from_where(gpu, folder) == 'C', what);
    check(from_where(gpu, folder) == 'F', "and replaced");
}

static void test_trust(tsr_gpu const *gpu, char const *folder)
{
    char path[4096], aside[4200];
    struct stat s;
    while (entry_of(folder, path, sizeof path))
        unlink(path);
    mode_t const mask = umask(0);
    check(from_where(gpu, folder) == 'C' && entry_of(folder, path, sizeof path), "a file");
    umask(mask);
    check(stat(path, &s) == 0 && (s.st_mode & 07777) == 0600, "it is its owner's, whatever the umask");
    check(from_where(gpu, folder) == 'F', "the user's own");
    snprintf(aside, sizeof aside, "%s/../gpu_refused_aside", folder);
    static mode_t const others[] = {0620, 0602, 0666};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        check(chmod(path, others[i]) == 0, "writable by others");
        expect_compiled(gpu, folder, "a file that others may write to");
    }
    check(chmod(path, 0644) == 0 && from_where(gpu, folder) == 'F', "a file that others may read");
    if (geteuid() == 0) {
        check(chown(path, 12345, (gid_t)-1) == 0, "another owner");
        expect_compiled(gpu, folder, "a file of another owner");
    } else {
        ++skipped;
    }
    check(rename(path, aside) == 0 && symlink(aside, path) == 0, "a link to a good file");
    expect_compiled(gpu, folder, "a link is not followed");
    check(lstat(path, &s) == 0 && S_ISREG(s.st_mode) && stat(aside, &s) == 0, "nor written through");
    unlink(aside);
    check(unlink(path) == 0 && symlink("/dev/zero", path) == 0, "a link to a device without end");
    expect_compiled(gpu, folder, "a device");
    check(unlink(path) == 0 && mkfifo(path, 0600) == 0, "a pipe");
    expect_compiled(gpu, folder, "a pipe that nobody writes to");
    check(truncate(path, ((off_t)256 << 20) + 1) == 0, "a file that is larger than any kernel");
    expect_compiled(gpu, folder, "is not read");
    check(unlink(path) == 0, "nothing is left");
}

int main(int argc, char **argv)
{
    tsr_gpu gpu = {0};
    if (argc != 4)
        return 2;
    void *const library = dlopen(argv[1], RTLD_NOW);
    fake = library ? (fake_state *)dlsym(library, "fake") : NULL;
    if (!fake) {
        printf("%s cannot be loaded\n", argv[1]);
        return 2;
    }
    fake->devices = 1;
    fake->major = 9;
    fake->attribute = -1;
    fake->clusters = 1;
    fake->version = 130;
    check(tsr_gpu_ok(tsr_gpu_find_driver(&gpu, argv[1])) && tsr_gpu_ok(tsr_gpu_find_compiler(&gpu, argv[1])), "found");
    test_handles(&gpu);
    test_trust(&gpu, argv[3]);
    tsr_gpu_forget(&gpu);
    free(fake->text);
    dlclose(library);
    printf("%d passed, %d failed, %d skipped\n", passed, failed, skipped);
    return failed != 0;
}

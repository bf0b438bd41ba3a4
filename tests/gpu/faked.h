/** The run-time library on the driver and the NVRTC of fake.c: loaded, steered and at the end without debts. */
#ifndef TESTS_GPU_FAKED_H
#define TESTS_GPU_FAKED_H

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "fake.h"
#include "tessera/gpu.h"
#include "tessera/text.h"

static fake_state *fake;

static bool seen[TSR_GPU_STATUSES];

/** The result is of this status, and its sentence holds these words. */
static inline void expect(tsr_gpu_result r, tsr_gpu_status status, char const *words)
{
    char text[512];
    size_t const length = tsr_format_gpu_result(text, sizeof text, r);
    bool const good = r.status == status && strstr(text, words) && length == strlen(text) && !strchr(text, '{');
    seen[r.status] = true;
    check(good, words);
    if (!good)
        printf("    it says: %s\n", text);
}

/** Two devices of sm_90, on which nothing has happened. */
static inline void reset(void)
{
    free(fake->text);
    memset(fake, 0, sizeof *fake);
    fake->devices = 2;
    fake->major = 9;
    fake->attribute = -1;
    fake->clusters = 66;
    fake->version = 130;
}

/** The fake of this file; false, said, where there is none. */
static inline bool load_fake(char const *path, void **library)
{
    *library = dlopen(path, RTLD_NOW);
    fake = *library ? (fake_state *)dlsym(*library, "fake") : NULL;
    if (fake)
        reset();
    else
        printf("%s cannot be loaded\n", path);
    return fake != NULL;
}

/** Its driver and its compiler. */
static inline void find_fake(tsr_gpu *gpu, char const *path)
{
    check(tsr_gpu_ok(tsr_gpu_find_driver(gpu, path)) && tsr_gpu_ok(tsr_gpu_find_compiler(gpu, path)), "found");
}

/** A source with one layout. */
static inline tsr_gpu_source source_of(char const *text, tsr_gpu_constant *constant)
{
    constant->name = "tile";
    constant->layout = tsr_make_layout(tsr_t(4, tsr_s(8)), tsr_t(8, tsr_s(1)));
    static char const *const kernel_names[] = {"scale<tile>"};
    tsr_gpu_source const source = {
        .text = text, .constants = constant, .constant_count = 1, .kernels = kernel_names, .kernel_count = 1};
    return source;
}

/** The exit status of a test. */
static inline int unload_fake(tsr_gpu *gpu, void *library)
{
    tsr_gpu_forget(gpu);
    reset();
    dlclose(library);
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

static inline void check_books(char const *what)
{
    bool const even = fake->contexts == 0 && fake->current == 0 && fake->streams == 0 && fake->events == 0
                      && fake->memories == 0 && fake->modules == 0 && fake->programs == 0;
    check(even, what);
    if (!even)
        printf("    contexts %d, current %d, streams %d, events %d, memories %d, modules %d, programs %d\n",
               fake->contexts, fake->current, fake->streams, fake->events, fake->memories, fake->modules,
               fake->programs);
}

#endif

/** For tests on a GPU: random numbers, and the same elements on the device and on the host. */
#ifndef TESTS_GPU_BOTH_H
#define TESTS_GPU_BOTH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/gpu.h"

static uint64_t state;
static char words[16384];
static tsr_gpu_log const to_words = {words, sizeof words};

static int any(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

/** What a test on a GPU has: the first GPU, NVRTC, a cache of its own. */
typedef struct on_gpu {
    tsr_gpu gpu;
    tsr_gpu_device device;
    tsr_gpu_cache cache;
    int rounds;
} on_gpu;

/** Opens it for the arguments FOLDER, SEED and ROUNDS, of which some may lack. False: why the test is skipped is
 *  printed. */
static bool begin_on_gpu(on_gpu *on, int argc, char **argv, int rounds)
{
    char text[512];
    memset(on, 0, sizeof *on);
    on->cache.folder = argc > 1 ? argv[1] : NULL;
    state = argc > 2 ? strtoull(argv[2], NULL, 10) * 2 + 1 : 1;
    on->rounds = argc > 3 ? atoi(argv[3]) : rounds;
    tsr_gpu_result r = tsr_gpu_find_driver(&on->gpu, NULL);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_find_compiler(&on->gpu, NULL);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_open(&on->gpu, 0, &on->device);
    if (!tsr_gpu_ok(r)) {
        tsr_format_gpu_result(text, sizeof text, r);
        printf("skipped: %s\n", text);
    }
    return tsr_gpu_ok(r);
}

static void end_on_gpu(on_gpu *on)
{
    tsr_gpu_cache_free(&on->cache);
    (void)tsr_gpu_close(&on->device);
    tsr_gpu_forget(&on->gpu);
}

/** What a refusal and the compiler said. */
static void show_refusal(tsr_gpu_result r)
{
    char text[512];
    tsr_format_gpu_result(text, sizeof text, r);
    printf("    %s\n%.3000s\n", text, words);
}

/** The same elements here and there. */
typedef struct both {
    tsr_gpu_memory there;
    unsigned char *here;
    size_t bytes;
    tsr_dtype type;
    tsr_layout layout;
} both;

static tsr_tensor of_device(both const *x) { return tsr_gpu_tensor(&x->there, x->type, x->layout); }

static tsr_tensor of_host(both const *x)
{
    return tsr_make_tensor_of(tsr_gmem_ptr(tsr_int((int64_t)(uintptr_t)x->here), x->type), x->layout);
}

/** Memory for a layout, and a little more or none, full of small integers, of which none is 0: a
 *  sum of few products is 0 or -0, either of which is right. False where there is no memory. */
static bool make_both(tsr_gpu_device const *d, both *x, tsr_dtype type, tsr_layout layout)
{
    size_t const each = (size_t)tsr_dtype_bits(type) / 8;
    size_t const count = (size_t)tsr_cosize(layout) + (any(2) ? 7 : 0);
    x->type = type;
    x->layout = layout;
    x->bytes = count * each;
    x->here = (unsigned char *)malloc(x->bytes);
    for (size_t i = 0; x->here && i < count; ++i) {
        int const number = any(4) - 2;
        tsr_store(type, x->here + i * each, 0, tsr_number_int(number < 0 ? number : number + 1));
    }
    return x->here && tsr_gpu_ok(tsr_gpu_alloc(d, x->bytes, &x->there))
           && tsr_gpu_ok(tsr_gpu_write(&x->there, 0, x->here, x->bytes, NULL));
}

static void free_both(both *x)
{
    (void)tsr_gpu_free(&x->there);
    free(x->here);
}

#endif

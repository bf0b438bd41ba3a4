/** Every kind of handle made, used and given back: the first failure is what a use comes to. */
#ifndef TESTS_GPU_USES_H
#define TESTS_GPU_USES_H

#include "faked.h"

#define STEP(call)     \
  do {                 \
    if (tsr_gpu_ok(r)) \
      r = (call);      \
  } while (0)
#define END(call) /* what cannot be given back is kept, and given back then */ \
  do {                                                                         \
    tsr_gpu_result const e = (call);                                           \
    if (!tsr_gpu_ok(e))                                                        \
      (void)(call);                                                            \
    if (tsr_gpu_ok(r))                                                         \
      r = e;                                                                   \
  } while (0)

static inline tsr_gpu_result use_memory(tsr_gpu_device const *d, tsr_gpu_stream const *stream)
{
    char out[64], in[64], rows[16];
    tsr_gpu_memory m = {0};
    tsr_gpu_result r = tsr_gpu_alloc(d, sizeof out, &m);
    for (int i = 0; i < 64; ++i)
        out[i] = (char)(i * 3);
    STEP(tsr_gpu_write(&m, 0, out, 64, NULL));
    STEP(tsr_gpu_read(&m, 0, in, 64, NULL));
    check(!tsr_gpu_ok(r) || memcmp(out, in, 64) == 0, "what is written is read");
    STEP(tsr_gpu_fill(&m, 8, 7, 8, NULL));
    STEP(tsr_gpu_move(&m, 32, &m, 8, 8, stream));
    STEP(tsr_gpu_read(&m, 32, in, 8, NULL));
    check(!tsr_gpu_ok(r) || (in[0] == 7 && in[7] == 7), "what is moved is read");
    STEP(tsr_gpu_move_rows(d, m.address + 48, 8, m.address, 4, 4, 2, stream));
    STEP(tsr_gpu_read(&m, 48, rows, 16, NULL));
    check(!tsr_gpu_ok(r) || (memcmp(rows, out, 4) == 0 && memcmp(rows + 8, out + 4, 4) == 0), "rows are moved");
    STEP(tsr_gpu_write(&m, 0, out, 4, stream));
    STEP(tsr_gpu_read(&m, 8, in, 8, stream));
    check(!tsr_gpu_ok(r) || (in[0] == 7 && in[7] == 7 && in[8] == out[8]), "what is filled is read");
    END(tsr_gpu_free(&m));
    return r;
}

static inline tsr_gpu_result use_streams(tsr_gpu_device const *d)
{
    tsr_gpu_stream stream = {0};
    tsr_gpu_event a = {0}, b = {0};
    float milliseconds = 0;
    bool come = false;
    tsr_gpu_device other = *d;
    ++other.handle;
    other.context = &other; /* another device's */
    tsr_gpu_result r = tsr_gpu_stream_make(d, &stream);
    STEP(tsr_gpu_event_make(d, &a));
    STEP(tsr_gpu_event_make(d, &b));
    STEP(tsr_gpu_event_record(&a, NULL));
    STEP(tsr_gpu_stream_after(&stream, &a));
    STEP(use_memory(d, &stream));
    STEP(tsr_gpu_event_record(&b, &stream));
    STEP(tsr_gpu_event_wait(&b));
    STEP(tsr_gpu_event_come(&b, &come));
    check(!tsr_gpu_ok(r) || come, "an event has come");
    STEP(tsr_gpu_reach(d, d));
    STEP(tsr_gpu_reach(d, &other));
    STEP(tsr_gpu_event_elapsed(&a, &b, &milliseconds));
    STEP(tsr_gpu_stream_wait(&stream));
    END(tsr_gpu_event_free(&a));
    END(tsr_gpu_event_free(&b));
    END(tsr_gpu_stream_free(&stream));
    return r;
}

/** A kernel in a cluster of 16 blocks with all the shared memory there is. */
static inline tsr_gpu_result use_kernel(tsr_gpu_device const *d)
{
    tsr_gpu_constant constant;
    tsr_gpu_source const source = source_of("kernel", &constant);
    tsr_gpu_cache cache = {0};
    tsr_gpu_kernel kernel;
    tsr_gpu_module module = {0};
    tsr_gpu_memory variable;
    uint64_t address = 0;
    int n = 42;
    tsr_gpu_argument const arguments[] = {TSR_GPU_ARGUMENT(address), TSR_GPU_ARGUMENT(n)};
    tsr_gpu_launch const launch = {.grid = {32, 2}, .block = {128}, .cluster = {16}, .shared = 200000};
    tsr_gpu_result r = tsr_gpu_specialise(&cache, d, &source, NULL, &kernel);
    STEP(tsr_gpu_run(&kernel, &launch, arguments, 2));
    check(!tsr_gpu_ok(r)
              || (fake->grid[0] == 32 && fake->grid[1] == 2 && fake->grid[2] == 1 && fake->block[0] == 128
                  && fake->cluster[0] == 16 && fake->shared == 200000 && fake->argument == 42),
          "the launch is what was asked for");
    STEP(tsr_gpu_module_load(d, "code", &module));
    STEP(tsr_gpu_module_variable(&module, "variable", &variable));
    STEP(tsr_gpu_wait(d));
    END(tsr_gpu_module_free(&module));
    END(tsr_gpu_cache_free(&cache));
    return r;
}

#endif

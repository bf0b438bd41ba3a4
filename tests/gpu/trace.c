/* Traces of launches, against the driver of fake.c: addresses, numbers, what does not fit, and launches that fail.
 *
 * usage: gpu_trace FAKE EMPTY FOLDER */
#define _POSIX_C_SOURCE 200809L

#include "uses.h"
#include "gpu/copy_plan.h"
#include "tessera/gpu/trace.h"

enum { BETWEEN = 64 * 4 };

/** A device, and 64 integers in its memory at 0, 1024 and 2048, which two steps turn. */
typedef struct world {
    tsr_gpu_device device;
    tsr_gpu_cache cache;
    tsr_gpu_memory memory;
    uint64_t first; /* its first multiple of TSR_GPU_KEY_ALIGNED bytes */
    tsr_tensor from, between, to;
} world;

static void open_world(world *w, tsr_gpu const *gpu)
{
    memset(w, 0, sizeof *w);
    reset();
    fake->parameter[0] = sizeof(tsr_relayout);
    fake->parameter[1] = fake->parameter[2] = 8;
    fake->attribute = 1; /* no static shared memory */
    expect(tsr_gpu_open(gpu, 0, &w->device), TSR_GPU_OK, "ok");
    expect(tsr_gpu_alloc(&w->device, 8192, &w->memory), TSR_GPU_OK, "ok");
    size_t const pad = (size_t)(-w->memory.address % TSR_GPU_KEY_ALIGNED);
    w->first = w->memory.address + pad;
    w->from = tsr_gpu_tensor_at(&w->memory, pad, TSR_I32, tsr_parse("(8,8):(1,8)"));
    w->between = tsr_gpu_tensor_at(&w->memory, pad + 1024, TSR_I32, tsr_parse("(8,8):(8,1)"));
    w->to = tsr_gpu_tensor_at(&w->memory, pad + 2048, TSR_I32, tsr_parse("(8,8):(1,8)"));
}

static void close_world(world *w)
{
    tsr_gpu_cache_free(&w->cache);
    expect(tsr_gpu_free(&w->memory), TSR_GPU_OK, "ok");
    expect(tsr_gpu_close(&w->device), TSR_GPU_OK, "ok");
    check_books("after the traces");
}

static tsr_gpu_planned_copy *plan_of(world *w, tsr_number const *alpha, tsr_tensor s, tsr_tensor d)
{
    tsr_gpu_planned_copy *plan = NULL;
    expect(tsr_gpu_copy_plan(&w->cache, &w->device, alpha, s, alpha, d, NULL, &plan), TSR_GPU_OK, "ok");
    return plan;
}

/** Two copies through memory between: alpha x + beta y with two numbers of the call, then as it is. */
static void record(world *w, tsr_gpu_trace *t, bool numbers)
{
    tsr_number const half = tsr_number_real(0.5);
    uint64_t const address[2] = {w->from.engine.address, w->to.engine.address};
    tsr_gpu_planned_copy *plan = plan_of(w, numbers ? &half : NULL, w->from, w->between);
    tsr_gpu_factor const factor[2] = {{-1, half}, {1, half}};
    check(tsr_gpu_trace_begin(t, address, 2), "a trace of two arrays");
    int const m = tsr_gpu_trace_memory(t, w->between.engine.address, BETWEEN - 4);
    check(m == 2, "memory between");
    tsr_gpu_place const first[2] = {{0, 0}, {m, 0}}, second[2] = {{m, 0}, {1, 16}};
    check(tsr_gpu_trace_copy(t, first, numbers ? factor : NULL, &plan) && !plan, "a step takes its plan");
    plan = plan_of(w, NULL, w->between, w->to);
    check(tsr_gpu_trace_copy(t, second, NULL, &plan) && !plan, "another step");
    tsr_gpu_trace_end(t, -1);
}

static void test_addresses(tsr_gpu const *gpu)
{
    world w;
    static tsr_gpu_trace t;
    int ran = -1;
    open_world(&w, gpu);
    record(&w, &t, false);
    check(t.bytes[0] == BETWEEN && t.bytes[1] == 0 && t.written == 2, "what memory is needed, what is written");
    uint64_t const address[2] = {w.first + 256, w.first + 512}, at[2] = {w.first + 3072, 0};
    int const before = fake->launches;
    expect(tsr_gpu_trace_run(&t, address, at, NULL, NULL, &ran), TSR_GPU_OK, "ok");
    check(fake->launches == before + 2 && ran == 2, "two launches");
    check((unsigned)fake->argument == (unsigned)at[0], "the second one reads the memory between");
    uint64_t const moved[2] = {address[0], address[1] + 4};
    expect(tsr_gpu_trace_run(&t, moved, at, NULL, NULL, &ran), TSR_GPU_MOVED, "is not a multiple of");
    check(ran == 1 && fake->launches == before + 3, "the launch behind one that fails is not made");
    tsr_gpu_trace_free(&t);
    close_world(&w);
}

/** A result in new memory, and memory beside it that is not of it. */
static void test_result(tsr_gpu const *gpu)
{
    world w;
    static tsr_gpu_trace t;
    open_world(&w, gpu);
    uint64_t const address[1] = {w.from.engine.address};
    check(tsr_gpu_trace_begin(&t, address, 1), "a trace");
    int const result = tsr_gpu_trace_memory(&t, w.to.engine.address, 300);
    int const a = tsr_gpu_trace_memory(&t, w.between.engine.address, 300), b = tsr_gpu_trace_memory(&t, 1 << 16, 8);
    tsr_gpu_planned_copy *plan = plan_of(&w, NULL, w.from, w.between);
    tsr_gpu_place const first[2] = {{a, 0}, {b, 0}}, second[2] = {{b, 32}, {result, 0}};
    check(tsr_gpu_trace_copy(&t, first, NULL, &plan), "a step");
    plan = plan_of(&w, NULL, w.between, w.to);
    check(tsr_gpu_trace_copy(&t, second, NULL, &plan), "a step");
    tsr_gpu_trace_end(&t, result);
    check(t.bytes[0] == 512 + 256 && t.bytes[1] == 300 && t.written == 0, "memory between and of the result");
    check(t.step[0].at[1].memory == 1 && t.step[0].at[1].offset == 512, "behind the first one");
    check(t.step[1].at[0].offset == 512 + 32 && t.step[1].at[1].memory == 2, "a place in it, and the result");
    tsr_gpu_trace_free(&t);
    close_world(&w);
}

static void test_numbers(tsr_gpu const *gpu)
{
    world w;
    static tsr_gpu_trace t;
    int ran = -1;
    open_world(&w, gpu);
    record(&w, &t, true);
    uint64_t const address[2] = {w.first, w.first + 2048}, at[2] = {w.first + 1024, 0};
    tsr_number number[2] = {tsr_number_int(0), tsr_number_int(3)};
    int const before = fake->launches;
    expect(tsr_gpu_trace_run(&t, address, at, number, NULL, &ran), TSR_GPU_OK, "ok");
    check(fake->launches == before + 2, "with another number");
    number[1] = tsr_number_int(0);
    expect(tsr_gpu_trace_run(&t, address, at, number, NULL, &ran), TSR_GPU_NUMBERS, "0 and 1 differ from others");
    check(ran == 0 && fake->launches == before + 2, "nothing was launched");
    tsr_gpu_trace_free(&t);
    close_world(&w);
}

static void test_limits(tsr_gpu const *gpu)
{
    world w;
    static tsr_gpu_trace t;
    uint64_t const address[TSR_GPU_KEY_ARRAYS + 1] = {0};
    open_world(&w, gpu);
    check(!tsr_gpu_trace_begin(&t, address, 0) && !tsr_gpu_trace_begin(&t, address, TSR_GPU_KEY_ARRAYS + 1),
          "arrays");
    check(tsr_gpu_trace_begin(&t, address, 2), "a trace");
    check(tsr_gpu_trace_memory(&t, 128, 8) == -1, "memory of another place");
    for (int i = 0; i < TSR_GPU_TRACE_BETWEEN; ++i)
        check(tsr_gpu_trace_memory(&t, 256, 8) == 2 + i, "as much memory as there may be");
    check(tsr_gpu_trace_memory(&t, 256, 8) == -1, "one more");
    tsr_gpu_place const good[2] = {{0, 0}, {1, 0}}, none[2] = {{0, 0}, {-1, 0}}, late[2] = {{64, 0}, {1, 0}};
    tsr_gpu_planned_copy *plan = plan_of(&w, NULL, w.from, w.between);
    check(!tsr_gpu_trace_copy(&t, none, NULL, &plan) && !tsr_gpu_trace_copy(&t, late, NULL, &plan) && plan,
          "an operand without a place, the plan stays");
    check(tsr_gpu_trace_copy(&t, good, NULL, &plan), "a step");
    for (int i = 1; i < TSR_GPU_TRACE_STEPS; ++i)
        check(tsr_gpu_trace_reduce(&t, good, NULL), "as many steps as there may be");
    check(!tsr_gpu_trace_reduce(&t, good, NULL), "one more");
    tsr_gpu_trace_free(&t);
    close_world(&w);
}

int main(int argc, char **argv)
{
    tsr_gpu gpu = {0};
    void *library = NULL;
    if (argc != 4 || !load_fake(argv[1], &library))
        return 2;
    find_fake(&gpu, argv[1]);
    test_addresses(&gpu);
    test_result(&gpu);
    test_numbers(&gpu);
    test_limits(&gpu);
    return unload_fake(&gpu, library);
}

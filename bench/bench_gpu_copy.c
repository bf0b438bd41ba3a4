/** tsr_gpu_copy on a GPU beside a copy from device to device that moves as many bytes: in turns, between rotating
 *  buffers, by events, the median of the rounds; and what a plan and a launch cost the host.
 *
 *  usage: bench_gpu_copy [FOLDER [WORD...]]. FOLDER keeps the kernels. With words, other tiles for cases that
 *  have one in their names. */
#include "timing.h"

#include "gpu/copy_plan.h"
#include "tessera/text.h"

enum { ROUNDS = 9, REPEATS = 4, SAMPLES = 400, PATTERN = (1 << 24) - 61 };

#define ROOM ((size_t)4400 << 20)

typedef struct bench {
    tsr_gpu_device device;
    tsr_gpu_cache cache;
    tsr_gpu_memory from[2], to[2];
    tsr_gpu_event begin, end;
    unsigned char *pattern; /* byte k of a source is pattern[k % PATTERN] */
} bench;

static void need(tsr_gpu_result r, char const *what)
{
    char text[512];
    if (tsr_gpu_ok(r))
        return;
    tsr_format_gpu_result(text, sizeof text, r);
    printf("%s: %s\n", what, text);
    exit(1);
}

/** The layout of a shape whose modes lie in this order, the closest one first; rows are `pad` elements longer. */
static tsr_layout ordered(int rank, int64_t const *shape, int const *order, int64_t pad)
{
    tsr_layout l = TSR_ZERO;
    int64_t step = 1;
    tsr_tuple s = TSR_ZERO;
    for (int i = 0; i < rank; ++i)
        tsr_tuple_push_leaf(&s, tsr_leaf_dynamic(shape[i]));
    l.shape = l.stride = tsr_tuple_close(s);
    for (int k = 0; k < rank; ++k) {
        l.stride.leaf[order[k]].value = step;
        step *= shape[order[k]];
        step += k == 0 ? pad : 0;
    }
    return l;
}

typedef struct relayout {
    char const *name;
    tsr_dtype from_type, to_type;
    int rank;
    int64_t shape[6];
    int order[6]; /* of the destination; the source has its modes in order */
    int64_t pad;
    double alpha, beta; /* 0: a copy */
} relayout;

static tsr_number element(unsigned char const *bytes, tsr_dtype type) { return tsr_load(type, bytes, 0); }

/** Some elements are where they should be. */
static bool is_right(bench const *b, relayout const *c, tsr_layout from, tsr_layout to)
{
    int64_t const size = tsr_size(from);
    int const in = tsr_dtype_bits(c->from_type) / 8, out = tsr_dtype_bits(c->to_type) / 8;
    for (int64_t k = 0; k < SAMPLES; ++k) {
        unsigned char x[16] = {0}, y[16] = {0}, wanted[16] = {0};
        int64_t const i = k < 4 ? (size - 1) * (k & 1) : (k * 2654435761 + k * k * 97) % size;
        int64_t const at = tsr_at(from, i) * in;
        for (int n = 0; n < in; ++n)
            x[n] = b->pattern[(at + n) % PATTERN];
        if (c->from_type == c->to_type)
            memcpy(wanted, x, sizeof x);
        else
            tsr_store(c->to_type, wanted, 0, element(x, c->from_type));
        need(tsr_gpu_read(&b->to[0], (size_t)(tsr_at(to, i) * out), y, (size_t)out, NULL), "read");
        if (memcmp(y, wanted, (size_t)out) != 0)
            return false;
    }
    return true;
}

static int compare_floats(void const *a, void const *b)
{
    float const x = *(float const *)a, y = *(float const *)b;
    return (x > y) - (x < y);
}

static void measure(bench *b, relayout const *c, gpu_copy_wishes const *wishes)
{
    int const order[] = {0, 1, 2, 3, 4, 5};
    float ms[2][ROUNDS];
    tsr_gpu_planned_copy plan;
    bool const scaled = c->alpha != 0;
    tsr_number const alpha = tsr_number_real(c->alpha), beta = tsr_number_real(c->beta);
    tsr_layout const from = ordered(c->rank, c->shape, order, 0), to = ordered(c->rank, c->shape, c->order, c->pad);
    tsr_tensor const s = tsr_gpu_tensor_at(&b->from[0], 0, c->from_type, from),
                     d = tsr_gpu_tensor_at(&b->to[0], 0, c->to_type, to);
    char words[4096] = "";
    tsr_gpu_log const log = {words, sizeof words};
    tsr_gpu_result const made = tsr_gpu_copy_make_(&b->cache, &b->device, scaled ? &alpha : NULL, s,
                                                   scaled ? &beta : NULL, d, wishes, &log, &plan);
    if (!tsr_gpu_ok(made))
        printf("%s\n", words);
    need(made, c->name);
    double const size = (double)tsr_size(from), in = size * tsr_dtype_bits(c->from_type) / 8,
                 out = size * tsr_dtype_bits(c->to_type) / 8, bytes = in + out * (scaled ? 2 : 1);
    need(tsr_gpu_copy_run(&plan, b->from[0].address, b->to[0].address, NULL), c->name);
    if (!scaled && !is_right(b, c, from, to)) {
        printf("%s: WRONG\n", c->name);
        exit(1);
    }
    for (int round = -1; round < ROUNDS; ++round)
        for (int who = 0; who < 2; ++who) {
            float *const t = &ms[who][round < 0 ? 0 : round];
            need(tsr_gpu_event_record(&b->begin, NULL), "record");
            for (int k = 0; k < REPEATS; ++k)
                need(who == 0 ? tsr_gpu_move(&b->to[k & 1], 0, &b->from[k & 1], 0, (size_t)(bytes / 2), NULL)
                              : tsr_gpu_copy_run(&plan, b->from[k & 1].address, b->to[k & 1].address, NULL),
                     c->name);
            need(tsr_gpu_event_record(&b->end, NULL), "record");
            need(tsr_gpu_event_wait(&b->end), "wait");
            need(tsr_gpu_event_elapsed(&b->begin, &b->end, t), "elapsed");
            *t /= REPEATS;
        }
    for (int who = 0; who < 2; ++who)
        qsort(ms[who], ROUNDS, sizeof(float), compare_floats);
    float const copy = ms[0][ROUNDS / 2], mine = ms[1][ROUNDS / 2];
    printf("%-34s %8.3f ms  %5.2f TB/s  %5.3f of the copy's %5.2f   %dx%d items, %d -> %d bytes, batch %d\n", c->name,
           mine, bytes / mine * 1e-9, copy / mine, bytes / copy * 1e-9, plan.numbers.tile_rows,
           plan.numbers.tile_columns, plan.form.from_item * plan.form.from_items,
           plan.form.to_item * plan.form.to_items, plan.form.batch);
    fflush(stdout);
}

/** What the host spends: launches in short bursts, so that it does not wait for the GPU. */
static void measure_host(bench *b)
{
    enum { BURST = 64, BURSTS = 101 };
    static double plans[BURSTS], copies[BURSTS], launches[BURSTS];
    tsr_layout const from = tsr_parse("(64,64,8):(64,1,4096)"), to = tsr_parse("(64,64,8):(1,64,4096)");
    tsr_tensor const s = tsr_gpu_tensor_at(&b->from[0], 0, TSR_F32, from),
                     d = tsr_gpu_tensor_at(&b->to[0], 0, TSR_F32, to);
    gpu_copy_wishes const none = {0};
    tsr_gpu_planned_copy plan;
    for (int k = 0; k < BURSTS; ++k) {
        double const start = bench_now();
        for (int i = 0; i < BURST; ++i)
            need(tsr_gpu_plan_copy_(NULL, s, NULL, d, &none, NULL, &plan), "plan");
        double const planned = bench_now();
        for (int i = 0; i < BURST; ++i)
            need(tsr_gpu_copy(&b->cache, &b->device, s, d, NULL, NULL), "copy");
        double const copied = bench_now();
        need(tsr_gpu_wait(&b->device), "wait");
        need(tsr_gpu_copy_make_(&b->cache, &b->device, NULL, s, NULL, d, &none, NULL, &plan), "plan");
        double const again = bench_now();
        for (int i = 0; i < BURST; ++i)
            need(tsr_gpu_copy_run(&plan, s.engine.address, d.engine.address, NULL), "run");
        double const launched = bench_now();
        need(tsr_gpu_wait(&b->device), "wait");
        plans[k] = (planned - start) / BURST;
        copies[k] = (copied - planned) / BURST;
        launches[k] = (launched - again) / BURST;
    }
    qsort(plans, BURSTS, sizeof *plans, bench_compare);
    qsort(copies, BURSTS, sizeof *copies, bench_compare);
    qsort(launches, BURSTS, sizeof *launches, bench_compare);
    printf("the host: a plan %.2f us, a launch %.2f us, plan, cached kernel and launch %.2f us\n",
           plans[BURSTS / 2] * 1e-3, launches[BURSTS / 2] * 1e-3, copies[BURSTS / 2] * 1e-3);
}

/* clang-format off */
static relayout const cases[] = {
    {"contiguous f32", TSR_F32, TSR_F32, 1, {1 << 29}, {0}, 0, 0, 0},
    {"rows of 16384 f32 to pitch 16448", TSR_F32, TSR_F32, 2, {16384, 16384}, {0, 1}, 64, 0, 0},
    {"transpose f32 8192", TSR_F32, TSR_F32, 2, {8192, 8192}, {1, 0}, 0, 0, 0},
    {"transpose f32 16384", TSR_F32, TSR_F32, 2, {16384, 16384}, {1, 0}, 0, 0, 0},
    {"transpose f32 32768", TSR_F32, TSR_F32, 2, {32768, 32768}, {1, 0}, 0, 0, 0},
    {"transpose f16 8192", TSR_F16, TSR_F16, 2, {8192, 8192}, {1, 0}, 0, 0, 0},
    {"transpose f16 16384", TSR_F16, TSR_F16, 2, {16384, 16384}, {1, 0}, 0, 0, 0},
    {"transpose f16 32768", TSR_F16, TSR_F16, 2, {32768, 32768}, {1, 0}, 0, 0, 0},
    {"transpose f64 16384", TSR_F64, TSR_F64, 2, {16384, 16384}, {1, 0}, 0, 0, 0},
    {"transpose u8 32768", TSR_U8, TSR_U8, 2, {32768, 32768}, {1, 0}, 0, 0, 0},
    {"permute f32 201 of 512,1024,1024", TSR_F32, TSR_F32, 3, {512, 1024, 1024}, {2, 0, 1}, 0, 0, 0},
    {"permute f32 120 of 512,1024,1024", TSR_F32, TSR_F32, 3, {512, 1024, 1024}, {1, 2, 0}, 0, 0, 0},
    {"permute f32 210 of 512,1024,1024", TSR_F32, TSR_F32, 3, {512, 1024, 1024}, {2, 1, 0}, 0, 0, 0},
    {"permute f32 102 of 512,1024,1024", TSR_F32, TSR_F32, 3, {512, 1024, 1024}, {1, 0, 2}, 0, 0, 0},
    {"permute f32 021 of 512,1024,1024", TSR_F32, TSR_F32, 3, {512, 1024, 1024}, {0, 2, 1}, 0, 0, 0},
    {"permute f32 021 of 64,4096,2048", TSR_F32, TSR_F32, 3, {64, 4096, 2048}, {0, 2, 1}, 0, 0, 0},
    {"permute f32 021 of 8,8192,8192", TSR_F32, TSR_F32, 3, {8, 8192, 8192}, {0, 2, 1}, 0, 0, 0},
    {"permute f32 3210 of 152^4", TSR_F32, TSR_F32, 4, {152, 152, 152, 152}, {3, 2, 1, 0}, 0, 0, 0},
    {"permute f32 2031 of 152^4", TSR_F32, TSR_F32, 4, {152, 152, 152, 152}, {2, 0, 3, 1}, 0, 0, 0},
    {"permute f32 43210 of 56^5", TSR_F32, TSR_F32, 5, {56, 56, 56, 56, 56}, {4, 3, 2, 1, 0}, 0, 0, 0},
    {"permute f32 543210 of 28^6", TSR_F32, TSR_F32, 6, {28, 28, 28, 28, 28, 28}, {5, 4, 3, 2, 1, 0}, 0, 0, 0},
    {"permute f32 425031 of 28^6", TSR_F32, TSR_F32, 6, {28, 28, 28, 28, 28, 28}, {4, 2, 5, 0, 3, 1}, 0, 0, 0},
    {"permute f16 543210 of 32^6", TSR_F16, TSR_F16, 6, {32, 32, 32, 32, 32, 32}, {5, 4, 3, 2, 1, 0}, 0, 0, 0},
    {"NHWC to NCHW f32", TSR_F32, TSR_F32, 4, {128, 224, 224, 64}, {1, 2, 0, 3}, 0, 0, 0},
    {"NCHW to NHWC f16", TSR_F16, TSR_F16, 4, {224, 224, 256, 64}, {2, 0, 1, 3}, 0, 0, 0},
    {"ragged transpose f32 16383x16381", TSR_F32, TSR_F32, 2, {16383, 16381}, {1, 0}, 0, 0, 0},
    {"ragged transpose f16 16383x16381", TSR_F16, TSR_F16, 2, {16383, 16381}, {1, 0}, 0, 0, 0},
    {"ragged f32 210 of 511,1021,1023", TSR_F32, TSR_F32, 3, {511, 1021, 1023}, {2, 1, 0}, 0, 0, 0},
    {"ragged f32 2031 of 151,149,153,155", TSR_F32, TSR_F32, 4, {151, 149, 153, 155}, {2, 0, 3, 1}, 0, 0, 0},
    {"ragged f32 543210 of 27..31", TSR_F32, TSR_F32, 6, {27, 29, 28, 31, 26, 25}, {5, 4, 3, 2, 1, 0}, 0, 0, 0},
    {"ragged rows f32 021 of 333,1111,1222", TSR_F32, TSR_F32, 3, {333, 1111, 1222}, {0, 2, 1}, 0, 0, 0},
    {"interleaved u8 3 to planes", TSR_U8, TSR_U8, 2, {3, 1 << 29}, {1, 0}, 0, 0, 0},
    {"planes u8 to 3 interleaved", TSR_U8, TSR_U8, 2, {1 << 29, 3}, {1, 0}, 0, 0, 0},
    {"pixels f32 3 021 of 8192,8192", TSR_F32, TSR_F32, 3, {3, 8192, 8192}, {0, 2, 1}, 0, 0, 0},
    {"cast f32 to bf16", TSR_F32, TSR_BF16, 1, {1 << 29}, {0}, 0, 0, 0},
    {"cast bf16 to f32", TSR_BF16, TSR_F32, 1, {1 << 29}, {0}, 0, 0, 0},
    {"cast f32 to f16", TSR_F32, TSR_F16, 1, {1 << 29}, {0}, 0, 0, 0},
    {"cast f32 to e4m3", TSR_F32, TSR_F8_E4M3FN, 1, {1 << 29}, {0}, 0, 0, 0},
    {"cast e4m3 to f32", TSR_F8_E4M3FN, TSR_F32, 1, {1 << 29}, {0}, 0, 0, 0},
    {"cast f16 to e5m2", TSR_F16, TSR_F8_E5M2, 1, {1 << 29}, {0}, 0, 0, 0},
    {"cast bf16 to e4m3", TSR_BF16, TSR_F8_E4M3FN, 1, {1 << 29}, {0}, 0, 0, 0},
    {"cast i8 to f32", TSR_I8, TSR_F32, 1, {1 << 29}, {0}, 0, 0, 0},
    {"cast f32 to i8", TSR_F32, TSR_I8, 1, {1 << 29}, {0}, 0, 0, 0},
    {"cast i32 to f32", TSR_I32, TSR_F32, 1, {1 << 29}, {0}, 0, 0, 0},
    {"cast f32 to i32", TSR_F32, TSR_I32, 1, {1 << 29}, {0}, 0, 0, 0},
    {"cast f64 to f32", TSR_F64, TSR_F32, 1, {1 << 28}, {0}, 0, 0, 0},
    {"cast f32 to bf16, transposed", TSR_F32, TSR_BF16, 2, {16384, 16384}, {1, 0}, 0, 0, 0},
    {"cast bf16 to f32, transposed", TSR_BF16, TSR_F32, 2, {16384, 16384}, {1, 0}, 0, 0, 0},
    {"2 A + B/2, f32", TSR_F32, TSR_F32, 1, {1 << 29}, {0}, 0, 2, 0.5},
    {"2 A + B/2, bf16", TSR_BF16, TSR_BF16, 1, {1 << 29}, {0}, 0, 2, 0.5},
    {"0.7 A + 0.3 B, bf16", TSR_BF16, TSR_BF16, 1, {1 << 29}, {0}, 0, 0.7, 0.3},
    {"2 A + B/2, f16", TSR_F16, TSR_F16, 1, {1 << 29}, {0}, 0, 2, 0.5},
    {"2 A + B/2, f32 to bf16", TSR_F32, TSR_BF16, 1, {1 << 29}, {0}, 0, 2, 0.5},
    {"2 A' + B/2, bf16, transposed", TSR_BF16, TSR_BF16, 2, {16384, 16384}, {1, 0}, 0, 2, 0.5},
    {"2 A' + B/2, f32, transposed", TSR_F32, TSR_F32, 2, {16384, 16384}, {1, 0}, 0, 2, 0.5},
};
/* clang-format on */

/** Other tiles and batches for the cases whose names hold a word. */
static void tune(bench *b, char const *word)
{
    static gpu_copy_wishes const wishes[] = {
        {0, 0, 8, 0, false},     {0, 0, 16, 0, false},    {128, 256, 0, 0, false}, {256, 256, 0, 0, false},
        {256, 512, 0, 0, false}, {512, 256, 0, 0, false}, {128, 512, 0, 0, false}, {0, 0, 1, 0, true},
        {0, 0, 2, 0, true},      {0, 0, 4, 0, true},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
        for (size_t w = 0; strstr(cases[k].name, word) && w < sizeof wishes / sizeof *wishes; ++w)
            if (wishes[w].direct == (strstr(word, "cast") != NULL))
                measure(b, &cases[k], &wishes[w]);
}

int main(int argc, char **argv)
{
    static bench b;
    tsr_gpu gpu = {0};
    need(tsr_gpu_find_driver(&gpu, NULL), "the driver");
    need(tsr_gpu_find_compiler(&gpu, NULL), "NVRTC");
    need(tsr_gpu_open(&gpu, 0, &b.device), "the device");
    b.cache.folder = argc > 1 ? argv[1] : NULL;
    b.pattern = (unsigned char *)malloc(PATTERN);
    if (!b.pattern)
        return 1;
    uint64_t state = 1;
    for (int i = 0; i < PATTERN; ++i) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        b.pattern[i] = (unsigned char)(state >> 56);
    }
    for (int i = 0; i < 2; ++i) {
        need(tsr_gpu_alloc(&b.device, ROOM, &b.from[i]), "memory");
        need(tsr_gpu_alloc(&b.device, ROOM, &b.to[i]), "memory");
        need(tsr_gpu_fill(&b.to[i], 0, 0, ROOM, NULL), "memory");
    }
    size_t done = PATTERN;
    need(tsr_gpu_write(&b.from[0], 0, b.pattern, PATTERN, NULL), "the source");
    for (; done < ROOM; done *= 2) /* copies of whole patterns */
        need(tsr_gpu_move(&b.from[0], done, &b.from[0], 0, done < ROOM - done ? done : ROOM - done, NULL),
             "the source");
    need(tsr_gpu_move(&b.from[1], 0, &b.from[0], 0, ROOM, NULL), "the source");
    need(tsr_gpu_event_make(&b.device, &b.begin), "event");
    need(tsr_gpu_event_make(&b.device, &b.end), "event");
    bench_print_machine();
    printf("%s\n", b.device.name);
    gpu_copy_wishes const none = {0};
    for (int k = 2; k < argc; ++k)
        tune(&b, argv[k]);
    if (argc <= 2)
        for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k)
            measure(&b, &cases[k], &none);
    measure_host(&b);
    tsr_gpu_cache_free(&b.cache);
    need(tsr_gpu_close(&b.device), "close");
    tsr_gpu_forget(&gpu);
    free(b.pattern);
    return 0;
}

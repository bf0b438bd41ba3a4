/* Which row runs, in how many threads. */
#include <stdatomic.h>
#include <stdlib.h>

#include "exec/engine.h"
#include "tessera/exec/engine.h"

/** What is smaller is moved by one thread; more than one take this many parts each. */
enum { THREAD_BYTES = 1 << 20, PARTS = 16 };

typedef struct row {
    char const *name;
    engine_kernels const *kernels; /* NULL: the portable loops */
} row;

/** Row i of those that this machine has; without a name behind the last. */
static row row_at(int i)
{
#define X(name)                                    \
  {                                                \
    row const r = {#name, tsr_engine_##name##_()}; \
    if (r.kernels && i-- == 0)                     \
      return r;                                    \
  }
    X(amx)
    ENGINE_ROW_LIST(X)
#undef X
    row const loops = {i == 0 ? "loops" : NULL, NULL};
    return loops;
}

/** The place of a row, or -1. */
static int place_of(char const *name)
{
    for (int i = 0; row_at(i).name; ++i)
        if (strcmp(row_at(i).name, name) == 0)
            return i;
    return -1;
}

static atomic_int chosen = -1; /* -1: the environment was not asked yet */
static atomic_int most_threads;

static int choice(void)
{
    int i = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (i < 0) {
        char const *const name = getenv("TESSERA_ENGINE");
        i = (int)tsr_max64(name ? place_of(name) : 0, 0);
        atomic_store_explicit(&chosen, i, memory_order_relaxed);
    }
    return i;
}

engine_kernels const *tsr_engine_chosen_(void) { return row_at(choice()).kernels; }

char const *tsr_cpu_engine_row(int i) { return i < 0 ? NULL : row_at(i).name; }

char const *tsr_cpu_engine_name(void) { return row_at(choice()).name; }

bool tsr_cpu_engine_use(char const *name)
{
    int const i = name ? place_of(name) : 0;
    if (i >= 0)
        atomic_store_explicit(&chosen, i, memory_order_relaxed);
    return i >= 0;
}

int tsr_cpu_engine_threads(int most)
{
    atomic_store_explicit(&most_threads, most, memory_order_relaxed);
    return tsr_engine_threads_();
}

/* Of a program that has OpenMP: its threads are at work already. */
#if defined(__ELF__)
extern int omp_in_parallel(void) __attribute__((weak));
#else
static int (*const omp_in_parallel)(void) = NULL;
#endif

int tsr_engine_threads_(void)
{
    int const most = atomic_load_explicit(&most_threads, memory_order_relaxed);
    return omp_in_parallel && omp_in_parallel() ? 1 : most > 0 ? most : tsr_engine_most_threads_();
}

/** How many threads n units are worth. */
static int threads_for(tsr_planned_copy const *p, int64_t n)
{
    int64_t block = p->item / 8;
    for (int i = 0; i < p->box; ++i)
        block *= p->loop[i].count;
    if (p->to.type != 0 && tsr_dtype_bits(p->to.type) % 8 != 0)
        return 1; /* units may share a byte */
    return n * tsr_max64(block, 1) < THREAD_BYTES ? 1 : (int)tsr_min64(tsr_engine_threads_(), n);
}

static int64_t run(engine_kernels const *k, tsr_planned_copy const *p, void *to, void const *from, int64_t first,
                   int64_t last)
{
    uint64_t const y = p->to.absolute ? 0 : (uint64_t)(uintptr_t)to;
    uint64_t const x = p->from.absolute ? 0 : (uint64_t)(uintptr_t)from;
    if (k && tsr_engine_is_fill_(p))
        return tsr_engine_fill_(k, p, y, x, first, last) * p->item / tsr_dtype_bits(p->to.type);
    if (!k || p->kind == TSR_BLOCK_ITEMS || (p->way != TSR_WAY_BYTES && p->way != TSR_WAY_CONVERT))
        return tsr_copy_loops_at(p, from, to, first, last);
    int64_t const moved = p->kind == TSR_BLOCK_ROWS ? tsr_engine_rows_(k, p, y, x, first, last)
                                                    : tsr_engine_tiles_(k, p, y, x, first, last);
    if (p->stream)
        ENGINE_FENCE();
    return moved * p->item / tsr_dtype_bits(p->to.type);
}

/** A copy in parts. */
typedef struct shared_copy {
    engine_kernels const *kernels;
    tsr_planned_copy const *plan;
    void const *from;
    void *to;
    int64_t first, last, part;
    atomic_llong moved;
} shared_copy;

static void run_part_of_copy(void *context, int worker, int64_t i)
{
    shared_copy *const c = (shared_copy *)context;
    (void)worker;
    int64_t const first = c->first + i * c->part, last = tsr_min64(first + c->part, c->last);
    atomic_fetch_add_explicit(&c->moved, run(c->kernels, c->plan, c->to, c->from, first, last), memory_order_relaxed);
}

static int64_t parts_of(int64_t n, int64_t part) { return (n - 1) / part + 1; }

int64_t tsr_engine_run(tsr_planned_copy const *p, void const *from, void *to, int64_t first, int64_t last)
{
    engine_kernels const *const k = tsr_engine_chosen_();
    if (k && first == 0 && last == 1 && tsr_engine_is_small_(p)) {
        uint64_t const y = p->to.absolute ? 0 : (uint64_t)(uintptr_t)to;
        uint64_t const x = p->from.absolute ? 0 : (uint64_t)(uintptr_t)from;
        return tsr_engine_run_small_(k, p, y, x) * p->item / tsr_dtype_bits(p->to.type);
    }
    int const threads = threads_for(p, last - first);
    if (threads <= 1)
        return run(k, p, to, from, first, last);
    int64_t const part = tsr_max64((last - first) / (threads * PARTS), 1);
    shared_copy c = {k, p, from, to, first, last, part, 0};
    tsr_engine_share_(threads, parts_of(last - first, part), run_part_of_copy, &c);
    return atomic_load_explicit(&c.moved, memory_order_relaxed);
}

/** Elements first to last - 1, in pieces of a block of what repeats. */
static bool combine_piece(int op, tsr_dtype type, void *to, void const *const *x, bool const *repeats, int64_t first,
                          int64_t last)
{
    enum { BLOCK = 4096 };
    _Alignas(64) unsigned char block[BLOCK];
    int64_t const bytes = tsr_dtype_bits(type) / 8, n = last - first;
    int64_t const piece = repeats[0] || repeats[1] ? tsr_min64(BLOCK / bytes, n) : n;
    unsigned char const *from[2];
    for (int i = 0; i < 2; ++i)
        from[i] = repeats[i] ? block : (unsigned char const *)x[i] + first * bytes;
    if (repeats[0] || repeats[1])
        memcpy(block, x[repeats[0] ? 0 : 1], (size_t)bytes);
    for (int64_t k = bytes; (repeats[0] || repeats[1]) && k < piece * bytes; k *= 2)
        memcpy(block + k, block, (size_t)tsr_min64(k, piece * bytes - k));
    bool done = true;
    for (int64_t i = 0; done && i < n; i += piece)
        done = tsr_engine_combine_run(op, type, (unsigned char *)to + (first + i) * bytes,
                                      from[0] + (repeats[0] ? 0 : i * bytes), from[1] + (repeats[1] ? 0 : i * bytes),
                                      tsr_min64(piece, n - i));
    return done;
}

/** Combinations in parts: of elements side by side, or of tensors on their way. */
typedef struct shared_combination {
    int op;
    tsr_dtype type;
    void *to;
    void const *const *from;
    bool const *repeats;
    tsr_combination_ const *of;
    tsr_transform_ const *whole;
    int64_t n, part;
    atomic_bool failed;
} shared_combination;

static void run_part_of_all(void *context, int worker, int64_t i)
{
    shared_combination *const c = (shared_combination *)context;
    (void)worker;
    int64_t const first = i * c->part, last = tsr_min64(first + c->part, c->n);
    if (!combine_piece(c->op, c->type, c->to, c->from, c->repeats, first, last))
        atomic_store_explicit(&c->failed, true, memory_order_relaxed);
}

static void run_part_of_tensors(void *context, int worker, int64_t i)
{
    shared_combination const *const c = (shared_combination const *)context;
    (void)worker;
    tsr_combine_part_(c->of, c->whole, i * c->part, tsr_min64((i + 1) * c->part, c->n));
}

/** How many threads a result of n elements is worth. */
static int threads_of_result(tsr_dtype type, int64_t n)
{
    int const bits = tsr_dtype_bits(type);
    return bits % 8 != 0 || n * bits / 8 < THREAD_BYTES ? 1 : tsr_engine_threads_();
}

static int64_t part_for(int64_t n, int threads) { return tsr_round_up64(n / (threads * PARTS) + 1, TSR_TRANSFORMED); }

bool tsr_engine_combine_all(int op, tsr_dtype type, void *to, void const *x, bool x_repeats, void const *y,
                            bool y_repeats, int64_t n)
{
    void const *const from[2] = {x, y};
    bool const repeats[2] = {x_repeats, y_repeats};
    int const threads = threads_of_result(type, n);
    if (threads <= 1)
        return combine_piece(op, type, to, from, repeats, 0, n);
    shared_combination c = {
        .op = op, .type = type, .to = to, .from = from, .repeats = repeats, .n = n, .part = part_for(n, threads)};
    tsr_engine_share_(threads, parts_of(n, c.part), run_part_of_all, &c);
    return !atomic_load_explicit(&c.failed, memory_order_relaxed);
}

void tsr_engine_combine(tsr_combination_ const *of, tsr_transform_ *t)
{
    int64_t const n = t->left;
    int const threads = threads_of_result(t->side[2].type, n);
    if (threads <= 1) {
        tsr_combine_run_(of, t);
        return;
    }
    shared_combination c = {.of = of, .whole = t, .n = n, .part = part_for(n, threads)};
    tsr_engine_share_(threads, parts_of(n, c.part), run_part_of_tensors, &c);
}

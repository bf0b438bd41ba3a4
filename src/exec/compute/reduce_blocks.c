/* Reductions by the kernels of a row. Threads take blocks of results. If blocks are few, threads take pieces of one
 * block. */
#include "exec/engine.h"

/** What is smaller is reduced by one thread. */
enum { THREAD_ELEMENTS = 1 << 18 };

static int threads_for(tsr_planned_reduce const *p)
{
    int64_t each = 1;
    for (int i = 0; i < p->reduced; ++i)
        each *= p->over[i].count;
    bool const small = each * tsr_max64(p->results, 1) < THREAD_ELEMENTS;
    return small || tsr_dtype_bits(p->to.type) % 8 != 0 ? 1 : tsr_engine_threads_(); /* blocks may share a byte */
}

/** A reduction in parts: whole blocks, or pieces of one. */
typedef struct shared_reduction {
    tsr_planned_reduce const *plan;
    tsr_reducer_ const *kernels;
    uint64_t to, from;
    int64_t at, n; /* of a block */
    uint64_t (*acc)[TSR_REDUCE_WIDTH];
} shared_reduction;

static void run_piece(void *context, int worker, int64_t piece)
{
    shared_reduction const *const r = (shared_reduction const *)context;
    (void)worker;
    tsr_reduce_piece_(r->plan, r->kernels, r->from, r->at, r->n, piece, r->acc[piece]);
}

static void run_block(void *context, int worker, int64_t block)
{
    shared_reduction const *const r = (shared_reduction const *)context;
    (void)worker;
    tsr_reduce_block_(r->plan, r->kernels, r->to, r->from, block);
}

/** One block, its pieces shared by threads. */
static void reduce_pieces(shared_reduction r, int64_t block, int threads)
{
    uint64_t acc[TSR_REDUCE_PIECES][TSR_REDUCE_WIDTH];
    int64_t at[2];
    r.n = tsr_reduce_block_at_(r.plan, block, at);
    r.at = at[0];
    r.acc = acc;
    tsr_engine_share_(threads, r.plan->pieces, run_piece, &r);
    for (int64_t piece = 1; piece < r.plan->pieces; ++piece)
        tsr_reduce_add_(r.plan, r.kernels, acc[0], acc[piece], r.n);
    tsr_reduce_finish_(r.plan, r.kernels, r.to, at[1], r.n, acc[0]);
}

void tsr_engine_reduce(tsr_planned_reduce const *p, void const *from, void *to)
{
    tsr_reducer_ const k = tsr_engine_reducer_();
    shared_reduction r = {.plan = p,
                          .kernels = &k,
                          .to = p->to.absolute ? 0 : (uint64_t)(uintptr_t)to,
                          .from = p->from.absolute ? 0 : (uint64_t)(uintptr_t)from};
    int const threads = threads_for(p);
    if (threads > 1 && p->blocks >= threads) {
        tsr_engine_share_(threads, p->blocks, run_block, &r);
        return;
    }
    for (int64_t i = 0; i < p->blocks; ++i)
        if (threads > 1)
            reduce_pieces(r, i, (int)tsr_min64(threads, p->pieces));
        else
            run_block(&r, 0, i);
}

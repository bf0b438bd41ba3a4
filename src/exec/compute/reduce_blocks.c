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

/** One block, its pieces shared by threads. */
static void reduce_pieces(tsr_planned_reduce const *p, tsr_reducer_ const *k, uint64_t to, uint64_t from,
                          int64_t block, int threads)
{
    uint64_t acc[TSR_REDUCE_PIECES][TSR_REDUCE_WIDTH];
    int64_t at[2];
    int64_t const n = tsr_reduce_block_at_(p, block, at);
    (void)threads;
#if defined(_OPENMP)
#  pragma omp parallel for num_threads(threads) schedule(dynamic)
#endif
    for (int64_t piece = 0; piece < p->pieces; ++piece)
        tsr_reduce_piece_(p, k, from, at[0], n, piece, acc[piece]);
    for (int64_t piece = 1; piece < p->pieces; ++piece)
        tsr_reduce_add_(p, k, acc[0], acc[piece], n);
    tsr_reduce_finish_(p, k, to, at[1], n, acc[0]);
}

void tsr_engine_reduce(tsr_planned_reduce const *p, void const *from, void *to)
{
    tsr_reducer_ const k = tsr_engine_reducer_();
    uint64_t const y = p->to.absolute ? 0 : (uint64_t)(uintptr_t)to;
    uint64_t const x = p->from.absolute ? 0 : (uint64_t)(uintptr_t)from;
    int const threads = threads_for(p);
    if (threads > 1 && p->blocks < threads) {
        for (int64_t i = 0; i < p->blocks; ++i)
            reduce_pieces(p, &k, y, x, i, (int)tsr_min64(threads, p->pieces));
        return;
    }
#if defined(_OPENMP)
#  pragma omp parallel for num_threads(threads) if (threads > 1) schedule(dynamic)
#endif
    for (int64_t i = 0; i < p->blocks; ++i)
        tsr_reduce_block_(p, &k, y, x, i);
}

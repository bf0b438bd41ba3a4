/** What a thread of the kernels of tsr_gpu_combine does, as C: the GPU runs it with the form as a constant, and a test
 *  runs the same text on the CPU, thread by thread.
 *
 *      direct     items of the destination, in its order: accesses of several neighbours
 *      tile       rows by columns of items: sources that are close along the columns are read along them, kept in
 *                 shared memory, and combined along the rows, in which the destination is close
 *
 *  Any layouts: combine_elements.h.
 *
 *  Sources are read by way of the first cache: the destination may be one of them, and it is no slower (266 us, and 280
 *  with one transposed, for 8192^2 floats; past it 266 and 289).
 *
 *  Law     the blocks together write every item once, after the thread that writes an item has read the sources of it.
 *  Units   bytes.
 */
#ifndef TSR_SRC_GPU_KERNELS_COMBINE_H
#define TSR_SRC_GPU_KERNELS_COMBINE_H

#include "gpu/kernels/combine_value.h"

TSR_HEADER_BEGIN

/** Takes the digit of one loop off an index, all that is left for the last one, and adds where it leads in each. */
TSR_LOCAL_REF void tsr_combine_digit_(tsr_combine_loop const *l, bool last, bool wide, int64_t *n, int64_t at[3])
{
    int64_t const rest = last ? 0 : tsr_relayout_divide_(&l->count, *n, wide), digit = *n - rest * l->count.n;
    TSR_UNROLL_ for (int k = 0; k < 3; ++k) at[k] += digit * l->step[k];
    *n = rest;
}

/** Adds where index n of `loops` loops from `first` on leads; `known`: as many when the kernel is compiled, or 0. */
TSR_LOCAL_REF void tsr_combine_add_(tsr_combination const *r, int first, int loops, int known, int64_t n, bool wide,
                                    int64_t at[3])
{
    if (known > 0) {
        TSR_UNROLL_ for (int i = 0; i < TSR_COMBINE_LOOPS; ++i) if (i < known)
            tsr_combine_digit_(&r->loop[first + i], i + 1 == known, wide, &n, at);
    } else {
        TSR_ROLL_ for (int i = 0; i < loops; ++i)
            tsr_combine_digit_(&r->loop[first + i], i + 1 == loops, wide, &n, at);
    }
}

/** Items 0 to n - 1 of an access, of which at most `items` are read; `step` bytes apart. */
TSR_LOCAL_REF tsr_relayout_value tsr_combine_load_each_(TSR_FORM_(tsr_combine_form), int source,
                                                        unsigned char const *p, int items, int64_t step, int64_t n)
{
    tsr_relayout_value v = tsr_relayout_nothing_();
    TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < items && i < n)
    {
        tsr_relayout_value x = tsr_relayout_nothing_();
        tsr_relayout_read_back_(&x, p + i * step, f.item[source]);
        tsr_relayout_put_(&v, i, f.item[source], &x);
    }
    return v;
}

/** The items of a source for an access of the destination, of which n are in it; along loop 0. */
TSR_LOCAL_REF tsr_relayout_value tsr_combine_read_(TSR_FORM_(tsr_combine_form), int source, uint64_t address,
                                                   int64_t step, int64_t n)
{
    unsigned char const *const p = (unsigned char const *)(uintptr_t)address;
    tsr_relayout_value v = tsr_relayout_nothing_();
    if (f.way[source] == TSR_COMBINE_NOTHING || f.way[source] == TSR_COMBINE_NUMBER)
        return v;
    if (f.way[source] == TSR_COMBINE_ONE)
        tsr_relayout_read_back_(&v, p, f.item[source]);
    else if (f.way[source] == TSR_COMBINE_RUN && (!f.parts || n >= f.items))
        tsr_relayout_read_back_(&v, p, f.item[source] * f.items);
    else
        v = tsr_combine_load_each_(f, source, p, f.items, f.way[source] == TSR_COMBINE_RUN ? f.item[source] : step,
                                   f.parts ? n : f.items);
    return v;
}

/** Combines the items of an access and writes them, of which n are in the destination. */
TSR_LOCAL_REF void tsr_combine_write_(TSR_FORM_(tsr_combine_form), tsr_combination const *r,
                                      tsr_relayout_value const *x, tsr_relayout_value const *y, uint64_t address,
                                      int64_t n)
{
    int const last = n < f.items ? (int)n : f.items;
    tsr_relayout_value w = tsr_relayout_nothing_();
    TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.items && (!f.parts || i < last))
    {
        tsr_relayout_value const a = tsr_relayout_item_(x, f.way[0] == TSR_COMBINE_ONE ? 0 : i, f.item[0]);
        tsr_relayout_value const b = tsr_relayout_item_(y, f.way[1] == TSR_COMBINE_ONE ? 0 : i, f.item[1]);
        tsr_relayout_value const z = tsr_combine_make_(f, r, &a, &b);
        tsr_relayout_put_(&w, i, f.item[2], &z);
    }
    tsr_relayout_write_items_((unsigned char *)(uintptr_t)address, &w, f.item[2], f.items, f.parts, 0, last);
}

/** Each batch is read before any of it is written. */
TSR_LOCAL_REF void tsr_combine_direct_(TSR_FORM_(tsr_combine_form), tsr_combination const *r,
                                       uint64_t const address[3], int64_t block, int thread)
{
    tsr_relayout_value v[2][TSR_COMBINE_BATCH];
    uint64_t to[TSR_COMBINE_BATCH];
    int64_t n[TSR_COMBINE_BATCH];
    tsr_combine_loop const *const first = &r->loop[0];
    TSR_UNROLL_ for (int b = 0; b < TSR_COMBINE_BATCH; ++b) if (b < f.batch)
    {
        int64_t const i = (block * f.batch + b) * TSR_COMBINE_THREADS + thread;
        int64_t at[3] = {r->begin[0], r->begin[1], r->begin[2]};
        n[b] = 0;
        if (i < r->items) {
            int64_t const rest = f.loops == 1 ? 0 : tsr_relayout_divide_(&first->count, i, f.wide);
            n[b] = r->run - (i - rest * first->count.n) * f.items;
            tsr_combine_add_(r, 0, r->loops, f.loops, i, f.wide, at);
            TSR_UNROLL_ for (int s = 0; s < 2; ++s) v[s][b] =
                tsr_combine_read_(f, s, address[s] + (uint64_t)at[s], first->step[s] / f.items, n[b]);
            to[b] = address[2] + (uint64_t)at[2];
        }
    }
    TSR_UNROLL_ for (int b = 0; b < TSR_COMBINE_BATCH; ++b) if (b < f.batch && n[b] > 0)
        tsr_combine_write_(f, r, &v[0][b], &v[1][b], to[b], n[b]);
}

/* Tiles */

/** A tile: how many rows and columns of it there are, and where its first item is in each tensor. */
typedef struct tsr_combine_tile {
    int64_t rows, columns, at[3];
} tsr_combine_tile;

/** Neighbouring blocks are neighbours along the rows. */
TSR_LOCAL_REF tsr_combine_tile tsr_combine_tile_of_(TSR_FORM_(tsr_combine_form), tsr_combination const *r,
                                                    int64_t block)
{
    tsr_combine_tile t;
    int64_t const rest = tsr_relayout_divide_(&r->row_tiles, block, false), row = block - rest * r->row_tiles.n;
    int64_t const outer = tsr_relayout_divide_(&r->column_tiles, rest, false),
                  column = rest - outer * r->column_tiles.n;
    t.rows = r->rows - row * f.side;
    t.columns = r->columns - column * f.side;
    TSR_UNROLL_ for (int k = 0; k < 3; ++k) t.at[k] =
        r->begin[k] + f.side * (row * r->loop[0].step[k] + column * r->loop[1].step[k]);
    tsr_combine_add_(r, 2, r->loops - 2, 0, outer, false, t.at);
    return t;
}

/** Items of a source from a column of a row of a tile on, side by side, of which `left` are in it. */
TSR_LOCAL_REF tsr_relayout_value tsr_combine_fetch_(TSR_FORM_(tsr_combine_form), int source, uint64_t address,
                                                    int64_t left)
{
    unsigned char const *const p = (unsigned char const *)(uintptr_t)address;
    int const item = f.item[source], load = f.load[source];
    tsr_relayout_value v = tsr_relayout_nothing_();
    if (f.load_parts && left < load)
        return tsr_combine_load_each_(f, source, p, load, item, left);
    tsr_relayout_read_back_(&v, p, load * item);
    return v;
}

/** Reads a source along the columns of a tile into shared memory. */
TSR_LOCAL_REF void tsr_combine_stage_(TSR_FORM_(tsr_combine_form), tsr_combination const *r,
                                      tsr_combine_tile const *t, int source, uint64_t address, int thread,
                                      unsigned char *shared)
{
    int const item = f.item[source], load = f.load[source], across = f.side / load, loads = f.side * across;
    for (int e = thread; e < loads; e += f.batch * TSR_COMBINE_THREADS) {
        tsr_relayout_value v[TSR_COMBINE_BATCH];
        int at[TSR_COMBINE_BATCH];
        TSR_UNROLL_ for (int b = 0; b < TSR_COMBINE_BATCH; ++b) if (b < f.batch)
        {
            int const k = e + b * TSR_COMBINE_THREADS, row = k / across, column = k % across * load;
            int64_t const left = t->columns - column, from = row * r->loop[0].step[source] + column * item;
            at[b] = k < loads && row < t->rows && left > 0 ? row * r->pitch[source] + column * item : -1;
            if (at[b] >= 0)
                v[b] = tsr_combine_fetch_(f, source, address + (uint64_t)(t->at[source] + from), left);
        }
        TSR_UNROLL_ for (int b = 0; b < TSR_COMBINE_BATCH; ++b) if (b < f.batch && at[b] >= 0)
        {
            TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < load)
            {
                tsr_relayout_value const x = tsr_relayout_item_(&v[b], i, item);
                tsr_relayout_keep_(shared + r->shared[source] + at[b] + i * item, &x, item);
            }
        }
    }
}

/** The items of a source that is staged, along the rows of a column. */
TSR_LOCAL_REF tsr_relayout_value tsr_combine_staged_(TSR_FORM_(tsr_combine_form), tsr_combination const *r,
                                                     int source, int row, int column, unsigned char const *shared)
{
    int const item = f.item[source];
    tsr_relayout_value v = tsr_relayout_nothing_();
    shared += r->shared[source] + row * r->pitch[source] + column * item;
    TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.items)
    {
        tsr_relayout_value x = tsr_relayout_nothing_();
        tsr_relayout_take_(&x, shared + i * r->pitch[source], item);
        tsr_relayout_put_(&v, i, item, &x);
    }
    return v;
}

/** The items of a source for an access of a tile, of which n are in it. */
TSR_LOCAL_REF tsr_relayout_value tsr_combine_take_(TSR_FORM_(tsr_combine_form), tsr_combination const *r,
                                                   tsr_combine_tile const *t, int source, uint64_t address, int row,
                                                   int column, int64_t n, unsigned char const *shared)
{
    int64_t const step = r->loop[0].step[source];
    if (f.way[source] == TSR_COMBINE_STAGED)
        return tsr_combine_staged_(f, r, source, row, column, shared);
    address += (uint64_t)(t->at[source] + row * step + column * r->loop[1].step[source]);
    return tsr_combine_read_(f, source, address, step, n);
}

/** Combines a tile. Eight neighbouring threads write neighbours, the next ones the next column. */
TSR_LOCAL_REF void tsr_combine_deliver_(TSR_FORM_(tsr_combine_form), tsr_combination const *r,
                                        tsr_combine_tile const *t, uint64_t const address[3], int thread,
                                        unsigned char const *shared)
{
    int const chunks = f.side / f.items, near = chunks < 8 ? chunks : 8, all = chunks * f.side;
    for (int e = thread; e < all; e += f.batch * TSR_COMBINE_THREADS) {
        tsr_relayout_value x[TSR_COMBINE_BATCH], y[TSR_COMBINE_BATCH];
        uint64_t to[TSR_COMBINE_BATCH];
        int64_t n[TSR_COMBINE_BATCH];
        TSR_UNROLL_ for (int b = 0; b < TSR_COMBINE_BATCH; ++b) if (b < f.batch)
        {
            int const k = e + b * TSR_COMBINE_THREADS, column = k / near % f.side;
            int const row = (k % near + k / near / f.side * near) * f.items;
            n[b] = k < all && column < t->columns ? t->rows - row : 0;
            to[b] = address[2] + (uint64_t)(t->at[2] + row * r->loop[0].step[2] + column * r->loop[1].step[2]);
            if (n[b] > 0) {
                x[b] = tsr_combine_take_(f, r, t, 0, address[0], row, column, n[b], shared);
                y[b] = tsr_combine_take_(f, r, t, 1, address[1], row, column, n[b], shared);
            }
        }
        TSR_UNROLL_ for (int b = 0; b < TSR_COMBINE_BATCH; ++b) if (b < f.batch && n[b] > 0)
            tsr_combine_write_(f, r, &x[b], &y[b], to[b], n[b]);
    }
}

/** What a thread of a block does, of tiles before the others of its block have done so, */
TSR_LOCAL_REF void tsr_combine_begin_(TSR_FORM_(tsr_combine_form), tsr_combination const *r,
                                      uint64_t const address[3], int64_t block, int thread, unsigned char *shared)
{
    if (f.kind == TSR_COMBINE_DIRECT) {
        tsr_combine_direct_(f, r, address, block, thread);
        return;
    }
    tsr_combine_tile const t = tsr_combine_tile_of_(f, r, block);
    if (f.way[0] == TSR_COMBINE_STAGED)
        tsr_combine_stage_(f, r, &t, 0, address[0], thread, shared);
    if (f.way[1] == TSR_COMBINE_STAGED)
        tsr_combine_stage_(f, r, &t, 1, address[1], thread, shared);
}

/** and then. */
TSR_LOCAL_REF void tsr_combine_end_(TSR_FORM_(tsr_combine_form), tsr_combination const *r, uint64_t const address[3],
                                    int64_t block, int thread, unsigned char const *shared)
{
    tsr_combine_tile const t = tsr_combine_tile_of_(f, r, block);
    tsr_combine_deliver_(f, r, &t, address, thread, shared);
}

#if TSR_ON_GPU
__device__ __forceinline__ void tsr_combine_kernel_(TSR_FORM_(tsr_combine_form), tsr_combination const *r, uint64_t x,
                                                    uint64_t y, uint64_t z)
{
    extern __shared__ uint4 tsr_combine_shared_[];
    uint64_t const address[3] = {x, y, z};
    unsigned char *const shared = (unsigned char *)tsr_combine_shared_;
    tsr_kernel_wait_();
    tsr_combine_begin_(f, r, address, blockIdx.x, (int)threadIdx.x, shared);
    if (f.kind == TSR_COMBINE_TILE) {
        __syncthreads();
        tsr_combine_end_(f, r, address, blockIdx.x, (int)threadIdx.x, shared);
    }
}
#endif

TSR_HEADER_END

#endif

/** Running a product: blocks of N, K and M, in them panels, and tiles of panels.
 *
 *      for a block of columns, for a block of K: pack B
 *          for a block of rows: pack A
 *              for each panel of B, of A: a tile
 *
 *  A panel of B stays in the first cache, a block of A in the second, a block of B in the third. Threads share the
 *  block of B and take blocks of rows, each element of C summed by one of them, in the order of K. Or each of them does
 *  all this by itself for its parts of a product (cut.c), and the sums of parts of K are joined behind that.
 */
#include "exec/engine.h"
#include "exec/gemm/blocks.h"

/* Bytes of neighbours in B that are packed at once; panels of B, a power of two, where each is read by one
 * block of rows. */
enum { GROUP_BYTES = 1024, BRIEF_PANELS = 8 };

/** How many strips of columns a thread joins, where it can. */
enum { TURNS = 2 };

static void *take(uintptr_t *at, int64_t bytes)
{
    uintptr_t const r = *at;
    *at += (uintptr_t)(gemm_ceil(bytes, 64) * 64);
    return (void *)r;
}

static places take_places(uintptr_t *at, int64_t n)
{
    places p;
    p.operand = (int64_t *)take(at, n * 8);
    p.c = (int64_t *)take(at, n * 8);
    p.bias = (int64_t *)take(at, n * 8);
    p.run = (int *)take(at, n * 4);
    p.bias_run = (int *)take(at, n * 4);
    return p;
}

static worker worker_at(blocks const *b, int64_t i)
{
    tsr_planned_gemm const *const p = b->plan;
    uintptr_t at = b->workers + (uintptr_t)(i * b->worker_bytes);
    int64_t const each = gemm_ceil(p->panel, b->choice.row->lanes) * b->choice.row->lanes;
    int64_t const rows = p->panel > 0 ? gemm_ceil(p->mc, p->panel) * each : p->mc * p->parts + GEMM_LANES;
    worker w;
    w.panels =
        (unsigned char *)take(&at, p->pack_a ? rows * tsr_gemm_units(b->choice.row, p->parts, p->kc) * b->unit : 0);
    w.m = take_places(&at, p->mc * p->parts);
    w.piece = (piece *)take(&at, p->mc * (int64_t)sizeof(piece));
    w.tile = (unsigned char *)take(&at, GEMM_ROWS * b->nr * 8);
    return w;
}

/** How much a part has of `all`. */
static int64_t part_or_all(int64_t part, int64_t all) { return part > 0 ? part : tsr_max64(all, 1); }

/** Lays out the memory of a run; returns its size, a multiple of 64 bytes. */
static int64_t lay_out(blocks *b, tsr_planned_gemm const *p, uintptr_t work)
{
    uintptr_t at = work;
    memset(b, 0, sizeof *b);
    b->plan = p;
    b->choice = tsr_gemm_choice_of(p);
    b->nr = b->choice.row->columns;
    b->log_nr = tsr_bit_width((uint64_t)b->nr) - 1;
    b->log_lanes = tsr_bit_width((uint64_t)b->choice.row->lanes) - 1;
    b->unit = gemm_unit_bytes(b->choice.row->form);
    b->of_m = (gemm_range){0, p->of.m.size};
    b->of_n = (gemm_range){0, p->of.n.size};
    b->of_k = (gemm_range){0, p->of.k.size};
    b->brief =
        p->pack_b && p->threads == 1 && p->mc >= part_or_all(p->rows, p->of.m.size) && b->choice.row->depth == 1;
    b->group = b->brief ? BRIEF_PANELS : GROUP_BYTES / (b->nr * b->unit);
    b->sum = tsr_dtype_bits(gemm_sum_type(b->choice.row->form)) / 8;
    int64_t const units = tsr_gemm_units(b->choice.row, p->parts, p->kc);
    int64_t const panels = b->brief ? BRIEF_PANELS : p->pack_b ? gemm_ceil(p->nc, b->nr) : 0;
    b->panels = (unsigned char *)take(&at, panels * gemm_panel_bytes(b, units));
    b->n = take_places(&at, p->nc);
    b->k_of_a = (int64_t *)take(&at, p->kc * 8);
    b->k_of_b = (int64_t *)take(&at, p->kc * 8);
    b->sums_fit = p->trivial && gemm_is_sum(p, p->of.product.c.engine.type) && !gemm_is_swizzled(&p->of.product.c);
    bool const sums_wait = p->of.k.size > p->kc && !b->sums_fit && p->depth == 0;
    b->partial_ld = gemm_ceil(p->of.m.size * p->parts, GEMM_ROWS) * GEMM_ROWS;
    b->partial = (unsigned char *)take(&at, sums_wait ? b->partial_ld * p->nc * b->sum : 0);
    b->partial = sums_wait ? b->partial : NULL;
    b->workers = at;
    worker const w = worker_at(b, 0);
    b->worker_bytes = (int64_t)((uintptr_t)w.tile - at) + GEMM_ROWS * b->nr * 8;
    return gemm_ceil((int64_t)(at - work) + p->threads * b->worker_bytes, 64) * 64;
}

/** The bytes of the sums of a part of K, of all rows and columns; 0: K is not cut. */
static int64_t kept_bytes(blocks const *b)
{
    int64_t const columns = gemm_ceil(b->plan->of.n.size, b->nr) * b->nr;
    return b->plan->depth > 0 ? b->partial_ld * columns * b->sum : 0;
}

/** The parts of K. */
static int64_t depths_of(tsr_planned_gemm const *p)
{
    return gemm_ceil(p->of.k.size, part_or_all(p->depth, p->of.k.size));
}

size_t tsr_gemm_blocks_workspace(tsr_planned_gemm const *p)
{
    blocks b;
    int64_t const each = lay_out(&b, p, 0);
    return (size_t)(p->batches * each + p->of.v.size * depths_of(p) * kept_bytes(&b));
}

static void find_runs(int *run, int64_t const *place, int64_t n, bool alone)
{
    for (int64_t i = n - 1; i >= 0; --i)
        run[i] = !alone && i + 1 < n && place[i + 1] == place[i] + 1 ? run[i + 1] + 1 : 1;
}

/** The offsets of rows (or columns) `from` on; numbers of a row of complex elements are two. */
static void find_places(blocks const *b, places *x, tsr_gemm_loops const *loops, int operand, int64_t from, int64_t n,
                        int parts)
{
    tsr_planned_gemm const *const p = b->plan;
    tsr_tensor const *const t = operand == TSR_IN_A ? &p->of.product.a : &p->of.product.b;
    int64_t *const out[2] = {x->c, x->bias};
    tsr_gemm_offsets(loops, operand, from, n, gemm_bytes(t), x->operand);
    for (int o = 0; o <= p->of.product.biased; ++o) {
        tsr_gemm_offsets(loops, o == 0 ? TSR_IN_C : TSR_IN_BIAS, from, n, p->parts, out[o]);
        for (int64_t i = n - 1; parts == 2 && i >= 0; --i) {
            out[o][2 * i + 1] = out[o][i] + 1;
            out[o][2 * i] = out[o][i];
        }
    }
    find_runs(x->run, x->c, n * parts, gemm_is_swizzled(&p->of.product.c));
    if (p->of.product.biased)
        find_runs(x->bias_run, x->bias, n * parts, gemm_is_swizzled(&p->of.product.bias));
}

static gemm_source source_of(blocks const *b, bool of_b)
{
    tsr_tensor const *const a = &b->plan->of.product.a, *const t = of_b ? &b->plan->of.product.b : a;
    bool const flips =
        gemm_group(b->choice.row->form) == 4 && a->engine.type != gemm_element_type(b->choice.row->form);
    gemm_source const s = {
        t, gemm_address(t), b->plan->parts, of_b, flips && !of_b, flips && of_b, b->plan->of.k.loops <= 1};
    return s;
}

void tsr_gemm_pack_b(blocks const *b, int64_t first)
{
    gemm_source const s = source_of(b, true);
    unsigned char *const to = gemm_panel(b, first);
    int64_t const bytes = gemm_panel_bytes(b, b->units);
    int64_t const last = tsr_min64(first + b->group, gemm_ceil(b->columns, b->nr));
    int64_t const whole = tsr_min64(last, b->columns / b->nr);
    bool const packed = tsr_gemm_pack_panels(&b->choice, &s, to, bytes, b->nr, b->n.operand + first * b->nr, b->nr,
                                             whole - first, b->k_of_b, b->depth);
    for (int64_t i = packed ? whole : first; i < last; ++i)
        tsr_gemm_pack(&b->choice, &s, to + (i - first) * bytes, b->nr, b->n.operand + i * b->nr,
                      (int)tsr_min64(b->nr, b->columns - i * b->nr), b->k_of_b, b->depth);
}

/** Vectors of a panel of n rows (elements). */
static int vectors_of(blocks const *b, int64_t n)
{
    return (int)((n * b->plan->parts + b->choice.row->lanes - 1) >> b->log_lanes);
}

/** Rows (elements) of a panel of A if `rows` are left: as many whole vectors as possible. */
static int64_t rows_of_panel(blocks const *b, int64_t rows)
{
    int64_t const vectors = vectors_of(b, rows), panels = gemm_ceil(vectors, b->choice.row->vectors);
    int64_t const each = vectors > 2 * panels ? 3 : vectors > panels ? 2 : 1;
    return tsr_min64(b->plan->panel > 0 ? b->plan->panel : (each << b->log_lanes) >> (b->plan->parts - 1), rows);
}

/** Cuts a block of rows into the panels of A; returns how many. */
static int64_t cut_rows(blocks const *b, worker const *w, int64_t rows)
{
    tsr_planned_gemm const *const p = b->plan;
    gemm_row const *const row = b->choice.row;
    unsigned char const *const a = gemm_address(&p->of.product.a) + b->k_of_a[0];
    int64_t count = 0, panel = 0;
    for (int64_t i = 0, n = 0; i < rows; i += n, ++count) {
        n = rows_of_panel(b, rows - i);
        int const vectors = vectors_of(b, n), numbers = (int)n * p->parts, width = vectors * row->lanes;
        bool const masked = numbers < width && row->masks;
        uint32_t const all = ~(uint32_t)0, mask = masked ? ~(all << (numbers & (row->lanes - 1))) : all;
        bool const direct = b->sums_fit && w->m.run[i * p->parts] >= numbers && (row->masks || numbers == width);
        w->piece[count] = (piece){i,
                                  n,
                                  p->pack_a ? w->panels + panel : a + w->m.operand[i],
                                  p->pack_a ? width : p->of.k.step[TSR_IN_A][0],
                                  w->m.c[i * p->parts] * b->sum,
                                  vectors,
                                  numbers,
                                  mask,
                                  direct};
        panel += width * b->units * b->unit;
    }
    return count;
}

static void pack_a(blocks const *b, worker const *w, int64_t count)
{
    gemm_source const s = source_of(b, false);
    for (int64_t x = 0, panels = 1; x < count; x += panels) {
        piece const *const p = &w->piece[x];
        int64_t const width = (int64_t)p->vectors * b->choice.row->lanes;
        unsigned char *const to = w->panels + (p->a - w->panels);
        bool const whole = p->numbers == width || b->choice.row->masks; /* spare lanes are not read */
        for (panels = 1; x + panels < count && p[panels].rows == p->rows;)
            ++panels;
        if (whole
            && tsr_gemm_pack_panels(&b->choice, &s, to, width * b->units * b->unit, width, w->m.operand + p->first,
                                    p->rows, panels, b->k_of_a, b->depth))
            continue;
        for (int64_t i = 0; i < panels; ++i)
            tsr_gemm_pack(&b->choice, &s, to + i * width * b->units * b->unit, width, w->m.operand + p[i].first,
                          (int)p[i].rows, b->k_of_a, b->depth);
    }
}

/** All tiles of a block of rows. */
static void run_rows(blocks const *b, worker const *w, int64_t top)
{
    tsr_planned_gemm const *const p = b->plan;
    gemm_row const *const row = b->choice.row;
    int64_t const rows = tsr_min64(p->mc, b->of_m.end - top);
    find_places(b, (places *)&w->m, &p->of.m, TSR_IN_A, top, rows, p->parts);
    int64_t const count = cut_rows(b, w, rows);
    if (p->pack_a)
        pack_a(b, w, count);
    if (row->enter)
        row->enter();
    tsr_gemm_run_tiles(b, w, top, count);
    if (row->leave)
        row->leave();
}

/** The block of columns j on, elements k on of K, of batch v. */
static void find_block(blocks *b, int64_t v, int64_t j, int64_t k)
{
    tsr_planned_gemm const *const p = b->plan;
    int64_t base[TSR_OPERANDS];
    b->columns = tsr_min64(p->nc, b->of_n.end - j);
    b->depth = tsr_min64(p->kc, b->of_k.end - k);
    b->units = tsr_gemm_units(b->choice.row, p->parts, b->depth);
    b->first = k == b->of_k.first;
    b->last = k + b->depth == b->of_k.end;
    b->partial = b->kept ? b->kept + j * b->partial_ld * b->sum : b->partial;
    for (int o = 0; o < TSR_OPERANDS; ++o)
        base[o] = p->of.begin[o] + tsr_gemm_offset(&p->of.v, o, v);
    find_places(b, &b->n, &p->of.n, TSR_IN_B, j, b->columns, 1);
    tsr_gemm_offsets(&p->of.k, TSR_IN_A, k, b->depth, gemm_bytes(&p->of.product.a), b->k_of_a);
    tsr_gemm_offsets(&p->of.k, TSR_IN_B, k, b->depth, gemm_bytes(&p->of.product.b), b->k_of_b);
    for (int64_t i = 0; i < b->depth; ++i) {
        b->k_of_a[i] += base[TSR_IN_A] * gemm_bytes(&p->of.product.a);
        b->k_of_b[i] += base[TSR_IN_B] * gemm_bytes(&p->of.product.b);
    }
    for (int64_t i = 0; i < b->columns; ++i) {
        b->n.c[i] += base[TSR_IN_C] * p->parts;
        if (p->of.product.biased)
            b->n.bias[i] += base[TSR_IN_BIAS] * p->parts;
    }
}

static void pack_part(void *context, int number, int64_t i)
{
    blocks const *const b = (blocks const *)context;
    (void)number;
    tsr_gemm_pack_b(b, i * b->group);
}

/** Columns of a block that are one part of the work. */
static int64_t slice_of(blocks const *b) { return b->plan->slice > 0 ? b->plan->slice : tsr_max64(b->columns, 1); }

static void run_part(void *context, int number, int64_t i)
{
    blocks const *const b = (blocks const *)context;
    int64_t const slice = slice_of(b), slices = gemm_ceil(b->columns, slice);
    worker w = worker_at(b, number);
    w.left = i % slices * slice;
    w.right = tsr_min64(w.left + slice, b->columns);
    run_rows(b, &w, b->of_m.first + i / slices * b->plan->mc);
}

/** A block of columns by a block of K, by all threads. */
static void run_block(blocks *b)
{
    tsr_planned_gemm const *const p = b->plan;
    int64_t const panels = p->pack_b && !b->brief ? gemm_ceil(b->columns, b->nr) : 0;
    tsr_engine_share_(p->threads, gemm_ceil(panels, b->group), pack_part, b);
    tsr_engine_share_(p->threads, gemm_ceil(b->of_m.end - b->of_m.first, p->mc) * gemm_ceil(b->columns, slice_of(b)),
                      run_part, b);
}

static void run_batch(blocks *b, int64_t v)
{
    tsr_planned_gemm const *const p = b->plan;
    for (int64_t j = b->of_n.first; j < b->of_n.end; j += p->nc)
        for (int64_t k = b->of_k.first; k < b->of_k.end; k += p->kc) {
            find_block(b, v, j, k);
            run_block(b);
        }
}

/** Batches at once, or parts of them, each in memory of its own; behind it the sums of parts of K. */
typedef struct batches {
    tsr_planned_gemm const *plan;
    uintptr_t work, kept;
    int64_t bytes, kept_bytes, strip; /* strip: columns that are joined at a time */
} batches;

static gemm_range range_at(int64_t part, int64_t all, int64_t i)
{
    int64_t const n = part_or_all(part, all);
    return (gemm_range){i * n, tsr_min64((i + 1) * n, all)};
}

static blocks blocks_at(batches const *q, int number)
{
    blocks own;
    (void)lay_out(&own, q->plan, q->work + (uintptr_t)(number * q->bytes));
    return own;
}

static unsigned char *kept_at(batches const *q, int64_t i)
{
    return (unsigned char *)(q->kept + (uintptr_t)(i * q->kept_bytes));
}

/** A part of a batch: rows, columns and elements of K. */
static void run_own_part(void *context, int number, int64_t i)
{
    batches const *const q = (batches const *)context;
    tsr_planned_gemm const *const p = q->plan;
    int64_t const m = p->of.m.size, n = p->of.n.size, rows = gemm_ceil(m, part_or_all(p->rows, m));
    int64_t const columns = gemm_ceil(n, part_or_all(p->slice, n)), depths = depths_of(p), at = i / rows / columns;
    blocks own = blocks_at(q, number);
    own.of_m = range_at(p->rows, m, i % rows);
    own.of_n = range_at(p->slice, n, i / rows % columns);
    own.of_k = range_at(p->depth, p->of.k.size, at % depths);
    if (p->depth > 0) {
        own.kept = kept_at(q, at);
        own.sums_fit = false;
    }
    run_batch(&own, at / depths);
}

/** Joins the sums of all parts of K in some columns of a batch, in their order, and puts them in their places. */
static void join_strip(void *context, int number, int64_t i)
{
    batches const *const q = (batches const *)context;
    tsr_planned_gemm const *const p = q->plan;
    int64_t const strips = gemm_ceil(p->of.n.size, q->strip), v = i / strips, depths = depths_of(p);
    blocks own = blocks_at(q, number);
    worker w = worker_at(&own, 0);
    tsr_dtype const type = gemm_sum_type(own.choice.row->form);
    int64_t const j = i % strips * q->strip, column = own.partial_ld * own.sum;
    find_block(&own, v, j, 0);
    int64_t const columns = tsr_min64(q->strip, own.columns);
    for (int64_t top = 0; top < p->of.m.size; top += p->mc) {
        int64_t const n = tsr_min64(p->mc, p->of.m.size - top) * p->parts,
                      from = top * p->parts * own.sum + j * column;
        unsigned char *const sums = kept_at(q, v * depths) + from;
        find_places(&own, &w.m, &p->of.m, TSR_IN_A, top, n / p->parts, p->parts);
        for (int64_t x = 0; x < columns; ++x)
            for (int64_t d = 1; d < depths; ++d)
                (void)tsr_engine_combine_run(TSR_COMBINE_SUM, type, sums + x * column, sums + x * column,
                                             kept_at(q, v * depths + d) + from + x * column, n);
        for (int64_t x = 0; x < columns; x += own.nr)
            for (int64_t y = 0; y < n; y += GEMM_ROWS) {
                gemm_tile const t = {.sums = sums + x * column + y * own.sum,
                                     .ld = own.partial_ld,
                                     .rows = (int)tsr_min64(GEMM_ROWS, n - y),
                                     .columns = (int)tsr_min64(own.nr, columns - x),
                                     .row = w.m.c + y,
                                     .column = own.n.c + x,
                                     .bias_row = w.m.bias + y,
                                     .bias_column = own.n.bias + x,
                                     .run = w.m.run + y,
                                     .bias_run = w.m.bias_run + y};
                tsr_gemm_put_tile(&own, &t);
            }
    }
}

/** Parts of all batches, a thread each. */
static void run_own_parts(tsr_planned_gemm const *p, uintptr_t work)
{
    blocks b;
    batches q = {.plan = p, .work = work, .bytes = lay_out(&b, p, work)};
    int64_t const m = p->of.m.size, n = p->of.n.size, v = p->of.v.size;
    q.kept = work + (uintptr_t)(p->batches * q.bytes);
    q.kept_bytes = kept_bytes(&b);
    tsr_engine_share_(
        (int)p->batches,
        v * depths_of(p) * gemm_ceil(m, part_or_all(p->rows, m)) * gemm_ceil(n, part_or_all(p->slice, n)),
        run_own_part, &q);
    if (p->depth == 0)
        return;
    q.strip = tsr_min64(gemm_ceil(gemm_ceil(n, gemm_ceil(TURNS * p->batches, v)), b.nr) * b.nr, p->nc);
    tsr_engine_share_((int)p->batches, v * gemm_ceil(n, q.strip), join_strip, &q);
}

void tsr_gemm_run_blocks(tsr_planned_gemm const *p, unsigned char *work)
{
    blocks b;
    if (p->batches > 1) {
        run_own_parts(p, (uintptr_t)work);
        return;
    }
    (void)lay_out(&b, p, (uintptr_t)work);
    for (int64_t v = 0; v < p->of.v.size; ++v)
        run_batch(&b, v);
}

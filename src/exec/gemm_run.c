/** Running a product: blocks of N, K and M, in them panels, and tiles of panels.
 *
 *      for a block of columns, for a block of K: pack B
 *          for a block of rows: pack A
 *              for each panel of B, of A: a tile
 *
 *  A panel of B stays in the first cache, a block of A in the second, a block of B in the third. Threads share the block
 *  of B and take blocks of rows; each element of C is summed by one of them, in the order of K.
 */
#include "exec/gemm_engine.h"

#if defined(_OPENMP)
#  include <omp.h>
#  define PARALLEL(directive) _Pragma(directive)
#else
#  define PARALLEL(directive)
#endif

#if defined(__GNUC__)
#  define PREFETCH(p) __builtin_prefetch(p, 1)
#else
#  define PREFETCH(p) ((void)(p))
#endif

/** Of neighbours in B so many bytes are packed at once. */
enum { GROUP_BYTES = 1024 };

/** Up to so many elements of K a tile takes less time than its part of C from memory: the next one's is asked for. */
enum { SHORT_DEPTH = 32 };

/** Offsets along a block of rows or columns: of the operand in bytes, of C and the bias in numbers. */
typedef struct places {
    int64_t *operand, *c, *bias;
    int *run, *bias_run; /* numbers that lie side by side, from each one on */
} places;

/** What one thread works with. */
typedef struct worker {
    unsigned char *panels; /* of A */
    places m;
    unsigned char *tile;
} worker;

/** A run of a plan. */
typedef struct blocks {
    tsr_gemm_plan const *plan;
    gemm_choice choice;
    int64_t nr, unit, sum;     /* columns of a tile; bytes of a unit and of a sum */
    int log_nr, log_lanes;     /* tiles are many: they divide by shifts */
    int64_t group;             /* panels of B that are packed at once */
    unsigned char *panels;     /* of B */
    places n;
    int64_t *k_of_a, *k_of_b;
    unsigned char *partial; /* sums of a block of columns, until the last block of K; or NULL */
    int64_t partial_ld, worker_bytes;
    uintptr_t workers;             /* where the memory of the threads begins */
    bool sums_fit;                 /* sums are what C holds: they may be added to it */
    int64_t columns, depth, units; /* of the block that is worked on */
    bool first, last;              /* of those along K */
} blocks;

static unsigned char *address(tsr_tensor const *t) { return (unsigned char *)(uintptr_t)t->engine.address; }

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
    tsr_gemm_plan const *const p = b->plan;
    uintptr_t at = b->workers + (uintptr_t)(i * b->worker_bytes);
    int64_t const each = gemm_ceil(p->panel, b->choice.row->lanes) * b->choice.row->lanes;
    int64_t const rows = p->panel > 0 ? gemm_ceil(p->mc, p->panel) * each : p->mc * p->parts + GEMM_LANES;
    worker w;
    w.panels = (unsigned char *)take(
        &at, p->pack_a ? rows * tsr_gemm_units(b->choice.row, p->parts, p->kc) * b->unit : 0);
    w.m = take_places(&at, p->mc * p->parts);
    w.tile = (unsigned char *)take(&at, GEMM_ROWS * b->nr * 8);
    return w;
}

static gemm_scatter *scatter_of(gemm_choice const *c)
{
    tsr_dtype const sum = gemm_sum_type(c->row->form);
    return sum == TSR_F32   ? c->table->scatter_float
           : sum == TSR_F64 ? c->table->scatter_double
                            : c->table->scatter_int;
}

/** The bytes of a panel of B, with what stands behind its units. */
static int64_t panel_bytes(blocks const *b, int64_t units) { return (units + 1) * b->nr * b->unit; }

/** Lays out the memory of a run; returns its size. */
static int64_t lay_out(blocks *b, tsr_gemm_plan const *p, uintptr_t work)
{
    uintptr_t at = work;
    memset(b, 0, sizeof *b);
    b->plan = p;
    b->choice = tsr_gemm_choice_of(p);
    b->nr = b->choice.row->columns;
    b->log_nr = tsr_bit_width((uint64_t)b->nr) - 1;
    b->log_lanes = tsr_bit_width((uint64_t)b->choice.row->lanes) - 1;
    b->unit = gemm_unit_bytes(b->choice.row->form);
    b->group = GROUP_BYTES / (b->nr * b->unit);
    b->sum = tsr_dtype_bits(gemm_sum_type(b->choice.row->form)) / 8;
    int64_t const units = tsr_gemm_units(b->choice.row, p->parts, p->kc);
    b->panels = (unsigned char *)take(&at, p->pack_b ? gemm_ceil(p->nc, b->nr) * panel_bytes(b, units) : 0);
    b->n = take_places(&at, p->nc);
    b->k_of_a = (int64_t *)take(&at, p->kc * 8);
    b->k_of_b = (int64_t *)take(&at, p->kc * 8);
    b->sums_fit = p->trivial && gemm_is_sum(p, p->product.c.engine.type) && !gemm_is_swizzled(&p->product.c);
    bool const sums_wait = p->k.size > p->kc && !b->sums_fit;
    b->partial_ld = gemm_ceil(p->m.size * p->parts, GEMM_ROWS) * GEMM_ROWS;
    b->partial = (unsigned char *)take(&at, sums_wait ? b->partial_ld * p->nc * b->sum : 0);
    b->partial = sums_wait ? b->partial : NULL;
    b->workers = at;
    worker const w = worker_at(b, 0);
    b->worker_bytes = (int64_t)((uintptr_t)w.tile - at) + GEMM_ROWS * b->nr * 8;
    return (int64_t)(at - work) + p->threads * b->worker_bytes;
}

size_t tsr_gemm_blocks_workspace(tsr_gemm_plan const *p)
{
    blocks b;
    return (size_t)lay_out(&b, p, 0);
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
    tsr_gemm_plan const *const p = b->plan;
    tsr_tensor const *const t = operand == TSR_IN_A ? &p->product.a : &p->product.b;
    int64_t *const out[2] = {x->c, x->bias};
    tsr_gemm_offsets(loops, operand, from, n, gemm_bytes(t), x->operand);
    for (int o = 0; o < 2; ++o) {
        tsr_gemm_offsets(loops, o == 0 ? TSR_IN_C : TSR_IN_BIAS, from, n, p->parts, out[o]);
        for (int64_t i = n - 1; parts == 2 && i >= 0; --i) {
            out[o][2 * i + 1] = out[o][i] + 1;
            out[o][2 * i] = out[o][i];
        }
    }
    find_runs(x->run, x->c, n * parts, gemm_is_swizzled(&p->product.c));
    find_runs(x->bias_run, x->bias, n * parts, gemm_is_swizzled(&p->product.bias));
}

static gemm_source source_of(blocks const *b, bool of_b)
{
    tsr_tensor const *const a = &b->plan->product.a, *const t = of_b ? &b->plan->product.b : a;
    bool const flips = gemm_group(b->choice.row->form) == 4 && a->engine.type != gemm_element_type(b->choice.row->form);
    gemm_source const s = {t, address(t), b->plan->parts, of_b, flips && !of_b, flips && of_b};
    return s;
}

/** Panels of B from one on, a group of them. */
static void pack_b(blocks const *b, int64_t first)
{
    gemm_source const s = source_of(b, true);
    int64_t const bytes = panel_bytes(b, b->units), last = tsr_min64(first + b->group, gemm_ceil(b->columns, b->nr));
    int64_t const whole = tsr_min64(last, b->columns / b->nr);
    bool const packed = tsr_gemm_pack_panels(&b->choice, &s, b->panels + first * bytes, bytes, b->nr,
                                             b->n.operand + first * b->nr, b->nr, whole - first, b->k_of_b, b->depth);
    for (int64_t i = packed ? whole : first; i < last; ++i)
        tsr_gemm_pack(&b->choice, &s, b->panels + i * bytes, b->nr, b->n.operand + i * b->nr,
                      (int)tsr_min64(b->nr, b->columns - i * b->nr), b->k_of_b, b->depth);
}

/** Vectors of a panel of n rows (elements). */
static int vectors_of(blocks const *b, int64_t n)
{
    return (int)((n * b->plan->parts + b->choice.row->lanes - 1) >> b->log_lanes);
}

/** Rows (elements) of a panel of A, where `rows` are left: as many vectors in each as can be. */
static int64_t rows_of_panel(blocks const *b, int64_t rows)
{
    int64_t const vectors = vectors_of(b, rows), panels = gemm_ceil(vectors, b->choice.row->vectors);
    int64_t const each = vectors > 2 * panels ? 3 : vectors > panels ? 2 : 1;
    return tsr_min64(b->plan->panel > 0 ? b->plan->panel : (each << b->log_lanes) >> (b->plan->parts - 1), rows);
}

static void pack_a(blocks const *b, worker const *w, int64_t rows)
{
    gemm_source const s = source_of(b, false);
    unsigned char *to = w->panels;
    int64_t panels = 1;
    for (int64_t i = 0, n = 0; i < rows; i += panels * n) {
        n = rows_of_panel(b, rows - i);
        int64_t const width = (int64_t)vectors_of(b, n) * b->choice.row->lanes, bytes = width * b->units * b->unit;
        for (panels = 1; i + panels * n < rows && rows_of_panel(b, rows - i - panels * n) == n;)
            ++panels;
        bool const whole = n * b->plan->parts == width || b->choice.row->masks; /* spare lanes are not read */
        if (!whole
            || !tsr_gemm_pack_panels(&b->choice, &s, to, bytes, width, w->m.operand + i, n, panels, b->k_of_a,
                                     b->depth)) {
            panels = 1;
            tsr_gemm_pack(&b->choice, &s, to, width, w->m.operand + i, (int)n, b->k_of_a, b->depth);
        }
        to += panels * bytes;
    }
}

/** A tile: rows (elements) i on of a block of rows that begins at row `top`, columns j on of the block of columns. */
typedef struct spot {
    int64_t top, i, rows, j, columns;
    int64_t panel; /* bytes at which the panel of A begins */
    bool even; /* the columns are as many as kernels take, and equally far apart in C */
} spot;

/** Multiplies the panels of a tile into sums. */
static void multiply(blocks const *b, worker const *w, spot const *s, void *sums, int64_t ld, bool add, bool spare)
{
    tsr_gemm_plan const *const p = b->plan;
    gemm_row const *const row = b->choice.row;
    int const vectors = vectors_of(b, s->rows), log = tsr_bit_width((uint64_t)s->columns - 1) - row->log_columns;
    int64_t const width = (int64_t)vectors * row->lanes, numbers = s->rows * p->parts;
    bool const masked = numbers < width && (!spare || row->masks);
    uint32_t const all = ~(uint32_t)0, mask = masked ? ~(all << (numbers & (row->lanes - 1))) : all;
    unsigned char const *const a = p->pack_a ? w->panels + s->panel
                                             : address(&p->product.a) + w->m.operand[s->i] + b->k_of_a[0];
    unsigned char const *const panel = p->pack_b ? b->panels + (s->j >> b->log_nr) * panel_bytes(b, b->units)
                                                 : address(&p->product.b) + b->n.operand[s->j] + b->k_of_b[0];
    row->kernel[vectors - 1][log > 0 ? log : 0](b->units, a, p->pack_a ? width : p->k.step[TSR_IN_A][0], panel,
                                  p->pack_b ? b->nr : p->k.step[TSR_IN_B][0], p->pack_b ? 1 : p->n.step[TSR_IN_B][0],
                                  p->pack_b ? panel_bytes(b, b->units) / b->unit : 0, sums, ld, add, mask);
}

/** Whether the kernel writes a tile to C, whose rows are numbers with these runs. */
static bool is_direct(blocks const *b, spot const *s, int const *run, int64_t numbers)
{
    return b->sums_fit && run[0] >= numbers && s->even
           && (b->choice.row->masks || (numbers & (b->choice.row->lanes - 1)) == 0);
}

/** Asks for the lines of C that the next tile, of so many rows, will be added to, but for those that a kernel asks for
 *  in time. */
static void fetch_next(blocks const *b, worker const *w, spot const *s, int64_t elements)
{
    unsigned char *const c = address(&b->plan->product.c);
    int64_t const at = (s->i + s->rows) * b->plan->parts, *const row = w->m.c + at;
    int const *const run = w->m.run + at, rows = (int)elements * b->plan->parts;
    if (!b->sums_fit || (b->depth > SHORT_DEPTH && is_direct(b, s, run, rows)))
        return;
    for (int64_t j = s->j; j < s->j + s->columns; ++j)
        for (int i = 0; i < rows; i += run[i]) {
            int const last = run[i] < rows - i ? i + run[i] - 1 : rows - 1;
            for (int64_t x = row[i]; x < row[last]; x += 64 / b->sum)
                PREFETCH(c + (x + b->n.c[j]) * b->sum);
            PREFETCH(c + (row[last] + b->n.c[j]) * b->sum);
        }
}

/** One tile, to C by the kernel where it can, else through sums that are put in their places afterwards. */
static void run_tile(blocks const *b, worker const *w, spot const *s)
{
    tsr_gemm_plan const *const p = b->plan;
    int64_t const *const column = b->n.c + s->j, *const to = w->m.c + s->i * p->parts;
    int const numbers = (int)s->rows * p->parts, *const run = w->m.run + s->i * p->parts;
    int64_t const step = s->columns > 1 ? column[1] - column[0] : 0;
    bool const adds = !b->first || p->product.beta != 0;
    if (is_direct(b, s, run, numbers)) {
        multiply(b, w, s, address(&p->product.c) + (to[0] + column[0]) * b->sum, step, adds, false);
        return;
    }
    unsigned char *const sums =
        b->partial ? b->partial + (s->j * b->partial_ld + (s->top + s->i) * p->parts) * b->sum : w->tile;
    gemm_tile const t = {sums,
                         b->partial ? b->partial_ld : GEMM_ROWS,
                         numbers,
                         (int)s->columns,
                         to,
                         column,
                         w->m.bias + s->i * p->parts,
                         b->n.bias + s->j,
                         run,
                         w->m.bias_run + s->i * p->parts};
    multiply(b, w, s, sums, t.ld, b->partial && !b->first, p->pack_a);
    if (b->sums_fit)
        scatter_of (&b->choice)(address(&p->product.c), to, run, numbers, column, t.columns, sums, t.ld, adds);
    else if (b->last || !b->partial)
        tsr_gemm_finish(p, &b->choice, &t);
}

/** All tiles of a block of rows. */
static void run_rows(blocks const *b, worker const *w, int64_t top)
{
    tsr_gemm_plan const *const p = b->plan;
    spot s = {top, 0, 0, 0, 0, 0, false};
    int64_t const rows = tsr_min64(p->mc, p->m.size - top);
    find_places(b, (places *)&w->m, &p->m, TSR_IN_A, top, rows, p->parts);
    if (p->pack_a)
        pack_a(b, w, rows);
    if (b->choice.row->enter)
        b->choice.row->enter();
    for (s.j = 0; s.j < b->columns; s.j += s.columns) {
        s.columns = tsr_min64(b->nr, b->columns - s.j);
        while (!p->pack_b && (s.columns & (s.columns - 1)) != 0) /* nothing stands behind the last column */
            s.columns &= s.columns - 1;
        int64_t const *const column = b->n.c + s.j;
        s.even = tsr_is_pow2(s.columns) && s.columns >> b->choice.row->log_columns > 0
                 && gemm_is_run(column, s.columns > 1 ? column[1] - column[0] : 0, (int)s.columns);
        s.panel = 0;
        for (s.i = 0; s.i < rows; s.i += s.rows) {
            s.rows = rows_of_panel(b, rows - s.i);
            if (s.i + s.rows < rows)
                fetch_next(b, w, &s, rows_of_panel(b, rows - s.i - s.rows));
            run_tile(b, w, &s);
            s.panel += (int64_t)vectors_of(b, s.rows) * b->choice.row->lanes * b->units * b->unit;
        }
    }
    if (b->choice.row->leave)
        b->choice.row->leave();
}

/** The block of columns j on, elements k on of K, of batch v. */
static void find_block(blocks *b, int64_t v, int64_t j, int64_t k)
{
    tsr_gemm_plan const *const p = b->plan;
    int64_t base[TSR_OPERANDS];
    b->columns = tsr_min64(p->nc, p->n.size - j);
    b->depth = tsr_min64(p->kc, p->k.size - k);
    b->units = tsr_gemm_units(b->choice.row, p->parts, b->depth);
    b->first = k == 0;
    b->last = k + b->depth == p->k.size;
    for (int o = 0; o < TSR_OPERANDS; ++o)
        base[o] = p->begin[o] + tsr_gemm_offset(&p->v, o, v);
    find_places(b, &b->n, &p->n, TSR_IN_B, j, b->columns, 1);
    tsr_gemm_offsets(&p->k, TSR_IN_A, k, b->depth, gemm_bytes(&p->product.a), b->k_of_a);
    tsr_gemm_offsets(&p->k, TSR_IN_B, k, b->depth, gemm_bytes(&p->product.b), b->k_of_b);
    for (int64_t i = 0; i < b->depth; ++i) {
        b->k_of_a[i] += base[TSR_IN_A] * gemm_bytes(&p->product.a);
        b->k_of_b[i] += base[TSR_IN_B] * gemm_bytes(&p->product.b);
    }
    for (int64_t i = 0; i < b->columns; ++i) {
        b->n.c[i] += base[TSR_IN_C] * p->parts;
        b->n.bias[i] += base[TSR_IN_BIAS] * p->parts;
    }
}

/** A block of columns by a block of K, by all threads. */
static void run_block(blocks const *b)
{
    tsr_gemm_plan const *const p = b->plan;
    int64_t const panels = p->pack_b ? gemm_ceil(b->columns, b->nr) : 0, tops = gemm_ceil(p->m.size, p->mc);
    PARALLEL("omp parallel num_threads(p->threads) if(p->threads > 1)")
    {
#if defined(_OPENMP)
        worker const w = worker_at(b, omp_get_thread_num());
#else
        worker const w = worker_at(b, 0);
#endif
        PARALLEL("omp for schedule(static)")
        for (int64_t i = 0; i < panels; i += b->group)
            pack_b(b, i);
        PARALLEL("omp for schedule(dynamic)")
        for (int64_t i = 0; i < tops; ++i)
            run_rows(b, &w, i * p->mc);
    }
}

void tsr_gemm_run_blocks(tsr_gemm_plan const *p, unsigned char *work)
{
    blocks b;
    lay_out(&b, p, (uintptr_t)work);
    for (int64_t v = 0; v < p->v.size; ++v)
        for (int64_t j = 0; j < p->n.size; j += p->nc)
            for (int64_t k = 0; k < p->k.size; k += p->kc) {
                find_block(&b, v, j, k);
                run_block(&b);
            }
}

/** The tiles of a block of rows: a kernel each, which writes to C where it can; else sums that are put in their places.
 */
#include "exec/gemm/blocks.h"

#if defined(__GNUC__)
#  define PREFETCH(p) __builtin_prefetch(p, 1)
#  define FETCH_FAR(at) __builtin_prefetch((void const *)(at), 0, 2)
#else
#  define PREFETCH(p) ((void)(p))
#  define FETCH_FAR(at) ((void)(at))
#endif

/** Up to this K a tile takes less time than its part of C from memory, so the next tile's part is prefetched. */
enum { SHORT_DEPTH = 32 };

/** Up to this K the order in which C is visited matters more. */
enum { SHORT_ROWS = 128 };

enum { LINE = 64 };

static gemm_scatter *scatter_of(gemm_choice const *c)
{
    tsr_dtype const sum = gemm_sum_type(c->row->form);
    return sum == TSR_F32   ? c->table->scatter_float
           : sum == TSR_F64 ? c->table->scatter_double
           : sum == TSR_I64 ? c->table->scatter_long
                            : c->table->scatter_int;
}

/** What puts whole sums of f32 in their places in a C of 16 bits, where nothing else is asked for; or NULL. */
static gemm_scatter *rounded_of(tsr_planned_gemm const *p, gemm_choice const *c)
{
    tsr_dtype const type = p->of.product.c.engine.type;
    bool const plain = p->trivial && gemm_sum_type(c->row->form) == TSR_F32 && !gemm_is_swizzled(&p->of.product.c);
    return !plain             ? NULL
           : type == TSR_BF16 ? c->table->scatter_bf16
           : type == TSR_F16  ? c->table->scatter_half
                              : NULL;
}

/** A panel of B, or columns where they are: what the tiles of all rows have in common. */
typedef struct stripe {
    int64_t j, columns;
    unsigned char const *b;
    int64_t bs, bc, far; /* steps in units */
    int64_t step, c;     /* from column to column of C, where the columns are even; bytes of the first one in C */
    int kernel;          /* by columns */
    bool even;           /* the columns are as many as kernels take, and equally far apart in C */
} stripe;

static stripe stripe_at(blocks const *b, int64_t j)
{
    tsr_planned_gemm const *const p = b->plan;
    gemm_row const *const row = b->choice.row;
    int64_t const *const column = b->n.c + j, bytes = gemm_panel_bytes(b, b->units);
    int64_t const group = gemm_group(row->form);
    stripe s = {.j = j,
                .columns = tsr_min64(b->nr, b->columns - j),
                .b = gemm_panel(b, j >> b->log_nr),
                .bs = b->nr,
                .bc = row->depth,
                .far = bytes / b->unit,
                .c = column[0] * b->sum};
    if (!p->pack_b) {
        while ((s.columns & (s.columns - 1)) != 0) /* nothing stands behind the last column */
            s.columns &= s.columns - 1;
        s.b = gemm_address(&p->of.product.b) + b->n.operand[j] + b->k_of_b[0];
        s.bs = group == 1 ? p->of.k.step[TSR_IN_B][0] : 1;
        s.bc = p->of.n.step[TSR_IN_B][0] / group;
        s.far = 0;
    }
    s.kernel = (int)tsr_max64(tsr_bit_width((uint64_t)s.columns - 1) - row->log_columns, 0);
    s.step = s.columns > 1 ? column[1] - column[0] : 0;
    s.even =
        tsr_is_pow2(s.columns) && s.columns >> row->log_columns > 0 && gemm_is_run(column, s.step, (int)s.columns);
    return s;
}

/** Asks for the lines of C that a piece will be added to. */
static void fetch(blocks const *b, worker const *w, stripe const *s, piece const *x)
{
    unsigned char *const c = gemm_address(&b->plan->of.product.c);
    int64_t const *const row = w->m.c + x->first * b->plan->parts;
    int const *const run = w->m.run + x->first * b->plan->parts;
    for (int64_t j = s->j; j < s->j + s->columns; ++j)
        for (int i = 0; i < x->numbers; i += run[i]) {
            int const last = run[i] < x->numbers - i ? i + run[i] - 1 : x->numbers - 1;
            for (int64_t at = row[i]; at < row[last]; at += 64 / b->sum)
                PREFETCH(c + (at + b->n.c[j]) * b->sum);
            PREFETCH(c + (row[last] + b->n.c[j]) * b->sum);
        }
}

/** Multiplies the panels of a tile into sums; asks for what lies `ahead` of them, or for themselves. */
static inline void multiply(blocks const *b, stripe const *s, piece const *x, void *sums, int64_t ld, int64_t ahead,
                            bool add)
{
    b->choice.row->kernel[x->mask != ~(uint32_t)0][x->vectors - 1][s->kernel](
        b->units, x->a, x->as, s->b, s->bs, s->bc, s->far, sums, ld, ahead, add, x->mask);
}

void tsr_gemm_put_tile(blocks const *b, gemm_tile const *t)
{
    tsr_planned_gemm const *const p = b->plan;
    gemm_scatter *const scatter = b->sums_fit ? scatter_of(&b->choice) : rounded_of(p, &b->choice);
    bool const adds = (b->sums_fit && !b->first) || p->of.product.beta != 0;
    if (scatter)
        scatter(gemm_address(&p->of.product.c), t->row, t->run, t->rows, t->column, t->columns, t->sums, t->ld, adds);
    else
        tsr_gemm_finish(p, &b->choice, t);
}

/** A tile whose sums are put in their places afterwards. */
static void run_apart(blocks const *b, worker const *w, stripe const *s, piece const *x, int64_t top)
{
    tsr_planned_gemm const *const p = b->plan;
    int64_t const first = x->first * p->parts, *const column = b->n.c + s->j, *const to = w->m.c + first;
    unsigned char *const sums =
        b->partial ? b->partial + (s->j * b->partial_ld + top * p->parts + first) * b->sum : w->tile;
    gemm_tile const t = {.sums = sums,
                         .ld = b->partial ? b->partial_ld : GEMM_ROWS,
                         .rows = x->numbers,
                         .columns = (int)s->columns,
                         .row = to,
                         .column = column,
                         .bias_row = w->m.bias + first,
                         .bias_column = b->n.bias + s->j,
                         .run = w->m.run + first,
                         .bias_run = w->m.bias_run + first};
    multiply(b, s, x, sums, t.ld, 0, b->partial && !b->first);
    if (!b->kept && (!b->partial || b->last))
        tsr_gemm_put_tile(b, &t);
}

/** A tile; the one behind it is of `next`, or NULL, in the columns of `beside`. What kernels write to C comes first: a
 *  tile that fills the registers takes a thousand cycles, and some twenty instructions more in front of it show. */
static inline void run_tile(blocks const *b, worker const *w, stripe const *s, piece const *x, stripe const *beside,
                            piece const *next, int64_t top)
{
    tsr_planned_gemm const *const p = b->plan;
    bool const brief = b->depth <= SHORT_DEPTH, direct = x->direct && s->even;
    bool const follows = next && next->direct && beside->even;
    if (b->sums_fit && next && (!follows || (brief && !direct)))
        fetch(b, w, beside, next);
    if (direct)
        multiply(b, s, x, gemm_address(&p->of.product.c) + x->c + s->c, s->step,
                 brief && follows ? (next->c + beside->c - x->c - s->c) / b->sum : 0,
                 !b->first || p->of.product.beta != 0);
    else
        run_apart(b, w, s, x, top);
}

/** Runs of `bytes` bytes, `step` bytes apart, whose lines are asked for, `each` at a time. */
typedef struct lines {
    uintptr_t at; /* may lie behind the end of an operand */
    int64_t runs, bytes, step, each, left;
} lines;

static void fetch_lines(lines *x)
{
    for (int64_t i = 0; i < x->each && x->runs > 0; ++i) {
        FETCH_FAR(x->at);
        x->at += LINE;
        x->left -= LINE;
        if (x->left > 0)
            continue;
        x->at += (uintptr_t)(x->step - (x->bytes - x->left));
        x->left = x->bytes;
        --x->runs;
    }
}

/** The block of A behind the block of rows from `top` on, in equal parts for `times` tiles. None where A is not far, or
 *  does not lie evenly. */
static lines lines_behind(blocks const *b, worker const *w, int64_t top, int64_t times)
{
    lines x = {0, 0, 0, 0, 0, 0};
    tsr_planned_gemm const *const p = b->plan;
    tsr_tensor const *const a = &p->of.product.a;
    if (!p->pack_a || p->of.m.loops != 1 || p->of.k.loops != 1 || gemm_is_swizzled(a) || !tsr_gemm_is_far(p))
        return x;
    int64_t const size = gemm_bytes(a), down = p->of.m.step[TSR_IN_A][0] * size,
                  along = p->of.k.step[TSR_IN_A][0] * size;
    int64_t const rows = b->of_m.end - top - p->mc * p->threads; /* threads take blocks in turns */
    int64_t const count = tsr_min64(rows > 0 ? rows : b->of_m.end - b->of_m.first, p->mc);
    int64_t const next = rows > 0 ? p->mc * p->threads * down : b->depth * along - (top - b->of_m.first) * down;
    x.at = (uintptr_t)gemm_address(a) + (uintptr_t)(w->m.operand[0] + b->k_of_a[0] + next);
    x.runs = along == size ? count : b->depth;
    x.step = along == size ? down : along;
    x.bytes = x.left = (along == size ? b->depth : count) * size;
    x.each = gemm_ceil(x.runs * gemm_ceil(x.bytes, LINE), times);
    return x;
}

/** How many columns from j on follow each other in C more closely than panels of rows do. Where K is short it matters
 *  that lines of C come in order: tiles of such columns are made for one panel of A after the other. */
static int64_t close_columns(blocks const *b, worker const *w, int64_t j, int64_t count)
{
    int64_t const *const column = b->n.c + j, *const row = w->m.c, left = w->right - j;
    int64_t n = 2;
    if (!b->sums_fit || count < 2 || b->depth > SHORT_ROWS || left <= b->nr
        || tsr_abs64(column[b->nr] - column[0]) >= tsr_abs64(row[w->piece[1].first * b->plan->parts] - row[0]))
        return 0;
    while (n < left && column[n] - column[n - 1] == column[1] - column[0])
        ++n;
    return n == left ? n : n / b->nr * b->nr;
}

/** How many columns from j on are worked on together; of them `first` has a panel's. */
static int64_t columns_from(blocks const *b, worker const *w, int64_t j, int64_t count, stripe const *first)
{
    int64_t const columns = tsr_max64(close_columns(b, w, j, count), first->columns);
    int64_t const left = b->brief ? b->group - ((j >> b->log_nr) & (b->group - 1)) : 0;
    return b->brief ? tsr_min64(columns, left << b->log_nr) : columns;
}

void tsr_gemm_run_tiles(blocks const *b, worker const *w, int64_t top, int64_t count)
{
    piece const *const end = w->piece + count;
    lines behind = lines_behind(b, w, top, count * gemm_ceil(w->right - w->left, b->nr));
    for (int64_t j = w->left, columns = 0; j < w->right; j += columns) {
        if (b->brief && ((j >> b->log_nr) & (b->group - 1)) == 0)
            tsr_gemm_pack_b(b, j >> b->log_nr);
        stripe const first = stripe_at(b, j);
        columns = columns_from(b, w, j, count, &first);
        for (piece const *x = w->piece; x < end; ++x) {
            piece const *const next = x + 1 < end ? x + 1 : NULL;
            fetch_lines(&behind);
            if (columns == first.columns) {
                run_tile(b, w, &first, x, &first, next, top);
                continue;
            }
            stripe s = first;
            for (; s.j + s.columns < j + columns;) {
                stripe const beside = stripe_at(b, s.j + s.columns);
                run_tile(b, w, &s, x, &beside, x, top);
                s = beside;
            }
            run_tile(b, w, &s, x, &first, next, top);
        }
    }
}

/** Products without rows and columns: every element of C is the sum of one element of V over K. */
#include "exec/engine.h"
#include "exec/gemm/sides.h"

/* Elements of V whose sums are made at once, of at most 8 bytes: by dots, and where lines are across K, several LINEs.
 * Lines of other types that are converted together, and their elements. How many pieces a thread has, where it can. */
enum { DOTS = 256, SUMS = 2048, LINE = 64, TOGETHER = 8, CONVERTED = 256, TURNS = 4 };

/* What is a long K: its pieces and the points that have one at a time. */
enum { LEAST_PIECE = 1 << 15, MOST_PIECES = 64, FEW_POINTS = 8 };

bool tsr_gemm_is_points(tsr_planned_gemm const *p)
{
    return tsr_gemm_choice_of(p).row->pairs && p->parts == 1 && p->of.m.size == 1 && p->of.n.size == 1
           && p->of.k.size > 0 && !gemm_is_swizzled(&p->of.product.a) && !gemm_is_swizzled(&p->of.product.b);
}

/** An operand from an offset on, its lines `step` elements apart. */
static gemm_side side_at(tsr_planned_gemm const *p, int operand, int64_t at)
{
    tsr_tensor const *const t = operand == TSR_IN_A ? &p->of.product.a : &p->of.product.b;
    int64_t const size = gemm_bytes(t), step = gemm_step(&p->of.k, operand);
    gemm_side const s = {gemm_address(t) + (p->of.begin[operand] + at) * size, t->engine.type, size, step, step};
    return s;
}

/** Elements of the innermost loop of K, and how often it runs. */
static int64_t inner_of(tsr_gemm_loops const *k) { return k->loops > 0 ? k->count[0] : 1; }

/** The sum of elements `first` to `last` - 1 of lines at offsets a and b. */
static void dot_between(tsr_planned_gemm const *p, gemm_choice const *c, int64_t a, int64_t b, int64_t first,
                        int64_t last, unsigned char *sum, bool add)
{
    _Alignas(64) unsigned char buffer[2][2 * GEMM_ROOM_BYTES];
    int64_t const most = GEMM_ROOM_BYTES / 8;
    gemm_side const x = side_at(p, TSR_IN_A, a), y = side_at(p, TSR_IN_B, b);
    for (int64_t i = first; i < last; i += most, add = true) {
        int64_t const n = tsr_min64(most, last - i);
        c->row->alone(1, n, tsr_gemm_line(c, &x, i, n, buffer[0]), 0, tsr_gemm_line(c, &y, i, n, buffer[1]), sum,
                      add);
    }
}

/** A sum of lines of K from offsets a and b of V on. */
static void dot(tsr_planned_gemm const *p, gemm_choice const *c, int64_t a, int64_t b, unsigned char *sum)
{
    int64_t const inner = inner_of(&p->of.k);
    for (int64_t k = 0; k < p->of.k.size; k += inner)
        dot_between(p, c, a + (k > 0 ? tsr_gemm_offset(&p->of.k, TSR_IN_A, k) : 0),
                    b + (k > 0 ? tsr_gemm_offset(&p->of.k, TSR_IN_B, k) : 0), 0, inner, sum, k > 0);
}

/** Sums of n elements of V from `top` on, one after the other. */
static void run_dots(tsr_planned_gemm const *p, int64_t top, int64_t n)
{
    _Alignas(64) unsigned char sums[DOTS * 8];
    int64_t a[DOTS], b[DOTS];
    gemm_choice const c = tsr_gemm_choice_of(p);
    tsr_gemm_offsets(&p->of.v, TSR_IN_A, top, n, 1, a);
    tsr_gemm_offsets(&p->of.v, TSR_IN_B, top, n, 1, b);
    for (int64_t i = 0; i < n; ++i)
        dot(p, &c, a[i], b[i], sums + i * gemm_unit_bytes(c.row->form));
    tsr_gemm_finish_rows(p, &c, &p->of.v, 0, top, n, sums);
}

/** `lines` lines of n elements as kernels take them, `*step` apart. */
static unsigned char const *lines_at(gemm_choice const *c, gemm_side const *x, int64_t lines, int64_t n,
                                     int64_t *step, unsigned char *buffer)
{
    tsr_dtype const element = gemm_element_type(c->row->form);
    *step = x->type == element ? x->down : n;
    for (int64_t i = 0; x->type != element && i < lines; ++i)
        tsr_gemm_convert(c, element, buffer + i * n * gemm_unit_bytes(c->row->form), x->type,
                         x->at + i * x->down * x->size, n);
    return x->type == element ? x->at : buffer;
}

/** Adds the innermost loop of K to n sums. */
static void add_lines(gemm_choice const *c, gemm_side x, gemm_side y, int64_t lines, int64_t n, unsigned char *sums,
                      bool add)
{
    _Alignas(64) unsigned char buffer[2][TOGETHER * CONVERTED * 8];
    tsr_dtype const element = gemm_element_type(c->row->form);
    bool const same = x.type == element && y.type == element;
    int64_t const each = same ? lines : TOGETHER, piece = same ? n : CONVERTED;
    for (int64_t l = 0, s = 0, t = 0; l < lines; l += each, add = true) {
        int64_t const many = tsr_min64(each, lines - l);
        for (int64_t i = 0; i < n; i += piece) {
            int64_t const size = tsr_min64(piece, n - i);
            gemm_side const xi = {x.at + (l * x.down + i) * x.size, x.type, x.size, x.down, x.along},
                            yi = {y.at + (l * y.down + i) * y.size, y.type, y.size, y.down, y.along};
            unsigned char const *const a = lines_at(c, &xi, many, size, &s, buffer[0]), *const b = lines_at(
                                                                                            c, &yi, many, size, &t,
                                                                                            buffer[1]);
            c->row->pairs(size, many, a, s, b, t, sums + i * gemm_unit_bytes(c->row->form), add);
        }
    }
}

/** Sums of n neighbours in V from `top` on, over all of K. */
static void run_across(tsr_planned_gemm const *p, int64_t top, int64_t n)
{
    _Alignas(64) unsigned char sums[SUMS * 8];
    gemm_choice const c = tsr_gemm_choice_of(p);
    int64_t const inner = inner_of(&p->of.k), a = tsr_gemm_offset(&p->of.v, TSR_IN_A, top),
                  b = tsr_gemm_offset(&p->of.v, TSR_IN_B, top);
    for (int64_t k = 0; k < p->of.k.size; k += inner)
        add_lines(&c, side_at(p, TSR_IN_A, a + (k > 0 ? tsr_gemm_offset(&p->of.k, TSR_IN_A, k) : 0)),
                  side_at(p, TSR_IN_B, b + (k > 0 ? tsr_gemm_offset(&p->of.k, TSR_IN_B, k) : 0)), inner, n, sums,
                  k > 0);
    tsr_gemm_finish_rows(p, &c, &p->of.v, 0, top, n, sums);
}

/** One point or a few of a long K: sums of pieces of it, whatever the number of threads, and their sum. */
typedef struct deep {
    tsr_planned_gemm const *plan;
    int64_t piece, pieces;
    unsigned char *sums; /* those of all points, piece by piece */
} deep;

static int64_t pieces_of(tsr_planned_gemm const *p, int64_t *piece)
{
    tsr_dtype const sum = gemm_sum_type(tsr_gemm_choice_of(p).row->form);
    bool const deep = p->of.k.loops == 1 && p->of.v.size <= FEW_POINTS && (sum == TSR_F32 || sum == TSR_F64);
    *piece = tsr_max64(gemm_ceil(gemm_ceil(p->of.k.size, MOST_PIECES), LINE) * LINE, LEAST_PIECE);
    return deep ? gemm_ceil(p->of.k.size, *piece) : 1;
}

static void run_deep_piece(void *context, int worker, int64_t i)
{
    deep const *const q = (deep const *)context;
    tsr_planned_gemm const *const p = q->plan;
    gemm_choice const c = tsr_gemm_choice_of(p);
    int64_t const v = i % p->of.v.size, first = i / p->of.v.size * q->piece;
    int64_t const last = tsr_min64(first + q->piece, p->of.k.size);
    (void)worker;
    dot_between(p, &c, tsr_gemm_offset(&p->of.v, TSR_IN_A, v), tsr_gemm_offset(&p->of.v, TSR_IN_B, v), first, last,
                q->sums + i * gemm_unit_bytes(c.row->form), false);
}

static void run_deep(tsr_planned_gemm const *p, int64_t piece, int64_t pieces)
{
    _Alignas(64) unsigned char sums[MOST_PIECES * FEW_POINTS * 8];
    gemm_choice const c = tsr_gemm_choice_of(p);
    int64_t const points = p->of.v.size, bytes = points * gemm_unit_bytes(c.row->form);
    deep q = {p, piece, pieces, sums};
    tsr_engine_share_(p->threads, pieces * points, run_deep_piece, &q);
    for (int64_t i = 1; i < pieces; ++i)
        (void)tsr_engine_combine_run(TSR_COMBINE_SUM, gemm_sum_type(c.row->form), sums, sums, sums + i * bytes,
                                     points);
    tsr_gemm_finish_rows(p, &c, &p->of.v, 0, 0, points, sums);
}

/** Points in pieces of lines. */
typedef struct pointed {
    tsr_planned_gemm const *plan;
    bool across;
    int64_t line, each, pieces;
} pointed;

static void run_piece(void *context, int worker, int64_t i)
{
    pointed const *const q = (pointed const *)context;
    int64_t const from = i % q->pieces * q->each, top = i / q->pieces * q->line + from;
    int64_t const n = tsr_min64(q->each, q->line - from);
    (void)worker;
    if (q->across)
        run_across(q->plan, top, n);
    else
        run_dots(q->plan, top, n);
}

void tsr_gemm_run_points(tsr_planned_gemm const *p)
{
    bool const across = gemm_step(&p->of.v, TSR_IN_A) == 1 && gemm_step(&p->of.v, TSR_IN_B) == 1;
    int64_t piece = 0, pieces = pieces_of(p, &piece);
    if (pieces > 1) {
        run_deep(p, piece, pieces);
        return;
    }
    int64_t const line = across ? p->of.v.count[0] : p->of.v.size, most = across ? SUMS : DOTS;
    int64_t const least = gemm_ceil(p->of.v.size, TURNS * p->threads), step = across ? LINE : 1; /* some for each */
    int64_t const each = p->threads == 1 ? most : tsr_min64(gemm_ceil(least, step) * step, most);
    pointed q = {p, across, line, each, gemm_ceil(line, each)};
    tsr_engine_share_(p->threads, p->of.v.size / tsr_max64(line, 1) * q.pieces, run_piece, &q);
}

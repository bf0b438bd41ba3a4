/** Products without rows and columns: every element of C is the sum of one element of V over K. */
#include "exec/engine.h"
#include "exec/gemm/sides.h"

/* Elements of V whose sums are made at once, of at most 8 bytes: by dots, and where lines are across K, several LINEs.
 * Lines of other types that are converted together, and their elements. How many pieces a thread has, where it can. */
enum { DOTS = 256, SUMS = 2048, LINE = 64, TOGETHER = 8, CONVERTED = 256, TURNS = 4 };

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

/** A sum of lines of K from offsets a and b of V on. */
static void dot(tsr_planned_gemm const *p, gemm_choice const *c, int64_t a, int64_t b, unsigned char *sum)
{
    _Alignas(64) unsigned char buffer[2][2 * GEMM_ROOM_BYTES];
    int64_t const inner = inner_of(&p->of.k), most = GEMM_ROOM_BYTES / 8;
    bool add = false;
    for (int64_t k = 0; k < p->of.k.size; k += inner) {
        gemm_side const x = side_at(p, TSR_IN_A, a + (k > 0 ? tsr_gemm_offset(&p->of.k, TSR_IN_A, k) : 0)),
                        y = side_at(p, TSR_IN_B, b + (k > 0 ? tsr_gemm_offset(&p->of.k, TSR_IN_B, k) : 0));
        for (int64_t i = 0; i < inner; i += most, add = true) {
            int64_t const n = tsr_min64(most, inner - i);
            c->row->alone(1, n, tsr_gemm_line(c, &x, i, n, buffer[0]), 0, tsr_gemm_line(c, &y, i, n, buffer[1]), sum,
                          add);
        }
    }
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
    int64_t const line = across ? p->of.v.count[0] : p->of.v.size, most = across ? SUMS : DOTS;
    int64_t const least = gemm_ceil(p->of.v.size, TURNS * p->threads), step = across ? LINE : 1; /* some for each */
    int64_t const each = p->threads == 1 ? most : tsr_min64(gemm_ceil(least, step) * step, most);
    pointed q = {p, across, line, each, gemm_ceil(line, each)};
    tsr_engine_share_(p->threads, p->of.v.size / tsr_max64(line, 1) * q.pieces, run_piece, &q);
}

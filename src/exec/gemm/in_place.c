/** A product of operands that are small and lie as kernels read them: no panels, no memory. */
#include "exec/engine.h"
#include "exec/gemm/engine.h"

/** Where batch v of an operand begins. */
static unsigned char *batch(tsr_planned_gemm const *p, tsr_tensor const *t, int operand, int64_t v, int64_t unit)
{
    int64_t const at = v > 0 ? tsr_gemm_offset(&p->of.v, operand, v) : 0;
    return (unsigned char *)(uintptr_t)t->engine.address + (p->of.begin[operand] + at) * unit;
}

/* The bytes of B that are lined up at once, a line of memory for each element of K; the tiles of rows from which that
 * pays; the bytes of a way of the first cache, and the lines of a set that B may fill, which is half of them. */
enum { LINED_BYTES = 32768, LINE = 64, LINED_TILES = 2, WAY = 4096, FEW = 4 };

/** A part of a batch: its position, and what all its tiles share. */
typedef struct part {
    gemm_row const *row;
    unsigned char const *a, *b;
    unsigned char *c;
    int64_t unit, as, bs, bc, cc, k; /* steps in units */
    int64_t vectors, tiles, first, last;
    uint32_t edge; /* lanes of the last vector */
    bool add;
} part;

/** The tiles of some columns: vectors are spread evenly over tiles of up to 3, which go down the columns of C, so that
 *  its lines come in order. */
TSR_LOCAL_REF void run_columns(part const *q, int64_t j, int log, unsigned char const *b, int64_t bs, int64_t bc)
{
    int64_t const each = q->tiles > 1 ? q->vectors / q->tiles : q->vectors, more = q->vectors - each * q->tiles;
    for (int64_t t = q->first; t < q->last; ++t) {
        int64_t const i = t * each + tsr_min64(t, more), count = each + (t < more), at = i * q->row->lanes;
        uint32_t const mask = i + count == q->vectors ? q->edge : ~(uint32_t)0;
        q->row->kernel[mask != ~(uint32_t)0][count - 1][log](q->k, q->a + at * q->unit, q->as, b, bs, bc, 0,
                                                             q->c + (at + j * q->cc) * q->unit, q->cc, 0, q->add,
                                                             mask);
    }
}

/** Lines up pieces of columns of B, which lie side by side, as panels: of a line of memory of each element of K. */
TSR_LOCAL_REF void line_up(unsigned char *to, unsigned char const *from, int64_t step, int64_t k, int const piece,
                           int64_t pieces)
{
    for (int64_t x = 0; x < k; ++x)
        for (int64_t i = 0; i < pieces; ++i)
            memcpy(to + (i * k + x) * piece, from + x * step + i * piece, (size_t)piece);
}

/** Whether lines of B, `step` bytes apart, fill more than half of the sets of the first cache into which they fall. */
static bool is_crowded(int64_t step, int64_t k)
{
    int64_t const apart = tsr_max64(step & -step, LINE); /* the sets are a power of two */
    return step > LINE && k * tsr_min64(apart, WAY) > FEW * WAY;
}

/** Whole tiles of columns from j on, whose neighbours in B lie side by side, as many as begin in a line. Those of one
 *  element of K crowd those of others out of the first cache: each is read once, for the panels of all tiles of rows
 *  (256 by 256 by 256 floats by AVX2: 1.00 of OpenBLAS instead of 0.71). Returns the columns. */
static int64_t run_lined(part const *q, int64_t j, int64_t right, int log)
{
    _Alignas(LINE) unsigned char lined[LINED_BYTES];
    int64_t const columns = 1 << log, piece = columns * q->unit;
    int64_t const pieces = tsr_min64(tsr_max64(LINE / piece, 1), (right - j) >> log);
    unsigned char const *const from = q->b + j * q->unit;
    if (piece == 16 && pieces == 4)
        line_up(lined, from, q->bs * q->unit, q->k, 16, 4);
    else if (piece == 16)
        line_up(lined, from, q->bs * q->unit, q->k, 16, pieces);
    else if (piece == 32)
        line_up(lined, from, q->bs * q->unit, q->k, 32, pieces);
    else
        line_up(lined, from, q->bs * q->unit, q->k, 64, pieces);
    for (int64_t i = 0; i < pieces; ++i)
        run_columns(q, j + i * columns, log, lined + i * q->k * piece, columns, 1);
    return pieces * columns;
}

/** Columns `left` to `right` - 1. */
TSR_LOCAL_REF void run_stripes(part const *q, int64_t left, int64_t right, int log, bool const lines_up)
{
    for (int64_t j = left; j < right;) {
        int const widest = log;
        while (right - j < 1 << log)
            --log;
        if (lines_up && log == widest && log >= 2) {
            j += run_lined(q, j, right, log);
        } else {
            run_columns(q, j, log, q->b + j * q->bc * q->unit, q->bs, q->bc);
            j += 1 << log;
        }
    }
}

/** The same where B is lined up, as much of K at once as there is room for. */
TSR_APART void run_crowded(part all, int64_t left, int64_t right, int log)
{
    int64_t const k = all.k;
    for (int64_t x = 0; x < k; x += all.k, all.add = true) {
        all.k = tsr_min64(LINED_BYTES / LINE, k - x);
        run_stripes(&all, left, right, log, true);
        all.a += all.k * all.as * all.unit;
        all.b += all.k * all.bs * all.unit;
    }
}

/** Columns `left` to `right` - 1, B as it lies. */
static void run_between(part const *q, int64_t left, int64_t right, int log, bool crowded)
{
    if (crowded)
        run_crowded(*q, left, right, log);
    else
        run_stripes(q, left, right, log, false);
}

/** The same where the rows of A, m of them, lie along K, `down` units apart: kernels read them across. */
TSR_APART void run_turned(part q, int64_t m, int64_t down, int64_t left, int64_t right, int log, bool crowded)
{
    _Alignas(LINE) unsigned char turned[GEMM_TURNED_BYTES];
    int64_t const bits = q.unit * 8;
    tsr_block_ const b = {{m, q.k}, {down * bits, bits}, {bits, m * bits}};
    tsr_engine_move_block_(tsr_engine_chosen_(), turned, q.a, &b, bits);
    q.a = turned;
    q.as = m;
    run_between(&q, left, right, log, crowded);
}

/** Rows `top` to `top` + m - 1 of part `index` of `parts` of the tiles of a batch, cut along the longer side. */
static void run_rows(tsr_planned_gemm const *p, gemm_row const *row, int64_t top, int64_t m, int64_t v, int64_t index,
                     int64_t parts)
{
    int64_t const unit = gemm_unit_bytes(row->form), lanes = row->lanes, n = p->of.n.size, down = top * unit;
    int64_t const vectors = (m + lanes - 1) >> (tsr_bit_width((uint64_t)lanes) - 1), k = p->of.k.size;
    int64_t const tiles = gemm_ceil(vectors, GEMM_VECTORS), rest = m & (lanes - 1);
    uint32_t const all = ~(uint32_t)0;
    int const widest = row->columns == 8 ? 3 : 2;
    /* clang-format off */
    part q = {row, batch(p, &p->of.product.a, TSR_IN_A, v, unit) + down, batch(p, &p->of.product.b, TSR_IN_B, v, unit),
              batch(p, &p->of.product.c, TSR_IN_C, v, unit) + down, unit, p->of.k.step[TSR_IN_A][0],
              p->of.k.step[TSR_IN_B][0], p->of.n.step[TSR_IN_B][0], p->of.n.step[TSR_IN_C][0], k, vectors, tiles, 0,
              tiles, rest > 0 ? ~(all << rest) : all, p->of.product.beta != 0};
    /* clang-format on */
    int64_t left = 0, right = n;
    if (parts > 1 && tiles << widest > n) {
        q.first = tiles * index / parts;
        q.last = tiles * (index + 1) / parts;
    } else if (parts > 1) {
        int64_t const stripes = gemm_ceil(n, 1 << widest);
        left = stripes * index / parts << widest;
        right = tsr_min64(stripes * (index + 1) / parts << widest, n);
    }
    bool const crowded = q.bc == 1 && n > 1 && tiles >= LINED_TILES && is_crowded(q.bs * unit, k);
    int64_t const apart = p->of.m.loops > 0 ? p->of.m.step[TSR_IN_A][0] : 1;
    if (apart != 1)
        run_turned(q, m, apart, left, right, widest, crowded);
    else
        run_between(&q, left, right, widest, crowded);
}

/** A part of a batch: rows that are no whole vector one by one, where kernels have no masks. */
static void run_part(tsr_planned_gemm const *p, gemm_row const *row, int64_t v, int64_t index, int64_t parts)
{
    int64_t const m = p->of.m.size, rest = row->masks ? 0 : m & (row->lanes - 1);
    if (rest < m)
        run_rows(p, row, 0, m - rest, v, index, parts);
    if (rest > 0)
        run_rows(p, tsr_gemm_one(row->form), m - rest, rest, v, index, parts);
}

static void run_batch_or_part(void *context, int worker, int64_t i)
{
    tsr_planned_gemm const *const p = (tsr_planned_gemm const *)context;
    int64_t const parts = p->of.v.size == 1 ? p->threads : 1;
    (void)worker;
    run_part(p, &tsr_gemm_table((gemm_isa)p->isa)->row[p->row], i / parts, i % parts, parts);
}

void tsr_gemm_run_in_place(tsr_planned_gemm const *p)
{
    if (tsr_gemm_is_points(p)) {
        tsr_gemm_run_points(p);
        return;
    }
    if (tsr_gemm_is_lines(p)) {
        tsr_gemm_run_lines(p);
        return;
    }
    if (tsr_gemm_is_dots(p)) {
        tsr_gemm_run_dots(p);
        return;
    }
    if (tsr_gemm_is_complex_dots(p)) {
        tsr_gemm_run_complex_dots(p);
        return;
    }
    tsr_engine_share_(p->threads, p->of.v.size == 1 ? p->threads : p->of.v.size, run_batch_or_part,
                      (void *)(uintptr_t)p);
}

/** SUMMA by plans: a panel of A, of indices in one block of K, is a distributed matrix of its own, and so is what the
 *  ranks of C need of it: rows as C has them, with copies along the columns of C's mesh. The plan between them is the
 *  broadcast. B's panels are the same with rows and columns exchanged. */
#include <stdlib.h>

#include "mesh/form.h"
#include "mesh/move.h"
#include "mesh/product.h"
#include "tessera/exec/gemm.h"

enum { SLICES = 4, LEAST_SLICE = 128 };

/** A panel on its way to a layer of ranks. */
typedef struct way {
    tsr_dist_layout now; /* where it is */
    tsr_dist_plan plan;
    tsr_dist_run *run; /* NULL: it has come */
} way;

/** An operand on its way to the ranks of C: A, whose mode 1 is K, or B, whose mode 0 is K. */
typedef struct operand {
    tsr_dist_matrix matrix;
    int inner;          /* the mode that is K */
    tsr_dist_layout to; /* of a panel, for the ranks of C; its extent of K is the panel's */
    char *buffer[2];    /* panels that have come: of products that run, and of the next ones */
    tsr_dist_part part; /* of the panel that has come */
    way *way;           /* of a panel to each layer */
} operand;

typedef struct product {
    operand operand[2]; /* A, B */
    tsr_dist_matrix c;
    tsr_dist_part part; /* of C */
    double alpha, beta;
    tsr_dist_transport transport;
    int64_t host, panel;
    tsr_dist_layout const *layer; /* C on each layer; that of p->c is this rank's */
    int64_t layers, own;
    tsr_message *error;
} product;

/** The first index behind `at` that may lie in another block of a mode. */
static int64_t block_end(tsr_dist_layout const *d, int mode, int64_t at)
{
    dist_form const f = tsr_dist_form_of_(d);
    int64_t end = d->extent[mode], digit[TSR_DIST_SPLITS] = {0};
    dist_line l = {0};
    if (f.rules[mode] < f.nests[mode]) { /* the line has no period */
        tsr_dist_digits_at_(&l, &f, mode, at, digit);
        dist_interval const *const i = &l.interval[tsr_dist_line_find_(&l, tsr_dist_line_count_(&l, at))];
        end = l.failed ? at + 1 : i->at + i->length;
    }
    tsr_dist_line_free_(&l);
    for (int k = 0; k < f.rules[mode]; ++k) {
        tsr_dist_split const *const s = &d->split[f.nest[mode][k]];
        int64_t const in = at % s->period;
        end = tsr_min64(end, at - in + tsr_min64(in / s->block * s->block + s->block, s->period));
    }
    return end;
}

/** The panel of indices at to at + n - 1 of a mode, which lie in one block: the ranks that have it, and how many
 *  indices of the mode lie before it in their memory. False: no memory. */
static bool take_panel(tsr_dist_layout const *d, int mode, int64_t at, int64_t n, tsr_dist_layout *panel,
                       int64_t *before)
{
    dist_form const form = tsr_dist_form_of_(d);
    int64_t digit[TSR_DIST_SPLITS] = {0};
    dist_line line = {0};
    *panel = *d;
    panel->splits = 0;
    panel->extent[mode] = n;
    panel->table[mode] = NULL;
    tsr_dist_digits_at_(&line, &form, mode, at, digit);
    for (int k = 0; k < d->splits; ++k) {
        tsr_dist_split const *const s = &d->split[k];
        if (tsr_dist_cuts_(s) && s->mode == mode)
            panel->first += tsr_dist_place_(s, digit[k]);
        else
            panel->split[panel->splits++] = *s;
    }
    *before = tsr_dist_line_count_(&line, at);
    if (d->pitch[mode] == 0)
        panel->pitch[mode] = tsr_dist_line_count_(&line, d->extent[mode]);
    tsr_dist_line_free_(&line);
    return !line.failed;
}

/** Where the ranks of C need a panel: along mode `outer` of C as C has it, along the other one each has all. */
static tsr_dist_layout wanted(tsr_dist_layout const *c, int outer, int64_t n)
{
    int64_t extent[2];
    extent[outer] = c->extent[outer];
    extent[!outer] = n;
    tsr_dist_layout d = tsr_dist_whole(2, extent, false);
    d.first = c->first;
    d.table[outer] = c->table[outer];
    for (int k = 0; k < c->splits; ++k) {
        tsr_dist_split s = c->split[k];
        if (tsr_dist_cuts_(&s) && s.mode != outer) {
            tsr_dist_split const copies = {TSR_DIST_COPY, 0, s.extent, s.stride, 0, 0, 0};
            s = copies;
        }
        d.split[d.splits++] = s;
    }
    return d;
}

/** Sends a panel on its way to a layer. */
static bool begin_panel(product *p, int which, int64_t layer, int64_t at, int64_t n, int64_t turn)
{
    operand *const o = &p->operand[which];
    way *const w = &o->way[layer];
    int64_t before = 0;
    if (!take_panel(o->matrix.layout, o->inner, at, n, &w->now, &before))
        return tsr_dist_fail_(p->error, "a panel of %lld indices does not fit in memory", (long long)n);
    tsr_dist_layout const to = wanted(&p->layer[layer], which, n);
    if (!tsr_dist_plan_make(&w->now, &to, p->transport.rank, p->host, &w->plan, p->error))
        return false;
    int64_t const bytes = tsr_dtype_bits(o->matrix.type) / 8;
    char const *const old = (char const *)o->matrix.memory;
    char const *const from = old ? old + before * w->plan.part[0].stride[o->inner] * bytes : NULL;
    w->run =
        tsr_dist_run_begin(&w->plan, &p->transport, o->matrix.type, w->plan.part[0].elements ? from : NULL,
                           layer == p->own ? o->buffer[turn % 2] : NULL, tsr_dist_gemm_budget_(p->layers), p->error);
    return w->run != NULL;
}

static void end_panel(way *w)
{
    tsr_dist_run_free(w->run);
    w->run = NULL;
    tsr_dist_plan_free(&w->plan);
}

/** Goes on with the panels on their way, one behind the other: they share the slots of the transport. */
static bool step_panels(product *p, bool *come)
{
    *come = false;
    for (int64_t l = 0; l < p->layers; ++l)
        for (int i = 0; i < 2; ++i) {
            operand *const o = &p->operand[i];
            way *const w = &o->way[l];
            bool done = !w->run;
            if (!done && !tsr_dist_run_step(w->run, &done, p->error))
                return false;
            if (!done)
                return true;
            if (w->run && l == p->own)
                o->part = w->plan.part[1];
            if (w->run)
                end_panel(w);
        }
    *come = true;
    return true;
}

static tsr_tensor matrix_at(void *memory, int64_t at, tsr_dtype type, bool constant, int64_t const extent[2],
                            int64_t const stride[2])
{
    return tsr_dist_strided_((char *)memory + at * (tsr_dtype_bits(type) / 8), constant, type, 2, extent, stride);
}

/** The product of columns first to last - 1 of this rank's part of C with a panel of n indices. */
static bool multiply(product *p, tsr_dist_part const part[2], int64_t n, int64_t turn, int64_t first, int64_t last)
{
    operand *const a = &p->operand[0], *const b = &p->operand[1];
    int64_t const rows = p->part.extent[0], columns = last - first;
    int64_t const size[3][2] = {{rows, n}, {columns, n}, {rows, columns}};
    int64_t const b_stride[] = {part[1].stride[1], part[1].stride[0]};
    tsr_tensor const x = matrix_at(a->buffer[turn % 2], 0, a->matrix.type, true, size[0], part[0].stride);
    tsr_tensor const y = matrix_at(b->buffer[turn % 2], first * b_stride[0], b->matrix.type, true, size[1], b_stride);
    tsr_tensor const z = matrix_at(p->c.memory, first * p->part.stride[1], p->c.type, false, size[2], p->part.stride);
    tsr_epilogue const e = tsr_make_epilogue(p->alpha, turn == 0 ? p->beta : 1);
    tsr_reason const why = tsr_gemm_with(x, y, z, &e);
    p->error->at = 0;
    if (why.status)
        tsr_format_reason(p->error->text, sizeof p->error->text, why);
    return why.status == 0;
}

/** One panel: its products in slices, and between them steps of the next panel. */
static bool one_panel(product *p, int64_t n, int64_t turn)
{
    tsr_dist_part const part[2] = {p->operand[0].part, p->operand[1].part};
    int64_t const columns = p->part.elements > 0 ? p->part.extent[1] : 0;
    int64_t const slice = tsr_max64(tsr_ceil_div64(columns, SLICES), LEAST_SLICE);
    bool come = false;
    for (int64_t j = 0; j < columns; j += slice)
        if (!step_panels(p, &come) || !multiply(p, part, n, turn, j, tsr_min64(j + slice, columns)))
            return false;
    return true;
}

static bool wait_panels(product *p)
{
    for (bool come = false; !come;)
        if (!step_panels(p, &come))
            return false;
    return true;
}

/** The number of indices in the panel that begins at `at`: they lie in one block of A and one of B. */
static int64_t panel_at(product const *p, int64_t at)
{
    int64_t const a = block_end(p->operand[0].matrix.layout, 1, at),
                  b = block_end(p->operand[1].matrix.layout, 0, at);
    return tsr_min64(p->panel, tsr_min64(a, b) - at);
}

/** Sends the next panels from `*at` on, one to each layer; *own: how many indices this rank's has. */
static bool begin_turn(product *p, int64_t turn, int64_t *at, int64_t *own)
{
    int64_t const k = p->operand[0].matrix.layout->extent[1];
    *own = 0;
    for (int64_t l = 0; l < p->layers && *at < k; ++l) {
        int64_t const n = panel_at(p, *at);
        if (!begin_panel(p, 0, l, *at, n, turn) || !begin_panel(p, 1, l, *at, n, turn))
            return false;
        *own = l == p->own ? n : *own;
        *at += n;
    }
    return true;
}

static bool all_panels(product *p)
{
    int64_t const k = p->operand[0].matrix.layout->extent[1];
    int64_t at = 0, n = 0, next = 0;
    if (!begin_turn(p, 0, &at, &n))
        return false;
    for (int64_t turn = 0, before = 0; before < k; ++turn, n = next) {
        before = at;
        if (!wait_panels(p) || !begin_turn(p, turn + 1, &at, &next) || (n > 0 && !one_panel(p, n, turn)))
            return false;
    }
    return true;
}

bool tsr_dist_gemm_refuses_(tsr_dist_matrix a, tsr_dist_matrix b, tsr_dist_matrix c, int64_t panel, int64_t ranks,
                            tsr_message *error)
{
    static char const *const names[] = {"A", "B", "C"};
    tsr_dist_matrix const m[] = {a, b, c};
    static int const same[3][4] = {{0, 1, 1, 0}, {0, 0, 2, 0}, {1, 1, 2, 1}}; /* matrix, mode, matrix, mode */
    for (int i = 0; i < 3; ++i) {
        if (!tsr_dist_check(m[i].layout, error))
            return true;
        if (m[i].layout->modes != 2)
            return !tsr_dist_fail_(error, "%s has %d modes, a matrix has 2", names[i], m[i].layout->modes);
        if (tsr_dist_sums(m[i].layout) > 1)
            return !tsr_dist_fail_(error, "%s has addends: sum them first", names[i]);
        if (tsr_dist_ranks(m[i].layout) > ranks)
            return !tsr_dist_fail_(error, "%s lies on %lld ranks, and there are %lld", names[i],
                                   (long long)tsr_dist_ranks(m[i].layout), (long long)ranks);
    }
    for (int i = 0; i < 3; ++i) {
        int64_t const x = m[same[i][0]].layout->extent[same[i][1]], y = m[same[i][2]].layout->extent[same[i][3]];
        if (x != y)
            return !tsr_dist_fail_(error, "mode %d of %s has extent %lld, and mode %d of %s has %lld", same[i][1],
                                   names[same[i][0]], (long long)x, same[i][3], names[same[i][2]], (long long)y);
    }
    return panel < 0 && !tsr_dist_fail_(error, "panels of %lld indices", (long long)panel);
}

/** Has this rank memory for its parts? */
static bool has_memory(product const *p, tsr_message *error)
{
    static char const *const names[] = {"A", "B", "C"};
    tsr_dist_matrix const m[] = {p->operand[0].matrix, p->operand[1].matrix, p->c};
    for (int i = 0; i < 3; ++i) {
        tsr_dist_part part;
        if (tsr_dist_part_of(m[i].layout, p->transport.rank, &part) && part.elements > 0 && !m[i].memory)
            return tsr_dist_fail_(error, "rank %lld has %lld elements of %s, and no memory for them",
                                  (long long)p->transport.rank, (long long)part.elements, names[i]);
    }
    return true;
}

/** The buffers of both operands: two panels each. */
static bool make_buffers(product *p)
{
    for (int i = 0; i < 4; ++i) {
        operand *const o = &p->operand[i / 2];
        tsr_dist_part part;
        (void)tsr_dist_part_of(&o->to, p->transport.rank, &part);
        uint64_t const bytes = (uint64_t)tsr_max64(part.span, 1) * (uint64_t)tsr_dtype_bits(o->matrix.type) / 8 + 1;
        o->buffer[i % 2] = bytes <= SIZE_MAX ? (char *)malloc((size_t)bytes) : NULL;
        if (!o->buffer[i % 2])
            return tsr_dist_fail_(p->error, "panels of %lld bytes do not fit in memory", (long long)bytes);
    }
    return true;
}

bool tsr_dist_gemm_on_(tsr_dist_matrix a, tsr_dist_matrix b, tsr_dist_matrix c, double alpha, double beta,
                       int64_t panel, tsr_dist_layout const *layer, int64_t layers, int64_t own,
                       tsr_dist_transport const *transport, int64_t host, tsr_message *error)
{
    tsr_dist_matrix const operands[] = {a, b};
    tsr_dist_terms scale = tsr_dist_terms_of(c.type);
    product p = {0};
    p.c = c;
    p.alpha = alpha;
    p.beta = beta;
    p.transport = *transport;
    p.transport.window = NULL; /* windows show one memory, and there are two */
    p.host = host;
    p.panel = panel == 0 ? DIST_PANEL : panel;
    p.layer = layer;
    p.layers = layers;
    p.own = own;
    p.error = error;
    for (int i = 0; i < 2; ++i) {
        p.operand[i].matrix = operands[i];
        p.operand[i].inner = !i;
    }
    if (tsr_dist_gemm_refuses_(a, b, c, panel, transport->ranks, error) || !has_memory(&p, error))
        return false;
    for (int i = 0; i < 2; ++i) {
        p.operand[i].to = wanted(c.layout, i, tsr_min64(p.panel, a.layout->extent[1]));
        p.operand[i].way = (way *)calloc((size_t)layers, sizeof(way));
    }
    (void)tsr_dist_part_of(c.layout, transport->rank, &p.part);
    scale.beta = tsr_number_real(beta);
    bool ok = p.operand[0].way && p.operand[1].way
                  ? make_buffers(&p) && all_panels(&p)
                  : tsr_dist_fail_(error, "there is no memory for %lld layers", (long long)layers);
    if (ok && a.layout->extent[1] == 0)
        ok = tsr_dist_scale_(&p.part, 2, c.memory, &scale, error);
    for (int i = 0; i < 2; ++i) {
        for (int64_t l = 0; p.operand[i].way && l < layers; ++l)
            end_panel(&p.operand[i].way[l]);
        free(p.operand[i].way);
        free(p.operand[i].buffer[0]);
        free(p.operand[i].buffer[1]);
    }
    return ok;
}

bool tsr_dist_gemm(tsr_dist_matrix a, tsr_dist_matrix b, tsr_dist_matrix c, double alpha, double beta, int64_t panel,
                   tsr_dist_transport const *transport, int64_t host, tsr_message *error)
{
    return tsr_dist_gemm_on_(a, b, c, alpha, beta, panel, c.layout, 1, 0, transport, host, error);
}

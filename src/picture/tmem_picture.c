/** Tensor memory: 16 lanes a row, columns from left to right, who is in them, and what is free of the allocation. */
#include <string.h>

#include "picture/operation.h"

#include "tessera/atom/tmem.h"

enum { LANES = 16, ROWS = TSR_TMEM_LANES / LANES, MOST = 64 /* cells of a row */ };

/** A panel of `columns` columns, all free. Returns the columns of a cell. */
static int64_t free_panel(tsr_picture *p, int64_t columns)
{
    int64_t const wide = columns > MOST ? columns / MOST : 1;
    int const panel = tsr_picture_named_panel_(
        p, ROWS, columns / wide, "tmem", "tensor memory: 128 lanes, %lld columns allocated", (long long)columns);
    if (panel < 0)
        return wide;
    tsr_panel const *const g = &p->panel[panel];
    for (int64_t i = 0; i < g->row.count && (size_t)(g->row.lines + i) < p->lines; ++i)
        p->line[g->row.lines + i].label = tsr_picture_number_(p, i * LANES);
    for (int64_t i = 0; i < g->column.count && (size_t)(g->column.lines + i) < p->lines; ++i)
        p->line[g->column.lines + i].label = tsr_picture_number_(p, i * wide);
    for (int64_t i = 0; i < ROWS * g->column.count; ++i)
        tsr_picture_cell_(p, panel, i / g->column.count, i % g->column.count)->mark = TSR_MARK_OUTSIDE;
    return wide;
}

/** Paints an operand from a column on: its name, and the first of its tiles that is in a cell. The colour is `hue`, or
 *  that of the tile where hue is -1. */
static void paint(tsr_picture *p, tsr_layout const *l, int64_t per_column, int64_t first, int64_t wide, int hue,
                  char const *name, tsr_picture_options const *o)
{
    tsr_layout const address = tsr_tmem_address(*l, per_column);
    int64_t const size = tsr_layout_size(*l), tile = tsr_layout_size(tsr_mode(*l, 0)), lane = 65536 * per_column;
    if (address.shape.status || !tsr_picture_visits_(p, size))
        return;
    for (int64_t i = 0; i < size; ++i) {
        int64_t const at = tsr_layout_offset(&address, i);
        int64_t const column = first + at % lane / per_column;
        tsr_cell *const c = tsr_picture_cell_(p, 0, at / lane / LANES, column / wide);
        if (c->mark != TSR_MARK_OUTSIDE)
            continue;
        c->mark = 0;
        c->index = i;
        c->link = i / tile;
        c->label = tsr_picture_text_(p, "%s%lld", name, (long long)(i / tile));
        c->colour = tsr_picture_hue_(o, hue < 0 ? i / tile : hue);
    }
}

static void picture_operand(tsr_picture *p, call const *c, value const *result, tsr_tmem_operand operand,
                            char const *name, tsr_picture_options const *o)
{
    tsr_layout const *const l = &result->as.layout;
    int64_t const per_column = tsr_tmem_per_column(c->arg[0].as.mma, operand);
    tsr_tuple const e = tsr_tmem_extent(*l, per_column);
    if (tsr_picture_invalid_(p, e))
        return;
    int64_t const columns = tsr_tmem_allocation(e.leaf[1].value);
    paint(p, l, per_column, 0, free_panel(p, columns), -1, name, o);
    uint32_t const text = tsr_picture_layout_text_(p, l);
    p->description = tsr_picture_text_(p, "Which tile of an operand is in each part of tensor memory.");
    tsr_picture_note_(p, "%s  =  %s", tsr_picture_string_(p, p->title), tsr_picture_string_(p, text));
    tsr_picture_note_(
        p, "A cell is 16 lanes. %s and a number: the first tile there. %lld of %lld columns have elements.", name,
        (long long)e.leaf[1].value, (long long)columns);
    tsr_picture_legend_(p, 0, 0, TSR_MARK_OUTSIDE, "free");
}

#define OPERAND(op, OPERAND, name)                                                                           \
  void tsr_picture_##op##_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o) \
  {                                                                                                          \
    picture_operand(p, c, result, TSR_TMEM_##OPERAND, name, o);                                              \
  }
OPERAND(tmem_c, C, "C")
OPERAND(tmem_a, A, "A")
OPERAND(tmem_e, E, "E")
OPERAND(tmem_sfa, SFA, "SFA")
OPERAND(tmem_sfb, SFB, "SFB")

void tsr_picture_tmem_plan_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    static char const *const names[] = {"C", "A", "E", "SFA", "SFB"};
    tsr_mma_atom const x = c->arg[0].as.mma;
    tsr_tuple const tiles = c->arg[1].as.tuple, depth = c->arg[2].as.tuple;
    tsr_tmem_plan const plan = tsr_make_tmem_plan(x, tiles, depth);
    (void)result;
    if (tsr_picture_invalid_(p, plan.why.status ? tsr_reason_tuple(plan.why) : tsr_s(0)))
        return;
    int64_t const wide = free_panel(p, plan.allocated);
    for (int i = 0; i < TSR_TMEM_OPERANDS; ++i) {
        if (plan.columns[i] == 0)
            continue;
        tsr_tuple const along = i == TSR_TMEM_C ? tiles : tsr_tuple_2(tsr_tuple_get(tiles, i == TSR_TMEM_SFB), depth);
        tsr_layout const l = tsr_tmem_layout(x, (tsr_tmem_operand)i, along);
        paint(p, &l, tsr_tmem_per_column(x, (tsr_tmem_operand)i), plan.first[i], wide, i, names[i], o);
        tsr_picture_legend_(p, tsr_picture_hue_(o, i), 0, 0, "%s: columns %d to %d", names[i], plan.first[i],
                            plan.first[i] + plan.columns[i] - 1);
    }
    p->description = tsr_picture_text_(p, "Which operand is in each part of tensor memory.");
    tsr_picture_legend_(p, 0, 0, TSR_MARK_OUTSIDE, "free");
    tsr_picture_note_(p, "%s: %d of %d columns are used. A cell is 16 lanes, a number the first tile there.",
                      tsr_picture_string_(p, p->title), plan.used, plan.allocated);
}

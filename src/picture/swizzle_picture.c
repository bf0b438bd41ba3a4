/** Swizzles: where units go, before and after; banks of shared memory as colours, conflicts marked. */
#include "picture/build.h"

void tsr_picture_swizzle_(tsr_picture *p, tsr_swizzle const *swizzle, tsr_picture_options const *o)
{
    char text[64];
    tsr_swizzle const sw = *swizzle;
    int const distance = sw.shift < 0 ? -sw.shift : sw.shift;
    tsr_format_swizzle(text, sizeof text, sw);
    if (sw.status || sw.bits + distance > 14) {
        tsr_picture_invalid_(p, tsr_reason_tuple(tsr_swizzle_why(sw)));
        tsr_picture_refuse_(p, "%s moves bits over 2^%d units, more than a picture shows (2^14)", text,
                            sw.bits + distance);
        return;
    }
    int64_t const columns = (int64_t)1 << distance, rows = (int64_t)1 << sw.bits, unit = (int64_t)1 << sw.base;
    for (int after = 0; after < 2; ++after) {
        int const panel = tsr_picture_named_panel_(p, rows, columns, after ? "after" : "before",
                                                   after ? "after: the unit at each place" : "before");
        if (panel < 0)
            return;
        p->panel[panel].joint = after ? tsr_picture_text_(p, "%s", text) : 0;
        for (int64_t i = 0; i < rows * columns; ++i) {
            /* a swizzle is its own inverse: what is moved to a place is the place moved */
            int64_t const from = (int64_t)tsr_swizzle_apply(sw, (uint64_t)(i * unit)) / unit, held = after ? from : i;
            tsr_cell *const c = tsr_picture_cell_(p, panel, i / columns, i % columns);
            c->index = held;
            c->offset = i * unit;
            c->link = held;
            c->label = tsr_picture_number_(p, held);
            c->colour = tsr_picture_hue_(o, held % columns);
        }
    }
    p->title = tsr_picture_text_(p, "%s", text);
    p->description = tsr_picture_text_(p, "The swizzle %s: the units of memory before and after.", text);
    tsr_picture_note_(
        p,
        "A unit is 2^%d elements. Colours are the columns before: after, each column holds every colour of its "
        "%lld rows once.",
        sw.base, (long long)rows);
}

void tsr_picture_banks_(tsr_picture *p, tsr_layout const *l, tsr_picture_options const *o)
{
    char text[TSR_TEXT_SIZE];
    tsr_layout before = *l;
    (void)o;
    before.composed = before.twice = false;
    (void)tsr_picture_grid_(p, &before, "before");
    int const after = tsr_picture_grid_(p, l, "after");
    if (after < 0)
        return;
    p->panel[after].joint = tsr_picture_text_(p, "Sw<%d,%d,%d>", l->swizzle.bits, l->swizzle.base, l->swizzle.shift);
    tsr_format_layout(text, sizeof text, *l, p->flags);
    p->title = tsr_picture_text_(p, "banks of %s", text);
    p->description = tsr_picture_text_(p, "The banks of shared memory of %s, without its swizzle and with it.", text);
}

/** The banks that a call names; NVIDIA's where it names none. */
static tsr_banks banks_of(call const *c)
{
    for (int i = 0; i < c->args; ++i)
        if (c->arg[i].kind == VALUE_BANKS)
            return c->arg[i].as.banks;
    return TSR_BANKS_NVIDIA;
}

/** An access (thread, value) of elements of a type. */
static void picture_access(tsr_picture *p, tsr_layout const *l, tsr_banks banks, tsr_dtype type)
{
    char text[TSR_TEXT_SIZE];
    tsr_lane_access access = TSR_ZERO;
    tsr_tuple const why = tsr_make_lane_access_on(*l, banks, type, &access);
    if (tsr_picture_invalid_(p, why))
        return;
    int const first = tsr_picture_grid_(p, l, "access");
    if (first < 0)
        return;
    p->element_bits = (int)access.bits;
    p->access_rows = access.phase.threads;
    p->phase = access.phase;
    p->access_columns = (int)access.vector;
    tsr_format_layout(text, sizeof text, *l, p->flags);
    p->title = tsr_picture_text_(p, "banks of %s", text);
    p->description =
        tsr_picture_text_(p, "The banks that each thread (row) and value (column) of the access %s needs.", text);
}

void tsr_picture_bank_conflicts_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    (void)o;
    picture_access(p, &c->arg[0].as.layout, banks_of(c), c->bracket[0].type);
    if (!p->refused[0])
        tsr_picture_note_(p, "%lld round%s of shared memory.", (long long)tsr_tuple_number(result->as.tuple),
                          tsr_tuple_number(result->as.tuple) == 1 ? "" : "s");
}

void tsr_picture_find_swizzle_(tsr_picture *p, call const *c, value const *result, tsr_picture_options const *o)
{
    char text[TSR_TEXT_SIZE];
    int pictured = 0;
    (void)o;
    for (int i = 0; i < c->args && !p->refused[0]; ++i) {
        tsr_layout const *const access = &c->arg[i].as.layout;
        if (c->arg[i].kind != VALUE_LAYOUT)
            continue;
        if (pictured++ == 0)
            picture_access(p, access, banks_of(c), c->bracket[0].type);
        int const before = p->refused[0] ? -1 : pictured > 1 ? tsr_picture_grid_(p, access, "access") : 0;
        tsr_layout const swizzled = tsr_swizzled(result->as.swizzle, *access);
        int const after = before < 0 ? -1 : tsr_picture_grid_(p, &swizzled, "swizzled");
        if (before < 0 || after < 0)
            return;
        tsr_format_layout(text, sizeof text, *access, p->flags);
        p->panel[before].title = tsr_picture_text_(p, "access %d", pictured);
        p->panel[after].title = tsr_picture_text_(p, "swizzled");
        p->panel[after].joint = tsr_picture_text_(p, "Sw<%d,%d,%d>", result->as.swizzle.bits, result->as.swizzle.base,
                                                  result->as.swizzle.shift);
        tsr_picture_note_(p, "Access %d: (thread, value) %s", pictured, text);
    }
}

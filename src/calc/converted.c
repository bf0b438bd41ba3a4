/** The value of a text, whatever it is of: another system, or an expression. */
#include "calc/value.h"
#include "tessera/convert.h"
#include "tessera/tile/fold.h"
#include "tessera/tile/linear.h"

/** A descriptor of CK Tile as the layout that it folds to. */
OWN_FRAME static bool take_descriptor(tsr_descriptor const *d, tsr_converted *r, tsr_message *error)
{
    tsr_folded const f = tsr_fold(d);
    if (f.kind == TSR_FOLDED && tsr_ok(f.layout) && f.guards == 0) {
        r->layout =
            f.base == 0 ? f.layout : tsr_make_composed_layout(tsr_make_swizzle(0, 0, 0), tsr_s(f.base), f.layout);
        return true;
    }
    if (tsr_ok(f.layout))
        snprintf(error->text, sizeof error->text, "the descriptor is no layout: %s",
                 f.kind == TSR_FOLD_PADDING || f.guards > 0 ? "some elements are padding"
                 : f.kind == TSR_FOLD_GATHER                ? "it gathers from a table"
                                                            : "its offsets are no strides, behind no swizzle");
    else
        tsr_format_layout(error->text, sizeof error->text, f.layout, 0);
    return false;
}

/** The value of an expression; false: it has the wrong kind, or is invalid. */
static bool take_value(value const *v, unsigned flags, tsr_converted *r, tsr_message *error)
{
    if (!tsr_value_ok_(v)) {
        writer w;
        writer_open(&w, error->text, sizeof error->text);
        tsr_value_write_(&w, v, flags);
        return false;
    }
    r->is_map = v->kind == VALUE_LINEAR || v->kind == VALUE_DISTRIBUTION;
    if (r->is_map) {
        r->map = v->kind == VALUE_LINEAR ? v->as.linear : TSR_RUN(tile_linear)(v->as.distribution);
        if (r->map.why.status)
            tsr_format_reason(error->text, sizeof error->text, r->map.why);
        return !r->map.why.status;
    }
    if (v->kind == VALUE_DESCRIPTOR)
        return take_descriptor(v->as.descriptor, r, error);
    if (tsr_value_as_layout_(v, flags | TSR_TEXT_SHAPES, &r->layout, error->text, sizeof error->text)
        && !tsr_ok(r->layout))
        tsr_format_layout(error->text, sizeof error->text, r->layout, flags);
    return !error->text[0];
}

bool tsr_converted_of(char const *text, unsigned flags, tsr_tuple shape, int64_t bytes, tsr_converted *r,
                      tsr_message *error)
{
    tsr_system const from = tsr_system_of(text);
    if (from < TSR_SYSTEMS)
        return tsr_convert_read(from, text, shape, bytes, r, error);
    tsr_evaluation *const e = tsr_evaluate(text, flags | TSR_TEXT_SHAPES, NULL, NULL);
    error->at = 0;
    error->text[0] = 0;
    bool ok = e && e->ok;
    if (e && !e->ok)
        *error = e->error;
    else if (!e)
        snprintf(error->text, sizeof error->text, "out of memory");
    else
        ok = take_value(&e->result, flags, r, error);
    tsr_evaluation_free(e);
    return ok;
}

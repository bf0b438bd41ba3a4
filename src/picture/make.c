/** From values to pictures, and from an expression: of the operation where there is one, else of the value. */
#include "picture/build.h"

/** Refuses a value that its text says better. */
static void refuse_worded(tsr_picture *p, char const *text)
{
    tsr_picture_refuse_(p, "%s", text);
    p->worded = true;
}

OWN_FRAME static void tsr_picture_mma_atom_(tsr_picture *p, tsr_mma_atom const *atom, tsr_picture_options const *o)
{
    tsr_tiled_mma const x = tsr_make_tiled_mma(*atom);
    tsr_picture_mma_(p, &x, o);
}

OWN_FRAME static void tsr_picture_shape_(tsr_picture *p, tsr_tuple t, tsr_picture_options const *o)
{
    tsr_layout const compact = tsr_make_layout_compact(t);
    if (o->flags & TSR_TEXT_SHAPES && !compact.shape.status)
        tsr_picture_layout_(p, &compact, o);
    else
        refuse_worded(p, "an integer or a tuple is its own picture: `tessera eval` prints it");
}

/** A tile and the layout (thread,value) in it. */
OWN_FRAME static void tsr_picture_tiled_layout_(tsr_picture *p, tsr_tiled_layout const *x,
                                                tsr_picture_options const *o)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_tuple(text, sizeof text, x->tiler, TSR_TEXT_STATIC);
    p->title = tsr_picture_text_(p, "(thread,value) of the tile %s", text);
    tsr_picture_tv_(p, &x->tv, tsr_wrap(tsr_product_each(x->tiler)), o);
}

/** A layout of shared memory as one of elements, for no address is known. */
OWN_FRAME static void tsr_picture_smem_(tsr_picture *p, tsr_smem_layout const *s, tsr_picture_options const *o)
{
    tsr_layout const l = tsr_as_position_independent_swizzle_layout(*s);
    if (p->element_bits == 0)
        p->element_bits = tsr_dtype_bits(s->type);
    if (o->label == TSR_LABEL_BANK && l.composed)
        tsr_picture_banks_(p, &l, o);
    else
        tsr_picture_layout_(p, &l, o);
}

/** The picture of a valid value alone. */
static void picture_value(tsr_picture *p, value const *v, tsr_picture_options const *o)
{
    content const *const as = &v->as;
    switch (v->kind) {
    case VALUE_TUPLE:
        tsr_picture_shape_(p, as->tuple, o);
        break;
    case VALUE_SMEM:
        tsr_picture_smem_(p, &as->smem, o);
        break;
    case VALUE_LAYOUT:
    case VALUE_PAIR:
        tsr_picture_layout_(p, tsr_value_layout_(v), o);
        break;
    case VALUE_TILER:
        refuse_worded(p, "a tiler has no picture of its own: draw the layout that it divides");
        break;
#define X(id, maker, x)              \
  case VALUE_##id:                   \
    tsr_picture_##maker##_(p, x, o); \
    break;
        X(TILED_LAYOUT, tiled_layout, &as->tiled_layout)
        X(TENSOR, tensor, &as->tensor)
        X(SUM, sum, as->sum)
        X(SWIZZLE, swizzle, &as->swizzle)
        X(MMA, mma_atom, &as->mma)
        X(TILED_MMA, mma, as->tiled_mma)
        X(COPY, copy_atom, &as->copy)
        X(TILED_COPY, tiled_copy, as->tiled_copy)
        X(TMA_MAP, tma, &as->map)
        X(TMA, tma, &as->tma->desc)
        X(DISTRIBUTED, distributed, as->distributed)
        X(EXCHANGE, exchange, as->exchange)
#undef X
    default:
        if (!tsr_picture_tile_value_(p, v, v->text, o))
            refuse_worded(p, "a value of this kind has no picture: `tessera eval` prints it");
        break;
    }
}

/** Is the result words or numbers about a value that has a picture? Then that is drawn in any case. */
static bool is_asked(evaluation const *e)
{
    for (int i = 0; i < e->outer.args; ++i)
        if (e->outer.arg[i].kind >= VALUE_TRANSFORM)
            return true;
    return false;
}

/** What an expression evaluates to. */
static void picture_evaluation(tsr_picture *p, evaluation const *e, tsr_picture_options const *o)
{
    value const *const v = &e->result;
    if (!e->ok) {
        tsr_picture_refuse_(p, "%.400s (at character %zu)", e->error.text, e->error.at);
    } else if (!tsr_picture_invalid_(p, tsr_value_reason_(v))
               && (!e->outer.name[0] || (o->alone && !is_asked(e)) || !tsr_picture_operation_(p, &e->outer, v, o))) {
        if (o->label == TSR_LABEL_BANK && v->kind == VALUE_LAYOUT && v->as.layout.composed)
            tsr_picture_banks_(p, &v->as.layout, o);
        else
            picture_value(p, v, o);
    }
}

/* Every picture begins and ends alike. */

static tsr_picture begin_picture(tsr_picture_options const *o)
{
    tsr_picture p = TSR_ZERO;
    p.flags = o->flags & (TSR_TEXT_STATIC | TSR_TEXT_MARK);
    p.element_bits = o->type ? tsr_dtype_bits(o->type) : 0;
    return p;
}

static void end_picture(tsr_picture *p, tsr_picture_options const *o)
{
    if (p->element_bits == 0)
        p->element_bits = 32;
    tsr_picture_finish_(p, o);
}

tsr_picture tsr_make_picture(tsr_evaluation const *e, tsr_picture_options const *options)
{
    tsr_picture p = begin_picture(options);
    if (e)
        picture_evaluation(&p, e, options);
    else
        tsr_picture_refuse_(&p, "out of memory");
    end_picture(&p, options);
    return p;
}

#define X(name, type, maker)                                                               \
  tsr_picture tsr_make_##name##_picture(type const *x, tsr_picture_options const *options) \
  {                                                                                        \
    tsr_picture p = begin_picture(options);                                                \
    tsr_picture_##maker##_(&p, x, options);                                                \
    end_picture(&p, options);                                                              \
    return p;                                                                              \
  }
TSR_PICTURE_LIST(X)
#undef X

tsr_picture tsr_make_diff_picture(tsr_layout const *a, tsr_layout const *b, tsr_picture_options const *options)
{
    tsr_picture p = begin_picture(options);
    tsr_picture_diff_(&p, a, b, options);
    end_picture(&p, options);
    return p;
}

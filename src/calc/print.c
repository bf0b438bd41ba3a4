/** tsr_print and tsr_explain of the values that are no tuple, layout or tensor (text.h): the calculator writes them. */
#include "calc/value.h"

/* What the calculator writes as it was read is described by its lengths. */

static void write_lengths(writer *w, tsr_adaptor const *a)
{
    tsr_index const length = tsr_adaptor_lengths(a);
    put_integers(w, "(", a->tops, length.at, ",", ")");
}

static void write_descriptor(writer *w, tsr_descriptor const *d)
{
    put(w, "descriptor of ");
    write_lengths(w, &d->graph);
    put(w, " in %lld elements, transforms: %d", (long long)d->space, d->graph.nodes);
}

static void write_view(writer *w, tsr_tensor_view const *v)
{
    char const *const type = tsr_dtype_name(v->buffer.type);
    put(w, "view of %s, ", type ? type : "unknown elements");
    write_descriptor(w, &v->descriptor);
}

static void write_window(writer *w, tsr_tile_window const *x)
{
    tsr_index const length = tsr_x_lengths(&x->encoding);
    put_integers(w, "window of (", x->encoding.xs, length.at, ",", ")");
    put_integers(w, " at (", x->encoding.xs, x->origin, ",", ") in a ");
    write_view(w, &x->view);
}

/** The value of a kind that is kept elsewhere: the calculator does not write to it. */
static value kept_value(value_kind kind, void const *x, char const *text)
{
    value v = TSR_ZERO;
    v.kind = kind;
    v.text = text;
    memcpy(&v.as.kept, &x, sizeof x);
    return v;
}

static void print_value(FILE *file, value const *v)
{
    char text[TSR_TEXT_SIZE];
    writer w;
    writer_open(&w, text, sizeof text);
    tsr_value_write_(&w, v, 0);
    fprintf(file, "%s\n", text);
}

static void explain_value(FILE *file, value const *v)
{
    tsr_explain_reason(file, tsr_tuple_why(tsr_value_reason_(v)));
}

#define INLINE(type, name, id, member)         \
  static value value_of_##name(type const *x)  \
  {                                            \
    value v = TSR_ZERO;                        \
    v.kind = VALUE_##id;                       \
    v.as.member = *x;                          \
    return v;                                  \
  }                                            \
  void tsr_print_##name##_(FILE *file, type x) \
  {                                            \
    value const v = value_of_##name(&x);       \
    print_value(file, &v);                     \
  }
INLINE(tsr_tiler, tiler, TILER, tiler)
INLINE(tsr_swizzle, swizzle, SWIZZLE, swizzle)
INLINE(tsr_linear, linear, LINEAR, linear)
INLINE(tsr_verdict, verdict, VERDICT, verdict)
INLINE(tsr_engine, engine, ENGINE, engine)
INLINE(tsr_offset_layout, offset_layout, PAIR, pair)
INLINE(tsr_smem_layout, smem_layout, SMEM, smem)
INLINE(tsr_mma_atom, mma_atom, MMA, mma)
INLINE(tsr_copy_atom, copy_atom, COPY, copy)
INLINE(tsr_tiled_layout, tiled_layout, TILED_LAYOUT, tiled_layout)
INLINE(tsr_tma_desc, tma_desc, TMA_MAP, map)
INLINE(tsr_encoding, encoding, DISTRIBUTION, distribution)
#undef INLINE

#define KEPT(type, name, id, description)             \
  void tsr_print_##name##_(FILE *file, type x)        \
  {                                                   \
    char text[TSR_TEXT_SIZE] = "";                    \
    value const v = kept_value(VALUE_##id, &x, text); \
    writer w;                                         \
    writer_open(&w, text, sizeof text);               \
    if (tsr_value_ok_(&v))                            \
      description;                                    \
    print_value(file, &v);                            \
  }                                                   \
  void tsr_explain_##name##_(FILE *file, type x)      \
  {                                                   \
    value const v = kept_value(VALUE_##id, &x, "");   \
    explain_value(file, &v);                          \
  }
KEPT(tsr_tiled_mma, tiled_mma, TILED_MMA, (void)w)
KEPT(tsr_tiled_copy, tiled_copy, TILED_COPY, (void)w)
KEPT(tsr_tma_copy, tma_copy, TMA, (void)w)
KEPT(tsr_descriptor, descriptor, DESCRIPTOR, write_descriptor(&w, &x))
KEPT(tsr_tensor_view, tensor_view, VIEW, write_view(&w, &x))
KEPT(tsr_tile_window, tile_window, WINDOW, write_window(&w, &x))
#undef KEPT

#define EXPLAINED(type, name)                    \
  void tsr_explain_##name##_(FILE *file, type x) \
  {                                              \
    value const v = value_of_##name(&x);         \
    explain_value(file, &v);                     \
  }
EXPLAINED(tsr_swizzle, swizzle)
EXPLAINED(tsr_linear, linear)
EXPLAINED(tsr_engine, engine)
EXPLAINED(tsr_offset_layout, offset_layout)
EXPLAINED(tsr_smem_layout, smem_layout)
EXPLAINED(tsr_mma_atom, mma_atom)
EXPLAINED(tsr_copy_atom, copy_atom)
EXPLAINED(tsr_tiled_layout, tiled_layout)
EXPLAINED(tsr_tma_desc, tma_desc)
EXPLAINED(tsr_encoding, encoding)
#undef EXPLAINED

void tsr_explain_tiler_(FILE *file, tsr_tiler t) { tsr_explain_layout(file, t.by); }

void tsr_explain_verdict_(FILE *file, tsr_verdict v) { tsr_explain_reason(file, v.why); }

void tsr_explain_tensor(FILE *file, tsr_tensor t) { tsr_explain_reason(file, tsr_tensor_why(t)); }

void tsr_print_planned_copy_(FILE *file, tsr_planned_copy p)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_copy(text, sizeof text, &p);
    fprintf(file, "%s\n", text);
}

void tsr_explain_planned_copy_(FILE *file, tsr_planned_copy p) { tsr_explain_reason(file, p.why); }

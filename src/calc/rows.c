/** The table of operations as functions of contents: one small function a row, so that no frame holds the values of
 *  more than one operation. */
#include "calc/value.h"

#define VALUE_1(value) value, ""
#define VALUE_2(value, labels) value, labels
#define VALUE_AND_LABELS(...) TSR_CAT(VALUE_, TSR_NARG(__VA_ARGS__))(__VA_ARGS__)

static tsr_op const rows[] = {
#define X(name, fn, result, args, help, example, ...) \
  {#name, #fn, #args, #result[0], help, example, VALUE_AND_LABELS(__VA_ARGS__)},
    TSR_OPS(X, X)
#undef X
};

/* What stands in the content c: a parameter of each kind, or a result */
#define CONTENT_T(c) (c).tuple
#define CONTENT_P(c) (c).tuple
#define CONTENT_U(c) (c).tuple
#define CONTENT_V(c) (c).tuple
#define CONTENT_L(c) (c).layout
#define CONTENT_R(c) (c).tiler
#define CONTENT_Q(c) (c).tiler
#define CONTENT_M(c) (c).tiler
#define CONTENT_W(c) (c).swizzle
#define CONTENT_f(c) (c).linear
#define CONTENT_E(c) (c).engine
#define CONTENT_G(c) (c).tensor
#define CONTENT_A(c) (c).mma
#define CONTENT_C(c) (c).copy
#define CONTENT_H(c) *(c).tiled_mma
#define CONTENT_K(c) *(c).tiled_copy
#define CONTENT_S(c) (c).smem
#define CONTENT_F(c) (c).map
#define CONTENT_I(c) *(c).tma
#define CONTENT_O(c) (c).op
#define CONTENT_Y(c) (c).types
#define CONTENT_N(c) (c).number
#define CONTENT_B(c) (c).type
#define CONTENT_Z(c) (c).pair
#define CONTENT_D(c) (c).verdict
#define CONTENT_J(c) (c).tiled_layout
#define CONTENT_d(c) (c).descriptor
#define CONTENT_v(c) (c).view
#define CONTENT_w(c) (c).window
#define CONTENT_d_(c) *(c).descriptor
#define CONTENT_v_(c) *(c).view
#define CONTENT_w_(c) *(c).window
#define CONTENT_r(c) (c).distributed
#define CONTENT_x(c) (c).exchange
#define CONTENT_r_(c) *(c).distributed
#define CONTENT_x_(c) *(c).exchange
#define CONTENT_u(c) (c).sum
#define CONTENT_u_(c) *(c).sum
#define CONTENT_t(c) (c).transform
#define CONTENT_e(c) (c).distribution
#define CONTENT_m(c) (c).update
#define CONTENT_p(c) (c).space
#define CONTENT_b(c) (c).banks
#define CONTENT_l(c) (c).links
#define CONTENT_i(c) (c).indices
#define CONTENT_o(c) (c).out
#define CONTENT_c(c) (c).why
#define CONTENT_s(c) (c).numbers
#define CONTENT_a(c) (c).answer
#define PARAMETER(kind, i) CONTENT_##kind(p[i])
#define PARAMETERS(...) TSR_EACH(PARAMETER, __VA_ARGS__)

#define X(name, fn, result, args, ...)                         \
  static void row_##name##__##fn(content const *p, content *r) \
  {                                                            \
    CONTENT_##result(*r) = TSR_RUN(fn)(PARAMETERS args);       \
  }
TSR_OPS(X, X)
#undef X

static void (*const run[])(content const *p, content *r) = {
#define X(name, fn, ...) row_##name##__##fn,
    TSR_OPS(X, X)
#undef X
};

/** Extents alone are a tuple, as they are where a tiler is taken. */
OWN_FRAME static void settle_tiler(value *v)
{
    tsr_layout const *const by = &v->as.tiler.by;
    bool layouts = by->shape.status != TSR_OK;
    for (int i = 0; !layouts && i < by->shape.leaves; ++i)
        layouts = by->stride.leaf[i].kind != TSR_ABSENT;
    if (layouts)
        return;
    v->kind = VALUE_TUPLE;
    v->as.tuple = tsr_tiler_shape(v->as.tiler);
}

bool tsr_row_run_(int row, content const *parameter, value *result, memory *m)
{
    result->kind = tsr_kind_of_letter_(rows[row].result);
    if (!tsr_value_begin_(result, m))
        return false;
    run[row](parameter, &result->as);
    if (result->kind == VALUE_TILER)
        settle_tiler(result);
    return true;
}

char const *tsr_part_of_op(tsr_op const *op)
{
    static struct {
        char const *title;
        int rows;
    } const parts[] = {
#define X(name, ...) +1
#define P(title, part) {title, TSR_OPS_##part(X, X)},
        TSR_OPS_PARTS(P)
#undef P
#undef X
    };
    int part = 0;
    for (int left = (int)(op - rows); left >= parts[part].rows; ++part)
        left -= parts[part].rows;
    return parts[part].title;
}

tsr_op const *tsr_ops(int *count)
{
    *count = (int)(sizeof rows / sizeof rows[0]);
    return rows;
}

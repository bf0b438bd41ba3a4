/** The table of operations as functions of slots: one small function a row, so that no frame holds the values of more
 *  than one operation. */
#include "calc/value.h"

static tsr_op const rows[] = {
#define X(name, fn, result, args, help, example, value) {#name, #fn, #args, help, example, value, #result[0]},
    TSR_OPS(X, X)
#undef X
};

#define SLOT_T(i) s[i].tuple
#define SLOT_P(i) s[i].tuple
#define SLOT_U(i) s[i].tuple
#define SLOT_V(i) s[i].tuple
#define SLOT_L(i) s[i].layout
#define SLOT_R(i) s[i].tiler
#define SLOT_Q(i) s[i].tiler
#define SLOT_M(i) s[i].tiler
#define SLOT_W(i) s[i].swizzle
#define SLOT_E(i) s[i].engine
#define SLOT_G(i) s[i].tensor
#define SLOT_A(i) s[i].mma
#define SLOT_C(i) s[i].copy
#define SLOT_H(i) s[i].tiled_mma
#define SLOT_K(i) s[i].tiled_copy
#define SLOT_S(i) s[i].smem
#define SLOT_F(i) s[i].map
#define SLOT_I(i) s[i].tma
#define SLOT_O(i) s[i].op
#define SLOT_Y(i) s[i].types
#define SLOT_N(i) s[i].number
#define SLOT_B(i) s[i].type
#define SLOTS_1(p) SLOT_##p(0)
#define SLOTS_2(p, q) SLOT_##p(0), SLOT_##q(1)
#define SLOTS_3(p, q, r) SLOT_##p(0), SLOT_##q(1), SLOT_##r(2)
#define SLOTS_4(p, q, r, t) SLOT_##p(0), SLOT_##q(1), SLOT_##r(2), SLOT_##t(3)
#define SLOTS_6(p, q, r, t, u, v) SLOTS_4(p, q, r, t), SLOT_##u(4), SLOT_##v(5)
#define SLOTS_8(p, q, r, t, u, v, w, x) SLOTS_6(p, q, r, t, u, v), SLOT_##w(6), SLOT_##x(7)
#define SLOTS(...) TSR_CAT(SLOTS_, TSR_NARG(__VA_ARGS__))(__VA_ARGS__)

/* A result of each kind, put into a value of zeros. */

static void give_T(value *v, tsr_tuple t)
{
    v->kind = VALUE_TUPLE;
    v->tuple = t;
}

static void give_L(value *v, tsr_layout l)
{
    v->kind = VALUE_LAYOUT;
    v->layout = l;
}

static void give_W(value *v, tsr_swizzle sw)
{
    v->kind = VALUE_SWIZZLE;
    v->swizzle = sw;
}

static void give_X(value *v, tsr_offset_layout x)
{
    v->kind = VALUE_PAIR;
    v->layout = x.layout;
    v->tuple = x.offset;
}

static void give_E(value *v, tsr_engine e)
{
    v->kind = VALUE_ENGINE;
    v->engine = e;
}

static void give_G(value *v, tsr_tensor t)
{
    v->kind = VALUE_TENSOR;
    v->engine = t.engine;
    v->layout = t.layout;
}

static void give_I(value *v, tsr_tma_copy c)
{
    v->kind = VALUE_TMA;
    v->tma = c;
}

static void give_F(value *v, tsr_tma_desc d)
{
    v->kind = VALUE_TMA_MAP;
    v->tma.desc = d;
}

static void give_D(value *v, tsr_verdict d)
{
    v->kind = VALUE_VERDICT;
    v->answer = d.answer;
    v->tuple = tsr_reason_tuple(d.why);
}

/** Extents alone are a tuple, as they are where a tiler is taken. */
static void give_R(value *v, tsr_tiler t)
{
    bool layouts = t.by.shape.status != TSR_OK;
    for (int i = 0; !layouts && i < t.by.shape.leaves; ++i)
        layouts = t.by.stride.leaf[i].kind != TSR_ABSENT;
    v->kind = layouts ? VALUE_TILER : VALUE_TUPLE;
    if (layouts)
        v->layout = t.by;
    else
        v->tuple = tsr_tiler_shape_(t);
}

static void give_H(value *v, tsr_tiled_mma x)
{
    v->kind = VALUE_TILED_MMA;
    v->mma = x.atom;
    v->layout = x.threads;
    v->tiler = x.permutation;
}

static void give_K(value *v, tsr_tiled_copy x)
{
    v->kind = VALUE_TILED_COPY;
    v->copy = x.atom;
    v->layout = x.tv;
    v->tiler = x.tiler;
}

static void give_J(value *v, tsr_tiled_layout x)
{
    v->kind = VALUE_TILED_LAYOUT;
    v->layout = x.tv;
    v->tuple = x.tiler;
}

#define X(name, fn, result, args, ...) \
    static void row_##name##__##fn(slot const *s, value *v) { give_##result(v, TSR_RUN(fn)(SLOTS args)); }
TSR_OPS(X, X)
#undef X

static void (*const run[])(slot const *s, value *v) = {
#define X(name, fn, ...) row_##name##__##fn,
    TSR_OPS(X, X)
#undef X
};

void row_run(int row, slot const *s, value *result)
{
    memset(result, 0, sizeof *result);
    run[row](s, result);
}

tsr_op const *tsr_ops(int *count)
{
    *count = (int)(sizeof rows / sizeof rows[0]);
    return rows;
}

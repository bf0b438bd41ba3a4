/** A layout as CuTe in C++ writes it: make_layout(make_shape(Int<4>{}, 8), make_stride(8, Int<1>{})). */
#include "convert/emit.h"

static void write_leaf(writer *w, tsr_leaf x)
{
    if (x.aux && x.value != 1)
        put(w, "Int<%lld>{} * ", (long long)x.value);
    for (uint32_t p = x.aux; p; p >>= 5) /* E<1,0>{}: the outermost mode first */
        put(w, "%s%u%s", p == x.aux ? "E<" : "", (p & 31u) - 1, p >> 5 ? "," : ">{}");
    if (!x.aux)
        put(w, x.kind == TSR_STATIC ? "Int<%lld>{}" : "%lld", (long long)x.value);
}

/** Writes leaf after leaf, the parentheses as calls of `name`. */
static void write_tuple(writer *w, tsr_tuple const *t, char const *name)
{
    for (int i = 0; i < t->leaves; ++i) {
        put(w, "%s", i > 0 ? ", " : "");
        for (int k = 0; k < t->leaf[i].open; ++k)
            put(w, "%s(", name);
        write_leaf(w, t->leaf[i]);
        for (int k = 0; k < t->leaf[i].close; ++k)
            put(w, ")");
    }
}

/** composition(Swizzle<3,4,3>{}, Int<0>{}, */
static void write_front(writer *w, tsr_swizzle sw, tsr_leaf offset)
{
    put(w, "composition(Swizzle<%d,%d,%d>{}, ", sw.bits, sw.base, sw.shift);
    write_leaf(w, offset);
    put(w, ", ");
}

void tsr_write_cute_(writer *w, tsr_layout const *l, scan *s)
{
    for (int i = 0; i < l->shape.leaves; ++i)
        if (l->shape.leaf[i].kind == TSR_UNIT) {
            scan_fail(s, "an empty mode has no words in C++");
            return;
        }
    if (l->composed && l->twice)
        write_front(w, l->outer_swizzle, l->outer_offset);
    if (l->composed)
        write_front(w, l->swizzle, l->offset);
    put(w, "make_layout(");
    write_tuple(w, &l->shape, "make_shape");
    put(w, ", ");
    write_tuple(w, &l->stride, "make_stride");
    put(w, ")%s%s", l->composed ? ")" : "", l->composed && l->twice ? ")" : "");
}

void tsr_emit_cute_(writer *w, tsr_converted const *v, char const *name, scan *s)
{
    tsr_layout const l = tsr_static_all(v->is_map ? tsr_linear_to_layout(v->map) : v->layout);
    if (!tsr_ok(l)) {
        scan_refuse(s, tsr_layout_why(l));
        return;
    }
    put(w, "CUTE_HOST_DEVICE constexpr auto %s()\n{\n    using namespace cute;\n    return ", name);
    tsr_write_cute_(w, &l, s);
    put(w, ";\n}\n");
}

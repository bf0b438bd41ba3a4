/** The values of expressions: why one is invalid, its text, and the memory of the large ones. */
#include <stdlib.h>
#include <string.h>

#include "atom/names.h"
#include "calc/names.h"
#include "tile/take.h"
#include "tma/text.h"

OWN_FRAME static tsr_tuple tiled_reason(value const *v)
{
    return v->kind == VALUE_TILED_MMA ? tsr_tiled_mma_bad_(*v->as.tiled_mma) : tsr_tiled_copy_bad_(*v->as.tiled_copy);
}

static tsr_tuple first_of(tsr_tuple const *a, tsr_tuple const *b) { return a->status ? *a : *b; }

static tsr_tuple why(tsr_reason r) { return r.status ? tsr_reason_tuple(r) : tsr_s(0); }

/* clang-format off */
tsr_tuple tsr_value_reason_(value const *v)
{
    content const *const as = &v->as;
    switch (v->kind) {
#define X(id, reason) case VALUE_##id: return reason;
    X(TUPLE, as->tuple)
    X(NUMBERS, as->numbers)
    X(ANSWER, as->answer)
    X(LAYOUT, as->layout.shape)
    X(TILER, as->tiler.by.shape)
    X(SMEM, as->smem.layout.shape)
    X(SWIZZLE, why(tsr_swizzle_why(as->swizzle)))
    X(LINEAR, why(as->linear.why))
    X(SUM, as->sum->term[0].shape)
    X(PAIR, first_of(&as->pair.layout.shape, &as->pair.offset))
    X(TILED_LAYOUT, first_of(&as->tiled_layout.tv.shape, &as->tiled_layout.tiler))
    X(ENGINE, as->engine.at)
    X(TENSOR, first_of(&as->tensor.engine.at, &as->tensor.layout.shape))
    X(MMA, tsr_reason_tuple(tsr_mma_why(as->mma)))
    X(COPY, tsr_reason_tuple(tsr_copy_why(as->copy)))
    X(TILED_MMA, tiled_reason(v))
    X(TILED_COPY, tiled_reason(v))
    X(TMA_MAP, why(as->map.why))
    X(TMA, why(as->tma->desc.why))
    X(TRANSFORM, why(as->transform.why))
    X(LINK, why(as->link.transform.why))
    X(DESCRIPTOR, why(as->descriptor->graph.why))
    X(DISTRIBUTION, why(as->distribution.why))
    X(VIEW, why(tsr_tensor_view_why(as->view)))
    X(WINDOW, why(tsr_window_why(as->window)))
#undef X
    default: return tsr_s(0);
    }
}

tsr_layout const *tsr_value_layout_(value const *v)
{
    content const *const as = &v->as;
    switch (v->kind) {
    case VALUE_LAYOUT: return &as->layout;
    case VALUE_TENSOR: return &as->tensor.layout;
    case VALUE_PAIR: return &as->pair.layout;
    case VALUE_TILED_LAYOUT: return &as->tiled_layout.tv;
    case VALUE_SMEM: return &as->smem.layout;
    case VALUE_TILED_COPY: return &as->tiled_copy->tv;
    default: return NULL;
    }
}
/* clang-format on */

bool tsr_value_is_as_written_(value_kind kind)
{
    return kind == VALUE_TRANSFORM || kind == VALUE_DESCRIPTOR || kind == VALUE_VIEW || kind == VALUE_WINDOW
           || kind == VALUE_DISTRIBUTED;
}

char const *tsr_kind_words_(value_kind kind)
{
    static char const *const names[] = {
#define VALUE(letter, id, type, member, words) words,
        VALUE_LIST(VALUE, VALUE)
#undef VALUE
    };
    return names[kind];
}

char const *tsr_value_words_(value const *v)
{
    return v->kind == VALUE_TUPLE && tsr_is_leaf(&v->as.tuple) ? "an integer" : tsr_kind_words_(v->kind);
}

bool tsr_value_ok_(value const *v)
{
    switch (v->kind) { /* of most values without a copy of the reason */
    case VALUE_TUPLE:
        return v->as.tuple.status == TSR_OK;
    case VALUE_LAYOUT:
        return v->as.layout.shape.status == TSR_OK;
    default:
        return tsr_value_reason_(v).status == TSR_OK;
    }
}

/** Of a tensor that begins at 0 or in memory. A pointer's swizzle acts on offsets where it repeats at the address. */
static bool layout_of_tensor(tsr_tensor const *t, tsr_layout *l, char *words, size_t size)
{
    tsr_engine const *const e = &t->engine;
    int64_t const width = tsr_swizzle_width_(e->swizzle);
    uint64_t const within = width < 64 ? ((uint64_t)1 << width) - 1 : UINT64_MAX;
    bool begins = e->kind != TSR_POINTER;
    for (int i = 0; begins && i < e->at.leaves; ++i)
        begins = e->at.leaf[i].value == 0;
    *l = e->at.status ? tsr_invalid_layout(e->at) : t->layout;
    if (!tsr_ok(*l))
        return true;
    if (e->kind != TSR_POINTER && !begins)
        snprintf(words, size, "this tensor does not begin at 0: layout(..) is its layout alone");
    else if (e->kind == TSR_POINTER && (e->address & within) != 0)
        snprintf(words, size, "the swizzle of the pointer repeats every 2^%lld bytes, and the address is no multiple",
                 (long long)width);
    else if (e->swizzle.bits > 0)
        *l = TSR_RUN(as_position_independent_swizzle_layout)(tsr_make_smem_layout(e->swizzle, e->type, t->layout));
    return !words[0];
}

bool tsr_value_as_layout_(value const *v, unsigned flags, tsr_layout *l, char *words, size_t size)
{
    words[0] = 0;
    switch (v->kind) {
    case VALUE_LAYOUT:
        *l = v->as.layout;
        return true;
    case VALUE_SMEM:
        *l = TSR_RUN(as_position_independent_swizzle_layout)(v->as.smem);
        return true;
    case VALUE_TENSOR:
        return layout_of_tensor(&v->as.tensor, l, words, size);
    case VALUE_TUPLE:
        *l = tsr_make_layout_compact(v->as.tuple);
        if (flags & TSR_TEXT_SHAPES)
            return true;
        break;
    default:
        break;
    }
    snprintf(words, size, "this is %s, not a layout", tsr_value_words_(v));
    return false;
}

void tsr_value_settle_(value *v)
{
    tsr_layout const l = TSR_RUN(as_position_independent_swizzle_layout)(v->as.smem);
    v->kind = VALUE_LAYOUT;
    v->as.layout = l;
}

tsr_tiler tsr_value_tiler_(value const *v)
{
    return v->kind == VALUE_TUPLE    ? tsr_tiler_of_tuple(v->as.tuple)
           : v->kind == VALUE_LAYOUT ? tsr_tiler_of_layout(v->as.layout)
                                     : v->as.tiler;
}

/** name(atom, layout, tiler) */
static void write_tiled(writer *w, value const *v, unsigned flags)
{
    bool const mma = v->kind == VALUE_TILED_MMA;
    put(w, mma ? "make_tiled_mma(" : "make_tiled_copy_impl(");
    if (mma)
        tsr_mma_write_(w, v->as.tiled_mma->atom);
    else
        tsr_copy_write_(w, v->as.tiled_copy->atom);
    put(w, ", ");
    tsr_write_layout_(w, mma ? &v->as.tiled_mma->threads : &v->as.tiled_copy->tv, flags);
    put(w, ", ");
    tsr_write_tiler_(w, mma ? &v->as.tiled_mma->permutation : &v->as.tiled_copy->tiler, flags);
    put(w, ")");
}

/** (tuple,layout), or the other way round */
static void write_both(writer *w, tsr_tuple const *t, tsr_layout const *l, bool layout_first, unsigned flags)
{
    put(w, "(");
    for (int i = 0; i < 2; ++i) {
        put(w, i ? "," : "");
        if ((i == 0) == layout_first)
            tsr_write_layout_(w, l, flags);
        else
            tsr_write_tuple_(w, t, flags);
    }
    put(w, ")");
}

static void write_verdict(writer *w, tsr_verdict const *v)
{
    put(w, v->answer == TSR_YES ? "yes" : v->answer == TSR_NO ? "no: " : "undecided: ");
    if (v->answer != TSR_YES)
        tsr_write_why_(w, &v->why);
}

static void write_exchange(writer *w, tsr_dist_exchange const *x)
{
    size_t const at = w->used < w->size ? w->used : w->size;
    w->used += tsr_dist_format_exchange(w->size > 0 ? w->out + at : NULL, w->size - at, x);
}

static void write_numbers(writer *w, tsr_tuple const *t)
{
    for (int i = 0; i < t->leaves; ++i)
        put(w, "%s%lld", i > 0 ? " " : "", (long long)t->leaf[i].value);
}

/** A value whose modes have names. */
OWN_FRAME static void write_named(writer *w, value const *v, unsigned flags)
{
    value plain = *v;
    char text[TSR_TEXT_SIZE];
    writer whole;
    plain.names = NULL;
    writer_open(&whole, text, sizeof text);
    tsr_value_write_(&whole, &plain, flags);
    tsr_names_write_(w, text, v->names);
}

/* clang-format off */
void tsr_value_write_(writer *w, value const *v, unsigned flags)
{
    content const *const as = &v->as;
    tsr_tuple const reason = tsr_value_reason_(v);
    if (reason.status) {
        tsr_write_reason_(w, &reason);
        return;
    }
    if (v->names) {
        write_named(w, v, flags);
        return;
    }
    switch (v->kind) {
#define X(id, writing) case VALUE_##id: writing; break;
    X(TUPLE, tsr_write_tuple_(w, &as->tuple, flags))
    X(NUMBERS, write_numbers(w, &as->numbers))
    X(LAYOUT, tsr_write_layout_(w, &as->layout, flags))
    X(TILER, tsr_write_tiler_(w, &as->tiler, flags))
    X(SWIZZLE, tsr_write_swizzle_(w, as->swizzle))
    X(LINEAR, tsr_write_linear_(w, &as->linear))
    X(SUM, tsr_write_sum_(w, as->sum, flags))
    X(PAIR, write_both(w, &as->pair.offset, &as->pair.layout, true, flags))
    X(TILED_LAYOUT, write_both(w, &as->tiled_layout.tiler, &as->tiled_layout.tv, false, flags))
    X(ENGINE, tsr_write_engine_(w, &as->engine, flags))
    X(TENSOR, tsr_write_tensor_(w, &as->tensor, flags))
    X(VERDICT, write_verdict(w, &as->verdict))
    X(TYPE, put(w, "a type of %d bits", tsr_dtype_bits(as->types.value)))
    X(MMA, tsr_mma_write_(w, as->mma))
    X(COPY, tsr_copy_write_(w, as->copy))
    X(TILED_MMA, write_tiled(w, v, flags))
    X(TILED_COPY, write_tiled(w, v, flags))
    X(SMEM, tsr_write_swizzle_(w, as->smem.swizzle);
            put(w, " o smem_ptr[%db](unset) o ", tsr_dtype_bits(as->smem.type));
            tsr_write_layout_(w, &as->smem.layout, flags))
    X(TMA_OP, put(w, "%s", tsr_tma_op_name_(as->op)))
    X(TMA, put(w, "%s of ", tsr_tma_op_name_(as->tma->op)); tsr_write_tma_map_(w, &as->tma->desc))
    X(TMA_MAP, tsr_write_tma_map_(w, &as->map))
    X(DISTRIBUTION, tsr_write_encoding_(w, &as->distribution))
    X(EXCHANGE, write_exchange(w, as->exchange))
#undef X
    default: put(w, "%s", v->text); break;
    }
}
/* clang-format on */

/* Memory */

typedef struct block {
    struct block *before;
    max_align_t first; /* its bytes begin here */
} block;

void *tsr_memory_take_(memory *m, size_t n)
{
    block *const b = (block *)malloc(offsetof(block, first) + n);
    m->failed = m->failed || !b;
    if (!b)
        return NULL;
    b->before = m->last;
    m->last = b;
    return &b->first;
}

void tsr_memory_free_(memory *m)
{
    while (m->last) {
        block *const before = m->last->before;
        free(m->last);
        m->last = before;
    }
}

void tsr_memory_join_(memory *to, memory *from)
{
    block *first = from->last;
    while (first && first->before)
        first = first->before;
    if (!first)
        return;
    first->before = to->last;
    to->last = from->last;
    from->last = NULL;
}

value_kind tsr_kind_of_letter_(char letter)
{
    static char const letters[] =
#define VALUE(id_letter, id, type, member, words) #id_letter
        VALUE_LIST(VALUE, VALUE);
#undef VALUE
    return (value_kind)(strchr(letters, letter) - letters);
}

bool tsr_value_begin_(value *v, memory *m)
{
    switch (v->kind) {
#define INLINE(letter, id, type, member, words)
#define KEPT(letter, id, type, member, words) \
  case VALUE_##id:                            \
    return (v->as.kept = tsr_memory_take_(m, sizeof(type))) != NULL;
        VALUE_LIST(INLINE, KEPT)
#undef INLINE
#undef KEPT
    default:
        return true;
    }
}

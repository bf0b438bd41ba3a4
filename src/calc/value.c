/** The values of expressions: why one is invalid, its text, and the memory of the large ones. */
#include <stdlib.h>
#include <string.h>

#include "atom/names.h"
#include "calc/value.h"
#include "tile/take.h"
#include "tma/text.h"

OWN_FRAME static tsr_tuple tiled_reason(value const *v)
{
    return v->kind == VALUE_TILED_MMA ? tsr_tiled_mma_reason(*v->as.tiled_mma) : tsr_tiled_copy_reason(*v->as.tiled_copy);
}

static tsr_tuple why(tsr_reason r) { return r.status ? tsr_reason_tuple(r) : tsr_s(0); }

tsr_tuple value_reason(value const *v)
{
    content const *const as = &v->as;
    switch (v->kind) {
    case VALUE_TUPLE:
        return as->tuple;
    case VALUE_ENGINE:
        return as->engine.at;
    case VALUE_TENSOR:
        return as->tensor.engine.at.status ? as->tensor.engine.at : as->tensor.layout.shape;
    case VALUE_SWIZZLE:
        return as->swizzle.status ? tsr_swizzle_reason_(as->swizzle) : tsr_s(0);
    case VALUE_PAIR:
        return as->pair.layout.shape.status ? as->pair.layout.shape : as->pair.offset;
    case VALUE_TILED_LAYOUT:
        return as->tiled_layout.tv.shape.status ? as->tiled_layout.tv.shape : as->tiled_layout.tiler;
    case VALUE_LAYOUT:
        return as->layout.shape;
    case VALUE_TILER:
        return as->tiler.by.shape;
    case VALUE_SMEM:
        return as->smem.layout.shape;
    case VALUE_MMA:
        return tsr_reason_tuple(tsr_mma_why(as->mma));
    case VALUE_COPY:
        return tsr_reason_tuple(tsr_copy_why(as->copy));
    case VALUE_TILED_MMA:
    case VALUE_TILED_COPY:
        return tiled_reason(v);
    case VALUE_TMA_MAP:
        return as->map.why;
    case VALUE_TMA:
        return as->tma->desc.why;
    case VALUE_NUMBERS:
    case VALUE_ANSWER:
        return as->numbers;
    case VALUE_TRANSFORM:
        return why(as->transform.why);
    case VALUE_LINK:
        return why(as->link.transform.why);
    case VALUE_DESCRIPTOR:
        return why(as->descriptor->graph.why);
    case VALUE_DISTRIBUTION:
        return why(as->distribution.why);
    case VALUE_VIEW:
        return why(tsr_tensor_view_reason(as->view));
    case VALUE_WINDOW:
        return why(tsr_window_why(as->window));
    case VALUE_VERDICT:
    case VALUE_TYPE:
    case VALUE_TMA_OP:
    case VALUE_UPDATE:
    case VALUE_SPACE:
    case VALUE_KINDS:
        break;
    }
    return tsr_s(0);
}

tsr_layout const *value_layout(value const *v)
{
    content const *const as = &v->as;
    switch (v->kind) {
    case VALUE_LAYOUT:
        return &as->layout;
    case VALUE_TENSOR:
        return &as->tensor.layout;
    case VALUE_PAIR:
        return &as->pair.layout;
    case VALUE_TILED_LAYOUT:
        return &as->tiled_layout.tv;
    case VALUE_SMEM:
        return &as->smem.layout;
    case VALUE_TILED_COPY:
        return &as->tiled_copy->tv;
    default:
        return NULL;
    }
}

bool value_ok(value const *v) { return value_reason(v).status == TSR_OK; }

tsr_tiler value_tiler(value const *v)
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
        mma_write(w, v->as.tiled_mma->atom);
    else
        copy_write(w, v->as.tiled_copy->atom);
    put(w, ", ");
    write_layout(w, mma ? &v->as.tiled_mma->threads : &v->as.tiled_copy->tv, flags);
    put(w, ", ");
    write_tiler(w, mma ? &v->as.tiled_mma->permutation : &v->as.tiled_copy->tiler, flags);
    put(w, ")");
}

void value_write(writer *w, value const *v, unsigned flags)
{
    content const *const as = &v->as;
    tsr_tuple const reason = value_reason(v);
    if (reason.status) {
        write_reason(w, &reason);
        return;
    }
    switch (v->kind) {
    case VALUE_TUPLE:
        write_tuple(w, &as->tuple, flags);
        break;
    case VALUE_LAYOUT:
        write_layout(w, &as->layout, flags);
        break;
    case VALUE_TILER:
        write_tiler(w, &as->tiler, flags);
        break;
    case VALUE_SWIZZLE:
        write_swizzle(w, as->swizzle);
        break;
    case VALUE_PAIR:
        put(w, "(");
        write_layout(w, &as->pair.layout, flags);
        put(w, ",");
        write_tuple(w, &as->pair.offset, flags);
        put(w, ")");
        break;
    case VALUE_TILED_LAYOUT:
        put(w, "(");
        write_tuple(w, &as->tiled_layout.tiler, flags);
        put(w, ",");
        write_layout(w, &as->tiled_layout.tv, flags);
        put(w, ")");
        break;
    case VALUE_ENGINE:
        write_engine(w, &as->engine, flags);
        break;
    case VALUE_TENSOR:
        write_tensor(w, &as->tensor, flags);
        break;
    case VALUE_VERDICT:
        put(w, as->verdict.answer == TSR_YES ? "yes" : as->verdict.answer == TSR_NO ? "no: " : "undecided: ");
        if (as->verdict.answer != TSR_YES)
            write_why(w, &as->verdict.why);
        break;
    case VALUE_TYPE:
        put(w, "a type of %d bits", tsr_dtype_bits(as->types.value));
        break;
    case VALUE_MMA:
        mma_write(w, as->mma);
        break;
    case VALUE_COPY:
        copy_write(w, as->copy);
        break;
    case VALUE_TILED_MMA:
    case VALUE_TILED_COPY:
        write_tiled(w, v, flags);
        break;
    case VALUE_SMEM:
        write_swizzle(w, as->smem.swizzle);
        put(w, " o smem_ptr[%db](unset) o ", tsr_dtype_bits(as->smem.type));
        write_layout(w, &as->smem.layout, flags);
        break;
    case VALUE_TMA_OP:
        put(w, "%s", tma_op_name(as->op));
        break;
    case VALUE_TMA:
        put(w, "%s of ", tma_op_name(as->tma->op));
        write_tma_map(w, &as->tma->desc);
        break;
    case VALUE_TMA_MAP:
        write_tma_map(w, &as->map);
        break;
    case VALUE_DISTRIBUTION:
        write_encoding(w, &as->distribution);
        break;
    case VALUE_NUMBERS:
        for (int i = 0; i < as->numbers.leaves; ++i)
            put(w, "%s%lld", i > 0 ? " " : "", (long long)as->numbers.leaf[i].value);
        break;
    case VALUE_TRANSFORM:
    case VALUE_LINK:
    case VALUE_DESCRIPTOR:
    case VALUE_VIEW:
    case VALUE_WINDOW:
    case VALUE_UPDATE:
    case VALUE_SPACE:
    case VALUE_ANSWER:
        put(w, "%s", v->text);
        break;
    case VALUE_KINDS:
        break;
    }
}

/* Memory */

typedef struct block {
    struct block *before;
    max_align_t first; /* its bytes begin here */
} block;

void *memory_take(memory *m, size_t n)
{
    block *const b = (block *)malloc(offsetof(block, first) + n);
    m->failed = m->failed || !b;
    if (!b)
        return NULL;
    b->before = m->last;
    m->last = b;
    return &b->first;
}

void memory_free(memory *m)
{
    while (m->last) {
        block *const before = m->last->before;
        free(m->last);
        m->last = before;
    }
}

value_kind kind_of_letter(char letter)
{
    static char const letters[] =
#define VALUE(id_letter, id, type, member, words) #id_letter
        VALUE_LIST(VALUE, VALUE);
#undef VALUE
    return (value_kind)(strchr(letters, letter) - letters);
}

bool value_begin(value *v, memory *m)
{
    switch (v->kind) {
#define INLINE(letter, id, type, member, words)
#define KEPT(letter, id, type, member, words)                   \
    case VALUE_##id:                                            \
        return (v->as.kept = memory_take(m, sizeof(type))) != NULL;
        VALUE_LIST(INLINE, KEPT)
#undef INLINE
#undef KEPT
    default:
        return true;
    }
}

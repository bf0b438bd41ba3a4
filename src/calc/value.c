/** The values of expressions: why one is invalid, and its text. */
#include "atom/names.h"
#include "calc/value.h"
#include "tma/text.h"

tsr_tiled_mma value_tiled_mma(value const *v)
{
    tsr_tiled_mma const r = {v->mma, v->layout, v->tiler};
    return r;
}

tsr_tiled_copy value_tiled_copy(value const *v)
{
    tsr_tiled_copy const r = {v->copy, v->layout, v->tiler};
    return r;
}

OWN_FRAME static tsr_tuple composite_reason(value const *v)
{
    bool const product = v->kind == VALUE_MMA || v->kind == VALUE_TILED_MMA;
    tsr_tuple const why = tsr_reason_tuple(product ? tsr_mma_why(v->mma) : tsr_copy_why(v->copy));
    if (why.status || v->kind == VALUE_MMA || v->kind == VALUE_COPY)
        return why;
    return v->layout.shape.status ? v->layout.shape : v->tiler.by.shape;
}

tsr_tuple value_reason(value const *v)
{
    switch (v->kind) {
    case VALUE_TUPLE:
        return v->tuple;
    case VALUE_ENGINE:
        return v->engine.at;
    case VALUE_TENSOR:
        return v->engine.at.status ? v->engine.at : v->layout.shape;
    case VALUE_SWIZZLE:
        return v->swizzle.status ? tsr_swizzle_reason_(v->swizzle) : tsr_s(0);
    case VALUE_PAIR:
    case VALUE_TILED_LAYOUT:
        return v->layout.shape.status ? v->layout.shape : v->tuple;
    case VALUE_LAYOUT:
    case VALUE_TILER:
    case VALUE_SMEM:
        return v->layout.shape;
    case VALUE_MMA:
    case VALUE_COPY:
    case VALUE_TILED_MMA:
    case VALUE_TILED_COPY:
        return composite_reason(v);
    case VALUE_TMA_MAP:
    case VALUE_TMA:
        return v->tma.desc.why;
    case VALUE_VERDICT:
    case VALUE_TYPE:
    case VALUE_TMA_OP:
        break;
    }
    return tsr_s(0);
}

bool value_ok(value const *v) { return value_reason(v).status == TSR_OK; }

void value_write(writer *w, value const *v, unsigned flags)
{
    tsr_tuple const reason = value_reason(v);
    if (reason.status) {
        write_reason(w, &reason);
        return;
    }
    switch (v->kind) {
    case VALUE_TUPLE:
        write_tuple(w, &v->tuple, flags);
        break;
    case VALUE_LAYOUT:
        write_layout(w, &v->layout, flags);
        break;
    case VALUE_TILER: {
        tsr_tiler const t = {v->layout};
        write_tiler(w, &t, flags);
        break;
    }
    case VALUE_SWIZZLE:
        write_swizzle(w, v->swizzle);
        break;
    case VALUE_PAIR:
        put(w, "(");
        write_layout(w, &v->layout, flags);
        put(w, ",");
        write_tuple(w, &v->tuple, flags);
        put(w, ")");
        break;
    case VALUE_TILED_LAYOUT:
        put(w, "(");
        write_tuple(w, &v->tuple, flags);
        put(w, ",");
        write_layout(w, &v->layout, flags);
        put(w, ")");
        break;
    case VALUE_ENGINE:
    case VALUE_TENSOR:
        write_engine(w, &v->engine, flags);
        if (v->kind == VALUE_TENSOR) {
            put(w, " o ");
            write_layout(w, &v->layout, flags);
        }
        break;
    case VALUE_VERDICT:
        put(w, v->answer == TSR_YES ? "yes" : v->answer == TSR_NO ? "no: " : "undecided: ");
        if (v->answer != TSR_YES)
            write_reason(w, &v->tuple);
        break;
    case VALUE_TYPE:
        put(w, "a type of %d bits", tsr_dtype_bits(v->type));
        break;
    case VALUE_MMA:
        mma_write(w, v->mma);
        break;
    case VALUE_COPY:
        copy_write(w, v->copy);
        break;
    case VALUE_TILED_MMA:
        put(w, "make_tiled_mma(");
        mma_write(w, v->mma);
        put(w, ", ");
        write_layout(w, &v->layout, flags);
        put(w, ", ");
        write_tiler(w, &v->tiler, flags);
        put(w, ")");
        break;
    case VALUE_TILED_COPY:
        put(w, "make_tiled_copy_impl(");
        copy_write(w, v->copy);
        put(w, ", ");
        write_layout(w, &v->layout, flags);
        put(w, ", ");
        write_tiler(w, &v->tiler, flags);
        put(w, ")");
        break;
    case VALUE_SMEM:
        put(w, "Sw<%d,%d,%d> o smem_ptr[%db](unset) o ", v->swizzle.bits, v->swizzle.base, v->swizzle.shift,
            tsr_dtype_bits(v->type));
        write_layout(w, &v->layout, flags);
        break;
    case VALUE_TMA_OP:
        put(w, "%s", tma_op_name(v->tma.op));
        break;
    case VALUE_TMA:
        put(w, "%s of ", tma_op_name(v->tma.op));
        write_tma_map(w, &v->tma.desc);
        break;
    case VALUE_TMA_MAP:
        write_tma_map(w, &v->tma.desc);
        break;
    }
}

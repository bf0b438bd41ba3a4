/** The bodies of atom/copy.h. */
#ifndef TSR_ATOM_BODY_COPY_H
#define TSR_ATOM_BODY_COPY_H

#include "tessera/atom/copy.h"

TSR_HEADER_BEGIN

TSR_OP tsr_copy_row tsr_copy_row_at(int op)
{
    tsr_copy_row const none = TSR_ZERO;
    switch (op) {
#define TSR_X_(id, name, kind, store, a, b, least, most)                \
case TSR_COPY_##id: {                                                   \
  tsr_copy_row const row = {TSR_COPY_##kind, store, a, b, least, most}; \
  return row;                                                           \
}
        TSR_COPY_LIST(TSR_X_)
#undef TSR_X_
    default:
        return none;
    }
}

TSR_OP tsr_copy_atom tsr_copy_refuse(tsr_copy_atom x, tsr_status status, int32_t a, int32_t b, int32_t c)
{
    x.status = (uint16_t)status;
    x.note[0] = a;
    x.note[1] = b;
    x.note[2] = c;
    return x;
}

TSR_OP tsr_copy_atom tsr_make_copy(tsr_copy_op op, int32_t number)
{
    tsr_copy_atom r = TSR_ZERO;
    tsr_copy_row const row = tsr_copy_row_at((int)op < TSR_COPY_OPS ? (int)op : 0);
    r.op = (uint8_t)op;
    r.number = number;
    if (row.kind == TSR_COPY_THREAD && number > 0 && number <= 128) /* as an unsigned integer of this size */
        r.from = r.to = (tsr_dtype)(tsr_dtype_code(TSR_U8) * 256 + number);
    if (number < row.least || (row.most > 0 && (number > row.most || !tsr_is_pow2(number))))
        return tsr_copy_refuse(r, row.most > 0 ? TSR_COPY_NUMBER : TSR_COPY_BITS, number, row.least, row.most);
    return r;
}

TSR_OP tsr_copy_atom tsr_make_copy_types(tsr_copy_op op, tsr_dtype from, tsr_dtype to)
{
    tsr_copy_atom r = tsr_make_copy(op, tsr_dtype_bits(from));
    r.from = from;
    r.to = to;
    return !r.status && tsr_dtype_bits(from) != tsr_dtype_bits(to)
               ? tsr_copy_refuse(r, TSR_COPY_SIZES, tsr_dtype_bits(from), tsr_dtype_bits(to), 0)
               : r;
}

TSR_HEADER_END

#endif

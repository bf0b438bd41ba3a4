/** Out of line: the functions of exec/compute/out_of_line.h. */
#include "exec/compute/reduce_lines.h"

void tsr_update_one_(tsr_update const *u, tsr_dtype to_type, void *to, int to_bit, tsr_dtype from_type,
                     void const *from, int from_bit)
{
    tsr_update_element(u, to_type, to, to_bit, from_type, from, from_bit);
}

void tsr_reduce_lines_(int op, tsr_dtype type, void const *from, int64_t lines, int64_t outer, int64_t n,
                       int64_t inner, void *acc)
{
    unsigned char const *const p = (unsigned char const *)from;
    switch (op * 65536 + (int)type) {
#define TSR_Y_(op, id, real)                                             \
  case op * 65536 + TSR_##id:                                            \
    tsr_fold_lines_(op, TSR_##id, real, p, lines, outer, n, inner, acc); \
    break;
#define TSR_X_(id, T, real)        \
  TSR_Y_(TSR_REDUCE_SUM, id, real) \
  TSR_Y_(TSR_REDUCE_MIN, id, real) \
  TSR_Y_(TSR_REDUCE_MAX, id, real)
        TSR_REDUCED_LIST(TSR_X_)
#undef TSR_X_
#undef TSR_Y_
    default:
        break;
    }
}

/** The bodies of tile/formula.h. */
#ifndef TSR_TILE_BODY_FORMULA_H
#define TSR_TILE_BODY_FORMULA_H

#include "tessera/tile/formula.h"
#include "tessera/tile/body/encoding.h"
#include "tessera/tile/body/evaluate.h"

TSR_HEADER_BEGIN

TSR_LOCAL tsr_known tsr_known_(int64_t is)
{
    tsr_known r = TSR_ZERO;
    r.is = is;
    return r;
}

TSR_INTERNAL bool tsr_is_(tsr_known a, int64_t n) { return a.multiple == 0 && a.is == n; }

TSR_OP int64_t tsr_formula_offset(tsr_formula const *f, int64_t const *index, bool *there)
{
    int64_t at[TSR_MAX_VALUES] TSR_SCRATCH;
    for (int i = 0; i < f->inputs; ++i)
        at[i] = index[i];
    for (int i = f->inputs; i < f->values; ++i) {
        tsr_value const *const v = &f->value[i];
        int64_t const of = at[v->of], n = v->number.is;
        switch ((tsr_value_kind)v->kind) {
        case TSR_VALUE_SUM:
            at[i] = n;
            for (int k = v->first; k < v->first + v->parts; ++k)
                at[i] = tsr_wrap_add(at[i], tsr_wrap_mul(f->part[k].number.is, at[f->part[k].value]));
            break;
        case TSR_VALUE_QUOTIENT:
            at[i] = tsr_floor_div(of, n);
            break;
        case TSR_VALUE_REST:
            at[i] = tsr_floor_mod(of, n);
            break;
        case TSR_VALUE_LOW:
            at[i] = of & (n - 1);
            break;
        case TSR_VALUE_XOR:
            at[i] = of ^ (at[v->other] & (n - 1));
            break;
        case TSR_VALUE_GATHER:
            at[i] = 0 <= of && of < n ? f->table[v->table][of] : 0;
            break;
        case TSR_VALUE_INPUT:
            break;
        }
    }
    *there = true;
    for (int i = 0; i < f->bounds; ++i) {
        tsr_bound const *const b = &f->bound[i];
        *there = *there && !(b->left && at[b->value] < 0) && !(b->right && at[b->value] >= b->end.is);
    }
    return at[f->output[0]];
}

TSR_HEADER_END

#endif

/** The bodies of core/integer.h. */
#ifndef TSR_CORE_BODY_INTEGER_H
#define TSR_CORE_BODY_INTEGER_H

#include "tessera/core/integer.h"
#include "tessera/core/body/bits.h"
#include "tessera/core/body/stride.h"

TSR_HEADER_BEGIN

TSR_LOCAL tsr_tuple tsr_lift1_(tsr_leaf (*op)(tsr_leaf), tsr_tuple a)
{
    return a.status ? a : tsr_from_leaf(op(tsr_as_leaf_(a)));
}

TSR_OP tsr_tuple tsr_ineg(tsr_tuple a)
{
    for (int i = 0; !a.status && i < a.leaves; ++i) {
        tsr_leaf const x = tsr_leaf_neg(a.leaf[i]);
        if (x.kind == TSR_BAD)
            return tsr_from_leaf(x);
        a.leaf[i].value = x.value;
    }
    return a;
}

TSR_OP tsr_tuple tsr_isub(tsr_tuple a, tsr_tuple b) { return a.status ? a : tsr_add(a, tsr_ineg(b)); }

TSR_OP tsr_tuple tsr_imul(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_mul, a, b); }

TSR_OP tsr_tuple tsr_idiv(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_div, a, b); }

TSR_OP tsr_tuple tsr_imod(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_mod, a, b); }

TSR_OP tsr_tuple tsr_iand(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_and, a, b); }

TSR_OP tsr_tuple tsr_ior(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_or, a, b); }

TSR_OP tsr_tuple tsr_ixor(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_xor, a, b); }

TSR_OP tsr_tuple tsr_ishl(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_shl, a, b); }

TSR_OP tsr_tuple tsr_ishr(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_shr, a, b); }

TSR_OP tsr_tuple tsr_ilt(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_lt, a, b); }

TSR_OP tsr_tuple tsr_igt(tsr_tuple a, tsr_tuple b) { return tsr_swapped_(tsr_ilt, a, b); }

TSR_OP tsr_tuple tsr_ile(tsr_tuple a, tsr_tuple b) { return tsr_not_(tsr_igt(a, b)); }

TSR_OP tsr_tuple tsr_ige(tsr_tuple a, tsr_tuple b) { return tsr_not_(tsr_ilt(a, b)); }

TSR_OP tsr_tuple tsr_ieq(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_eq, a, b); }

TSR_OP tsr_tuple tsr_ine(tsr_tuple a, tsr_tuple b) { return tsr_not_(tsr_ieq(a, b)); }

TSR_OP tsr_tuple tsr_land(tsr_tuple a, tsr_tuple b) { return tsr_and_(a, b); }

TSR_OP tsr_tuple tsr_lor(tsr_tuple a, tsr_tuple b) { return tsr_or_(a, b); }

TSR_OP tsr_tuple tsr_inot(tsr_tuple a) { return tsr_not_(a); }

TSR_OP tsr_tuple tsr_abs(tsr_tuple a) { return tsr_lift1_(tsr_leaf_abs, a); }

TSR_OP tsr_tuple tsr_signum(tsr_tuple a) { return tsr_lift1_(tsr_leaf_signum, a); }

TSR_OP tsr_tuple tsr_lcm(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_lcm, a, b); }

TSR_OP tsr_tuple tsr_safe_div(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_safe_div, a, b); }

TSR_OP tsr_tuple tsr_shiftl(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_shiftl, a, b); }

TSR_OP tsr_tuple tsr_shiftr(tsr_tuple a, tsr_tuple b) { return tsr_lift2_(tsr_leaf_shiftr, a, b); }

TSR_OP tsr_tuple tsr_tuple_rank_of(tsr_tuple t, tsr_tuple path)
{
    return tsr_tuple_rank(tsr_tuple_get_path(t, path));
}

TSR_OP tsr_tuple tsr_tuple_depth_of(tsr_tuple t, tsr_tuple path)
{
    return tsr_tuple_depth(tsr_tuple_get_path(t, path));
}

TSR_OP tsr_tuple tsr_tuple_size_of(tsr_tuple t, tsr_tuple path) { return tsr_product(tsr_tuple_get_path(t, path)); }

TSR_HEADER_END

#endif

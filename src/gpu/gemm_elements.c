/** Products that sum nothing, such as "ij,ij->ij", as combinations of two tensors, for tensor cores do not help them.
 *
 *  Law     one product is rounded once: with an alpha of 1 that is the law of gpu/gemm.h. */
#include "gpu/call.h"
#include "gpu/compile.h"
#include "gpu/gemm.h"

bool tsr_gpu_sums_nothing_(tsr_tensor const *a, tsr_epilogue const *e)
{
    return e->alpha == 1 && e->beta == 0 && !e->bias && e->activation == TSR_NO_ACTIVATION
           && tsr_size(tsr_mode(tsr_layout_inner(a->layout), 2)) == 1;
}

/** The modes of C of an operand (V, own, K): it is repeated along the one that it does not have. */
static tsr_layout spread(tsr_layout l, tsr_layout c, bool first)
{
    tsr_layout const v = tsr_mode(tsr_layout_inner(l), 0), own = tsr_mode(tsr_layout_inner(l), 1);
    tsr_tuple const n = tsr_int(tsr_size(tsr_mode(tsr_layout_inner(c), first ? 2 : 1))), none = tsr_int(0);
    return first ? tsr_with_(l, tsr_tuple_3(v.shape, own.shape, n), tsr_tuple_3(v.stride, own.stride, none))
                 : tsr_with_(l, tsr_tuple_3(v.shape, n, own.shape), tsr_tuple_3(v.stride, none, own.stride));
}

tsr_gpu_result tsr_gpu_combine_gemm_(gpu_gemm_request const *x, tsr_tensor a, tsr_tensor b, tsr_tensor c,
                                     tsr_gpu_planned_gemm *g)
{
    tsr_number const one = tsr_number_int(1);
    a.layout = spread(a.layout, c.layout, true);
    b.layout = spread(b.layout, c.layout, false);
    tsr_gpu_result const r =
        tsr_gpu_combine_plan(x->cache, x->device, TSR_COMBINE_PRODUCT, one, a, one, b, c, x->log, &g->combined);
    if (!tsr_gpu_ok(r)) {
        tsr_gpu_log_(x->log, "");
        return r;
    }
    g->device = x->device;
    g->at[TSR_IN_A] = a.engine.address;
    g->at[TSR_IN_B] = b.engine.address;
    g->at[TSR_IN_C] = c.engine.address;
    g->kernel = g->combined->kernel;
    if (x->device)
        g->launch = tsr_gpu_combine_launch_(g->combined, NULL);
    g->tiles = g->combined->blocks;
    return r;
}

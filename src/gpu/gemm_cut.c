/** Products for TMA and wgmma: decides whether a product fits, and writes the parameters of its kernel. */
#include "gpu/gemm.h"
#include "gpu/call.h"

static bool is_one_of(tsr_dtype type, tsr_dtype const *list, int count)
{
    for (int i = 0; i < count; ++i)
        if (list[i] == type)
            return true;
    return false;
}

static bool is_swizzled(tsr_layout const *l) { return l->composed && l->swizzle.bits != 0; }

int tsr_gpu_parts_of_(tsr_product_ const *g)
{
    return (g->alpha != 1 ? TSR_EPILOGUE_SCALES : 0) | (g->beta != 0 ? TSR_EPILOGUE_ADDS : 0)
           | (g->biased ? TSR_EPILOGUE_BIASED : 0) | (g->activation == TSR_RELU ? TSR_EPILOGUE_RELU : 0);
}

/** What the tensor cores multiply, with an epilogue of the sums' type. */
static bool has_types(tsr_product_ const *g)
{
    tsr_dtype const a = g->a.engine.type, b = g->b.engine.type, c = g->c.engine.type, d = g->bias.engine.type;
    static tsr_dtype const eight[] = {TSR_F8_E4M3FN, TSR_F8_E5M2};
    static tsr_dtype const equal[] = {TSR_F16, TSR_BF16, TSR_TF32, TSR_I8};
    bool const pair = (is_one_of(a, eight, 2) && is_one_of(b, eight, 2)) || (a == b && is_one_of(a, equal, 4));
    bool const result = c == TSR_F16 || c == TSR_BF16 || c == TSR_F32
                        || (c == TSR_I32 && a == TSR_I8 && d == TSR_I32 && gpu_is_small_integer(g->alpha)
                            && gpu_is_small_integer(g->beta));
    return pair && result && d != TSR_F64 && (d != TSR_I32 || c == TSR_I32);
}

int tsr_gpu_modes_(tsr_gemm_problem const *plan)
{
    if (plan->v.loops > 1)
        return TSR_HOPPER_BATCHES;
    return plan->m.loops > 1 || plan->n.loops > 1 || plan->k.loops > 1 ? TSR_HOPPER_MODES : 0;
}

bool tsr_gpu_divides_(gpu_product const *p, tsr_hopper_tile const *tile)
{
    tsr_gemm_loops const *const k = &p->of->k;
    return (p->m->loops < 2 || p->m->count[0] % tile->m == 0) && (p->n->loops < 2 || p->n->count[0] % tile->n == 0)
           && (k->loops < 2 || k->count[0] % tile->k == 0);
}

tsr_reason tsr_gpu_loops_reason_(tsr_gemm_problem const *plan, int loops)
{
    tsr_product_ const *const x = &plan->product;
    tsr_gemm_loops const *const all[] = {&plan->v, &plan->m, &plan->n, &plan->k};
    bool const reads = (tsr_gpu_parts_of_(x) & (TSR_EPILOGUE_ADDS | TSR_EPILOGUE_BIASED)) != 0;
    int most[] = {reads ? 1 : loops, reads ? 1 : loops, reads ? 1 : loops, loops};
    if (plan->v.loops > 1 && plan->m.loops > 1) /* maps have five modes */
        most[2] = 1;
    if (plan->v.loops > 1)
        most[3] = 1;
    if (!has_types(x))
        return tsr_because(TSR_GEMM_TYPES, 0, tsr_dtype_bits(x->a.engine.type), tsr_dtype_bits(x->b.engine.type),
                           tsr_dtype_bits(x->c.engine.type));
    for (int i = 0; i < 4; ++i) {
        int const mode = plan->swapped && (i == 1 || i == 2) ? 3 - i : i; /* as the caller has them */
        if (all[i]->loops > most[i])
            return tsr_because(TSR_GEMM_LOOPS, mode, all[i]->loops, 0, 0);
        if (all[i]->size > INT32_MAX - 512)
            return tsr_because(TSR_GEMM_LARGE, mode, all[i]->size, 0, 0);
    }
    if (is_swizzled(&x->a.layout) || is_swizzled(&x->b.layout) || is_swizzled(&x->c.layout)
        || (x->biased && is_swizzled(&x->bias.layout)))
        return tsr_because(TSR_SWIZZLE_STRIDE, 0, 0, 0, 0);
    return tsr_no_reason();
}

tsr_reason tsr_gpu_cut_reason_(tsr_gpu_device const *device, tsr_gemm_problem const *plan, int loops)
{
    tsr_reason const why = tsr_gpu_loops_reason_(plan, loops);
    bool const other = device->major != 9 && (!why.status || why.status == TSR_SWIZZLE_STRIDE);
    return other ? tsr_because(TSR_GEMM_DEVICE, 0, device->major, device->minor, 0) : why;
}

static uint64_t address_of(tsr_tensor const *t, int64_t begin)
{
    return t->engine.address + (uint64_t)(begin * (tsr_dtype_bits(t->engine.type) / 8));
}

/** The extent and the step of loop i of a mode. */
static int64_t extent_of(tsr_gemm_loops const *x, int i) { return i < x->loops ? x->count[i] : 1; }
static int64_t step_of(tsr_gemm_loops const *x, int i, int operand) { return i < x->loops ? x->step[operand][i] : 0; }

/** What TMA is told of an operand, a tensor (rows, columns, batch), or with two modes of both (rows, columns, rows,
 *  columns, batch), or with two of the batches (rows, columns, rows or columns, batch, batch); invalid where it cannot
 *  take it. */
static tsr_tma_desc desc_of(tsr_tma_tile const *boxes, tsr_gemm_problem const *plan, tsr_tensor const *t, int operand,
                            tsr_gemm_loops const *rows, tsr_gemm_loops const *columns)
{
    tsr_gemm_loops const *const v = &plan->v;
    int const flag = tsr_gpu_modes_(plan), modes = flag ? 5 : 3, batches = flag == TSR_HOPPER_BATCHES ? 2 : 1;
    int64_t extent[5], stride[5];
    for (int i = 0; i < modes - batches; ++i) {
        bool const in_columns = i % 2 || (i == 2 && batches == 2 && rows->loops < 2);
        extent[i] = extent_of(in_columns ? columns : rows, i / 2);
        stride[i] = step_of(in_columns ? columns : rows, i / 2, operand);
    }
    for (int i = 0; i < batches; ++i) {
        extent[modes - batches + i] = extent_of(v, i);
        stride[modes - batches + i] = step_of(v, i, operand);
    }
    tsr_tma_desc d = tsr_tma_tile_map(boxes, t->engine.type, modes, extent, stride);
    d.address = address_of(t, plan->begin[operand]);
    if (!d.why.status)
        d.why = tsr_tma_lint(d).why;
    return d;
}

/** What it is told of A, of B and of D in tiles of these sizes. */
tsr_tma_desc tsr_gpu_map_a_(gpu_product const *p, int rows, int flags)
{
    tsr_dtype const type = p->a->engine.type;
    tsr_tma_tile const t =
        tsr_gpu_boxes_(type, rows, 1024 / tsr_dtype_bits(type), flags & TSR_HOPPER_A_MN ? 0 : 1, 1);
    return desc_of(&t, p->of, p->a, p->left, p->m, &p->of->k);
}

tsr_tma_desc tsr_gpu_map_b_(gpu_product const *p, int columns, int flags)
{
    tsr_dtype const type = p->b->engine.type;
    tsr_tma_tile const t = tsr_gpu_boxes_(type, columns, 1024 / tsr_dtype_bits(type), flags & TSR_HOPPER_B_MN ? 0 : 1,
                                          flags & TSR_HOPPER_PAIRS ? 2 : 1);
    return desc_of(&t, p->of, p->b, p->right, p->n, &p->of->k);
}

static tsr_tma_desc desc_d(gpu_product const *p, int columns, int flags)
{
    tsr_tensor const *const c = &p->of->product.c;
    tsr_tma_tile const t = tsr_gpu_boxes_(c->engine.type, 64, columns, flags & TSR_HOPPER_D_MN ? 0 : 1, 1);
    return desc_of(&t, p->of, c, TSR_IN_C, p->m, p->n);
}

/** The copy engine writes whole pieces of 16 bytes (exec/tma.h), which would overwrite the bytes behind the ends of
 *  rows. */
int tsr_gpu_any_result_(tsr_gemm_problem const *p)
{
    gpu_product const x = tsr_gpu_product_of_(p, p->swapped);
    int const bits = tsr_dtype_bits(p->product.c.engine.type);
    tsr_tma_desc const d = desc_d(&x, 1024 / bits, tsr_gpu_majors_(&x));
    bool const whole = d.dim[0] * bits % 128 == 0;
    return d.why.status || !whole ? TSR_HOPPER_D_ANY : 0;
}

tsr_reason tsr_gpu_operands_reason_(tsr_gemm_problem const *p)
{
    gpu_product const x = tsr_gpu_product_of_(p, p->swapped);
    tsr_tma_desc const a = tsr_gpu_map_a_(&x, 64, tsr_gpu_majors_(&x)),
                       b = tsr_gpu_map_b_(&x, 64, tsr_gpu_majors_(&x));
    return tsr_reason_or(a.why, b.why);
}

tsr_tma_desc tsr_gpu_result_map_(tsr_gemm_problem const *plan, gpu_choice const *choice)
{
    gpu_product const p = tsr_gpu_product_of_(plan, choice->swapped);
    return desc_d(&p, choice->tile.columns, choice->tile.flags);
}

/** For the epilogue: a matrix of the result's modes. */
static tsr_gemm_matrix epilogue_matrix(gpu_product const *p, tsr_tensor const *t, int operand)
{
    tsr_gemm_matrix const r = {address_of(t, p->of->begin[operand]),
                               {(int32_t)p->m->size, (int32_t)p->n->size},
                               {tsr_gpu_step_(p->m, operand), tsr_gpu_step_(p->n, operand)},
                               tsr_gpu_step_(&p->of->v, operand)};
    return r;
}

tsr_reason tsr_gpu_describe_(tsr_gemm_problem const *plan, gpu_choice const *choice, tsr_tma_desc desc[3])
{
    gpu_product const p = tsr_gpu_product_of_(plan, choice->swapped);
    tsr_hopper_tile const *const t = &choice->tile;
    desc[0] = tsr_gpu_map_a_(&p, t->m, t->flags);
    desc[1] = tsr_gpu_map_b_(&p, t->n, t->flags);
    desc[2] = desc[0]; /* which nobody asks for with TSR_HOPPER_D_ANY */
    if (!(t->flags & TSR_HOPPER_D_ANY))
        desc[2] = tsr_gpu_result_map_(plan, choice);
    for (int i = 0; i < 3; ++i)
        if (desc[i].why.status)
            return desc[i].why;
    return tsr_no_reason();
}

tsr_reason tsr_gpu_make_record_(tsr_gpu_device const *device, tsr_gemm_problem const *plan, gpu_choice const *choice,
                                tsr_tma_desc const desc[3], tsr_gemm_record *record)
{
    gpu_product const p = tsr_gpu_product_of_(plan, choice->swapped);
    tsr_product_ const *const x = &plan->product;
    tsr_reason why = tsr_no_reason();
    for (int i = 0; i < 3 && !why.status; ++i) {
        tsr_tma_map map;
        why = tsr_gpu_tma_encode(device, &desc[i], desc[i].address, &map);
        memcpy(record->map[i], &map, sizeof map);
    }
    record->epilogue.alpha = (float)x->alpha;
    record->epilogue.beta = (float)x->beta;
    record->epilogue.d = record->epilogue.c = epilogue_matrix(&p, &x->c, TSR_IN_C);
    record->epilogue.bias = epilogue_matrix(&p, &x->bias, x->biased ? TSR_IN_BIAS : TSR_IN_C);
    return why;
}

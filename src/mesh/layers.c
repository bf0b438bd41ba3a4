/** 2.5-D products: layers of ranks, each with a C of its own, and how many of them a bound of memory allows. */
#include <stdlib.h>

#include "mesh/form.h"
#include "mesh/product.h"

/** Layer l of C, on a grid that is as square as the ranks of a layer allow. */
static tsr_dist_layout grid_of(int64_t const *extent, int64_t ranks, int64_t l, int64_t addends)
{
    int64_t rows = 1;
    for (int64_t r = 1; r * r <= ranks; ++r)
        rows = ranks % r == 0 ? r : rows;
    tsr_dist_layout d = tsr_dist_whole(2, extent, true);
    int64_t const shards[] = {rows, ranks / rows};
    d.first = l * ranks;
    for (int m = 0; m < 2; ++m) {
        int64_t const block = tsr_max64(tsr_ceil_div64(extent[m], shards[m]), 1);
        tsr_dist_split const s = {TSR_DIST_SHARD, m, shards[m], m == 0 ? shards[1] : 1, block, block * shards[m], 0};
        d.split[d.splits++] = s;
    }
    tsr_dist_split const sums = {TSR_DIST_SUM, 0, addends, ranks, 0, 0, 0};
    if (addends > 1)
        d.split[d.splits++] = sums;
    return d;
}

/** The sum of the layers, added to C. */
static bool add_layers(tsr_dist_layout const *sums, void const *part, tsr_dist_matrix c, double beta,
                       tsr_dist_transport const *transport, int64_t host, tsr_message *error)
{
    tsr_dist_plan plan;
    tsr_dist_terms terms = tsr_dist_terms_of(c.type);
    tsr_dist_transport t = *transport;
    t.window = NULL;
    terms.beta = tsr_number_real(beta);
    if (!tsr_dist_plan_make(sums, c.layout, transport->rank, host, &plan, error))
        return false;
    bool const ok = tsr_dist_axpby(&plan, &t, &terms, part, c.memory, 0, error);
    tsr_dist_plan_free(&plan);
    return ok;
}

bool tsr_dist_gemm_layers(tsr_dist_matrix a, tsr_dist_matrix b, tsr_dist_matrix c, double alpha, double beta,
                          int64_t panel, int64_t layers, tsr_dist_transport const *transport, int64_t host,
                          tsr_message *error)
{
    if (layers < 1 || transport->ranks % layers != 0)
        return tsr_dist_fail_(error, "%lld ranks are not %lld layers of equal size", (long long)transport->ranks,
                              (long long)layers);
    if (layers == 1)
        return tsr_dist_gemm(a, b, c, alpha, beta, panel, transport, host, error);
    if (!tsr_dist_check(c.layout, error) || c.layout->modes != 2)
        return tsr_dist_gemm(a, b, c, alpha, beta, panel, transport, host, error); /* which says why not */
    int64_t const ranks = transport->ranks / layers, own = transport->rank / ranks, *const extent = c.layout->extent;
    tsr_dist_layout const sums = grid_of(extent, ranks, 0, layers);
    tsr_dist_layout *const layer = (tsr_dist_layout *)malloc((size_t)layers * sizeof *layer);
    tsr_dist_part part;
    (void)tsr_dist_part_of(&sums, transport->rank, &part);
    void *const memory = calloc((size_t)part.span + 1, (size_t)tsr_dtype_bits(c.type) / 8);
    bool ok = layer && memory;
    for (int64_t l = 0; ok && l < layers; ++l)
        layer[l] = grid_of(extent, ranks, l, 1);
    if (!ok)
        (void)tsr_dist_fail_(error, "there is no memory for C on %lld layers", (long long)layers);
    tsr_dist_matrix const partial = {ok ? &layer[own] : NULL, c.type, memory};
    ok = ok && tsr_dist_gemm_on_(a, b, partial, alpha, 0, panel, layer, layers, own, transport, host, error)
         && add_layers(&sums, memory, c, beta, transport, host, error);
    free(layer);
    free(memory);
    return ok;
}

/** Sums of costs stay below the greatest number, where a product of them does not fit. */
static int64_t times(int64_t a, int64_t b) { return tsr_min64(tsr_mul64_most(a, b), TSR_INT_MAX / 8); }

/** A run refuses types of less than a byte. */
static int64_t item_bytes(tsr_dtype type) { return tsr_max64(tsr_dtype_bits(type) / 8, 1); }

/** Bytes of the buffers of a run whose messages have at most so many elements. */
static int64_t buffers(int64_t elements, int64_t bytes, int64_t budget)
{
    int64_t const chunk = tsr_max64(budget / (2 * TSR_DIST_FLIGHT) / bytes, 1);
    return 2 * TSR_DIST_FLIGHT * times(tsr_min64(chunk, elements), bytes);
}

/** The most elements along each mode that a rank has, and of these two. */
static tsr_dist_part largest_part(tsr_dist_layout const *d)
{
    dist_form const f = tsr_dist_form_of_(d);
    tsr_dist_part part = {{0}, {0}, 1, 0};
    dist_line l = {0};
    for (int m = 0; m < d->modes; ++m) {
        part.extent[m] = tsr_dist_line_most_(&l, &f, m);
        part.elements *= part.extent[m];
    }
    tsr_dist_line_free_(&l);
    return part;
}

tsr_dist_gemm_cost tsr_dist_gemm_cost_of(tsr_dist_matrix a, tsr_dist_matrix b, tsr_dist_matrix c, int64_t panel,
                                         int64_t layers, int64_t ranks)
{
    tsr_dist_matrix const operand[] = {a, b};
    tsr_dist_gemm_cost cost = {layers, TSR_INT_MAX, TSR_INT_MAX};
    if (layers < 1 || ranks < layers || ranks % layers != 0)
        return cost;
    int64_t const k = a.layout->extent[1], n = tsr_min64(panel == 0 ? DIST_PANEL : panel, k);
    int64_t const bytes = item_bytes(c.type);
    tsr_dist_layout const grid = layers == 1 ? *c.layout : grid_of(c.layout->extent, ranks / layers, 0, 1);
    tsr_dist_part const part = largest_part(&grid),
                        own = largest_part(c.layout); /* of C on a layer, and of C itself */
    cost.bytes = cost.received = 0;
    for (int i = 0; i < 2; ++i) {
        int64_t const lines = part.extent[i], item = item_bytes(operand[i].type), one = times(lines, n);
        cost.bytes += 2 * times(one, item) + times(layers, buffers(one, item, tsr_dist_gemm_budget_(layers)));
        cost.received += times(times(lines, tsr_ceil_div64(k, layers)), item);
    }
    if (layers > 1) {
        int64_t const sums = buffers(own.elements, bytes, DIST_ROOM);
        cost.bytes = times(part.elements, bytes) + tsr_max64(cost.bytes, sums);
        cost.received += times(times(own.elements, layers), bytes);
    }
    return cost;
}

bool tsr_dist_gemm_choose(tsr_dist_matrix a, tsr_dist_matrix b, tsr_dist_matrix c, int64_t panel, int64_t ranks,
                          int64_t bytes, int64_t *layers, tsr_message *error)
{
    tsr_dist_gemm_cost best = {0, 0, 0};
    *layers = 0;
    if (tsr_dist_gemm_refuses_(a, b, c, panel, ranks, error))
        return false;
    int64_t least = TSR_INT_MAX;
    for (int64_t l = 1; l <= ranks; ++l) {
        if (ranks % l != 0)
            continue;
        tsr_dist_gemm_cost const cost = tsr_dist_gemm_cost_of(a, b, c, panel, l, ranks);
        least = tsr_min64(least, cost.bytes);
        if (cost.bytes <= bytes && (best.layers == 0 || cost.received < best.received))
            best = cost;
    }
    *layers = best.layers;
    return best.layers > 0
           || tsr_dist_fail_(error, "the product needs %lld bytes on a rank, and %lld are allowed", (long long)least,
                             (long long)bytes);
}

bool tsr_dist_gemm_within(tsr_dist_matrix a, tsr_dist_matrix b, tsr_dist_matrix c, double alpha, double beta,
                          int64_t panel, int64_t bytes, tsr_dist_transport const *transport, int64_t host,
                          tsr_message *error)
{
    int64_t layers;
    return tsr_dist_gemm_choose(a, b, c, panel, transport->ranks, bytes, &layers, error)
           && tsr_dist_gemm_layers(a, b, c, alpha, beta, panel, layers, transport, host, error);
}

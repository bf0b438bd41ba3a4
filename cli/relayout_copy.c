/** The copies of tessera relayout: one, or for tiles one for each combination of full tiles and edges. */
#include "relayout.h"

/** Two layouts as they are gathered, leaf by leaf. */
typedef struct pair {
    tsr_tuple shape, from, to;
    int64_t from_offset, to_offset;
} pair;

static void push(pair *p, int64_t extent, int64_t from, int64_t to)
{
    tsr_push_leaf_(&p->shape, tsr_leaf_dynamic(extent));
    tsr_push_leaf_(&p->from, tsr_leaf_dynamic(from));
    tsr_push_leaf_(&p->to, tsr_leaf_dynamic(to));
}

static tsr_tuple copy_pair(pair p, tsr_tensor in, tsr_tensor out, tsr_progress progress, void *context)
{
    tsr_tuple const shape = tsr_close_(p.shape);
    in.engine = tsr_engine_add(in.engine, tsr_int(p.from_offset));
    out.engine = tsr_engine_add(out.engine, tsr_int(p.to_offset));
    in.layout = tsr_make_layout_from(shape, tsr_close_(p.from));
    out.layout = tsr_with_(out.layout, shape, tsr_close_(p.to));
    return tsr_copy_boxes(in, out, progress, context);
}

static tsr_tuple copy_plain(relayout const *r, tsr_tensor in, tsr_tensor out, tsr_progress progress, void *context)
{
    pair p = {0};
    for (int i = 0; i < r->rank; ++i)
        push(&p, r->extent[i], r->stride[i], out.layout.stride.leaf[i].value);
    return copy_pair(p, in, out, progress, context);
}

/** Bit i of `edges` chooses the edge of axis i, otherwise its full tiles. False when there is no such part. */
static bool tile_part(relayout const *r, tsr_tensor const *out, unsigned edges, pair *p)
{
    for (int i = 0; i < r->rank; ++i) {
        int64_t const full = r->extent[i] / r->tile[i], rest = r->extent[i] % r->tile[i];
        int64_t const tiles = out->layout.stride.leaf[i].value, inside = out->layout.stride.leaf[r->rank + i].value;
        bool const edge = edges >> i & 1;
        if ((edge ? rest : full) == 0)
            return false;
        push(p, edge ? rest : r->tile[i], r->stride[i], inside);
        if (!edge)
            push(p, full, r->stride[i] * r->tile[i], tiles);
        p->from_offset += edge ? full * r->tile[i] * r->stride[i] : 0;
        p->to_offset += edge ? full * tiles : 0;
    }
    return true;
}

static tsr_tuple copy_tiled(relayout const *r, tsr_tensor in, tsr_tensor out, tsr_progress progress, void *context)
{
    int64_t copied = 0;
    for (unsigned edges = 0; edges < 1u << r->rank; ++edges) {
        pair p = {0};
        if (!tile_part(r, &out, edges, &p))
            continue;
        tsr_tuple const n = copy_pair(p, in, out, progress, context);
        if (n.status)
            return n;
        copied += n.leaf[0].value;
    }
    return tsr_int(copied);
}

/** Each axis of the view in the modes under it, the first of them fastest. */
static tsr_tuple copy_laid_out(relayout const *r, tsr_tensor in, tsr_tensor out, tsr_progress progress, void *context)
{
    pair p = {0};
    for (int i = 0, leaf = 0; i < r->rank; ++i)
        for (int64_t left = r->extent[i], step = r->stride[i]; leaf < r->layout.shape.leaves; ++leaf) {
            int64_t const n = r->layout.shape.leaf[leaf].value;
            if (left == 1 && n != 1)
                break;
            push(&p, n, step, r->layout.stride.leaf[leaf].value);
            left /= n;
            step *= n;
        }
    out.layout = r->layout;
    return copy_pair(p, in, out, progress, context);
}

tsr_tuple relayout_copy(relayout const *r, tsr_tensor in, tsr_tensor out, tsr_progress progress, void *context)
{
    return r->kind == RELAYOUT_PLAIN   ? copy_plain(r, in, out, progress, context)
           : r->kind == RELAYOUT_TILED ? copy_tiled(r, in, out, progress, context)
                                       : copy_laid_out(r, in, out, progress, context);
}

/** Boxes of elements as copies: runs by memcpy, all else by the plans of exec/. */
#include <string.h>

#include "mesh/form.h"
#include "mesh/move.h"
#include "tessera/exec/algorithm.h"

enum { LONG = 4096 /* bytes of a row that are worth a plan */, LARGE = 4 << 20 /* of what no cache keeps */ };

static tsr_tuple flat(int n, int64_t const *value, bool extents)
{
    tsr_tuple t = {0};
    t.leaf[0] = tsr_leaf_static(extents);
    for (int i = 0; i < n; ++i)
        t.leaf[i] = tsr_leaf_dynamic(value[i]);
    t.leaves = (uint8_t)(n > 0 ? n : 1);
    if (n > 1) {
        t.leaf[0].open = 1;
        t.leaf[n - 1].close = 1;
    }
    return t;
}

tsr_tensor tsr_dist_strided_(void const *memory, bool constant, tsr_dtype type, int n, int64_t const *count,
                             int64_t const *step)
{
    return tsr_make_tensor_of(tsr_engine_at(TSR_GMEM, memory, constant, type),
                              tsr_layout_unchecked(flat(n, count, true), flat(n, step, false)));
}

static bool told(tsr_reason why, tsr_message *error)
{
    error->at = 0;
    if (why.status)
        tsr_format_reason(error->text, sizeof error->text, why);
    return why.status == 0;
}

bool tsr_dist_copies_(tsr_dist_terms const *terms)
{
    tsr_number const a = terms->alpha;
    return (tsr_number_is_int_(a) ? a.bits == 1 : a.re == 1 && !(a.im != 0)) && tsr_number_is_zero(terms->beta);
}

static tsr_reason compute(tsr_dist_terms const *terms, tsr_tensor s, tsr_tensor d)
{
    return tsr_dist_copies_(terms) ? tsr_copy(s, d) : tsr_axpby(terms->alpha, s, terms->beta, d);
}

bool tsr_dist_goes_past_(tsr_dist_part const *part, tsr_dtype type)
{
    return part->elements >= LARGE / (tsr_dtype_bits(type) / 8);
}

/** A copy whose lines pass the caches, as those of a large copy: a plan knows the size of its own box only. */
static tsr_reason copy_past(tsr_tensor s, tsr_tensor d)
{
    tsr_planned_copy p = tsr_copy_plan(s, d);
    tsr_copy_past_(&p);
    (void)tsr_copy_run(&p, NULL, &s, &d, 0, p.units);
    return p.why;
}

/** Moves the innermost n loops from these places on. */
static bool move_loops(dist_mover const *v, int n, int64_t const *count, int64_t const *step[2], char const *from,
                       char *to)
{
    tsr_dist_terms const *const t = &v->terms;
    int64_t const bytes[] = {tsr_dtype_bits(t->from) / 8, tsr_dtype_bits(t->to) / 8};
    if (n > TSR_MAX_LEAVES) { /* the outermost one by hand */
        for (int64_t i = 0; i < count[n - 1]; ++i)
            if (!move_loops(v, n - 1, count, step, from + i * step[0][n - 1] * bytes[0],
                            to + i * step[1][n - 1] * bytes[1]))
                return false;
        return true;
    }
    bool const row = n == 0 || (n == 1 && step[0][0] == 1 && step[1][0] == 1);
    bool const past = v->past && n > 0 && t->from == t->to && tsr_dist_copies_(t);
    if (row && t->from == t->to && tsr_dist_copies_(t)) {
        int64_t const all = bytes[0] * (n == 0 ? 1 : count[0]);
        if (!past || all < LONG || all >= LARGE) { /* memcpy lets large rows pass by itself */
            memcpy(to, from, (size_t)all);
            return true;
        }
    }
    tsr_tensor const s = tsr_dist_strided_(from, true, t->from, n, count, step[0]);
    tsr_tensor const d = tsr_dist_strided_(to, false, t->to, n, count, step[1]);
    return told(past ? copy_past(s, d) : compute(t, s, d), v->error);
}

bool tsr_dist_move_(void *context, tsr_dist_box const *box, int64_t at)
{
    dist_mover const *const v = (dist_mover const *)context;
    int64_t compact[TSR_DIST_LOOPS], reached = 1;
    for (int k = 0; k < box->loops; ++k) {
        compact[k] = reached;
        reached *= box->count[k];
    }
    int64_t const *const step[] = {v->packed[0] ? compact : box->step[0], v->packed[1] ? compact : box->step[1]};
    return move_loops(
        v, box->loops, box->count, (int64_t const **)step,
        (char const *)v->from + (v->packed[0] ? at : box->begin[0]) * (tsr_dtype_bits(v->terms.from) / 8),
        (char *)v->to + (v->packed[1] ? at : box->begin[1]) * (tsr_dtype_bits(v->terms.to) / 8));
}

bool tsr_dist_computes_(tsr_dist_terms const *terms, tsr_message *error)
{
    uint64_t from[2] = {0, 0}, to[2] = {0, 0};
    int64_t const one = 1;
    return told(compute(terms, tsr_dist_strided_(from, true, terms->from, 1, &one, &one),
                        tsr_dist_strided_(to, false, terms->to, 1, &one, &one)),
                error);
}

bool tsr_dist_scale_(tsr_dist_part const *part, int modes, void *memory, tsr_dist_terms const *terms,
                     tsr_message *error)
{
    if (part->elements == 0)
        return true;
    tsr_tensor const t = tsr_dist_strided_(memory, false, terms->to, modes, part->extent, part->stride);
    return told(tsr_number_is_zero(terms->beta) ? tsr_clear(t) : tsr_axpby(terms->beta, t, tsr_number_int(0), t),
                error);
}

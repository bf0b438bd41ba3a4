/** The rows of distributed layouts in the table of operations. */
#include "mesh/form.h"
#include "ops/ops.h"
#include "text/writer.h"

/** Reads a tuple of n integers from 0 on; an integer stands for one. */
static bool take_integers(tsr_tuple const *t, int n, char const *what, int64_t *value, tsr_message *error)
{
    char text[TSR_TEXT_SIZE];
    bool ok = t->status == TSR_OK && t->leaves == n;
    for (int i = 0; ok && i < n; ++i) {
        tsr_leaf const leaf = t->leaf[i];
        ok = tsr_leaf_is_int(leaf) && leaf.aux == 0 && leaf.value >= 0 && leaf.open <= 1 && leaf.close <= 1;
        value[i] = leaf.value;
    }
    if (ok)
        return true;
    tsr_format_tuple(text, sizeof text, *t, TSR_TEXT_STATIC);
    return tsr_dist_fail_(error, "the %s %.200s is not %d integer%s from 0 on", what, text, n, n == 1 ? "" : "s");
}

static tsr_tuple tuple_of(int n, int64_t const *value)
{
    tsr_tuple t = {0};
    for (int i = 0; i < n; ++i) {
        tsr_tuple const x = tsr_int(value[i]);
        tsr_tuple_push(&t, &x);
    }
    return n > 0 ? tsr_tuple_close(t) : tsr_unit();
}

/** An answer of text that was written. */
static tsr_tuple answer(void) { return tsr_int(0); }

tsr_dist_layout tsr_distributed_of(tsr_layout l, tsr_tuple extents, tsr_message *error)
{
    tsr_dist_layout d = {0};
    int64_t extent[TSR_DIST_MODES] = {0};
    int const modes = tsr_layout_ok(l) ? (int)tsr_min64(tsr_layout_rank(l), TSR_DIST_MODES + 1) : 0;
    bool const padded = extents.status || !tsr_is_unit(&extents);
    if (modes > TSR_DIST_MODES) {
        (void)tsr_dist_fail_(error, "the layout has more than %d modes", TSR_DIST_MODES);
        return d;
    }
    for (int m = 0; m < modes; ++m)
        extent[m] = tsr_layout_size(tsr_mode(l, m));
    if (!padded || take_integers(&extents, modes, "extents", extent, error))
        (void)!tsr_dist_from_layout(l, modes, extent, &d, error);
    return d;
}

tsr_tuple tsr_distributed_words(tsr_dist_layout const *d, tsr_text *out)
{
    char text[TSR_TEXT_SIZE];
    tsr_dist_format_line(text, sizeof text, d);
    put(out, "%s", text);
    return answer();
}

tsr_layout tsr_distributed_layout(tsr_dist_layout const *d, tsr_message *error)
{
    tsr_layout l = tsr_make_layout_compact(tsr_s(1));
    (void)!tsr_dist_as_layout(d, &l, error);
    return l;
}

tsr_dist_layout tsr_distributed_view(tsr_dist_layout const *d, tsr_tuple extents, tsr_message *error)
{
    tsr_dist_layout view = {0};
    int64_t extent[TSR_DIST_MODES] = {0};
    if (extents.leaves > TSR_DIST_MODES)
        (void)tsr_dist_fail_(error, "a view of %d modes: at most %d are distributed", extents.leaves, TSR_DIST_MODES);
    else if (take_integers(&extents, extents.leaves, "extents", extent, error))
        (void)!tsr_dist_view(d, extents.leaves, extent, &view, error);
    return view;
}

static tsr_tuple as(tsr_dist_system system, tsr_dist_layout const *d, tsr_text *out, tsr_message *error)
{
    char text[TSR_TEXT_SIZE] = "";
    if (tsr_dist_format_as(system, text, sizeof text, d, error) > 0)
        put(out, "%s", text);
    return answer();
}

#define X(id, name)                                                                             \
  tsr_tuple tsr_distributed_##name(tsr_dist_layout const *d, tsr_text *out, tsr_message *error) \
  {                                                                                             \
    return as(TSR_DIST_##id, d, out, error);                                                    \
  }
X(SCALAPACK, scalapack)
X(DTENSOR, dtensor)
X(XLA, xla)
X(HPF, hpf)
X(DARRAY, darray)
X(INTERVALS, intervals)
#undef X

tsr_tuple tsr_distributed_ranks(tsr_dist_layout const *d) { return tsr_int(tsr_dist_ranks(d)); }

tsr_tuple tsr_distributed_copies(tsr_dist_layout const *d) { return tsr_int(tsr_dist_copies(d)); }

tsr_tuple tsr_distributed_addends(tsr_dist_layout const *d) { return tsr_int(tsr_dist_sums(d)); }

tsr_layout tsr_distributed_part(tsr_dist_layout const *d, tsr_tuple rank, tsr_message *error)
{
    tsr_dist_part part = {{0}, {0}, 0, 0};
    int64_t r = 0;
    if (!take_integers(&rank, 1, "rank", &r, error))
        return tsr_make_layout_compact(tsr_s(1));
    if (!tsr_dist_part_of(d, r, &part))
        (void)tsr_dist_fail_(error, "the mesh has no rank %lld: it has ranks %lld to %lld", (long long)r,
                             (long long)d->first, (long long)tsr_dist_ranks(d) - 1);
    else if (part.elements == 0)
        (void)tsr_dist_fail_(error, "rank %lld holds no element", (long long)r);
    if (error->text[0])
        return tsr_make_layout_compact(tsr_s(1));
    return tsr_make_layout_from(tuple_of(d->modes, part.extent), tuple_of(d->modes, part.stride));
}

tsr_tuple tsr_distributed_holder(tsr_dist_layout const *d, tsr_tuple index, tsr_message *error)
{
    int64_t at[TSR_DIST_MODES], place[2] = {0, 0};
    if (take_integers(&index, d->modes, "index", at, error) && !tsr_dist_at(d, at, &place[0], &place[1])) {
        int m = 0;
        while (m + 1 < d->modes && at[m] < d->extent[m])
            ++m;
        (void)tsr_dist_fail_(error, "index %lld of mode %d is outside of %lld elements", (long long)at[m], m,
                             (long long)d->extent[m]);
    }
    return tuple_of(2, place);
}

tsr_tuple tsr_distributed_held(tsr_dist_layout const *d, tsr_tuple rank, tsr_tuple local, tsr_message *error)
{
    int64_t at[TSR_DIST_MODES], index[TSR_DIST_MODES] = {0}, r = 0;
    if (take_integers(&rank, 1, "rank", &r, error) && take_integers(&local, d->modes, "local index", at, error)
        && !tsr_dist_index_at(d, r, at, index))
        (void)tsr_dist_fail_(error, "rank %lld holds no element there", (long long)r);
    return tuple_of(d->modes, index);
}

tsr_dist_exchange tsr_distributed_exchange_of(tsr_dist_layout const *from, tsr_dist_layout const *to, tsr_tuple host,
                                              tsr_dtype type, tsr_message *error)
{
    tsr_dist_exchange x = {0};
    int64_t n = 1;
    if (tsr_dtype_bits(type) % 8 != 0)
        (void)tsr_dist_fail_(error, "elements of messages are whole bytes, not %d bits", tsr_dtype_bits(type));
    else if ((host.status == TSR_OK && tsr_is_unit(&host)) || take_integers(&host, 1, "host", &n, error))
        (void)!tsr_dist_exchange_make(from, to, tsr_dtype_bits(type) / 8, tsr_dist_usual_clock(n), &x, error);
    return x;
}

tsr_dist_exchange tsr_distributed_exchange(tsr_dist_layout const *from, tsr_dist_layout const *to, tsr_tuple host,
                                           tsr_message *error)
{
    return tsr_distributed_exchange_of(from, to, host, TSR_F32, error);
}

tsr_tuple tsr_distributed_sent(tsr_dist_exchange const *x, tsr_tuple from, tsr_tuple to, tsr_message *error)
{
    int64_t p = 0, q = 0, n = 0;
    if (take_integers(&from, 1, "rank", &p, error) && take_integers(&to, 1, "rank", &q, error))
        n = tsr_dist_exchange_sent(x, p, q, error);
    return tsr_int(n);
}

tsr_tuple tsr_distributed_bytes(tsr_dist_exchange const *x) { return tsr_int(x->all.elements * x->bytes); }

tsr_tuple tsr_distributed_lower_bound(tsr_dist_exchange const *x) { return tsr_int(x->all.least * x->bytes); }

/** A distributed layout as one layout into (rank, offset), from one, and as text. */
#include "mesh/form.h"
#include "text/writer.h"

/** Adds a leaf s:d along rank (0) or offset (1) to a flat layout; false where it is full. */
static bool add_leaf(tsr_layout *l, int64_t extent, int64_t stride, int along)
{
    int const n = l->shape.leaves;
    if (extent == 1)
        return true;
    if (n == TSR_MAX_LEAVES)
        return false;
    l->shape.leaf[n] = tsr_leaf_static(extent);
    l->stride.leaf[n] = tsr_leaf_static(stride);
    l->stride.leaf[n].aux = (uint32_t)along + 1;
    l->shape.leaves = l->stride.leaves = (uint8_t)(n + 1);
    return true;
}

/** Closes the leaves from `first` on into one mode; none becomes _1:_0. */
static bool close_mode(tsr_layout *l, int first)
{
    tsr_tuple *const both[] = {&l->shape, &l->stride};
    if (l->shape.leaves == first) {
        if (first == TSR_MAX_LEAVES)
            return false;
        l->shape.leaf[first] = tsr_leaf_static(1);
        l->stride.leaf[first] = tsr_leaf_static(0);
        l->shape.leaves = l->stride.leaves = (uint8_t)(first + 1);
    }
    for (int i = 0; i < 2 && l->shape.leaves - first > 1; ++i) {
        ++both[i]->leaf[first].open;
        ++both[i]->leaf[l->shape.leaves - 1].close;
    }
    return true;
}

/** The leaves of one mode, from the inside out; `stride` is that of its local indices. */
static bool add_mode(tsr_layout *l, dist_form const *f, int m, int64_t stride, tsr_message *error)
{
    int const first = l->shape.leaves;
    int64_t reached = 1,
            local = stride; /* elements of the mode, and what an element behind them adds to the offset */
    bool fits = true;
    for (int k = f->nests[m] - 1; k >= 0; --k) {
        tsr_dist_split const *const s = &f->d->split[f->nest[m][k]];
        if (s->extent == 1)
            continue;
        if (s->turn != 0 || s->period != s->block * s->extent)
            return tsr_dist_fail_(error, "mode %d: split %d is turned, or its period %lld is not %lld blocks of %lld",
                                  m, f->nest[m][k], (long long)s->period, (long long)s->extent, (long long)s->block);
        fits = add_leaf(l, s->block / reached, local, 1) && add_leaf(l, s->extent, s->stride, 0) && fits;
        local *= s->block / reached;
        reached = s->period;
    }
    fits = add_leaf(l, tsr_max64(tsr_ceil_div64(f->d->extent[m], reached), 1), local, 1) && fits;
    return (fits && close_mode(l, first))
           || tsr_dist_fail_(error, "the layout needs more than %d leaves (TSR_MAX_LEAVES)", TSR_MAX_LEAVES);
}

/** Does every rank have the same strides? The ranks of digits 0 have the largest parts, those of the last digits the
 *  smallest. */
static bool strides_agree(tsr_dist_layout const *d, tsr_dist_part *most, tsr_message *error)
{
    tsr_dist_part least;
    int64_t digit[TSR_DIST_SPLITS] = {0};
    int last = -1; /* in memory, of more than one element */
    if (!tsr_dist_part_of(d, tsr_dist_rank_(d, digit), most))
        return tsr_dist_fail_(error, "rank %lld holds no part", (long long)tsr_dist_rank_(d, digit));
    for (int k = 0; k < d->splits; ++k)
        digit[k] = d->split[k].extent - 1;
    (void)tsr_dist_part_of(d, tsr_dist_rank_(d, digit), &least);
    for (int k = 0; k < d->modes; ++k)
        last = most->extent[d->order[k]] > 1 ? k : last;
    for (int k = 0; k < last; ++k) {
        int const m = d->order[k];
        if (d->pitch[m] == 0 && least.extent[m] != most->extent[m])
            return tsr_dist_fail_(
                error,
                "ranks hold %lld to %lld elements of mode %d, which is not the outermost one of their "
                "memory: their strides differ",
                (long long)least.extent[m], (long long)most->extent[m], m);
    }
    return true;
}

/** Do all splits of modes have blocks of one size? */
static bool has_one(dist_form const *f, tsr_message *error)
{
    for (int m = 0; m < f->d->modes; ++m)
        if (f->rules[m] < f->nests[m])
            return tsr_dist_fail_(error, "mode %d: split %d has parts of any sizes, which lie in no one layout", m,
                                  f->nest[m][f->rules[m]]);
    return true;
}

bool tsr_dist_as_layout(tsr_dist_layout const *d, tsr_layout *layout, tsr_message *error)
{
    dist_form const f = tsr_dist_form_of_(d);
    tsr_dist_part part;
    tsr_layout l = {0};
    if (!tsr_dist_check(d, error) || !has_one(&f, error) || !strides_agree(d, &part, error))
        return false;
    if (d->modes == 0)
        return tsr_dist_fail_(error, "a tensor without modes is not a layout");
    for (int m = 0; m < d->modes; ++m)
        if (!add_mode(&l, &f, m, part.stride[m], error))
            return false;
    if (d->modes > 1 || l.shape.leaves > 1) { /* a mode of several leaves is one mode, too */
        tsr_tuple *const both[] = {&l.shape, &l.stride};
        for (int i = 0; i < 2; ++i) {
            ++both[i]->leaf[0].open;
            ++both[i]->leaf[l.shape.leaves - 1].close;
        }
    }
    *layout = l;
    return true;
}

/** Reads the leaves of a mode: those on _1@0 become splits, those on _1@1 the stride of the mode's local indices. */
static bool read_mode(tsr_layout const *mode, int m, tsr_dist_layout *d, int64_t *stride, int64_t *size,
                      tsr_message *error)
{
    int64_t local = 0;
    *size = 1;
    for (int i = 0; i < mode->shape.leaves; ++i) {
        int64_t const extent = mode->shape.leaf[i].value, step = mode->stride.leaf[i].value;
        uint32_t const along = mode->stride.leaf[i].aux;
        if (extent == 1)
            continue;
        if (along == 1 && d->splits < TSR_DIST_SPLITS) {
            tsr_dist_split const s = {TSR_DIST_SHARD, m, extent, step, *size, *size * extent, 0};
            d->split[d->splits++] = s;
        } else if (along == 2 && step > 0 && (local == 0 || step == local)) {
            *stride = local == 0 ? step : *stride;
            local = step * extent;
        } else {
            return tsr_dist_fail_(
                error,
                "leaf %d of mode %d has the stride %lld: strides are along _1@0 (ranks), or along _1@1 "
                "(offsets) and compact along a mode",
                i, m, (long long)step);
        }
        *size *= extent;
    }
    return true;
}

/** The order of memory and its pitches, from the strides of the modes. */
static bool read_memory(tsr_dist_layout *d, int64_t const *stride, int64_t const *held, tsr_message *error)
{
    for (int k = 0; k < d->modes; ++k) {
        int i = k;
        for (; i > 0 && stride[d->order[i - 1]] > stride[k]; --i)
            d->order[i] = d->order[i - 1];
        d->order[i] = k;
    }
    int64_t reached = 1;
    int before = -1;
    for (int k = 0; k < d->modes; ++k) {
        int const m = d->order[k];
        if (held[m] > 1 && (before < 0 ? stride[m] != 1 : stride[m] % reached != 0))
            return tsr_dist_fail_(
                error,
                "the offsets of mode %d step by %lld: strides of modes begin at 1 and are multiples of "
                "each other",
                m, (long long)stride[m]);
        if (held[m] > 1 && before >= 0)
            d->pitch[before] = stride[m] / reached;
        reached = tsr_max64(stride[m], 1);
        before = m;
    }
    return true;
}

bool tsr_dist_from_layout(tsr_layout layout, int modes, int64_t const *extent, tsr_dist_layout *d, tsr_message *error)
{
    int64_t stride[TSR_DIST_MODES] = {0}, held[TSR_DIST_MODES];
    if (!tsr_layout_ok(layout)) {
        error->at = 0;
        tsr_format_layout(error->text, sizeof error->text, layout, 0);
        return false;
    }
    if (modes < 1 || modes > TSR_DIST_MODES || tsr_layout_rank(layout) != modes || layout.composed)
        return tsr_dist_fail_(error, "a layout of rank %lld is not a distributed one of %d modes, which are 1 to %d",
                              (long long)tsr_layout_rank(layout), modes, TSR_DIST_MODES);
    *d = tsr_dist_whole(modes, extent, false);
    for (int m = 0; m < modes; ++m) {
        tsr_layout const mode = tsr_mode(layout, m);
        int64_t size = 0, shards = 1;
        int const before = d->splits;
        if (!read_mode(&mode, m, d, &stride[m], &size, error))
            return false;
        if (size < extent[m])
            return tsr_dist_fail_(error, "element %lld of mode %d is nowhere: the layout has %lld", (long long)size,
                                  m, (long long)size);
        for (int k = before; k < d->splits; ++k)
            shards *= d->split[k].extent;
        held[m] = size / shards;
    }
    return read_memory(d, stride, held, error) && tsr_dist_check(d, error);
}

/** The first intervals of a table, each as owner:length. */
static void put_table(writer *w, tsr_dist_table const *t)
{
    enum { MOST = 16 };
    put(w, "intervals");
    for (int64_t i = 0; i < t->count && i < MOST; ++i)
        put(w, "%s%lld:%lld", i ? "," : " ", (long long)t->run[i].owner, (long long)t->run[i].length);
    if (t->count > MOST)
        put(w, " and %lld more", (long long)t->count - MOST);
}

/** How a split cuts its mode. */
static void put_cut(writer *w, tsr_dist_layout const *d, tsr_dist_split const *s)
{
    put(w, "mode %d: ", s->mode);
    if (s->role == TSR_DIST_SHARD)
        put(w, "blocks of %lld, period %lld", (long long)s->block, (long long)s->period);
    else if (s->role == TSR_DIST_TABLE)
        put_table(w, d->table[s->mode]);
    else if (s->block > 1)
        put(w, "chunks of each of %lld parts of what is left", (long long)s->block);
    else
        put(w, "chunks of what is left");
}

static void put_split(writer *w, tsr_dist_layout const *d, tsr_dist_split const *s)
{
    if (tsr_dist_cuts_(s))
        put_cut(w, d, s);
    else
        put(w, "%s", s->role == TSR_DIST_COPY ? "copies" : "addends");
    put(w, tsr_dist_cuts_(s) ? ", %lld ranks" : " on %lld ranks", (long long)s->extent);
    put(w, " at steps of %lld", (long long)s->stride);
    if (s->turn)
        put(w, ", from rank %lld of them on", (long long)s->turn);
}

static size_t format(char *out, size_t size, tsr_dist_layout const *d, char const *before_splits)
{
    tsr_message error;
    tsr_layout l;
    writer w;
    writer_open(&w, out, size);
    put(&w, "(");
    for (int m = 0; m < d->modes; ++m)
        put(&w, "%s%lld", m ? "," : "", (long long)d->extent[m]);
    put(&w, ") on ranks %lld to %lld", (long long)d->first, (long long)tsr_dist_ranks(d) - 1);
    if (tsr_dist_as_layout(d, &l, &error)) {
        char text[TSR_TEXT_SIZE];
        tsr_format_layout(text, sizeof text, l, TSR_TEXT_STATIC);
        put(&w, ", %s", text);
    }
    for (int k = 0; k < d->splits; ++k) {
        put(&w, "%s", before_splits);
        put_split(&w, d, &d->split[k]);
    }
    return w.used;
}

size_t tsr_dist_format(char *out, size_t size, tsr_dist_layout const *d) { return format(out, size, d, "\n  "); }

size_t tsr_dist_format_line(char *out, size_t size, tsr_dist_layout const *d) { return format(out, size, d, "; "); }

/** Splits in order, the digits of ranks, and a rank's share of a mode. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "mesh/form.h"

bool tsr_dist_fail_(tsr_message *error, char const *format, ...)
{
    va_list args;
    va_start(args, format);
    error->at = 0;
    vsnprintf(error->text, sizeof error->text, format, args);
    va_end(args);
    return false;
}

/** Puts split s behind those of `list` whose key is larger, or smaller. */
static void insert(int *list, int *n, int s, int64_t const *key, bool largest_first)
{
    int i = (*n)++;
    for (; i > 0 && (largest_first ? key[list[i - 1]] < key[s] : key[list[i - 1]] > key[s]); --i)
        list[i] = list[i - 1];
    list[i] = s;
}

dist_form tsr_dist_form_of_(tsr_dist_layout const *d)
{
    dist_form f = {0};
    int64_t stride[TSR_DIST_SPLITS], block[TSR_DIST_SPLITS];
    int all = 0;
    f.d = d;
    for (int s = 0; s < d->splits; ++s) {
        tsr_dist_split const *const x = &d->split[s];
        stride[s] = x->stride;
        block[s] = x->block;
        insert(f.by_stride, &all, s, stride, true);
        if (x->role == TSR_DIST_SHARD)
            insert(f.nest[x->mode], &f.nests[x->mode], s, block, true);
        else if (x->role == TSR_DIST_COPY)
            insert(f.copy, &f.copies, s, stride, false);
        else
            insert(f.sum, &f.sums, s, stride, false);
    }
    return f;
}

bool tsr_dist_digits_(dist_form const *f, int64_t rank, int64_t digit[TSR_DIST_SPLITS])
{
    int64_t rest = rank - f->d->first;
    for (int k = 0; k < f->d->splits && rest >= 0; ++k) {
        tsr_dist_split const *const s = &f->d->split[f->by_stride[k]];
        int64_t const x = s->extent == 1 ? 0 : rest / s->stride;
        if (x >= s->extent)
            return false;
        rest -= x * s->stride;
        digit[f->by_stride[k]] = x >= s->turn ? x - s->turn : x - s->turn + s->extent;
    }
    return rest == 0;
}

int64_t tsr_dist_place_(tsr_dist_split const *s, int64_t digit)
{
    int64_t const x = digit + s->turn;
    return s->stride * (x >= s->extent ? x - s->extent : x);
}

int64_t tsr_dist_rank_(tsr_dist_layout const *d, int64_t const digit[TSR_DIST_SPLITS])
{
    int64_t rank = d->first;
    for (int s = 0; s < d->splits; ++s)
        rank += tsr_dist_place_(&d->split[s], digit[s]);
    return rank;
}

/** The intervals of splits k and further in, inside one interval of the splits before them. */
static void nest(dist_line *l, dist_form const *f, int mode, int64_t const *digit, int k, int64_t at, int64_t length)
{
    if (at >= l->extent || l->failed)
        return;
    if (k == f->nests[mode]) {
        if (l->count == DIST_MOST
            || !tsr_dist_grow_((void **)&l->interval, l->count, &l->capacity, sizeof *l->interval)) {
            l->failed = true;
            return;
        }
        dist_interval const i = {at, length, l->width};
        l->interval[l->count++] = i;
        l->width += length;
        return;
    }
    tsr_dist_split const *const s = &f->d->split[f->nest[mode][k]];
    int64_t const from = digit[f->nest[mode][k]] * s->block, block = tsr_min64(s->block, s->period - from);
    for (int64_t r = from; r < length && block > 0; r += s->period)
        nest(l, f, mode, digit, k + 1, at + r, tsr_min64(block, length - r));
}

void tsr_dist_line_take_(dist_line *l, dist_form const *f, int mode, int64_t const *digit)
{
    l->extent = f->d->extent[mode];
    l->period = f->nests[mode] ? f->d->split[f->nest[mode][0]].period : tsr_max64(l->extent, 1);
    l->width = l->count = 0;
    nest(l, f, mode, digit, 0, 0, l->period);
}

void tsr_dist_line_free_(dist_line *l) { free(l->interval); }

int64_t tsr_dist_line_count_(dist_line const *l, int64_t end)
{
    int64_t const rest = end % l->period;
    int64_t n = end / l->period * l->width;
    for (int64_t k = 0; k < l->count; ++k)
        n += tsr_max64(0, tsr_min64(l->interval[k].length, rest - l->interval[k].at));
    return n;
}

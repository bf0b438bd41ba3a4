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
    int64_t stride[TSR_DIST_SPLITS], size[TSR_DIST_SPLITS]; /* the larger one is further out */
    int all = 0;
    f.d = d;
    for (int s = 0; s < d->splits; ++s) {
        tsr_dist_split const *const x = &d->split[s];
        stride[s] = x->stride;
        size[s] = x->role == TSR_DIST_SHARD ? x->block : x->role == TSR_DIST_CHUNK ? -x->period : TSR_INT_MAX;
        insert(f.by_stride, &all, s, stride, true);
        if (tsr_dist_cuts_(x))
            insert(f.nest[x->mode], &f.nests[x->mode], s, size, true);
        f.rules[x->mode] += x->role == TSR_DIST_SHARD;
        if (tsr_dist_cuts_(x))
            continue;
        if (x->role == TSR_DIST_COPY)
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

/** Adds an interval, which may go on with the one before. */
static void push(dist_line *l, int64_t at, int64_t length)
{
    dist_interval *const last = l->count > 0 ? &l->interval[l->count - 1] : NULL;
    if (last && last->at + last->length == at) {
        last->length += length;
    } else if (l->count == DIST_MOST
               || !tsr_dist_grow_((void **)&l->interval, l->count, &l->capacity, sizeof *l->interval)) {
        l->failed = true;
    } else {
        dist_interval const i = {at, length, l->width};
        l->interval[l->count++] = i;
    }
    l->width += length;
}

/** The intervals of shards k and further in, inside one interval of the splits before them. */
static void nest(dist_line *l, dist_form const *f, int mode, int64_t const *digit, int k, int64_t at, int64_t length)
{
    if (at >= l->extent || l->failed)
        return;
    if (k == f->rules[mode]) {
        push(l, at, length);
        return;
    }
    tsr_dist_split const *const s = &f->d->split[f->nest[mode][k]];
    int64_t const from = digit[f->nest[mode][k]] * s->block, block = tsr_min64(s->block, s->period - from);
    for (int64_t r = from; r < length && block > 0; r += s->period)
        nest(l, f, mode, digit, k + 1, at + r, tsr_min64(block, length - r));
}

/** The intervals of an owner of a table. */
static void take_table(dist_line *l, tsr_dist_table const *t, int64_t owner)
{
    for (int64_t i = t->first[owner]; i < t->first[owner + 1]; ++i)
        push(l, t->interval[i].at, t->interval[i].length);
}

/** What a split by chunks makes of `held` elements: parts, of which the last one may be shorter. */
static int64_t part_of(tsr_dist_split const *s, int64_t held) { return tsr_ceil_div64(held, s->block); }

static int64_t chunk_of(tsr_dist_split const *s, int64_t part, int64_t held, int64_t begin)
{
    return tsr_ceil_div64(tsr_min64(part, held - begin), s->extent);
}

/** Keeps of a line the chunks of a digit. Parts of one element are digit 0's, and a digit beyond the chunks of whole
 *  parts has some of the last part at most: so the work is that of the intervals that are kept. */
static void take_chunks(dist_line *l, tsr_dist_split const *s, int64_t digit)
{
    dist_interval *const whole = l->interval;
    int64_t const held = l->width, part = part_of(s, held), n = l->count, capacity = l->capacity;
    if (part <= 1) {
        l->count = digit == 0 ? l->count : 0;
        l->width = digit == 0 ? held : 0;
        return;
    }
    bool const beyond = digit * tsr_ceil_div64(part, s->extent) >= part;
    int64_t i = 0;
    l->interval = l->whole;
    l->capacity = l->whole_capacity;
    l->whole = whole;
    l->whole_capacity = capacity;
    l->width = l->count = 0;
    for (int64_t p = beyond ? (held - 1) / part * part : 0; p < held && !l->failed; p += part) {
        int64_t const chunk = chunk_of(s, part, held, p), begin = p + digit * chunk;
        int64_t const end = tsr_min64(tsr_min64(p + part, held), begin + chunk);
        for (; i < n && whole[i].local + whole[i].length <= begin; ++i)
            ;
        for (int64_t k = i; k < n && whole[k].local < end; ++k) {
            int64_t const low = tsr_max64(begin - whole[k].local, 0),
                          high = tsr_min64(end - whole[k].local, whole[k].length);
            if (low < high)
                push(l, whole[k].at + low, high - low);
        }
    }
}

/** What the splits in front of the chunks leave; returns how many they are. */
static int take_front(dist_line *l, dist_form const *f, int mode, int64_t const *digit)
{
    int const rules = f->rules[mode];
    l->extent = f->d->extent[mode];
    l->period = rules > 0 && rules == f->nests[mode] ? f->d->split[f->nest[mode][0]].period : tsr_max64(l->extent, 1);
    l->width = l->count = 0;
    if (tsr_dist_has_table_(f, mode)) {
        take_table(l, f->d->table[mode], digit[f->nest[mode][0]]);
        return 1;
    }
    nest(l, f, mode, digit, 0, 0, l->period);
    return rules;
}

void tsr_dist_line_take_(dist_line *l, dist_form const *f, int mode, int64_t const *digit)
{
    for (int k = take_front(l, f, mode, digit); k < f->nests[mode]; ++k)
        take_chunks(l, &f->d->split[f->nest[mode][k]], digit[f->nest[mode][k]]);
}

/** The owner of an index of a table. */
static int64_t owner_of(tsr_dist_table const *t, int64_t index)
{
    int64_t low = 0, high = t->count;
    while (high - low > 1) {
        int64_t const middle = low + (high - low) / 2;
        *(t->begin[middle] <= index ? &low : &high) = middle;
    }
    return t->run[low].owner;
}

void tsr_dist_digits_at_(dist_line *l, dist_form const *f, int mode, int64_t index, int64_t *digit)
{
    for (int k = 0; k < f->rules[mode]; ++k) {
        tsr_dist_split const *const s = &f->d->split[f->nest[mode][k]];
        digit[f->nest[mode][k]] = index % s->period / s->block;
    }
    if (tsr_dist_has_table_(f, mode))
        digit[f->nest[mode][0]] = owner_of(f->d->table[mode], index);
    for (int k = take_front(l, f, mode, digit); k < f->nests[mode]; ++k) {
        tsr_dist_split const *const s = &f->d->split[f->nest[mode][k]];
        int64_t const held = l->width, local = tsr_dist_line_count_(l, index), part = part_of(s, held);
        int64_t const in = local % part;
        digit[f->nest[mode][k]] = in / chunk_of(s, part, held, local - in);
        take_chunks(l, s, digit[f->nest[mode][k]]);
    }
}

int64_t tsr_dist_line_find_(dist_line const *l, int64_t local)
{
    int64_t low = 0, high = l->count;
    while (high - low > 1) {
        int64_t const middle = low + (high - low) / 2;
        *(l->interval[middle].local <= local ? &low : &high) = middle;
    }
    return low;
}

void tsr_dist_line_free_(dist_line *l)
{
    free(l->interval);
    free(l->whole);
}

int64_t tsr_dist_line_count_(dist_line const *l, int64_t end)
{
    int64_t const rest = end % l->period;
    int64_t n = end / l->period * l->width;
    for (int64_t k = 0; k < l->count; ++k)
        n += tsr_max64(0, tsr_min64(l->interval[k].length, rest - l->interval[k].at));
    return n;
}

bool tsr_dist_next_digits_(dist_form const *f, int mode, int64_t *digit)
{
    for (int k = f->nests[mode] - 1; k >= 0; --k) {
        int const s = f->nest[mode][k];
        if (++digit[s] < f->d->split[s].extent)
            return true;
        digit[s] = 0;
    }
    return false;
}

/** Of shards alone the ranks of digits 0 have the most; of all else every share is counted. */
int64_t tsr_dist_line_most_(dist_line *l, dist_form const *f, int mode)
{
    int64_t digit[TSR_DIST_SPLITS] = {0}, most = 0;
    do {
        tsr_dist_line_take_(l, f, mode, digit);
        most = tsr_max64(most, tsr_dist_line_count_(l, l->extent));
    } while (f->rules[mode] < f->nests[mode] && tsr_dist_next_digits_(f, mode, digit));
    return most;
}

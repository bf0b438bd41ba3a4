/** The lists of a plan, and copies of a rank. */
#include <stdlib.h>

#include "mesh/list.h"

/** Adds an entry for the digits of the other mesh, unless there is nothing in common. */
static bool add_entry(dist_list *list, dist_form const *other, int mode, int64_t const *digit, int own,
                      dist_line const lines[2])
{
    dist_entry e = {0, lines[!own].width, 0, (uint32_t)list->pieces.count};
    int64_t number = 0;
    e.elements = tsr_dist_intersect_(&list->pieces, &list->common, &lines[0], &lines[1]);
    e.rank = (int32_t)tsr_dist_place_of_(other, other->nest[mode], other->nests[mode], digit, &number);
    if (list->pieces.failed)
        return false;
    if (e.elements == 0)
        return true;
    if (!tsr_dist_grow_((void **)&list->entry, list->count, &list->capacity, sizeof e))
        return false;
    list->entry[list->count++] = e;
    return true;
}

/** How many coordinates the other mesh has along a mode. */
static int64_t coordinates(dist_form const *f, int mode)
{
    int64_t n = 1;
    for (int k = 0; k < f->nests[mode]; ++k)
        n *= f->d->split[f->nest[mode][k]].extent;
    return n;
}

tsr_dist_lists *tsr_dist_lists_make_(dist_form const form[2], int own, int64_t const *digit)
{
    tsr_dist_lists *const lists = (tsr_dist_lists *)calloc(1, sizeof *lists);
    dist_line line[2] = {{0}, {0}};
    bool ok = lists != NULL;
    for (int m = 0; ok && m < form[0].d->modes; ++m) {
        int64_t others[TSR_DIST_SPLITS] = {0};
        dist_list *const list = &lists->mode[m];
        int64_t const most = tsr_min64(coordinates(&form[!own], m), form[0].d->extent[m]);
        tsr_dist_reserve_((void **)&list->entry, most, &list->capacity, sizeof *list->entry);
        tsr_dist_reserve_((void **)&list->pieces.piece, most, &list->pieces.capacity, sizeof *list->pieces.piece);
        tsr_dist_line_take_(&line[own], &form[own], m, digit);
        tsr_dist_line_take_(&line[!own], &form[!own], m, others);
        list->width = line[own].width;
        list->common = tsr_dist_common_of_(form[0].d->extent[m], line[0].period, line[1].period);
        do {
            tsr_dist_line_take_(&line[!own], &form[!own], m, others);
            ok = add_entry(list, &form[!own], m, others, own, line);
        } while (ok && tsr_dist_next_digits_(&form[!own], m, others));
    }
    tsr_dist_line_free_(&line[0]);
    tsr_dist_line_free_(&line[1]);
    if (ok)
        return lists;
    tsr_dist_lists_free_(lists);
    return NULL;
}

void tsr_dist_lists_free_(tsr_dist_lists *lists)
{
    for (int m = 0; lists && m < TSR_DIST_MODES; ++m) {
        free(lists->mode[m].entry);
        free(lists->mode[m].pieces.piece);
    }
    free(lists);
}

int64_t *tsr_dist_offsets_(tsr_dist_layout const *d, int const *split, int splits, int64_t *count)
{
    *count = 1;
    for (int k = 0; k < splits; ++k)
        *count *= d->split[split[k]].extent;
    int64_t *const offset = (int64_t *)malloc((size_t)*count * sizeof *offset);
    int64_t n = 1;
    if (!offset)
        return NULL;
    offset[0] = 0;
    for (int k = 0; k < splits; ++k) {
        tsr_dist_split const *const s = &d->split[split[k]];
        for (int64_t x = 1; x < s->extent; ++x)
            for (int64_t i = 0; i < n; ++i)
                offset[x * n + i] = offset[i] + x * s->stride;
        n *= s->extent;
    }
    return offset;
}

/** The first of n sorted offsets that is not below x. */
static int64_t first_from(int64_t const *offset, int64_t n, int64_t x)
{
    int64_t low = 0, high = n;
    while (low < high) {
        int64_t const middle = low + (high - low) / 2;
        if (offset[middle] < x)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

int64_t tsr_dist_sender_(int64_t const *copy, int64_t copies, int64_t base, int64_t receiver, int64_t host)
{
    if (copies == 1)
        return base + copy[0];
    int64_t const begin = receiver / host * host - base;
    int64_t first = first_from(copy, copies, begin), n = first_from(copy, copies, begin + host) - first;
    if (n == 0) { /* none is on the host */
        first = 0;
        n = copies;
    }
    return base + copy[first + (receiver + receiver / n) % n];
}

int64_t tsr_dist_place_of_(dist_form const *f, int const *split, int splits, int64_t const *digit, int64_t *number)
{
    int64_t place = 0, times = 1;
    *number = 0;
    for (int k = 0; k < splits; ++k) {
        tsr_dist_split const *const s = &f->d->split[split[k]];
        place += tsr_dist_place_(s, digit[split[k]]);
        *number += digit[split[k]] * times;
        times *= s->extent;
    }
    return place;
}

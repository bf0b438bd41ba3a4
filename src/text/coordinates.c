/** Coordinates of the elements of a tensor or a layout. */
#include "text/coordinates.h"

#include <string.h>

/** Takes the coordinate of the element that one step of digit i leads to. */
static bool take_step(coordinates *c, int i, tsr_tuple const *at)
{
    if (at->status || at->leaves != c->first.leaves)
        return false;
    for (int k = 0; k < at->leaves; ++k) {
        tsr_leaf const a = c->first.leaf[k], b = at->leaf[k];
        bool const units = a.kind == TSR_UNIT && b.kind == TSR_UNIT;
        if (a.open != b.open || a.close != b.close || (!units && (a.kind > TSR_STATIC || b.kind > TSR_STATIC))
            || b.aux != 0 || a.value == INT64_MIN || !tsr_add64(b.value, -a.value, &c->step[i][k]))
            return false;
    }
    return true;
}

/** Steps of the digits of a layout, of what stands at 1-D coordinates of x. */
static bool take_steps(coordinates *c, tsr_layout const *l, tsr_tuple (*at)(void const *x, int64_t index),
                       void const *x)
{
    int64_t block = 1;
    memset(c, 0, sizeof *c);
    c->digits = l->shape.leaves;
    for (int i = 0; i < c->digits; ++i)
        c->extent[i] = (int64_t)tsr_leaf_extent(l->shape.leaf[i]);
    if (!at || l->shape.status || l->composed)
        return false;
    c->first = at(x, 0);
    bool linear = !c->first.status;
    for (int i = 0; i < c->digits && linear; block *= c->extent[i++]) {
        tsr_tuple const next = c->extent[i] > 1 ? at(x, block) : c->first;
        linear = take_step(c, i, &next);
    }
    return linear;
}

static tsr_tuple at_tensor(void const *t, int64_t i) { return tsr_tensor_at(*(tsr_tensor const *)t, tsr_int(i)); }

static tsr_tuple at_layout(void const *l, int64_t i) { return tsr_layout_at(*(tsr_layout const *)l, tsr_int(i)); }

bool tsr_coordinates_of_tensor_(coordinates *c, tsr_tensor const *t)
{
    bool const coordinates = t->engine.kind == TSR_COORDINATES && t->engine.map.kind == TSR_AS_IS;
    return take_steps(c, &t->layout, coordinates ? at_tensor : NULL, t);
}

bool tsr_coordinates_of_layout_(coordinates *c, tsr_layout const *l) { return take_steps(c, l, at_layout, l); }

void tsr_coordinates_at_(coordinates const *c, int64_t index, tsr_tuple *at)
{
    *at = c->first;
    for (int i = 0; i < c->digits; ++i) {
        int64_t const digit = i + 1 < c->digits ? index % c->extent[i] : index;
        index /= c->extent[i];
        for (int k = 0; k < at->leaves && digit > 0; ++k) {
            int64_t moved = 0;
            if (!tsr_mul64(digit, c->step[i][k], &moved)
                || !tsr_add64(at->leaf[k].value, moved, &at->leaf[k].value)) {
                *at = tsr_bad_tuple(TSR_OVERFLOW, k, digit, c->step[i][k], 0);
                return;
            }
        }
    }
}

bool tsr_tensor_counts_(tsr_tensor const *t, int64_t index)
{
    return t->engine.kind != TSR_COUNTING || tsr_tensor_at(*t, tsr_int(index)).status == TSR_OK;
}

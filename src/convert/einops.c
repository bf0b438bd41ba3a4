/** Patterns of einops over a row-major tensor: rearrange("b (h w) c -> b c h w", h=4), repeat("h w -> h w r", r=3).
 *
 *  The layout goes from the axes on the right to the offsets of the tensor on the left. In a group the last axis is the
 *  fastest, so a group is a mode whose leaves are in the opposite order. */
#include "convert/convert.h"

enum { AXES = 32, NAME = 24 };

/** An axis: its name, "1" for one without, its extent and stride; 0: not known yet. */
typedef struct axis {
    char name[NAME];
    int group;
    int64_t extent, stride;
    bool used;
} axis;

typedef struct side {
    int axes, groups;
    axis at[AXES];
} side;

/** a (b c) 1 ..., up to -> or the quote. */
static void take_side(scan *s, side *r)
{
    bool inside = false;
    r->axes = r->groups = 0;
    for (;;) {
        scan_blanks(s);
        if (s->failed || scan_is(s, "\"'") || scan_begins(s, "->"))
            break;
        bool const opens = scan_take(s, "("), closes = !opens && scan_take(s, ")");
        if (opens || closes) {
            if (opens == inside)
                scan_fail(s, "parentheses of a pattern are not nested");
            r->groups += closes;
            inside = opens;
            continue;
        }
        if (scan_begins(s, "..."))
            scan_fail(s, "an ellipsis has no axes: write them");
        if (r->axes == AXES)
            scan_fail(s, "a pattern has at most 32 axes a side");
        if (s->failed)
            return;
        axis *const a = &r->at[r->axes++];
        memset(a, 0, sizeof *a);
        scan_word(s, a->name, sizeof a->name);
        a->group = r->groups;
        if (a->name[0] >= '0' && a->name[0] <= '9' && strcmp(a->name, "1") != 0)
            scan_fail(s, "the only number of a pattern is 1");
        a->extent = a->name[0] == '1';
        for (int i = 0; i + 1 < r->axes && a->name[0] != '1'; ++i)
            if (strcmp(r->at[i].name, a->name) == 0)
                scan_fail(s, "this axis is there twice");
        r->groups += !inside;
    }
    if (inside)
        scan_fail(s, "`)` is expected here");
}

static axis *axis_of(side *r, char const *name)
{
    for (int i = 0; i < r->axes; ++i)
        if (strcmp(r->at[i].name, name) == 0 && name[0] != '1')
            return &r->at[i];
    return NULL;
}

/** , h=4, w=8: the extents of axes of either side. */
static void take_extents(scan *s, side *left, side *right)
{
    char name[NAME];
    while (!s->failed && scan_take(s, ",")) {
        scan_word(s, name, sizeof name);
        scan_expect(s, "=");
        int64_t const n = scan_integer(s);
        axis *const a = axis_of(left, name), *const b = axis_of(right, name);
        if (!s->failed && ((!a && !b) || n < 1 || n > (int64_t)1 << 40))
            scan_fail(s, "an axis of the pattern with a positive extent is expected here");
        if (!s->failed && a)
            a->extent = n;
        if (!s->failed && b)
            b->extent = n;
    }
}

/** The extents and strides of the left side, from the shape: one axis of a group may be left out. */
static void solve_left(scan *s, side *left, tsr_tuple const *shape)
{
    int64_t stride = 1;
    if (left->groups != shape->leaves)
        scan_refuse(s, tsr_because(TSR_RANK, 0, left->groups, shape->leaves, 0));
    for (int g = left->groups - 1; g >= 0 && !s->failed; --g) {
        int64_t const extent = shape->leaf[g].value;
        int64_t known = 1;
        axis *open = NULL;
        for (int i = 0; i < left->axes && !s->failed; ++i)
            if (left->at[i].group == g) {
                if (left->at[i].extent == 0 && open)
                    scan_fail(s, "two axes of a group have no extent");
                open = left->at[i].extent == 0 ? &left->at[i] : open;
                known = tsr_mul64_most(known, left->at[i].extent ? left->at[i].extent : 1);
            }
        if (!s->failed && (extent % known != 0 || (!open && extent != known)))
            scan_refuse(s, tsr_because(TSR_DIFFER_SIZE, g, extent, known, 0));
        if (open && !s->failed)
            open->extent = extent / known;
        for (int i = left->axes - 1; i >= 0 && !s->failed; --i)
            if (left->at[i].group == g) {
                left->at[i].stride = stride;
                if (!tsr_mul64(stride, left->at[i].extent, &stride))
                    scan_refuse(s, tsr_because(TSR_OVERFLOW, g, left->at[i].extent, 0, 0));
            }
    }
}

/** The axes on the right are those on the left; a new one has an extent, and repeats the elements. */
static void solve_right(scan *s, side *left, side *right, bool repeats)
{
    for (int i = 0; i < right->axes && !s->failed; ++i) {
        axis *const from = axis_of(left, right->at[i].name);
        if (from) {
            from->used = true;
            right->at[i].extent = from->extent;
            right->at[i].stride = from->stride;
        } else if (right->at[i].extent == 0 || (!repeats && right->at[i].name[0] != '1')) {
            scan_fail(s, "the axis %s is not on the left%s", right->at[i].name,
                      repeats ? ", and has no extent" : "; repeat has new ones");
        }
    }
    for (int i = 0; i < left->axes && !s->failed; ++i)
        if (!left->at[i].used && left->at[i].extent != 1)
            scan_fail(s, "the axis %s is not on the right: a sum has no layout", left->at[i].name);
}

/** Is a shape of positive integers? */
static bool has_extents(tsr_tuple const *shape)
{
    bool ok = true;
    for (int i = 0; i < shape->leaves; ++i)
        ok = ok && tsr_leaf_is_int(shape->leaf[i]) && shape->leaf[i].value > 0;
    return ok;
}

void tsr_read_einops_(scan *s, tsr_tuple shape, tsr_layout *r)
{
    side left, right;
    side *const l = &left, *const t = &right;
    bool const repeats = scan_take(s, "repeat");
    tsr_tuple extents = TSR_ZERO, strides = TSR_ZERO;
    if (!repeats)
        scan_expect(s, "rearrange");
    scan_expect(s, "(");
    char const *const quote = scan_next(s) == '\'' ? "'" : "\"";
    scan_expect(s, quote);
    take_side(s, l);
    scan_expect(s, "->");
    take_side(s, t);
    scan_expect(s, quote);
    take_extents(s, l, t);
    scan_expect(s, ")");
    if (!s->failed && (tsr_is_unit(&shape) || !has_extents(&shape)))
        scan_fail(s, "the shape of the tensor is needed: --shape \"(2,32,8)\"");
    if (!s->failed)
        solve_left(s, l, &shape);
    if (!s->failed)
        solve_right(s, l, t, repeats);
    for (int g = 0; g < t->groups && !s->failed; ++g) {
        tsr_tuple mode = TSR_ZERO, step = TSR_ZERO;
        for (int i = t->axes - 1; i >= 0; --i)
            if (t->at[i].group == g) {
                tsr_tuple_push_leaf(&mode, tsr_leaf_static(t->at[i].extent));
                tsr_tuple_push_leaf(&step, tsr_leaf_static(t->at[i].stride));
            }
        tsr_layout_push_(&extents, &strides, mode, step);
    }
    if (!s->failed && t->groups == 0)
        scan_fail(s, "a pattern has an axis on the right");
    if (!s->failed)
        *r = tsr_layout_close_(extents, strides);
}

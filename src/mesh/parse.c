/** Texts of distributions: scalapack(..), dtensor(..), xla(..), hpf(..), darray(..), intervals(..). */
#include <stdlib.h>
#include <string.h>

#include "mesh/scan.h"
#include "tessera/mesh/make.h"

bool tsr_dist_integers_(scan *s, char const *open, char const *close, int most, int64_t *value, int *n)
{
    *n = scan_integers(s, open, close, most, value);
    for (int i = 0; i < *n; ++i)
        if (value[i] < 0 || value[i] >= 1000000000000000000)
            return scan_fail(s, "%lld is not from 0 on and below 10^18", (long long)value[i]);
    return !s->failed;
}

bool tsr_dist_integer_(scan *s, int64_t *value)
{
    *value = scan_integer(s);
    return !s->failed
           && ((*value >= 0 && *value < 1000000000000000000)
               || scan_fail(s, "%lld is not from 0 on and below 10^18", (long long)*value));
}

static bool scan_scalapack(scan *s, tsr_dist_layout *d)
{
    int64_t v[9] = {0};
    int n = 0;
    bool columns = false;
    if (!scan_expect(s, "("))
        return false;
    do {
        columns = scan_take(s, "C");
        if (!columns && n == 9)
            return scan_fail(s, "a descriptor has at most 9 integers");
        if (!columns && !tsr_dist_integer_(s, &v[n++]))
            return false;
    } while (!columns && scan_take(s, ","));
    if (n != 6 && n != 8 && n != 9)
        return scan_fail(s, "a descriptor is M,N,MB,NB,P,Q, then RSRC,CSRC and LLD where they are given");
    tsr_scalapack const x = {.m = v[0],
                             .n = v[1],
                             .mb = v[2],
                             .nb = v[3],
                             .p = v[4],
                             .q = v[5],
                             .rsrc = v[6],
                             .csrc = v[7],
                             .lld = v[8],
                             .columns = columns};
    return scan_expect(s, ")") && tsr_dist_from_scalapack(&x, d, s->error);
}

/** X(word, kind): the words of placements here, and those of torch as it prints and writes them. Of words that begin
 *  alike the longer one is first. */
#define PLACEMENT_WORDS(X)    \
  X("_StridedShard", STRIDED) \
  X("_S", STRIDED)            \
  X("SS", STRIDED)            \
  X("Shard", SHARD)           \
  X("S", SHARD)               \
  X("Replicate()", REPLICATE) \
  X("R", REPLICATE)           \
  X("Partial(sum)", PARTIAL)  \
  X("P(sum)", PARTIAL)        \
  X("P", PARTIAL)

static int scan_kind(scan *s)
{
#define X(word, kind)     \
  if (scan_take(s, word)) \
    return TSR_PLACE_##kind;
    PLACEMENT_WORDS(X)
#undef X
    return TSR_PLACEMENTS;
}

/** "(0)", "(dim=0, sf=4)": the mode of a shard, and the factor of a strided one. */
static bool scan_cut(scan *s, tsr_placement *p)
{
    int64_t mode = 0;
    bool const strided = p->kind == TSR_PLACE_STRIDED;
    if (!scan_take(s, "("))
        return scan_fail(s, "S has a mode, SS a mode and a factor");
    (void)scan_take(s, "dim=");
    if (!tsr_dist_integer_(s, &mode))
        return false;
    if (strided && !scan_take(s, ","))
        return scan_fail(s, "S has a mode, SS a mode and a factor");
    if (strided && !scan_take(s, "split_factor="))
        (void)scan_take(s, "sf=");
    if (strided && !tsr_dist_integer_(s, &p->factor))
        return false;
    p->mode = (int)tsr_min64(mode, TSR_DIST_MODES);
    return scan_take(s, ")") || scan_fail(s, "S has a mode, SS a mode and a factor");
}

bool tsr_dist_scan_placement_(scan *s, tsr_placement *p, int64_t *turn)
{
    tsr_placement const none = {TSR_PLACE_REPLICATE, 0, 0};
    int const kind = scan_kind(s);
    *p = none;
    *turn = -1;
    if (kind == TSR_PLACEMENTS)
        return scan_fail(s, "a placement is S(mode), SS(mode,factor), R or P");
    p->kind = (tsr_placement_kind)kind;
    if (p->kind != TSR_PLACE_SHARD && p->kind != TSR_PLACE_STRIDED)
        return true;
    return scan_cut(s, p) && (!scan_take(s, "[") || (tsr_dist_integer_(s, turn) && scan_expect(s, "]")));
}

/** The axes in the order in which they cut: the shards of a mode change places by their turns. Where one of them has a
 *  turn, all do: 0, 1, .. */
static bool order_axes(scan *s, int axes, tsr_placement const *p, int64_t const *turn, int *order)
{
    for (int a = 0; a < axes; ++a) {
        int at = 0, shards = 0, given = 0, found = -1; /* this place among the shards of the mode */
        bool const shard = p[a].kind == TSR_PLACE_SHARD || p[a].kind == TSR_PLACE_STRIDED;
        order[a] = a;
        for (int b = 0; shard && b < axes; ++b)
            if ((p[b].kind == TSR_PLACE_SHARD || p[b].kind == TSR_PLACE_STRIDED) && p[b].mode == p[a].mode) {
                at += b < a;
                given += turn[b] >= 0;
                ++shards;
            }
        for (int b = 0; given > 0 && b < axes; ++b)
            if (turn[b] == at && p[b].mode == p[a].mode)
                found = b;
        if (given > 0 && (given < shards || found < 0))
            return scan_fail(s, "the shards of a mode have the turns [0], [1], .., each of them once");
        order[a] = given > 0 ? found : a;
    }
    return true;
}

static bool scan_dtensor(scan *s, int modes, int64_t const *extent, tsr_dist_layout *d)
{
    int64_t mesh[TSR_DIST_SPLITS];
    tsr_placement placement[TSR_DIST_SPLITS];
    int64_t turn[TSR_DIST_SPLITS];
    int order[TSR_DIST_SPLITS], axes = 0;
    if (!tsr_dist_integers_(s, "(", ")", TSR_DIST_SPLITS, mesh, &axes) || !scan_expect(s, ",")
        || !scan_expect(s, "["))
        return false;
    for (int a = 0; a < axes; ++a)
        if ((a > 0 && !scan_expect(s, ",")) || !tsr_dist_scan_placement_(s, &placement[a], &turn[a]))
            return false;
    return scan_expect(s, "]") && order_axes(s, axes, placement, turn, order)
           && tsr_dist_from_placements(modes, extent, axes, mesh, placement, order, d, s->error);
}

/** A list of numbers, in memory of its own. */
typedef struct numbers {
    int64_t *value, count, capacity;
} numbers;

static bool add_number(scan *s, numbers *list)
{
    int64_t value = 0;
    if (!tsr_dist_integer_(s, &value))
        return false;
    if (list->count > 2 * DIST_MOST
        || !tsr_dist_grow_((void **)&list->value, list->count, &list->capacity, sizeof value))
        return scan_fail(s, "the list has more than 2^24 entries, or does not fit in memory");
    list->value[list->count++] = value;
    return true;
}

/** "BLOCK(2)", or "GEN_BLOCK(2,3,4)", whose sizes are in `sizes`. */
static bool scan_format(scan *s, tsr_hpf_format *f, numbers *sizes)
{
    bool const general = scan_take(s, "GEN_BLOCK"), block = !general && scan_take(s, "BLOCK");
    bool const cyclic = !general && !block && scan_take(s, "CYCLIC");
    tsr_hpf_format const x = {general  ? TSR_HPF_GEN_BLOCK
                              : block  ? TSR_HPF_BLOCK
                              : cyclic ? TSR_HPF_CYCLIC
                                       : TSR_HPF_WHOLE,
                              0, NULL};
    int64_t size = 0;
    int n = 0;
    *f = x;
    if (!general && !block && !cyclic && !scan_take(s, "*") && !scan_take(s, "NONE"))
        return scan_fail(s, "a format is *, BLOCK, BLOCK(m), CYCLIC, CYCLIC(k) or GEN_BLOCK(sizes)");
    if ((block || cyclic) && scan_next(s) == '(') {
        if (!tsr_dist_integers_(s, "(", ")", 1, &size, &n) || n != 1 || size < 1)
            return scan_fail(s, "the size of a block is positive");
        f->size = size;
    }
    if (!general)
        return true;
    for (bool more = scan_list(s, "(", ")"); more; more = scan_more(s, ")"))
        if (!add_number(s, sizes))
            return false;
    f->size = sizes->count;
    f->sizes = sizes->value;
    return !s->failed;
}

/** "(BLOCK,*),(2)" of HPF, and of MPI, whose grid has an axis for each mode. */
static bool scan_formats(scan *s, int modes, int64_t const *extent, bool mpi, tsr_dist_layout *d)
{
    tsr_hpf_format format[TSR_DIST_MODES];
    numbers sizes[TSR_DIST_MODES] = {{NULL, 0, 0}};
    int64_t grid[TSR_DIST_MODES];
    int axes = 0;
    bool ok = scan_expect(s, "(");
    for (int m = 0; ok && m < modes; ++m)
        ok = (m == 0 || scan_expect(s, ",")) && scan_format(s, &format[m], &sizes[m]);
    ok = ok && scan_expect(s, ")") && scan_expect(s, ",")
         && tsr_dist_integers_(s, "(", ")", TSR_DIST_MODES, grid, &axes);
    if (ok && mpi && axes != modes)
        ok = scan_fail(s, "the grid of a darray has an axis for each of the %d modes, not %d", modes, axes);
    bool const fortran = ok && mpi && scan_take(s, ",") && scan_expect(s, "F");
    ok = ok && !s->failed
         && (mpi ? tsr_dist_from_darray(modes, extent, format, grid, fortran, d, s->error)
                 : tsr_dist_from_hpf(modes, extent, format, axes, grid, d, s->error));
    for (int m = 0; m < modes; ++m)
        free(sizes[m].value);
    return ok;
}

static bool scan_hpf(scan *s, int modes, int64_t const *extent, tsr_dist_layout *d)
{
    return scan_formats(s, modes, extent, false, d);
}

static bool scan_darray(scan *s, int modes, int64_t const *extent, tsr_dist_layout *d)
{
    return scan_formats(s, modes, extent, true, d);
}

/** "(0:2,1:3)": owners and lengths in turn; "*": none. */
static bool scan_table(scan *s, numbers *list)
{
    if (scan_take(s, "*"))
        return true;
    for (bool more = scan_list(s, "(", ")"); more; more = scan_more(s, ")"))
        if (!add_number(s, list) || !scan_expect(s, ":") || !add_number(s, list))
            return false;
    return !s->failed;
}

/** The modes that have tables by the axes of a grid, whose last one has neighbouring ranks. */
static bool split_tables(scan *s, numbers const *list, int axes, int64_t const *grid, tsr_dist_layout *d)
{
    int64_t stride = 1;
    int tables = 0;
    for (int m = 0; m < d->modes; ++m)
        tables += list[m].count > 0;
    if (tables != axes)
        return scan_fail(s, "the grid has %d axes, and %d modes have intervals", axes, tables);
    for (int m = d->modes - 1; m >= 0; --m) {
        if (list[m].count == 0)
            continue;
        tsr_dist_interval const *const x = (tsr_dist_interval const *)(void const *)list[m].value;
        if (!tsr_dist_split_by(d, m, grid[--axes], stride, list[m].count / 2, x, s->error))
            return false;
        stride = tsr_mul64_most(stride, grid[axes]);
    }
    return tsr_dist_check(d, s->error);
}

static bool scan_intervals(scan *s, int modes, int64_t const *extent, tsr_dist_layout *d)
{
    numbers list[TSR_DIST_MODES] = {{NULL, 0, 0}};
    int64_t grid[TSR_DIST_MODES];
    int axes = 0;
    *d = tsr_dist_whole(modes, extent, true);
    bool ok = tsr_dist_check(d, s->error) && scan_expect(s, "(");
    for (int m = 0; ok && m < modes; ++m)
        ok = (m == 0 || scan_expect(s, ",")) && scan_table(s, &list[m]);
    ok = ok && scan_expect(s, ")") && scan_expect(s, ",")
         && tsr_dist_integers_(s, "(", ")", TSR_DIST_MODES, grid, &axes) && split_tables(s, list, axes, grid, d);
    for (int m = 0; m < modes; ++m)
        free(list[m].value);
    return ok;
}

/** The text of ScaLAPACK has the extents among its integers. */
static bool scan_whole_scalapack(scan *s, int modes, int64_t const *extent, tsr_dist_layout *d)
{
    (void)modes, (void)extent;
    return scan_scalapack(s, d);
}

char const *const tsr_dist_system_names_[] = {
#define X(id, name) name,
    TSR_DIST_SYSTEM_LIST(X)
#undef X
};

/** The system with the name and bracket that come next, up to the bracket. TSR_DIST_SYSTEMS if there is none. */
static int next_system(scan *s)
{
    int k = 0;
    scan_blanks(s);
    while (k < TSR_DIST_SYSTEMS
           && !(scan_begins(s, tsr_dist_system_names_[k]) && scan_char(s, strlen(tsr_dist_system_names_[k])) == '('))
        ++k;
    s->p += k < TSR_DIST_SYSTEMS ? strlen(tsr_dist_system_names_[k]) : 0;
    return k;
}

bool tsr_dist_begins(char const *text)
{
    scan s = tsr_scan_open_(text, strlen(text), NULL);
    return next_system(&s) < TSR_DIST_SYSTEMS;
}

bool tsr_dist_parse_front(char const *text, tsr_dist_layout *d, size_t *used, tsr_message *error)
{
    static bool (*const makers[])(scan *, int, int64_t const *, tsr_dist_layout *) = {
        scan_whole_scalapack, scan_dtensor, tsr_dist_scan_sharding_, scan_hpf, scan_darray, scan_intervals};
    scan s = tsr_scan_open_(text, strlen(text), error);
    int64_t extent[TSR_DIST_MODES], first = 0;
    int modes = 0;
    int const k = next_system(&s);
    if (k == TSR_DIST_SYSTEMS)
        return scan_fail(
            &s, "a distribution is scalapack(..), dtensor(..), xla(..), hpf(..), darray(..) or intervals(..)");
    if (k != TSR_DIST_SCALAPACK
        && (!scan_expect(&s, "(") || !tsr_dist_integers_(&s, "(", ")", TSR_DIST_MODES, extent, &modes)
            || !scan_expect(&s, ",")))
        return false;
    if (!makers[k](&s, modes, extent, d) || (k != TSR_DIST_SCALAPACK && !scan_expect(&s, ")")))
        return false;
    if (scan_take_here(&s, "@") && !tsr_dist_integer_(&s, &first))
        return false;
    d->first += first;
    *used = scan_at(&s);
    return tsr_dist_check(d, error);
}

bool tsr_dist_parse(char const *text, tsr_dist_layout *d, tsr_message *error)
{
    size_t used = 0;
    if (!tsr_dist_parse_front(text, d, &used, error))
        return false;
    scan s = tsr_scan_open_(text, strlen(text), error);
    s.p += used;
    return scan_end(&s);
}

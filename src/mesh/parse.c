/** Texts of distributions: scalapack(..), dtensor(..), xla(..), hpf(..). */
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

/** Reads a placement, and its turn among the shards of its mode if `[k]` follows. -1 if no turn is given. */
static bool scan_placement(scan *s, tsr_placement *p, int64_t *turn)
{
    int64_t v[2] = {0};
    int n = 0;
    bool const strided = scan_take(s, "SS"), shard = strided || scan_take(s, "S");
    p->kind = strided ? TSR_PLACE_STRIDED : shard ? TSR_PLACE_SHARD : TSR_PLACE_REPLICATE;
    if (!shard && scan_take(s, "P"))
        p->kind = TSR_PLACE_PARTIAL;
    else if (!shard && !scan_take(s, "R"))
        return scan_fail(s, "a placement is S(mode), SS(mode,factor), R or P");
    if (shard && (!tsr_dist_integers_(s, "(", ")", 2, v, &n) || n != 1 + strided))
        return scan_fail(s, "S has a mode, SS a mode and a factor");
    p->mode = (int)tsr_min64(v[0], TSR_DIST_MODES);
    p->factor = v[1];
    *turn = -1;
    return !shard || !scan_take(s, "[") || (tsr_dist_integer_(s, turn) && scan_expect(s, "]"));
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
        if ((a > 0 && !scan_expect(s, ",")) || !scan_placement(s, &placement[a], &turn[a]))
            return false;
    return scan_expect(s, "]") && order_axes(s, axes, placement, turn, order)
           && tsr_dist_from_placements(modes, extent, axes, mesh, placement, order, d, s->error);
}

static bool scan_hpf(scan *s, int modes, int64_t const *extent, tsr_dist_layout *d)
{
    tsr_hpf_format format[TSR_DIST_MODES];
    int64_t grid[TSR_DIST_MODES], size = 0;
    int axes = 0, n = 0;
    if (!scan_expect(s, "("))
        return false;
    for (int m = 0; m < modes; ++m) {
        if (m > 0 && !scan_expect(s, ","))
            return false;
        bool const block = scan_take(s, "BLOCK"), cyclic = !block && scan_take(s, "CYCLIC");
        tsr_hpf_format const f = {block ? TSR_HPF_BLOCK : cyclic ? TSR_HPF_CYCLIC : TSR_HPF_WHOLE, 0};
        format[m] = f;
        if (!block && !cyclic && !scan_take(s, "*"))
            return scan_fail(s, "a format is *, BLOCK, BLOCK(m), CYCLIC or CYCLIC(k)");
        if ((block || cyclic) && scan_next(s) == '(') {
            if (!tsr_dist_integers_(s, "(", ")", 1, &size, &n) || n != 1 || size < 1)
                return scan_fail(s, "the size of a block is positive");
            format[m].size = size;
        }
    }
    return scan_expect(s, ")") && scan_expect(s, ",") && tsr_dist_integers_(s, "(", ")", TSR_DIST_MODES, grid, &axes)
           && tsr_dist_from_hpf(modes, extent, format, axes, grid, d, s->error);
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
        scan_whole_scalapack, scan_dtensor, tsr_dist_scan_sharding_, scan_hpf};
    scan s = tsr_scan_open_(text, strlen(text), error);
    int64_t extent[TSR_DIST_MODES], first = 0;
    int modes = 0;
    int const k = next_system(&s);
    if (k == TSR_DIST_SYSTEMS)
        return scan_fail(&s, "a distribution is scalapack(..), dtensor(..), xla(..) or hpf(..)");
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

/** Distributed layouts from the text of XLA's shardings.
 *
 *  A tile assignment is an array of devices. Its dimensions, but for the last ones, cut the modes of the tensor. In
 *  iota form it is a reshaped transposition of 0, 1, ..: composition(devices, tiles) says which strides each dimension
 *  has. XLA counts the last dimension fastest, so both layouts have their modes in the opposite order here.
 */
#include <stdlib.h>

#include "mesh/scan.h"
#include "tessera/core/composition.h"
#include "tessera/core/fit.h"
#include "tessera/mesh/make.h"

enum { MOST_DIMS = 12, MOST_DEVICES = 4096 };

static tsr_tuple flat(int n, int64_t const *value)
{
    tsr_tuple t = {0};
    for (int i = 0; i < n; ++i)
        t.leaf[i] = tsr_leaf_static(value[n - 1 - i]);
    t.leaves = (uint8_t)n;
    if (n > 1) {
        t.leaf[0].open = 1;
        t.leaf[n - 1].close = 1;
    }
    return t;
}

static bool scan_refused(scan *s, tsr_layout const *l)
{
    char why[256];
    tsr_format_layout(why, sizeof why, *l, TSR_TEXT_STATIC);
    return scan_fail(s, "this order of devices is not a layout of the tiles: %s", why);
}

/** "[2,4]" and "T(1,0)" behind "<=": the layout from the place of a device to its number. */
static bool scan_iota(scan *s, tsr_layout *devices)
{
    int64_t dim[MOST_DIMS], permutation[MOST_DIMS], extent[MOST_DIMS], stride[MOST_DIMS], step[MOST_DIMS], all = 1;
    int n = 0, permuted = 0;
    if (!tsr_dist_integers_(s, "[", "]", MOST_DIMS, dim, &n))
        return false;
    for (int i = n - 1; i >= 0; --i) {
        if (dim[i] < 1)
            return scan_fail(s, "a dimension of devices is positive");
        step[i] = all;
        permutation[i] = i;
        all = tsr_mul64_most(all, dim[i]);
    }
    if (all > TSR_DIST_RANKS || n == 0)
        return scan_fail(s, "there are 1 to 2^24 devices");
    if (scan_take(s, "T") && (!tsr_dist_integers_(s, "(", ")", MOST_DIMS, permutation, &permuted) || permuted != n))
        return scan_fail(s, "T has one number for each dimension of devices");
    unsigned seen = 0;
    for (int i = 0; i < n; ++i) {
        if (permutation[i] < 0 || permutation[i] >= n || seen >> permutation[i] & 1)
            return scan_fail(s, "T is a permutation of the dimensions of devices");
        seen |= 1u << permutation[i];
        extent[i] = dim[permutation[i]];
        stride[i] = step[permutation[i]];
    }
    *devices = tsr_make_layout_from(flat(n, extent), flat(n, stride));
    return true;
}

/** The devices one by one, as differences from the first one. */
static bool scan_numbers(scan *s, int64_t tiles, int64_t *value)
{
    for (int64_t i = 0; i < tiles; ++i) {
        if ((i > 0 && !scan_expect(s, ",")) || !tsr_dist_integer_(s, &value[i]))
            return false;
        value[i] -= i > 0 ? value[0] : 0;
    }
    return true;
}

/** The layout of the tiles that has these numbers, and the first one. */
static bool scan_devices(scan *s, int64_t tiles, tsr_tuple shape, tsr_layout *devices, int64_t *first)
{
    if (tiles > MOST_DEVICES)
        return scan_fail(s, "at most 4096 devices are listed one by one");
    int64_t *const value = (int64_t *)malloc((size_t)tiles * sizeof *value);
    bool const ok = value ? scan_numbers(s, tiles, value) : scan_fail(s, "out of memory");
    if (ok) {
        *first = value[0];
        value[0] = 0;
        *devices = tsr_fit(value, tiles, shape);
    }
    free(value);
    return ok && ((tsr_layout_ok(*devices) && !devices->composed) || scan_refused(s, devices));
}

/** Adds the ranks of one dimension of tiles to mode m, or as copies. */
static bool add_ranks(scan *s, tsr_layout const *mode, bool copies, int m, tsr_dist_layout *d)
{
    int64_t tiles = 1;
    for (int i = 0; i < mode->shape.leaves; ++i)
        tiles *= mode->shape.leaf[i].value;
    int64_t block = copies ? 1 : tsr_max64(tsr_ceil_div64(d->extent[m], tiles), 1);
    for (int i = 0; i < mode->shape.leaves; ++i) {
        int64_t const extent = mode->shape.leaf[i].value;
        tsr_dist_split const x = {copies ? TSR_DIST_COPY : TSR_DIST_SHARD,
                                  copies ? 0 : m,
                                  extent,
                                  mode->stride.leaf[i].value,
                                  block,
                                  copies ? 1 : block * extent,
                                  0};
        if (extent == 1)
            continue;
        if (d->splits == TSR_DIST_SPLITS || x.stride < 1)
            return scan_fail(s, "the devices count down, or cut the modes too often");
        d->split[d->splits++] = x;
        block *= copies ? 1 : extent;
    }
    return true;
}

/** "[2,1,4]<=[8] last_tile_dim_replicate" behind "devices=". */
static bool scan_tiles(scan *s, int modes, tsr_dist_layout *d)
{
    int64_t tile[MOST_DIMS], tiles = 1;
    int n = 0, copies = 0;
    tsr_layout devices;
    if (!tsr_dist_integers_(s, "[", "]", MOST_DIMS, tile, &n))
        return false;
    for (int i = 0; i < n; ++i) {
        if (tile[i] < 1)
            return scan_fail(s, "a dimension of tiles is positive");
        tiles = tsr_mul64_most(tiles, tile[i]);
    }
    if (!(scan_take(s, "<=") ? scan_iota(s, &devices) : scan_devices(s, tiles, flat(n, tile), &devices, &d->first)))
        return false;
    if (tsr_layout_size(devices) != tiles)
        return scan_fail(s, "the tiles and the devices differ in number");
    if (scan_take(s, "last_tile_dim_replicate") || scan_take(s, "last_tile_dims={replicated}"))
        copies = 1;
    if (n != modes + copies)
        return scan_fail(s,
                         "the tiles have one dimension for each mode, and one for copies where they are replicated");
    tsr_layout const of_tiles = tsr_composition(devices, tsr_make_layout_compact(flat(n, tile)));
    if (!tsr_layout_ok(of_tiles))
        return scan_refused(s, &of_tiles);
    for (int m = 0; m < n; ++m) {
        tsr_layout const mode = n == 1 ? of_tiles : tsr_mode(of_tiles, n - 1 - m);
        if (!add_ranks(s, &mode, m == modes, m, d))
            return false;
    }
    return true;
}

bool tsr_dist_scan_sharding_(scan *s, int modes, int64_t const *extent, tsr_dist_layout *d)
{
    if (modes < 0 || modes > TSR_DIST_MODES)
        return scan_fail(s, "the tensor has at most 8 modes");
    *d = tsr_dist_whole(modes, extent, true);
    if (!tsr_dist_check(d, s->error) || !scan_expect(s, "{"))
        return false;
    if (scan_take(s, "maximal")    ? !scan_expect(s, "device=") || !tsr_dist_integer_(s, &d->first)
        : scan_take(s, "devices=") ? !scan_tiles(s, modes, d)
                                   : !scan_expect(s, "replicated"))
        return false;
    return scan_expect(s, "}") && tsr_dist_check(d, s->error);
}

bool tsr_dist_from_sharding(int modes, int64_t const *extent, char const *text, tsr_dist_layout *d,
                            tsr_message *error)
{
    scan s = tsr_scan_open_(text, strlen(text), error);
    return tsr_dist_scan_sharding_(&s, modes, extent, d) && scan_end(&s);
}

/** Distributed layouts from the text of XLA's shardings.
 *
 *  A tile assignment is an array of devices. Its dimensions, but for the last ones, cut the modes of the tensor. In
 *  iota form it is a reshaped transposition of 0, 1, ..: composition(devices, tiles) says which strides each dimension
 *  has. XLA counts the last dimension fastest, so both layouts have their modes in the opposite order here. Devices
 *  that are listed and are no layout become tables, where each dimension of tiles adds its own number to the device.
 */
#include <stdlib.h>
#include <string.h>

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

/** Devices that are listed, and the tiles that have them, of which the last dimension counts fastest. */
typedef struct listing {
    int64_t value[MOST_DEVICES]; /* differences from the first one */
    int64_t place[MOST_DEVICES]; /* what the tiles of one dimension add */
    int64_t tile[MOST_DIMS], step[MOST_DIMS], tiles;
    int dims;
} listing;

static int ascending(void const *a, void const *b)
{
    int64_t const x = *(int64_t const *)a, y = *(int64_t const *)b;
    return (x > y) - (x < y);
}

/** Copies are alike, so that their devices may stand in order. */
static void sort_copies(listing *l, int64_t copies)
{
    for (int64_t i = 0; i < l->tiles; i += copies)
        qsort(&l->value[i], (size_t)copies, sizeof l->value[0], ascending);
}

/** No device is twice there, and each is the sum of what the dimensions add. */
static bool check_listing(scan *s, listing const *l, int64_t first)
{
    static int64_t const no = 0;
    int64_t *const sorted = (int64_t *)malloc((size_t)l->tiles * sizeof no);
    bool ok = sorted || scan_fail(s, "out of memory");
    if (ok) {
        memcpy(sorted, l->value, (size_t)l->tiles * sizeof no);
        qsort(sorted, (size_t)l->tiles, sizeof no, ascending);
    }
    for (int64_t i = 1; ok && i < l->tiles; ++i)
        ok =
            sorted[i] != sorted[i - 1] || scan_fail(s, "device %lld is listed twice", (long long)(first + sorted[i]));
    free(sorted);
    for (int64_t i = 0; ok && i < l->tiles; ++i) {
        int64_t sum = l->value[0];
        for (int k = 0; k < l->dims; ++k)
            sum += l->value[i / l->step[k] % l->tile[k] * l->step[k]] - l->value[0];
        ok = l->value[i] == sum
             || scan_fail(
                 s,
                 "this order of devices is not a layout of the tiles, nor a table of each mode: tile %lld has device "
                 "%lld, and the modes add up to %lld",
                 (long long)i, (long long)(first + l->value[i]), (long long)(first + sum));
    }
    return ok;
}

/** What the tiles of one dimension add, from 0 on at steps of *step; returns how many steps. */
static int64_t read_dimension(listing *l, int k, int64_t *least, int64_t *step)
{
    int64_t most = 0, *const place = l->place;
    *least = *step = 0;
    for (int64_t t = 0; t < l->tile[k]; ++t) {
        place[t] = l->value[t * l->step[k]] - l->value[0];
        *least = tsr_min64(*least, place[t]);
        most = tsr_max64(most, place[t]);
    }
    for (int64_t t = 0; t < l->tile[k]; ++t)
        *step = tsr_gcd64(*step, place[t] -= *least);
    return (most - *least) / tsr_max64(*step, 1);
}

/** Copies on devices in order, at equal steps. */
static bool add_copies(scan *s, int64_t const *place, int64_t n, int64_t step, tsr_dist_layout *d)
{
    tsr_dist_split const x = {TSR_DIST_COPY, 0, n, step, 1, 1, 0};
    for (int64_t i = 0; i < n; ++i)
        if (place[i] != i * step)
            return scan_fail(
                s,
                "this order of devices is not a layout of the tiles: copy %lld is %lld devices behind the first, "
                "not %lld",
                (long long)i, (long long)place[i], (long long)(i * step));
    if (d->splits == TSR_DIST_SPLITS)
        return scan_fail(s, "the devices cut the modes too often");
    d->split[d->splits++] = x;
    return true;
}

/** A mode in tiles whose devices are in any order: a table. */
static bool add_table(scan *s, int m, int64_t const *place, int64_t tiles, int64_t steps, int64_t step,
                      tsr_dist_layout *d)
{
    int64_t const n = d->extent[m], block = tsr_ceil_div64(n, tiles);
    tsr_dist_interval *const x = (tsr_dist_interval *)malloc((size_t)tiles * sizeof *x);
    for (int64_t t = 0; x && t < tiles; ++t) {
        x[t].owner = place[t] / step;
        x[t].length = tsr_max64(tsr_min64(block, n - t * block), 0);
    }
    bool const ok = x ? tsr_dist_split_by(d, m, steps + 1, step, tiles, x, s->error) : scan_fail(s, "out of memory");
    free(x);
    return ok;
}

/** Devices that are no layout of the tiles: each dimension of its own. */
static bool add_listing(scan *s, listing *l, bool copies, tsr_dist_layout *d)
{
    int64_t least = 0, step = 0;
    if (copies)
        sort_copies(l, l->tile[l->dims - 1]);
    if (!check_listing(s, l, d->first))
        return false;
    int64_t first = d->first + l->value[0];
    for (int k = 0; k < l->dims; ++k) {
        int64_t const steps = read_dimension(l, k, &least, &step);
        bool const copied = copies && k == l->dims - 1;
        first += least;
        if (l->tile[k] > 1
            && !(copied ? add_copies(s, l->place, l->tile[k], step, d)
                        : add_table(s, k, l->place, l->tile[k], steps, step, d)))
            return false;
    }
    d->first = first;
    return true;
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

/** The tiles as a layout of devices cuts the modes, and as it copies them behind the modes. */
static bool add_tiles(scan *s, int modes, int n, int64_t const *tile, tsr_layout const *devices, tsr_dist_layout *d)
{
    tsr_layout const of_tiles = tsr_composition(*devices, tsr_make_layout_compact(flat(n, tile)));
    if (!tsr_layout_ok(of_tiles))
        return scan_refused(s, &of_tiles);
    for (int m = 0; m < n; ++m) {
        tsr_layout const mode = n == 1 ? of_tiles : tsr_mode(of_tiles, n - 1 - m);
        if (!add_ranks(s, &mode, m == modes, m, d))
            return false;
    }
    return true;
}

/** The dimensions of tiles, the last one of copies or not. */
static bool scan_end_of_tiles(scan *s, int modes, int n, bool *copies)
{
    *copies = scan_take(s, "last_tile_dim_replicate") || scan_take(s, "last_tile_dims={replicated}");
    return n == modes + *copies
           || scan_fail(s,
                        "the tiles have one dimension for each mode, and one for copies where they are replicated");
}

/** "0,2,1,3 last_tile_dim_replicate": a layout of the tiles, or tables. */
static bool scan_devices(scan *s, int modes, listing *l, tsr_dist_layout *d)
{
    bool copies = false;
    if (!scan_numbers(s, l->tiles, l->value) || !scan_end_of_tiles(s, modes, l->dims, &copies))
        return false;
    d->first = l->value[0];
    l->value[0] = 0;
    tsr_layout const devices = tsr_fit(l->value, l->tiles, flat(l->dims, l->tile));
    bool up = tsr_layout_ok(devices) && !devices.composed;
    for (int i = 0; up && i < devices.stride.leaves; ++i)
        up = devices.shape.leaf[i].value == 1 || devices.stride.leaf[i].value > 0;
    return up ? add_tiles(s, modes, l->dims, l->tile, &devices, d) : add_listing(s, l, copies, d);
}

static bool scan_listing(scan *s, int modes, int n, int64_t const *tile, int64_t tiles, tsr_dist_layout *d)
{
    if (tiles > MOST_DEVICES)
        return scan_fail(s, "at most 4096 devices are listed one by one");
    listing *const l = (listing *)malloc(sizeof *l);
    if (!l)
        return scan_fail(s, "out of memory");
    l->tiles = tiles;
    l->dims = n;
    for (int k = n - 1, step = 1; k >= 0; --k) {
        l->tile[k] = tile[k];
        l->step[k] = step;
        step *= (int)tile[k];
    }
    bool const ok = scan_devices(s, modes, l, d);
    free(l);
    return ok;
}

/** "[2,1,4]<=[8] last_tile_dim_replicate" behind "devices=". */
static bool scan_tiles(scan *s, int modes, tsr_dist_layout *d)
{
    int64_t tile[MOST_DIMS], tiles = 1;
    int n = 0;
    bool copies = false;
    tsr_layout devices;
    if (!tsr_dist_integers_(s, "[", "]", MOST_DIMS, tile, &n))
        return false;
    for (int i = 0; i < n; ++i) {
        if (tile[i] < 1)
            return scan_fail(s, "a dimension of tiles is positive");
        tiles = tsr_mul64_most(tiles, tile[i]);
    }
    if (!scan_take(s, "<="))
        return scan_listing(s, modes, n, tile, tiles, d);
    if (!scan_iota(s, &devices))
        return false;
    if (tsr_layout_size(devices) != tiles)
        return scan_fail(s, "the tiles and the devices differ in number");
    return scan_end_of_tiles(s, modes, n, &copies) && add_tiles(s, modes, n, tile, &devices, d);
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

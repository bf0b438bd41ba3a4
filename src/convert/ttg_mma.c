/** Triton's layouts of matrix instructions: accumulators and operands of NVIDIA's and AMD's, each put together from the
 *  lanes and registers of one instruction, the warps, and what repeats. */
#include "convert/attribute.h"

/** The dimensions of a product: rows, columns and, in front of them, batches; the order in which a layout grows. */
typedef struct dims {
    int rank, m, n;
    int64_t minor[TSR_LINEAR_DIMS];
} dims;

/** Dimensions that grow along the last one first, or along `k` first. */
static dims dims_of(tsr_tuple const *shape, int k)
{
    dims d;
    d.rank = shape->leaves;
    d.m = d.rank - 2;
    d.n = d.rank - 1;
    for (int i = 0; i < d.rank; ++i)
        d.minor[i] = d.rank - 1 - i;
    if (d.rank >= 2 && k == d.m) {
        d.minor[0] = d.m;
        d.minor[1] = d.n;
    }
    return d;
}

/** The warps of a block, the last dimension fastest, or the first; those along k share their elements. */
static void add_warps(scan *s, placed *p, int64_t const *warps, int rank, bool first, int k)
{
    for (int i = 0; i < rank; ++i) {
        int const d = first ? i : rank - 1 - i;
        tsr_placed_add_(s, p, 2, d == k ? -1 : d, warps[d]);
    }
}

/** A tile of mma.sync: `width` registers and 4 lanes along the inner dimension, 8 lanes along the outer one. */
static void add_quads(scan *s, placed *p, int inner, int outer, int64_t columns, int64_t rows, int64_t width)
{
    if (width < 1 || rows % 8 != 0 || columns % (4 * width) != 0) {
        scan_fail(s, "an instruction has a multiple of 8 rows and of 4 quads of columns");
        return;
    }
    tsr_placed_add_(s, p, 0, inner, width);
    tsr_placed_add_(s, p, 1, inner, 4);
    tsr_placed_add_(s, p, 1, outer, 8);
    tsr_placed_add_(s, p, 0, outer, rows / 8);
    tsr_placed_add_(s, p, 0, inner, columns / (4 * width));
}

/** instrShape of nvidia_mma: rows and columns. */
static bool take_instruction(scan *s, attribute const *a, int rank, int64_t *rows, int64_t *columns)
{
    int64_t const version = *tsr_attribute_need_(s, a, "versionMajor", 1);
    int64_t const *const shape = tsr_attribute_need_(s, a, "instrShape", version == 3 ? 3 : rank);
    *rows = shape[version == 3 || rank < 2 ? 0 : rank - 2];
    *columns = shape[version == 3 ? 1 : rank - 1];
    if (!s->failed && (rank < 2 || version < 2 || version > 3 || (*rows != 16 && *rows != 8) || *columns < 8))
        scan_fail(s, "nvidia_mma is read for versions 2 and 3, tiles of 8 or 16 rows and tensors of rank 2 or more");
    if (!s->failed && !tsr_is_pow2(*columns))
        scan_fail(s, "instrShape has %lld columns, and a linear map has a power of two", (long long)*columns);
    return version == 3;
}

void tsr_ttg_mma_(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r)
{
    dims const d = dims_of(shape, -1);
    placed p = tsr_placed_begin_(d.rank, false);
    int64_t rows = 0, columns = 0;
    bool const group = take_instruction(s, a, d.rank, &rows, &columns);
    int64_t const *const warps = tsr_attribute_need_(s, a, "warpsPerCTA", d.rank);
    if (s->failed)
        return;
    add_quads(s, &p, d.n, d.m, columns, rows, 2);
    add_warps(s, &p, warps, d.rank, group, -1); /* the warps of wgmma go down the rows first */
    if (!s->failed)
        *r = tsr_placed_fit_(s, &p, a, shape, d.minor);
}

/** The extents of AMD's instruction: M, N, and K where it is given, else 16. */
static void take_shape(scan *s, attribute const *a, int64_t *m, int64_t *n, int64_t *k)
{
    field const *const f = tsr_attribute_get_(a, "instrShape");
    bool const two = f && !f->nested && f->count >= 2 && f->count <= 3;
    if (f && !two)
        scan_fail(s, "instrShape has 2 or 3 integers");
    *m = two ? f->at[0] : 16;
    *n = two ? f->at[1] : 16;
    *k = two && f->count == 3 ? f->at[2] : 16;
    if (!s->failed && (!tsr_is_pow2(*m) || !tsr_is_pow2(*n) || !tsr_is_pow2(*k) || *m > 64 || *n > 64))
        scan_fail(s, "the extents of an instruction are powers of two, M and N at most 64");
}

/** isTransposed of mfma and wmma; older texts of wmma have isTranspose. */
static bool is_transposed(attribute const *a)
{
    return tsr_attribute_number_(a, "isTransposed", tsr_attribute_number_(a, "isTranspose", 0)) == 1;
}

/** How many tiles a warp has along each dimension. */
static int64_t const *tiles_of(scan *s, attribute const *a, int rank)
{
    static int64_t const ones[TSR_LINEAR_DIMS] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    return tsr_attribute_get_(a, "tilesPerWarp") ? tsr_attribute_need_(s, a, "tilesPerWarp", rank) : ones;
}

static bool is_mfma(int64_t m, int64_t n)
{
    return (m == 32 && n == 32) || (m == 16 && n == 16) || (m == 64 && n == 4) || (m == 4 && n == 64);
}

void tsr_ttg_mfma_(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r)
{
    dims const d = dims_of(shape, -1);
    placed p = tsr_placed_begin_(d.rank, false);
    int64_t m = 0, n = 0, k = 0;
    int64_t const *const warps = tsr_attribute_need_(s, a, "warpsPerCTA", d.rank), *const tiles =
                                                                                       tiles_of(s, a, d.rank);
    int64_t const together = tsr_attribute_number_(a, "elementBitWidth", 32) == 64 ? 1 : 4;
    bool const transposed = is_transposed(a);
    take_shape(s, a, &m, &n, &k);
    if (!s->failed && (d.rank < 2 || d.rank > 3 || !is_mfma(m, n) || (m == 64 && !transposed)))
        scan_fail(s, "amd_mfma is read for 32x32, 16x16, 4x64 and transposed 64x4, and tensors of rank 2 or 3");
    if (s->failed)
        return;
    int const along = transposed ? d.n : d.m, across = transposed ? d.m : d.n;
    int64_t const lanes = transposed ? m : n;
    tsr_placed_add_(s, &p, 0, along, together);
    tsr_placed_add_(s, &p, 1, across, lanes);
    tsr_placed_add_(s, &p, 1, along, 64 / lanes);
    tsr_placed_add_(s, &p, 0, along, tsr_max64(1, m * n / (64 * together)));
    tsr_placed_add_(s, &p, 0, d.n, tiles[d.n]);
    tsr_placed_add_(s, &p, 2, d.n, warps[d.n]);
    if (!s->failed) /* the tiles of all columns come before those of further rows */
        tsr_placed_add_(s, &p, 0, d.n, tsr_max64(1, shape->leaf[d.n].value / (n * warps[d.n] * tiles[d.n])));
    tsr_placed_add_(s, &p, 0, d.m, tiles[d.m]);
    tsr_placed_add_(s, &p, 2, d.m, warps[d.m]);
    if (d.rank == 3)
        tsr_placed_add_(s, &p, 2, 0, warps[0]);
    if (!s->failed)
        *r = tsr_placed_fit_(s, &p, a, shape, d.minor);
}

/** The version of wmma, from 1 to 3. */
static int64_t take_wmma(scan *s, attribute const *a, int rank)
{
    int64_t const version = *tsr_attribute_need_(s, a, "version", 1);
    if (!s->failed && (version < 1 || version > 3 || rank < 2 || rank > 3))
        scan_fail(s, "amd_wmma is read for versions 1 to 3 and tensors of rank 2 or 3");
    field const *const tiles = tsr_attribute_get_(a, "tilesPerWarp");
    for (int i = 0; tiles && i < tiles->count; ++i)
        if (tiles->at[i] != 1)
            scan_fail(s, "amd_wmma is read for one tile a warp");
    return version;
}

/** The bases of an input in tiles of 16 by 16: where each of its bits goes; in `k` it goes nowhere. */
static void add_tiles(scan *s, placed *p, attribute const *a, char const *key, int in, dims const *d, int k)
{
    field const *const f = tsr_attribute_get_(a, key);
    for (int row = 0; f && row < f->rows && !s->failed; ++row) {
        int dim = -1;
        int64_t x = 1;
        if (!f->nested || f->count != f->rows * d->rank)
            scan_fail(s, "a basis in tiles has an integer for each dimension");
        for (int i = 0; i < d->rank && !s->failed; ++i)
            if (f->at[row * d->rank + i] != 0) {
                x = dim < 0 ? f->at[row * d->rank + i] : 0;
                dim = i;
            }
        if (!s->failed && !tsr_is_pow2(x))
            scan_fail(s, "a basis in tiles is one power of two");
        if (!s->failed)
            tsr_placed_bit_(s, p, in, dim == k ? -1 : dim,
                            dim < d->m ? tsr_bit_width((uint64_t)x) - 1 : tsr_bit_width((uint64_t)x) + 3);
    }
}

/** The warps of wmma: warpsPerCTA, or bases in tiles, and then registers have bases, too. */
static void add_wmma_warps(scan *s, placed *p, attribute const *a, dims const *d, int k)
{
    if (tsr_attribute_get_(a, "warp") || tsr_attribute_get_(a, "register")) {
        add_tiles(s, p, a, "register", 0, d, k);
        add_tiles(s, p, a, "warp", 2, d, k);
    } else {
        add_warps(s, p, tsr_attribute_need_(s, a, "warpsPerCTA", d->rank), d->rank, false, k);
    }
}

/** A tile of 16 by 16: 8 registers down the rows, every second row in version 1, and 16 lanes across. */
void tsr_ttg_wmma_(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r)
{
    dims const d = dims_of(shape, -1);
    placed p = tsr_placed_begin_(d.rank, false);
    int64_t const version = take_wmma(s, a, d.rank);
    if (s->failed)
        return;
    int const across = is_transposed(a) ? d.m : d.n, along = is_transposed(a) ? d.n : d.m;
    for (int bit = 0; bit < 3; ++bit)
        tsr_placed_bit_(s, &p, 0, along, bit + (version == 1));
    tsr_placed_add_(s, &p, 1, across, 16);
    tsr_placed_bit_(s, &p, 1, along, version == 1 ? 0 : 3);
    add_wmma_warps(s, &p, a, &d, -2);
    if (!s->failed)
        *r = tsr_placed_fit_(s, &p, a, shape, d.minor);
}

/** What operands have in common: the dimension k of products, the other one, and how many k a lane has in a row. */
typedef struct operand {
    int k, other;
    int64_t which, width, size; /* size: of the tensor along k */
} operand;

static void blocked_operand(scan *s, placed *p, attribute const *a, operand const *o, dims *d)
{
    int64_t const *const order = tsr_ttg_order_(s, a, d->rank), *const size = tsr_attribute_need_(
                                                                    s, a, "sizePerThread", d->rank);
    for (int i = 0; i < d->rank && !s->failed; ++i) {
        d->minor[i] = order[i];
        tsr_placed_add_(s, p, 0, (int)order[i], order[i] == o->k ? o->size : size[order[i]]);
    }
    for (int in = 1; in < 3; ++in) {
        int64_t const *const n = tsr_attribute_need_(s, a, in == 1 ? "threadsPerWarp" : "warpsPerCTA", d->rank);
        for (int i = 0; i < d->rank && !s->failed; ++i)
            tsr_placed_add_(s, p, in, order[i] == o->k ? -1 : (int)order[i], n[order[i]]);
    }
}

static void nvidia_operand(scan *s, placed *p, attribute const *a, operand const *o, dims const *d)
{
    int64_t rows = 0, columns = 0;
    bool const group = take_instruction(s, a, d->rank, &rows, &columns);
    int64_t const *const warps = tsr_attribute_need_(s, a, "warpsPerCTA", d->rank);
    if (group && o->which == 1)
        scan_fail(s, "the right operand of wgmma is in shared memory");
    if (s->failed)
        return;
    add_quads(s, p, o->k, o->other, o->width * (rows == 8 ? 4 : 8), o->which == 0 ? rows : 8, o->width);
    add_warps(s, p, warps, d->rank, group, o->k);
}

static void mfma_operand(scan *s, placed *p, attribute const *a, operand const *o, dims const *d)
{
    int64_t m = 0, n = 0, k = 0;
    int64_t const *const warps = tsr_attribute_need_(s, a, "warpsPerCTA", d->rank), *const tiles =
                                                                                        tiles_of(s, a, d->rank);
    take_shape(s, a, &m, &n, &k);
    if (!s->failed && (d->rank > 3 || !is_mfma(m, n)))
        scan_fail(s, "amd_mfma is read for 32x32, 16x16, 4x64 and 64x4, and tensors of rank 2 or 3");
    if (s->failed)
        return;
    int64_t const lanes = o->which == 0 ? m : n;
    bool const whole = lanes == 64; /* 64 by 64, which 16 products share */
    int64_t const tile = 64 / lanes * o->width * (whole ? 16 : 1);
    tsr_placed_add_(s, p, 0, o->k, o->width);
    tsr_placed_add_(s, p, 1, o->other, lanes);
    tsr_placed_add_(s, p, 1, o->k, 64 / lanes);
    tsr_placed_add_(s, p, 0, o->k, whole ? 16 : 1);
    tsr_placed_add_(s, p, 0, o->k, tsr_max64(1, o->size / tile));
    tsr_placed_add_(s, p, 0, o->other, tiles[o->other]);
    add_warps(s, p, warps, d->rank, false, -1);
}

static void wmma_operand(scan *s, placed *p, attribute const *a, operand const *o, dims const *d)
{
    int64_t m = 0, n = 0, k = 0;
    int64_t const version = take_wmma(s, a, d->rank);
    take_shape(s, a, &m, &n, &k);
    if (tsr_attribute_get_(a, "warp") || tsr_attribute_get_(a, "register"))
        scan_fail(s, "operands of amd_wmma are read with warpsPerCTA, not with bases of warps");
    if (s->failed)
        return;
    int64_t const lanes = o->which == 0 ? m : n, deep = tsr_max64(1, 32 / lanes);
    tsr_placed_add_(s, p, 0, o->k, o->width);
    tsr_placed_add_(s, p, 1, o->other, lanes);
    tsr_placed_add_(s, p, 1, version == 1 ? -1 : o->k, deep); /* version 1 has every element twice */
    tsr_placed_add_(s, p, 0, o->k, tsr_max64(1, k / (deep * o->width)));
    add_wmma_warps(s, p, a, d, o->k);
}

void tsr_ttg_operand_(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r)
{
    attribute parent;
    operand o;
    o.which = *tsr_attribute_need_(s, a, "opIdx", 1);
    o.width = tsr_attribute_number_(a, "kWidth", 1);
    if (!s->failed && (shape->leaves < 2 || o.which < 0 || o.which > 1 || !a->parent))
        scan_fail(s, "dot_op has opIdx 0 or 1, a parent, and a tensor of rank 2 or more");
    if (s->failed)
        return;
    o.k = o.which == 0 ? shape->leaves - 1 : shape->leaves - 2;
    o.other = o.which == 0 ? shape->leaves - 2 : shape->leaves - 1;
    o.size = shape->leaf[o.k].value;
    dims d = dims_of(shape, o.k);
    placed p = tsr_placed_begin_(d.rank, false);
    char const *const behind = s->p;
    s->p = a->parent;
    tsr_attribute_take_(s, &parent);
    if (!s->failed && strcmp(parent.name, "blocked") != 0 && (!tsr_is_pow2(o.width) || o.width > 64))
        scan_fail(s, "kWidth is a power of two up to 64"); /* operands of blocked layouts have 0 */
    if (!s->failed && strcmp(parent.name, "blocked") == 0)
        blocked_operand(s, &p, &parent, &o, &d);
    else if (!s->failed && strcmp(parent.name, "nvidia_mma") == 0)
        nvidia_operand(s, &p, &parent, &o, &d);
    else if (!s->failed && strcmp(parent.name, "amd_mfma") == 0)
        mfma_operand(s, &p, &parent, &o, &d);
    else if (!s->failed && strcmp(parent.name, "amd_wmma") == 0)
        wmma_operand(s, &p, &parent, &o, &d);
    else
        scan_fail(s, "the parent of dot_op is blocked, nvidia_mma, amd_mfma or amd_wmma");
    if (!s->failed)
        *r = tsr_placed_fit_(s, &p, &parent, shape, d.minor);
    s->p = behind;
}

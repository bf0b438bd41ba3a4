/** TMA plans at work: what the emulator moves is what the layouts say.
 *
 *  usage: tma [SEED [CASES]]. Every case draws a tensor with ragged edges, a layout of shared memory and a tile,
 *  plans the copy, and executes all of its instructions. The models here know layouts and index arithmetic only.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../random.h"
#include "../sanitizer.h"
#include "../unsaid.h"
#include "tessera/atom/hopper_parts.h"
#include "tessera/exec/tma.h"
#include "tessera/text.h"
#include "tessera/tma/im2col_tile.h"
#include "tessera/tma/tile.h"

enum { GLOBAL = 1 << 20, SHARED = 1 << 16, CTAS = 4, SHOWN = 5 };

static unsigned char global[GLOBAL], before[GLOBAL], shared[CTAS][SHARED];
static int failed, moved, refused;

/** Eight bytes of each number: a case fills a megabyte. */
static void fill_random(unsigned char *p, size_t n)
{
    for (size_t i = 0; i < n; i += sizeof(uint64_t)) {
        uint64_t const bits = random_bits();
        memcpy(p + i, &bits, n - i < sizeof bits ? n - i : sizeof bits);
    }
}

static bool check(bool truth, char const *law, int64_t at)
{
    failed += !truth;
    if (!truth && failed <= SHOWN)
        printf("FAILED %s, at %lld\n", law, (long long)at);
    return truth;
}

static void show_reason(char const *what, tsr_reason why)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_reason(text, sizeof text, why);
    check(false, what, 0);
    printf("    %s\n", text);
}

/* A copy: tensor (m,k), its tile in shared memory, the plan. */

typedef struct copy {
    tsr_tma_copy plan;
    tsr_layout tensor;
    tsr_smem_layout smem;
    int64_t m, k, tile_m, tile_k;
    int bytes; /* of an element */
} copy;

/** A plain tile, or one of the swizzled ones that matrix instructions read, either mode contiguous. */
static tsr_layout any_tile(copy const *c, int bits, bool k_major)
{
    int64_t const span = (int64_t)(16 << bits) / c->bytes;
    tsr_tuple const shape = tsr_t(tsr_s(c->tile_m), tsr_s(c->tile_k));
    tsr_layout const atom = k_major ? tsr_make_layout(tsr_t(tsr_s(8), tsr_s(span)), tsr_t(tsr_s(span), tsr_s(1)))
                                    : tsr_make_layout(tsr_t(tsr_s(span), tsr_s(8)), tsr_t(tsr_s(1), tsr_s(span)));
    return tsr_tile_to_shape(atom, shape);
}

/** The type itself, or one that holds several elements of it, or a part of one. */
static tsr_dtype any_moved(tsr_dtype type)
{
    static tsr_dtype const other[] = {TSR_U16, TSR_U32, TSR_U64};
    tsr_dtype const moved = other[below(3)];
    return below(2) != 0 ? moved : type;
}

static copy any_copy(tsr_tma_op op, int64_t ctas)
{
    static tsr_dtype const types[] = {TSR_U8, TSR_F16, TSR_BF16, TSR_F32, TSR_I32, TSR_F64};
    copy c;
    memset(&c, 0, sizeof c);
    tsr_dtype const type = types[below(6)];
    int const bits = (int)below(5) - 1; /* -1: no atom at all */
    bool const k_major = below(2) != 0;
    c.bytes = tsr_dtype_bits(type) / 8;
    int64_t const unit = 16 / c.bytes, atom = (int64_t)(16 << (bits < 0 ? 0 : bits)) / c.bytes;
    c.tile_m = k_major ? 8 << below(3) : atom << below(2);
    c.tile_k = k_major ? atom << below(2) : 8 << below(3);
    tsr_tma_types const moves = {type, any_moved(type)};
    int64_t const word = tsr_dtype_bits(moves.internal) > tsr_dtype_bits(type)
                             ? tsr_dtype_bits(moves.internal) / tsr_dtype_bits(type)
                             : 1;
    c.m = (1 + below(3 * c.tile_m / word)) * (k_major ? 1 : word);
    c.k = (1 + below(3 * c.tile_k / word)) * (k_major ? word : 1);
    int64_t const pitch = ((k_major ? c.k : c.m) + unit - 1) / unit * unit + unit * below(2);
    c.tensor = tsr_make_layout(tsr_t(c.m, c.k), k_major ? tsr_t(pitch, tsr_s(1)) : tsr_t(tsr_s(1), pitch));
    tsr_layout const plain =
        tsr_make_layout_from(tsr_t(tsr_s(c.tile_m), tsr_s(c.tile_k)), k_major ? tsr_right() : tsr_left());
    c.smem = tsr_make_smem_layout(tsr_make_swizzle(bits < 0 ? 0 : bits, 4, 3), type,
                                  bits < 0 ? plain : any_tile(&c, bits, k_major));
    c.plan = tsr_make_tma_copy(op, moves, c.tensor, c.smem, TSR_TILER(tsr_t(tsr_s(c.tile_m), tsr_s(c.tile_k))),
                               tsr_int(ctas));
    /* A mode () is none to the hardware. */
    tsr_layout const hollow = tsr_layout_unchecked(tsr_tuple_append(c.tensor.shape, tsr_unit()),
                                                   tsr_tuple_append(c.tensor.stride, tsr_unit()));
    tsr_tma_copy const same = tsr_make_tma_copy(op, moves, hollow, c.smem,
                                                TSR_TILER(tsr_t(tsr_s(c.tile_m), tsr_s(c.tile_k))), tsr_int(ctas));
    check(memcmp(&same.desc, &c.plan.desc, sizeof same.desc) == 0, "the map of a tensor with a mode ()", c.m);
    return c;
}

static uint64_t element(void const *p, int bytes)
{
    uint64_t v = 0;
    memcpy((unsigned char *)&v + tsr_low_bytes_((size_t)bytes), p, (size_t)bytes);
    return v;
}

/** The byte of element (m,k) of the tile that begins at `address`, as CuTe's swizzled tensor finds it. */
static int64_t smem_byte(copy const *c, int64_t address, int64_t m, int64_t k)
{
    int64_t const at = address + tsr_at(c->smem.layout, tsr_t(m, k)) * c->bytes;
    return (int64_t)tsr_swizzle_apply(c->smem.swizzle, (uint64_t)at);
}

/** The coordinate of instruction j of a partitioned tile, and where its part of the tile begins. */
static tsr_tma_box box_of(tsr_tensor const *part, tsr_tma_copy const *plan, int64_t j, int64_t address)
{
    tsr_tma_box at;
    memset(&at, 0, sizeof at);
    at.shared = shared[0];
    tsr_tuple const where =
        tsr_tuple_flatten(tsr_tma_coordinate(*plan, tsr_tensor_at(*part, tsr_t(tsr_t(0, j), 0, 0))));
    for (int i = 0; i < where.leaves && i < TSR_TMA_DIMS; ++i)
        at.coord[i] = where.leaf[i].value;
    at.size = SHARED;
    at.address = address + j * plan->elements * tsr_dtype_bits(plan->types.value) / 8;
    return at;
}

static tsr_tensor tile_of(copy const *c, int64_t cta, int64_t tm, int64_t tk)
{
    tsr_tiler const tile = TSR_TILER(tsr_t(tsr_s(c->tile_m), tsr_s(c->tile_k)));
    tsr_tensor const mine = tsr_local_tile(tsr_get_tma_tensor(c->plan), tile, tsr_t(tm, tk));
    return tsr_tma_partition_s(c->plan, tsr_int(cta), mine);
}

static int64_t instructions(copy const *c) { return c->tile_m * c->tile_k / c->plan.elements; }

/** Every element of the tile in shared memory is that of the tensor, and zero outside of it. */
static void check_tile(copy const *c, unsigned char const *smem, int64_t tm, int64_t tk, char const *law)
{
    for (int64_t i = 0; i < c->tile_m * c->tile_k; ++i) {
        int64_t const m = i % c->tile_m, k = i / c->tile_m, gm = tm * c->tile_m + m, gk = tk * c->tile_k + k;
        bool const inside = gm < c->m && gk < c->k;
        int64_t const from = inside ? tsr_at(c->tensor, tsr_t(gm, gk)) * c->bytes : 0;
        uint64_t const wanted = inside ? element(global + from, c->bytes) : 0;
        if (!check(element(smem + smem_byte(c, 1024, m, k), c->bytes) == wanted, law, i))
            return;
    }
}

/** The tensor is what it was before; so is the rest, but for what stands with a row's end in the same 16 bytes. */
static void check_tensor(copy const *c)
{
    bool const k_major = c->tensor.stride.leaf[1].value == 1;
    int64_t const rows = k_major ? c->m : c->k, row = (k_major ? c->k : c->m) * c->bytes;
    int64_t const pitch = tsr_at(c->tensor, k_major ? tsr_t(1, 0) : tsr_t(0, 1)) * c->bytes;
    int64_t const whole = (row + 15) / 16 * 16;
    for (int64_t i = 0; i < rows; ++i) {
        int64_t const end = i < rows - 1 ? (i + 1) * pitch : (int64_t)GLOBAL;
        check(memcmp(global + i * pitch, before + i * pitch, (size_t)row) == 0, "store o load is the identity", i);
        check(memcmp(global + i * pitch + whole, before + i * pitch + whole, (size_t)(end - i * pitch - whole)) == 0,
              "a store leaves the rest alone", i);
    }
}

/** Loads tile by tile; stores what was loaded into an empty tensor. */
static void law_load_store(void)
{
    copy const c = any_copy(TSR_SM90_TMA_LOAD, 1);
    if (c.plan.desc.why.status) {
        show_reason("a plan", tsr_why(c.plan.desc.why));
        return;
    }
    fill_random(global, sizeof global);
    memcpy(before, global, sizeof global);
    for (int64_t tm = 0; tm * c.tile_m < c.m; ++tm) {
        for (int64_t tk = 0; tk * c.tile_k < c.k; ++tk) {
            tsr_tensor const part = tile_of(&c, 0, tm, tk);
            if (tsr_tensor_why(part).status) {
                show_reason("partition_S", tsr_why(part));
                return;
            }
            memset(shared[0], 0xee, SHARED);
            for (int64_t j = 0; j < instructions(&c); ++j) {
                tsr_tma_box at = box_of(&part, &c.plan, j, 1024);
                at.shared = shared[0];
                tsr_reason const n = tsr_tma_load(&c.plan.desc, global, &at);
                if (n.status)
                    show_reason("a load", n);
                else
                    check(tsr_tma_box_bytes(&c.plan.desc) == c.plan.elements * c.bytes, "bytes of a transaction", j);
                ++moved;
            }
            check_tile(&c, shared[0], tm, tk, "the tile read back is the tensor");
            for (int64_t i = 0; i < c.tile_m * c.tile_k; ++i) { /* nothing of the tile is left in the tensor */
                int64_t const gm = tm * c.tile_m + i % c.tile_m, gk = tk * c.tile_k + i / c.tile_m;
                if (gm < c.m && gk < c.k)
                    memset(global + tsr_at(c.tensor, tsr_t(gm, gk)) * c.bytes, 0, (size_t)c.bytes);
            }
            for (int64_t j = 0; j < instructions(&c); ++j) {
                tsr_tma_box at = box_of(&part, &c.plan, j, 1024);
                at.shared = shared[0];
                check(tsr_ok(tsr_tma_store(&c.plan.desc, global, &at)), "a store", j);
            }
            check_tensor(&c);
        }
    }
}

/** Rows that are up to three modes of the tensor, in any order in memory, static or not: tiles of whole modes. */
static void law_row_modes(void)
{
    copy c;
    memset(&c, 0, sizeof c);
    tsr_tuple shape = TSR_ZERO, stride = TSR_ZERO;
    int64_t extent[3], step[3] = {0}, pitch = 64;
    int const modes = 1 + (int)below(3), first = (int)below(3), fixed = (int)below(2);
    c.m = 1;
    for (int i = 0; i < modes; ++i)
        c.m *= extent[i] = (int64_t)1 << below(i == 0 ? 4 : 3);
    for (int i = 0; i < modes; ++i) {
        int const at = (i + first) % modes;
        step[at] = pitch;
        pitch *= extent[at];
    }
    for (int i = 0; i < modes; ++i) {
        tsr_tuple_push_leaf(&shape, fixed ? tsr_leaf_static(extent[i]) : tsr_leaf_dynamic(extent[i]));
        tsr_tuple_push_leaf(&stride, tsr_leaf_dynamic(step[i]));
    }
    c.bytes = 2;
    c.k = c.tile_k = 64;
    c.tile_m = below(2) != 0 ? c.m : extent[0];
    c.tensor = tsr_make_layout(tsr_t(tsr_tuple_close(shape), 64), tsr_t(tsr_tuple_close(stride), tsr_s(1)));
    c.smem = tsr_make_smem_layout(tsr_make_swizzle(3 * (int)below(2), 4, 3), TSR_U16,
                                  tsr_make_layout_from(tsr_t(tsr_s(c.tile_m), tsr_s(64)), tsr_right()));
    tsr_tma_types const moves = {TSR_U16, TSR_U16};
    c.plan = tsr_make_tma_copy(TSR_SM90_TMA_LOAD, moves, c.tensor, c.smem,
                               TSR_TILER(tsr_t(tsr_s(c.tile_m), tsr_s(64))), tsr_int(1));
    if (c.plan.desc.why.status) {
        show_reason("a plan of rows of several modes", tsr_why(c.plan.desc.why));
        return;
    }
    fill_random(global, sizeof global);
    for (int64_t tm = 0; tm * c.tile_m < c.m; ++tm) {
        tsr_tensor const part = tile_of(&c, 0, tm, 0);
        if (tsr_tensor_why(part).status) {
            show_reason("a tile of rows of several modes", tsr_why(part));
            return;
        }
        memset(shared[0], 0xee, SHARED);
        for (int64_t j = 0; j < instructions(&c); ++j, ++moved) {
            tsr_tma_box const at = box_of(&part, &c.plan, j, 1024);
            check(!tsr_tma_load(&c.plan.desc, global, &at).status, "a load of rows of several modes", j);
        }
        check_tile(&c, shared[0], tm, 0, "rows of several modes");
    }
}

/** Every CTA of a cluster loads its part of the box into all of them. */
static void law_multicast(void)
{
    int64_t const ctas = 2 << below(2);
    copy const c = any_copy(TSR_SM90_TMA_LOAD_MULTICAST, ctas);
    if (c.plan.desc.why.status) { /* the parts of a box may be too narrow for the swizzle or the row */
        ++refused;
        return;
    }
    fill_random(global, sizeof global);
    unsigned char *all[CTAS];
    for (int i = 0; i < CTAS; ++i)
        all[i] = shared[i];
    memset(shared, 0xee, sizeof shared);
    for (int64_t cta = 0; cta < ctas; ++cta) {
        tsr_tensor const part = tile_of(&c, cta, 0, 0);
        if (tsr_tensor_why(part).status) {
            show_reason("partition_S of a multicast", tsr_why(part));
            return;
        }
        for (int64_t j = 0; j < instructions(&c); ++j) {
            tsr_tma_box at = box_of(&part, &c.plan, j, 1024);
            at.address += cta * c.plan.elements / ctas * c.bytes;
            tsr_reason const n = tsr_tma_load_multicast(&c.plan.desc, global, &at, all, (1u << ctas) - 1);
            if (n.status == TSR_TMA_SMEM_ALIGN) { /* as the parts of small boxes do */
                ++refused;
                return;
            }
            if (n.status)
                show_reason("a multicast", n);
            ++moved;
        }
    }
    for (int64_t cta = 0; cta < ctas; ++cta)
        check_tile(&c, shared[cta], 0, 0, "a multicast gives every CTA the tile");
}

/** Element strides and boxes that begin outside, in up to five dimensions, against index arithmetic. */
static void law_steps(void)
{
    tsr_tma_desc d = tsr_tma_no_desc();
    tsr_tma_box at;
    int64_t bytes = 4;
    memset(&at, 0, sizeof at);
    d.format = TSR_TMA_FLOAT32;
    d.rank = (int32_t)(1 + below(5));
    d.fill = (uint8_t)below(2);
    for (int i = 0; i < d.rank; ++i) {
        d.dim[i] = 1 + below(9);
        d.step[i] = i == 0 ? 1 : 1 + below(3);
        d.box[i] = i == 0 ? 4 + 4 * below(3) : 1 + below(6);
        d.stride[i] = i == 0 ? 4 : bytes;
        bytes = i == 0 ? (d.dim[0] * 4 + 15) / 16 * 16 : bytes * (d.dim[i] + below(2));
        at.coord[i] = i == 0 ? 4 * (below(5) - 2) : below(12) - 4;
    }
    at.shared = shared[0];
    at.size = SHARED;
    at.address = 128 * below(8);
    memset(shared[0], 0xee, SHARED);
    fill_random(global, sizeof global);
    tsr_reason const n = tsr_tma_load(&d, global, &at);
    if (n.status) {
        ++refused;
        return;
    }
    int64_t const count = tsr_tma_box_bytes(&d) / 4;
    for (int64_t e = 0; e < count; ++e) {
        int64_t rest = e, from = 0;
        bool inside = true;
        for (int i = 0; i < d.rank; ++i) {
            int64_t const extent = (d.box[i] + d.step[i] - 1) / d.step[i],
                          x = at.coord[i] + rest % extent * d.step[i];
            rest /= extent;
            inside = inside && x >= 0 && x < d.dim[i];
            from += x * d.stride[i];
        }
        uint64_t const wanted = inside ? element(global + from, 4) : d.fill ? 0x7ff77ff7 : 0;
        if (!check(element(shared[0] + at.address + e * 4, 4) == wanted, "a box with steps", e))
            return;
    }
    check(shared[0][at.address + count * 4] == 0xee, "nothing behind the box is written", 0);
    ++moved;
}

/** Rows of a tensor in any order into a tile, and back: the plan says where each four of them stand. */
static void law_gather(void)
{
    int const type = below(2) != 0 ? TSR_F32 : TSR_F16, bytes = tsr_dtype_bits((tsr_dtype)type) / 8;
    int const bits = (int)below(4);
    int64_t const columns = (int64_t)(16 << bits) / bytes, height = 8 << below(2), blocks = 1 + below(2);
    int64_t const m = 1 + below(40), k = 1 + below(2 * columns * blocks);
    int64_t const pitch = (k * bytes + 15) / 16 * 16 / bytes + 16 / bytes * below(2), order[4] = {3, 1, 0, 2};
    tsr_layout const tensor = tsr_make_layout(tsr_t(m, k), tsr_t(pitch, tsr_s(1)));
    tsr_tuple const shape = tsr_t(tsr_s(height), tsr_s(columns * blocks));
    tsr_smem_layout const smem = tsr_make_smem_layout(
        tsr_make_swizzle(bits, 4, 3), (tsr_dtype)type,
        tsr_tile_to_shape(tsr_make_layout(tsr_t(tsr_s(8), tsr_s(columns)), tsr_t(tsr_s(columns), tsr_s(1))), shape));
    tsr_tma_types const moves = {(tsr_dtype)type, (tsr_dtype)type};
    tsr_tma_copy const plan =
        tsr_make_tma_copy(TSR_SM100_TMA_LOAD_2D_GATHER4, moves, tensor, smem, TSR_TILER(shape), tsr_int(1));
    if (plan.desc.why.status) {
        show_reason("a plan of gather4", tsr_why(plan.desc.why));
        return;
    }
    check(plan.elements == 4 * columns && plan.desc.box[1] == 1, "gather4 moves four rows", plan.elements);
    int64_t row[32];
    for (int64_t i = 0; i < height; ++i)
        row[i] = below(m + 8) - 4;
    fill_random(global, (size_t)(m * pitch * bytes));
    memcpy(before, global, (size_t)(m * pitch * bytes));
    tsr_tensor const part = tsr_tma_partition_s(
        plan, tsr_int(0), tsr_local_tile(tsr_get_tma_tensor(plan), TSR_TILER(shape), tsr_t(0, 0)));
    for (int64_t j = 0; j < height * columns * blocks / plan.elements; ++j) {
        tsr_tma_box at = box_of(&part, &plan, j, 1024);
        tsr_reason const n = tsr_tma_gather4(&plan.desc, global, &at, row + at.coord[1]);
        if (n.status == TSR_TMA_SMEM_ALIGN) { /* four short rows do not fill 128 bytes */
            ++refused;
            return;
        }
        check(n.status == TSR_OK && 4 * tsr_tma_box_bytes(&plan.desc) == plan.elements * bytes,
              "the bytes of gather4", j);
    }
    for (int64_t i = 0; i < height * columns * blocks; ++i) {
        int64_t const r = i % height, c = i / height;
        int64_t const byte = 1024 + tsr_at(smem.layout, tsr_t(r, c)) * bytes;
        uint64_t const got = element(shared[0] + tsr_swizzle_apply(smem.swizzle, (uint64_t)byte), bytes);
        bool const inside = row[r] >= 0 && row[r] < m && c < k;
        if (!check(got == (inside ? element(global + tsr_at(tensor, tsr_t(row[r], c)) * bytes, bytes) : 0),
                   "gather4 brings the rows that it is told", i))
            return;
    }
    for (int64_t i = 0; i < 4; ++i) /* a permutation of the first four rows is undone by its inverse */
        row[i] = order[i];
    tsr_tma_box at = box_of(&part, &plan, 0, 1024);
    check(tsr_ok(tsr_tma_gather4(&plan.desc, global, &at, row)), "gather4 of a permutation", 0);
    memset(global, 0xee, (size_t)(pitch * bytes)); /* row 0 */
    check(tsr_ok(tsr_tma_scatter4(&plan.desc, global, &at, row)), "scatter4 of a permutation", 0);
    for (int64_t c = 0; c < columns && c < k; ++c)
        check(element(global + c * bytes, bytes) == element(before + c * bytes, bytes), "scatter4 o gather4", c);
    ++moved;
}

#include "im2col.inc"
#include "reduce.inc"
#include "tile.inc"
#include "rules.inc"

/** The driver is asked only for maps that keep the rules. */
static void law_encode(void)
{
    tsr_tma_map map;
    tsr_tma_desc const good = tsr_tma_tiled(TSR_F16, tsr_t(64, 8), tsr_t(128), tsr_t(64, 8), tsr_t(1, 1), tsr_unit());
    tsr_tma_desc const bad = tsr_tma_tiled(TSR_F16, tsr_t(64, 8), tsr_t(120), tsr_t(64, 8), tsr_t(1, 1), tsr_unit());
    check(sizeof map == 128 && TSR_ALIGNMENT(tsr_tma_map) == 64, "a map of the driver's", 0);
    int const status = tsr_tma_encode(&good, 4096, &map).status;
    check(status == TSR_OK || status == TSR_TMA_DRIVER || status == TSR_TMA_ENCODE, "a good map", status);
    check(tsr_tma_encode(&bad, 4096, &map).status == TSR_TMA_STRIDE, "a bad stride", 0);
    check(tsr_tma_encode(&good, 4104, &map).status == TSR_TMA_ADDRESS, "a bad address", 0);
}

int main(int argc, char **argv)
{
    uint64_t const seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int const cases = OF_CASES(argc > 2 ? atoi(argv[2]) : 100);
    random_begin(seed);
    for (int i = 0; i < cases; ++i) {
        law_load_store();
        law_row_modes();
        law_multicast();
        law_multicast();
        law_tile();
        law_tile();
        law_hopper_parts();
        law_im2col_tile();
        law_im2col_tile();
        for (int k = 0; k < 3; ++k) {
            law_convolution();
            law_gather();
        }
        for (int k = 0; k < 10; ++k) {
            law_steps();
            law_im2col();
            law_reduce();
            law_reduce_floats();
            law_rules();
            law_room();
        }
    }
    law_encode();
    law_tile_refused();
    law_im2col_tile_refused();
    printf("%d boxes moved, %d plans refused, %d failed; seed %llu\n", moved, refused, failed,
           (unsigned long long)seed);
    return failed != 0 || moved == 0;
}

/** Products with an im2col view, without a GPU: what the planner finds in a view (src/gpu/gemm_pixels.c), what the
 *  kernel walks through (src/gpu/kernels/pixels.h), and the copy engine of the CPU (exec/tma.h) give the same sums as
 *  the engine for products.
 *
 *  usage: gpu_pixels [SEED [ROUNDS]] */
#include <stdlib.h>
#include <string.h>

#include "any_view.h"
#include "check.h"
#include "gpu/gemm.h"
#include "tessera/exec/tma.h"
#include "tessera/text.h"

enum { MOST = 1 << 18, SIDE = 128, STEPS = 3 };

static _Alignas(16) unsigned char memory[2][MOST];
static _Alignas(1024) unsigned char shared[2][SIDE * 128];
static int64_t along_k[2][MOST / 4];
static int seen[TSR_PIXEL_DIMS + 1], plain, in_parts, along_n, others;

static uint64_t element(unsigned char const *at, int64_t i, int64_t bytes)
{
    uint64_t r = 0;
    for (int64_t k = 0; k < bytes; ++k)
        r |= (uint64_t)at[i * bytes + k] << (8 * k);
    return r;
}

/** Bits that a load leaves as they are. */
static void fill(conv const *x)
{
    for (int64_t i = 0; i < 2 * MOST; ++i) {
        unsigned char *const to = memory[i / MOST] + i % MOST;
        *to = x->type != TSR_TF32 ? (unsigned char)noise(256) : i % 4 == 2 ? (unsigned char)noise(128) : 0;
    }
}

/** Moves a box to element `to` of shared memory. */
static bool load(tsr_tma_desc const *d, int side, int64_t to, int64_t bytes, int64_t const coord[TSR_TMA_DIMS],
                 int64_t const offset[3])
{
    tsr_tma_box box;
    memset(&box, 0, sizeof box);
    box.shared = shared[side];
    box.size = sizeof shared[side];
    box.address = to * bytes;
    memcpy(box.coord, coord, sizeof box.coord);
    memcpy(box.offset, offset, sizeof box.offset);
    return !tsr_tma_load(d, (void const *)(uintptr_t)d->address, &box).status;
}

/** A tile of the kernel: its maps, its layouts of shared memory, where it is. */
typedef struct tile {
    gpu_pixels const *x;
    tsr_tma_desc image, filter;
    tsr_tma_tile boxes;
    tsr_layout smem[2];
    int64_t bytes, step, m, n; /* of an element; elements of a step of K; the first row and column */
    int64_t *place[2];         /* of the elements of both tiles in shared memory, by rows */
} tile;

/** Brings a step as the kernel's source does (hopper_pixels.cuh). */
static bool bring(tile const *t, tsr_pixel_walk const *at)
{
    int const dims = t->x->view.dims;
    int64_t coord[TSR_TMA_DIMS] = {at->block * t->step}, offset[3] = {0}, none[3] = {0};
    for (int i = 0; i < dims; ++i) {
        coord[1 + i] = at->first[i];
        offset[i] = at->tap[i] * t->x->view.dilation[i];
    }
    coord[1 + dims] = at->first[TSR_PIXEL_DIMS];
    bool good = load(&t->image, 0, 0, t->bytes, coord, offset);
    for (int i = 0; i < t->boxes.boxes && good; ++i) {
        int64_t const first[2] = {t->n + tsr_tma_tile_row(&t->boxes, i),
                                  at->block * t->step + tsr_tma_tile_column(&t->boxes, i)};
        int64_t to[TSR_TMA_DIMS] = {first[t->boxes.along], first[1 - t->boxes.along]};
        for (int k = 0; k < dims; ++k)
            to[2 + k] = at->tap[k];
        good = load(&t->filter, 1, (int64_t)i * t->boxes.elements, t->bytes, to, none);
    }
    return good;
}

/** The sums of a tile over parts of K, modulo 2^64: of bits, for a product of bits has one value only where all factors
 *  are the right ones. */
static bool sums_of(tile const *t, int64_t steps, int splits, int rows, int columns, uint64_t *sum)
{
    int64_t const each = (steps + splits - 1) / splits;
    bool good = true;
    memset(sum, 0, sizeof *sum * (size_t)(rows * columns));
    for (int part = 0; part < splits; ++part) {
        tsr_pixel_walk at = tsr_pixel_walk_begin(&t->x->view, t->x->view.dims, (int32_t)t->m, (int32_t)(part * each));
        for (int64_t k = 0; k < each && good; ++k, tsr_pixel_walk_next(&at, &t->x->view, t->x->view.dims)) {
            memset(shared, 255, sizeof shared);
            good = bring(t, &at);
            for (int64_t i = 0; i < rows * t->step; ++i) {
                int64_t const row = i / t->step, by = i % t->step;
                uint64_t const a = element(shared[0], t->place[0][i], t->bytes);
                good = good && (part * each + k < steps || a == 0); /* behind the end, whatever the memory has */
                for (int64_t j = 0; j < columns && a != 0; ++j)
                    sum[row * columns + j] += a * element(shared[1], t->place[1][j * t->step + by], t->bytes);
            }
        }
    }
    return good;
}

/** What the kernel multiplies: its rows and its columns, each a row of K. */
typedef struct side {
    unsigned char const *memory;
    tsr_layout const *layout;
    int64_t size;
} side;

/** An element of a tile, by the layouts. */
static uint64_t sum_of(side const by[2], int64_t m, int64_t n, int64_t k, int64_t bytes)
{
    uint64_t r = 0;
    int64_t const row = tsr_at(*by[0].layout, tsr_t(m, 0)), column = tsr_at(*by[1].layout, tsr_t(n, 0));
    for (int64_t i = 0; i < k; ++i)
        r += element(by[0].memory, row + along_k[0][i], bytes) * element(by[1].memory, column + along_k[1][i], bytes);
    return r;
}

/** A tile of a product, and the same sums by the layouts. */
static void test_tile(conv const *c, tsr_gemm_problem const *p, gpu_pixels const *x, tsr_gemm_problem const *by)
{
    static uint64_t sum[SIDE * SIDE];
    static int64_t place[2][SIDE * 128];
    bool const first = x->swapped == c->turned; /* the kernel's rows are pixels */
    side const view = {memory[0], &c->view, tsr_size(tsr_mode(c->view, 0))},
               filter = {memory[1], &c->filter, c->filters};
    side const sides[2] = {first ? view : filter, first ? filter : view};
    gpu_product const product = tsr_gpu_product_of_(by, x->swapped);
    int const rows = 64 << below(2), columns = 16 * (1 + (int)below(8)),
              parts = columns % 32 == 0 && below(2) ? 2 : 1;
    int const majors = tsr_gpu_majors_(&product), along = majors & TSR_HOPPER_B_MN ? 0 : 1;
    int64_t const k = tsr_size(tsr_mode(c->view, 1));
    tile t;
    memset(&t, 0, sizeof t);
    t.x = x;
    t.bytes = tsr_dtype_bits(c->type) / 8;
    t.step = 128 / t.bytes;
    t.m = below((sides[0].size + rows - 1) / rows) * rows;
    t.n = below((sides[1].size + columns - 1) / columns) * columns;
    t.smem[0] = tsr_hopper_smem(c->type, rows, t.step, 1);
    t.smem[1] = tsr_hopper_smem(c->type, columns, t.step, along);
    for (int o = 0; o < 2; ++o) {
        t.place[o] = place[o];
        for (int64_t i = 0; i < (o ? columns : rows) * t.step; ++i)
            place[o][i] = tsr_at(t.smem[o], tsr_t(i / t.step, i % t.step));
    }
    t.boxes = tsr_make_tma_tile(t.smem[1], c->type, parts);
    t.image = tsr_gpu_image_map_(p, x, rows);
    t.filter = tsr_gpu_filter_map_(p, x, columns, majors | (parts > 1 ? TSR_HOPPER_PAIRS : 0));
    int const splits = below(2) ? 1 : 1 + (int)below(STEPS);
    check(!t.boxes.why.status && !t.image.why.status && !t.filter.why.status, "maps");
    check(!(majors & TSR_HOPPER_A_MN) && by->k.size % t.step == 0, "channels are neighbours");
    if (!sums_of(&t, by->k.size / t.step, splits, rows, columns, sum)) {
        check(false, "a tile is brought");
        return;
    }
    int wrong = 0;
    for (int64_t i = 0; i < k; ++i)
        for (int o = 0; o < 2; ++o)
            along_k[o][i] = tsr_at(*sides[o].layout, tsr_t(0, i));
    for (int64_t i = 0; i < rows * columns; ++i) {
        int64_t const m = t.m + i / columns, n = t.n + i % columns;
        wrong += sum[i] != (m < sides[0].size && n < sides[1].size ? sum_of(sides, m, n, k, t.bytes) : 0);
    }
    check(wrong == 0, "the sums of a tile of an image");
    in_parts += splits > 1;
    along_n += along == 0;
    others += !first;
}

/** A tensor in memory of the host, as in a device's. */
static tsr_tensor tensor(int64_t at, tsr_dtype type, tsr_layout layout)
{
    return tsr_make_tensor(tsr_gmem_ptr(tsr_int(at), type), layout);
}

static void test_conv(void)
{
    conv const c = any_conv(60);
    tsr_gemm_problem p, by;
    gpu_pixels x;
    if (tsr_cosize(c.view) * 4 > MOST || tsr_cosize(c.filter) * 4 > MOST)
        return;
    fill(&c);
    tsr_tensor const view = tensor((int64_t)(uintptr_t)memory[0], c.type, c.view),
                     filter = tensor((int64_t)(uintptr_t)memory[1], c.type, c.filter),
                     result = tensor((int64_t)1 << 40, TSR_F32, c.result);
    memset(&p, 0, sizeof p);
    tsr_gemm_problem_make(&p, c.turned ? &filter : &view, c.turned ? &view : &filter, &result, NULL);
    check(!p.product.why.status && !p.slow, "a product");
    tsr_gemm_problem_order(&p, &gpu_h200.loops.near);
    bool const found = tsr_gpu_find_pixels_(&p, &x, &by);
    tsr_gemm_loops const *const pixels = p.swapped == c.turned ? &p.m : &p.n;
    plain += pixels->loops <= 1 && p.k.loops <= 1;
    check(found || (pixels->loops <= 1 && p.k.loops <= 1), "a view is found");
    if (!found)
        return;
    ++seen[x.view.dims];
    for (int i = 0; i < 3; ++i)
        test_tile(&c, &p, &x, &by);
}

int main(int argc, char **argv)
{
    random_begin(argc > 1 ? strtoull(argv[1], NULL, 10) : 1);
    int const rounds = argc > 2 ? atoi(argv[2]) : 200;
    for (int i = 0; i < rounds && failed == 0; ++i)
        test_conv();
    for (int i = 1; i <= TSR_PIXEL_DIMS; ++i)
        check(seen[i] > 0, "images of each number of dimensions");
    check(in_parts > 0 && along_n > 0, "parts of K, and filters along N");
    printf("%d, %d, %d images of 1, 2, 3 dimensions, %d plain, %d tiles in parts, %d along N, %d of the other "
           "operand: %d passed, %d failed\n",
           seen[1], seen[2], seen[3], plain, in_parts, along_n, others, passed, failed);
    return failed != 0;
}

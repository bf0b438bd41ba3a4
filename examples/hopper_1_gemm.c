/* C = A * B^T the way Hopper computes it, on the CPU: TMA brings tiles into swizzled shared memory, wgmma multiplies
 * them, and only what is inside C is written. No extent is a multiple of its tile; small integers make all exact. */
#include <string.h>

#include <tessera/atoms.h>
#include <tessera/exec/tma.h>
#include <tessera/text.h>

#include <tessera/names.h>

enum {
    /* clang-format off */
    M = 200, N = 136, K = 96,
    TILE_M = 128, TILE_N = 128, TILE_K = 64, /* of a block; A and B fill 16 KiB of shared memory each */
    ATOM_M = 64, ATOM_K = 16, THREADS = 128, /* of a wgmma, as wide as the block */
    GROUPS = TILE_M / ATOM_M,                /* warpgroups, one below the other */
    BYTES = TILE_M * TILE_K * 2
};
/* clang-format on */

static unsigned short a[M * K], b[N * K];
static float c[M * N];
static unsigned char shared[2 * BYTES];
static double fragment_a[THREADS * ATOM_M * ATOM_K], fragment_b[THREADS * TILE_N * ATOM_K];
static double accumulators[GROUPS][ATOM_M * TILE_N], work[(ATOM_M + TILE_N) * ATOM_K];

/** A or B: the plan of its copies, the coordinates that TMA takes, and its tile in shared memory. */
typedef struct operand {
    tsr_tma_copy plan;
    tsr_tensor coordinates, smem;
    void const *global;
    int64_t address; /* of the tile in shared memory */
} operand;

static int value(int row, int k) { return (3 * row + 5 * k + row * k) % 9 - 4; }

static operand make_operand(unsigned short *global, int rows, int64_t address)
{
    operand r;
    tsr_tuple const tile = tsr_t(_128, _64);
    tsr_tma_types const half = {TSR_F16, TSR_F16};
    tsr_layout const layout = tsr_make_layout(tsr_t(rows, K), tsr_t(K, _1)); /* (rows,K) */
    tsr_layout const atom = tsr_make_layout(tsr_t(_8, _64), tsr_right());    /* (8,64): rows of 128 bytes */
    tsr_smem_layout const bytes =
        tsr_make_smem_layout(tsr_make_swizzle(3, 4, 3), TSR_F16, tsr_tile_to_shape(atom, tile)); /* (128,64) */
    r.plan = tsr_make_tma_copy(TSR_SM90_TMA_LOAD, half, layout, bytes, TSR_TILER(tile), _1);
    r.coordinates = tsr_get_tma_tensor(r.plan); /* (rows,K) */
    r.smem =
        tsr_make_tensor(tsr_make_smem_ptr(shared + address, TSR_F16),
                        tsr_tile_to_shape(tsr_smem_atom(TSR_MAJOR_K, 3, TSR_F16), tile)); /* (128,64), swizzled */
    r.global = global;
    r.address = address;

    tsr_tensor const matrix = tsr_make_tensor(tsr_make_gmem_ptr(global, TSR_F16), layout); /* (rows,K) */
    for (int i = 0; i < rows; ++i)
        for (int k = 0; k < K; ++k)
            tsr_store_at(matrix, value(i, k), i, k);
    return r;
}

/** One TMA instruction: the tile at (row,k) in tiles; zeros where it reaches beyond the matrix. */
static bool load(operand const *x, int row, int k)
{
    tsr_tma_box box = TSR_ZERO;
    tsr_tensor const tile = tsr_local_tile(x->coordinates, tsr_tile(_128, _64), tsr_t(row, k)); /* (128,64) */
    tsr_tensor const part = tsr_tma_partition_s(x->plan, _0, tile); /* (((64,128),1),1,1) */
    tsr_tuple const where = tsr_tensor_at(part, _0);                /* (k,row) */
    for (int i = 0; i < 2; ++i)
        box.coord[i] = tsr_size(tsr_get(where, i));
    box.shared = shared;
    box.size = sizeof shared;
    box.address = x->address;
    return tsr_ok(tsr_tma_load(&x->plan.desc, x->global, &box)) && tsr_tma_box_bytes(&x->plan.desc) == BYTES;
}

/** The part of a tile that one wgmma reads: from swizzled shared memory into a fragment of (thread,value). */
static bool gather(operand const *x, int rows, int row, int k, tsr_layout layout, double *fragment)
{
    tsr_tuple const shape = tsr_t(tsr_s(rows), _16);
    tsr_tensor const part = tsr_local_tile(x->smem, TSR_TILER(shape), tsr_t(row, k));            /* (rows,16) */
    tsr_layout const where = tsr_composition(tsr_right_inverse(layout), tsr_make_layout(shape)); /* (rows,16) */
    return tsr_ok(tsr_copy(part, tsr_make_tensor(fragment, where)));
}

/** Computes the tile at (m,n) of C; false when a step is refused. */
static bool block(operand const *A, operand const *B, tsr_mma_atom wgmma, int m, int n)
{
    tsr_layout const layout_a = tsr_mma_layout_a(wgmma); /* (128,(64,16)) */
    tsr_layout const layout_b = tsr_mma_layout_b(wgmma); /* (128,(128,16)) */
    tsr_layout const layout_c = tsr_mma_layout_c(wgmma); /* ((4,8,4),(2,2,16)) */
    bool good = true;
    memset(accumulators, 0, sizeof accumulators);
    for (int k = 0; k < (K + TILE_K - 1) / TILE_K; ++k) {
        good = good && load(A, m, k) && load(B, n, k);
        for (int step = 0; step < TILE_K / ATOM_K; ++step) {
            good = good && gather(B, TILE_N, 0, step, layout_b, fragment_b);
            for (int group = 0; group < GROUPS; ++group)
                good = good && gather(A, ATOM_M, group, step, layout_a, fragment_a)
                       && tsr_mma_execute(wgmma, fragment_a, fragment_b, accumulators[group], work);
        }
    }

    tsr_tuple const inside = tsr_t(M, N);
    tsr_tensor const C = tsr_make_tensor(tsr_make_gmem_ptr(c), inside, tsr_right()); /* (M,N) */
    for (int group = 0; group < GROUPS; ++group) {
        tsr_tiler const tile = tsr_tile(_64, _128);
        tsr_tuple const at = tsr_t(GROUPS * m + group, n);
        tsr_tensor const to = tsr_composition(tsr_local_tile(C, tile, at), layout_c); /* ((4,8,4),(2,2,16)) */
        tsr_tensor const where =
            tsr_composition(tsr_local_tile(tsr_make_identity_tensor(inside), tile, at), layout_c);
        tsr_tensor const is_inside = tsr_make_tensor(tsr_inside_iter(where.engine, &inside), where.layout);
        tsr_tensor const from = tsr_make_tensor(accumulators[group], layout_c.shape); /* the same, compact */
        good = good && tsr_ok(tsr_copy_if(is_inside, from, to));
    }
    return good;
}

/** The largest difference to three loops. */
static double difference(void)
{
    double most = 0;
    for (int m = 0; m < M; ++m)
        for (int n = 0; n < N; ++n) {
            double sum = 0;
            for (int k = 0; k < K; ++k)
                sum += value(m, k) * value(n, k);
            sum -= (double)c[m * N + n];
            most = sum > most ? sum : -sum > most ? -sum : most;
        }
    return most;
}

static void say(char const *name, operand const *x)
{
    static char text[TSR_TEXT_SIZE];
    tsr_format_tma(text, sizeof text, x->plan);
    printf("%s\n%s", name, text);
    tsr_print(stdout, x->smem.layout);
}

int main(void)
{
    tsr_mma_atom const wgmma = tsr_mma_atom_named("SM90_64x128x16_F32F16F16_SS");
    operand const A = make_operand(a, M, 0), B = make_operand(b, N, BYTES);
    tsr_tuple const tiles = tsr_tile_counts(tsr_t(M, N, K), tsr_t(TILE_M, TILE_N, TILE_K));
    int const tiles_m = (int)tsr_size(tsr_get(tiles, 0)), tiles_n = (int)tsr_size(tsr_get(tiles, 1));
    bool good = true;

    say("A", &A);
    say("B", &B);
    printf("C (%d,%d) = A (%d,%d) * B (%d,%d)^T, tiles ", M, N, M, K, N, K);
    tsr_print(stdout, tiles);
    for (int m = 0; m < tiles_m; ++m)
        for (int n = 0; n < tiles_n; ++n)
            good = good && block(&A, &B, wgmma, m, n);
    printf("largest difference %g, %s\n", difference(),
           good && difference() == 0 ? "equal to the reference" : "WRONG");
    return good && difference() == 0 ? 0 : 1;
}

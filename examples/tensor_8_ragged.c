/* Ragged tiling: a matrix that no tile divides is copied and multiplied tile by tile. */
#include <tessera/text.h>

#include <tessera/names.h>

enum { M = 10, N = 7, K = 13 };

/** 1 if the elements of two tensors are the same. */
static int equal(tsr_tensor s, tsr_tensor d)
{
    tsr_number x = tsr_number_int(0), y = tsr_number_int(0);
    for (int i = 0; i < (int)tsr_size(d); ++i) {
        if (!tsr_ok(tsr_tensor_read(s, tsr_int(i), &x)) || !tsr_ok(tsr_tensor_read(d, tsr_int(i), &y))
            || tsr_number_to_double(x) != tsr_number_to_double(y))
            return 0;
    }
    return 1;
}

/** Copies A through a tile of fixed size: the predicate says which elements of a tile exist, the others become 0. */
static tsr_reason copy_by_predicate(tsr_tensor A, tsr_tensor D)
{
    float memory[4 * 8];
    tsr_tensor const tile = tsr_make_tensor(tsr_make_ptr(memory), tsr_t(_4, _8)); /* (4,8) */
    tsr_tiler const tiler = tsr_tile(_4, _8);
    tsr_tuple const tiles = tsr_tile_counts(A.layout.shape, tsr_t(4, 8));
    for (int j = 0; j < (int)tiles.leaf[1].value; ++j)
        for (int i = 0; i < (int)tiles.leaf[0].value; ++i) {
            tsr_clip const from = tsr_clipped_tile(A, tiler, tsr_t(i, j)),
                           to = tsr_clipped_tile(D, tiler, tsr_t(i, j));
            tsr_tensor const exists = tsr_clip_predicate(&from);
            tsr_reason why = tsr_clear(tile);
            if (tsr_ok(why))
                why = tsr_copy_if(exists, from.tile, tile);
            if (tsr_ok(why))
                why = tsr_copy_if(exists, tile, to.tile);
            if (!tsr_ok(why))
                return why;
        }
    return tsr_no_reason();
}

/** C += A * B by tiles: each product is one of the parts that exist. */
static void multiply(tsr_tensor A, tsr_tensor B, tsr_tensor C)
{
    tsr_tuple const tiles = tsr_tile_counts(tsr_t(M, N, K), tsr_t(4, 4, 8));
    for (int i = 0; i < (int)tiles.leaf[0].value; ++i)
        for (int j = 0; j < (int)tiles.leaf[1].value; ++j)
            for (int k = 0; k < (int)tiles.leaf[2].value; ++k) {
                tsr_tensor const a = tsr_clipped_tile(A, tsr_tile(4, 8), tsr_t(i, k)).part; /* (m,k) */
                tsr_tensor const b = tsr_clipped_tile(B, tsr_tile(4, 8), tsr_t(j, k)).part; /* (n,k) */
                tsr_reason const why = tsr_gemm(a, b, tsr_clipped_tile(C, tsr_tile(4, 4), tsr_t(i, j)).part);
                if (why.status)
                    tsr_explain(stdout, why);
            }
}

int main(void)
{
    static float a[M * K], b[N * K], c[M * N], once[M * N], d[M * K], tile[4 * 8];
    for (int i = 0; i < M * K; ++i)
        a[i] = (float)(i % 17);
    for (int i = 0; i < N * K; ++i)
        b[i] = (float)(i % 5);
    tsr_tensor const A = tsr_make_tensor(tsr_make_ptr(a), tsr_t(M, K));              /* (10,13) */
    tsr_tensor const B = tsr_make_tensor(tsr_make_ptr(b), tsr_t(N, K), tsr_right()); /* (7,13) */
    tsr_tensor const C = tsr_make_tensor(tsr_make_ptr(c), tsr_t(M, N)),
                     D = tsr_make_tensor(tsr_make_ptr(d), tsr_t(M, K));

    /* The last tile has the shape of all tiles, and reaches outside of the matrix: a copy of it is refused. */
    tsr_tensor const ragged = tsr_local_tile(A, tsr_tile(4, 8), tsr_t(2, 1)); /* (4,8) */
    tsr_print(stdout, ragged.layout);
    tsr_explain(stdout, tsr_copy(ragged, tsr_make_tensor(tsr_make_ptr(tile), tsr_t(4, 8))));

    /* What exists of it: a box, a tensor, and a predicate. */
    tsr_clip const clip = tsr_clipped_tile(A, tsr_tile(4, 8), tsr_t(2, 1));
    tsr_print(stdout, clip.box);
    tsr_print(stdout, clip.part.layout);
    tsr_print_tensor(stdout, tsr_clip_predicate(&clip));

    if (!tsr_ok(copy_by_predicate(A, D)))
        return 1;
    printf("copied tile by tile: %s\n", equal(A, D) ? "equal" : "different");
    multiply(A, B, C);
    tsr_tensor const whole = tsr_make_tensor(tsr_make_ptr(once), tsr_t(M, N));
    if (!tsr_ok(tsr_gemm(A, B, whole)))
        return 1;
    printf("multiplied tile by tile: %s\n", equal(whole, C) ? "equal" : "different");
    return 0;
}

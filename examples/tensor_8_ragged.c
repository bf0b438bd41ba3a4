/* Ragged tiling: a matrix that no tile divides is copied and multiplied tile by tile. */
#include <tessera/text.h>

#include <tessera/names.h>

enum { M = 10, N = 7, K = 13 };

/** 1 if the elements of two tensors are the same. */
static int equal(tsr_tensor s, tsr_tensor d)
{
    for (int i = 0; i < tsr_size(d); ++i)
        if (tsr_ref(float, s, i) != tsr_ref(float, d, i))
            return 0;
    return 1;
}

/** Copies A through a tile of fixed size: the predicate says which elements of a tile exist, the others become 0. */
static tsr_reason copy_by_predicate(tsr_tensor A, tsr_tensor D)
{
    tsr_empty(float, tile, (4, 8));
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
    tsr_empty(float, A, (M, K));
    tsr_empty(float, B, (N, K), tsr_right());
    tsr_zeros(float, C, (M, N));
    tsr_zeros(float, once, (M, N));
    tsr_empty(float, D, (M, K));
    tsr_empty(float, tile, (4, 8));
    for (int i = 0; i < tsr_size(A); ++i)
        A_elements[i] = (float)(i % 17);
    for (int i = 0; i < tsr_size(B); ++i)
        B_elements[i] = (float)(i % 5);

    /* The last tile has the shape of all tiles, and reaches outside of the matrix: a copy of it is refused. */
    tsr_tensor const ragged = tsr_local_tile(A, tsr_tile(4, 8), tsr_t(2, 1)); /* (4,8) */
    tsr_print(stdout, ragged.layout);
    tsr_explain(stdout, tsr_copy(ragged, tile));

    /* What exists of it: a box, a tensor, and a predicate. */
    tsr_clip const clip = tsr_clipped_tile(A, tsr_tile(4, 8), tsr_t(2, 1));
    tsr_print(stdout, clip.box);
    tsr_print(stdout, clip.part.layout);
    tsr_print_tensor(stdout, tsr_clip_predicate(&clip));

    if (!tsr_ok(copy_by_predicate(A, D)))
        return 1;
    printf("copied tile by tile: %s\n", equal(A, D) ? "equal" : "different");
    multiply(A, B, C);
    if (!tsr_ok(tsr_gemm(A, B, once)))
        return 1;
    printf("multiplied tile by tile: %s\n", equal(once, C) ? "equal" : "different");
    return 0;
}

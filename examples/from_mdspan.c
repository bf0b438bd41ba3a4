/* A layout of one's own in mdspan (its examples/tiled_layout), ported: a matrix that is stored tile by tile, of a size
 * that no tile divides. A tile goes by rows, and tiles follow each other down the columns. */
#include <tessera/text.h>

#include <tessera/names.h>

enum { M = 2, N = 5, TILE = 3 };

/** How many elements of two tensors differ. */
static int differences(tsr_tensor a, tsr_tensor b)
{
    int n = 0;
    for (int i = 0; i < M; ++i)
        for (int j = 0; j < N; ++j)
            n += tsr_ref(int, a, i, j) != tsr_ref(int, b, i, j);
    return n;
}

int main(void)
{
    int rows[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};
    int by_tiles[] = {1, 2, 3, 6, 7, 8, -1, -1, -1, 4, 5, -1, 9, 10, -1, -1, -1, -1};

    /* The mapping: a tile, repeated up to the shape. The shape becomes a multiple of the tile. */
    tsr_layout const tile = tsr_make_layout(tsr_t(TILE, TILE), tsr_right());
    tsr_layout const mapping = tsr_tile_to_shape(tile, tsr_t(M, N));
    tsr_print_layout(stdout, mapping);
    printf("span %lld, unique %d, exhaustive %d\n", (long long)tsr_cosize(mapping),
           tsr_is_injective(mapping).answer == TSR_YES, tsr_size(mapping) == M * N);

    tsr_tensor const row_major = tsr_make_tensor(rows, tsr_t(M, N), tsr_right());
    tsr_tensor const tiled = tsr_make_tensor(by_tiles, mapping);
    printf("%d elements differ\n", differences(tiled, row_major));

    /* The way there. Elements that do not exist are masked, and the filler stays. */
    int memory[TSR_COSIZE((TILE, 2 * TILE))];
    tsr_tensor const to = tsr_make_tensor(memory, mapping);
    if (!tsr_ok(tsr_fill(to, -1)))
        return 1;
    tsr_clip const whole = tsr_clipped_tile(row_major, tsr_tile(TILE, 2 * TILE), tsr_t(0, 0));
    tsr_explain(stdout, tsr_copy_if(tsr_clip_predicate(&whole), whole.tile, to));
    for (int i = 0; i < (int)tsr_size(to); ++i)
        printf("%d%s", memory[i], i + 1 < (int)tsr_size(to) ? " " : "\n");
    return 0;
}

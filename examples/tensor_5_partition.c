/* Partitioning by blocks and by threads; the same of coordinates gives the predicate of a ragged edge. */
#include <tessera/text.h>

#include <tessera/names.h>

int main(void)
{
    tsr_tensor const A = tsr_make_tensor(tsr_counting_iter(tsr_int(0)), tsr_t(8, 24)); /* (8,24) */
    tsr_tiler const tiler = tsr_tile(_4, _8);
    tsr_tensor const tiled = tsr_zipped_divide(A, tiler); /* ((4,8),(2,3)) */

    tsr_print(stdout, tiled);
    tsr_print(stdout, tsr_slice(tsr_t(tsr_t(_, _), tsr_t(1, 2)), tiled)); /* (4,8) */
    tsr_print(stdout, tsr_inner_partition(A, tiler, tsr_t(1, 2)));
    tsr_print(stdout, tsr_local_tile(A, tiler, tsr_t(1, 2)));
    tsr_print(stdout, tsr_slice(tsr_t(17, tsr_t(_, _)), tiled)); /* (2,3) */
    tsr_print(stdout, tsr_outer_partition(A, tiler, 17));

    /* 32 threads, row-major over the tile. */
    tsr_layout const threads = tsr_make_layout(tsr_t(_4, _8), tsr_right());
    tsr_print(stdout, tsr_local_partition(A, threads, 17));

    /* Coordinates first: where thread 17 looks, and which of it lies inside a matrix of 6 x 15. */
    tsr_tuple const inside = tsr_t(6, 15);
    tsr_tensor const mine = tsr_local_partition(tsr_make_identity_tensor(tsr_t(8, 24)), threads, 17);
    tsr_print_tensor(stdout, mine);
    tsr_print_tensor(stdout, tsr_make_tensor(tsr_inside_iter(mine.engine, &inside), mine.layout));
    return 0;
}

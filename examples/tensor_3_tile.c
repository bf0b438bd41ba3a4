/* Tiling: composition and the divides; a product is for layouts. */
#include <tessera/text.h>

#include <tessera/names.h>

int main(void)
{
    tsr_tensor const A = tsr_make_tensor(tsr_make_gmem_ptr((float *)0x1000), tsr_t(8, 24)); /* (8,24) */
    tsr_tiler const tiler = tsr_tile(_4, _8);

    tsr_print(stdout, tsr_composition(A, tiler));
    tsr_print(stdout, tsr_logical_divide(A, tiler));
    tsr_print(stdout, tsr_zipped_divide(A, tiler));
    tsr_print(stdout, tsr_tiled_divide(A, tiler));
    tsr_print(stdout, tsr_flat_divide(A, tiler));

    /* A tile that does not divide the tensor leaves an edge. */
    tsr_tuple const shape = tsr_t(10, 24), tile = tsr_t(4, 8);
    printf("tiles ");
    tsr_print(stdout, tsr_tile_counts(shape, tile));
    printf("full  ");
    tsr_print(stdout, tsr_full_tiles(shape, tile));
    printf("edge  ");
    tsr_print(stdout, tsr_edge_tile(shape, tile));
    printf("tile (2,1) holds ");
    tsr_print(stdout, tsr_valid_box(shape, tile, tsr_t(2, 1)));

    char text[TSR_TEXT_SIZE];
    tsr_calc("logical_product(counting_iter(0) o _8:_1, _4)", 0, text, sizeof text);
    printf("%s\n", text);
    return 0;
}

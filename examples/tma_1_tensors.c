/* TMA tensors: strides are basis elements, so that the elements are coordinates; tiled and sliced like any tensor. */
#include <tessera/core/integer.h>
#include <tessera/text.h>

#include <tessera/names.h>

static void say(char const *name, tsr_tuple t)
{
    printf("%-24s : ", name);
    tsr_print(stdout, t);
}

int main(void)
{
    /* An iterator over coordinates, moved by a coordinate. */
    tsr_engine const from = tsr_make_inttuple_iter(tsr_t(42, _2, _7));
    say("(42,_2,_7) + (_0,5,_2)", tsr_engine_add(from, tsr_t(_0, 5, _2)).at);

    /* Basis elements: those of ((*,*),*) are E<0,0>, E<0,1> and E<1>; they can be scaled and added. */
    tsr_tuple const basis = tsr_make_basis_like(tsr_t(tsr_t(_1, _1), _1));
    tsr_tuple const e0 = tsr_get(basis, 0), e1 = tsr_get(basis, 1);
    tsr_tuple const e00 = tsr_get(e0, 0), e01 = tsr_get(e0, 1);
    say("E<0,0>, E<0,1>, E<1>", basis);
    say("5*E<1>", tsr_imul(_5, e1));
    say("5*E<0,1>", tsr_imul(_5, e01));
    say("as coordinates",
        tsr_t(tsr_as_arithmetic_tuple(tsr_imul(_5, e1)), tsr_as_arithmetic_tuple(tsr_imul(_5, e01))));

    /* 2*2@1@0 + 3*1@1 + 4*5@1 + 7*1@0@0 */
    tsr_tuple const first = tsr_add(tsr_imul(tsr_int(2), tsr_imul(_2, e01)), tsr_imul(tsr_int(3), e1));
    tsr_tuple const second = tsr_add(tsr_imul(tsr_int(4), tsr_imul(_5, e1)), tsr_imul(tsr_int(7), e00));
    say("their sum", tsr_add(first, second));

    /* The tensors of the page: coordinates in order, and reversed. */
    tsr_tuple const e = tsr_make_basis_like(tsr_t(_1, _1)), origin = tsr_t(0, 0);
    tsr_tensor const a = tsr_make_tensor(tsr_make_inttuple_iter(origin), tsr_t(4, 5), e); /* (4,5) */
    tsr_tensor const b =
        tsr_make_tensor(tsr_make_inttuple_iter(origin), tsr_t(4, 5), tsr_t(tsr_get(e, 1), tsr_get(e, 0))); /* (4,5) */
    tsr_print_tensor(stdout, a);
    tsr_print_tensor(stdout, b);
    say("a(2,3)", tsr_tensor_at(a, tsr_t(2, 3)));
    say("b(2,3)", tsr_tensor_at(b, tsr_t(2, 3)));

    /* Blocks of 128x64, the first lines of the page: one of them, and where each begins. */
    tsr_tuple const e4 = tsr_make_basis_like(tsr_t(_1, _1, _1, _1));
    tsr_tuple const steps = tsr_t(tsr_take(e4, 0, 2), tsr_imul(_64, tsr_get(e4, 1)), tsr_get(e4, 2), tsr_get(e4, 3));
    tsr_tensor const tiles = tsr_make_tensor(tsr_make_inttuple_iter(tsr_t(0, _0, _0, _0)),
                                             tsr_t(tsr_t(_128, _64), 2, 3, 1), steps); /* ((128,64),2,3,1) */
    tsr_print(stdout, tiles);
    tsr_print(stdout, tsr_slice(tsr_t(_, 1, 2, 0), tiles));                  /* ((128,64)) */
    tsr_print_tensor(stdout, tsr_slice(tsr_t(tsr_t(0, 0), _, _, 0), tiles)); /* (2,3) */

    /* A tensor tiled and sliced. */
    tsr_tensor const tiled = tsr_zipped_divide(b, tsr_tile(_2, _5)); /* ((2,5),(2,1)) */
    tsr_print(stdout, tiled);
    tsr_print_tensor(stdout, tsr_slice(tsr_t(tsr_t(_, _), tsr_t(1, 0)), tiled)); /* (2,5) */

    /* A plan: a row-major matrix of half, tiles of 128x64 behind a swizzle of 64 bytes: two instructions a tile. */
    tsr_tma_types const half = {TSR_F16, TSR_F16};
    tsr_layout const gmem = tsr_make_layout(tsr_t(512, 768), tsr_t(768, _1)); /* (512,768) */
    tsr_layout const block = tsr_make_layout(tsr_t(_8, _32), tsr_right());    /* (8,32): rows of 64 bytes */
    tsr_smem_layout const smem = tsr_make_smem_layout(tsr_make_swizzle(2, 4, 3), TSR_F16,
                                                      tsr_tile_to_shape(block, tsr_t(_128, _64))); /* (128,64) */
    tsr_tiler const tile = tsr_tile(_128, _64);
    tsr_tma_copy const plan = tsr_make_tma_copy(TSR_SM90_TMA_LOAD, half, gmem, smem, tile, _1);
    tsr_tensor const coordinates = tsr_get_tma_tensor(plan);                /* (512,768) */
    tsr_tensor const mine = tsr_local_tile(coordinates, tile, tsr_t(3, 2)); /* (128,64) */
    tsr_tensor const part = tsr_tma_partition_s(plan, _0, mine);            /* (((32,128),2),1,1) */
    static char text[TSR_TEXT_SIZE];
    tsr_format_tma(text, sizeof text, plan);
    printf("%s", text);
    tsr_print(stdout, coordinates);
    tsr_print(stdout, mine);
    tsr_print(stdout, part);
    for (int i = 0; i < 2; ++i) {
        printf("instruction %d begins at   : ", i);
        tsr_print(stdout, tsr_tensor_at(part, tsr_t(tsr_t(0, i), 0, 0)));
    }
    return 0;
}

/** MMA atoms and tiled MMAs: A on the left, B above, C between them, so that C[m,n] stands in the row of A[m,:] and
 *  in the column of B[n,:]. Copy atoms and tiled copies: the source beside the destination. */
#include "picture/build.h"

/** A panel of an operand of a tiled MMA. */
OWN_FRAME static int operand_panel(tsr_picture *p, tsr_tiled_mma const *x, char operand, tsr_tuple const *shape,
                                   tsr_picture_options const *o)
{
    char const name[] = {operand, 0};
    tsr_layout const tv = operand == 'A'   ? tsr_get_layout_a_tv(*x)
                          : operand == 'B' ? tsr_get_layout_b_tv(*x)
                                           : tsr_get_layout_c_tv(*x);
    tsr_tuple const rows = tsr_tuple_get(*shape, operand == 'B'),
                    columns = tsr_tuple_get(*shape, operand == 'C' ? 1 : 2);
    return tsr_picture_tv_panel_(p, &tv, tsr_tuple_2(rows, columns), name, operand == 'B', o);
}

void tsr_picture_mma_(tsr_picture *p, tsr_tiled_mma const *x, tsr_picture_options const *o)
{
    tsr_tuple const shape = tsr_tile_shape(*x);
    if (tsr_picture_invalid_(p, shape))
        return;
    int64_t const size = tsr_thr_size(*x);
    int const panel_a = operand_panel(p, x, 'A', &shape, o), panel_b = operand_panel(p, x, 'B', &shape, o);
    int const panel_c = operand_panel(p, x, 'C', &shape, o);
    if (p->refused[0])
        return;
    tsr_picture_place_(p, panel_a, 1, 0);
    tsr_picture_place_(p, panel_b, 0, 1);
    tsr_picture_place_(p, panel_c, 1, 1);
    uint32_t const name = p->title = tsr_picture_mma_text_(p, &x->atom);
    p->description =
        tsr_picture_text_(p, "Which thread holds each element of A, B and C of %s, as which of its values.",
                          tsr_picture_string_(p, name));
    uint32_t const threads = tsr_picture_layout_text_(p, &x->threads);
    tsr_picture_note_(p, "%s by %lld thread%s, atoms over %s", tsr_picture_string_(p, name), (long long)size,
                      size == 1 ? "" : "s", tsr_picture_string_(p, threads));
    tsr_picture_note_(
        p, "A (M,K) on the left, B (N,K) above with K downwards, C (M,N). T and V: the first thread that holds the "
           "element, and as which of its values.");
}

/** Two layouts of one index space side by side. */
static void picture_sides(tsr_picture *p, tsr_layout const *source, tsr_layout const *destination, tsr_tuple tile,
                          bool across, uint32_t name, tsr_picture_options const *o)
{
    if (tsr_picture_tv_panel_(p, source, tile, "source", across, o) < 0
        || tsr_picture_tv_panel_(p, destination, tile, "destination", across, o) < 0)
        return;
    p->panel[0].title = tsr_picture_text_(p, "source: who reads");
    p->panel[1].title = tsr_picture_text_(p, "destination: who gets");
    p->title = name;
    p->description = tsr_picture_text_(p, "Which thread reads each element of %s, and which thread gets it.",
                                       tsr_picture_string_(p, name));
}

/** A copy atom in pieces of as many bits as both sides move together, at most 32. */
static int64_t copy_pieces(tsr_layout *source, tsr_layout *destination)
{
    for (int64_t bits = 32; bits > 1; bits /= 2) {
        tsr_layout const s = tsr_upcast(*source, bits), d = tsr_upcast(*destination, bits);
        bool const whole = !s.shape.status && !d.shape.status && tsr_layout_size(s) * bits == tsr_layout_size(*source)
                           && tsr_layout_size(d) * bits == tsr_layout_size(*destination)
                           && tsr_layout_size(tsr_mode(s, 0)) == tsr_layout_size(tsr_mode(*source, 0))
                           && tsr_layout_size(tsr_mode(d, 0)) == tsr_layout_size(tsr_mode(*destination, 0));
        if (whole) {
            *source = s;
            *destination = d;
            return bits;
        }
    }
    return 1;
}

void tsr_picture_copy_atom_(tsr_picture *p, tsr_copy_atom const *atom, tsr_picture_options const *o)
{
    tsr_copy_atom const x = *atom;
    tsr_layout source = tsr_copy_layout_src(x), destination = tsr_copy_layout_dst(x);
    if (tsr_picture_invalid_(p, source.shape) || tsr_picture_invalid_(p, destination.shape))
        return;
    uint32_t const name = tsr_picture_copy_text_(p, atom);
    int64_t const bits = x.type ? tsr_dtype_bits(x.type) : copy_pieces(&source, &destination);
    int64_t const size = tsr_max64(tsr_cosize(source), tsr_cosize(destination));
    int64_t columns = tsr_layout_size(tsr_mode(source, 1));
    columns = columns <= 32 && size % columns == 0 ? columns : size % 32 == 0 ? 32 : 1;
    picture_sides(p, &source, &destination, tsr_t(tsr_int(columns), tsr_int(size / columns)), true, name, o);
    tsr_picture_note_(p, "%s: what moves, by %lld elements of %lld bits a row. T and V: the thread and its value.",
                      tsr_picture_string_(p, name), (long long)columns, (long long)bits);
}

void tsr_picture_tiled_copy_(tsr_picture *p, tsr_tiled_copy const *x, tsr_picture_options const *o)
{
    if (tsr_picture_invalid_(p, tsr_tiled_copy_bad_(*x)))
        return;
    tsr_layout const source = tsr_get_layout_s_tv(*x), destination = tsr_get_layout_d_tv(*x);
    tsr_tuple const tile = tsr_wrap(tsr_product_each(tsr_tiler_shape(x->tiler)));
    uint32_t const name = tsr_picture_copy_text_(p, &x->atom), tv = tsr_picture_layout_text_(p, &x->tv);
    picture_sides(p, &source, &destination, tile, false, name, o);
    tsr_picture_note_(p, "%s over (thread, value) %s. T and V: the thread and its value.",
                      tsr_picture_string_(p, name), tsr_picture_string_(p, tv));
}

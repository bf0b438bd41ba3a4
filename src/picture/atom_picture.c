/** MMA atoms and tiled MMAs: A on the left, B above, C between them, so that C[m,n] stands in the row of A[m,:] and
 *  in the column of B[n,:]. Copy atoms and tiled copies: the source beside the destination. */
#include "picture/build.h"

/** A panel of an operand of a tiled MMA. */
OWN_FRAME static int operand_panel(tsr_picture *p, tsr_tiled_mma const *x, char operand, tsr_tuple const *shape,
                                   tsr_picture_options const *o)
{
    char const name[] = {operand, 0};
    tsr_layout const tv = operand == 'A' ? tsr_get_layout_a_tv(*x)
                          : operand == 'B' ? tsr_get_layout_b_tv(*x) : tsr_get_layout_c_tv(*x);
    tsr_tuple const rows = tsr_tuple_get(*shape, operand == 'B'),
                    columns = tsr_tuple_get(*shape, operand == 'C' ? 1 : 2);
    return picture_tv_panel(p, &tv, tsr_tuple_2(rows, columns), name, operand == 'B', o);
}

void picture_mma(tsr_picture *p, tsr_tiled_mma const *x, tsr_picture_options const *o)
{
    tsr_tuple const shape = tsr_tile_shape(*x);
    if (picture_invalid(p, shape))
        return;
    int64_t const size = tsr_thr_size(*x);
    int const panel_a = operand_panel(p, x, 'A', &shape, o), panel_b = operand_panel(p, x, 'B', &shape, o);
    int const panel_c = operand_panel(p, x, 'C', &shape, o);
    if (p->refused[0])
        return;
    picture_place(p, panel_a, 1, 0);
    picture_place(p, panel_b, 0, 1);
    picture_place(p, panel_c, 1, 1);
    uint32_t const name = p->title = picture_mma_text(p, &x->atom);
    p->description = picture_text(p, "Which thread holds each element of A, B and C of %s, as which of its values.",
                                  picture_string(p, name));
    uint32_t const threads = picture_layout_text(p, &x->threads);
    picture_note(p, "%s by %lld thread%s, atoms over %s", picture_string(p, name),
                 (long long)size, size == 1 ? "" : "s", picture_string(p, threads));
    picture_note(
        p,
        "A (M,K) on the left, B (N,K) above with K downwards, C (M,N). T and V: the first thread that holds the "
        "element, and as which of its values.");
}

/** Two layouts of one index space side by side. */
static void picture_sides(tsr_picture *p, tsr_layout const *source, tsr_layout const *destination, tsr_tuple tile,
                          bool across, uint32_t name, tsr_picture_options const *o)
{
    if (picture_tv_panel(p, source, tile, "source", across, o) < 0
        || picture_tv_panel(p, destination, tile, "destination", across, o) < 0)
        return;
    p->panel[0].title = picture_text(p, "source: who reads");
    p->panel[1].title = picture_text(p, "destination: who gets");
    p->title = name;
    p->description = picture_text(p, "Which thread reads each element of %s, and which thread gets it.",
                                  picture_string(p, name));
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

void picture_copy_atom(tsr_picture *p, tsr_copy_atom const *atom, tsr_picture_options const *o)
{
    tsr_copy_atom const x = *atom;
    tsr_layout source = tsr_copy_layout_src(x), destination = tsr_copy_layout_dst(x);
    if (picture_invalid(p, source.shape) || picture_invalid(p, destination.shape))
        return;
    uint32_t const name = picture_copy_text(p, atom);
    int64_t const bits = x.type ? tsr_dtype_bits(x.type) : copy_pieces(&source, &destination);
    int64_t const size = tsr_max64(tsr_cosize(source), tsr_cosize(destination));
    int64_t columns = tsr_layout_size(tsr_mode(source, 1));
    columns = columns <= 32 && size % columns == 0 ? columns : size % 32 == 0 ? 32 : 1;
    picture_sides(p, &source, &destination, tsr_t(tsr_int(columns), tsr_int(size / columns)), true, name, o);
    picture_note(p, "%s: what moves, by %lld elements of %lld bits a row. T and V: the thread and its value.",
                 picture_string(p, name), (long long)columns, (long long)bits);
}

void picture_tiled_copy(tsr_picture *p, tsr_tiled_copy const *x, tsr_picture_options const *o)
{
    if (picture_invalid(p, tsr_tiled_copy_reason(*x)))
        return;
    tsr_layout const source = tsr_get_layout_s_tv(*x), destination = tsr_get_layout_d_tv(*x);
    tsr_tuple const tile = tsr_wrap(tsr_product_each(tsr_tiler_shape(x->tiler)));
    uint32_t const name = picture_copy_text(p, &x->atom), tv = picture_layout_text(p, &x->tv);
    picture_sides(p, &source, &destination, tile, false, name, o);
    picture_note(p, "%s over (thread, value) %s. T and V: the thread and its value.", picture_string(p, name),
                 picture_string(p, tv));
}

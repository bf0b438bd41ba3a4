/** MMA atoms and tiled MMAs: A on the left, B above, C between them, so that C[m,n] stands in the row of A[m,:] and
 *  in the column of B[n,:]. Copy atoms and tiled copies: the source beside the destination. */
#include "build.h"

/** The text of a value. */
static void atom_name(value_kind kind, tsr_mma_atom const *mma, tsr_copy_atom const *copy, char *out, size_t size)
{
    value v = TSR_ZERO;
    writer w;
    v.kind = kind;
    if (mma)
        v.mma = *mma;
    if (copy)
        v.copy = *copy;
    writer_open(&w, out, size);
    value_write(&w, &v, 0);
}

void picture_mma(tsr_picture *p, tsr_tiled_mma const *x, tsr_picture_options const *o)
{
    char name[TSR_TEXT_SIZE], threads[TSR_TEXT_SIZE];
    tsr_tuple const shape = tsr_tile_shape(*x), size = tsr_thr_size(*x);
    if (shape.status) {
        picture_refuse_because(p, shape);
        return;
    }
    tsr_tuple const m = tsr_tuple_get(shape, 0), n = tsr_tuple_get(shape, 1), k = tsr_tuple_get(shape, 2);
    tsr_layout const a = tsr_get_layout_a_tv(*x), b = tsr_get_layout_b_tv(*x), c = tsr_get_layout_c_tv(*x);
    atom_name(VALUE_MMA, &x->atom, NULL, name, sizeof name);
    tsr_format_layout(threads, sizeof threads, x->threads, 0);
    int const panel_a = picture_tv_panel(p, &a, tsr_tuple_2(m, k), "A", false, o);
    int const panel_b = picture_tv_panel(p, &b, tsr_tuple_2(n, k), "B", true, o);
    int const panel_c = picture_tv_panel(p, &c, tsr_tuple_2(m, n), "C", false, o);
    if (p->refused[0])
        return;
    picture_place(p, panel_a, 1, 0);
    picture_place(p, panel_b, 0, 1);
    picture_place(p, panel_c, 1, 1);
    p->title = picture_text(p, "%s", name);
    p->description =
        picture_text(p, "Which thread holds each element of A, B and C of %s, as which of its values.", name);
    picture_note(p, "%s by %lld thread%s, atoms over %s", name, (long long)tsr_number_(size),
                 tsr_number_(size) == 1 ? "" : "s", threads);
    picture_note(
        p,
        "A (M,K) on the left, B (N,K) above with K downwards, C (M,N). T and V: the first thread that holds the "
        "element, and as which of its values.");
}

/** Two layouts of one index space side by side. */
static void picture_sides(tsr_picture *p, tsr_layout const *source, tsr_layout const *destination, tsr_tuple tile,
                          bool across, char const *name, tsr_picture_options const *o)
{
    if (picture_tv_panel(p, source, tile, "source", across, o) < 0
        || picture_tv_panel(p, destination, tile, "destination", across, o) < 0)
        return;
    p->panel[0].title = picture_text(p, "source: who reads");
    p->panel[1].title = picture_text(p, "destination: who gets");
    p->title = picture_text(p, "%s", name);
    p->description = picture_text(p, "Which thread reads each element of %s, and which thread gets it.", name);
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

void picture_copy_atom(tsr_picture *p, tsr_copy_atom x, tsr_picture_options const *o)
{
    char name[TSR_TEXT_SIZE];
    tsr_layout source = tsr_copy_layout_src(x), destination = tsr_copy_layout_dst(x);
    if (source.shape.status || destination.shape.status) {
        picture_refuse_because(p, source.shape.status ? source.shape : destination.shape);
        return;
    }
    atom_name(VALUE_COPY, NULL, &x, name, sizeof name);
    int64_t const bits = x.type ? tsr_dtype_bits(x.type) : copy_pieces(&source, &destination);
    int64_t const size = tsr_max64(tsr_cosize(source), tsr_cosize(destination));
    int64_t columns = tsr_layout_size(tsr_mode(source, 1));
    columns = columns <= 32 && size % columns == 0 ? columns : size % 32 == 0 ? 32 : 1;
    picture_sides(p, &source, &destination, tsr_t(tsr_int(columns), tsr_int(size / columns)), true, name, o);
    picture_note(p, "%s: what moves, by %lld elements of %lld bits a row. T and V: the thread and its value.", name,
                 (long long)columns, (long long)bits);
}

void picture_tiled_copy(tsr_picture *p, tsr_tiled_copy const *x, tsr_picture_options const *o)
{
    char name[TSR_TEXT_SIZE], tv[TSR_TEXT_SIZE];
    tsr_tuple const why = tsr_tiled_copy_reason(*x);
    if (why.status) {
        picture_refuse_because(p, why);
        return;
    }
    tsr_layout const source = tsr_get_layout_s_tv(*x), destination = tsr_get_layout_d_tv(*x);
    tsr_tuple const tile = tsr_wrap(tsr_product_each(tsr_tiler_shape_(x->tiler)));
    atom_name(VALUE_COPY, NULL, &x->atom, name, sizeof name);
    tsr_format_layout(tv, sizeof tv, x->tv, 0);
    picture_sides(p, &source, &destination, tile, false, name, o);
    picture_note(p, "%s over (thread, value) %s. T and V: the thread and its value.", name, tv);
}

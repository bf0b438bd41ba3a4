/** The bodies of atom/tiled_copy.h. */
#ifndef TSR_ATOM_BODY_TILED_COPY_H
#define TSR_ATOM_BODY_TILED_COPY_H

#include "tessera/atom/tiled_copy.h"
#include "tessera/atom/body/copy_layout.h"
#include "tessera/atom/body/tiled_mma.h"

TSR_HEADER_BEGIN

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_impl(tsr_copy_atom atom, tsr_layout tv, tsr_tiler tiler)
{
    tsr_tiled_copy r = TSR_ZERO;
    r.atom = atom;
    r.tv = tv;
    r.tiler = tiler;
    tsr_layout const ref = tsr_copy_layout_ref(atom);
    if (tsr_tiled_copy_bad_(r).status || ref.shape.status) {
        r.tv = r.tv.shape.status ? r.tv : ref.shape.status ? ref : r.tv;
        return r;
    }
    if (tsr_mode_count(&tv.shape) != 2) {
        r.tv = tsr_bad_layout(TSR_TILED_RANK, 0, tsr_mode_count(&tv.shape), 2, 0);
        return r;
    }
    for (int i = 0; i < 2; ++i) {
        int64_t const have = tsr_layout_size(tsr_mode(tv, i)), need = tsr_layout_size(tsr_mode(ref, i));
        if (!r.tv.shape.status && have % need != 0)
            r.tv = tsr_bad_layout(TSR_TILED_COPY, i, have, need, 0);
    }
    return r;
}

TSR_OP tsr_tiled_layout tsr_make_layout_tv(tsr_layout threads, tsr_layout values)
{
    tsr_layout const tile = tsr_raked_product(threads, values), inverse = tsr_right_inverse(tile);
    tsr_tuple const sizes = tsr_tuple_2(tsr_product(threads.shape), tsr_product(values.shape));
    int64_t const numbered = tsr_layout_size(inverse), elements = tsr_layout_size(tile);
    tsr_tiled_layout r = TSR_ZERO;
    r.tiler = tsr_product_each(tile.shape);
    r.tv = tsr_with_shape(inverse, sizes);
    if (!inverse.shape.status && numbered != elements)
        r.tv = tsr_bad_layout(TSR_TILED_NUMBERS, 0, numbered, elements, 0);
    return r;
}

TSR_OP tsr_tiled_copy tsr_make_tiled_copy(tsr_copy_atom atom, tsr_layout threads, tsr_layout values)
{
    tsr_tiled_layout const tile = tsr_make_layout_tv(threads, values);
    return tsr_make_tiled_copy_impl(atom, tile.tv, tsr_tiler_of_tuple(tile.tiler));
}

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_threads(tsr_copy_atom atom, tsr_layout threads)
{
    return tsr_make_tiled_copy(atom, threads, tsr_make_layout_compact(tsr_s(1)));
}

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_lt(tsr_copy_atom atom, tsr_layout threads, tsr_tuple values)
{
    return tsr_make_tiled_copy(atom, threads, tsr_make_layout_compact(values));
}

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_tl(tsr_copy_atom atom, tsr_tuple threads, tsr_layout values)
{
    return tsr_make_tiled_copy(atom, tsr_compact_before_(threads, values.shape), values);
}

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_tt(tsr_copy_atom atom, tsr_tuple threads, tsr_tuple values)
{
    return tsr_make_tiled_copy(atom, tsr_compact_before_(threads, values), tsr_make_layout_compact(values));
}

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_t(tsr_copy_atom atom, tsr_tuple threads)
{
    return tsr_make_tiled_copy_threads(atom, tsr_make_layout_compact(threads));
}

/** The copy that moves an operand as a tiled MMA holds it. */
TSR_LOCAL tsr_tiled_copy tsr_tiled_copy_of_(tsr_copy_atom atom, tsr_tiled_mma mma, tsr_operand o)
{
    tsr_tuple const why = tsr_reason_tuple(tsr_copy_why(atom));
    tsr_layout const tv = why.status ? tsr_invalid_layout(why) : tsr_operand_tv_(mma, o);
    tsr_tuple const shape = tsr_operand_shape_(&mma, tsr_operand_mode_(o, 0), tsr_operand_mode_(o, 1));
    return tsr_make_tiled_copy_impl(atom, tv, tsr_tiler_of_tuple(shape));
}

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_a(tsr_copy_atom atom, tsr_tiled_mma mma)
{
    return tsr_tiled_copy_of_(atom, mma, TSR_OPERAND_A);
}

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_b(tsr_copy_atom atom, tsr_tiled_mma mma)
{
    return tsr_tiled_copy_of_(atom, mma, TSR_OPERAND_B);
}

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_c(tsr_copy_atom atom, tsr_tiled_mma mma)
{
    return tsr_tiled_copy_of_(atom, mma, TSR_OPERAND_C);
}

/** The elements of mode i of a matrix that tv names. */
TSR_PART tsr_tiler tsr_active_mode_(tsr_tuple const *flat, int i, tsr_layout const *tv)
{
    tsr_tuple unit = tsr_repeat_like(*flat, tsr_s(0));
    unit.leaf[i].value = 1;
    tsr_layout r = tsr_make_layout_from(*flat, unit);
    r = tsr_composition_by(r, tsr_tiler_of_layout(*tv));
    return tsr_tiler_of_layout(tsr_filter(r));
}

/** tv as numbers of elements in a tile of a matrix. */
TSR_PART tsr_layout tsr_active_tv_(tsr_tuple const *flat, tsr_tiler const *tile, tsr_layout const *tv)
{
    tsr_layout r = tsr_make_layout_compact(*flat);
    r = tsr_composition_by(r, *tile);
    return tsr_composition_by(tsr_left_inverse(r), tsr_tiler_of_layout(*tv));
}

/** The copy of the elements of a matrix that tv names: the tiler takes them out of each mode, tv counts them there. */
TSR_LOCAL tsr_tiled_copy tsr_tiled_copy_active_(tsr_copy_atom atom, tsr_layout tv, tsr_tuple shape)
{
    tsr_tiled_copy r = TSR_ZERO;
    tsr_tuple const flat = tsr_product_each(shape);
    int const rank = flat.status ? 0 : tsr_mode_count(&flat);
    r.atom = atom;
    r.tv = flat.status && !tv.shape.status ? tsr_invalid_layout(flat) : tv;
    r.tiler = tsr_tiler_of_tuple(tsr_s(1));
    if (tsr_tiled_copy_bad_(r).status)
        return r;
    r.tiler.by.shape.leaves = 0;
    r.tiler.by.stride.leaves = 0;
    for (int i = 0; i < rank; ++i) {
        tsr_tiler const active = tsr_active_mode_(&flat, i, &tv);
        tsr_tiler_push(&r.tiler, &active);
    }
    r.tiler = tsr_tiler_close(r.tiler);
    return tsr_make_tiled_copy_impl(atom, tsr_active_tv_(&flat, &r.tiler, &tv), r.tiler);
}

TSR_OP tsr_tiled_copy tsr_make_cotiled_copy(tsr_copy_atom atom, tsr_layout tv, tsr_layout data)
{
    tsr_layout const none = tsr_pad_(), inverse = tsr_left_inverse(data);
    tsr_layout const coords = tsr_rewrap_(inverse, tsr_make_pair(&inverse, &none));
    tsr_layout const memory = tsr_rewrap_(data, tsr_make_pair(&data, &none));
    tsr_layout named = inverse.shape.status ? inverse : tsr_composition(coords, tv);
    if (atom.status || tv.shape.status || data.shape.status || named.shape.status) {
        named = tv.shape.status ? tv : data.shape.status ? data : named;
        return tsr_tiled_copy_active_(atom, named, tsr_s(1));
    }
    tsr_layout const held = tsr_coalesce(tsr_composition(memory, tsr_mode(named, 1)));
    tsr_tuple const same = tsr_layout_equal(held, tsr_coalesce(tsr_mode(tv, 1)));
    if (same.status || !tsr_leaf_is(same.leaf[0], 1))
        named = tsr_bad_layout(TSR_TILED_MEMORY, 0, 0, 0, 0);
    return tsr_tiled_copy_active_(atom, named, data.shape);
}

TSR_OP tsr_layout tsr_first_values_(tsr_layout const *tv, tsr_layout const *atom)
{
    tsr_tuple const threads = tsr_product(tsr_get_(&tv->shape, 0)), values = tsr_product(tsr_get_(&atom->shape, 1));
    return tsr_composition_by(*tv, tsr_tiler_of_layout(tsr_make_layout_compact(tsr_tuple_2(threads, values))));
}

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_c_atom(tsr_copy_atom atom, tsr_tiled_mma mma)
{
    tsr_tuple const why = tsr_reason_tuple(tsr_copy_why(atom));
    tsr_layout const tv = why.status ? tsr_invalid_layout(why) : tsr_get_layout_c_tv(mma),
                     src = tsr_copy_layout_src(atom);
    if (tv.shape.status || src.shape.status)
        return tsr_tiled_copy_active_(atom, tv.shape.status ? tv : src, tsr_s(1));
    return tsr_tiled_copy_active_(atom, tsr_first_values_(&tv, &src), tsr_operand_shape_(&mma, 0, 1));
}

TSR_OP tsr_tuple tsr_tiler_shape(tsr_tiler t)
{
    for (int i = 0; !t.by.shape.status && i < t.by.shape.leaves; ++i)
        t.by.shape.leaf[i].tile = 0;
    return t.by.shape;
}

/** (thread, value) of one side of the atom to (thread, value) of its reference. */
TSR_PART tsr_layout tsr_copy_to_ref_(tsr_copy_atom x, bool source)
{
    tsr_layout const side = source ? tsr_copy_layout_src(x) : tsr_copy_layout_dst(x);
    return tsr_composition(tsr_right_inverse(tsr_copy_layout_ref(x)), side);
}

/** Threads and values of the whole, cut into those of atoms. */
TSR_PART tsr_layout tsr_copy_atoms_(tsr_tiled_copy const *x)
{
    tsr_tuple const ref = tsr_copy_layout_ref(x->atom).shape;
    tsr_tuple const atom = tsr_tuple_2(tsr_product(tsr_get_(&ref, 0)), tsr_product(tsr_get_(&ref, 1)));
    return tsr_zipped_divide_by(x->tv, tsr_tiler_of_tuple(atom));
}

/** The first mode of a layout read through another layout. */
TSR_PART tsr_layout tsr_copy_compose_first_(tsr_layout const *l, tsr_layout const *first)
{
    return tsr_composition_by(*l, tsr_tile_2(tsr_tiler_of_layout(*first), tsr_tiler_of_tuple(tsr_wild())));
}

/** (thread, (value, atoms)) to an index of the tile. */
TSR_PART tsr_layout tsr_copy_side_tv_(tsr_tiled_copy const *x, bool source)
{
    tsr_tuple const one = tsr_s(1), profile = tsr_tuple_2(one, tsr_tuple_2(one, one));
    tsr_layout r = tsr_copy_atoms_(x);
    tsr_layout const side = tsr_copy_to_ref_(x->atom, source);
    r = tsr_copy_compose_first_(&r, &side);
    r = tsr_layout_zip(r);
    return tsr_coalesce_by(r, profile);
}

/** ((tile),(rest)) to (thread, (value, atoms), (rest)). */
TSR_PART tsr_layout tsr_tile_to_threads_(tsr_tiled_copy const *x, tsr_layout const *tiles, bool source)
{
    tsr_layout const tv = tsr_copy_side_tv_(x, source), cut = tsr_copy_compose_first_(tiles, &tv);
    tsr_tuple const keep = tsr_wild();
    return tsr_layout_slice(tsr_tuple_2(tsr_tuple_2(keep, keep), keep), cut);
}

TSR_PART tsr_layout tsr_tidfrg_(tsr_tiled_copy const *x, tsr_layout const *l, bool source)
{
    tsr_tuple why = tsr_tiled_copy_bad_(*x);
    int const rank = why.status || l->shape.status ? 0 : tsr_mode_count(&l->shape);
    why = why.status ? why : l->shape;
    if (!why.status && rank < tsr_tiler_rank_(&x->tiler))
        why = tsr_bad_tuple(TSR_TILED_OPERAND, 0, rank, tsr_tiler_rank_(&x->tiler), 0);
    if (why.status)
        return tsr_invalid_layout(why);
    tsr_layout const tiles = tsr_zipped_divide_by(*l, x->tiler);
    int64_t const covered = tsr_layout_size(tiles), held = tsr_layout_size(*l);
    if (!tiles.shape.status && covered != held)
        return tsr_bad_layout(TSR_TILED_COVERS, 0, covered, held, 0);
    return tsr_tile_to_threads_(x, &tiles, source);
}

TSR_OP tsr_layout tsr_tidfrg_s(tsr_tiled_copy x, tsr_layout l) { return tsr_tidfrg_(&x, &l, true); }

TSR_OP tsr_layout tsr_tidfrg_d(tsr_tiled_copy x, tsr_layout l) { return tsr_tidfrg_(&x, &l, false); }

TSR_LOCAL tsr_layout tsr_copy_tv_(tsr_tiled_copy x, bool source)
{
    tsr_tuple const why = tsr_tiled_copy_bad_(x);
    if (why.status)
        return tsr_invalid_layout(why);
    tsr_layout const tile = tsr_make_layout_compact(tsr_tuple_2(tsr_tiler_shape(x.tiler), tsr_s(1)));
    tsr_layout const cut = tsr_tile_to_threads_(&x, &tile, source);
    return tsr_layout_slice(tsr_t(tsr_wild(), tsr_wild(), tsr_s(0)), cut);
}

TSR_OP tsr_layout tsr_get_layout_s_tv(tsr_tiled_copy x) { return tsr_copy_tv_(x, true); }

TSR_OP tsr_layout tsr_get_layout_d_tv(tsr_tiled_copy x) { return tsr_copy_tv_(x, false); }

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_s(tsr_copy_atom atom, tsr_tiled_copy x)
{
    return tsr_make_tiled_copy_impl(atom, tsr_get_layout_s_tv(x), x.tiler);
}

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_d(tsr_copy_atom atom, tsr_tiled_copy x)
{
    return tsr_make_tiled_copy_impl(atom, tsr_get_layout_d_tv(x), x.tiler);
}

TSR_OP tsr_layout tsr_tiled_layout_tv(tsr_tiled_copy x)
{
    tsr_tuple const why = tsr_tiled_copy_bad_(x);
    return why.status ? tsr_invalid_layout(why) : x.tv;
}

TSR_OP tsr_tiler tsr_tiler_mn(tsr_tiled_copy x)
{
    tsr_tuple const why = tsr_tiled_copy_bad_(x);
    return why.status ? tsr_tiler_of_layout(tsr_invalid_layout(why)) : x.tiler;
}

/** What thread t copies: ((value, atoms), rest..). */
TSR_LOCAL tsr_tensor tsr_copy_partition_(tsr_tiled_copy x, tsr_tuple t, tsr_tensor tensor, bool source)
{
    tsr_tuple const why = tsr_tiled_copy_bad_(x), bad = why.status ? why : t;
    if (bad.status || tsr_tensor_bad_(tensor).status) {
        tensor.engine.at = bad.status ? bad : tensor.engine.at;
        return tensor;
    }
    int const rank = tsr_mode_count(&tensor.layout.shape);
    tensor.layout = tsr_tidfrg_(&x, &tensor.layout, source);
    if (tensor.layout.shape.status)
        return tensor;
    return tsr_tensor_slice(tsr_tuple_3(t, tsr_wild(), tsr_repeat(tsr_wild(), rank)), tensor);
}

TSR_OP tsr_tensor tsr_partition_s(tsr_tiled_copy x, tsr_tuple t, tsr_tensor source)
{
    return tsr_copy_partition_(x, t, source, true);
}

TSR_OP tsr_tensor tsr_partition_d(tsr_tiled_copy x, tsr_tuple t, tsr_tensor destination)
{
    return tsr_copy_partition_(x, t, destination, false);
}

/** The tile of a copy in runs of as many elements as a thread has values; threads that share elements leave gaps. */
TSR_PART tsr_layout tsr_retile_held_(tsr_tiled_copy const *x, int64_t values)
{
    tsr_layout r = tsr_right_inverse(x->tv);
    r = tsr_with_shape(r, tsr_tiler_shape(x->tiler));
    return r.shape.status ? r : tsr_groups_(r, values);
}

/** ((values of an atom), (atoms)) to the values of a thread. */
TSR_PART tsr_layout tsr_retile_atoms_(tsr_copy_atom atom, tsr_tuple const *values, tsr_layout const *held)
{
    tsr_tiler const by = tsr_tiler_of_layout(tsr_right_inverse(*held));
    tsr_layout const all = tsr_logical_product_by(tsr_make_layout_compact(*values), by);
    tsr_tuple const ref = tsr_copy_layout_ref(atom).shape;
    return tsr_zipped_divide_by(all, tsr_tiler_of_layout(tsr_extent_(tsr_product(tsr_get_(&ref, 1)))));
}

TSR_OP tsr_layout tsr_retile(tsr_tiled_copy x, tsr_layout fragment)
{
    tsr_tuple const why = tsr_tiled_copy_bad_(x);
    if (why.status || fragment.shape.status)
        return why.status ? tsr_invalid_layout(why) : fragment;
    int const rank = tsr_mode_count(&fragment.shape);
    tsr_tuple const v = tsr_product(tsr_tuple_get(fragment.shape, 0));
    tsr_tuple const each = tsr_lift2_(tsr_leaf_mul, v, tsr_product(tsr_tuple_get(x.tv.shape, 0)));
    if (each.status)
        return tsr_invalid_layout(each);
    tsr_layout const held = tsr_retile_held_(&x, tsr_tuple_number(each));
    tsr_layout const atoms = tsr_retile_atoms_(x.atom, &v, &held);
    if (held.shape.status || atoms.shape.status)
        return held.shape.status ? held : atoms;
    tsr_tuple const extents = tsr_tuple_prepend(tsr_product_each(held.shape), v);
    fragment = tsr_zipped_divide_by(fragment, tsr_tiler_of_tuple(extents));
    fragment = tsr_composition_by(fragment, tsr_tile_2(tsr_tiler_of_layout(atoms), tsr_tiler_of_tuple(tsr_wild())));
    tsr_tuple const rest = tsr_tuple_append_to(tsr_tuple_1(tsr_s(0)), tsr_wild(), rank);
    return tsr_layout_slice(tsr_tuple_2(tsr_wild(), rest), fragment);
}

TSR_HEADER_END

#endif

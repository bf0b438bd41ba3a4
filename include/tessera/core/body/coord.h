/** The bodies of core/coord.h. */
#ifndef TSR_CORE_BODY_COORD_H
#define TSR_CORE_BODY_COORD_H

#include "tessera/core/coord.h"
#include "tessera/core/body/shape.h"

TSR_HEADER_BEGIN

TSR_LOCAL tsr_tuple tsr_coord_misfit_(tsr_tuple const *coord, tsr_tuple const *shape)
{
    return tsr_is_leaf(shape) ? tsr_bad_tuple(TSR_COORD_LEAF, 0, tsr_mode_count(coord), 0, 0)
                              : tsr_bad_tuple(TSR_COORD, 0, tsr_mode_count(coord), tsr_mode_count(shape), 0);
}

/** The modes of a tuple up to the last that holds an integer. Only () follow, which a 1-D coordinate passes by. */
TSR_LOCAL int tsr_modes_with_integers_(tsr_tuple const *t)
{
    int rank = 0;
    for (int i = 0, mode = 1; i < t->leaves; ++mode) {
        int const end = tsr_mode_end_(t, i);
        for (; i < end; ++i)
            rank = t->leaf[i].kind == TSR_UNIT ? rank : mode;
    }
    return rank;
}

/** The term of the integer c into a mode of the shape. */
TSR_LOCAL tsr_leaf tsr_term_of_int_(tsr_leaf c, tsr_sub_ shape, tsr_tuple const *stride)
{
    tsr_leaf r = tsr_leaf_static(0);
    if (tsr_sub_is_leaf_(shape))
        return tsr_leaf_mul(c, stride->leaf[shape.b]);
    for (int b = shape.b; b < shape.e && r.kind != TSR_BAD;) {
        tsr_sub_ const mode = tsr_sub_mode_(shape, b);
        tsr_leaf at = c;
        if (mode.e < shape.e) { /* the last mode takes what is left */
            tsr_leaf const extent = tsr_sub_product_(mode);
            at = tsr_leaf_mod(c, extent);
            c = tsr_leaf_div(c, extent);
        }
        r = tsr_leaf_add(r, tsr_term_of_int_(at, mode, stride));
        b = mode.e;
    }
    return r;
}

/** Where a walk over the leaves of a coordinate stands: the mode under one of them, and what it opens and closes. */
typedef struct tsr_under_ {
    int b, e, open, close;
    int depth, at; /* parentheses that are open in the shape, and in the coordinate */
} tsr_under_;

/** Goes to the mode of the shape under the next leaf of a coordinate. False: the two do not fit. */
TSR_LOCAL bool tsr_next_under_(tsr_under_ *u, tsr_leaf c, tsr_tuple const *shape)
{
    u->b = u->e;
    u->at += c.open;
    if (u->b >= shape->leaves)
        return false;
    for (bool inside = true; inside && u->e < shape->leaves; ++u->e) {
        u->depth += shape->leaf[u->e].open;
        u->open = u->e == u->b ? u->depth - u->at : u->open;
        u->close = u->depth - u->at;
        u->depth -= shape->leaf[u->e].close;
        inside = u->depth > u->at;
    }
    u->at -= c.close;
    return u->open >= 0 && u->at == u->depth;
}

/** Are shape and stride congruent, of integers alone? */
TSR_LOCAL bool tsr_are_ints_(tsr_tuple const *shape, tsr_tuple const *stride)
{
    if (shape->status || stride->status || !tsr_same_profile(shape, stride))
        return false;
    for (int i = 0; i < shape->leaves; ++i)
        if (!tsr_leaf_is_int(shape->leaf[i]) || !tsr_leaf_is_int(stride->leaf[i]))
            return false;
    return true;
}

/** Adds the term of the integer c to *sum. False: it is no integer, or the sum does not exist. */
TSR_LOCAL bool tsr_add_term_(tsr_leaf *sum, tsr_leaf c, tsr_under_ const *u, tsr_tuple const *shape,
                             tsr_tuple const *stride)
{
    tsr_sub_ const mode = {shape, u->b, u->e, u->open};
    if (!tsr_leaf_is_int(c))
        return false;
    *sum = tsr_leaf_add(*sum, tsr_term_of_int_(c, mode, stride));
    return sum->kind != TSR_BAD;
}

/** The index of a coordinate among integers in one walk. False: it is another case. */
TSR_LOCAL bool tsr_plain_index_(tsr_leaf *sum, tsr_tuple const *coord, tsr_tuple const *shape,
                                tsr_tuple const *stride)
{
    tsr_under_ u = TSR_ZERO;
    *sum = tsr_leaf_static(0);
    if (coord->status || !tsr_are_ints_(shape, stride))
        return false;
    for (int j = 0; j < coord->leaves; ++j)
        if (!tsr_next_under_(&u, coord->leaf[j], shape) || !tsr_add_term_(sum, coord->leaf[j], &u, shape, stride))
            return false;
    return u.e == shape->leaves;
}

TSR_OP tsr_tuple tsr_crd2idx(tsr_tuple coord, tsr_tuple shape, tsr_tuple stride)
{
    tsr_tuple r = TSR_ZERO;
    tsr_leaf plain = TSR_ZERO;
    if (tsr_plain_index_(&plain, &coord, &shape, &stride))
        return tsr_from_leaf(plain);
    if (coord.status || shape.status || stride.status)
        return coord.status ? coord : shape.status ? shape : stride;
    if (tsr_is_leaf(&shape)) {
        if (!tsr_is_leaf(&coord))
            return tsr_coord_misfit_(&coord, &shape);
        return tsr_lift2_(tsr_leaf_mul, coord, stride);
    }
    int const rank = tsr_mode_count(&shape);
    if (tsr_mode_count(&stride) != rank || tsr_is_leaf(&stride))
        return tsr_ranks_differ_(&shape, &stride);
    bool const index = tsr_is_leaf(&coord);
    int const modes = tsr_modes_with_integers_(&shape);
    if (!index && tsr_mode_count(&coord) != rank)
        return tsr_coord_misfit_(&coord, &shape);
    if (modes == 0)
        return index && tsr_leaf_value(coord.leaf[0]) != 0 ? tsr_coord_misfit_(&coord, &shape) : tsr_s(0);
    for (int i = 0; i < (index ? modes : rank); ++i) {
        tsr_tuple const si = tsr_tuple_get(shape, i);
        tsr_tuple ci = index ? coord : tsr_tuple_get(coord, i);
        if (index && i < modes - 1) {
            tsr_tuple const extent = tsr_product(si);
            ci = tsr_lift2_(tsr_leaf_mod, coord, extent);
            coord = tsr_lift2_(tsr_leaf_div, coord, extent);
        }
        tsr_tuple const term = tsr_crd2idx(ci, si, tsr_tuple_get(stride, i));
        r = i == 0 ? term : tsr_add(r, term);
    }
    return r;
}

TSR_OP tsr_tuple tsr_crd2idx_compact(tsr_tuple coord, tsr_tuple shape)
{
    if (coord.status || shape.status)
        return coord.status ? coord : shape;
    if (tsr_is_leaf(&coord))
        return coord;
    if (tsr_is_leaf(&shape) || tsr_mode_count(&coord) != tsr_mode_count(&shape))
        return tsr_coord_misfit_(&coord, &shape);
    tsr_tuple extent = tsr_product_like(shape, coord);
    if (extent.status)
        return extent;
    if (coord.leaves != extent.leaves)
        return tsr_coord_misfit_(&coord, &shape);
    coord = tsr_flatten_to_tuple(coord);
    extent = tsr_flatten_to_tuple(extent);
    if (tsr_is_unit(&coord))
        return tsr_s(0);
    tsr_leaf r = coord.leaf[coord.leaves - 1];
    for (int i = coord.leaves - 2; i >= 0; --i)
        r = tsr_leaf_add(coord.leaf[i], tsr_leaf_mul(extent.leaf[i], r));
    return tsr_from_leaf(r);
}

TSR_OP tsr_tuple tsr_idx2crd(tsr_tuple index, tsr_tuple shape)
{
    tsr_tuple r = TSR_ZERO;
    if (index.status || shape.status)
        return index.status ? index : shape;
    bool const is_index = tsr_is_leaf(&index);
    if (tsr_is_leaf(&shape))
        return is_index ? index : tsr_coord_misfit_(&index, &shape);
    int const rank = tsr_mode_count(&shape), modes = tsr_modes_with_integers_(&shape);
    if (is_index ? modes == 0 && tsr_leaf_value(index.leaf[0]) != 0 : tsr_mode_count(&index) != rank)
        return tsr_coord_misfit_(&index, &shape);
    for (int i = 0; i < rank; ++i) {
        tsr_tuple const si = tsr_tuple_get(shape, i);
        tsr_tuple xi = is_index ? index : tsr_tuple_get(index, i);
        if (is_index && i >= modes) {
            xi = tsr_s(0);
        } else if (is_index && i < modes - 1) {
            tsr_tuple const extent = tsr_product(si);
            xi = tsr_lift2_(tsr_leaf_mod, index, extent);
            index = tsr_lift2_(tsr_leaf_div, index, extent);
        }
        xi = tsr_idx2crd(xi, si);
        tsr_tuple_push(&r, &xi);
    }
    return tsr_tuple_close(r);
}

TSR_OP tsr_tuple tsr_crd2crd(tsr_tuple coord, tsr_tuple from, tsr_tuple to)
{
    tsr_tuple r = TSR_ZERO;
    if (coord.status || from.status || to.status)
        return coord.status ? coord : from.status ? from : to;
    if (tsr_is_leaf(&coord) || tsr_is_leaf(&from) || tsr_is_leaf(&to))
        return tsr_idx2crd(tsr_crd2idx_compact(coord, from), to);
    int const rank = tsr_mode_count(&coord);
    if (tsr_mode_count(&from) != rank || tsr_mode_count(&to) != rank)
        return tsr_coord_misfit_(&coord, tsr_mode_count(&from) != rank ? &from : &to);
    for (int i = 0; i < rank; ++i) {
        tsr_tuple const x = tsr_crd2crd(tsr_tuple_get(coord, i), tsr_tuple_get(from, i), tsr_tuple_get(to, i));
        tsr_tuple_push(&r, &x);
    }
    return tsr_tuple_close(r);
}

TSR_OP tsr_tuple tsr_increment(tsr_tuple coord, tsr_tuple shape)
{
    if (coord.status || shape.status)
        return coord.status ? coord : shape;
    if (!tsr_same_profile(&coord, &shape))
        return tsr_coord_misfit_(&coord, &shape);
    int last = -1;
    for (int i = 0; i < coord.leaves; ++i) {
        if (coord.leaf[i].kind == TSR_UNIT && shape.leaf[i].kind == TSR_UNIT)
            continue;
        if (!tsr_leaf_is_int(coord.leaf[i]) || coord.leaf[i].value < 0 || coord.leaf[i].value >= shape.leaf[i].value)
            return tsr_bad_tuple(TSR_INCREMENT, i, 0, 0, 0);
        last = i;
    }
    if (last < 0)
        return tsr_bad_tuple(TSR_INCREMENT, 0, 0, 0, 0);
    for (int i = 0; i <= last; ++i) {
        if (coord.leaf[i].kind == TSR_UNIT)
            continue;
        coord.leaf[i].kind = TSR_DYNAMIC;
        if (++coord.leaf[i].value < shape.leaf[i].value || i == last)
            break;
        coord.leaf[i].value = 0;
    }
    return coord;
}

TSR_HEADER_END

#endif

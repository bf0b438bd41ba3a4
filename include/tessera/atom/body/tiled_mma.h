/** The bodies of atom/tiled_mma.h. */
#ifndef TSR_ATOM_BODY_TILED_MMA_H
#define TSR_ATOM_BODY_TILED_MMA_H

#include "tessera/atom/tiled_mma.h"
#include "tessera/atom/body/mma_layout.h"

TSR_HEADER_BEGIN

TSR_OP tsr_tuple tsr_tiled_mma_bad_(tsr_tiled_mma x)
{
    tsr_tuple const why = tsr_reason_tuple(tsr_mma_why(x.atom));
    return why.status ? why : x.threads.shape.status ? x.threads.shape : x.permutation.by.shape;
}

/** <permutation..> with `_` appended up to three elements. */
TSR_LOCAL tsr_tiler tsr_permutation_(tsr_tiler by)
{
    tsr_tiler const keep = tsr_tiler_of_tuple(tsr_wild());
    tsr_tiler r = TSR_ZERO;
    int const rank = by.by.shape.status ? 3 : tsr_tiler_rank_(&by);
    if (by.by.shape.status)
        return by;
    if (!tsr_tiler_is_tuple(&by) || rank > 3) {
        r.by.shape = tsr_bad_tuple(TSR_TILED_RANK, 0, rank, 3, 0);
        return r;
    }
    for (int i = 0; i < 3; ++i) {
        tsr_tiler const x = i < rank ? tsr_tiler_get(by, i) : keep;
        tsr_tiler_push(&r, &x);
    }
    return tsr_tiler_close(r);
}

TSR_OP tsr_tiled_mma tsr_make_tiled_mma_by(tsr_mma_atom atom, tsr_layout threads, tsr_tiler permutation)
{
    tsr_tiled_mma r = TSR_ZERO;
    int const rank = threads.shape.status || permutation.by.shape.status ? 3 : tsr_mode_count(&threads.shape);
    r.atom = atom;
    if (!atom.status && tsr_mma_blocks(atom) > 1)
        r.atom = tsr_mma_refuse(atom, TSR_TILED_BLOCKS, (int32_t)tsr_mma_blocks(atom), 0);
    r.threads = rank > 3 ? tsr_bad_layout(TSR_TILED_RANK, 0, rank, 3, 0) : threads;
    r.threads = rank < 3 ? tsr_layout_pad(threads, 3) : r.threads;
    r.permutation = tsr_permutation_(permutation);
    return r;
}

TSR_OP tsr_tiled_mma tsr_make_tiled_mma_over(tsr_mma_atom atom, tsr_layout threads)
{
    return tsr_make_tiled_mma_by(atom, threads, tsr_tile(tsr_wild()));
}

TSR_OP tsr_tiled_mma(tsr_make_tiled_mma)(tsr_mma_atom atom)
{
    return tsr_make_tiled_mma_over(atom, tsr_make_layout_compact(tsr_t(tsr_s(1), tsr_s(1), tsr_s(1))));
}

/** The compact layout of a shape, or why an argument behind it is invalid. */
TSR_LOCAL tsr_layout tsr_compact_before_(tsr_tuple shape, tsr_tuple next)
{
    return !shape.status && next.status ? tsr_invalid_layout(next) : tsr_make_layout_compact(shape);
}

TSR_OP tsr_tiled_mma tsr_make_tiled_mma_shape(tsr_mma_atom atom, tsr_tuple shape)
{
    return tsr_make_tiled_mma_over(atom, tsr_make_layout_compact(shape));
}

TSR_OP tsr_tiled_mma tsr_make_tiled_mma_shape_by(tsr_mma_atom atom, tsr_tuple shape, tsr_tiler permutation)
{
    return tsr_make_tiled_mma_by(atom, tsr_compact_before_(shape, permutation.by.shape), permutation);
}

TSR_OP tsr_layout tsr_get_thr_layout_vmnk(tsr_tiled_mma x)
{
    tsr_tuple const why = tsr_tiled_mma_bad_(x);
    if (why.status)
        return tsr_invalid_layout(why);
    return tsr_tiled_product_by(tsr_mma_thr_id(x.atom), tsr_tiler_of_layout(x.threads));
}

/** Size of mode i of that layout, static as it is there. */
TSR_PART tsr_tuple tsr_vmnk_size_(tsr_tiled_mma const *x, int64_t i)
{
    tsr_layout const vmnk = tsr_get_thr_layout_vmnk(*x);
    return vmnk.shape.status ? vmnk.shape : tsr_product(tsr_get_(&vmnk.shape, i));
}

/** The extent of mode i of as many atoms as there are. */
TSR_PART tsr_tuple tsr_natural_size_(tsr_tiled_mma const *x, int64_t i)
{
    tsr_tuple const size = tsr_vmnk_size_(x, i + 1), shape = tsr_mma_shape(x->atom);
    return tsr_lift2_(tsr_leaf_mul, tsr_get_(&shape, i), size);
}

TSR_PART tsr_tiler tsr_permutation_of_(tsr_tiled_mma const *x, int64_t i)
{
    tsr_tuple why = tsr_tiled_mma_bad_(*x);
    if (!why.status && (i < 0 || i > 2))
        why = tsr_bad_tuple(TSR_INDEX, 0, i, 3, 0);
    if (why.status)
        return tsr_tiler_of_layout(tsr_invalid_layout(why));
    tsr_tiler const p = tsr_tiler_get_(&x->permutation, i);
    return tsr_tiler_is_wild(&p) ? tsr_tiler_of_tuple(tsr_natural_size_(x, i)) : p;
}

TSR_OP tsr_tiler tsr_permutation_mnk(tsr_tiled_mma x, int64_t i) { return tsr_permutation_of_(&x, i); }

TSR_PART tsr_tuple tsr_tile_size_(tsr_tiled_mma const *x, int64_t i)
{
    return tsr_product(tsr_permutation_of_(x, i).by.shape);
}

TSR_OP tsr_tuple tsr_tile_shape(tsr_tiled_mma x)
{
    tsr_tuple const why = tsr_tiled_mma_bad_(x);
    return why.status ? why : tsr_tuple_3(tsr_tile_size_(&x, 0), tsr_tile_size_(&x, 1), tsr_tile_size_(&x, 2));
}

TSR_OP tsr_tuple tsr_thr_size_int(tsr_tiled_mma x) { return tsr_size_of(tsr_get_thr_layout_vmnk(x), tsr_unit()); }

TSR_OP int64_t tsr_thr_size(tsr_tiled_mma x) { return tsr_tuple_number(tsr_thr_size_int(x)); }

/* Operands: which of M, N, K their modes are */

TSR_LOCAL int64_t tsr_operand_mode_(tsr_operand o, int which)
{
    return which == 0 ? (o == TSR_OPERAND_B ? 1 : 0) : (o == TSR_OPERAND_C ? 1 : 2);
}

TSR_LOCAL tsr_layout tsr_operand_layout_(tsr_mma_atom x, tsr_operand o)
{
    return o == TSR_OPERAND_A ? tsr_mma_layout_a(x) : o == TSR_OPERAND_B ? tsr_mma_layout_b(x) : tsr_mma_layout_c(x);
}

/** _n:_1 (or _1:_0) of a size. */
TSR_LOCAL tsr_layout tsr_extent_(tsr_tuple size) { return tsr_make_layout_compact(size); }

/* The modes i and j of an operand as tilers: the tile, the atom, its threads. */

TSR_PART tsr_tiler tsr_operand_tile_(tsr_tiled_mma const *x, int64_t i, int64_t j)
{
    return tsr_tile_2(tsr_permutation_of_(x, i), tsr_permutation_of_(x, j));
}

TSR_PART tsr_tiler tsr_operand_extents_(tsr_tuple m, tsr_tuple n)
{
    return tsr_tile_2(tsr_tiler_of_layout(tsr_extent_(m)), tsr_tiler_of_layout(tsr_extent_(n)));
}

TSR_PART tsr_tiler tsr_operand_atom_(tsr_tiled_mma const *x, int64_t i, int64_t j)
{
    tsr_tuple const shape = tsr_mma_shape(x->atom);
    return tsr_operand_extents_(tsr_get_(&shape, i), tsr_get_(&shape, j));
}

TSR_PART tsr_tiler tsr_operand_atoms_(tsr_tiled_mma const *x, int64_t i, int64_t j)
{
    return tsr_operand_extents_(tsr_vmnk_size_(x, i + 1), tsr_vmnk_size_(x, j + 1));
}

/** Returns l cut into the values of an atom and the rest. */
TSR_PART tsr_layout tsr_operand_cut_(tsr_mma_atom x, tsr_operand o, tsr_layout const *l)
{
    tsr_tiler const values = tsr_tiler_of_layout(tsr_operand_layout_(x, o));
    return tsr_composition_by(*l, tsr_tile_2(values, tsr_tiler_of_tuple(tsr_wild())));
}

/** l cut for an operand: ((thread,(tiles of threads)),(value,(rest))). Errors: TILED_OPERAND, those of divides. */
TSR_PART tsr_layout tsr_thrfrg_(tsr_tiled_mma const *x, tsr_operand o, tsr_layout l)
{
    tsr_tuple const why = tsr_tiled_mma_bad_(*x);
    int64_t const i = tsr_operand_mode_(o, 0), j = tsr_operand_mode_(o, 1);
    if (why.status || l.shape.status)
        return why.status ? tsr_invalid_layout(why) : l;
    if (tsr_mode_count(&l.shape) < 2)
        return tsr_bad_layout(TSR_TILED_OPERAND, 0, tsr_mode_count(&l.shape), 2, 0);
    l = tsr_logical_divide_by(l, tsr_operand_tile_(x, i, j));
    l = tsr_zipped_divide_by(l, tsr_operand_atom_(x, i, j));
    l = tsr_operand_cut_(x->atom, o, &l);
    tsr_tiler const atoms = tsr_operand_atoms_(x, i, j); /* mode 0 is a pair already */
    l = tsr_logical_divide_by(l, tsr_tile_2(tsr_tiler_of_tuple(tsr_wild()), atoms));
    return tsr_tile_unzip_by(l, tsr_tile_2(tsr_tiler_of_int(1), atoms));
}

TSR_OP tsr_layout tsr_thrfrg_a(tsr_tiled_mma x, tsr_layout l) { return tsr_thrfrg_(&x, TSR_OPERAND_A, l); }

TSR_OP tsr_layout tsr_thrfrg_b(tsr_tiled_mma x, tsr_layout l) { return tsr_thrfrg_(&x, TSR_OPERAND_B, l); }

TSR_OP tsr_layout tsr_thrfrg_c(tsr_tiled_mma x, tsr_layout l) { return tsr_thrfrg_(&x, TSR_OPERAND_C, l); }

/** The thread of the block to the thread of that layout, (thread of the atom, M, N, K). */
TSR_PART tsr_layout tsr_block_threads_(tsr_layout const *vmnk)
{
    tsr_tuple const shape = tsr_tuple_2(tsr_product(vmnk->shape), tsr_s(1));
    tsr_layout r = tsr_complement(*vmnk);
    if (r.shape.status)
        return r;
    r = tsr_rewrap_(*vmnk, tsr_make_pair(vmnk, &r));
    r = tsr_right_inverse(r);
    tsr_layout const row = tsr_make_layout_from(shape, tsr_tuple_2(tsr_s(1), tsr_s(0)));
    return tsr_composition_by(row, tsr_tiler_of_layout(r));
}

/** Returns the number of atoms along M and along N. */
TSR_PART tsr_tuple tsr_operand_sizes_(tsr_tiled_mma const *x)
{
    return tsr_tuple_2(tsr_vmnk_size_(x, 1), tsr_vmnk_size_(x, 2));
}

/** Threads that share elements of A (those along N) or of B (along M) get a stride of 0 between them. */
TSR_PART tsr_tiler tsr_shared_threads_(tsr_tiled_mma const *x, tsr_operand o)
{
    int64_t const a = o == TSR_OPERAND_A;
    tsr_tuple const shape = tsr_operand_sizes_(x), stride = tsr_t(tsr_s(a), tsr_s(1 - a));
    tsr_tiler const keep = tsr_tiler_of_tuple(tsr_wild());
    tsr_tiler r = tsr_tiler_of_layout(tsr_make_layout_from(shape, stride));
    r = tsr_tile_2(r, keep);
    r = tsr_tile_2(keep, r);
    return tsr_tile_2(r, keep);
}

/** l cut for an operand, by threads of the block: (thread, (value, (rest))). Threads that share elements of A (those
 *  along N) or of B (along M) have a stride of 0 between them. */
TSR_LOCAL tsr_layout tsr_operand_values_(tsr_tiled_mma x, tsr_operand o, tsr_layout l)
{
    tsr_layout const vmnk = tsr_get_thr_layout_vmnk(x);
    if (vmnk.shape.status)
        return vmnk;
    tsr_layout const threads = tsr_block_threads_(&vmnk);
    if (threads.shape.status)
        return threads;
    tsr_layout r = tsr_thrfrg_(&x, o, l);
    if (o != TSR_OPERAND_C)
        r = tsr_composition_by(r, tsr_shared_threads_(&x, o));
    return tsr_compose_first_(r, threads);
}

TSR_OP tsr_layout tsr_thread_values_a(tsr_tiled_mma x, tsr_layout a)
{
    return tsr_operand_values_(x, TSR_OPERAND_A, a);
}

TSR_OP tsr_layout tsr_thread_values_b(tsr_tiled_mma x, tsr_layout b)
{
    return tsr_operand_values_(x, TSR_OPERAND_B, b);
}

TSR_OP tsr_layout tsr_thread_values_c(tsr_tiled_mma x, tsr_layout c)
{
    return tsr_operand_values_(x, TSR_OPERAND_C, c);
}

TSR_PART tsr_tuple tsr_operand_shape_(tsr_tiled_mma const *x, int64_t i, int64_t j)
{
    return tsr_tuple_2(tsr_tile_size_(x, i), tsr_tile_size_(x, j));
}

/** The same of one tile, to an index of it. */
TSR_LOCAL tsr_layout tsr_operand_tv_(tsr_tiled_mma x, tsr_operand o)
{
    int64_t const i = tsr_operand_mode_(o, 0), j = tsr_operand_mode_(o, 1);
    tsr_layout const vmnk = tsr_get_thr_layout_vmnk(x);
    if (vmnk.shape.status)
        return vmnk;
    return tsr_operand_values_(x, o, tsr_make_layout_compact(tsr_operand_shape_(&x, i, j)));
}

TSR_OP tsr_layout tsr_get_layout_a_tv(tsr_tiled_mma x) { return tsr_operand_tv_(x, TSR_OPERAND_A); }

TSR_OP tsr_layout tsr_get_layout_b_tv(tsr_tiled_mma x) { return tsr_operand_tv_(x, TSR_OPERAND_B); }

TSR_OP tsr_layout tsr_get_layout_c_tv(tsr_tiled_mma x) { return tsr_operand_tv_(x, TSR_OPERAND_C); }

TSR_OP tsr_tuple tsr_thr_vmnk(tsr_tiled_mma x, tsr_tuple t)
{
    tsr_layout const vmnk = tsr_get_thr_layout_vmnk(x);
    tsr_tuple const at = tsr_get_flat_coord(vmnk, t);
    if (at.status != TSR_NO_COORD || vmnk.composed)
        return at;
    return tsr_crd2crd(tsr_coordinate_mod_(t.leaf[0], &vmnk.shape, &vmnk.stride), vmnk.shape,
                       tsr_repeat(tsr_s(1), tsr_mode_count(&vmnk.shape)));
}

TSR_OP tsr_tuple tsr_thread_coord_(tsr_tuple thread, tsr_layout const *cut)
{
    tsr_tuple const rest = tsr_tuple_get_path(cut->shape, tsr_t(tsr_s(1), tsr_s(1)));
    return tsr_tuple_2(thread, tsr_tuple_2(tsr_wild(), tsr_repeat(tsr_wild(), tsr_mode_count(&rest))));
}

/** The coordinate of thread t in a layout that is cut for an operand. */
TSR_PART tsr_tuple tsr_thread_at_(tsr_tiled_mma const *x, tsr_operand o, tsr_tuple t, tsr_layout const *cut)
{
    int64_t const i = tsr_operand_mode_(o, 0) + 1, j = tsr_operand_mode_(o, 1) + 1;
    tsr_tuple const at = tsr_thr_vmnk(*x, t);
    if (at.status)
        return at;
    tsr_tuple const tiles = tsr_tuple_2(tsr_get_(&at, i), tsr_get_(&at, j));
    return tsr_thread_coord_(tsr_tuple_2(tsr_get_(&at, 0), tiles), cut);
}

/** What thread t has of a tensor of the operand: (value, rest..). */
TSR_PART tsr_tensor tsr_partition_(tsr_tiled_mma const *x, tsr_operand o, tsr_tuple t, tsr_tensor tensor)
{
    tsr_tuple const why = tsr_tiled_mma_bad_(*x), bad = why.status ? why : t;
    if (bad.status || tsr_tensor_bad_(tensor).status) {
        tensor.engine.at = bad.status ? bad : tensor.engine.at;
        return tensor;
    }
    tensor.layout = tsr_thrfrg_(x, o, tensor.layout);
    tsr_tuple const at = tsr_thread_at_(x, o, t, &tensor.layout);
    if (at.status || tensor.layout.shape.status) {
        tensor.engine.at = at.status && !tensor.layout.shape.status ? at : tensor.engine.at;
        return tensor;
    }
    return tsr_tensor_slice(at, tensor);
}

TSR_OP tsr_tensor tsr_partition_a(tsr_tiled_mma x, tsr_tuple t, tsr_tensor a)
{
    return tsr_partition_(&x, TSR_OPERAND_A, t, a);
}

TSR_OP tsr_tensor tsr_partition_b(tsr_tiled_mma x, tsr_tuple t, tsr_tensor b)
{
    return tsr_partition_(&x, TSR_OPERAND_B, t, b);
}

TSR_OP tsr_tensor tsr_partition_c(tsr_tiled_mma x, tsr_tuple t, tsr_tensor c)
{
    return tsr_partition_(&x, TSR_OPERAND_C, t, c);
}

/** The shape of a thread's part of an operand of this shape. */
TSR_LOCAL tsr_tuple tsr_partition_shape_(tsr_tiled_mma x, tsr_operand o, tsr_tuple shape)
{
    tsr_tuple const why = tsr_tiled_mma_bad_(x);
    tsr_layout const cut = tsr_thrfrg_(&x, o, tsr_make_layout_compact(shape));
    if (why.status || cut.shape.status)
        return why.status ? why : cut.shape;
    return tsr_layout_slice(tsr_thread_coord_(tsr_s(0), &cut), cut).shape;
}

TSR_OP tsr_tuple tsr_partition_shape_a(tsr_tiled_mma x, tsr_tuple shape)
{
    return tsr_partition_shape_(x, TSR_OPERAND_A, shape);
}

TSR_OP tsr_tuple tsr_partition_shape_b(tsr_tiled_mma x, tsr_tuple shape)
{
    return tsr_partition_shape_(x, TSR_OPERAND_B, shape);
}

TSR_OP tsr_tuple tsr_partition_shape_c(tsr_tiled_mma x, tsr_tuple shape)
{
    return tsr_partition_shape_(x, TSR_OPERAND_C, shape);
}

/** The registers that hold A or B partitioned; where an operand is in shared memory, its descriptors, one an atom. */
TSR_LOCAL tsr_layout tsr_fragment_(tsr_tiled_mma x, tsr_operand o, tsr_tuple t, tsr_tensor tensor)
{
    tsr_tensor const part = tsr_partition_(&x, o, t, tensor);
    tsr_tuple const why = tsr_tensor_bad_(part);
    bool const cta = x.atom.kind == TSR_MMA_CTA || x.atom.kind == TSR_MMA_CTA_PAIR;
    bool const shared =
        (x.atom.kind == TSR_MMA_WARPGROUP || cta) && (o == TSR_OPERAND_B || !(x.atom.flags & TSR_MMA_A_REGISTERS));
    if (why.status)
        return tsr_invalid_layout(why);
    if (cta && !shared)
        return tsr_bad_layout(TSR_TILED_TENSOR_MEMORY, 0, 0, 0, 0);
    if (!shared)
        return tsr_make_fragment_like(part.layout);
    tsr_layout const units = tsr_recast_whole_(part.layout, o == TSR_OPERAND_A ? x.atom.a : x.atom.b, TSR_U128);
    return tsr_layout_replace(units, tsr_pad_(), 0);
}

TSR_OP tsr_layout tsr_partition_fragment_a(tsr_tiled_mma x, tsr_tuple t, tsr_tensor a)
{
    return tsr_fragment_(x, TSR_OPERAND_A, t, a);
}

TSR_OP tsr_layout tsr_partition_fragment_b(tsr_tiled_mma x, tsr_tuple t, tsr_tensor b)
{
    return tsr_fragment_(x, TSR_OPERAND_B, t, b);
}

TSR_OP tsr_layout tsr_partition_fragment_c(tsr_tiled_mma x, tsr_tuple shape)
{
    tsr_tuple const why = tsr_partition_shape_c(x, shape);
    if (!why.status && (x.atom.kind == TSR_MMA_CTA || x.atom.kind == TSR_MMA_CTA_PAIR))
        return tsr_bad_layout(TSR_TILED_TENSOR_MEMORY, 0, 0, 0, 0);
    return tsr_make_layout_compact(tsr_partition_shape_c(x, shape));
}

TSR_HEADER_END

#endif

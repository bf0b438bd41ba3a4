/** Tiled copy: an atom repeated over threads and values.
 *
 *      tv      (thread, value) to an index of the tile
 *      tiler   the extents of the tile, or a tiler that takes it out of a tensor
 *
 *      tidfrg      (thread, (value, atoms), (rest))
 *      partition   ((value, atoms), rest..) of one thread
 *
 *  Law     Over all threads partition_S covers the source, partition_D the destination, and their elements are the same
 *          in the same order (tests/laws/atom/atom.inc).
 *  Source  CuTe, include/cute/atom/copy_atom.hpp.
 */
#ifndef TSR_ATOM_TILED_COPY_H
#define TSR_ATOM_TILED_COPY_H

#include "tessera/atom/copy_layout.h"
#include "tessera/atom/tiled_mma.h"

TSR_HEADER_BEGIN

typedef struct tsr_tiled_copy {
    tsr_copy_atom atom;
    tsr_layout tv; /* invalid: why it is no tiled copy */
    tsr_tiler tiler;
} tsr_tiled_copy;

/* Why a tiled copy is invalid, as the tuple that its results carry, or a valid one. */
TSR_FN tsr_tuple tsr_tiled_copy_bad_(tsr_tiled_copy x)
{
    tsr_tuple const why = tsr_reason_tuple(tsr_copy_why(x.atom));
    return why.status ? why : x.tv.shape.status ? x.tv.shape : x.tiler.by.shape;
}

/** Why a tiled copy is invalid, or no reason. */
TSR_FN tsr_reason tsr_tiled_copy_why(tsr_tiled_copy x) { return tsr_tuple_why(tsr_tiled_copy_bad_(x)); }

/** Makes a tiled copy of these threads and values. Errors: TILED_COPY when they are not a whole number of atoms. */
TSR_OP tsr_tiled_copy tsr_make_tiled_copy_impl(tsr_copy_atom atom, tsr_layout tv, tsr_tiler tiler);

/** A tile, and the layout that deals its elements out: (thread, value) to an index of the tile. */
typedef struct tsr_tiled_layout {
    tsr_tuple tiler;
    tsr_layout tv; /* an invalid one says why */
} tsr_tiled_layout;

/** Thread and value layouts, each compact, (m,n) to a number: a thread's values side by side, the threads around them.
 *  Law      the element tv(t,v) = (m,n) of the tile is that of the thread (m / vm, n / vn), which is t, and of the
 *           value (m % vm, n % vn), which is v, where (vm,vn) is the shape of the values.
 *  Errors   those of raked_product; TILED_NUMBERS where right_inverse(raked_product) does not number the whole tile.
 *  Example  make_layout_tv((_2,_3):(_3,_1), (_2,_2):(_2,_1))  =  ((_4,_6),((_3,_2),(_2,_2)):((_8,_2),(_4,_1))) */
TSR_OP tsr_tiled_layout tsr_make_layout_tv(tsr_layout threads, tsr_layout values);

/** A copy of the tile of thread and value layouts; CuTe DSL's make_tiled_copy_tv. */
TSR_OP tsr_tiled_copy tsr_make_tiled_copy(tsr_copy_atom atom, tsr_layout threads, tsr_layout values);

/** One value a thread. */
TSR_OP tsr_tiled_copy tsr_make_tiled_copy_threads(tsr_copy_atom atom, tsr_layout threads);

/* With a shape for its compact layout */

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_lt(tsr_copy_atom atom, tsr_layout threads, tsr_tuple values);

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_tl(tsr_copy_atom atom, tsr_tuple threads, tsr_layout values);

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_tt(tsr_copy_atom atom, tsr_tuple threads, tsr_tuple values);

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_t(tsr_copy_atom atom, tsr_tuple threads);

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_a(tsr_copy_atom atom, tsr_tiled_mma mma);

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_b(tsr_copy_atom atom, tsr_tiled_mma mma);

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_c(tsr_copy_atom atom, tsr_tiled_mma mma);

/** A copy where (thread, value) names the memory of a data layout, not coordinates.
 *  Errors  TILED_MEMORY when it names memory that the layout does not have; those of left_inverse. */
TSR_OP tsr_tiled_copy tsr_make_cotiled_copy(tsr_copy_atom atom, tsr_layout tv, tsr_layout data);

/** As many values of every thread as an atom has. */
TSR_OP tsr_layout tsr_first_values_(tsr_layout const *tv, tsr_layout const *atom);

/** The smallest copy of C in whole atoms, for epilogues that store parts of it. */
TSR_OP tsr_tiled_copy tsr_make_tiled_copy_c_atom(tsr_copy_atom atom, tsr_tiled_mma mma);

/* Partitions */

/** The shape of a tiler, mode by mode: of a layout its own. */
TSR_OP tsr_tuple tsr_tiler_shape(tsr_tiler t);

/** l cut for the source, and for the destination: (thread, (value, atoms), (rest)).
 *  Errors  TILED_COVERS where the copy does not divide l, and so would touch elements outside l. */
TSR_OP tsr_layout tsr_tidfrg_s(tsr_tiled_copy x, tsr_layout l);

TSR_OP tsr_layout tsr_tidfrg_d(tsr_tiled_copy x, tsr_layout l);

/** (thread, value) to an index of the tile, of the source and of the destination. */
TSR_OP tsr_layout tsr_get_layout_s_tv(tsr_tiled_copy x);

TSR_OP tsr_layout tsr_get_layout_d_tv(tsr_tiled_copy x);

/** Another atom over the elements that a copy reads, and over those that it writes. */
TSR_OP tsr_tiled_copy tsr_make_tiled_copy_s(tsr_copy_atom atom, tsr_tiled_copy x);

TSR_OP tsr_tiled_copy tsr_make_tiled_copy_d(tsr_copy_atom atom, tsr_tiled_copy x);

TSR_OP tsr_layout tsr_tiled_layout_tv(tsr_tiled_copy x);

TSR_OP tsr_tiler tsr_tiler_mn(tsr_tiled_copy x);

TSR_OP tsr_tensor tsr_partition_s(tsr_tiled_copy x, tsr_tuple t, tsr_tensor source);

TSR_OP tsr_tensor tsr_partition_d(tsr_tiled_copy x, tsr_tuple t, tsr_tensor destination);

/** A thread's registers, (values, m, n..) as an MMA partitions them, seen as the copy's ((value, atoms), rest..). */
TSR_OP tsr_layout tsr_retile(tsr_tiled_copy x, tsr_layout fragment);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/tiled_copy.h"
#endif

#endif

/** The layouts of a copy atom: (thread, value) to an index of the data it moves, one for the source, one for the
 *  destination. The element at (t, v) of the source comes to the (t', v') of the destination with the same index. The
 *  reference is the one of the two that a tiled copy distributes over its threads.
 *
 *  Law     The destination reads no element that the source does not hold, and one of the two sides is a bijection
 *          (tests/laws/atom/atom.inc, for every atom).
 *  Source  CuTe, include/cute/atom/copy_traits*.hpp, in bits.
 */
#ifndef TSR_ATOM_COPY_LAYOUT_H
#define TSR_ATOM_COPY_LAYOUT_H

#include "tessera/atom/copy.h"
#include "tessera/atom/tv.h"

TSR_HEADER_BEGIN

/** How many threads execute the copy. */
TSR_OP int tsr_copy_threads(tsr_copy_atom x);

/** Thread of the atom to thread of its warp. */
TSR_OP tsr_layout tsr_copy_thr_id(tsr_copy_atom x);

/** (thread, value) to an index, of the source.
 *  Example  copy_layout_src(Copy_Atom<SM75_U32x4_LDSM_N,half_t>)  =  (_32,_8):(_8,_1) */
TSR_OP tsr_layout tsr_copy_layout_src(tsr_copy_atom x);

/** The same of the destination.
 *  Example  copy_layout_dst(Copy_Atom<SM75_U32x4_LDSM_N,half_t>)  =  (_32,(_2,_4)):(_2,(_1,_64)) */
TSR_OP tsr_layout tsr_copy_layout_dst(tsr_copy_atom x);

/** The destination as the hardware writes it. CuTe's layouts of movmatrix do not say that it transposes: its registers
 *  then hold what those of SM75_U16x2_LDSM_T do (tests/cuda/matrix.cu). All others are tsr_copy_layout_dst. */
TSR_OP tsr_layout tsr_copy_layout_written(tsr_copy_atom x);

/** The one of the two that a tiled copy distributes: registers for matrices, else memory. */
TSR_OP tsr_layout tsr_copy_layout_ref(tsr_copy_atom x);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/copy_layout.h"
#endif

#endif

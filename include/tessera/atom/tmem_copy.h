/** Copies of tensor memory: where the values of tcgen05.ld, st and cp are, and tiled copies of them.
 *
 *      tsr_make_tmem_copy(tsr_copy_values(tsr_make_copy(TSR_COPY_LOAD_32DP32B, 32), TSR_F32), tsr_tmem_c(atom))
 *
 *  The epilogue of a product takes a thread's part of C, a tensor of tsr_tmem_address, by tsr_partition_s of such a
 *  copy, and its part of registers, shared or global memory by tsr_partition_d.
 *
 *  Source  PTX ISA 9.0, tcgen05.ld, .st, .cp; CuTe, include/cute/atom/copy_traits_sm100.hpp.
 */
#ifndef TSR_ATOM_TMEM_COPY_H
#define TSR_ATOM_TMEM_COPY_H

#include "tessera/atom/tiled_copy.h"
#include "tessera/atom/tmem.h"

TSR_HEADER_BEGIN

/** Value of the side in tensor memory, in bits, to (lane, bit). The forms `_16b` leave out the upper half of each
 *  column.
 *  Law      tsr_tmem_address(.., 32) is CuTe's ValID.
 *  Errors   TMEM_COPY
 *  Example  tsr_copy_val_id(tsr_make_copy(TSR_COPY_LOAD_16DP128B_16, 1))  is  ((_16,_8),_16):((_1@1,_32@1),_1@0) */
TSR_OP tsr_layout tsr_copy_val_id(tsr_copy_atom x);

/** tcgen05.ld or st by four warps, each in its own 32 lanes, over a tensor in tensor memory: a layout into (lane,
 *  element), or offsets in elements as CuTe has them.
 *  Errors   TMEM_COPY; those of tsr_make_cotiled_copy. */
TSR_OP tsr_tiled_copy tsr_make_tmem_copy(tsr_copy_atom x, tsr_layout tmem);

/** tcgen05.cp by a thread of each CTA, from shared memory into a tensor as tsr_make_tmem_copy takes it. Scales are
 *  given without the elements that share them (tsr_layout_filter_zeros). Errors: the same. */
TSR_OP tsr_tiled_copy tsr_make_utccp_copy(tsr_copy_atom x, tsr_layout tmem);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/tmem_copy.h"
#endif

#endif

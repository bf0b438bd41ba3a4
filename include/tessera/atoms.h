/** Hardware atoms: the headers of atom/, and by name, CuTe's names to their values and back, all there are, and what
 *  they do, executed on the CPU. */
#ifndef TSR_ATOMS_H
#define TSR_ATOMS_H

#include "tessera/atom/banks.h"
#include "tessera/atom/copy_layout.h"
#include "tessera/atom/mma_layout.h"
#include "tessera/atom/gmma_tile.h"
#include "tessera/atom/scales.h"
#include "tessera/atom/tiled_copy.h"
#include "tessera/atom/tmem_copy.h"
#include "tessera/atom/umma.h"
#include "tessera/tessera.h"

TSR_HEADER_BEGIN

/** The atom of a name, or an invalid one that names the legal ones.
 *  Example  tsr_mma_shape(tsr_mma_atom_named("SM75_8x8x16_S32S8S8S32_TN"))  is  (_8,_8,_16) */
TSR_API tsr_mma_atom tsr_mma_atom_named(char const *name);

/** The name of a valid atom, as snprintf writes it; an invalid one gives its reason. */
TSR_API size_t tsr_format_mma_atom(char *out, size_t size, tsr_mma_atom x);

/** Calls `visit` for every instruction of the list in atom/mma.h; returns how many there are. */
TSR_API int tsr_each_mma_atom(void (*visit)(void *context, tsr_mma_atom x), void *context);

/** The same for copy operations, `OP` or `Copy_Atom<OP,TYPE>`.
 *  Example  tsr_copy_thr_id(tsr_copy_atom_named("SM90_U32x4_STSM_N"))  is  _32:_1 */
TSR_API tsr_copy_atom tsr_copy_atom_named(char const *name);
TSR_API size_t tsr_format_copy_atom(char *out, size_t size, tsr_copy_atom x);

/** Calls `visit` for every operation of the list in atom/copy.h with each of its numbers; returns how many there are.
 *  Numbers without a limit are 8 to 128 bits of a thread, and 1024 of a bulk copy. */
TSR_API int tsr_each_copy_atom(void (*visit)(void *context, tsr_copy_atom x), void *context);

/* Emulation: what an atom does, on the CPU. A fragment holds the value v of thread t at t + v * threads. */

/** c += a*b^T over all threads of the atom, on fragments of numbers (xor and and of bits where the atom counts them);
 *  rounding to the element types is not emulated. `work` has room for (m + n) * k numbers a block. False: not an
 *  atom. */
TSR_TRY bool tsr_mma_execute(tsr_mma_atom x, double const *a, double const *b, double *c, double *work);

/** Moves every value of the atom, `bytes` bytes each, from the source's fragment to the destination's, where the
 *  hardware puts it (tsr_copy_layout_written). */
TSR_TRY bool tsr_copy_execute(tsr_copy_atom x, void const *source, void *destination, size_t bytes);

TSR_HEADER_END

#endif

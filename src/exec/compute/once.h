/** Once: the functions that every row and every loop calls, compiled once. Law each equals the inline function that it
 *  is made of. Callers read a declaration; an inlined copy took 10 to 30 kB each. */
#ifndef TSR_SRC_EXEC_COMPUTE_ONCE_H
#define TSR_SRC_EXEC_COMPUTE_ONCE_H

#include "tessera/exec/functions.h"
#include "tessera/exec/loops.h"

/** tsr_convert (exec/compute/convert.h) by the portable loops. */
TSR_INTERNAL void tsr_convert_by_loops_(tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from,
                                        int64_t n);

/** tsr_update_element (exec/compute/update.h). */
TSR_INTERNAL void tsr_update_one_(tsr_update const *u, tsr_dtype to_type, void *to, int to_bit, tsr_dtype from_type,
                                  void const *from, int from_bit);

/** The lines of an operation and of a type that is read as it lies (exec/compute/reduce_lines.h). */
TSR_INTERNAL void tsr_reduce_lines_(int op, tsr_dtype type, void const *from, int64_t lines, int64_t remote,
                                    int64_t n, int64_t nearby, void *acc);

#endif

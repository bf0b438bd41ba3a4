/** Out of line: the functions that every row and every loop calls, compiled once. Law each equals the inline function
 *  that it is made of. Callers read a declaration; an inlined copy took 10 to 30 kB each. */
#ifndef TSR_SRC_EXEC_COMPUTE_OUT_OF_LINE_H
#define TSR_SRC_EXEC_COMPUTE_OUT_OF_LINE_H

#include "exec/compute/convert.h"
#include "tessera/exec/functions.h"
#include "tessera/exec/loops.h"

/** tsr_convert, or one that is compiled for more instructions. */
typedef void (*tsr_converter)(tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from, int64_t n);

/** tsr_convert, tsr_convert_lines_ (exec/compute/convert.h) and tsr_update_run_ (exec/compute/update_runs.h) by the
 *  portable loops (exec/compute/by_loops.c). */
TSR_INTERNAL void tsr_convert_by_loops_(tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from,
                                        int64_t n);
TSR_INTERNAL void tsr_convert_lines_by_loops_(tsr_pass_ const *pass, void *to, int64_t to_step, void const *from,
                                              int64_t from_step, int64_t n, int64_t lines);
TSR_INTERNAL void tsr_update_by_loops_(tsr_update const *u, tsr_converter convert, tsr_dtype to_type, void *to,
                                       tsr_dtype from_type, void const *from, int64_t n);

/** tsr_update_element (exec/compute/update.h). */
TSR_INTERNAL void tsr_update_one_(tsr_update const *u, tsr_dtype to_type, void *to, int to_bit, tsr_dtype from_type,
                                  void const *from, int from_bit);

/** The lines of an operation and of a type that is read as it lies (exec/compute/reduce_lines.h). */
TSR_INTERNAL void tsr_reduce_lines_(int op, tsr_dtype type, void const *from, int64_t lines, int64_t outer, int64_t n,
                                    int64_t inner, void *acc);

#endif

/* The portable loops of conversions and updates, compiled once as vector loops for any processor: of the row "loops",
 * and of the one of 16-byte vectors. */
#include "exec/compute/update_runs.h"

void tsr_convert_by_loops_(tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from, int64_t n)
{
    tsr_convert(to_type, to, from_type, from, n);
}

void tsr_convert_lines_by_loops_(tsr_pass_ const *pass, void *to, int64_t to_step, void const *from,
                                 int64_t from_step, int64_t n, int64_t lines)
{
    tsr_convert_lines_(pass, to, to_step, from, from_step, n, lines);
}

void tsr_update_by_loops_(tsr_update const *u, tsr_converter convert, tsr_dtype to_type, void *to,
                          tsr_dtype from_type, void const *from, int64_t n)
{
    tsr_update_run_(u, convert, to_type, to, from_type, from, n);
}

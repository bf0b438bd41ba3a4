/** For a file that defines functions of exec, after its other includes: names are those of the functions, which take
 *  addresses of tensors. To callers in C they are macros over these (TSR_AT). */
#ifndef TSR_SRC_EXEC_BY_ADDRESS_H
#define TSR_SRC_EXEC_BY_ADDRESS_H

#include "tessera/exec/copy.h"
#include "tessera/exec/einsum.h"
#include "tessera/exec/gemm.h"
#include "tessera/exec/gemm_plan.h"
#include "tessera/exec/plan.h"
#include "tessera/exec/reduce.h"
#include "tessera/exec/transform.h"
#include "tessera/exec/algorithm.h"

#undef tsr_fill
#undef tsr_clear
#undef tsr_reduce
#undef tsr_apply_plan
#undef tsr_axpby
#undef tsr_apply
#undef tsr_copy
#undef tsr_copy_aligned
#undef tsr_copy_if_plan
#undef tsr_copy_if
#undef tsr_copy_plan
#undef tsr_combine
#undef tsr_reduce_plan
#undef tsr_reduce_to
#undef tsr_gemm_with
#undef tsr_gemm
#undef tsr_gemm_by_element
#undef tsr_gemm_into
#undef tsr_gemm_plan
#undef tsr_einsum_with
#undef tsr_einsum

#endif

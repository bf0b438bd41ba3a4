/** For a file that defines functions of exec, after its other includes: names are those of the functions, which take
 *  addresses of tensors. To callers in C they are macros over these (TSR_AT), which by_value.h brings back. */
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

#pragma push_macro("tsr_fill")
#undef tsr_fill
#pragma push_macro("tsr_clear")
#undef tsr_clear
#pragma push_macro("tsr_reduce")
#undef tsr_reduce
#pragma push_macro("tsr_apply_plan")
#undef tsr_apply_plan
#pragma push_macro("tsr_axpby")
#undef tsr_axpby
#pragma push_macro("tsr_apply")
#undef tsr_apply
#pragma push_macro("tsr_copy")
#undef tsr_copy
#pragma push_macro("tsr_copy_aligned")
#undef tsr_copy_aligned
#pragma push_macro("tsr_copy_if_plan")
#undef tsr_copy_if_plan
#pragma push_macro("tsr_copy_if")
#undef tsr_copy_if
#pragma push_macro("tsr_copy_plan")
#undef tsr_copy_plan
#pragma push_macro("tsr_combine")
#undef tsr_combine
#pragma push_macro("tsr_reduce_plan")
#undef tsr_reduce_plan
#pragma push_macro("tsr_reduce_to")
#undef tsr_reduce_to
#pragma push_macro("tsr_gemm_with")
#undef tsr_gemm_with
#pragma push_macro("tsr_gemm")
#undef tsr_gemm
#pragma push_macro("tsr_gemm_by_element")
#undef tsr_gemm_by_element
#pragma push_macro("tsr_gemm_into")
#undef tsr_gemm_into
#pragma push_macro("tsr_gemm_plan")
#undef tsr_gemm_plan
#pragma push_macro("tsr_einsum_with")
#undef tsr_einsum_with
#pragma push_macro("tsr_einsum")
#undef tsr_einsum

#endif

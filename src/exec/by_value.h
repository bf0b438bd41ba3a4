/** The end of by_address.h: names are those of callers again. In the one file these follow the functions. */
#ifndef TSR_SRC_EXEC_BY_VALUE_H
#define TSR_SRC_EXEC_BY_VALUE_H

#include "exec/by_address.h"

#pragma pop_macro("tsr_fill")
#pragma pop_macro("tsr_clear")
#pragma pop_macro("tsr_reduce")
#pragma pop_macro("tsr_apply_plan")
#pragma pop_macro("tsr_axpby")
#pragma pop_macro("tsr_apply")
#pragma pop_macro("tsr_copy")
#pragma pop_macro("tsr_copy_aligned")
#pragma pop_macro("tsr_copy_if_plan")
#pragma pop_macro("tsr_copy_if")
#pragma pop_macro("tsr_copy_plan")
#pragma pop_macro("tsr_combine")
#pragma pop_macro("tsr_reduce_plan")
#pragma pop_macro("tsr_reduce_to")
#pragma pop_macro("tsr_gemm_with")
#pragma pop_macro("tsr_gemm")
#pragma pop_macro("tsr_gemm_by_element")
#pragma pop_macro("tsr_gemm_into")
#pragma pop_macro("tsr_gemm_plan")
#pragma pop_macro("tsr_einsum_with")
#pragma pop_macro("tsr_einsum")

#endif

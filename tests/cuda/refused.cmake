# What a layout cannot do is refused when the kernel is compiled: each case is the body of a kernel and words of the error.

cmake_minimum_required(VERSION 3.25)

set(cases
    "tsr_copy<16>(tsr_part<odd>(smem, threadIdx.x), r)|values do not stand side by side"
    "tsr_copy<16>(tsr_part<column>(tsr_global<float, 2, 0>{global, {64, 64}, {1, 64}}, threadIdx.x), r)|values do not stand"
    "tsr_copy_matrix<4>(tsr_part<rows>(smem, threadIdx.x), u)|elements of 16 bits"
    "tsr_part<broken>(smem, threadIdx.x)|with Status=.*, Mode=0, First=3L, Second=4L"
    "tsr_mma<none>(r, u, u)|no such instruction"
    "tsr_mma<group>(r, u, u)|tsr_wgmma takes those of a warpgroup"
    "tsr_gemm<warp>(u, u, r)|the fragments are"
    "tsr_gemm_wgmma<group, block, tile, block, plain>((tsr_f16 *)smem, (tsr_f16 *)smem, c)|none that wgmma can read"
    "tsr_cp_async<6>(smem, global)|4, 8 or 16 bytes")

set(before [[
#include <tessera/cuda.cuh>
static constexpr tsr_layout odd = tsr_make_layout(tsr_t(tsr_s(32), tsr_s(4)), tsr_t(tsr_s(5), tsr_s(1)));
static constexpr tsr_layout rows = tsr_make_layout(tsr_t(tsr_s(32), tsr_s(8)), tsr_t(tsr_s(8), tsr_s(1)));
static constexpr tsr_layout column = tsr_composition(tsr_make_identity_layout(tsr_t(tsr_s(32), tsr_s(4))),
                                                     tsr_make_layout(tsr_t(tsr_s(32), tsr_s(4))));
static constexpr tsr_layout broken = tsr_composition(
    tsr_make_layout(tsr_t(tsr_s(4), tsr_s(6)), tsr_t(tsr_s(2), tsr_s(3))), tsr_make_layout(tsr_s(6), tsr_s(3)));
static constexpr tsr_mma_atom none = tsr_warp_mma(80, 16, 8, 17, TSR_F32, TSR_F16, TSR_F16, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom warp = tsr_warp_mma(80, 16, 8, 16, TSR_F32, TSR_F16, TSR_F16, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom group = tsr_wgmma(64, TSR_F32, TSR_F16, TSR_F16, 0, TSR_MMA_PLAIN);
static constexpr tsr_layout block = tsr_smem_atom(TSR_MAJOR_K, 3, TSR_F16);
static constexpr tsr_layout tile = tsr_tile_to_shape(block, tsr_t(tsr_s(64), tsr_s(64)));
static constexpr tsr_layout plain = tsr_make_layout(tsr_t(tsr_s(64), tsr_s(24)));
__global__ void kernel(float *global, float *out)
{
    __shared__ alignas(1024) float smem[4096];
    float r[4] = {}, c[32] = {};
    uint32_t u[4] = {};
    (void)c, (void)u, (void)smem;
]])
set(after "\n    out[threadIdx.x] = r[0];\n}\n")

foreach(case IN LISTS cases)
    string(REPLACE "|" ";" case "${case}")
    list(GET case 0 body)
    list(GET case 1 words)
    file(WRITE ${WORK_DIR}/refused.cu "${before}    ${body};${after}")
    execute_process(COMMAND ${COMPILER} -std=c++17 -gencode=arch=compute_90a,code=sm_90a -I${INCLUDE_DIR} -ptx
            -o ${WORK_DIR}/refused.ptx ${WORK_DIR}/refused.cu
        RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(status EQUAL 0)
        message(SEND_ERROR "compiles: ${body}")
    elseif(NOT said MATCHES "${words}")
        message(SEND_ERROR "${body} is refused without the words \"${words}\":\n${said}")
    endif()
endforeach()

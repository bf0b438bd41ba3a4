# The same of Blackwell's verbs: cases, what they use, and their target, for refused.cmake.

set(target 100a)
set(cases
    "tsr_umma<group>(at, desc, desc, true)|only atoms of tcgen05.mma have an instruction descriptor"
    "tsr_umma<pair, 7>(at, desc, desc, true)|do not belong to an issue of this instruction.*Number0=7L"
    "tsr_umma<ts>(at, desc, desc, true)|A is a descriptor, or tsr_tmem_at"
    "tsr_umma<pair>(at, tsr_tmem_at{at}, desc, true)|A is a descriptor, or tsr_tmem_at"
    "tsr_umma<fp4>(at, desc, desc, true)|an atom with block scales has their addresses"
    "tsr_umma<sparse>(at, desc, desc, true)|an atom with TSR_MMA_SPARSE has metadata"
    "tsr_umma_scaled<dense>(at, desc, desc, at, at, true)|an atom with block scales has their addresses"
    "tsr_umma_sparse<dense>(at, desc, desc, at, true)|an atom with TSR_MMA_SPARSE has metadata"
    "tsr_umma<dense>(at, 1, desc)|an address of sums, a descriptor or tsr_tmem_at of A"
    "tsr_gemm_umma<pair, wide, half>(bf16, bf16, at, true)|not a multiple of the {1} of an instruction.*Number0=96L, Number1=128L"
    "tsr_gemm_umma<pair, whole, major>(bf16, bf16, at, true)|along mode {0}, but the instruction reads along mode {1}"
    "tsr_gemm_umma<pair, whole, deep>(bf16, bf16, at, true)|A and B have the same K"
    "tsr_gemm_umma<pair, whole, half>(tsr_smem((tsr_f16 *)smem), bf16, at, true)|elements of the atom's types"
    "tsr_gemm_umma<pair, whole, half>(smem, smem, at, true)|tsr_smem.pointer. of tiles in shared memory"
    "tsr_tma_load_tile<dynamic>((tsr_tma_map const *)smem, (tsr_barrier *)smem, bf16, 0, 0)|constant extents: tsr_s.64., or _64"
    "tsr_umma_commit((tsr_barrier *)smem)|tsr_umma_commit<1>.barrier. of one CTA"
    "(void)sizeof(tsr_tmem_rows<few_rows, 32>)|an atom with 128 rows to a CTA"
    "(void)sizeof(tsr_tmem_rows<of_halves, 32>)|tsr_tmem_rows: sums of 32 bits"
    "tsr_tmem<full>((uint32_t *)smem, true)|tsr_tmem: a plan that fits"
    "tsr_tmem_load<load, rows>(at, few)|as many registers as a thread of the copy has"
    "tsr_tmem_load<load, rows>(at, doubles)|registers of 32 bits, of the copy's type or bits"
    "tsr_tmem_load<load, rows>(at, ints)|registers of 32 bits, of the copy's type or bits"
    "tsr_tmem_load<load, rows>(at, other)|value {1} of thread {0} is at"
    "tsr_tmem_load<store, rows>(at, floats)|a copy of tcgen05.ld"
    "tsr_tmem_store<load, rows>(at, floats)|a copy of tcgen05.st"
    "tsr_tmem_load<plain, rows>(at, floats)|a copy of tcgen05.ld"
    "tsr_tmem_load<load>(at, floats)|an address of tensor memory, and an array or a fragment"
    "tsr_tmem_fill<dense, TSR_TMEM_SFA, scales>(bytes, at)|of an atom with scales"
    "tsr_tmem_fill<fp4, TSR_TMEM_C, scales>(bytes, at)|TSR_TMEM_SFA or TSR_TMEM_SFB of an atom"
    "tsr_tmem_fill<fp4, TSR_TMEM_SFB, tall>(bytes, at)|of .128, K. for A, of .N rounded up to 128, K. for B"
    "tsr_tmem_fill<fp4, TSR_TMEM_SFA, linear>(bytes, at)|tsr_scales_layout of .128, K. for A"
    "tsr_tmem_fill<fp4_pair, TSR_TMEM_SFB, scales>(bytes, at)|of a pair with M = 128 are in two halves"
    "tsr_tcgen05_ld<32, 32, 3, false>(at, (uint32_t *)floats)|up to 128 registers"
    "tsr_tcgen05_mma<TSR_UMMA_KIND_F16, 1, 0, 32, 0>(tsr_umma_issue{})|a vector of 16 or 32 elements for the kinds with scales"
    "tsr_tcgen05_mma<TSR_UMMA_KIND_F16, 2, TSR_UMMA_WS, 0, 0>(tsr_umma_issue{})|of .ws 1"
    "tsr_tcgen05_mma<TSR_UMMA_KIND_F16, 1, 0, 0, TSR_UMMA_BUFFER(1) + TSR_UMMA_COLLECT_FILL>(tsr_umma_issue{})|of .ws with TSR_UMMA_BUFFER of 0 to 3"
    "tsr_tcgen05_ld_red<32, 32, 32, TSR_RED_MIN, TSR_F32>(at, (uint32_t *)floats, (uint32_t *)few)|tcgen05.ld.red: not on this target, but on sm_103a, sm_110a: compile with -gencode=arch=compute_103a,code=sm_103a or")

set(before [[
#include <tessera/cuda.cuh>
#include <tessera/cuda/tile_tma.cuh>
#include <tessera/cuda/umma.cuh>
#include <tessera/names.h>
static constexpr tsr_mma_atom group = tsr_wgmma(64, TSR_F32, TSR_BF16, TSR_BF16, 0, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom dense = tsr_umma(1, 128, 128, TSR_F32, TSR_BF16, TSR_BF16, 0, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom pair = tsr_umma(2, 256, 128, TSR_F32, TSR_BF16, TSR_BF16, 0, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom ts = tsr_umma(1, 128, 128, TSR_F32, TSR_BF16, TSR_BF16, TSR_MMA_A_REGISTERS, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom sparse = tsr_umma(1, 128, 128, TSR_F32, TSR_BF16, TSR_BF16, TSR_MMA_SPARSE, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom fp4 = tsr_umma(1, 128, 128, TSR_F32, TSR_F4_E2M1, TSR_F4_E2M1, 0, TSR_MMA_SCALE_16_4);
static constexpr tsr_mma_atom fp4_pair = tsr_umma(2, 128, 128, TSR_F32, TSR_F4_E2M1, TSR_F4_E2M1, 0, TSR_MMA_SCALE_16_4);
static constexpr tsr_mma_atom few_rows = tsr_umma(1, 64, 128, TSR_F32, TSR_BF16, TSR_BF16, 0, TSR_MMA_PLAIN);
static constexpr tsr_mma_atom of_halves = tsr_umma(1, 128, 128, TSR_F16, TSR_F16, TSR_F16, 0, TSR_MMA_PLAIN);
static constexpr tsr_layout block = tsr_smem_atom(TSR_MAJOR_K, 3, TSR_BF16);
static constexpr tsr_layout whole = tsr_tile_to_shape(block, tsr_t(_128, _64));
static constexpr tsr_layout dynamic = tsr_tile_to_shape(block, tsr_t(128, 64));
static constexpr tsr_layout half = tsr_tile_to_shape(block, tsr_t(_64, _64));
static constexpr tsr_layout deep = tsr_tile_to_shape(block, tsr_t(_64, _128));
static constexpr tsr_layout wide = tsr_tile_to_shape(block, tsr_t(tsr_s(96), _64));
static constexpr tsr_layout major = tsr_tile_to_shape(tsr_smem_atom(TSR_MAJOR_MN, 3, TSR_BF16), tsr_t(_64, _64));
static constexpr tsr_tmem_plan full = tsr_make_tmem_plan(dense, tsr_t(_1, _1, tsr_s(5)), tsr_s(1));
static constexpr tsr_layout rows = tsr_mode(tsr_tmem_frg(tsr_t(tsr_t(_128, _32), _1), 1, TSR_F32, 32), 0);
static constexpr tsr_tiled_copy load = tsr_make_tmem_copy(tsr_copy_values(tsr_make_copy(TSR_COPY_LOAD_32DP32B, 32), TSR_F32), rows);
static constexpr tsr_tiled_copy store = tsr_make_tmem_copy(tsr_copy_values(tsr_make_copy(TSR_COPY_STORE_32DP32B, 32), TSR_F32), rows);
static constexpr tsr_tiled_copy plain = tsr_make_tiled_copy(tsr_make_copy(TSR_COPY_UNIVERSAL, 32), tsr_make_layout(_128), tsr_make_layout(_1));
static constexpr tsr_layout across = tsr_composition(tsr_make_identity_layout(tsr_t(_128, _32)), tsr_make_layout(tsr_t(_128, _32), tsr_t(_32, _1)));
static constexpr tsr_layout scales = tsr_scales_layout(16, tsr_t(_128, tsr_s(256)), 128, TSR_MAJOR_K);
static constexpr tsr_layout tall = tsr_scales_layout(16, tsr_t(tsr_s(256), tsr_s(256)), 128, TSR_MAJOR_K);
static constexpr tsr_layout linear = tsr_make_layout(tsr_t(_128, tsr_t(_16, _16)), tsr_t(_16, tsr_t(_0, _1)));
]])
set(variables [[
{
    __shared__ alignas(1024) uint8_t smem[4096];
    auto const bf16 = tsr_smem((tsr_bf16 *)smem);
    auto const bytes = tsr_smem(smem);
    float r[1] = {}, floats[32], few[16];
    double doubles[32];
    int ints[32];
    tsr_frag<across, float> other;
    uint32_t const at = 0;
    uint64_t const desc = 0;
    (void)bf16, (void)bytes, (void)floats, (void)few, (void)doubles, (void)ints, (void)other, (void)at, (void)desc;
]])

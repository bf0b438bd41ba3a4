/** A kernel for each instruction of the list: registers, shared memory and descriptors come as they are, so that all
 *  that is tried is the instruction (cuda/mma.cuh, cuda/wgmma.cuh) and where it finds its elements. */
#ifndef TEST_CUDA_INSTRUCTION_CUH
#define TEST_CUDA_INSTRUCTION_CUH

#include <type_traits>
#include <utility>

#include "every_atom.cuh"
#include "tessera/cuda.cuh"

/** A or B: the registers of all threads one after the other, or an image of shared memory with the tile in it. */
struct operand {
    uint8_t const *at;
    int bytes;
    int first;        /* byte of the tile in the image */
    tsr_tuple fields; /* of its descriptor */
};

struct request {
    operand a, b;
    uint8_t *c;
    uint32_t const *meta;
    int scale_d;
};

template <int I> struct numbered {
    static constexpr tsr_mma_atom atom = list.at[I].atom;
    static constexpr int selector = list.at[I].selector;
    static constexpr bool wide = atom.a == TSR_F64 || atom.a == TSR_C128;
    static constexpr bool group = atom.kind == TSR_MMA_WARPGROUP;
    static constexpr bool sparse = (atom.flags & TSR_MMA_SPARSE) != 0;
    static constexpr bool in_registers = !group || (atom.flags & TSR_MMA_A_REGISTERS);
    static constexpr int parts = atom.form == TSR_MMA_GAUSS ? 3 : atom.a == TSR_C128 ? 2 : 1;
    using input = std::conditional_t<wide, double, uint32_t>;
    using sum = std::conditional_t<wide, double, std::conditional_t<atom.c == TSR_F32, float, uint32_t>>;

    static constexpr int count(tsr_layout l, tsr_dtype type, int each)
    {
        return wide ? each * (int)tsr_size(tsr_mode(l, 1)) : tsr_mma_registers(l, type, 32);
    }
    static constexpr int c = count(tsr_mma_layout_c(atom), atom.c, parts);
    static constexpr int a = group ? 4 : count(tsr_mma_layout_a(atom), atom.a, parts > 1 ? 2 : 1);
    static constexpr int b = group ? 1 : count(tsr_mma_layout_b(atom), atom.b, parts > 1 ? 2 : 1);
};

template <class T, int N> __device__ void take(T (&to)[N], void const *from)
{
    for (int i = 0; i < N; ++i)
        to[i] = static_cast<T const *>(from)[threadIdx.x * N + i];
}

/** Copies an image into shared memory, and gives the descriptor of its tile. */
__device__ static uint64_t stage(operand x, uint8_t *smem)
{
    for (int i = threadIdx.x; i < x.bytes / 16; i += blockDim.x)
        reinterpret_cast<uint4 *>(smem)[i] = reinterpret_cast<uint4 const *>(x.at)[i];
    tsr_gmma_fields fields = TSR_ZERO;
    fields.layout_type = (int32_t)x.fields.leaf[0].value;
    fields.leading = (int32_t)x.fields.leaf[1].value;
    fields.stride = (int32_t)x.fields.leaf[2].value;
    return tsr_wgmma_desc(fields, smem + x.first);
}

template <int I> __device__ void multiply_group(request r, typename numbered<I>::sum (&c)[numbered<I>::c])
{
    using x = numbered<I>;
    extern __shared__ __align__(1024) uint8_t smem[];
    uint64_t const b = stage(r.b, smem + (numbered<I>::in_registers ? 0 : r.a.bytes));
    uint64_t desc = 0;
    uint32_t a[4] = {};
    if constexpr (x::in_registers)
        take(a, r.a.at);
    else
        desc = stage(r.a, smem);
    tsr_fence_async();
    __syncthreads();
    tsr_wgmma_hold(c);
    tsr_wgmma_fence();
    if constexpr (x::sparse && x::in_registers)
        tsr_wgmma_sparse<x::atom, x::selector>(c, a, b, r.meta[threadIdx.x], r.scale_d);
    else if constexpr (x::sparse)
        tsr_wgmma_sparse<x::atom, x::selector>(c, desc, b, r.meta[threadIdx.x], r.scale_d);
    else if constexpr (x::in_registers)
        tsr_wgmma<x::atom>(c, a, b, r.scale_d);
    else
        tsr_wgmma<x::atom>(c, desc, b, r.scale_d);
    tsr_wgmma_commit();
    tsr_wgmma_wait<0>();
    tsr_wgmma_hold(c);
}

template <int I> __global__ void multiply(request r)
{
    using x = numbered<I>;
    typename x::sum c[x::c];
    take(c, r.c);
    if constexpr (x::group) {
        multiply_group<I>(r, c);
    } else {
        typename x::input a[x::a], b[x::b];
        take(a, r.a.at);
        take(b, r.b.at);
        tsr_mma<x::atom>(c, a, b);
    }
    for (int i = 0; i < x::c; ++i)
        reinterpret_cast<typename x::sum *>(r.c)[threadIdx.x * x::c + i] = c[i];
}

typedef void (*kernel)(request);

template <size_t... I> kernel kernel_at(int at, std::index_sequence<I...>)
{
    static kernel const kernels[] = {multiply<(int)I>...};
    return kernels[at];
}

/** The kernel of instruction number `at` of the list. */
static kernel kernel_of(int at) { return kernel_at(at, std::make_index_sequence<(size_t)list.count>()); }

#endif

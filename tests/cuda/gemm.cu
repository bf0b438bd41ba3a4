/** Products of a warp's, or several warps', registers on a GPU: whole fragments (V,M,K) of each kind of number,
 *  copied from tiles of shared memory of every form (padded rows and columns, swizzled, in blocks), or as register
 *  tensors from global memory, against sums by the host. */
#include "device.cuh"
#include "tessera/cuda.cuh"
#include "tessera/tensor/access.h"
#include "tessera/names.h"

enum { SIDE = 32, M = 29, N = 27 }; /* a tile, and what is there of the result */

/** The numbers of a product: of its elements, of its sums, and its atom. */
template <tsr_dtype Type> struct numbers;
template <> struct numbers<TSR_F16> {
    typedef uint16_t element;
    typedef float sum;
    static constexpr tsr_mma_atom atom = tsr_warp_mma(80, 16, 8, 16, TSR_F32, TSR_F16, TSR_F16, TSR_MMA_PLAIN);
};
template <> struct numbers<TSR_I8> {
    typedef int8_t element;
    typedef int32_t sum;
    static constexpr tsr_mma_atom atom = tsr_warp_mma(80, 16, 8, 32, TSR_I32, TSR_I8, TSR_I8, TSR_MMA_PLAIN);
};
template <> struct numbers<TSR_F32> {
    typedef float element, sum;
    static constexpr tsr_mma_atom atom = tsr_warp_mma(80, 16, 8, 8, TSR_F32, TSR_TF32, TSR_TF32, TSR_MMA_PLAIN);
};
template <> struct numbers<TSR_F64> {
    typedef double element, sum;
    static constexpr tsr_mma_atom atom = tsr_warp_mma(80, 8, 8, 4, TSR_F64, TSR_F64, TSR_F64, TSR_MMA_PLAIN);
};

enum form { PADDED_ROWS, PADDED_COLUMNS, SWIZZLED_ROWS, SWIZZLED_COLUMNS, BLOCKS };

TSR_FN tsr_layout tile_of(form f, tsr_dtype type)
{
    tsr_tuple const side = tsr_t(tsr_s(SIDE), tsr_s(SIDE));
    int const pad = SIDE + 128 / tsr_dtype_bits(type), swizzle = tsr_dtype_bits(type) == 8 ? 1 : 2;
    switch (f) {
    case PADDED_ROWS:
        return tsr_make_layout(side, tsr_t(tsr_s(pad), _1));
    case PADDED_COLUMNS:
        return tsr_make_layout(side, tsr_t(_1, tsr_s(pad)));
    case SWIZZLED_ROWS:
        return tsr_tile_to_shape(tsr_smem_atom(TSR_MAJOR_K, swizzle, type), side);
    case SWIZZLED_COLUMNS:
        return tsr_tile_to_shape(tsr_smem_atom(TSR_MAJOR_MN, swizzle, type), side);
    default:
        return tsr_tile_to_shape(tsr_make_layout(tsr_t(_8, _8), tsr_t(_8, _1)), side);
    }
}

template <tsr_dtype Type, form A, form B, int Rows, int Columns> struct plan {
    static constexpr tsr_layout a = tile_of(A, Type), b = tile_of(B, Type);
    static constexpr tsr_tiled_mma mma = tsr_make_tiled_mma_by(
        numbers<Type>::atom, tsr_make_layout(tsr_t(tsr_s(Rows), tsr_s(Columns), _1)), tsr_tile(_, _, _));
    static constexpr tsr_layout from_a = tsr_thread_values_a(mma, a), from_b = tsr_thread_values_b(mma, b);
    static constexpr tsr_layout tile = tsr_make_identity_layout(tsr_t(tsr_s(SIDE), tsr_s(SIDE)));
    static constexpr tsr_layout fragment_a = tsr_thread_values_a(mma, tile),
                                fragment_b = tsr_thread_values_b(mma, tile);
    static constexpr tsr_layout c = tsr_thread_values_c(mma, tile);
};

/** A fragment as registers, from a tile. */
template <tsr_layout const &L, class T, class R, int N> TSR_DEVICE void load(T const *tile, R (&r)[N])
{
    T values[tsr_values<L>];
    static_assert(sizeof values == sizeof r, "whole registers");
    tsr_copy<sizeof(T)>(tsr_part<L>(tile, threadIdx.x), values);
    memcpy(r, values, sizeof r);
}

template <class P, tsr_dtype Type> __global__ void product(typename numbers<Type>::element const *A,
                                                           typename numbers<Type>::element const *B,
                                                           tsr_global<typename numbers<Type>::sum, 2, 1> C)
{
    typedef typename numbers<Type>::element T;
    typedef typename numbers<Type>::sum S;
    typedef std::conditional_t<sizeof(T) == 8, double, uint32_t> R;
    __shared__ alignas(1024) T a[tsr_cosize(P::a)];
    __shared__ alignas(1024) T b[tsr_cosize(P::b)];
    for (int i = threadIdx.x; i < SIDE * SIDE; i += blockDim.x) {
        a[tsr_at<P::a>(i / SIDE, i % SIDE)] = A[i];
        b[tsr_at<P::b>(i / SIDE, i % SIDE)] = B[i];
    }
    __syncthreads();
    R ra[tsr_values<P::from_a> * sizeof(T) / sizeof(R)], rb[tsr_values<P::from_b> * sizeof(T) / sizeof(R)];
    tsr_accumulator<numbers<Type>::atom> sum[tsr_accumulators<numbers<Type>::atom, P::c>] = {};
    load<P::from_a>(a, ra);
    load<P::from_b>(b, rb);
    tsr_gemm<numbers<Type>::atom>(ra, rb, sum);
    tsr_copy_if<sizeof(S)>(sum, tsr_part<P::c>(C, threadIdx.x));
}

template <class P, tsr_dtype Type>
__global__ void product_of_fragments(typename numbers<Type>::element const *A,
                                     typename numbers<Type>::element const *B,
                                     tsr_global<typename numbers<Type>::sum, 2, 1> C)
{
    typedef typename numbers<Type>::element T;
    typedef typename numbers<Type>::sum S;
    tsr_global<T const, 2, 1> const from_a = {A, {SIDE, SIDE}, {SIDE, 1}}, from_b = {B, {SIDE, SIDE}, {SIDE, 1}};
    auto const a = tsr_frag_load<sizeof(T), P::fragment_a>(from_a, threadIdx.x);
    auto const b = tsr_frag_load<sizeof(T), P::fragment_b>(from_b, threadIdx.x);
    auto c = tsr_frag_fill<P::c>(S(0));
    tsr_gemm<P::mma>(a, b, c);
    tsr_frag_store<sizeof(S)>(c, C, threadIdx.x);
}

template <tsr_dtype Type, form A, form B, int Rows, int Columns, bool Fragments = false> static void try_product(void)
{
    typedef typename numbers<Type>::element T;
    typedef typename numbers<Type>::sum S;
    memory a(SIDE * SIDE * sizeof(T)), b(a.size()), c(M * N * sizeof(S));
    int x[SIDE * SIDE], y[SIDE * SIDE], wrong = 0;
    for (int i = 0; i < SIDE * SIDE; ++i) {
        tsr_store(Type, a.data() + i * sizeof(T), 0, tsr_number_int(x[i] = (int)below(7) - 3));
        tsr_store(Type, b.data() + i * sizeof(T), 0, tsr_number_int(y[i] = (int)below(7) - 3));
    }
    device_memory da(a.size()), db(b.size()), dc(c.size());
    da.write(a);
    db.write(b);
    typedef plan<Type, A, B, Rows, Columns> P;
    auto *const kernel = Fragments ? product_of_fragments<P, Type> : product<P, Type>;
    kernel<<<1, 32 * Rows * Columns>>>((T const *)da.at, (T const *)db.at, {(S *)dc.at, {M, N}, {N, 1}});
    finish("product");
    dc.read(c);
    for (int i = 0; i < M * N; ++i) {
        int sum = 0;
        S got;
        for (int k = 0; k < SIDE; ++k)
            sum += x[i / N * SIDE + k] * y[i % N * SIDE + k];
        memcpy(&got, c.data() + i * sizeof(S), sizeof(S));
        wrong += got != (S)sum;
    }
    if (wrong)
        std::printf("type %d, forms %d and %d, %d by %d warps: %d elements wrong\n", Type, A, B, Rows, Columns,
                    wrong);
    ++(wrong ? failed : passed);
}

template <tsr_dtype Type> static void try_type(void)
{
    try_product<Type, PADDED_ROWS, SWIZZLED_COLUMNS, 2, 2>();
    try_product<Type, PADDED_COLUMNS, BLOCKS, 1, 1>();
    try_product<Type, SWIZZLED_ROWS, PADDED_ROWS, 1, 4>();
    try_product<Type, PADDED_ROWS, PADDED_ROWS, 2, 2, true>();
}

int main(int count, char **arguments)
{
    need_hopper();
    seed(count, arguments, 1);
    try_type<TSR_F16>();
    try_type<TSR_I8>();
    try_type<TSR_F32>();
    try_type<TSR_F64>();
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

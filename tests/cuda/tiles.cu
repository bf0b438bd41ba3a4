/** Tiles of tensors by the copy engine, every type, major and swizzle, of tensors of 2 to 5 modes whose edges they
 *  cross, with hints for the cache and without: what lies in shared memory where the tile's layout says, in one CTA and
 *  in each of a cluster, what is stored of it, and what is added, against the tensor element by element. */
#include "device.cuh"
#include "tessera/cuda.cuh"
#include "tessera/cuda/tile_tma.cuh"
#include "tessera/exec/tma.h"
#include "tessera/names.h"

enum { MOST = 5, ROUNDS = 6 };

/** A place in a tensor of up to five modes. */
struct place {
    int at[MOST];
};

template <int Rank, class F> TSR_DEVICE void with_coordinates(place const &p, F f)
{
    if constexpr (Rank == 2)
        f(p.at[0], p.at[1]);
    else if constexpr (Rank == 3)
        f(p.at[0], p.at[1], p.at[2]);
    else if constexpr (Rank == 4)
        f(p.at[0], p.at[1], p.at[2], p.at[3]);
    else
        f(p.at[0], p.at[1], p.at[2], p.at[3], p.at[4]);
}

/** Rows x Columns of T in blocks of the swizzle of 16 << Swizzle bytes; plain without one. */
template <class T, int Major, int Swizzle, int Rows, int Columns, int Rank_, int Ctas_> struct plan {
    enum { rows = Rows, columns = Columns, Rank = Rank_, Ctas = Ctas_ };
    static constexpr int major = Major;
    typedef T element;
    static constexpr tsr_dtype type = sizeof(T) == 1   ? TSR_U8
                                      : sizeof(T) == 2 ? TSR_U16
                                      : sizeof(T) == 4 ? TSR_U32
                                                       : TSR_U64;
    static constexpr tsr_tuple shape = tsr_t(tsr_s(Rows), tsr_s(Columns));
    static constexpr tsr_layout smem = Swizzle >= 0
                                           ? tsr_tile_to_shape(tsr_smem_atom((tsr_major)Major, Swizzle, type), shape)
                                       : Major == TSR_MAJOR_K ? tsr_make_layout(shape, tsr_right())
                                                              : tsr_make_layout(shape);
};

/** f of a map without a hint, or with one of the three. */
template <class F> TSR_DEVICE void with_hint(tsr_tma_map const *map, int hint, F f)
{
    if (hint == 0)
        f(map);
    else
        f(tsr_tma_hint(map, hint == 1   ? tsr_cache_evict_first()
                            : hint == 2 ? tsr_cache_evict_last()
                                        : tsr_cache_evict_normal()));
}

/** Each CTA of a cluster writes the tile as it has it to `out`, row by row; the first one stores what `in` has
 *  for it. */
template <class P> __global__ void move_tile(__grid_constant__ tsr_tma_map const from,
                                             __grid_constant__ tsr_tma_map const to, place at, place stored,
                                             typename P::element const *in, typename P::element *out, int hint)
{
    typedef typename P::element T;
    __shared__ tsr_barrier full;
    T *const tile = tsr_dynamic_smem<T>();
    if (threadIdx.x == 0) {
        tsr_tma_prefetch(&from);
        tsr_barrier_init(&full, 1);
        tsr_barrier_init_fence();
    }
    tsr_cluster_sync();
    if (threadIdx.x == 0) {
        tsr_barrier_expect(&full, tsr_tma_bytes<P::smem, T>);
        with_coordinates<P::Rank>(at, [&](auto... c) {
            with_hint(&from, hint, [&](auto map) {
                tsr_tma_load_tile_shared<P::smem, P::Ctas>(map, &full, tsr_smem(tile), c...);
            });
        });
    }
    tsr_barrier_wait(&full, 0);
    int const cta = blockIdx.x;
    for (int i = threadIdx.x; i < P::rows * P::columns; i += blockDim.x)
        out[cta * P::rows * P::columns + i] = tile[tsr_at<P::smem>(i / P::columns, i % P::columns)];
    __syncthreads();
    if (cta == 0) {
        for (int i = threadIdx.x; i < P::rows * P::columns; i += blockDim.x)
            tile[tsr_at<P::smem>(i / P::columns, i % P::columns)] = in[i];
        tsr_fence_async();
        __syncthreads();
        if (threadIdx.x == 0) {
            with_coordinates<P::Rank>(stored, [&](auto... c) {
                with_hint(&to, hint, [&](auto map) {
                    if constexpr (sizeof(T) >= 4)
                        tsr_tma_reduce_tile<P::smem, TSR_TMA_ADD>(map, tsr_smem(tile), c...);
                    else
                        tsr_tma_store_tile<P::smem>(map, tsr_smem(tile), c...);
                });
            });
            tsr_tma_commit();
            tsr_tma_wait<0>();
        }
    }
    tsr_cluster_sync();
}

/** The offset of element i of the tile at `p`, or -1 outside. */
template <class P> static int64_t offset_at(place p, int i, int64_t const *extent, int64_t const *stride)
{
    int64_t r = 0;
    p.at[0] += i / P::columns;
    p.at[1] += i % P::columns;
    for (int d = 0; d < P::Rank; ++d) {
        if (p.at[d] < 0 || p.at[d] >= extent[d])
            return -1;
        r += p.at[d] * stride[d];
    }
    return r;
}

/** Extents about those of the tile, strides with gaps, and a tile that may begin before the tensor or end behind it. */
template <class P> static tsr_layout choose(place &at, int64_t *extent, int64_t *stride)
{
    int64_t const unit = 16 / (int64_t)sizeof(typename P::element);
    int const along = P::major == TSR_MAJOR_K ? 1 : 0;
    int64_t pitch = 1;
    tsr_layout r = TSR_ZERO;
    for (int d = 0; d < MOST; ++d) {
        int64_t const of_tile = d == 0 ? P::rows : d == 1 ? P::columns : 3;
        extent[d] = d < P::Rank ? 1 + below(2 * of_tile) : 1;
        at.at[d] = d < P::Rank ? (int)(below(2 * of_tile) - of_tile / 2) : 0;
        stride[d] = 0;
    }
    at.at[along] = (int)(at.at[along] / unit * unit);
    for (int i = 0; i < P::Rank; ++i) {
        int const d = i < 2 ? i ^ along : i;
        stride[d] = pitch;
        pitch = (pitch * extent[d] + unit - 1) / unit * unit + below(2) * unit;
    }
    for (int d = 0; d < P::Rank; ++d) {
        tsr_tuple_push_leaf(&r.shape, tsr_leaf_dynamic(extent[d]));
        tsr_tuple_push_leaf(&r.stride, tsr_leaf_dynamic(stride[d]));
    }
    tsr_enclose_all_(&r.shape);
    tsr_enclose_all_(&r.stride);
    return r;
}

template <class P> static void try_round(char const *name)
{
    typedef typename P::element T;
    int64_t extent[MOST], stride[MOST];
    place at;
    tsr_layout const tensor = choose<P>(at, extent, stride);
    place stored = at; /* stores begin inside, and write whole 16 bytes */
    for (int &i : stored.at)
        i = i < 0 ? 0 : i;
    int64_t room[MOST];
    int const along = P::major == TSR_MAJOR_K ? 1 : 0, unit = 16 / (int)sizeof(T);
    for (int d = 0; d < MOST; ++d)
        room[d] = d == along ? (extent[d] + unit - 1) / unit * unit : extent[d];
    int64_t size = 2 * unit;
    for (int d = 0; d < P::Rank; ++d)
        size += (extent[d] - 1) * stride[d];
    size_t const tile = P::rows * P::columns * sizeof(T), bytes = (size_t)size * sizeof(T);
    memory a(bytes), b(bytes), x(tile), y(tile * P::Ctas), after(bytes);
    fill_random(a);
    fill_random(b);
    fill_random(x);
    device_memory da(bytes), db(bytes), dx(tile), dy(tile * P::Ctas);
    da.write(a);
    db.write(b);
    dx.write(x);
    tsr_tma_tile const shared = tsr_make_tma_tile(P::smem, P::type, P::Ctas),
                       alone = tsr_make_tma_tile(P::smem, P::type, 1);
    tsr_tma_desc const from = tsr_tma_tile_desc(&shared, P::type, tensor),
                       back = tsr_tma_tile_desc(&alone, P::type, tensor);
    tsr_tma_map map_a, map_b;
    tsr_reason const why[] = {tsr_tma_encode(&from, (uint64_t)da.at, &map_a),
                              tsr_tma_encode(&back, (uint64_t)db.at, &map_b)};
    if (!tsr_ok(why[0]) || !tsr_ok(why[1])) {
        std::printf("%s: no map, status %d and %d\n", name, why[0].status, why[1].status);
        ++failed;
        return;
    }
    cudaLaunchConfig_t launch = {};
    cudaLaunchAttribute cluster;
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim = {P::Ctas, 1, 1};
    launch.gridDim = P::Ctas;
    launch.blockDim = 128;
    launch.dynamicSmemBytes = tile;
    launch.attrs = &cluster;
    launch.numAttrs = 1;
    cudaFuncSetAttribute(move_tile<P>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)tile);
    check_cuda(cudaLaunchKernelEx(&launch, move_tile<P>, map_a, map_b, at, stored, (T const *)dx.at, (T *)dy.at,
                                  (int)below(4)),
               name);
    char what[200];
    std::snprintf(what, sizeof what, "%s, %d modes, %d CTAs, major %d, tile %dx%d at (%d,%d,%d..) of (%d,%d,%d..)",
                  name, (int)P::Rank, (int)P::Ctas, P::major, (int)P::rows, (int)P::columns, at.at[0], at.at[1],
                  at.at[2], (int)extent[0], (int)extent[1], (int)extent[2]);
    finish(what);
    dy.read(y);
    db.read(after);
    int loads = 0, stores = 0;
    for (int i = 0; i < P::rows * P::columns; ++i) {
        int64_t const offset = offset_at<P>(at, i, extent, stride), to = offset_at<P>(stored, i, room, stride);
        T wanted = 0, got, in, was;
        if (offset >= 0)
            std::memcpy(&wanted, a.data() + offset * sizeof(T), sizeof(T));
        for (int cta = 0; cta < P::Ctas; ++cta) {
            std::memcpy(&got, y.data() + (cta * P::rows * P::columns + i) * sizeof(T), sizeof(T));
            loads += got != wanted;
        }
        if (to >= 0) { /* what the tensor is to be */
            std::memcpy(&in, x.data() + i * sizeof(T), sizeof(T));
            std::memcpy(&was, b.data() + to * sizeof(T), sizeof(T));
            was = sizeof(T) >= 4 ? T(was + in) : in;
            std::memcpy(b.data() + to * sizeof(T), &was, sizeof(T));
        }
    }
    for (size_t i = 0; i < bytes; ++i)
        stores += after[i] != b[i];
    if (loads + stores > 0)
        std::printf("%s: %d elements of loads, %d bytes of stores differ\n", what, loads, stores);
    ++(loads + stores > 0 ? failed : passed);
}

template <class T, int Major, int Swizzle, int Blocks, int Rank, int Ctas> static void try_tile(char const *name)
{
    constexpr int side = (Swizzle < 0 ? 64 : 16 << Swizzle) / (int)sizeof(T) * Blocks;
    for (int i = 0; i < ROUNDS; ++i) {
        if constexpr (Major == TSR_MAJOR_K)
            try_round<plan<T, Major, Swizzle, 40, side, Rank, Ctas>>(name);
        else
            try_round<plan<T, Major, Swizzle, side, 40, Rank, Ctas>>(name);
    }
}

template <class T> static void try_type(char const *name)
{
    try_tile<T, TSR_MAJOR_K, -1, 1, 2, 1>(name);
    try_tile<T, TSR_MAJOR_K, 0, 2, 3, 1>(name);
    try_tile<T, TSR_MAJOR_K, 1, 3, 4, 2>(name);
    try_tile<T, TSR_MAJOR_K, 2, 1, 5, 4>(name);
    try_tile<T, TSR_MAJOR_K, 3, 2, 2, 4>(name);
    try_tile<T, TSR_MAJOR_MN, -1, 1, 3, 2>(name);
    try_tile<T, TSR_MAJOR_MN, 0, 1, 2, 1>(name);
    try_tile<T, TSR_MAJOR_MN, 1, 2, 5, 1>(name);
    try_tile<T, TSR_MAJOR_MN, 2, 3, 4, 1>(name);
    try_tile<T, TSR_MAJOR_MN, 3, 1, 3, 4>(name);
}

/* usage: tiles [SEED [BITS]], of all types or one. */
int main(int count, char **arguments)
{
    need_hopper();
    seed(count, arguments, 1);
    int const only = count > 2 ? std::atoi(arguments[2]) : 0;
    if (only == 0 || only == 8)
        try_type<uint8_t>("8 bits");
    if (only == 0 || only == 16)
        try_type<uint16_t>("16 bits");
    if (only == 0 || only == 32)
        try_type<uint32_t>("32 bits");
    if (only == 0 || only == 64)
        try_type<uint64_t>("64 bits");
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

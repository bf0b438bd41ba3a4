/** Tiles of pixels by the copy engine (tma/im2col_tile.h, cuda/tile_im2col.cuh), of 8, 16 and 32 bits, without a
 *  swizzle and in each one, of images of one to three modes: random paddings, strides, dilations and taps, tiles that
 *  end behind the last image and channels that end anywhere, against the image element by element. */
#include "device.cuh"
#include "tessera/cuda.cuh"
#include "tessera/cuda/tile_im2col.cuh"
#include "tessera/exec/tma.h"
#include "tessera/names.h"

enum { ROUNDS = 12, DIMS = 3 };

/** Pixels x Channels of T in blocks of the swizzle of 16 << Swizzle bytes; plain without one. */
template <class T, int Swizzle, int Pixels, int Channels, int Dims_> struct plan {
    enum { pixels = Pixels, channels = Channels, Dims = Dims_ };
    typedef T element;
    static constexpr tsr_dtype type = sizeof(T) == 1 ? TSR_U8 : sizeof(T) == 2 ? TSR_U16 : TSR_U32;
    static constexpr tsr_tuple shape = tsr_t(tsr_s(Pixels), tsr_s(Channels));
    static constexpr tsr_layout smem = Swizzle >= 0
                                           ? tsr_tile_to_shape(tsr_smem_atom(TSR_MAJOR_K, Swizzle, type), shape)
                                           : tsr_make_layout(shape, tsr_right());
};

/** Where a tile begins: its channel, its pixel (w,h,d,n), and the place of its tap. */
struct start {
    int channel, at[DIMS + 1];
    uint16_t tap[DIMS];
};

template <class P>
__global__ void load_tile(__grid_constant__ tsr_tma_map const map, start from, int hint, typename P::element *out)
{
    typedef typename P::element T;
    __shared__ tsr_barrier full;
    T *const tile = tsr_dynamic_smem<T>();
    if (threadIdx.x == 0) {
        tsr_barrier_init(&full, 1);
        tsr_barrier_init_fence();
        tsr_barrier_expect(&full, tsr_tma_bytes<P::smem, T>);
        auto const load = [&](auto m) {
            int const *const p = from.at;
            if constexpr (P::Dims == 1)
                tsr_tma_load_tile_im2col<P::smem>(m, &full, tsr_smem(tile), from.tap, from.channel, p[0], p[1]);
            else if constexpr (P::Dims == 2)
                tsr_tma_load_tile_im2col<P::smem>(m, &full, tsr_smem(tile), from.tap, from.channel, p[0], p[1], p[2]);
            else
                tsr_tma_load_tile_im2col<P::smem>(m, &full, tsr_smem(tile), from.tap, from.channel, p[0], p[1], p[2],
                                                  p[3]);
        };
        if (hint)
            load(tsr_tma_hint(&map, tsr_cache_evict_last()));
        else
            load(&map);
    }
    __syncthreads();
    tsr_barrier_wait(&full, 0);
    for (int i = threadIdx.x; i < P::pixels * P::channels; i += blockDim.x)
        out[i] = tile[tsr_at<P::smem>(i / P::channels, i % P::channels)];
}

/** A convolution: extents, taps and places of each of its modes. */
struct conv {
    int64_t image[DIMS], taps[DIMS], lower[DIMS], upper[DIMS], stride[DIMS], dilation[DIMS], out[DIMS], images, c;
};

static conv any_conv(int dims, int64_t unit)
{
    conv x = {};
    for (int i = 0; i < dims; ++i) {
        x.taps[i] = 1 + below(3);
        x.stride[i] = 1 + below(3);
        x.dilation[i] = 1 + below(2);
        x.lower[i] = below(3);
        x.upper[i] = below(3);
        x.image[i] = (x.taps[i] - 1) * x.dilation[i] + 1 + below(dims == 1 ? 100 : dims == 2 ? 14 : 6);
        x.out[i] = (x.image[i] + x.lower[i] + x.upper[i] - (x.taps[i] - 1) * x.dilation[i] - 1) / x.stride[i] + 1;
    }
    x.images = 1 + below(3);
    x.c = unit * (1 + below(9));
    return x;
}

/** A number of each mode as a tuple. */
static tsr_tuple numbers(int64_t const *x, int dims)
{
    return dims == 1 ? tsr_t(x[0]) : dims == 2 ? tsr_t(x[0], x[1]) : tsr_t(x[0], x[1], x[2]);
}

/** The image ((w..,n),c). */
static tsr_layout image_of(conv const &x, int dims)
{
    tsr_tuple shape = tsr_t(x.image[0]), stride = tsr_t(x.c);
    int64_t step = x.c * x.image[0];
    for (int i = 1; i <= dims; ++i) {
        int64_t const extent = i < dims ? x.image[i] : x.images;
        shape = tsr_tuple_append(shape, tsr_int(extent));
        stride = tsr_tuple_append(stride, tsr_int(step));
        step *= extent;
    }
    return tsr_make_layout_from(tsr_tuple_2(shape, tsr_int(x.c)), tsr_tuple_2(stride, tsr_s(1)));
}

template <class P> static void try_round(char const *name)
{
    typedef typename P::element T;
    constexpr int dims = P::Dims;
    conv const x = any_conv(dims, 16 / sizeof(T));
    tsr_tuple const taps = numbers(x.taps, dims), lower = numbers(x.lower, dims), upper = numbers(x.upper, dims),
                    strides = numbers(x.stride, dims), dilations = numbers(x.dilation, dims);
    tsr_tuple const of = tsr_t(taps, lower, upper, strides, dilations);
    tsr_layout const image = image_of(x, dims);
    tsr_tma_tile const tile = tsr_make_im2col_tile(P::smem, P::type);
    tsr_tma_desc const desc = tsr_im2col_tile_desc(&tile, P::type, image, tsr_fprop_pixels(of), tsr_fprop_taps(of));
    size_t const bytes = (size_t)tsr_size(image) * sizeof(T), size = P::pixels * P::channels * sizeof(T);
    memory a(bytes), y(size);
    fill_random(a);
    device_memory da(bytes), dy(size);
    da.write(a);
    tsr_tma_map map;
    tsr_reason const why = tsr_tma_encode(&desc, (uint64_t)da.at, &map);
    if (!tsr_ok(why)) {
        std::printf("%s: no map, status %d\n", name, why.status);
        ++failed;
        return;
    }
    int64_t pixels = x.images, tap[DIMS] = {};
    for (int i = 0; i < dims; ++i)
        pixels *= x.out[i];
    int64_t const first = below((int)pixels);
    start from = {};
    from.channel = (int)(below((int)x.c) / (16 / sizeof(T)) * (16 / sizeof(T)));
    int64_t rest = first;
    for (int i = 0; i < dims; rest /= x.out[i++]) {
        tap[i] = below((int)x.taps[i]);
        from.tap[i] = (uint16_t)(tap[i] * x.dilation[i]);
        from.at[i] = (int)(rest % x.out[i] * x.stride[i] - x.lower[i]);
    }
    from.at[dims] = (int)rest;
    cudaFuncSetAttribute(load_tile<P>, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)size);
    load_tile<P><<<1, 128, size>>>(map, from, (int)below(2), (T *)dy.at);
    finish(name);
    dy.read(y);
    int wrong = 0;
    for (int i = 0; i < P::pixels * P::channels; ++i) {
        int64_t p = first + i / P::channels, c = from.channel + i % P::channels, offset = c, step = x.c;
        bool inside = c < x.c;
        for (int k = 0; k < dims; p /= x.out[k++]) {
            int64_t const at = p % x.out[k] * x.stride[k] - x.lower[k] + tap[k] * x.dilation[k];
            inside = inside && at >= 0 && at < x.image[k];
            offset += at * step;
            step *= x.image[k];
        }
        offset += p * step;
        T wanted = 0, got;
        if (inside && p < x.images)
            std::memcpy(&wanted, a.data() + offset * sizeof(T), sizeof(T));
        std::memcpy(&got, y.data() + i * sizeof(T), sizeof(T));
        wrong += got != wanted;
    }
    if (wrong > 0)
        std::printf("%s, %d modes, tile %dx%d: %d elements differ\n", name, dims, (int)P::pixels, (int)P::channels,
                    wrong);
    ++(wrong > 0 ? failed : passed);
}

template <class T, int Swizzle> static void try_swizzle(char const *name)
{
    constexpr int side = (Swizzle < 0 ? 64 : 16 << Swizzle) / (int)sizeof(T), blocks = Swizzle < 0 ? 1 : 2;
    for (int i = 0; i < ROUNDS; ++i) {
        try_round<plan<T, Swizzle, 40, side, 1>>(name);
        try_round<plan<T, Swizzle, 128, side * blocks, 2>>(name);
        try_round<plan<T, Swizzle, 64, side * blocks, 3>>(name);
    }
}

template <class T> static void try_type(char const *name)
{
    try_swizzle<T, -1>(name);
    try_swizzle<T, 0>(name);
    try_swizzle<T, 1>(name);
    try_swizzle<T, 2>(name);
    try_swizzle<T, 3>(name);
}

int main(int count, char **arguments)
{
    need_hopper();
    seed(count, arguments, 1);
    try_type<uint8_t>("8 bits");
    try_type<uint16_t>("16 bits");
    try_type<uint32_t>("32 bits");
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

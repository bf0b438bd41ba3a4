/** Parts and fragments of any shape: tensors of three modes permuted through tiles of shared memory (padded,
 *  swizzled, swizzled from an offset on) for elements of 1 to 16 bytes; fragments of three modes, of one thread, of
 *  several warps, reduced over each mode as numbers of 32 and 64 bits and as structs, and stored where the mode is 1;
 *  rows quantised by their greatest element. Against plain loops. */
#include "device.cuh"
#include "tessera/cuda.cuh"
#include "tessera/tensor/access.h"
#include "tessera/names.h"

#include <cmath>

/* (a,b,c) to (c,a,b) */

struct wide {
    uint32_t word[4];
};

enum form { PLAIN, PADDED, SWIZZLED, MOVED };

template <class T, form Form> struct permutation {
    static constexpr int access = 16 / (int)sizeof(T), A = 4, B = 8, C = 8 * access > 32 ? 8 * access : 32;
    static constexpr tsr_tuple tile = tsr_t(tsr_s(A), tsr_s(B), tsr_s(C));
    static constexpr tsr_layout rows = tsr_make_layout(tile, tsr_t(tsr_s(B *C), tsr_s(C), _1));
    static constexpr tsr_swizzle swizzle = tsr_make_swizzle(3, tsr_bit_width((uint64_t)access) - 1, 3);
    static constexpr tsr_layout smem =
        Form == PLAIN      ? rows
        : Form == PADDED   ? tsr_make_layout(tile, tsr_t(tsr_s(B *(C + access) + access), tsr_s(C + access), _1))
        : Form == SWIZZLED ? tsr_swizzled(swizzle, rows)
                           : tsr_composition_offset(swizzle, tsr_s(8 * access),
                                                    tsr_make_layout(tile, tsr_t(tsr_s(B *C + access), tsr_s(C), _1)));
    /* in: neighbours along c, 16 bytes each; out: single elements, neighbours along b */
    static constexpr int in_values = A * B * C / 64 / access, out_values = A * B * C / 64;
    static constexpr tsr_layout in = tsr_make_layout(
        tsr_t(tsr_t(tsr_s(C / access), tsr_s(64 * access / C)), tsr_t(tsr_s(access), tsr_s(in_values))),
        tsr_t(tsr_t(tsr_s(A *B *access), _1), tsr_t(tsr_s(A *B), tsr_s(64 * access / C))));
    static constexpr tsr_layout out = tsr_make_layout(tsr_t(tsr_t(_8, _4, _2), tsr_t(_1, tsr_s(C / 2))),
                                                      tsr_t(tsr_t(_4, _1, tsr_s(A *B)), tsr_t(_0, tsr_s(2 * A * B))));
    static constexpr tsr_layout identity = tsr_make_identity_layout(tile);
    static constexpr tsr_layout from = tsr_composition(identity, in), write = tsr_composition(smem, in);
    static constexpr tsr_layout read = tsr_composition(smem, out);
    /* (c,a,b) of the result */
    static constexpr tsr_layout permuted =
        tsr_composition(tsr_select(tsr_make_identity_layout(tsr_t(tsr_s(C), tsr_s(A), tsr_s(B))), 1, 2, 0), out);
};

template <class P, class T> __global__ void permute(tsr_global<T const, 3, 2> from, tsr_global<T, 3, 2> to)
{
    constexpr int room = P::A * (P::B * (P::C + P::access) + 9 * P::access);
    __shared__ alignas(1024) T tile[room];
    int const t = threadIdx.x, a = blockIdx.x * P::A, b = blockIdx.y * P::B, c = blockIdx.z * P::C;
    T in[tsr_values<P::from>], out[tsr_values<P::read>];
    tsr_copy_if<16>(tsr_part<P::from>(from.from(a, b, c), t), in);
    tsr_copy<16>(in, tsr_part<P::write>(tile, t));
    __syncthreads();
    tsr_copy<sizeof(T)>(tsr_part<P::read>(tile, t), out);
    tsr_copy_if<sizeof(T)>(out, tsr_part<P::permuted>(to.from(c, a, b), t));
}

template <class T, form Form> static void try_permutation(char const *name)
{
    typedef permutation<T, Form> P;
    for (int round = 0; round < 3; ++round) {
        int const a = 1 + (int)below(9), b = 1 + (int)below(19), c = 1 + (int)below(2 * P::C);
        int64_t const pitch = (c + P::access - 1) / P::access * P::access;
        memory x((size_t)a * b * pitch * sizeof(T)), y((size_t)a * b * c * sizeof(T));
        fill_random(x);
        device_memory dx(x.size()), dy(y.size());
        dx.write(x);
        tsr_global<T const, 3, 2> const from = {(T const *)dx.at, {a, b, c}, {b * pitch, pitch, 1}};
        tsr_global<T, 3, 2> const to = {(T *)dy.at, {c, a, b}, {a * b, b, 1}};
        permute<P, T><<<dim3((a + P::A - 1) / P::A, (b + P::B - 1) / P::B, (c + P::C - 1) / P::C), 64>>>(from, to);
        finish(name);
        dy.read(y);
        int wrong = 0;
        for (int i = 0; i < a; ++i)
            for (int j = 0; j < b; ++j)
                for (int k = 0; k < c; ++k)
                    wrong += std::memcmp(x.data() + (((size_t)i * b + j) * pitch + k) * sizeof(T),
                                         y.data() + (((size_t)k * a + i) * b + j) * sizeof(T), sizeof(T))
                             != 0;
        if (wrong)
            std::printf("permute %s, form %d, (%d,%d,%d): %d elements wrong\n", name, Form, a, b, c, wrong);
        ++(wrong ? failed : passed);
    }
}

template <class T> static void try_permutations(char const *name)
{
    try_permutation<T, PLAIN>(name);
    try_permutation<T, PADDED>(name);
    try_permutation<T, SWIZZLED>(name);
    try_permutation<T, MOVED>(name);
}

/* A line: its coordinate is a plain number; modes without elements count for nothing */

struct line {
    static constexpr tsr_layout tv = tsr_composition(
        tsr_make_identity_layout(_512), tsr_make_layout(tsr_t(tsr_t(_64, tsr_unit()), tsr_t(_4, _1, _2)),
                                                        tsr_t(tsr_t(_4, tsr_unit()), tsr_t(_1, _0, _256))));
};

__global__ void double_line(tsr_global<float const, 1, 0> from, tsr_global<float, 1, 0> to)
{
    float x[8];
    tsr_copy_if<16>(tsr_part<line::tv>(from.from(blockIdx.x * 512), threadIdx.x), x);
    for (float &y : x)
        y *= 2;
    tsr_copy_if<16>(x, tsr_part<line::tv>(to.from(blockIdx.x * 512), threadIdx.x));
}

static void try_line(void)
{
    int const n = 1 + (int)below(3000);
    memory x(n * 4), y(n * 4);
    for (int i = 0; i < n; ++i) {
        float const a = (float)below(1000);
        std::memcpy(x.data() + 4 * i, &a, 4);
    }
    device_memory dx(x.size()), dy(y.size());
    dx.write(x);
    double_line<<<(n + 511) / 512, 64>>>({(float const *)dx.at, {n}, {1}}, {(float *)dy.at, {n}, {1}});
    finish("a line");
    dy.read(y);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
        float a, b;
        std::memcpy(&a, x.data() + 4 * i, 4);
        std::memcpy(&b, y.data() + 4 * i, 4);
        wrong += b != 2 * a;
    }
    if (wrong)
        std::printf("a line of %d: %d elements wrong\n", n, wrong);
    ++(wrong ? failed : passed);
}

/* Reductions */

/** Thread-value layouts of tiles of three modes. */
struct one_thread {
    static constexpr int extent[3] = {4, 1, 6};
    static constexpr tsr_layout tv = tsr_make_layout(tsr_t(_1, tsr_t(_4, _6)));
};
struct cube { /* 32 threads: along each mode, values along each mode, one mode of one element */
    static constexpr int extent[3] = {8, 6, 8};
    static constexpr tsr_layout tv = tsr_make_layout(tsr_t(tsr_t(_4, _2, _4), tsr_t(_2, _3, _1, _2)),
                                                     tsr_t(tsr_t(_1, _8, tsr_s(96)), tsr_t(_4, _16, _0, tsr_s(48))));
};
struct warps { /* 128 threads, of which those of a row are in four warps and in one */
    static constexpr int extent[3] = {32, 4, 8};
    static constexpr tsr_layout tv = tsr_make_layout(tsr_t(tsr_t(_8, _2, _2, _4), tsr_t(_4, _2)),
                                                     tsr_t(tsr_t(_4, _32, _128, _256), tsr_t(_1, _64)));
};
struct half_warp { /* 16 threads, in whom half of the lanes hold the same */
    static constexpr int extent[3] = {2, 16, 1};
    static constexpr tsr_layout tv =
        tsr_make_layout(tsr_t(tsr_t(_2, _8), tsr_t(_2, _2)), tsr_t(tsr_t(_0, _4), tsr_t(_1, _2)));
};

template <class F> struct fragment {
    static constexpr tsr_tuple tile = tsr_t(tsr_s(F::extent[0]), tsr_s(F::extent[1]), tsr_s(F::extent[2]));
    static constexpr tsr_layout layout = tsr_composition(tsr_make_identity_layout(tile), F::tv);
};

/** A number and where it is, of several elements of which one is the greatest. */
struct best {
    float x;
    int at;
};
struct better {
    TSR_DEVICE_MEMBER best operator()(best a, best b) const
    {
        return a.x > b.x || (a.x == b.x && a.at < b.at) ? a : b;
    }
};

__host__ __device__ static int hash(int i, int j, int k)
{
    return (i * 7919 + j * 104729 + k * 1299709) % 1009 - 500;
}

template <class T> struct maker {
    TSR_DEVICE_MEMBER T operator()(float, tsr_coord<3> c) const { return T(hash(c.at[0], c.at[1], c.at[2])); }
};
template <> struct maker<best> {
    TSR_DEVICE_MEMBER best operator()(float, tsr_coord<3> c) const
    {
        return {(float)(hash(c.at[0], c.at[1], c.at[2]) % 50), (c.at[0] * 64 + c.at[1]) * 64 + c.at[2]};
    }
};

template <class F, int D, class T, class G> __global__ void reduce(tsr_global<T, 3, 2> to)
{
    typedef fragment<F> P;
    auto const x = tsr_frag_map_at<3>(tsr_frag_fill<tsr_frag<P::layout, float>>(0.0f), threadIdx.x, maker<T>());
    if constexpr (tsr_threads < P::layout >> 32) {
        __shared__ T smem[tsr_frag_shared<P::layout, D>];
        tsr_frag_store<sizeof(T)>(tsr_frag_reduce<D>(x, G(), tsr_smem(smem), threadIdx.x), to, threadIdx.x);
    } else {
        tsr_frag_store<sizeof(T)>(tsr_frag_reduce<D>(x, G()), to, threadIdx.x);
    }
}

template <class T> static T host_reduced(best const *x, int n, bool sum)
{
    double s = 0, most = x[0].x;
    for (int i = 0; i < n; ++i) {
        s += x[i].x;
        most = x[i].x > most ? x[i].x : most;
    }
    return T(sum ? s : most);
}
template <> best host_reduced<best>(best const *x, int n, bool)
{
    best r = {(float)((int)x[0].x % 50), x[0].at};
    for (int i = 1; i < n; ++i) {
        float const y = (float)((int)x[i].x % 50);
        if (y > r.x || (y == r.x && x[i].at < r.at))
            r = {y, x[i].at};
    }
    return r;
}

template <class F, int D, class T, class G> static void try_reduction(char const *name, bool sum)
{
    int extent[3] = {F::extent[0], F::extent[1], F::extent[2]}, wrong = 0;
    extent[D] = 1;
    int const n = extent[0] * extent[1] * extent[2];
    memory y(n * sizeof(T));
    device_memory dy(y.size());
    tsr_global<T, 3, 2> const to = {
        (T *)dy.at, {extent[0], extent[1], extent[2]}, {extent[1] * extent[2], extent[2], 1}};
    int const threads = tsr_threads<fragment<F>::layout>;
    reduce<F, D, T, G><<<1, threads>>>(to);
    finish(name);
    dy.read(y);
    for (int at = 0; at < n; ++at) {
        best x[64];
        int c[3] = {at / (extent[1] * extent[2]), at / extent[2] % extent[1], at % extent[2]};
        for (c[D] = 0; c[D] < F::extent[D]; ++c[D])
            x[c[D]] = {(float)hash(c[0], c[1], c[2]), (c[0] * 64 + c[1]) * 64 + c[2]};
        T const wanted = host_reduced<T>(x, F::extent[D], sum);
        wrong += std::memcmp(&wanted, y.data() + at * sizeof(T), sizeof(T)) != 0;
    }
    if (wrong)
        std::printf("%s over mode %d, %d bytes: %d of %d wrong\n", name, D, (int)sizeof(T), wrong, n);
    ++(wrong ? failed : passed);
}

template <class F> static void try_reductions(char const *name)
{
    try_reduction<F, 0, float, tsr_plus>(name, true);
    try_reduction<F, 1, int64_t, tsr_plus>(name, true);
    try_reduction<F, 2, double, tsr_larger>(name, false);
    try_reduction<F, 0, best, better>(name, false);
    try_reduction<F, 1, best, better>(name, false);
    try_reduction<F, 2, int, tsr_larger>(name, false);
}

/* Blocks of 1x128 to e4m3 and to int8 by their greatest element, and the sums of columns for the next layer */

struct rows_plan { /* 8 rows of 256: 16 threads for each 128 columns, 8 neighbours each */
    static constexpr tsr_tuple tile = tsr_t(_8, _2, _128); /* (row, block, column of the block) */
    static constexpr tsr_layout layout =
        tsr_composition(tsr_make_identity_layout(tile),
                        tsr_make_layout(tsr_t(tsr_t(_16, _2, _8), _8), tsr_t(tsr_t(_128, _8, _1), _16)));
};

template <class Q> __global__ void quantise(tsr_global<tsr_bf16 const, 3, 2> from, tsr_global<Q, 3, 2> to,
                                            tsr_global<float, 3, 1> scales, tsr_global<float, 3, 2> sums, float most)
{
    typedef rows_plan P;
    int const row = blockIdx.x * 8, block = blockIdx.y * 2, t = threadIdx.x;
    __shared__ float smem[tsr_frag_shared<P::layout, 0>];
    auto const x = tsr_frag_cast<float>(tsr_frag_load<16, P::layout>(from.from(row, block, 0), t));
    auto const greatest = tsr_frag_reduce<2>(tsr_frag_map(x, [](float a) { return fabsf(a); }), tsr_larger());
    auto const scale = tsr_frag_map(greatest, [&](float a) { return a > 0 ? a / most : 1.0f; });
    tsr_frag_store<4>(scale, scales.from(row, block, 0), t);
    tsr_frag_store<8>(tsr_frag_cast<Q>(tsr_frag_zip(x, scale, [](float a, float s) { return a / s; })),
                      to.from(row, block, 0), t);
    tsr_frag_store<16>(tsr_frag_reduce<0>(x, tsr_plus(), tsr_smem(smem), t), sums.from(blockIdx.x, block, 0), t);
}

template <class Q> static void try_quantisation(char const *name, tsr_dtype type, float most)
{
    int const m = 1 + (int)below(30), blocks = 1 + (int)below(5), groups = (m + 7) / 8;
    memory x((size_t)m * blocks * 128 * 2), q(x.size() / 2), s((size_t)m * blocks * 4),
        c((size_t)groups * blocks * 128 * 4);
    std::vector<float> values(m * blocks * 128);
    for (size_t i = 0; i < values.size(); ++i) {
        tsr_store(TSR_BF16, x.data() + 2 * i, 0, tsr_number_real((double)(below(2001) - 1000) / 8));
        values[i] = (float)tsr_number_to_double(tsr_load(TSR_BF16, x.data() + 2 * i, 0));
    }
    device_memory dx(x.size()), dq(q.size()), ds(s.size()), dc(c.size());
    dx.write(x);
    int64_t const pitch = blocks * 128;
    quantise<Q><<<dim3(groups, (blocks + 1) / 2), 256>>>(
        {(tsr_bf16 const *)dx.at, {m, blocks, 128}, {pitch, 128, 1}}, {(Q *)dq.at, {m, blocks, 128}, {pitch, 128, 1}},
        {(float *)ds.at, {m, blocks, 1}, {blocks, 1, 1}}, {(float *)dc.at, {groups, blocks, 128}, {pitch, 128, 1}},
        most);
    finish(name);
    dq.read(q);
    ds.read(s);
    dc.read(c);
    int wrong = 0, scales = 0, sums = 0;
    for (int i = 0; i < m * blocks; ++i) {
        float greatest = 0, scale;
        for (int k = 0; k < 128; ++k)
            greatest = std::fmax(greatest, std::fabs(values[i * 128 + k]));
        float const wanted = greatest > 0 ? greatest / most : 1;
        std::memcpy(&scale, s.data() + 4 * i, 4);
        scales += scale != wanted;
        for (int k = 0; k < 128; ++k) {
            unsigned char nearest[8] = {};
            float const y = values[i * 128 + k] / wanted;
            tsr_store(type, nearest, 0,
                      type == TSR_I8 ? tsr_number_int((int64_t)std::nearbyint(y)) : tsr_number_real(y));
            wrong += q[i * 128 + k] != nearest[0];
        }
    }
    for (int g = 0; g < groups; ++g)
        for (int k = 0; k < pitch; ++k) {
            float sum = 0, got;
            for (int i = 8 * g; i < 8 * g + 8 && i < m; ++i)
                sum += values[i * pitch + k];
            std::memcpy(&got, c.data() + (g * pitch + k) * 4, 4);
            sums += std::fabs(sum - got) > 1e-3f;
        }
    if (wrong + scales + sums)
        std::printf("%s, %d by %d: %d numbers, %d scales, %d sums wrong\n", name, m, (int)pitch, wrong, scales, sums);
    ++(wrong + scales + sums ? failed : passed);
}

int main(int count, char **arguments)
{
    need_hopper();
    seed(count, arguments, 1);
    try_permutations<uint8_t>("8 bits");
    try_permutations<tsr_f16>("f16");
    try_permutations<float>("f32");
    try_permutations<double>("f64");
    try_permutations<wide>("128 bits");
    for (int i = 0; i < 4; ++i)
        try_line();
    try_reductions<one_thread>("one thread");
    try_reductions<cube>("a cube");
    try_reductions<warps>("warps");
    try_reductions<half_warp>("half a warp");
    for (int i = 0; i < 4; ++i) {
        try_quantisation<tsr_e4m3>("e4m3", TSR_F8_E4M3FN, 448);
        try_quantisation<int8_t>("i8", TSR_I8, 127);
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

/** Numbers of 4 bits on a Hopper GPU against the host's: every number at every place of a word, unpacked in both orders
 *  to both halves; fragments of them cast to other types and back; every float that lies at or beside a border between
 *  two numbers, rounded as the host rounds. */
#include <cmath>

#include "device.cuh"
#include "tessera/cuda.cuh"
#include "tessera/names.h"
#include "tessera/tensor/access.h"

enum { WORDS = 4096, LANES = 32 };

template <class T> __global__ void unpack(uint32_t const *words, uint32_t *out)
{
    int const i = blockIdx.x * blockDim.x + threadIdx.x;
    uint32_t *const to = out + 16 * i;
    tsr_unpack_f16<T>(words[i], to);
    tsr_unpack_f16<T, TSR_NIBBLES_APART>(words[i], to + 4);
    tsr_unpack_bf16<T>(words[i], to + 8);
    tsr_unpack_bf16<T, TSR_NIBBLES_APART>(words[i], to + 12);
}

static constexpr tsr_layout eight =
    tsr_composition(tsr_make_identity_layout(tsr_t(_1, _256)), tsr_make_layout(tsr_t(_32, _8), tsr_t(_8, _1)));

/** Words to fragments, to floats, and back; and f16 and bf16 back. */
template <class T> __global__ void cast(uint32_t const *words, float *out, uint32_t *back)
{
    int const t = threadIdx.x;
    tsr_frag<eight, T> x;
    x.r[0] = words[t];
    auto const f = tsr_frag_cast<float>(x);
    for (int v = 0; v < 8; ++v)
        out[8 * t + v] = f.r[v];
    back[4 * t] = tsr_frag_cast<T>(f).r[0];
    back[4 * t + 1] = tsr_frag_cast<T>(tsr_frag_cast<tsr_f16>(x)).r[0];
    back[4 * t + 2] = tsr_frag_cast<T>(tsr_frag_cast<tsr_bf16>(x)).r[0];
    back[4 * t + 3] = tsr_frag_map(x, [](T y) { return y; }).r[0];
}

template <class T> __global__ void rounded(float const *from, uint8_t *to, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        to[i] = T(from[i]).bits;
}

static void check(bool good, char const *what, tsr_dtype type, int i, double found, double wanted)
{
    ++(good ? passed : failed);
    if (!good && failed < 20)
        std::printf("FAIL: %s of type %d, %d: %g instead of %g\n", what, (int)type, i, found, wanted);
}

static double number(tsr_dtype type, uint64_t bits) { return tsr_number_to_double(tsr_decode(type, bits)); }

template <class T> static void try_type(tsr_dtype type)
{
    memory words(WORDS * 4), out(WORDS * 64), floats(8 * LANES * 4), back(4 * LANES * 4);
    device_memory w(words.size()), o(out.size()), f(floats.size()), b(back.size());
    fill_random(words);
    w.write(words);
    unpack<T><<<WORDS / 256, 256>>>((uint32_t *)w.at, (uint32_t *)o.at);
    cast<T><<<1, LANES>>>((uint32_t *)w.at, (float *)f.at, (uint32_t *)b.at);
    finish("unpack");
    o.read(out);
    f.read(floats);
    b.read(back);
    for (int i = 0; i < WORDS * 8; ++i) {
        uint32_t const word = ((uint32_t *)words.data())[i / 8];
        for (int way = 0; way < 4; ++way) {
            int const at = i % 8, apart = way % 2, place = apart ? at % 4 * 2 + at / 4 : at;
            tsr_dtype const half = way < 2 ? TSR_F16 : TSR_BF16;
            uint16_t const found = ((uint16_t *)out.data())[i / 8 * 32 + way * 8 + place];
            double const wanted = number(type, word >> 4 * at & 15);
            bool const same = tsr_encode(half, tsr_number_real(wanted)) == found;
            check(same, apart ? "apart" : "in order", type, i, number(half, found), wanted);
        }
    }
    for (int i = 0; i < 8 * LANES; ++i) {
        double const wanted = number(type, ((uint32_t *)words.data())[i / 8] >> 4 * (i % 8) & 15);
        check((double)((float *)floats.data())[i] == wanted, "float", type, i, ((float *)floats.data())[i], wanted);
    }
    for (int i = 0; i < 4 * LANES; ++i)
        check(((uint32_t *)back.data())[i] == ((uint32_t *)words.data())[i / 4], "back", type, i, i % 4, 0);
}

/** Multiples of 1/64 from -20 to 20, and their neighbours. */
template <class T> static void try_rounding(tsr_dtype type)
{
    std::vector<float> from;
    for (int i = -1280; i <= 1280; ++i)
        for (float beside : {-INFINITY, 0.0f, INFINITY})
            from.push_back(beside == 0.0f ? (float)i / 64 : nextafterf((float)i / 64, beside));
    memory bytes(from.size() * 4), to(from.size());
    std::memcpy(bytes.data(), from.data(), bytes.size());
    device_memory f(bytes.size()), t(to.size());
    f.write(bytes);
    rounded<T><<<1, 256>>>((float *)f.at, t.at, (int)from.size());
    finish("rounded");
    t.read(to);
    bool const real = type == TSR_F4_E2M1;
    for (size_t i = 0; i < from.size(); ++i) {
        double const x = real ? from[i] : std::nearbyint(from[i]);
        uint64_t const wanted = tsr_encode(type, tsr_number_real(x)) & 15;
        check(number(type, to[i]) == number(type, wanted), "rounded", type, (int)i, number(type, to[i]),
              number(type, wanted));
    }
}

int main(int count, char **arguments)
{
    need_hopper();
    seed(count, arguments, 1);
    try_type<tsr_u4>(TSR_U4);
    try_type<tsr_i4>(TSR_I4);
    try_type<tsr_e2m1>(TSR_F4_E2M1);
    try_rounding<tsr_u4>(TSR_U4);
    try_rounding<tsr_i4>(TSR_I4);
    try_rounding<tsr_e2m1>(TSR_F4_E2M1);
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

/** The kernel of a GPU plan in the emulator, with the launch, the maps and the numbers of that plan, under every
 *  schedule: the bytes of a plain product, for ragged M, N and K.
 *
 *  usage: emulate_plan FAKE */
#include "tessera/emulate/run.h"

#include "plan_of.h"
#include "product.h"
#include "tessera/cuda/umma_gemm.cuh"

static char const *fake;

/** A matrix in memory, by rows or by columns, its lines padded to 16 bytes, in batches. */
struct matrix {
    int rows, columns, batches;
    tsr_dtype type;
    bool turned;
    int64_t line, each;
    std::vector<uint8_t> bytes;

    matrix(int m, int n, int v, tsr_dtype t, bool by_columns = false)
        : rows(m), columns(n), batches(v), type(t), turned(by_columns)
    {
        int const unit = 128 / tsr_dtype_bits(t), along = turned ? m : n;
        line = (along + unit - 1) / unit * unit;
        each = line * (turned ? n : m);
        bytes.resize((size_t)(each * v * tsr_dtype_bits(t) / 8 + 16));
    }
    uint8_t *begin() { return bytes.data() + (16 - (uintptr_t)bytes.data() % 16) % 16; }
    int64_t at(int i, int j, int v) const { return v * each + (turned ? j * line + i : i * line + j); }
    void set(int64_t i, double x)
    {
        int const size = tsr_dtype_bits(type) / 8;
        uint64_t const code = tsr_encode(type, tsr_number_real(x));
        memcpy(begin() + i * size, &code, (size_t)size);
    }
    double get(int64_t i)
    {
        int const size = tsr_dtype_bits(type) / 8;
        uint64_t code = 0;
        memcpy(&code, begin() + i * size, (size_t)size);
        return tsr_number_to_double(tsr_decode(type, code));
    }
    tsr_tensor tensor()
    {
        tsr_layout const all = tsr_make_layout(tsr_t(batches, rows, columns),
                                               turned ? tsr_t(each, tsr_s(1), line) : tsr_t(each, line, tsr_s(1)));
        return tsr_make_tensor(tsr_gmem_ptr(tsr_int((int64_t)(uintptr_t)begin()), type), all);
    }
};

struct sizes {
    int m, n, k, batches, processors;
};

/** Integers of few bits, which all types have. `Parts` are those of the epilogue: alpha 2, and 1 times C. */
template <int A, int B, int D, int N, int Flags, int Parts = 0> static int try_plan(sizes z)
{
    typedef tsr_umma_plan<A, B, N, Flags> plan;
    typedef tsr_gemm_epilogue<D, D, Parts> epilogue;
    matrix a(z.m, z.k, z.batches, A, (Flags & TSR_HOPPER_A_MN) != 0),
        b(z.n, z.k, z.batches, B, (Flags & TSR_HOPPER_B_MN) != 0), c(z.m, z.n, z.batches, D);
    double const alpha = Parts & TSR_EPILOGUE_SCALES ? 2 : 1, beta = Parts & TSR_EPILOGUE_ADDS ? 1 : 0;
    for (int v = 0; v < z.batches; ++v) {
        for (int k = 0; k < z.k; ++k) {
            for (int m = 0; m < z.m; ++m)
                a.set(a.at(m, k, v), next_integer(3));
            for (int n = 0; n < z.n; ++n)
                b.set(b.at(n, k, v), next_integer(3));
        }
    }
    for (int64_t i = 0; i < c.each * z.batches; ++i)
        c.set(i, next_integer(3));
    matrix const before = c;
    matrix want = c;
    for (int v = 0; v < z.batches; ++v)
        for (int m = 0; m < z.m; ++m)
            for (int n = 0; n < z.n; ++n) {
                double sum = 0;
                for (int k = 0; k < z.k; ++k)
                    sum += a.get(a.at(m, k, v)) * b.get(b.at(n, k, v));
                want.set(c.at(m, n, v), alpha * sum + beta * want.get(c.at(m, n, v)));
            }
    plan_of_product x;
    char text[1024] = "";
    bool const made =
        plan_of_umma(fake, z.processors, a.tensor(), b.tensor(), c.tensor(), alpha, beta, &x, text, sizeof text);
    bool const same = made && x.a == A && x.b == B && x.d == D && x.n == N && x.flags == Flags
                      && x.threads == plan::threads && x.shared == plan::shared;
    printf("%dx%dx%d in %d: %s\n", z.m, z.n, z.k, z.batches, text);
    if (!same)
        return printf("no such plan\n"), 1;
    tsr_gemm_shape shape;
    epilogue e;
    static_assert(sizeof shape == sizeof x.shape && sizeof e == sizeof x.epilogue, "as the kernel reads them");
    memcpy(static_cast<void *>(&shape), x.shape, sizeof shape);
    memcpy(static_cast<void *>(&e), x.epilogue, sizeof e);
    tsr_tma_map const ma = tsr_emulated_map(&x.desc[0], a.begin()), mb = tsr_emulated_map(&x.desc[1], b.begin());
    tsr_emulated_launch l;
    l.grid = x.grid;
    l.cluster = x.cluster;
    l.threads = x.threads;
    l.shared = x.shared;
    int bad = 0;
    for (int i = 0; i < TSR_SCHEDULES; ++i) {
        l.schedule = (tsr_emulated_schedule)i;
        memcpy(c.bytes.data(), before.bytes.data(), c.bytes.size()); /* where it is */
        std::vector<std::string> const refused =
            tsr_emulate(l, [&] { tsr_umma_gemm<plan, epilogue>(ma, mb, ma, shape, e); });
        for (std::string const &s : refused)
            printf("%s: %s\n", schedules[i], s.c_str());
        bool const equal = memcmp(c.begin(), want.begin(), (size_t)(c.each * z.batches * tsr_dtype_bits(D) / 8)) == 0;
        if (!equal)
            printf("%s: wrong bytes\n", schedules[i]);
        bad += !refused.empty() || !equal;
    }
    return bad;
}

int main(int arguments, char **argument)
{
    if (arguments < 2)
        return 2;
    fake = argument[1];
    int const pairs = TSR_HOPPER_PAIRS, turned = TSR_HOPPER_A_MN | TSR_HOPPER_B_MN;
    int const bad =
        try_plan<TSR_BF16, TSR_BF16, TSR_BF16, 256, pairs>({300, 200, 200, 1, 4})
        + try_plan<TSR_F16, TSR_F16, TSR_F32, 64, 0>({100, 70, 72, 2, 3})
        + try_plan<TSR_F16, TSR_F16, TSR_F16, 256, pairs | turned>({600, 264, 136, 1, 2})
        + try_plan<TSR_BF16, TSR_BF16, TSR_F32, 128, TSR_HOPPER_B_MN>({128, 128, 64, 1, 1})
        + try_plan<TSR_TF32, TSR_TF32, TSR_F32, 64, pairs>({257, 50, 44, 1, 2})
        + try_plan<TSR_F8_E4M3FN, TSR_F8_E5M2, TSR_BF16, 64, pairs, TSR_EPILOGUE_SCALES | TSR_EPILOGUE_ADDS>(
            {200, 40, 272, 1, 2});
    printf(bad ? "%d runs failed\n" : "ok\n", bad);
    return bad != 0;
}

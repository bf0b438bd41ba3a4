/** MMA atoms on the GPU: the instructions themselves, fed with fragments that the layouts fill, give the products of the
 *  matrices. Exits with 77, which means skipped, where there is no GPU of compute capability 9.0. */
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "tessera/atoms.h"

static int passed, failed;

static void report(char const *name, bool ok)
{
    passed += ok;
    failed += !ok;
    if (!ok)
        std::printf("FAILED %s\n", name);
}

static void check_cuda(cudaError_t status)
{
    if (status == cudaSuccess)
        return;
    std::printf("%s\n", cudaGetErrorString(status));
    std::exit(2);
}

typedef std::vector<uint8_t> memory;

/** Element `at` of packed elements of a type. */
static void put(memory &m, tsr_dtype type, int64_t at, int v)
{
    int64_t const bit = at * tsr_dtype_bits(type);
    tsr_store(type, &m[(size_t)(bit / 8)], (int)(bit % 8), tsr_number_int(v));
}

static double get(memory const &m, tsr_dtype type, int64_t at)
{
    int64_t const bit = at * tsr_dtype_bits(type);
    return tsr_number_to_double(tsr_load(type, &m[(size_t)(bit / 8)], (int)(bit % 8)));
}

/** The registers of all threads, thread after thread, that hold a matrix. */
static memory registers(tsr_layout l, tsr_dtype type, std::vector<int> const &matrix)
{
    int64_t const threads = tsr_size(tsr_mode(l, 0)), values = tsr_size(tsr_mode(l, 1));
    memory m((size_t)(threads * values * tsr_dtype_bits(type) / 8));
    for (int64_t t = 0; t < threads; ++t)
        for (int64_t v = 0; v < values; ++v)
            put(m, type, t * values + v, matrix[(size_t)tsr_at_index(l, t + v * threads)]);
    return m;
}

/* mma.sync: a kernel an instruction */

#define LOAD(T, r, n) \
    T r[n];           \
    for (int i = 0; i < (n); ++i) r[i] = ((T const *)r##_in)[threadIdx.x * (n) + i];
#define ASM_4(op, c_, a_)                                                                                          \
    asm volatile(op " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"                                       \
                 : "+" c_(c[0]), "+" c_(c[1]), "+" c_(c[2]), "+" c_(c[3])                                          \
                 : a_(a[0]), a_(a[1]), a_(a[2]), a_(a[3]), a_(b[0]), a_(b[1]))
#define ASM_2(op, c_, a_)                                                                                          \
    asm volatile(op " {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"                                                \
                 : "+" c_(c[0]), "+" c_(c[1]), "+" c_(c[2]), "+" c_(c[3]) : a_(a[0]), a_(a[1]), a_(b[0]))
#define ASM_1(op, c_, a_) \
    asm volatile(op " {%0,%1}, {%2}, {%3}, {%0,%1};" : "+" c_(c[0]), "+" c_(c[1]) : a_(a[0]), a_(b[0]))
#define ASM_H(op, c_, a_)                                              \
    asm volatile(op " {%0,%1}, {%2,%3,%4,%5}, {%6,%7}, {%0,%1};"       \
                 : "+" c_(c[0]), "+" c_(c[1]) : a_(a[0]), a_(a[1]), a_(a[2]), a_(a[3]), a_(b[0]), a_(b[1]))
#define ASM_8(op, c_, a_)                                                                                          \
    asm volatile(op " {%0,%1,%2,%3}, {%4,%5,%6,%7,%8,%9,%10,%11}, {%12,%13,%14,%15}, {%0,%1,%2,%3};"               \
                 : "+" c_(c[0]), "+" c_(c[1]), "+" c_(c[2]), "+" c_(c[3])                                          \
                 : a_(a[0]), a_(a[1]), a_(a[2]), a_(a[3]), a_(a[4]), a_(a[5]), a_(a[6]), a_(a[7]), a_(b[0]),       \
                   a_(b[1]), a_(b[2]), a_(b[3]))

/* clang-format off */
/** X(kernel, register of A, how many, accumulator, how many, asm, its constraints, instruction, atom). */
#define MMA_LIST(X) \
    X(k0, uint32_t, 4, float, 4, ASM_4, "f", "r", "m16n8k16.row.col.f32.f16.f16.f32", \
      "SM80_16x8x16_F32F16F16F32_TN") \
    X(k1, uint32_t, 4, float, 4, ASM_4, "f", "r", "m16n8k16.row.col.f32.bf16.bf16.f32", \
      "SM80_16x8x16_F32BF16BF16F32_TN") \
    X(k2, uint32_t, 2, float, 4, ASM_2, "f", "r", "m16n8k8.row.col.f32.f16.f16.f32", \
      "SM80_16x8x8_F32F16F16F32_TN") \
    X(k3, uint32_t, 4, uint32_t, 2, ASM_H, "r", "r", "m16n8k16.row.col.f16.f16.f16.f16", \
      "SM80_16x8x16_F16F16F16F16_TN") \
    X(k4, uint32_t, 4, float, 4, ASM_4, "f", "r", "m16n8k8.row.col.f32.tf32.tf32.f32", \
      "SM80_16x8x8_F32TF32TF32F32_TN") \
    X(k5, uint32_t, 2, float, 4, ASM_2, "f", "r", "m16n8k4.row.col.f32.tf32.tf32.f32", \
      "SM80_16x8x4_F32TF32TF32F32_TN") \
    X(k6, uint32_t, 4, uint32_t, 4, ASM_4, "r", "r", "m16n8k32.row.col.s32.s8.s8.s32", \
      "SM80_16x8x32_S32S8S8S32_TN") \
    X(k7, uint32_t, 2, uint32_t, 4, ASM_2, "r", "r", "m16n8k16.row.col.s32.s8.s8.s32", \
      "SM80_16x8x16_S32S8S8S32_TN") \
    X(k8, uint32_t, 1, uint32_t, 2, ASM_1, "r", "r", "m8n8k16.row.col.s32.s8.s8.s32", \
      "SM80_8x8x16_S32S8S8S32_TN") \
    X(k9, uint32_t, 4, uint32_t, 4, ASM_4, "r", "r", "m16n8k64.row.col.s32.s4.s4.s32", \
      "SM80_16x8x64_S32S4S4S32_TN") \
    X(k10, uint32_t, 2, uint32_t, 4, ASM_2, "r", "r", "m16n8k32.row.col.s32.s4.s4.s32", \
      "SM80_16x8x32_S32S4S4S32_TN") \
    X(k11, uint32_t, 1, uint32_t, 2, ASM_1, "r", "r", "m8n8k32.row.col.s32.s4.s4.s32", \
      "SM80_8x8x32_S32S4S4S32_TN") \
    X(k12, uint32_t, 4, float, 4, ASM_4, "f", "r", "m16n8k32.row.col.f32.e4m3.e4m3.f32", \
      "SM89_16x8x32_F32E4M3E4M3F32_TN") \
    X(k13, uint32_t, 4, float, 4, ASM_4, "f", "r", "m16n8k32.row.col.f32.e5m2.e4m3.f32", \
      "SM89_16x8x32_F32E5M2E4M3F32_TN") \
    X(k14, double, 1, double, 2, ASM_1, "d", "d", "m8n8k4.row.col.f64.f64.f64.f64", \
      "SM80_8x8x4_F64F64F64F64_TN") \
    X(k15, double, 2, double, 4, ASM_2, "d", "d", "m16n8k4.row.col.f64.f64.f64.f64", \
      "SM90_16x8x4_F64F64F64F64_TN") \
    X(k16, double, 4, double, 4, ASM_4, "d", "d", "m16n8k8.row.col.f64.f64.f64.f64", \
      "SM90_16x8x8_F64F64F64F64_TN") \
    X(k17, double, 8, double, 4, ASM_8, "d", "d", "m16n8k16.row.col.f64.f64.f64.f64", \
      "SM90_16x8x16_F64F64F64F64_TN") \
    X(k18, uint32_t, 4, uint32_t, 4, ASM_4, "r", "r", "m16n8k256.row.col.s32.b1.b1.s32.and.popc", \
      "SM80_16x8x256_S32U1U1S32_TN_ANDPOPC") \
    X(k19, uint32_t, 2, uint32_t, 4, ASM_2, "r", "r", "m16n8k128.row.col.s32.b1.b1.s32.and.popc", \
      "SM80_16x8x128_S32U1U1S32_TN_ANDPOPC") \
    X(k20, uint32_t, 1, uint32_t, 2, ASM_1, "r", "r", "m8n8k128.row.col.s32.b1.b1.s32.and.popc", \
      "SM80_8x8x128_S32U1U1S32_TN_ANDPOPC")
/* clang-format on */

#define X(k, TA, na, TC, nc, text, c_, a_, op, name)                                            \
    __global__ void k(void const *a_in, void const *b_in, void const *c_in, void *d_out)        \
    {                                                                                           \
        LOAD(TA, a, na) LOAD(TA, b, (na + 1) / 2) LOAD(TC, c, nc)                               \
        text("mma.sync.aligned." op, c_, a_);                                                   \
        for (int i = 0; i < nc; ++i) ((TC *)d_out)[threadIdx.x * nc + i] = c[i];                \
    }
MMA_LIST(X)
#undef X

typedef void (*mma_kernel)(void const *, void const *, void const *, void *);

static std::vector<int> random_matrix(int64_t size, bool bits)
{
    std::vector<int> m((size_t)size);
    for (int &x : m)
        x = bits ? std::rand() % 2 : std::rand() % 7 - 3;
    return m;
}

struct device_buffer {
    void *at;
    size_t size;
    explicit device_buffer(memory const &m) : at(NULL), size(m.size())
    {
        check_cuda(cudaMalloc(&at, size));
        check_cuda(cudaMemcpy(at, m.data(), size, cudaMemcpyHostToDevice));
    }
    ~device_buffer() { cudaFree(at); }
    void read(memory &m) const { check_cuda(cudaMemcpy(m.data(), at, size, cudaMemcpyDeviceToHost)); }
};

/** Is d the product of a (M,K) and b (N,K), plus c? */
static bool is_product(tsr_mma_atom x, std::vector<int> const &a, std::vector<int> const &b, std::vector<int> const &c,
                       memory const &d, tsr_layout l)
{
    int64_t const threads = tsr_size(tsr_mode(l, 0)), values = tsr_size(tsr_mode(l, 1));
    for (int64_t i = 0; i < threads * values; ++i) {
        int64_t const at = tsr_at_index(l, i), t = i % threads, v = i / threads;
        double sum = c[(size_t)at];
        for (int64_t k = 0; k < x.k; ++k)
            sum += a[(size_t)(at % x.m + k * x.m)] * b[(size_t)(at / x.m + k * x.n)];
        if (get(d, x.c, t * values + v) != sum)
            return false;
    }
    return true;
}

static void check_mma(char const *name, mma_kernel kernel)
{
    tsr_mma_atom const x = tsr_mma_atom_named(name);
    bool const one = x.a == TSR_U1;
    std::vector<int> const a = random_matrix(x.m * x.k, one), b = random_matrix(x.n * x.k, one);
    std::vector<int> const c = random_matrix(x.m * x.n, one);
    memory d = registers(tsr_mma_layout_c(x), x.c, c);
    device_buffer const da(registers(tsr_mma_layout_a(x), x.a, a)), db(registers(tsr_mma_layout_b(x), x.b, b));
    device_buffer const dc(d), dd(d);
    kernel<<<1, 32>>>(da.at, db.at, dc.at, dd.at);
    check_cuda(cudaDeviceSynchronize());
    dd.read(d);
    report(name, is_product(x, a, b, c, d, tsr_mma_layout_c(x)));
}

int main(void)
{
    cudaDeviceProp p;
    if (cudaGetDeviceProperties(&p, 0) != cudaSuccess || p.major != 9)
        return 77;
#define X(k, TA, na, TC, nc, text, c_, a_, op, name) check_mma(name, k);
    MMA_LIST(X)
#undef X
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

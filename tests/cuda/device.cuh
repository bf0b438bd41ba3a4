/** What the tests of the hardware share: a device of compute capability 9.0 or a line why there is none, its memory,
 *  random numbers of a printed seed, counts. */
#ifndef TEST_CUDA_DEVICE_CUH
#define TEST_CUDA_DEVICE_CUH

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static int passed, failed;

static void check_cuda(cudaError_t status, char const *what)
{
    if (status == cudaSuccess)
        return;
    std::printf("%s: %s\n", what, cudaGetErrorString(status));
    std::exit(2);
}

/** Ends the test as skipped where the hardware is another one. */
static void need_hopper(void)
{
    cudaDeviceProp p;
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::printf("skipped: no GPU\n");
        std::exit(77);
    }
    check_cuda(cudaGetDeviceProperties(&p, 0), "properties");
    if (p.major != 9 || p.minor != 0) {
        std::printf("skipped: a GPU of compute capability %d.%d, not 9.0\n", p.major, p.minor);
        std::exit(77);
    }
}

static uint64_t random_state;

static void seed(int count, char **arguments, uint64_t otherwise)
{
    uint64_t const s = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : otherwise;
    random_state = s * 2 + 1;
    std::printf("seed %llu\n", (unsigned long long)s);
}

static uint64_t random_bits(void)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    uint64_t x = random_state;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

/** 0 to n - 1. */
static int64_t below(int64_t n) { return (int64_t)(random_bits() % (uint64_t)n); }

typedef std::vector<uint8_t> memory;

static void fill_random(memory &m)
{
    for (size_t i = 0; i < m.size(); ++i)
        m[i] = (uint8_t)random_bits();
}

/** Memory of the device. */
struct device_memory {
    uint8_t *at = nullptr;
    size_t size;
    explicit device_memory(size_t bytes) : size(bytes) { check_cuda(cudaMalloc(&at, bytes), "cudaMalloc"); }
    ~device_memory() { cudaFree(at); }
    device_memory(device_memory const &) = delete;
    void write(memory const &m) { check_cuda(cudaMemcpy(at, m.data(), m.size(), cudaMemcpyHostToDevice), "write"); }
    void read(memory &m) const { check_cuda(cudaMemcpy(m.data(), at, m.size(), cudaMemcpyDeviceToHost), "read"); }
};

/** Waits for a kernel; an error of it ends the test, for the device is then lost. */
static void finish(char const *what)
{
    check_cuda(cudaGetLastError(), what);
    check_cuda(cudaDeviceSynchronize(), what);
}

#endif

/** Runs of bytes by the copy engine on a Hopper GPU, with hints and without: every byte arrives, and no other one is
 *  touched; and warpgroups that divide their registers. */
#include "device.cuh"
#include "tessera/cuda.cuh"
#include "tessera/cuda/bulk.cuh"

enum { MOST = 32768 };

/** `bytes` bytes through shared memory; `hint` 0 is none. */
__global__ void bulk(unsigned char const *from, unsigned char *to, int bytes, int hint)
{
    extern __shared__ __align__(128) unsigned char smem[];
    __shared__ tsr_barrier full;
    if (threadIdx.x == 0) {
        tsr_barrier_init(&full, 1);
        tsr_barrier_init_fence();
        tsr_barrier_expect(&full, bytes);
        if (hint == 0)
            tsr_bulk_load(smem, from, bytes, &full);
        else
            tsr_bulk_load(smem, from, bytes, &full, hint == 1 ? tsr_cache_evict_first() : tsr_cache_evict_last());
    }
    __syncthreads();
    tsr_barrier_wait(&full, 0);
    for (int i = threadIdx.x; i < bytes; i += blockDim.x)
        smem[i] ^= 0x5a;
    tsr_fence_async();
    __syncthreads();
    if (threadIdx.x == 0) {
        tsr_bulk_store(to, smem, bytes);
        tsr_tma_commit();
        tsr_tma_wait<0>();
    }
}

template <int Bytes> __global__ void once(unsigned char const *from, unsigned char *to)
{
    uint32_t r[Bytes / 4];
    tsr_read_once<Bytes>(from + Bytes * threadIdx.x, r);
    tsr_write<Bytes>(r, to + Bytes * threadIdx.x);
}

typedef tsr_registers<24, 240, 240> split;

__global__ __launch_bounds__(384, 1) void registers(int *out)
{
    int const group = tsr_warp() / 4;
    if (group == 0) {
        split::set<0>();
        out[threadIdx.x] = 1;
    } else if (group == 1) {
        split::set<1>();
        out[threadIdx.x] = 2;
    } else {
        split::set<2>();
        out[threadIdx.x] = 3;
    }
}

static void check(bool good, char const *what, int n)
{
    ++(good ? passed : failed);
    if (!good)
        std::printf("FAIL: %s, %d\n", what, n);
}

int main(int count, char **arguments)
{
    need_hopper();
    seed(count, arguments, 1);
    memory from(MOST), to(MOST);
    device_memory f(MOST), t(MOST);
    check_cuda(cudaFuncSetAttribute(bulk, cudaFuncAttributeMaxDynamicSharedMemorySize, MOST), "attribute");
    for (int i = 0; i < 200; ++i) {
        int const bytes = 16 * (int)(1 + below(MOST / 32)), at = 16 * (int)below(MOST / 32),
                  into = 16 * (int)below(MOST / 32);
        fill_random(from);
        fill_random(to);
        f.write(from);
        t.write(to);
        bulk<<<1, 128, bytes>>>(f.at + at, t.at + into, bytes, i % 3);
        finish("bulk");
        for (int k = 0; k < bytes; ++k)
            to[(size_t)(into + k)] = from[(size_t)(at + k)] ^ 0x5a;
        memory got(MOST);
        t.read(got);
        check(got == to, "bulk", bytes);
    }
    once<4><<<1, 256>>>(f.at, t.at);
    once<8><<<1, 256>>>(f.at + 1024, t.at + 1024);
    once<16><<<1, 256>>>(f.at + 3072, t.at + 3072);
    finish("once");
    t.read(to);
    check(std::memcmp(to.data(), from.data(), 3072 + 4096) == 0, "once", 0);
    registers<<<1, 384>>>((int *)t.at);
    finish("registers");
    t.read(to);
    int sum = 0;
    for (int i = 0; i < 384; ++i)
        sum += ((int *)to.data())[i] != 1 + i / 128;
    check(sum == 0, "registers", sum);
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

/** The CTAs of a cluster and each other's shared memory: each puts what it knows into that of all others, adds to it
 *  there, and says so; round after round everyone finds what everyone has said. */
#include "device.cuh"
#include "tessera/cuda.cuh"

enum { MOST = 8, ROUNDS = 5, THREADS = 128 };

TSR_FN int word(int round, int cta, int i) { return round * 1000003 + cta * 1009 + i; }

__global__ void exchange(int *wrong)
{
    __shared__ int said[2][MOST][THREADS], visits[2];
    __shared__ tsr_barrier heard[2]; /* who is a round ahead arrives at the other one */
    int const me = tsr_cluster_rank(), ctas = gridDim.x, t = threadIdx.x;
    if (t < 2) {
        visits[t] = 0;
        tsr_barrier_init(&heard[t], ctas * THREADS);
        tsr_barrier_init_fence();
    }
    tsr_cluster_sync();
    for (int round = 0; round < ROUNDS; ++round) {
        int const half = round % 2;
        for (int to = 0; to < ctas; ++to) {
            *tsr_smem_of(&said[half][me][t], to) = word(round, me, t);
            atomicAdd(tsr_smem_of(&visits[half], to), 1);
            tsr_barrier_release_at(&heard[half], to);
        }
        tsr_barrier_wait_cluster(&heard[half], (uint32_t)(round / 2 % 2));
        for (int from = 0; from < ctas; ++from)
            if (said[half][from][THREADS - 1 - t] != word(round, from, THREADS - 1 - t))
                atomicAdd(wrong, 1);
        if (visits[half] != (round / 2 + 1) * ctas * THREADS)
            atomicAdd(wrong, 1);
    }
    tsr_cluster_sync(); /* nobody ends whose memory is written to */
}

int main()
{
    need_hopper();
    for (int ctas = 1; ctas <= MOST; ctas *= 2) {
        device_memory wrong(sizeof(int));
        cudaLaunchAttribute cluster = {};
        cluster.id = cudaLaunchAttributeClusterDimension;
        cluster.val.clusterDim.x = ctas;
        cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
        cudaLaunchConfig_t config = {};
        config.gridDim = dim3(ctas);
        config.blockDim = dim3(THREADS);
        config.attrs = &cluster;
        config.numAttrs = 1;
        wrong.write(memory(sizeof(int), 0));
        check_cuda(cudaLaunchKernelEx(&config, exchange, (int *)wrong.at), "launch");
        finish("exchange");
        int count = 0;
        check_cuda(cudaMemcpy(&count, wrong.at, sizeof count, cudaMemcpyDeviceToHost), "read");
        if (count)
            std::printf("FAILED %d CTAs: %d words or counts are others\n", ctas, count);
        ++(count ? failed : passed);
    }
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

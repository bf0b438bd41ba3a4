/* Timing on the device: rotating buffers, device events, the contestants in turns, medians. */
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "../../examples/cuda/check.cuh"

struct contestant {
    std::string name;
    std::function<void(int buffer)> run;
};

/* Random numbers in [-1,1): zeros and small integers run faster than data. */
template <class T, int Unit> __global__ void noise_kernel(tsr_global<T, 2, Unit> m, unsigned seed)
{
    int const i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
    unsigned x = (unsigned)i * 2654435761u ^ (unsigned)j * 2246822519u ^ seed * 3266489917u;
    x = (x ^ x >> 15) * 2246822519u;
    x = (x ^ x >> 13) * 3266489917u;
    if (i < m.extent[0] && j < m.extent[1])
        m.at[m.offset({{i, j}})] = T((float)(x >> 8) / 8388608.0f - 1.0f);
}

template <class T, int Unit> static void noise(matrix<T, Unit> &m, unsigned seed)
{
    noise_kernel<<<dim3((m.rows + 255) / 256, m.columns), 256>>>(m.tensor(), seed);
    check_cuda(cudaGetLastError(), "noise");
}

/* The median milliseconds of each contestant over `rounds` rounds of `repeats` launches. */
static std::vector<double> race(std::vector<contestant> const &all, int buffers, int rounds, int repeats)
{
    std::vector<std::vector<float>> times(all.size());
    cudaEvent_t begin, end;
    check_cuda(cudaEventCreate(&begin), "event");
    check_cuda(cudaEventCreate(&end), "event");
    for (int round = -1; round < rounds; ++round) {
        for (size_t i = 0; i < all.size(); ++i) {
            float ms = 0;
            check_cuda(cudaEventRecord(begin), "event");
            for (int k = 0; k < repeats; ++k)
                all[i].run(k % buffers);
            check_cuda(cudaEventRecord(end), "event");
            check_cuda(cudaEventSynchronize(end), all[i].name.c_str());
            check_cuda(cudaEventElapsedTime(&ms, begin, end), "event");
            if (round >= 0)
                times[i].push_back(ms / (float)repeats);
        }
    }
    std::vector<double> medians;
    for (auto &t : times) {
        std::sort(t.begin(), t.end());
        medians.push_back(t[t.size() / 2]);
    }
    check_cuda(cudaEventDestroy(begin), "event");
    check_cuda(cudaEventDestroy(end), "event");
    return medians;
}

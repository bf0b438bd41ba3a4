/* Timing on the device: rotating buffers, device events, the contestants in turns, medians. */
#pragma once

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>
#include <thread>
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

static double median(std::vector<double> t)
{
    std::sort(t.begin(), t.end());
    return t[t.size() / 2];
}

/* The milliseconds of one of `repeats` launches. */
static double burst(contestant const &c, int buffers, int repeats)
{
    static cudaEvent_t begin = nullptr, end = nullptr;
    float ms = 0;
    if (!begin) {
        check_cuda(cudaEventCreate(&begin), "event");
        check_cuda(cudaEventCreate(&end), "event");
    }
    check_cuda(cudaEventRecord(begin), "event");
    for (int k = 0; k < repeats; ++k)
        c.run(k % buffers);
    check_cuda(cudaEventRecord(end), "event");
    check_cuda(cudaEventSynchronize(end), c.name.c_str());
    check_cuda(cudaEventElapsedTime(&ms, begin, end), "event");
    return ms / repeats;
}

/* TURN: the median milliseconds of each contestant over `rounds` rounds of `repeats` launches, in turns. */
static std::vector<double> race(std::vector<contestant> const &all, int buffers, int rounds, int repeats)
{
    std::vector<std::vector<double>> times(all.size());
    std::vector<double> medians;
    for (int round = -1; round < rounds; ++round)
        for (size_t i = 0; i < all.size(); ++i) {
            double const ms = burst(all[i], buffers, repeats);
            if (round >= 0)
                times[i].push_back(ms);
        }
    for (auto &t : times)
        medians.push_back(median(t));
    return medians;
}

/* COOL: the same with 20 ms of rest before each burst. */
static std::vector<double> race_cool(std::vector<contestant> const &all, int buffers, int rounds, int repeats)
{
    std::vector<double> medians;
    for (auto const &c : all) {
        std::vector<double> t;
        for (int round = 0; round < rounds; ++round) {
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
            t.push_back(burst(c, buffers, repeats));
        }
        medians.push_back(median(t));
    }
    return medians;
}

/* The clock of the processors in MHz, by NVML; 0 where there is none. */
static unsigned clock_now()
{
    static void *device = nullptr;
    static int (*read)(void *, int, unsigned *) = nullptr;
    unsigned mhz = 0;
    if (!read) {
        void *const library = dlopen("libnvidia-ml.so.1", RTLD_NOW);
        if (!library || reinterpret_cast<int (*)()>(dlsym(library, "nvmlInit_v2"))() != 0
            || reinterpret_cast<int (*)(unsigned, void **)>(dlsym(library, "nvmlDeviceGetHandleByIndex_v2"))(0,
                                                                                                             &device)
                   != 0)
            return 0;
        read = reinterpret_cast<int (*)(void *, int, unsigned *)>(dlsym(library, "nvmlDeviceGetClockInfo"));
    }
    return read(device, 1, &mhz) == 0 ? mhz : 0;
}

/* SOLO: one contestant alone for a number of milliseconds; its median, and the clock at the end. */
static double solo(contestant const &c, int buffers, int repeats, int milliseconds, unsigned *clock)
{
    std::vector<double> t;
    auto const start = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - start < std::chrono::milliseconds(milliseconds)) {
        t.push_back(burst(c, buffers, repeats));
        *clock = clock_now();
    }
    return median(t);
}

/* Operands of attention: the heads of batches of sequences, in random numbers. */
#pragma once

#include "check.cuh"

/* (rows,D,heads,batches), by batches of rows of heads. */
template <class T> struct heads_of {
    matrix<T, 1> memory;
    int rows, size, heads, batches;
    heads_of(int rows_, int size_, int heads_, int batches_)
        : memory(batches_ * rows_, heads_ * size_), rows(rows_), size(size_), heads(heads_), batches(batches_)
    {
    }
    template <class U> tsr_global<U, 4, 1> as() const
    {
        int64_t const row = (int64_t)heads * size;
        return {memory.data, {rows, size, heads, batches}, {row, 1, size, row * rows}};
    }
};

/* Numbers from -most to most. */
template <class T> __global__ void random_kernel(T *at, int64_t count, float most, unsigned seed)
{
    int64_t const i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned x = (unsigned)i * 2654435761u ^ seed * 3266489917u;
    x = (x ^ x >> 15) * 2246822519u;
    x = (x ^ x >> 13) * 3266489917u;
    if (i < count)
        at[i] = T(((float)(x >> 8) / 8388608.0f - 1.0f) * most);
}

template <class T> static void randomise(matrix<T, 1> &m, float most, unsigned seed)
{
    random_kernel<<<(unsigned)((m.size() + 255) / 256), 256>>>(m.data, m.size(), most, seed);
    check_cuda(cudaGetLastError(), "random");
}

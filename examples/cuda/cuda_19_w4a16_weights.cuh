/* What the kernels of cuda_19 share: where the weights and their scales are, and the problem. */
#pragma once

#include <tessera/cuda.cuh>
#include <tessera/cuda/bulk.cuh>

#include <tessera/names.h>

/* Rows of a chunk and of a product, what of K has a scale, the bytes of a chunk. */
enum { w4_rows = 256, w4_tile = 16, w4_group = 128, w4_chunk = w4_rows * w4_group / 2 };

/* Where weight (n,k) of (N,K) is, in numbers of 4 bits. A register of two halves is numbers i and i + 4 of a word:
 * rows 8 apart in neighbours, k 8 apart, then k; 4 words are k 16 apart; then lanes, 64 of K, 16 rows, 64 rows. */
TSR_FN tsr_layout w4_packed(int n, int k)
{
    return tsr_make_layout(tsr_t(tsr_t(_8, _2, _4, _4, n / w4_rows), tsr_t(_2, _4, _2, _4, _2, k / w4_group)),
                           tsr_t(tsr_t(_128, _1, _2048, _8192, 2 * w4_chunk * (k / w4_group)),
                                 tsr_t(_4, _32, _2, _8, _1024, 2 * w4_chunk)));
}

/* Where the scale of (n,k/128) is: the 2 of a thread side by side. */
TSR_FN tsr_layout w4_scales(int n, int k)
{
    return tsr_make_layout(tsr_t(tsr_t(_8, _2, _4, _4, n / w4_rows), k / w4_group),
                           tsr_t(tsr_t(_2, _1, _16, _64, w4_rows), n));
}

struct w4_problem {
    int m, n, k;
    unsigned char const *w;
    tsr_f16 const *scale;
    tsr_global<tsr_f16, 2, 0> d; /* (N,M), N side by side */
    float *part;                 /* two of w4_rows x Rows sums a block */
    int *arrived;                /* one of 0 a tile of rows */
    /* by make_w4: */
    int deep, each,
        more; /* chunks of a tile; of a block, and how many blocks have one more; few rows: groups of a warp */
    tsr_global<tsr_f16 const, 2, 1> x; /* (M,K) */

    TSR_DEVICE_MEMBER int begin(int block) const { return block * each + min(block, more); }
};

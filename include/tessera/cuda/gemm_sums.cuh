/** The sums of a block of 256 threads that multiplies tiles in shared memory, Each x Each of each thread of 16 by 16.
 *
 *  Law     sum[i][j] is that of element (row(i), column(j)) of a tile of 16*Each by 16*Each; multiply adds up
 *          a[k][row] * b[k][column] over all k. With `Tensor`, in double precision, tensor cores do so.
 */
#ifndef TSR_CUDA_GEMM_SUMS_CUH
#define TSR_CUDA_GEMM_SUMS_CUH

#include "tessera/cuda/copy.cuh"
#include "tessera/cuda/mma.cuh"

/** A tile of Depth by Rows in shared memory. Rows are so far apart, and change places by eights in every other eight of
 *  them, that those who write along K meet different banks; groups of 16 bytes stay. */
template <class S, int Depth, int Rows> struct tsr_sums_tile_ {
    S at[Depth][Rows + (sizeof(S) == 8 ? 32 : 16) / (int)sizeof(S)];

    TSR_DEVICE_MEMBER S *place(int k, int row) { return &at[k][row ^ (k & 8)]; }
    TSR_DEVICE_MEMBER S const *place(int k, int row) const { return &at[k][row ^ (k & 8)]; }
};

/** By one multiplication after the other. A warp is 8 by 4 threads, such that of any two lanes side by side, and of any
 *  two that are two apart, one operand is the same, which lets quarters of a warp read shared memory together. */
template <class S, class T, int Depth, int Each, bool Tensor> struct tsr_any_sums_ {
    static constexpr int each = 16 / (int)sizeof(S); /* side by side */
    T sum[Each][Each];
    int down, across;

    TSR_DEVICE_MEMBER void begin(int t)
    {
        int const warp = t / 32, lane = t % 32;
        down = warp % 2 * 8 + lane / 2 % 8;
        across = warp / 2 * 4 + lane % 2 + lane / 16 * 2;
        TSR_UNROLL for (int i = 0; i < Each; ++i) TSR_UNROLL for (int j = 0; j < Each; ++j) sum[i][j] = 0;
    }
    TSR_DEVICE_MEMBER static int place(int i, int t) { return i / each * 16 * each + t * each + i % each; }
    TSR_DEVICE_MEMBER int row(int i) const { return place(i, down); }
    TSR_DEVICE_MEMBER int column(int j) const { return place(j, across); }

    TSR_DEVICE_MEMBER void multiply(tsr_sums_tile_<S, Depth, 16 * Each> const &a,
                                    tsr_sums_tile_<S, Depth, 16 * Each> const &b)
    {
        TSR_UNROLL for (int k = 0; k < Depth; ++k)
        {
            S x[Each], y[Each];
            TSR_UNROLL for (int i = 0; i < Each; i += each) tsr_read_<16>(a.place(k, row(i)), x + i);
            TSR_UNROLL for (int j = 0; j < Each; j += each) tsr_read_<16>(b.place(k, column(j)), y + j);
            TSR_UNROLL for (int j = 0; j < Each; ++j) TSR_UNROLL for (int i = 0; i < Each; ++i)
            {
                int const at = j % 2 ? Each - 1 - i : i; /* back and forth, so that one operand stays */
                sum[at][j] += (T)x[at] * y[j];
            }
        }
    }
};

/** By tensor cores of compute capability 9.0, 16x8x8 at a time: a warp has 8*Each by 4*Each of the tile. */
template <int Depth, int Each> struct tsr_any_sums_<double, double, Depth, Each, true> {
    static constexpr tsr_mma_atom atom = tsr_warp_mma(90, 16, 8, 8, TSR_F64, TSR_F64, TSR_F64, TSR_MMA_PLAIN);
    double sum[Each][Each];
    int down, across, far; /* of the warp's first sum, with the lane's place; along K */

    TSR_DEVICE_MEMBER void begin(int t)
    {
        int const warp = t / 32, lane = t % 32;
        down = warp % 2 * 8 * Each + lane / 4;
        across = warp / 2 * 4 * Each;
        far = lane % 4;
        TSR_UNROLL for (int i = 0; i < Each; ++i) TSR_UNROLL for (int j = 0; j < Each; ++j) sum[i][j] = 0;
    }
    TSR_DEVICE_MEMBER int row(int i) const { return down + 8 * i; }
    TSR_DEVICE_MEMBER int column(int j) const { return across + j / 2 * 8 + far * 2 + j % 2; }

    TSR_DEVICE_MEMBER void multiply(tsr_sums_tile_<double, Depth, 16 * Each> const &a,
                                    tsr_sums_tile_<double, Depth, 16 * Each> const &b)
    {
        TSR_UNROLL for (int k = far; k < Depth + far; k += 8)
        {
            double x[Each / 2][4], y[Each / 2][2];
            TSR_UNROLL for (int i = 0; i < 2 * Each; ++i) x[i / 4][i % 4] =
                *a.place(k + i % 4 / 2 * 4, row(i / 4 * 2 + i % 2));
            TSR_UNROLL for (int j = 0; j < Each; ++j) y[j / 2][j % 2] =
                *b.place(k + j % 2 * 4, across + j / 2 * 8 + down % 8);
            TSR_UNROLL for (int i = 0; i < Each; i += 2) TSR_UNROLL for (int j = 0; j < Each; j += 2)
            {
                double c[4] = {sum[i][j], sum[i][j + 1], sum[i + 1][j], sum[i + 1][j + 1]};
                tsr_mma<atom>(c, x[i / 2], y[j / 2]);
                TSR_UNROLL for (int l = 0; l < 4; ++l) sum[i + l / 2][j + l % 2] = c[l];
            }
        }
    }
};

#endif

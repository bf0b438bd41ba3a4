/** The sums of a block that multiplies square tiles in shared memory.
 *
 *  All are structs with
 *
 *      static constexpr int rows, columns, run     of a thread; `run` rows follow each other
 *      static constexpr int slices, step           of K; elements of K that a fragment has
 *      T sum[rows][columns];
 *      void begin(int t);  int row(int i) const;  int column(int j) const;
 *      void read(fragment &, a, b, int k);  void add(fragment const &);
 *
 *  Law     sum[i][j] is that of element (row(i), column(j)) of a tile of Side by Side; a fragment from `k` on, added,
 *          is a[k][row] * b[k][column] for `step` of K. With several slices each has a part of a tile's K, and sums
 *          for that.
 */
#ifndef TSR_SRC_GPU_KERNELS_GEMM_SUMS_CUH
#define TSR_SRC_GPU_KERNELS_GEMM_SUMS_CUH

#include "tessera/cuda/copy.cuh"
#include "tessera/cuda/mma.cuh"

/** A tile of Depth by Rows in shared memory. Rows are so far apart, and with `Turn` 8 change places by eights in every
 *  other eight of them, that those who write along K meet different banks; groups of 16 bytes stay. */
template <class S, int Depth, int Rows, int Turn> struct tsr_sums_tile_ {
    S at[Depth][Rows + (sizeof(S) == 8 ? 32 : 16) / (int)sizeof(S)];

    TSR_DEVICE_MEMBER S *place(int k, int row) { return &at[k][row ^ (k & Turn)]; }
    TSR_DEVICE_MEMBER S const *place(int k, int row) const { return &at[k][row ^ (k & Turn)]; }
};

/** The same row by row, of doubles, whose groups of four change places so that those who read four of K in four rows
 *  meet different banks. */
template <int Depth, int Rows> struct tsr_sums_rows_ {
    double at[Rows][Depth];

    TSR_DEVICE_MEMBER double *place(int k, int row) { return &at[row][k ^ (row & 3) * 4]; }
    TSR_DEVICE_MEMBER double const *place(int k, int row) const { return &at[row][k ^ (row & 3) * 4]; }
};

/** A tile of halves, in groups of eight that follow each other along the rows, or along K; they change places so that
 *  eight of the other mode meet different banks. */
template <int Depth, int Rows, bool AlongRows> struct tsr_sums_halves_ {
    static constexpr bool along_rows = AlongRows;
    static constexpr int line = (AlongRows ? Rows : Depth) / 8, turn = line < 8 ? 8 / line : 1;
    uint4 at[AlongRows ? Depth : Rows][line];

    TSR_DEVICE_MEMBER uint4 *place(int k, int row) { return at[AlongRows ? k : row] + group(k, row); }
    TSR_DEVICE_MEMBER uint4 const *place(int k, int row) const { return at[AlongRows ? k : row] + group(k, row); }
    static TSR_DEVICE_MEMBER int group(int k, int row)
    {
        return (AlongRows ? row : k) / 8 ^ (AlongRows ? k : row) / turn % (line < 8 ? line : 8);
    }
};

/** By one multiplication after the other, Rows x Columns a thread. A warp is 8 by 4 threads, such that of any two lanes
 *  side by side, and of any two that are two apart, one operand is the same, which lets quarters of a warp read shared
 *  memory together. */
template <class S, class T, int Side, int Depth, int Rows, int Columns, int Slices> struct tsr_sums_fma_ {
    static constexpr int rows = Rows, columns = Columns, slices = Slices, step = 1, run = 16 / (int)sizeof(S);
    static constexpr int tall = Side / Rows, wide = Side / Columns; /* threads */
    static constexpr int threads = tall * wide * Slices;
    struct fragment {
        S x[Rows], y[Columns];
    };
    T sum[Rows][Columns];
    int down, across, slice;

    TSR_DEVICE_MEMBER void begin(int t)
    {
        int const warp = t / 32 / Slices, lane = t % 32;
        slice = t / 32 % Slices;
        down = warp % (tall / 8) * 8 + lane / 2 % 8;
        across = warp / (tall / 8) * 4 + lane % 2 + lane / 16 * 2;
        TSR_UNROLL for (int i = 0; i < Rows; ++i) TSR_UNROLL for (int j = 0; j < Columns; ++j) sum[i][j] = 0;
    }
    TSR_DEVICE_MEMBER int row(int i) const { return i / run * tall * run + down * run + i % run; }
    TSR_DEVICE_MEMBER int column(int j) const { return j / run * wide * run + across * run + j % run; }

    template <class A, class B> TSR_DEVICE_MEMBER void read(fragment &f, A const &a, B const &b, int k) const
    {
        k += slice * (Depth / Slices);
        TSR_UNROLL for (int i = 0; i < Rows; i += run) tsr_read<16>(a.place(k, row(i)), f.x + i);
        TSR_UNROLL for (int j = 0; j < Columns; j += run) tsr_read<16>(b.place(k, column(j)), f.y + j);
    }
    TSR_DEVICE_MEMBER void add(fragment const &f)
    {
        TSR_UNROLL for (int j = 0; j < Columns; ++j) TSR_UNROLL for (int i = 0; i < Rows; ++i)
        {
            int const at = j % 2 ? Rows - 1 - i : i; /* back and forth, so that one operand stays */
            sum[at][j] += (T)f.x[at] * f.y[j];
        }
    }
};

/** What tensor cores of a type add up, and what registers of factors are. */
template <int Type> struct tsr_sums_type_ {
    static constexpr tsr_mma_atom atom = tsr_warp_mma(80, 16, 8, 16, TSR_F32, Type, Type, TSR_MMA_PLAIN);
    typedef float sum;
    typedef uint32_t factor;
};
template <> struct tsr_sums_type_<TSR_F64> {
    static constexpr tsr_mma_atom atom = tsr_warp_mma(90, 16, 8, 4, TSR_F64, TSR_F64, TSR_F64, TSR_MMA_PLAIN);
    typedef double sum;
    typedef double factor;
};

/** By tensor cores, 16x8 at a time: a warp has 8*Rows by 4*Columns of the tile. Doubles are read one by one, halves by
 *  ldmatrix. */
template <int Type, int Side, int Depth, int Rows, int Columns, int Slices> struct tsr_sums_mma_ {
    static constexpr tsr_mma_atom atom = tsr_sums_type_<Type>::atom;
    static constexpr int rows = Rows, columns = Columns, slices = Slices, step = atom.k, run = 1;
    static constexpr int tall = Side / (8 * Rows); /* warps */
    static constexpr int threads = 32 * tall * (Side / (4 * Columns)) * Slices;
    static constexpr int each = Type == TSR_F64 ? 1 : 2; /* registers of 8 rows, or 8 columns */
    struct fragment {
        typename tsr_sums_type_<Type>::factor x[Rows * each], y[Columns / 2 * each];
    };
    typename tsr_sums_type_<Type>::sum sum[Rows][Columns];
    int down, across, far, slice; /* of the warp's first sum, with the lane's place */

    TSR_DEVICE_MEMBER void begin(int t)
    {
        int const warp = t / 32 / Slices, lane = t % 32;
        slice = t / 32 % Slices;
        down = warp % tall * 8 * Rows + lane / 4;
        across = warp / tall * 4 * Columns;
        far = lane % 4;
        TSR_UNROLL for (int i = 0; i < Rows; ++i) TSR_UNROLL for (int j = 0; j < Columns; ++j) sum[i][j] = 0;
    }
    TSR_DEVICE_MEMBER int row(int i) const { return down + 8 * i; }
    TSR_DEVICE_MEMBER int column(int j) const { return across + j / 2 * 8 + far * 2 + j % 2; }

    template <class A, class B> TSR_DEVICE_MEMBER void read(fragment &f, A const &a, B const &b, int k) const
    {
        k += slice * (Depth / Slices);
        if constexpr (Type == TSR_F64) {
            k += far;
            TSR_UNROLL for (int i = 0; i < Rows; ++i) f.x[i] = *a.place(k, row(i));
            TSR_UNROLL for (int j = 0; j < Columns / 2; ++j) f.y[j] = *b.place(k, across + j * 8 + down % 8);
        } else { /* a lane points at a group of its matrix, whichever way that lies */
            int const lane = (int)threadIdx.x % 32, high = lane / 16 * 8 + lane % 8, low = lane % 16;
            TSR_UNROLL for (int i = 0; i < Rows; i += 2)
                tsr_ldmatrix<4, A::along_rows>(f.x + 2 * i, a.place(k + high, down / 8 * 8 + 8 * i + low));
            TSR_UNROLL for (int j = 0; j < Columns; j += 4)
                tsr_ldmatrix<4, B::along_rows>(f.y + j, b.place(k + low, across + 4 * j + high));
        }
    }
    TSR_DEVICE_MEMBER void add(fragment const &f)
    {
        TSR_UNROLL for (int j = 0; j < Columns; j += 2) TSR_UNROLL for (int i = 0; i < Rows; i += 2)
        {
            typename tsr_sums_type_<Type>::sum c[4] = {sum[i][j], sum[i][j + 1], sum[i + 1][j], sum[i + 1][j + 1]};
            tsr_mma<atom>(c, f.x + i * each, f.y + j / 2 * each);
            TSR_UNROLL for (int l = 0; l < 4; ++l) sum[i + l / 2][j + l % 2] = c[l];
        }
    }
};

#endif

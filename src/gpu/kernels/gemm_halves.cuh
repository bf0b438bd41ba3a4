/** Tiles of f16 and bf16 on their way to tensor cores, from wherever they lie.
 *
 *  Groups of eight, neighbours along the rows or along K, may begin at any element: the two words of 16 bytes that such
 *  a group lies in are read as they are, where they have any of it, and shifted when they are written. Without `Wide` a
 *  group is read element by element along K.
 */
#ifndef TSR_SRC_GPU_KERNELS_GEMM_HALVES_CUH
#define TSR_SRC_GPU_KERNELS_GEMM_HALVES_CUH

#include "gpu/kernels/gemm_sums.cuh"
#include "gpu/kernels/gemm_task.cuh"

template <int Threads, int Rows, int Depth, bool AlongRows, bool Wide, bool Swizzled> struct tsr_any_halves_ {
    static constexpr int unit = Swizzled ? 1 : 2, groups = Rows * Depth / Threads / 8;
    static constexpr int line = (AlongRows ? Rows : Depth) / 8, step = Threads / line;
    static_assert(Threads % line == 0 && groups * 8 * Threads == Rows * Depth, "all threads have as many groups");
    static_assert(Wide || !AlongRows, "element by element along K");
    typedef tsr_sums_halves_<Depth, Rows, AlongRows> tile;
    uint32_t word[groups][8]; /* the two words, or eight elements */
    int shift[groups];        /* bytes before the group */
    int near, far, count;     /* of group 0; how many there are of a group's elements */
    int64_t first[AlongRows ? 1 : groups];

    TSR_DEVICE_MEMBER void begin(tsr_gemm_any const &g, tsr_gemm_loops const &mode, int operand, int64_t from,
                                 int64_t const *rows, int64_t)
    {
        near = threadIdx.x % line * 8;
        far = threadIdx.x / line;
        count = (int)min(mode.size - from - near, (int64_t)8);
        TSR_UNROLL for (int i = 0; i < (AlongRows ? 1 : groups); ++i) first[i] =
            (Swizzled ? 0 : (int64_t)g.base[operand].address) + rows[AlongRows ? near : far + step * i];
    }
    /** `k` holds the tile's offsets along K, and `left` of them exist. Reads zeros behind them. */
    TSR_DEVICE_MEMBER void read(tsr_gemm_base const &base, int64_t const *k, int left)
    {
        count = AlongRows ? count : min(left - near, 8);
        TSR_UNROLL for (int i = 0; i < groups; ++i)
        {
            TSR_UNROLL for (int e = 0; e < 8; ++e) word[i][e] = 0;
            if constexpr (Wide) {
                int const along = AlongRows ? far + step * i : near;
                int64_t const x = first[AlongRows ? 0 : i] + k[along];
                bool const there = count > 0 && along < left;
                shift[i] = (int)(x & 15);
                if (there)
                    bring(base, x & -16, word[i]);
                if (there && shift[i] + 2 * count > 16)
                    bring(base, (x & -16) + 16, word[i] + 4);
            } else {
                TSR_UNROLL for (int e = 0; e < 8; ++e) if (e < count) word[i][e] =
                    element(base, first[i] + k[near + e]);
            }
        }
    }
    TSR_DEVICE_MEMBER void write(tile &to)
    {
        TSR_UNROLL for (int i = 0; i < groups; ++i)
        {
            uint32_t *const w = word[i];
            if constexpr (Wide) {
                TSR_UNROLL for (int e = 0; e < 6; ++e) w[e] = shift[i] & 8 ? w[e + 2] : w[e];
                TSR_UNROLL for (int e = 0; e < 5; ++e) w[e] = shift[i] & 4 ? w[e + 1] : w[e];
                TSR_UNROLL for (int e = 0; e < 4; ++e) w[e] = __funnelshift_r(w[e], w[e + 1], shift[i] * 8);
                if (!AlongRows && count < 8)
                    TSR_UNROLL for (int e = 0; e < 4; ++e) w[e] &= count > 2 * e + 1 ? 0xffffffff
                                                                   : count > 2 * e   ? 0xffff
                                                                                     : 0;
            } else {
                TSR_UNROLL for (int e = 0; e < 4; ++e) w[e] = w[2 * e] | w[2 * e + 1] << 16;
            }
            *to.place(AlongRows ? far + step * i : near, AlongRows ? near : far + step * i) =
                make_uint4(w[0], w[1], w[2], w[3]);
        }
    }

   private:
    /** The 16 bytes at `at`. If the operand ends inside them, only its elements. */
    static TSR_DEVICE_MEMBER void bring(tsr_gemm_base const &base, int64_t at, uint32_t *to)
    {
        int64_t const from = at - (int64_t)base.address;
        if (base.low <= from && from + 16 <= base.high)
            tsr_read<16>(reinterpret_cast<uint4 const *>(at), to);
        else
            TSR_UNROLL for (int e = 0; e < 8; ++e) if (base.low <= from + 2 * e && from + 2 * e < base.high)
                to[e / 2] |= (uint32_t) * reinterpret_cast<uint16_t const *>(at + 2 * e) << e % 2 * 16;
    }
    static TSR_DEVICE_MEMBER uint32_t element(tsr_gemm_base const &base, int64_t at)
    {
        if constexpr (Swizzled)
            return reinterpret_cast<uint16_t const *>(
                base.address)[(int64_t)tsr_swizzle_apply(base.swizzle, (uint64_t)at)];
        else
            return *reinterpret_cast<uint16_t const *>(at);
    }
};

#endif

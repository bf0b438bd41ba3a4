/** Random tensor maps and boxes of them: every format, fill and swizzle that a Hopper GPU has, steps, ragged extents,
 *  boxes that begin before the tensor or end behind it, and images of a convolution with their corners and offsets. */
#ifndef TEST_CUDA_TMA_MAPS_CUH
#define TEST_CUDA_TMA_MAPS_CUH

#include "device.cuh"
#include "tessera/exec/tma.h"

/** Bytes of the tensor's memory, behind which there is more; of the box's shared memory. */
enum { TENSOR = 1 << 18, SHARED = 48 << 10 };

typedef struct moved_box {
    tsr_tma_desc map;
    tsr_tma_box box;
    int64_t first; /* byte of the tensor in its memory */
} moved_box;

/** a to b. */
static int64_t between(int64_t a, int64_t b) { return a + below(b - a + 1); }

/** A format that is not packed, for which there are no swizzles of 32 bytes: those need compute capability 10.0. */
static void choose_modes(tsr_tma_desc &d)
{
    d.format = (uint8_t)below(TSR_TMA_16U4_ALIGN8B);
    d.swizzle = (uint8_t)below(TSR_TMA_SWIZZLE_128B + 1);
    d.l2 = (uint8_t)below(TSR_TMA_L2_256B + 1);
    d.fill = (uint8_t)(tsr_tma_is_float(d.format) ? below(2) : 0);
}

/** Elements of a row of the box: whole 16 bytes, at most 256 elements and what the swizzle spans. */
static int64_t choose_row(tsr_tma_desc const &d)
{
    int64_t const bytes = tsr_tma_format_bits(d.format) / 8, span = tsr_tma_swizzle_span(d.swizzle);
    int64_t const most = tsr_min64(span > 0 ? span : 1024, 256 * bytes) / 16;
    return between(1, most) * 16 / bytes;
}

/** Strides of whole 16 bytes, with room between the rows; now and then rows overlap. */
static void choose_strides(tsr_tma_desc &d, bool overlapping)
{
    int64_t pitch = tsr_round_up64(d.dim[0] * tsr_tma_format_bits(d.format) / 8, 16);
    for (int i = 1; i < d.rank; ++i) {
        pitch += below(3) * 16;
        d.stride[i] = overlapping && below(4) == 0 ? below(pitch / 16 + 1) * 16 : pitch;
        pitch *= d.dim[i];
    }
}

/** The bytes that the tensor spans, whole 16 bytes of its rows. */
static int64_t span_of(tsr_tma_desc const &d)
{
    int64_t bytes = tsr_round_up64(d.dim[0] * tsr_tma_format_bits(d.format) / 8, 16);
    for (int i = 1; i < d.rank; ++i)
        bytes += (d.dim[i] - 1) * d.stride[i];
    return bytes;
}

/** Where the tensor stands in its memory, and the box in shared memory; false where one of them has no room. */
static bool choose_places(moved_box &m)
{
    int64_t const room = TENSOR - span_of(m.map), free = SHARED - tsr_tma_smem_bytes(&m.map);
    if (room < 0 || free < 0)
        return false;
    m.first = below(room / 16 + 1) * 16;
    m.box.size = SHARED;
    m.box.address = below(free / TSR_TMA_SMEM_UNIT + 1) * TSR_TMA_SMEM_UNIT;
    return true;
}

/** A coordinate of dimension 0: whole 16 bytes. */
static int64_t choose_first(tsr_tma_desc const &d, int64_t row, bool inside)
{
    int64_t const each = 128 / tsr_tma_format_bits(d.format);
    return between(inside ? 0 : -row / each - 1, d.dim[0] / each + 1) * each;
}

/** A tiled map and a box of it; `stored`: none that begins before the tensor, no rows that overlap. */
static moved_box tiled_box(bool stored)
{
    static int64_t const most[] = {4000, 200, 40, 12, 8}; /* of the dimensions but the first, by rank */
    int32_t const rank = (int32_t)between(1, TSR_TMA_DIMS);
    moved_box m;
    do {
        m = moved_box();
        tsr_tma_desc &d = m.map = tsr_tma_no_desc();
        d.rank = rank;
        choose_modes(d);
        for (int i = 0; i < d.rank; ++i) {
            d.dim[i] = between(1, i == 0 ? most[0] / (rank * rank) : most[rank - 1]);
            d.step[i] = below(2) ? 1 : between(1, 8);
            d.box[i] = i == 0 ? choose_row(d) : between(1, most[rank - 1] + 10);
            m.box.coord[i] =
                i == 0 ? choose_first(d, d.box[0], stored) : between(stored ? 0 : -d.box[i] - 1, d.dim[i] + 1);
        }
        choose_strides(d, !stored);
    } while (!choose_places(m));
    return m;
}

/** An image, and pixels of it as a convolution reads them; `stored`: inside the image, without offsets. */
static moved_box im2col_box(bool stored)
{
    static int64_t const extent[] = {100, 24, 12, 7, 3};
    int32_t const rank = (int32_t)between(3, TSR_TMA_DIMS);
    moved_box m;
    do {
        m = moved_box();
        tsr_tma_desc &d = m.map = tsr_tma_no_desc();
        d.rank = rank;
        d.im2col = true;
        choose_modes(d);
        d.channels = choose_row(d);
        d.pixels = between(1, 200);
        for (int i = 0; i < d.rank; ++i) {
            bool const image = i > 0 && i < d.rank - 1;
            d.dim[i] = between(1, extent[i == d.rank - 1 ? 4 : i]);
            d.step[i] = below(2) ? 1 : between(1, 8);
            m.box.coord[i] = i == 0 ? choose_first(d, d.channels, stored) : between(0, d.dim[i]);
            if (!image)
                continue;
            d.lower[i - 1] = stored ? below(tsr_min64(d.dim[i], 3)) : between(-4, 2);
            d.upper[i - 1] = between(tsr_max64(d.lower[i - 1] - d.dim[i] + 1, -16), stored ? 0 : 4);
            m.box.offset[i - 1] = stored ? 0 : below(8);
            m.box.coord[i] = d.lower[i - 1] + below(d.dim[i] + d.upper[i - 1] - d.lower[i - 1]);
        }
        choose_strides(d, !stored);
    } while (!choose_places(m));
    return m;
}

#endif

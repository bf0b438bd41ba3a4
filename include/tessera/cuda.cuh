/** tessera in kernels: one include, for nvcc and NVRTC, C++17, sm_80 and later; wgmma needs sm_90a.
 *
 *      cuda/at.cuh      tsr_at           offsets of a layout that is a template argument
 *      cuda/mma.cuh     tsr_mma          products of a thread or a warp: the atom says which instruction
 *      cuda/wgmma.cuh   tsr_wgmma        products of a warpgroup, from shared memory or registers
 *      cuda/partition.cuh tsr_part       a thread's part of a tensor, by a static partition layout
 *      cuda/copy.cuh    tsr_copy         between parts and registers, in accesses as wide as asked for
 *      cuda/gemm.cuh    tsr_gemm         products of fragments and tiles by an atom
 *      cuda/frag.cuh    tsr_frag         register tensors: elementwise, masks, casts, the same under another layout
 *      cuda/frag_reduce.cuh  tsr_frag_reduce  their rows and columns, summed up across threads
 *      cuda/frag_gemm.cuh    tsr_gemm_wgmma   products of them
 *      cuda/frag_copy.cuh    tsr_frag_store   to and from global memory, widened by quads
 *      cuda/half.cuh    tsr_f16          numbers of 16 bits
 *      cuda/float8.cuh  tsr_e4m3         numbers of 8 bits
 *      cuda/nibble.cuh  tsr_unpack_f16   numbers of 4 bits
 *      cuda/matrix.cuh  tsr_ldmatrix     8x8 matrices between shared memory and registers
 *      cuda/async.cuh   tsr_cp_async     copies of a thread that run in the background
 *      cuda/tma.cuh     tsr_tma_load     boxes of a tensor, by the copy engine
 *      cuda/barrier.cuh tsr_pipeline     barriers, rings of buffers, clusters
 *
 *  Beside it, for those who need it: cuda/tile.cuh and cuda/tile_async.cuh, views and windows of CK Tile; and what
 *  products are made of:
 *
 *      cuda/tile_tma.cuh     tsr_tma_load_tile     a tile of a tensor, its boxes and bytes from its layout
 *      cuda/map.cuh          tsr_make_tma_map      the map of a matrix for it, for a GPU or the emulator
 *      cuda/gather.cuh       tsr_rows              rows by an index, gathered and scattered
 *      cuda/tile_im2col.cuh  tsr_tma_load_tile_im2col   a tile of pixels
 *      cuda/bulk.cuh         tsr_bulk_load         runs of bytes
 *      cuda/launch.cuh       tsr_next_cluster      clusters that have not begun, on Blackwell
 *      cuda/pairs.cuh        tsr_fma_pair          floats two at a time
 *      cuda/target.cuh       tsr_has_verb          which instruction exists on which GPU
 *      cuda/cache.cuh        tsr_tma_hint          what the second-level cache is told of lines (in cuda/tma.cuh)
 *      cuda/schedule.cuh     tsr_tile_order        which tile when, in a persistent grid
 *      cuda/hopper_gemm.cuh  tsr_hopper_gemm       a product by TMA and wgmma (epilogues: cuda/gemm_epilogue.cuh)
 *      cuda/hopper_source.cuh  tsr_hopper_gemm_from  the same with tiles from anywhere
 *      cuda/umma.cuh         tsr_gemm_umma         products of tcgen05.mma (sm_100a and its family)
 *      cuda/tmem.cuh         tsr_tmem_load         tensor memory: allocation, registers, scales
 *      cuda/tcgen05.cuh      tsr_tcgen05_mma       the instructions of tcgen05, one function each
 *
 *  Groups of products, and those of any layouts on any GPU, are what tsr_gpu_gemm_plan (gpu/gemm.h) launches.
 */
#ifndef TSR_CUDA_CUH
#define TSR_CUDA_CUH

#include "tessera/cuda/at.cuh"
#include "tessera/cuda/copy.cuh"
#include "tessera/cuda/frag_copy.cuh"
#include "tessera/cuda/frag_gemm.cuh"
#include "tessera/cuda/frag_reduce.cuh"
#include "tessera/cuda/tma.cuh"

#endif

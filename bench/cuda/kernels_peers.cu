/* The kernels of cuda_18 and cuda_19 as functions of a library, for kernels_peers.py. A launch is prepared in
 * memory of the caller; both return 0, or 1 where it is refused. */
#include "../../examples/cuda/cuda_18_conv.cuh"
#include "../../examples/cuda/cuda_19_w4a16.cuh"

extern "C" int w4_bytes(void) { return sizeof(w4_launch); }
extern "C" int64_t w4_sums(int m, int blocks) { return w4_part(m, blocks); }

extern "C" int w4_prepare(w4_launch *l, int m, int n, int k, int blocks, tsr_f16 const *x, unsigned char const *w,
                          tsr_f16 const *scale, tsr_f16 *d, float *part, int *arrived)
{
    *l = {};
    l->problem = {m, n, k, w, scale, {d, {n, m}, {1, n}}, part, arrived};
    return !tsr_ok(make_w4({x, {m, k}, {k, 1}}, blocks, l));
}

extern "C" int w4_run(w4_launch const *l, cudaStream_t stream)
{
    run_w4(*l, stream);
    return cudaGetLastError() != cudaSuccess;
}

extern "C" int conv_bytes(void) { return sizeof(conv_launch); }

extern "C" int conv_prepare(conv_launch *l, conv_shape const *x, tsr_f16 const *image, tsr_f16 const *filter,
                            tsr_f16 *d)
{
    *l = {};
    return !tsr_ok(make_conv(*x, image, filter, d, l));
}

extern "C" int conv_run(conv_launch const *l, cudaStream_t stream)
{
    run_conv(*l, stream);
    return cudaGetLastError() != cudaSuccess;
}

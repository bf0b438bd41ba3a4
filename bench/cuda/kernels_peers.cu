/* The kernels of cuda_17, cuda_18 and cuda_19, and products with im2col views, as functions of a library, for
 * kernels_peers.py. A launch is prepared in
 * memory of the caller; both return 0, or 1 where it is refused. */
#include "../../examples/cuda/cuda_17_decode.cuh"
#include "../../examples/cuda/cuda_18_conv.cuh"
#include "../../examples/cuda/cuda_19_w4a16.cuh"
#include <tessera/gpu.h>

extern "C" int w4_bytes(void) { return sizeof(w4_launch); }
extern "C" int64_t w4_sums(int m, int blocks) { return w4_part(m, blocks); }

extern "C" int w4_prepare(w4_launch *l, int m, int n, int k, int blocks, tsr_f16 const *x, unsigned char const *w,
                          tsr_f16 const *scale, tsr_f16 *d, float *part, int *arrived)
{
    *l = {};
    l->problem = {m, n, k, w, scale, {d, {n, m}, {1, n}}, part, arrived, 0, 0, 0};
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
    cudaMalloc(&l->shape.partial, conv_sums(*x) * sizeof(float));
    cudaMalloc(&l->shape.arrived, conv_tiles(*x, 64, 128) * sizeof(int));
    cudaMemset(l->shape.arrived, 0, conv_tiles(*x, 64, 128) * sizeof(int));
    return !tsr_ok(make_conv(*x, image, filter, d, -1, l));
}

extern "C" int conv_run(conv_launch const *l, cudaStream_t stream)
{
    run_conv(*l, stream);
    return cudaGetLastError() != cudaSuccess;
}

/* The same convolution as a product with a view of an image that has its padding in memory. */
static tsr_gpu gpu;
static tsr_gpu_device device;
static tsr_gpu_cache cache;

static tsr_tensor tensor_at(void const *at, tsr_layout l)
{
    return tsr_make_tensor(tsr_gmem_ptr(tsr_int((int64_t)at), TSR_F16), l);
}

extern "C" int view_prepare(tsr_gpu_planned_gemm **plan, conv_shape const *x, tsr_f16 const *padded,
                            tsr_f16 const *filter, tsr_f16 *d, int tries)
{
    if (!device.gpu
        && (!tsr_gpu_ok(tsr_gpu_find_driver(&gpu, NULL)) || !tsr_gpu_ok(tsr_gpu_find_compiler(&gpu, NULL))
            || !tsr_gpu_ok(tsr_gpu_open(&gpu, 0, &device))))
        return 1;
    int const c = x->c, w = (x->w + 2 * x->pad) * c, h = (x->h + 2 * x->pad) * w, m = x->n * x->p() * x->q();
    tsr_layout const view =
        tsr_make_layout(tsr_t(tsr_t(x->q(), x->p(), x->n), tsr_t(c, x->s, x->r)),
                        tsr_t(tsr_t(x->stride * c, x->stride * w, h), tsr_t(1, x->dilation * c, x->dilation * w)));
    tsr_layout const filters =
        tsr_make_layout(tsr_t(x->k, tsr_t(c, x->s, x->r)), tsr_t(c * x->s * x->r, tsr_t(1, c, c * x->s)));
    tsr_tensor const a = tensor_at(padded, view), b = tensor_at(filter, filters),
                     to = tensor_at(d, tsr_make_layout(tsr_t(m, x->k), tsr_t(x->k, 1)));
    tsr_epilogue const e = tsr_make_epilogue(1, 0);
    return !tsr_gpu_ok(tries > 1 ? tsr_gpu_gemm_tune(&cache, &device, NULL, a, b, to, &e, tries, NULL, NULL, plan)
                                 : tsr_gpu_gemm_plan(&cache, &device, a, b, to, &e, NULL, plan));
}

extern "C" void view_text(tsr_gpu_planned_gemm const *plan, char *text, int size)
{
    tsr_format_gpu_gemm(text, (size_t)size, plan);
}

extern "C" int view_run(tsr_gpu_planned_gemm const *plan, cudaStream_t stream)
{
    tsr_gpu_stream own;
    return !tsr_gpu_ok(tsr_gpu_stream_adopt(&device, stream, &own)) || !tsr_gpu_ok(tsr_gpu_gemm_run(plan, &own));
}

struct decode_sizes {
    int heads, kv_heads, page, pages, all_pages, batch, length, processors;
};

extern "C" int decode_bytes(void) { return sizeof(decode_launch); }

static int splits_of(decode_sizes const &x)
{
    return decode_splits(x.batch * x.kv_heads, x.length, 2 * x.processors);
}

extern "C" int64_t decode_parts(decode_sizes const *x)
{
    return (int64_t)x->batch * x->kv_heads * splits_of(*x) * decode_plan::part;
}

extern "C" int decode_prepare(decode_launch *l, decode_sizes const *x, float scale, tsr_f16 const *q,
                              tsr_f16 const *k, tsr_f16 const *v, tsr_f16 *o, int const *table, int const *length,
                              float *parts, int *arrived)
{
    decode_problem const p = {x->heads, x->kv_heads, x->page, x->pages, scale, q, o, table, length, parts, arrived};
    *l = {};
    return !tsr_ok(make_decode(p, k, v, x->all_pages, x->batch, splits_of(*x), 2 * x->processors, l));
}

extern "C" int decode_run(decode_launch const *l, cudaStream_t stream)
{
    run_decode(*l, stream);
    return cudaGetLastError() != cudaSuccess;
}

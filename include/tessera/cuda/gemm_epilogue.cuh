/** What becomes of the sums of a product: D = activation(alpha * sum + beta * C + bias).
 *
 *  An epilogue of a kernel is a struct with
 *
 *      template <tsr_layout const &F, class S, class R, int N>
 *      void make(S const *sum, R (&out)[N], int m, int n, int batch, int t) const     what thread t keeps of N sums
 *      template <tsr_layout const &F, class R, int N>
 *      void store(R const (&out)[N], int m, int n, int batch, int t) const            to memory that TMA cannot address
 *
 *  where F is the fragment, (thread, values) to a coordinate of the tile at (m,n). This one has all that exec/gemm.h
 *  has.
 *
 *  Law     the parts that `Parts` does not name cost nothing: C is not read without TSR_EPILOGUE_ADDS.
 */
#ifndef TSR_CUDA_GEMM_EPILOGUE_CUH
#define TSR_CUDA_GEMM_EPILOGUE_CUH

#include "tessera/cuda/gemm_arguments.h"
#include "tessera/cuda/half.cuh"
#include "tessera/cuda/partition.cuh"

/** The type of C of an element in a kernel. Numbers of 8 bits and of tf32 have the type that stores them. */
template <int Type> struct tsr_stored_ {
    typedef uint8_t type;
};
template <> struct tsr_stored_<TSR_F16> {
    typedef tsr_f16 type;
};
template <> struct tsr_stored_<TSR_BF16> {
    typedef tsr_bf16 type;
};
template <> struct tsr_stored_<TSR_F32> {
    typedef float type;
};
template <> struct tsr_stored_<TSR_TF32> {
    typedef float type;
};
template <> struct tsr_stored_<TSR_I32> {
    typedef int32_t type;
};
template <int Type> using tsr_stored = typename tsr_stored_<Type>::type;

/** Matrices (m,n) with strides of run time, one behind the other. */
template <class T> struct tsr_batched {
    TSR_BATCHED_MEMBERS_(T *)

    TSR_DEVICE_MEMBER tsr_global<T, 2, -1> tile(int m, int n, int v) const
    {
        return tsr_global<T, 2, -1>{at + v * batch, {extent[0], extent[1]}, {stride[0], stride[1]}}.from(m, n);
    }

    /** Moves to the `count` elements of a mode from element `first` on. */
    TSR_DEVICE_MEMBER void move(int mode, int64_t first, int count)
    {
        at += first * stride[mode];
        extent[mode] = count;
    }
};

TSR_SAME_(sizeof(tsr_batched<float>) == sizeof(tsr_gemm_matrix) && TSR_BEGINS_(tsr_batched<float>, stride, 16));

/** For results of type C, with a bias of type Bias; `Parts` is a set of TSR_EPILOGUE_SCALES and so on. Sums and
 *  results that are both integers stay integers, and are scaled by integers. */
template <int C, int Bias, int Parts> struct tsr_gemm_epilogue {
    TSR_EPILOGUE_MEMBERS_(tsr_batched<tsr_stored<C>>, tsr_batched<tsr_stored<C> const>,
                          tsr_batched<tsr_stored<Bias> const>)

    template <tsr_layout const &F, class S, class R, int N>
    TSR_DEVICE_MEMBER void make(S const *sum, R (&out)[N], int m, int n, int batch, int t) const
    {
        TSR_UNROLL for (int i = 0; i < N; ++i) out[i] =
            (Parts & TSR_EPILOGUE_SCALES) ? R(alpha) * R(sum[i]) : R(sum[i]);
        if constexpr ((Parts & TSR_EPILOGUE_ADDS) != 0)
            add<F>(c, R(beta), out, m, n, batch, t);
        if constexpr ((Parts & TSR_EPILOGUE_BIASED) != 0)
            add<F>(bias, R(1), out, m, n, batch, t);
        if constexpr ((Parts & TSR_EPILOGUE_RELU) != 0)
            TSR_UNROLL for (int i = 0; i < N; ++i) out[i] = out[i] < R(0) ? R(0) : out[i];
    }

    template <tsr_layout const &F, class R, int N>
    TSR_DEVICE_MEMBER void store(R const (&out)[N], int m, int n, int batch, int t) const
    {
        auto const part = tsr_part<F>(d.tile(m, n, batch), t);
        TSR_UNROLL for (int i = 0; i < N; ++i) if (part.has(i)) * part.pointer(i) = tsr_stored<C>(out[i]);
    }

    /** Goes on to the part that begins at element `first` of a mode of the result. */
    TSR_DEVICE_MEMBER void move(int mode, int64_t first, int count)
    {
        d.move(mode, first, count);
        c.move(mode, first, count);
        bias.move(mode, first, count);
    }

   private:
    template <tsr_layout const &F, class T, class R, int N>
    TSR_DEVICE_MEMBER void add(tsr_batched<T> const &x, R scale, R (&out)[N], int m, int n, int batch, int t) const
    {
        auto const part = tsr_part<F>(x.tile(m, n, batch), t);
        TSR_UNROLL for (int i = 0; i < N; ++i) if (part.has(i)) out[i] += scale * R(*part.pointer(i));
    }
};

TSR_SAME_(sizeof(tsr_gemm_epilogue<TSR_F16, TSR_F16, 0>) == 128); /* where scales begin */

#endif

/** What a thread of a kernel of tsr_gpu_reduce does, as C: the GPU runs it with the form as a constant, and a test runs
 *  the same text on the CPU, thread by thread.
 *
 *  A block has some results, each of several lanes. A lane takes every so many-th number of its part, times a factor
 *  where the form has one; then the lanes of a result are joined by halves in shared memory, and the first one writes.
 *
 *  Law     results are equal from run to run: their order follows from the form and the numbers alone.
 *  Units   bytes.
 */
#ifndef TSR_SRC_GPU_KERNELS_REDUCE_H
#define TSR_SRC_GPU_KERNELS_REDUCE_H

#include "gpu/kernels/reduce_form.h"
#include "gpu/kernels/relayout_value.h"

TSR_HEADER_BEGIN

/** A sum; the type of the form tells which. */
typedef struct tsr_reduction_sum {
    float f;
    double d;
    int64_t i;
} tsr_reduction_sum;

/** What a result without numbers is. */
TSR_LOCAL_REF tsr_reduction_sum tsr_reduction_nothing_(TSR_FORM_(tsr_reduction_form))
{
    tsr_reduction_sum r = TSR_ZERO;
    bool const sum = f.op == TSR_REDUCE_SUM, most = f.op == TSR_REDUCE_MAX;
    r.f = sum ? 0 : tsr_bits_float_(most ? 0xff800000u : 0x7f800000u);
    r.d = sum ? 0 : tsr_bits_double_((uint64_t)(most ? 0xfff : 0x7ff) << 52);
    r.i = sum || (most && f.work == TSR_U64) ? 0 : most ? -TSR_INT_MAX - 1 : f.work == TSR_U64 ? -1 : TSR_INT_MAX;
    return r;
}

/** x < y as integers of the form. */
TSR_LOCAL_REF bool tsr_reduction_less_(TSR_FORM_(tsr_reduction_form), int64_t x, int64_t y)
{
    return f.work == TSR_U64 ? (uint64_t)x < (uint64_t)y : x < y;
}

/** m op x, as exec/reduce.h says. */
TSR_LOCAL_REF tsr_reduction_sum tsr_reduction_join_(TSR_FORM_(tsr_reduction_form), tsr_reduction_sum m,
                                                    tsr_reduction_sum x)
{
    tsr_reduction_sum r = m;
    bool const sum = f.op == TSR_REDUCE_SUM, least = f.op == TSR_REDUCE_MIN;
    if (f.work == TSR_F32)
        r.f = sum ? m.f + x.f : (least ? x.f < m.f : x.f > m.f) || x.f != x.f ? x.f : m.f;
    else if (f.work == TSR_F64)
        r.d = sum ? m.d + x.d : (least ? x.d < m.d : x.d > m.d) || x.d != x.d ? x.d : m.d;
    else if (sum)
        r.i = (int64_t)((uint64_t)m.i + (uint64_t)x.i);
    else
        r.i = tsr_reduction_less_(f, least ? x.i : m.i, least ? m.i : x.i) ? x.i : m.i;
    return r;
}

/** The number of a pattern of a type. */
TSR_LOCAL_REF tsr_reduction_sum tsr_reduction_number_(TSR_FORM_(tsr_reduction_form), tsr_dtype type, uint64_t bits)
{
    tsr_reduction_sum r = TSR_ZERO;
    tsr_form_ const from = tsr_form_of_(type);
    if (f.work == TSR_I64 || f.work == TSR_U64) {
        r.i = (int64_t)tsr_decode(type, bits).bits;
    } else if (type == TSR_F64) {
        r.d = tsr_bits_double_(bits);
    } else if (type == TSR_I64 || type == TSR_U64) {
        r.d = tsr_number_to_double(tsr_decode(type, bits));
    } else {
        r.f = type == TSR_F32 ? tsr_bits_float_((uint32_t)bits)
              : from.is_float ? tsr_relayout_to_float_(&from, f.fp8, (uint32_t)bits)
                              : (float)tsr_number_to_double(tsr_decode(type, bits));
        r.d = r.f;
    }
    return r;
}

/** x * y, of integers modulo 2^64. */
TSR_LOCAL_REF tsr_reduction_sum tsr_reduction_product_(tsr_reduction_sum x, tsr_reduction_sum y)
{
    tsr_reduction_sum const r = {x.f * y.f, x.d * y.d, (int64_t)((uint64_t)x.i * (uint64_t)y.i)};
    return r;
}

/** The pattern of a result. */
TSR_LOCAL_REF uint64_t tsr_reduction_pattern_(TSR_FORM_(tsr_reduction_form), tsr_reduction_sum x)
{
    tsr_form_ const to = tsr_form_of_(f.to_type);
    bool const whole = f.work == TSR_I64 || f.work == TSR_U64;
    float const single = f.op == TSR_REDUCE_SUM ? x.f : x.f + 0.0f; /* never -0 */
    double const real = f.work == TSR_F32 ? (double)single : f.op == TSR_REDUCE_SUM ? x.d : x.d + 0.0;
    if (whole && f.to_type == TSR_BOOL)
        return x.i != 0;
    if (whole && to.is_int)
        return (uint64_t)x.i & (~(uint64_t)0 >> (64 - to.bits));
    if (whole)
        return tsr_encode(f.to_type, tsr_number_real(f.work == TSR_U64 ? (double)(uint64_t)x.i : (double)x.i));
    if (f.to_type == TSR_F64)
        return tsr_double_bits_(real != real ? tsr_nan_() : real);
    if (f.to_type == TSR_F32 && f.work == TSR_F32)
        return tsr_one_nan_(single);
    return f.work == TSR_F32 && to.is_float ? tsr_relayout_from_float_(&to, f.fp8, single)
                                            : tsr_relayout_real_(&to, f.fp8, real);
}

/** Where index n of loops leads. */
TSR_LOCAL_REF void tsr_reduction_add_(tsr_relayout_loop const *l, int loops, int64_t n, bool wide, int64_t *from,
                                      int64_t *to)
{
    TSR_ROLL_ for (int i = 0; i < loops; ++i) tsr_relayout_digit_(&l[i], i + 1 == loops, wide, &n, from, to);
}

/** Where the factors of a result begin. */
TSR_LOCAL_REF int64_t tsr_reduction_beside_(TSR_FORM_(tsr_reduction_form), tsr_reduction const *r, int64_t result)
{
    int64_t at = r->by, none = 0;
    TSR_ROLL_ for (int i = 0; i < r->keep_loops; ++i)
    {
        tsr_relayout_loop const l = {r->keep[i].count, r->keep_by[i], 0};
        tsr_relayout_digit_(&l, i + 1 == r->keep_loops, f.wide, &result, &at, &none);
    }
    return at;
}

/** A thread's result among those of its block, and its lane of it. */
TSR_LOCAL_REF int tsr_reduction_result_(TSR_FORM_(tsr_reduction_form), tsr_reduction const *r, int thread)
{
    return f.across ? thread & ((TSR_REDUCTION_THREADS >> r->lanes) - 1) : thread >> r->lanes;
}

TSR_LOCAL_REF int tsr_reduction_lane_(TSR_FORM_(tsr_reduction_form), tsr_reduction const *r, int thread)
{
    return f.across ? thread >> (TSR_REDUCTION_LOG_THREADS - r->lanes) : thread & ((1 << r->lanes) - 1);
}

/** Number k of an access. */
TSR_LOCAL_REF tsr_reduction_sum tsr_reduction_item_(TSR_FORM_(tsr_reduction_form), tsr_relayout_value const *v, int k,
                                                    tsr_dtype type, int bytes)
{
    tsr_relayout_value const x = tsr_relayout_item_(v, k, bytes);
    return tsr_reduction_number_(f, type, tsr_relayout_bits_(&x, bytes));
}

/** Joins the numbers of an access, times their factors, to sums: of each result across, to one along. */
TSR_LOCAL_REF void tsr_reduction_take_(TSR_FORM_(tsr_reduction_form), tsr_relayout_value const *v,
                                       tsr_relayout_value const *by, tsr_reduction_sum *sum)
{
    TSR_UNROLL_ for (int k = 0; k < TSR_REDUCTION_ITEMS; ++k) if (k < f.items)
    {
        tsr_reduction_sum *const to = &sum[f.across ? k : 0];
        tsr_reduction_sum x = tsr_reduction_item_(f, v, k, f.from_type, f.from_item);
        if (f.by)
            x = tsr_reduction_product_(
                x, tsr_reduction_item_(f, by, f.by == TSR_REDUCTION_BY_RUN ? k : 0, f.by_type, f.by_item));
        *to = tsr_reduction_join_(f, *to, x);
    }
}

/** The sums of a thread: what its lane takes of part `part`. */
TSR_LOCAL_REF void tsr_reduction_gather_(TSR_FORM_(tsr_reduction_form), tsr_reduction const *r, uint64_t from,
                                         uint64_t by, int64_t block, int64_t part, int thread,
                                         tsr_reduction_sum sum[TSR_REDUCTION_ITEMS])
{
    enum { UNDER_WAY = 4 };
    int const lanes = 1 << r->lanes;
    int64_t const result = block * (TSR_REDUCTION_THREADS >> r->lanes) + tsr_reduction_result_(f, r, thread);
    int64_t const last = part * r->chunk + r->chunk < r->numbers ? part * r->chunk + r->chunk : r->numbers;
    int64_t x = r->from, y = 0, i = part * r->chunk + tsr_reduction_lane_(f, r, thread);
    TSR_UNROLL_ for (int k = 0; k < TSR_REDUCTION_ITEMS; ++k) sum[k] = tsr_reduction_nothing_(f);
    if (result >= r->results)
        return;
    tsr_reduction_add_(r->keep, r->keep_loops, result, f.wide, &x, &y);
    int64_t const beside = f.by ? tsr_reduction_beside_(f, r, result) : 0;
    TSR_ROLL_ for (; i < last; i += UNDER_WAY * lanes)
    {
        tsr_relayout_value v[UNDER_WAY], w[UNDER_WAY];
        TSR_UNROLL_ for (int k = 0; k < UNDER_WAY; ++k) if (i + k * lanes < last)
        {
            int64_t at = x, other = beside;
            if (f.single) {
                at += (i + k * lanes) * r->over[0].from;
                other += (i + k * lanes) * r->over[0].to;
            } else {
                tsr_reduction_add_(r->over, r->over_loops, i + k * lanes, f.wide, &at, &other);
            }
            v[k] = w[k] = tsr_relayout_nothing_();
            uint64_t const place = tsr_relayout_place_(from, r->from_swizzle, f.swizzled, at);
            tsr_relayout_read_(&v[k], (unsigned char const *)(uintptr_t)place, f.items * f.from_item);
            if (f.by)
                tsr_relayout_read_(&w[k], (unsigned char const *)(uintptr_t)(by + (uint64_t)other),
                                   (f.by == TSR_REDUCTION_BY_RUN ? f.items : 1) * f.by_item);
        }
        TSR_UNROLL_ for (int k = 0; k < UNDER_WAY; ++k) if (i + k * lanes < last)
            tsr_reduction_take_(f, &v[k], &w[k], sum);
    }
}

/** The place of a thread's sums in shared memory. The sums of the next lane are `next` further on. */
TSR_LOCAL_REF int tsr_reduction_shared_(TSR_FORM_(tsr_reduction_form), tsr_reduction const *r, int thread, int *next)
{
    int const width = TSR_REDUCTION_THREADS >> r->lanes, sums = f.across ? f.items : 1;
    *next = width * sums;
    return (tsr_reduction_lane_(f, r, thread) * width + tsr_reduction_result_(f, r, thread)) * sums;
}

TSR_LOCAL_REF void tsr_reduction_put_(TSR_FORM_(tsr_reduction_form), void *shared, int at, tsr_reduction_sum x)
{
    if (f.work == TSR_F32)
        ((float *)shared)[at] = x.f;
    else if (f.work == TSR_F64)
        ((double *)shared)[at] = x.d;
    else
        ((int64_t *)shared)[at] = x.i;
}

TSR_LOCAL_REF tsr_reduction_sum tsr_reduction_get_(TSR_FORM_(tsr_reduction_form), void const *shared, int at)
{
    tsr_reduction_sum r = TSR_ZERO;
    if (f.work == TSR_F32)
        r.f = ((float const *)shared)[at];
    else if (f.work == TSR_F64)
        r.d = ((double const *)shared)[at];
    else
        r.i = ((int64_t const *)shared)[at];
    return r;
}

/** A phase of joining the lanes by halves, of r->lanes phases: the threads wait for each other before each. */
TSR_LOCAL_REF void tsr_reduction_halve_(TSR_FORM_(tsr_reduction_form), tsr_reduction const *r, void *shared,
                                        int thread, int phase)
{
    int next = 0;
    int const half = 1 << (r->lanes - 1 - phase), at = tsr_reduction_shared_(f, r, thread, &next);
    if (tsr_reduction_lane_(f, r, thread) >= half)
        return;
    TSR_UNROLL_ for (int k = 0; k < TSR_REDUCTION_ITEMS; ++k) if (k < (f.across ? f.items : 1))
        tsr_reduction_put_(f, shared, at + k,
                           tsr_reduction_join_(f, tsr_reduction_get_(f, shared, at + k),
                                               tsr_reduction_get_(f, shared, at + half * next + k)));
}

/** The other part of a complex number, which begins with a real one, is 0. */
TSR_LOCAL_REF void tsr_reduction_store_(unsigned char *p, int bytes, uint64_t bits)
{
    if (bytes == 16)
        *(uint64_t *)(void *)(p + 8) = 0;
    if (bytes >= 8)
        *(uint64_t *)(void *)p = bits;
    else if (bytes == 4)
        *(uint32_t *)(void *)p = (uint32_t)bits;
    else if (bytes == 2)
        *(uint16_t *)(void *)p = (uint16_t)bits;
    else
        *p = (unsigned char)bits;
}

/** Writes what the first lane of a result has. */
TSR_LOCAL_REF void tsr_reduction_write_(TSR_FORM_(tsr_reduction_form), tsr_reduction const *r, uint64_t to,
                                        int64_t block, int64_t part, int thread, void const *shared)
{
    int next = 0;
    int const at = tsr_reduction_shared_(f, r, thread, &next);
    int64_t const result = block * (TSR_REDUCTION_THREADS >> r->lanes) + tsr_reduction_result_(f, r, thread);
    int64_t x = 0, y = r->to + part * r->part;
    if (tsr_reduction_lane_(f, r, thread) != 0 || result >= r->results)
        return;
    tsr_reduction_add_(r->keep, r->keep_loops, result, f.wide, &x, &y);
    TSR_UNROLL_ for (int k = 0; k < TSR_REDUCTION_ITEMS; ++k) if (k < (f.across ? f.items : 1))
    {
        uint64_t const place = tsr_relayout_place_(to, r->to_swizzle, f.swizzled, y + k * r->near_to);
        tsr_reduction_store_((unsigned char *)(uintptr_t)place, f.to_item,
                             tsr_reduction_pattern_(f, tsr_reduction_get_(f, shared, at + k)));
    }
}

#if TSR_ON_GPU || defined(__CUDACC_RTC__)
/** The kernel: blocks of results by parts of their numbers. */
static __device__ __forceinline__ void tsr_reduction_kernel_(TSR_FORM_(tsr_reduction_form), tsr_reduction const *r,
                                                             uint64_t from, uint64_t to, uint64_t by)
{
    extern __shared__ int64_t tsr_reduction_sums_[];
    tsr_reduction_sum sum[TSR_REDUCTION_ITEMS];
    int next = 0;
    int const thread = (int)threadIdx.x, at = tsr_reduction_shared_(f, r, thread, &next);
    tsr_kernel_wait_();
    tsr_reduction_gather_(f, r, from, by, blockIdx.x, blockIdx.y, thread, sum);
    TSR_UNROLL_ for (int k = 0; k < TSR_REDUCTION_ITEMS; ++k) if (k < (f.across ? f.items : 1))
        tsr_reduction_put_(f, tsr_reduction_sums_, at + k, sum[k]);
    for (int phase = 0; phase < r->lanes; ++phase) {
        __syncthreads();
        tsr_reduction_halve_(f, r, tsr_reduction_sums_, thread, phase);
    }
    __syncthreads();
    tsr_reduction_write_(f, r, to, blockIdx.x, blockIdx.y, thread, tsr_reduction_sums_);
}
#endif

TSR_HEADER_END

#endif

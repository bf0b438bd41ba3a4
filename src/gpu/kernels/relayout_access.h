/** Accesses of 1 to 16 bytes of a thread of tsr_gpu_copy, and the items in them: to global memory, to shared memory,
 *  and from the one to the other in the background; on a CPU, which only tests them, plain copies. */
#ifndef TSR_SRC_GPU_KERNELS_RELAYOUT_ACCESS_H
#define TSR_SRC_GPU_KERNELS_RELAYOUT_ACCESS_H

#include "exec/compute/update.h"
#include "gpu/kernels/relayout_form.h"
#include "gpu/kernels/wait.h"

TSR_HEADER_BEGIN

/* Before a loop that stays one, and before one that does not; what the compiler shall not know of an address. A CPU,
 * which only tests this, does as it likes. */
#if TSR_ON_GPU
#  define TSR_ROLL_ _Pragma("unroll 1")
#  define TSR_UNROLL_ TSR_UNROLL
#  define TSR_HIDE_(p) asm volatile("" : "+l"(p))
#else
#  define TSR_ROLL_
#  define TSR_UNROLL_
#  define TSR_HIDE_(p) ((void)0)
#endif

/* Numbers */

/** n / count, for n < 2^31 unless the form is wide. */
TSR_LOCAL_REF int64_t tsr_relayout_divide_(tsr_relayout_count const *count, int64_t n, bool wide)
{
    if (wide)
        return n / count->n;
    uint32_t const m = (uint32_t)n, high = (uint32_t)((uint64_t)m * count->multiplier >> 32);
    return (int64_t)((high + m) >> count->shift);
}

/** Takes the digit of one loop off an index, all that is left for the last one, and adds where it leads. */
TSR_LOCAL_REF void tsr_relayout_digit_(tsr_relayout_loop const *l, bool last, bool wide, int64_t *n, int64_t *from,
                                       int64_t *to)
{
    int64_t const rest = last ? 0 : tsr_relayout_divide_(&l->count, *n, wide), digit = *n - rest * l->count.n;
    *from += digit * l->from;
    *to += digit * l->to;
    *n = rest;
}

/** Adds where index n of `loops` loops from `first` on leads; `known`: how many there are when the kernel is
 *  compiled, or 0. */
TSR_LOCAL_REF void tsr_relayout_add_(tsr_relayout const *r, int first, int loops, int known, int64_t n, bool wide,
                                     int64_t *from, int64_t *to)
{
    if (known > 0) {
        TSR_UNROLL_ for (int i = 0; i < 3; ++i) if (i < known)
            tsr_relayout_digit_(&r->loop[first + i], i + 1 == known, wide, &n, from, to);
    } else {
        TSR_ROLL_ for (int i = 0; i < loops; ++i)
            tsr_relayout_digit_(&r->loop[first + i], i + 1 == loops, wide, &n, from, to);
    }
}

/** A test on a CPU may look at each access. */
#ifndef TSR_RELAYOUT_LOOK_
#  define TSR_RELAYOUT_LOOK_(p, bytes) ((void)0)
#endif

/** Up to 16 bytes in registers. */
typedef struct tsr_relayout_value {
    uint32_t word[4];
} tsr_relayout_value;

TSR_LOCAL_REF tsr_relayout_value tsr_relayout_nothing_(void)
{
    tsr_relayout_value const v = {{0, 0, 0, 0}};
    return v;
}

#if TSR_ON_GPU
/** Reads 1, 2, 4, 8 or 16 bytes; `how` is behind ld.global, `wide` there for 16 bytes. */
#  define TSR_RELAYOUT_READ_(how, wide, v, p, bytes)                                                                 \
    do {                                                                                                             \
      if (bytes == 16)                                                                                               \
        asm volatile("ld.global" wide ".v4.b32 {%0, %1, %2, %3}, [%4];"                                              \
                     : "=r"(v->word[0]), "=r"(v->word[1]), "=r"(v->word[2]), "=r"(v->word[3])                        \
                     : "l"(p));                                                                                      \
      else if (bytes == 8)                                                                                           \
        asm volatile("ld.global" how ".v2.b32 {%0, %1}, [%2];" : "=r"(v->word[0]), "=r"(v->word[1]) : "l"(p));       \
      else if (bytes == 4)                                                                                           \
        asm volatile("ld.global" how ".b32 %0, [%1];" : "=r"(v->word[0]) : "l"(p));                                  \
      else if (bytes == 2)                                                                                           \
        asm volatile("{.reg .b16 h; ld.global" how ".b16 h, [%1]; cvt.u32.u16 %0, h;}" : "=r"(v->word[0]) : "l"(p)); \
      else                                                                                                           \
        asm volatile("ld.global" how ".u8 %0, [%1];" : "=r"(v->word[0]) : "l"(p));                                   \
    } while (0)
#else
#  define TSR_RELAYOUT_READ_(how, wide, v, p, bytes) \
    do {                                             \
      TSR_RELAYOUT_LOOK_(p, bytes);                  \
      TSR_COPY(v, p, (size_t)bytes);                 \
    } while (0)
#endif

/** Reads 1, 2, 4, 8 or 16 bytes of global memory that the kernel does not write. */
TSR_LOCAL_REF void tsr_relayout_read_(tsr_relayout_value *v, unsigned char const *p, int bytes)
{
    TSR_RELAYOUT_READ_(".nc", ".nc.L1::no_allocate", v, p, bytes);
}

/** Of global memory that the kernel writes. */
TSR_LOCAL_REF void tsr_relayout_read_back_(tsr_relayout_value *v, unsigned char const *p, int bytes)
{
    TSR_RELAYOUT_READ_("", "", v, p, bytes);
}

/** Reads 16 bytes that another thread reads, too. */
TSR_LOCAL_REF void tsr_relayout_read_cached_(tsr_relayout_value *v, unsigned char const *p)
{
#if TSR_ON_GPU
    asm volatile("ld.global.nc.v4.b32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v->word[0]), "=r"(v->word[1]), "=r"(v->word[2]), "=r"(v->word[3])
                 : "l"(p));
#else
    TSR_RELAYOUT_LOOK_(p, 16);
    TSR_COPY(v, p, 16);
#endif
}

TSR_LOCAL_REF void tsr_relayout_write_(unsigned char *p, tsr_relayout_value const *v, int bytes)
{
#if TSR_ON_GPU
    if (bytes == 16)
        asm volatile("st.global.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v->word[0]), "r"(v->word[1]),
                     "r"(v->word[2]), "r"(v->word[3])
                     : "memory");
    else if (bytes == 8)
        asm volatile("st.global.v2.b32 [%0], {%1, %2};" ::"l"(p), "r"(v->word[0]), "r"(v->word[1]) : "memory");
    else if (bytes == 4)
        asm volatile("st.global.b32 [%0], %1;" ::"l"(p), "r"(v->word[0]) : "memory");
    else if (bytes == 2)
        *reinterpret_cast<uint16_t *>(p) = (uint16_t)v->word[0];
    else
        *p = (unsigned char)v->word[0];
#else
    TSR_RELAYOUT_LOOK_(p, bytes);
    TSR_COPY(p, v, (size_t)bytes);
#endif
}

/** The same of shared memory. */
TSR_LOCAL_REF void tsr_relayout_keep_(unsigned char *p, tsr_relayout_value const *v, int bytes)
{
#if TSR_ON_GPU
    if (bytes == 16)
        *reinterpret_cast<uint4 *>(p) = make_uint4(v->word[0], v->word[1], v->word[2], v->word[3]);
    else if (bytes == 8)
        *reinterpret_cast<uint2 *>(p) = make_uint2(v->word[0], v->word[1]);
    else if (bytes == 4)
        *reinterpret_cast<uint32_t *>(p) = v->word[0];
    else if (bytes == 2)
        *reinterpret_cast<uint16_t *>(p) = (uint16_t)v->word[0];
    else
        *p = (unsigned char)v->word[0];
#else
    TSR_RELAYOUT_LOOK_(p, bytes);
    TSR_COPY(p, v, (size_t)bytes);
#endif
}

TSR_LOCAL_REF void tsr_relayout_take_(tsr_relayout_value *v, unsigned char const *p, int bytes)
{
#if TSR_ON_GPU
    if (bytes == 16) {
        uint4 const x = *reinterpret_cast<uint4 const *>(p);
        v->word[0] = x.x;
        v->word[1] = x.y;
        v->word[2] = x.z;
        v->word[3] = x.w;
    } else if (bytes == 8) {
        uint2 const x = *reinterpret_cast<uint2 const *>(p);
        v->word[0] = x.x;
        v->word[1] = x.y;
    } else {
        v->word[0] = bytes == 4   ? *reinterpret_cast<uint32_t const *>(p)
                     : bytes == 2 ? *reinterpret_cast<uint16_t const *>(p)
                                  : *p;
    }
#else
    TSR_RELAYOUT_LOOK_(p, bytes);
    TSR_COPY(v, p, (size_t)bytes);
#endif
}

/** Global to shared memory in the background, 4, 8 or 16 bytes. */
TSR_LOCAL_REF void tsr_relayout_begin_copy_(unsigned char *to, unsigned char const *from, int bytes)
{
#if TSR_ON_GPU
    uint32_t const at = (uint32_t)__cvta_generic_to_shared(to);
    if (bytes == 16)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
    else if (bytes == 8)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(at), "l"(from) : "memory");
    else
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
#else
    TSR_RELAYOUT_LOOK_(from, bytes);
    TSR_RELAYOUT_LOOK_(to, bytes);
    TSR_COPY(to, from, (size_t)bytes);
#endif
}

/** What is at a place of shared memory, for what shall be there. */
TSR_LOCAL_REF int32_t tsr_relayout_exchange_(int32_t *p, int32_t x)
{
#if TSR_ON_GPU
    return atomicExch(p, x);
#else
    int32_t const before = *p;
    *p = x;
    return before;
#endif
}

/** Item i of several in registers, and putting it there. The words are zero before. */
TSR_LOCAL_REF tsr_relayout_value tsr_relayout_item_(tsr_relayout_value const *v, int i, int item)
{
    tsr_relayout_value r = tsr_relayout_nothing_();
    if (item >= 4) {
        for (int k = 0; k < item / 4; ++k)
            r.word[k] = v->word[i * (item / 4) + k];
    } else {
        int const bit = i * item * 8;
        r.word[0] = v->word[bit / 32] >> bit % 32 & ((1u << 8 * item) - 1);
    }
    return r;
}

TSR_LOCAL_REF void tsr_relayout_put_(tsr_relayout_value *v, int i, int item, tsr_relayout_value const *x)
{
    if (item >= 4) {
        for (int k = 0; k < item / 4; ++k)
            v->word[i * (item / 4) + k] = x->word[k];
    } else {
        int const bit = i * item * 8;
        v->word[bit / 32] |= x->word[0] << bit % 32;
    }
}

/** Reads items first to last - 1 of an access one by one; the others are zero. */
TSR_LOCAL_REF tsr_relayout_value tsr_relayout_read_each_(unsigned char const *p, int item, int items, int first,
                                                         int last)
{
    tsr_relayout_value v = tsr_relayout_nothing_();
    TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < items && first <= i && i < last)
    {
        tsr_relayout_value x = tsr_relayout_nothing_();
        tsr_relayout_read_(&x, p + i * item, item);
        tsr_relayout_put_(&v, i, item, &x);
    }
    return v;
}

/** The same at once, where all are asked for. `parts`: it may be that not all are. */
TSR_LOCAL_REF tsr_relayout_value tsr_relayout_read_items_(unsigned char const *p, int item, int items, bool parts,
                                                          int first, int last)
{
    tsr_relayout_value v = tsr_relayout_nothing_();
    if (parts && (first > 0 || last < items))
        return tsr_relayout_read_each_(p, item, items, first, last);
    tsr_relayout_read_(&v, p, item * items);
    return v;
}

TSR_LOCAL_REF void tsr_relayout_write_items_(unsigned char *p, tsr_relayout_value const *v, int item, int items,
                                             bool parts, int first, int last)
{
    if (!parts || (first <= 0 && last >= items)) {
        tsr_relayout_write_(p, v, item * items);
    } else {
        TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < items && first <= i && i < last)
        {
            tsr_relayout_value const x = tsr_relayout_item_(v, i, item);
            tsr_relayout_write_(p + i * item, &x, item);
        }
    }
}

TSR_HEADER_END

#endif

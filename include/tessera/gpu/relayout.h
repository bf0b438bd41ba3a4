/** What a thread of the kernels of tsr_gpu_copy does, as C: the GPU runs it with the form as a constant, and a test runs
 *  the same text on the CPU, thread by thread.
 *
 *      direct     item i of the destination, in its order, from where it lies; accesses of several neighbours
 *      tile       rows by columns of items: read along the columns, which are close in the source, kept in shared memory,
 *                 written along the rows, which are close in the destination
 *      elements   any two layouts, each asked for the place of element i
 *
 *  A tile is a range of rows by a range of columns. Rows are counted through the first `row_loops` loops together, columns
 *  through the next `column_loops`, and the tiles of the others through the rest: where a range ends inside of a loop
 *  nothing is cut.
 *
 *      shared memory   item (d, s) at byte d * pitch + (s * item ^ 16 * (d / to_items % 2^k)),  16 * 2^k = min(128, pitch)
 *
 *  Law     the blocks together move every item once, and touch nothing of the destination but items.
 *          The items of one access, (d, s) .. (d + n - 1, s) or (d, s) .. (d, s + n - 1), do not meet in a bank: rows of one
 *          access have one xor, and eight neighbouring accesses of a row of the destination have eight.
 *  Units   bytes; steps in bytes, swizzles of bytes.
 */
#ifndef TSR_GPU_RELAYOUT_H
#define TSR_GPU_RELAYOUT_H

#include "tessera/exec/elements.h"
#include "tessera/exec/update.h"
#include "tessera/tile/magic_division.h"

#define TSR_RELAYOUT_LOOPS 20

/* Before a loop that stays one, and before one that does not; a CPU, which only tests this, does as it likes. */
#if TSR_ON_GPU
#  define TSR_ROLL_ _Pragma("unroll 1")
#  define TSR_UNROLL_ TSR_UNROLL
#else
#  define TSR_ROLL_
#  define TSR_UNROLL_
#endif
#define TSR_RELAYOUT_THREADS 256

/** X(id, words). */
#define TSR_RELAYOUT_LIST(X)                         \
  X(RUN, "one run, which the driver copies")         \
  X(DIRECT, "items in the order of the destination") \
  X(TILE, "tiles through shared memory")             \
  X(ELEMENTS, "element by element")

typedef enum tsr_relayout_kind {
#define X(id, words) TSR_RELAYOUT_##id,
    TSR_RELAYOUT_LIST(X)
#undef X
} tsr_relayout_kind;

/** What a kernel is compiled for. */
typedef struct tsr_relayout_form {
    uint8_t kind;
    uint8_t from_item, to_item;   /* bytes of an item; they differ where its type does */
    uint8_t from_items, to_items; /* of one access */
    uint8_t batch;                /* accesses of a thread that are under way together */
    uint8_t loops, columns; /* as in tsr_relayout: loops (of a tile: those of rows), column_loops; 0: more than 3 */
    uint8_t from_parts, to_parts; /* the last access of a run has fewer items */
    uint8_t from_any, to_any;     /* of a tile: runs begin anywhere, accesses of 16 bytes do not */
    uint8_t wide;                 /* indices need more than 31 bits */
    uint8_t swizzled;
    uint8_t alpha, beta;          /* the tsr_number_kind of the factors; 0: no factor */
    uint8_t fp8;                  /* the device converts them */
    uint8_t async;                /* a tile is read by cp.async */
    tsr_dtype from_type, to_type; /* 0: bytes are moved as they are */
} tsr_relayout_form;

/** A divisor (tile/magic_division.h). */
typedef struct tsr_relayout_count {
    int64_t n;
    uint32_t multiplier;
    int32_t shift;
} tsr_relayout_count;

typedef struct tsr_relayout_loop {
    tsr_relayout_count count;
    int64_t from, to;
} tsr_relayout_loop;

/** What it is given. */
typedef struct tsr_relayout {
    int64_t from, to; /* where the items begin */
    int64_t items;    /* direct: accesses; elements: elements */
    int64_t run;      /* direct: items of the first loop, whose digits are accesses */
    int64_t rows, columns;
    tsr_relayout_count row_tiles, column_tiles;
    tsr_relayout_count loads, stores; /* of a row of a tile: accesses; of a column: groups of as many as `lanes` */
    int64_t from_low, from_high;      /* what lies outside of these bytes is not read */
    int32_t tile_rows, tile_columns, pitch, lanes;
    uint8_t loops, row_loops, column_loops;
    uint8_t along_rows; /* neighbouring blocks are neighbours along the rows */
    tsr_swizzle from_swizzle, to_swizzle;
    tsr_number alpha, beta;
    tsr_relayout_loop loop[TSR_RELAYOUT_LOOPS];
} tsr_relayout;

/* Numbers */

/** n / count, for n < 2^31 unless the form is wide. */
TSR_REF int64_t tsr_relayout_divide_(tsr_relayout_count const *count, int64_t n, bool wide)
{
    if (wide)
        return n / count->n;
    uint32_t const m = (uint32_t)n, high = (uint32_t)((uint64_t)m * count->multiplier >> 32);
    return (int64_t)((high + m) >> count->shift);
}

/** Takes the digit of one loop off an index, all that is left for the last one, and adds where it leads. */
TSR_REF void tsr_relayout_digit_(tsr_relayout_loop const *l, bool last, bool wide, int64_t *n, int64_t *from,
                                 int64_t *to)
{
    int64_t const rest = last ? 0 : tsr_relayout_divide_(&l->count, *n, wide), digit = *n - rest * l->count.n;
    *from += digit * l->from;
    *to += digit * l->to;
    *n = rest;
}

/** Adds where index n of `loops` loops from `first` on leads; `known`: how many there are when the kernel is
 *  compiled, or 0. */
TSR_REF void tsr_relayout_add_(tsr_relayout const *r, int first, int loops, int known, int64_t n, bool wide,
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

/* Accesses */

/** Up to 16 bytes in registers. */
typedef struct tsr_relayout_value {
    uint32_t word[4];
} tsr_relayout_value;

/** Reads 1, 2, 4, 8 or 16 bytes of global memory that the kernel does not write. */
TSR_REF void tsr_relayout_read_(tsr_relayout_value *v, unsigned char const *p, int bytes)
{
#if TSR_ON_GPU
    if (bytes == 16)
        asm volatile("ld.global.nc.L1::no_allocate.v4.b32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(v->word[0]), "=r"(v->word[1]), "=r"(v->word[2]), "=r"(v->word[3])
                     : "l"(p));
    else if (bytes == 8)
        asm volatile("ld.global.nc.v2.b32 {%0, %1}, [%2];" : "=r"(v->word[0]), "=r"(v->word[1]) : "l"(p));
    else if (bytes == 4)
        asm volatile("ld.global.nc.b32 %0, [%1];" : "=r"(v->word[0]) : "l"(p));
    else if (bytes == 2)
        asm volatile("{.reg .b16 h; ld.global.nc.b16 h, [%1]; cvt.u32.u16 %0, h;}" : "=r"(v->word[0]) : "l"(p));
    else
        asm volatile("ld.global.nc.u8 %0, [%1];" : "=r"(v->word[0]) : "l"(p));
#else
    TSR_COPY(v, p, (size_t)bytes);
#endif
}

TSR_REF void tsr_relayout_write_(unsigned char *p, tsr_relayout_value const *v, int bytes)
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
    TSR_COPY(p, v, (size_t)bytes);
#endif
}

/** The same of shared memory. */
TSR_REF void tsr_relayout_keep_(unsigned char *p, tsr_relayout_value const *v, int bytes)
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
    TSR_COPY(p, v, (size_t)bytes);
#endif
}

TSR_REF void tsr_relayout_take_(tsr_relayout_value *v, unsigned char const *p, int bytes)
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
    TSR_COPY(v, p, (size_t)bytes);
#endif
}

/** Global to shared memory in the background, 4, 8 or 16 bytes. */
TSR_REF void tsr_relayout_begin_(unsigned char *to, unsigned char const *from, int bytes)
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
    TSR_COPY(to, from, (size_t)bytes);
#endif
}

/** Item i of several in registers, and putting it there. The words are zero before. */
TSR_REF tsr_relayout_value tsr_relayout_item_(tsr_relayout_value const *v, int i, int item)
{
    tsr_relayout_value r = {{0, 0, 0, 0}};
    if (item >= 4) {
        for (int k = 0; k < item / 4; ++k)
            r.word[k] = v->word[i * (item / 4) + k];
    } else {
        int const bit = i * item * 8;
        r.word[0] = v->word[bit / 32] >> bit % 32 & ((1u << 8 * item) - 1);
    }
    return r;
}

TSR_REF void tsr_relayout_put_(tsr_relayout_value *v, int i, int item, tsr_relayout_value const *x)
{
    if (item >= 4) {
        for (int k = 0; k < item / 4; ++k)
            v->word[i * (item / 4) + k] = x->word[k];
    } else {
        int const bit = i * item * 8;
        v->word[bit / 32] |= x->word[0] << bit % 32;
    }
}

/** Reads n of the items of an access; the others are zero. */
TSR_REF tsr_relayout_value tsr_relayout_read_items_(unsigned char const *p, int item, int items, bool parts,
                                                    int64_t n)
{
    tsr_relayout_value v = {{0, 0, 0, 0}};
    if (!parts || n >= items) {
        tsr_relayout_read_(&v, p, item * items);
    } else {
        TSR_ROLL_ for (int i = 0; i < n; ++i)
        {
            tsr_relayout_value x = {{0, 0, 0, 0}};
            tsr_relayout_read_(&x, p + i * item, item);
            TSR_UNROLL_ for (int k = 0; k < 16; ++k) if (k < items && k == i) tsr_relayout_put_(&v, k, item, &x);
        }
    }
    return v;
}

TSR_REF void tsr_relayout_write_items_(unsigned char *p, tsr_relayout_value const *v, int item, int items, bool parts,
                                       int64_t n)
{
    if (!parts || n >= items) {
        tsr_relayout_write_(p, v, item * items);
    } else {
        TSR_ROLL_ for (int i = 0; i < n; ++i)
        {
            tsr_relayout_value x = {{0, 0, 0, 0}};
            TSR_UNROLL_ for (int k = 0; k < 16; ++k) if (k < items && k == i) x = tsr_relayout_item_(v, k, item);
            tsr_relayout_write_(p + i * item, &x, item);
        }
    }
}

/* Values */

/** The number of a pattern whose type passes through float; by the machine where it agrees to the last bit. */
TSR_REF float tsr_relayout_to_float_(tsr_form_ const *f, bool fp8, uint32_t bits)
{
#if TSR_ON_GPU
    float r = 0;
    if (f->type == TSR_BF16)
        return tsr_bits_float_(bits << 16);
    if (f->type == TSR_F16 || f->type == TSR_F8_E5M2) {
        asm("{.reg .b16 h; cvt.u16.u32 h, %1; cvt.f32.f16 %0, h;}"
            : "=f"(r)
            : "r"(f->type == TSR_F16 ? bits : bits << 8));
        return r;
    }
    if (f->type == TSR_F8_E4M3FN && fp8) {
        asm("{.reg .b16 p, h, l; .reg .b32 x; cvt.u16.u32 p, %1; cvt.rn.f16x2.e4m3x2 x, p; mov.b32 {l, h}, x; "
            "cvt.f32.f16 %0, l;}"
            : "=f"(r)
            : "r"(bits));
        return r;
    }
#endif
    (void)fp8;
    return tsr_bits_float_(tsr_pattern_to_float_(&f->patterns, bits));
}

TSR_REF uint32_t tsr_relayout_from_float_(tsr_form_ const *t, bool fp8, float x)
{
#if TSR_ON_GPU
    uint32_t r = 0;
    if (t->type == TSR_BF16 || t->type == TSR_F16) {
        if (t->type == TSR_F16)
            asm("{.reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.u32.u16 %0, h;}" : "=r"(r) : "f"(x));
        else
            asm("{.reg .b16 h; cvt.rn.bf16.f32 h, %1; cvt.u32.u16 %0, h;}" : "=r"(r) : "f"(x));
        return x != x ? t->patterns.made_nan : r;
    }
    if (t->type == TSR_F8_E5M2) { /* the upper byte of f16: cut, the last bit set where something was, and rounded */
        float back = 0;
        asm("{.reg .b16 h; cvt.rz.f16.f32 h, %2; cvt.u32.u16 %0, h; cvt.f32.f16 %1, h;}"
            : "=r"(r), "=f"(back)
            : "f"(x));
        r |= back != x;
        return x != x ? t->patterns.made_nan : (r + 127 + (r >> 8 & 1)) >> 8;
    }
    if (t->type == TSR_F8_E4M3FN && fp8) {
        asm("{.reg .b16 h; cvt.rn.satfinite.e4m3x2.f32 h, %2, %1; cvt.u32.u16 %0, h;}" : "=r"(r) : "f"(x), "f"(0.0f));
        return x != x ? t->patterns.made_nan : r;
    }
#endif
    (void)fp8;
    return tsr_float_to_pattern_(&t->patterns, tsr_float_bits_(x));
}

/** The float toward zero of a real number, with its last bit set where that is not the number: rounded once more, to
 *  any shorter
 *  format, it is as if it were rounded once. */
TSR_REF float tsr_relayout_odd_(double x)
{
    float const near = (float)x;
    double const back = (double)near;
    bool const above = (back < 0 ? -back : back) > (x < 0 ? -x : x);
    uint32_t const bits = tsr_float_bits_(near) - above;
    return tsr_bits_float_(bits | (uint32_t)(back != x));
}

/** The item of a real number. */
TSR_REF uint64_t tsr_relayout_real_(tsr_form_ const *t, bool fp8, double x)
{
    double const limit = t->is_int && t->bits < 64 ? tsr_exp2_(t->bits - (t->kind == TSR_SIGNED)) : 0;
    double const lowest = t->kind == TSR_SIGNED ? -limit : 0;
    if (t->type == TSR_F32)
        return tsr_float_to_pattern_(&t->patterns, tsr_float_bits_((float)x));
    if (t->is_float)
        return tsr_relayout_from_float_(t, fp8, tsr_relayout_odd_(x));
    if (t->is_int && t->bits <= 32 && t->type != TSR_BOOL) { /* cut toward zero, and to what the type holds */
        double const number = x == x ? x : 0, low = number < lowest ? lowest : number;
        return (uint64_t)(int64_t)(low > limit - 1 ? limit - 1 : low) & (~(uint64_t)0 >> (64 - t->bits));
    }
    return tsr_encode(t->type, tsr_number_real(x));
}

/** The number of an item of at most 8 bytes that is not complex. */
TSR_REF tsr_number tsr_relayout_number_(tsr_form_ const *f, bool fp8, uint64_t bits)
{
    float const x = f->is_float ? tsr_relayout_to_float_(f, fp8, (uint32_t)bits) : 0;
    return f->is_float ? tsr_number_real(x != x ? tsr_nan_() : (double)x) : tsr_decode(f->type, bits);
}

/** What tsr_store makes of tsr_load: by the machine's instructions where one rounding is all there is. */
TSR_REF uint64_t tsr_relayout_convert_(tsr_dtype to, tsr_dtype from, bool fp8, uint64_t bits)
{
    tsr_form_ const t = tsr_form_of_(to), f = tsr_form_of_(from);
    if (t.is_float && f.is_float)
        return tsr_relayout_from_float_(&t, fp8, tsr_relayout_to_float_(&f, fp8, (uint32_t)bits));
    if (f.is_float && t.is_int && t.bits <= 16 && t.type != TSR_BOOL) {
        int64_t n = 0;
        float const y = tsr_relayout_to_float_(&f, fp8, (uint32_t)bits);
        tsr_floats_to_int_(&n, &y, &t, 1);
        return (uint64_t)n;
    }
    tsr_number const x = tsr_relayout_number_(&f, fp8, bits);
    if (x.kind == TSR_REAL)
        return tsr_relayout_real_(&t, fp8, x.re);
    if (t.type == TSR_F32 || (t.is_float && f.bits <= 16))
        return tsr_relayout_from_float_(&t, fp8, f.kind == TSR_SIGNED ? (float)(int64_t)x.bits : (float)x.bits);
    return tsr_encode(to, x);
}

/** An item of at most 8 bytes. */
TSR_REF uint64_t tsr_relayout_bits_(tsr_relayout_value const *x, int item)
{
    return x->word[0] | (item == 8 ? (uint64_t)x->word[1] << 32 : 0);
}

/** alpha * x + beta * y, as exec/update.h says; the kinds of the factors are constants. */
TSR_REF tsr_number tsr_relayout_update_(tsr_relayout_form f, tsr_relayout const *r, tsr_number x, tsr_number y)
{
    tsr_update u = tsr_make_update(TSR_OF_IDENTITY, r->alpha, f.beta != 0 ? r->beta : tsr_number_int(0));
    u.alpha.kind = f.alpha;
    if (f.beta != 0)
        u.beta.kind = f.beta;
    return tsr_update_number(&u, f.to_type, x, y);
}

/** What becomes of an item on its way: its bytes, its number in another type, or alpha * x + beta * y. */
TSR_REF tsr_relayout_value tsr_relayout_make_(tsr_relayout_form f, tsr_relayout const *r, tsr_relayout_value x,
                                              unsigned char const *there)
{
    tsr_relayout_value y = {{0, 0, 0, 0}};
    uint64_t bits = 0, parts[2] = {0, 0};
    tsr_form_ const to = tsr_form_of_(f.to_type), from = tsr_form_of_(f.from_type);
    bool const plain = tsr_dtype_code(f.from_type) != 5 && tsr_dtype_code(f.to_type) != 5;
    if (f.from_type == 0)
        return x;
    if (f.alpha == 0 && plain) {
        bits = tsr_relayout_convert_(f.to_type, f.from_type, f.fp8, tsr_relayout_bits_(&x, f.from_item));
    } else {
        parts[0] = tsr_relayout_bits_(&x, f.from_item);
        tsr_number sum = plain ? tsr_relayout_number_(&from, f.fp8, parts[0]) : tsr_load(f.from_type, parts, 0);
        tsr_number before = sum;
        if (f.beta != 0) {
            tsr_relayout_value old = {{0, 0, 0, 0}};
            tsr_relayout_take_(&old, there, f.to_item);
            parts[0] = tsr_relayout_bits_(&old, f.to_item);
            before = plain ? tsr_relayout_number_(&to, f.fp8, parts[0]) : tsr_load(f.to_type, parts, 0);
        }
        if (f.alpha != 0)
            sum = tsr_relayout_update_(f, r, sum, before);
        parts[0] = 0;
        if (plain && sum.kind == TSR_REAL)
            parts[0] = tsr_relayout_real_(&to, f.fp8, sum.re);
        else
            tsr_store(f.to_type, parts, 0, sum);
        bits = parts[0];
    }
    y.word[0] = (uint32_t)bits & (f.to_item < 4 ? (1u << 8 * f.to_item) - 1 : ~0u);
    y.word[1] = (uint32_t)(bits >> 32);
    return y;
}

/** Where byte `at` of a side is. */
TSR_REF uint64_t tsr_relayout_place_(uint64_t base, tsr_swizzle sw, bool swizzled, int64_t at)
{
    return base + (swizzled ? tsr_swizzle_apply(sw, (uint64_t)at) : (uint64_t)at);
}

/* Direct */

/** Reads items first to last - 1 of an access that begins anywhere: whole 16 bytes where it lies inside of what may
 *  be read. */
TSR_REF tsr_relayout_value tsr_relayout_read_any_(tsr_relayout_form f, tsr_relayout const *r, uint64_t from,
                                                  int64_t at, int first, int last)
{
    int const past = (int)((from + (uint64_t)at) & 15), bytes = f.from_item * f.from_items;
    unsigned char const *const p = (unsigned char const *)(uintptr_t)(from + (uint64_t)at);
    bool const two = past + bytes > 16;
    tsr_relayout_value v = {{0, 0, 0, 0}}, low = {{0, 0, 0, 0}}, high = {{0, 0, 0, 0}};
    if (first <= 0 && last >= f.from_items && at - past >= r->from_low
        && at - past + (two ? 32 : 16) <= r->from_high) {
        uint32_t w[8];
        tsr_relayout_read_(&low, p - past, 16);
        if (two)
            tsr_relayout_read_(&high, p - past + 16, 16);
        TSR_UNROLL_ for (int k = 0; k < 4; ++k)
        {
            w[k] = low.word[k];
            w[4 + k] = high.word[k];
        }
        TSR_UNROLL_ for (int k = 0; k < 6; ++k) w[k] = past & 8 ? w[k + 2] : w[k];
        TSR_UNROLL_ for (int k = 0; k < 5; ++k) w[k] = past & 4 ? w[k + 1] : w[k];
        TSR_UNROLL_ for (int k = 0; k < 4; ++k) v.word[k] =
            (uint32_t)(((uint64_t)w[k + 1] << 32 | w[k]) >> 8 * (past & 3));
    } else {
        TSR_ROLL_ for (int i = 0; i < f.from_items; ++i) if (first <= i && i < last)
        {
            tsr_relayout_value x = {{0, 0, 0, 0}};
            tsr_relayout_read_(&x, p + i * f.from_item, f.from_item);
            TSR_UNROLL_ for (int k = 0; k < 16; ++k) if (k < f.from_items && k == i)
                tsr_relayout_put_(&v, k, f.from_item, &x);
        }
    }
    return v;
}

/** Writes items first to last - 1 of an access. */
TSR_REF void tsr_relayout_write_any_(tsr_relayout_form f, unsigned char *p, tsr_relayout_value const *v, int first,
                                     int last)
{
    if (first <= 0 && last >= f.to_items) {
        tsr_relayout_write_(p, v, f.to_item * f.to_items);
        return;
    }
    TSR_ROLL_ for (int i = 0; i < f.to_items; ++i) if (first <= i && i < last)
    {
        tsr_relayout_value x = {{0, 0, 0, 0}};
        TSR_UNROLL_ for (int k = 0; k < 16; ++k) if (k < f.to_items && k == i) x = tsr_relayout_item_(v, k, f.to_item);
        tsr_relayout_write_(p + i * f.to_item, &x, f.to_item);
    }
}

/** Access i of runs that begin anywhere: accesses begin where the destination can take them, and one more of each run
 *  does. */
TSR_REF void tsr_relayout_direct_any_(tsr_relayout_form f, tsr_relayout const *r, uint64_t from, uint64_t to,
                                      int64_t i)
{
    int64_t x = r->from, y = r->to;
    if (i >= r->items)
        return;
    int64_t const rest = f.loops == 1 ? 0 : tsr_relayout_divide_(&r->loop[0].count, i, f.wide);
    int64_t const chunk = (i - rest * r->loop[0].count.n) * f.to_items;
    tsr_relayout_add_(r, 0, r->loops, f.loops, i, f.wide, &x, &y);
    uint64_t const run = to + (uint64_t)(y - chunk * f.to_item);
    int const past = (int)(run & (uint64_t)(8 * f.to_item * f.to_items - 1)) / f.to_item; /* eight are a line */
    int64_t const left = r->run - (chunk - past);
    int const first = chunk < past ? past - (int)chunk : 0, last = left < f.to_items ? (int)left : f.to_items;
    if (first >= last)
        return;
    unsigned char *const q = (unsigned char *)(uintptr_t)(to + (uint64_t)(y - past * f.to_item));
    tsr_relayout_value const v = tsr_relayout_read_any_(f, r, from, x - past * f.from_item, first, last);
    tsr_relayout_value w = {{0, 0, 0, 0}};
    if (f.from_type == 0)
        w = v;
    else
        TSR_UNROLL_ for (int k = 0; k < 16; ++k) if (k < f.to_items && first <= k && k < last)
        {
            tsr_relayout_value item = tsr_relayout_item_(&v, k, f.from_item);
            item = tsr_relayout_make_(f, r, item, q + k * f.to_item);
            tsr_relayout_put_(&w, k, f.to_item, &item);
        }
    tsr_relayout_write_any_(f, q, &w, first, last);
}

TSR_REF void tsr_relayout_direct_(tsr_relayout_form f, tsr_relayout const *r, uint64_t from, uint64_t to,
                                  int64_t block, int thread)
{
    tsr_relayout_value v[8];
    uint64_t q[8];
    int n[8];
    if (f.to_any) {
        tsr_relayout_direct_any_(f, r, from, to, block * TSR_RELAYOUT_THREADS + thread);
        return;
    }
    TSR_UNROLL_ for (int b = 0; b < 8; ++b) if (b < f.batch)
    {
        int64_t const i = (block * f.batch + b) * TSR_RELAYOUT_THREADS + thread;
        int64_t x = r->from, y = r->to;
        n[b] = 0;
        if (i < r->items) {
            int64_t const rest = f.loops == 1 ? 0 : tsr_relayout_divide_(&r->loop[0].count, i, f.wide);
            int64_t const left = r->run - (i - rest * r->loop[0].count.n) * f.to_items;
            tsr_relayout_add_(r, 0, r->loops, f.loops, i, f.wide, &x, &y);
            n[b] = left < f.to_items ? (int)left : f.to_items;
            q[b] = tsr_relayout_place_(to, r->to_swizzle, f.swizzled, y);
            unsigned char const *const p =
                (unsigned char const *)(uintptr_t)tsr_relayout_place_(from, r->from_swizzle, f.swizzled, x);
            v[b] = tsr_relayout_read_items_(p, f.from_item, f.from_items, f.from_parts, n[b]);
        }
    }
    TSR_UNROLL_ for (int b = 0; b < 8; ++b) if (b < f.batch && n[b] > 0)
    {
        tsr_relayout_value w = {{0, 0, 0, 0}};
        unsigned char *const p = (unsigned char *)(uintptr_t)q[b];
        if (f.from_type == 0)
            w = v[b];
        else
            TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.to_items && (!f.to_parts || i < n[b]))
            {
                tsr_relayout_value x = tsr_relayout_item_(&v[b], i, f.from_item);
                x = tsr_relayout_make_(f, r, x, p + i * f.to_item);
                tsr_relayout_put_(&w, i, f.to_item, &x);
            }
        tsr_relayout_write_items_(p, &w, f.to_item, f.to_items, f.to_parts, n[b]);
    }
}

/* Tiles */

/** A tile: its first row and column, how many of them it has, and where the other loops lead. */
typedef struct tsr_relayout_tile {
    int64_t row, column, from, to;
    int rows, columns;
} tsr_relayout_tile;

TSR_REF tsr_relayout_tile tsr_relayout_tile_at_(tsr_relayout_form f, tsr_relayout const *r, int64_t block)
{
    tsr_relayout_tile t;
    bool const along = r->along_rows;
    tsr_relayout_count const *const first = along ? &r->row_tiles : &r->column_tiles;
    tsr_relayout_count const *const second = along ? &r->column_tiles : &r->row_tiles;
    int64_t const rest = tsr_relayout_divide_(first, block, f.wide), near = block - rest * first->n;
    int64_t const outer = tsr_relayout_divide_(second, rest, f.wide), far = rest - outer * second->n;
    t.row = (along ? near : far) * r->tile_rows;
    t.column = (along ? far : near) * r->tile_columns;
    t.rows = (int)tsr_min64(r->rows - t.row, r->tile_rows);
    t.columns = (int)tsr_min64(r->columns - t.column, r->tile_columns);
    t.from = r->from;
    t.to = r->to;
    int const inner = r->row_loops + r->column_loops;
    tsr_relayout_add_(r, inner, r->loops - inner, 0, outer, f.wide, &t.from, &t.to);
    if (f.loops == 1 && f.columns == 1) { /* the rest is a product of small numbers */
        t.from += t.row * r->loop[0].from + t.column * r->loop[1].from;
        t.to += t.row * r->loop[0].to + t.column * r->loop[1].to;
    }
    return t;
}

/** Where byte `at` of row d of a tile is in shared memory. */
TSR_REF int tsr_relayout_kept_(tsr_relayout_form f, tsr_relayout const *r, int d, int at)
{
    int const chunks = (r->pitch < 128 ? r->pitch : 128) / 16 - (r->pitch >= 16);
    return d * r->pitch + (at ^ (d / f.to_items & chunks) * 16);
}

/** Where it is on both sides. */
TSR_REF void tsr_relayout_sides_(tsr_relayout_form f, tsr_relayout const *r, tsr_relayout_tile const *t, int d, int s,
                                 int64_t *from, int64_t *to)
{
    *from = t->from;
    *to = t->to;
    if (f.loops == 1 && f.columns == 1) {
        *from += d * r->loop[0].from + s * r->loop[1].from;
        *to += d * r->loop[0].to + s * r->loop[1].to;
    } else {
        tsr_relayout_add_(r, 0, r->row_loops, f.loops, t->row + d, f.wide, from, to);
        tsr_relayout_add_(r, r->row_loops, r->column_loops, f.columns, t->column + s, f.wide, from, to);
    }
}

/** The same where rows begin anywhere: whole 16 bytes of memory, at the same place of 16 bytes in shared memory; how
 *  far behind
 *  it the row begins is kept behind the tile. */
TSR_REF void tsr_relayout_fetch_any_(tsr_relayout_form f, tsr_relayout const *r, uint64_t from, int64_t block,
                                     int thread, unsigned char *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_at_(f, r, block);
    int const loads = t.rows * (int)r->loads.n, bytes = t.columns * f.from_item;
    TSR_ROLL_ for (int k = thread; k < loads; k += TSR_RELAYOUT_THREADS)
    {
        int const d = (int)tsr_relayout_divide_(&r->loads, k, false), c = k - d * (int)r->loads.n;
        int64_t x = 0, y = 0;
        tsr_relayout_sides_(f, r, &t, d, 0, &x, &y);
        int const past = (int)((from + (uint64_t)x) & 15), first = 16 * c - past;
        int64_t const at = x + first;
        if (c == 0)
            shared[r->tile_rows * r->pitch + d] = (unsigned char)past;
        if (first >= bytes)
            continue;
        if (at >= r->from_low && at + 16 <= r->from_high) {
            tsr_relayout_begin_(shared + tsr_relayout_kept_(f, r, d, 16 * c),
                                (unsigned char const *)(uintptr_t)(from + (uint64_t)at), 16);
            continue;
        }
        TSR_ROLL_ for (int i = 0; i < 16; i += f.from_item) if (first + i >= 0 && first + i < bytes)
        {
            tsr_relayout_value v = {{0, 0, 0, 0}};
            tsr_relayout_read_(&v, (unsigned char const *)(uintptr_t)(from + (uint64_t)(at + i)), f.from_item);
            tsr_relayout_keep_(shared + tsr_relayout_kept_(f, r, d, 16 * c + i), &v, f.from_item);
        }
    }
}

/** From the source to shared memory, along the columns. */
TSR_REF void tsr_relayout_fetch_(tsr_relayout_form f, tsr_relayout const *r, uint64_t from, int64_t block, int thread,
                                 unsigned char *shared)
{
    if (f.from_any) {
        tsr_relayout_fetch_any_(f, r, from, block, thread, shared);
        return;
    }
    tsr_relayout_tile const t = tsr_relayout_tile_at_(f, r, block);
    int const loads = t.rows * (int)r->loads.n;
    for (int e = thread; e < loads; e += f.batch * TSR_RELAYOUT_THREADS) {
        tsr_relayout_value v[8];
        int at[8];
        TSR_UNROLL_ for (int b = 0; b < 8; ++b) if (b < f.batch)
        {
            int const k = e + b * TSR_RELAYOUT_THREADS, d = (int)tsr_relayout_divide_(&r->loads, k, false);
            int const s = (k - d * (int)r->loads.n) * f.from_items;
            int64_t x = 0, y = 0;
            at[b] = -1;
            if (k < loads && s < t.columns) {
                tsr_relayout_sides_(f, r, &t, d, s, &x, &y);
                at[b] = tsr_relayout_kept_(f, r, d, s * f.from_item);
                unsigned char const *const p =
                    (unsigned char const *)(uintptr_t)tsr_relayout_place_(from, r->from_swizzle, f.swizzled, x);
                if (f.async && (!f.from_parts || t.columns - s >= f.from_items)) {
                    tsr_relayout_begin_(shared + at[b], p, f.from_item * f.from_items);
                    at[b] = -1;
                    continue;
                }
                v[b] = tsr_relayout_read_items_(p, f.from_item, f.from_items, f.from_parts, t.columns - s);
            }
        }
        TSR_UNROLL_ for (int b = 0; b < 8; ++b) if (b < f.batch && at[b] >= 0)
            tsr_relayout_keep_(shared + at[b], &v[b], f.from_item * f.from_items);
    }
}

/** From shared memory to the destination: of the lanes of a warp 2^k are neighbours along the rows, the others along the
 *  columns. */
TSR_REF void tsr_relayout_deliver_(tsr_relayout_form f, tsr_relayout const *r, uint64_t to, int64_t block, int thread,
                                   unsigned char const *shared)
{
    tsr_relayout_tile const t = tsr_relayout_tile_at_(f, r, block);
    int const lanes = r->lanes, others = 32 / lanes;
    int const groups = (int)r->stores.n, stores = 32 * groups * ((t.columns + others - 1) / others);
    for (int e = thread; e < stores; e += TSR_RELAYOUT_THREADS) {
        int const lane = e % 32, far = (int)tsr_relayout_divide_(&r->stores, e / 32, false),
                  near = e / 32 - far * groups;
        int const s = far * others + lane / lanes;
        int d = (near * lanes + lane % lanes) * f.to_items;
        int64_t x = 0, y = 0;
        if (d >= t.rows + (f.to_any ? lanes * f.to_items : 0) || s >= t.columns)
            continue;
        tsr_relayout_sides_(f, r, &t, f.to_any ? 0 : d, s, &x, &y);
        uint64_t place = tsr_relayout_place_(to, r->to_swizzle, f.swizzled, y);
        if (f.to_any) { /* neighbouring lanes begin where a line does */
            d -= (int)(place & (uint64_t)(16 * lanes - 1)) / f.to_item;
            place += (uint64_t)((int64_t)d * f.to_item);
        }
        unsigned char *const q = (unsigned char *)(uintptr_t)place;
        int const at = tsr_relayout_kept_(f, r, d, s * f.from_item);
        bool const whole = f.to_any ? d >= 0 && d + f.to_items <= t.rows : !f.to_parts || d + f.to_items <= t.rows;
        tsr_relayout_value w = {{0, 0, 0, 0}};
        TSR_UNROLL_ for (int i = 0; i < 16; ++i) if (i < f.to_items && (whole || (d + i >= 0 && d + i < t.rows)))
        {
            tsr_relayout_value v = {{0, 0, 0, 0}};
            int const past = f.from_any ? shared[r->tile_rows * r->pitch + d + i] : 0;
            int const item =
                f.from_any || f.to_any ? tsr_relayout_kept_(f, r, d + i, s * f.from_item + past) : at + i * r->pitch;
            tsr_relayout_take_(&v, shared + item, f.from_item);
            v = tsr_relayout_make_(f, r, v, q + i * f.to_item);
            tsr_relayout_put_(&w, i, f.to_item, &v);
        }
        if (f.to_any) {
            tsr_relayout_write_any_(f, q, &w, -d, t.rows - d);
        } else {
            tsr_relayout_write_items_(q, &w, f.to_item, f.to_items, f.to_parts, t.rows - d);
        }
    }
}

#if TSR_ON_GPU
/** A kernel of tiles. One at a time: two under way in a block were slower (0.86 of a copy instead of 0.95). */
__device__ __forceinline__ void tsr_relayout_tiles_(tsr_relayout_form f, tsr_relayout const *r, uint64_t from,
                                                    uint64_t to, unsigned char *shared)
{
    tsr_relayout_fetch_(f, r, from, blockIdx.x, (int)threadIdx.x, shared);
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    tsr_relayout_deliver_(f, r, to, blockIdx.x, (int)threadIdx.x, shared);
}
#endif

/* Elements */

TSR_INLINE void tsr_relayout_element_(tsr_relayout_form f, tsr_relayout const *r, tsr_tensor const *from,
                                      tsr_tensor const *to, int64_t i)
{
    int x = 0, y = 0;
    tsr_dtype const type = to->engine.type;
    if (i >= r->items)
        return;
    unsigned char const *const p = tsr_element_place(&from->engine, tsr_layout_offset(&from->layout, i), &x);
    unsigned char *const q = tsr_element_place(&to->engine, tsr_layout_offset(&to->layout, i), &y);
    if (f.from_type == 0) {
        TSR_COPY(q, p, (size_t)tsr_dtype_bits(type) / 8);
        return;
    }
    tsr_number v = tsr_load(from->engine.type, p, x);
    if (f.alpha != 0)
        v = tsr_relayout_update_(f, r, v, f.beta != 0 ? tsr_load(type, q, 0) : v);
    tsr_store(type, q, 0, v);
}

#undef TSR_ROLL_
#undef TSR_UNROLL_

#endif

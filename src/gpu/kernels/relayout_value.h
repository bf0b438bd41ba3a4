/** Items as numbers: of another type, and from and to the float that they pass through; where a byte is.
 *
 *  Law     the bits of tsr_convert: the machine converts only where it agrees.
 */
#ifndef TSR_SRC_GPU_KERNELS_RELAYOUT_VALUE_H
#define TSR_SRC_GPU_KERNELS_RELAYOUT_VALUE_H

#include "gpu/kernels/relayout_access.h"
#include "tessera/core/eval.h"

TSR_HEADER_BEGIN

/** The number of a pattern whose type passes through float; by the machine where it agrees to the last bit. */
TSR_LOCAL_REF float tsr_relayout_to_float_(tsr_form_ const *f, bool fp8, uint32_t bits)
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
    tsr_patterns_ const patterns = tsr_form_patterns_(f);
    return tsr_bits_float_(tsr_pattern_to_float_(&patterns, bits));
}

TSR_LOCAL_REF uint32_t tsr_relayout_from_float_(tsr_form_ const *t, bool fp8, float x)
{
    tsr_patterns_ const patterns = tsr_form_patterns_(t);
#if TSR_ON_GPU
    uint32_t r = 0;
    if (t->type == TSR_BF16 || t->type == TSR_F16) {
        if (t->type == TSR_F16)
            asm("{.reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.u32.u16 %0, h;}" : "=r"(r) : "f"(x));
        else
            asm("{.reg .b16 h; cvt.rn.bf16.f32 h, %1; cvt.u32.u16 %0, h;}" : "=r"(r) : "f"(x));
        return x != x ? patterns.made_nan : r;
    }
    if (t->type == TSR_F8_E5M2
        && fp8) { /* the machine stays finite: from half a step above the largest on it is infinity */
        asm("{.reg .b16 h; cvt.rn.satfinite.e5m2x2.f32 h, %2, %1; cvt.u32.u16 %0, h;}" : "=r"(r) : "f"(x), "f"(0.0f));
        r = x >= 61440 ? 0x7c : x <= -61440 ? 0xfc : r;
        return x != x ? patterns.made_nan : r;
    }
    if (t->type == TSR_F8_E4M3FN && fp8) {
        asm("{.reg .b16 h; cvt.rn.satfinite.e4m3x2.f32 h, %2, %1; cvt.u32.u16 %0, h;}" : "=r"(r) : "f"(x), "f"(0.0f));
        return x != x ? patterns.made_nan : r;
    }
#endif
    (void)fp8;
    return tsr_float_to_pattern_(&patterns, tsr_float_bits_(x));
}

/** The item of a real number. */
TSR_LOCAL_REF uint64_t tsr_relayout_real_(tsr_form_ const *t, bool fp8, double x)
{
    double const limit = t->is_int && t->bits < 64 ? tsr_exp2_(t->bits - (t->kind == TSR_SIGNED)) : 0;
    double const lowest = t->kind == TSR_SIGNED ? -limit : 0;
    if (t->type == TSR_F32)
        return tsr_one_nan_((float)x);
    if (t->is_float)
        return tsr_relayout_from_float_(t, fp8, tsr_float_odd_(x));
    if (t->is_int && t->bits <= 32 && t->type != TSR_BOOL) /* cut toward zero, and to what the type holds */
        return (uint64_t)(int64_t)tsr_double_within_(x, lowest, limit - 1) & (~(uint64_t)0 >> (64 - t->bits));
    return tsr_encode(t->type, tsr_number_real(x));
}

/** The number of an item of at most 8 bytes that is not complex. */
TSR_LOCAL_REF tsr_number tsr_relayout_number_(tsr_form_ const *f, bool fp8, uint64_t bits)
{
    float const x = f->is_float ? tsr_relayout_to_float_(f, fp8, (uint32_t)bits) : 0;
    return f->is_float ? tsr_number_real(x != x ? tsr_nan_() : (double)x) : tsr_decode(f->type, bits);
}

/** What tsr_store makes of tsr_load: by the machine's instructions where one rounding is all there is. */
TSR_LOCAL_REF uint64_t tsr_relayout_convert_(tsr_dtype to, tsr_dtype from, bool fp8, uint64_t bits)
{
    tsr_form_ const t = tsr_form_of_(to), f = tsr_form_of_(from);
    if (t.is_float && f.is_float)
        return tsr_relayout_from_float_(&t, fp8, tsr_relayout_to_float_(&f, fp8, (uint32_t)bits));
    if (f.is_float && t.is_int && t.bits <= 16 && t.type != TSR_BOOL) {
        float const y = tsr_relayout_to_float_(&f, fp8, (uint32_t)bits);
        float const limit = (float)tsr_exp2_(t.bits - (t.kind == TSR_SIGNED));
        float const least = t.kind == TSR_SIGNED ? -limit : 0;
        return (uint64_t)(int64_t)tsr_within_(y, least, limit - 1);
    }
    tsr_number const x = tsr_relayout_number_(&f, fp8, bits);
    if (x.kind == TSR_REAL)
        return tsr_relayout_real_(&t, fp8, x.re);
    if (t.type == TSR_F32 || (t.is_float && f.bits <= 16))
        return tsr_relayout_from_float_(&t, fp8, f.kind == TSR_SIGNED ? (float)(int64_t)x.bits : (float)x.bits);
    return tsr_encode(to, x);
}

/** An item of at most 8 bytes. */
TSR_LOCAL_REF uint64_t tsr_relayout_bits_(tsr_relayout_value const *x, int item)
{
    return x->word[0] | (item == 8 ? (uint64_t)x->word[1] << 32 : 0);
}

/** Where byte `at` of a side is. */
TSR_LOCAL_REF uint64_t tsr_relayout_place_(uint64_t base, tsr_swizzle sw, bool swizzled, int64_t at)
{
    return base + (swizzled ? tsr_swizzle_apply(sw, (uint64_t)at) : (uint64_t)at);
}

TSR_HEADER_END

#endif

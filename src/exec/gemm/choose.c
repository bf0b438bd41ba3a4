/** Which kernels multiply which types. */
#include "exec/engine.h"
#include "exec/gemm/engine.h"
#include "exec/neon.h"
#include "tessera/exec/engine.h"
#include <stdatomic.h>
#if defined(__GNUC__) && defined(__x86_64__)
#  include <cpuid.h>
#endif

gemm_table const *tsr_gemm_table(gemm_isa isa)
{
    static gemm_table const *const tables[] = {&tsr_gemm_scalar,   &tsr_gemm_portable, &tsr_gemm_neon, &tsr_gemm_avx2,
                                               &tsr_gemm_avx_vnni, &tsr_gemm_avx512,   &tsr_gemm_amx};
    return tables[isa];
}

/** What the kernels of a set need beyond its name. */
static bool has_isa(gemm_isa isa)
{
#if defined(__GNUC__) && defined(__x86_64__)
    bool const fused = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && tsr_engine_has_halves_();
    bool const wide = fused && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
                      && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    return isa < ISA_AVX2 || (isa < ISA_AVX512 && fused) || (isa == ISA_AVX512 && wide)
           || (isa == ISA_AMX && wide && __builtin_cpu_supports("avx512bf16") && tsr_engine_amx_()
               && tsr_engine_may_use_tiles_());
#else
    return isa < ISA_AVX2;
#endif
}

/** The widest set of the processor; asked once, for a virtual machine takes microseconds to answer. */
static int widest(void)
{
    static atomic_int known = -1;
    int isa = atomic_load_explicit(&known, memory_order_relaxed);
    if (isa < 0) {
        isa = ISAS - 1;
        while (!has_isa((gemm_isa)isa))
            --isa;
        atomic_store_explicit(&known, isa, memory_order_relaxed);
    }
    return isa;
}

/** The widest set that the engine's row allows. */
static int isa_used(void)
{
    static char const *const names[] = {
#define X(id, name) name,
        GEMM_ISA_LIST(X)
#undef X
    };
    char const *const row = tsr_cpu_engine_name();
    int isa = ISAS - 1;
    while (isa > 0 && strcmp(names[isa], row) != 0)
        --isa;
    return isa < widest() ? isa : widest();
}

#if defined(__GNUC__) && defined(__x86_64__)
/** Leaf 7, 1: AVX-VNNI, which compilers have no name for until lately; asked once. Its vectors are those of AVX2. */
static bool has_avx_vnni(void)
{
    static atomic_int known = -1;
    int has = atomic_load_explicit(&known, memory_order_relaxed);
    if (has < 0) {
        unsigned a = 0, b = 0, c = 0, d = 0;
        has = __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & 1u << 4) != 0;
        atomic_store_explicit(&known, has, memory_order_relaxed);
    }
    return has != 0;
}
#endif

static bool has_feature(char const *name)
{
#if defined(__GNUC__) && defined(__x86_64__)
    return *name == 0 || (strcmp(name, "avxvnni") == 0 && has_avx_vnni())
           || (strcmp(name, "avx512vnni") == 0 && __builtin_cpu_supports("avx512vnni"))
           || (strcmp(name, "avx512bf16") == 0 && __builtin_cpu_supports("avx512bf16")
               && !__builtin_cpu_is("intel")); /* there it takes two cycles: f32 is 1.8 times as fast */
#else
    return *name == 0 || tsr_engine_has_neon_named_(name);
#endif
}

static bool is_int(tsr_dtype t) { return tsr_dtype_code(t) <= 1; }

static bool is_real(tsr_dtype t) { return tsr_number_kind_of(t) == TSR_REAL; }

/** Whether all numbers of an integer type are those of another. */
static bool fits(tsr_dtype t, tsr_dtype in)
{
    int const sign_more = tsr_dtype_code(t) == 1 && tsr_dtype_code(in) == 0;
    return tsr_dtype_bits(t) + sign_more <= tsr_dtype_bits(in) && (tsr_dtype_code(t) == 1 || tsr_dtype_code(in) == 0);
}

/** Whether the sums of integers keep within 32 bits, so that they may become real numbers, and have a sign. */
static bool is_exact(tsr_planned_gemm const *p)
{
    int const bits = tsr_dtype_bits(p->of.product.a.engine.type) + tsr_dtype_bits(p->of.product.b.engine.type);
    return bits <= 16 && p->of.k.size < (int64_t)1 << (31 - bits);
}

/** The forms that hold the types of a plan, the fastest first. */
static int forms_of(tsr_planned_gemm const *p, gemm_form form[4])
{
    tsr_product_ const *const g = &p->of.product;
    tsr_dtype const a = g->a.engine.type, b = g->b.engine.type, c = g->c.engine.type;
    tsr_dtype const d = g->biased ? g->bias.engine.type : c;
    int n = 0;
    if (tsr_dtype_code(a) == 5 && a == b && a == c && a == d && g->activation == TSR_NO_ACTIVATION) {
        form[n++] = a == TSR_C64 ? FORM_F32 : FORM_F64;
    } else if (is_int(a) && is_int(b) && (is_int(c) || is_real(c)) && (is_int(d) || is_real(d))) {
        bool const low_bits = is_int(c) && is_int(d) && g->alpha == 1 && (g->beta == 0 || g->beta == 1)
                              && g->activation == TSR_NO_ACTIVATION;
        bool const wide =
            tsr_dtype_bits(a) > 32 || tsr_dtype_bits(b) > 32 || tsr_dtype_bits(c) > 32 || tsr_dtype_bits(d) > 32;
        if (!low_bits && (wide || !is_exact(p)))
            return 0;
        if (wide) {
            form[n++] = FORM_I64;
            return n;
        }
        bool const bytes = tsr_dtype_bits(a) == 8 && tsr_dtype_bits(b) == 8;
        if (bytes && a == b)
            form[n++] = a == TSR_I8 ? FORM_I8I8 : FORM_U8U8;
        if (bytes)
            form[n++] = b == TSR_I8 ? FORM_U8I8 : FORM_I8U8;
        if (fits(a, TSR_I16) && fits(b, TSR_I16))
            form[n++] = FORM_I16;
        form[n++] = FORM_I32;
    } else if (is_real(c) && (is_real(d) || is_int(d)) && (is_real(a) || fits(a, TSR_I16))
               && (is_real(b) || fits(b, TSR_I16)) && tsr_dtype_bits(d) < 64 + is_real(d)) {
        bool const wide =
            a == TSR_F64 || b == TSR_F64 || c == TSR_F64 || d == TSR_F64 || d == TSR_I32 || d == TSR_U32;
        if (a == TSR_BF16 && b == TSR_BF16 && !wide && p->of.m.size > 1 && p->of.n.size > 1) /* lines.c */
            form[n++] = FORM_BF16;
        form[n++] = wide ? FORM_F64 : FORM_F32;
    }
    return n;
}

/** Rows and columns of an AMX tile; the cost of starting one, in products; and the padding factor up to which AMX still
 *  wins. */
enum { AMX_SIDE = 16, AMX_BEGIN = 65536, AMX_MOST = 4 };

/** Whether a product is one for a row: tiles of AMX are filled up to whole ones, of 64 bytes of K. */
static bool fills(tsr_planned_gemm const *p, gemm_row const *row)
{
    int64_t const m = p->of.m.size, n = p->of.n.size, k = p->of.k.size, whole = row->depth * gemm_group(row->form);
    double const tiles =
        (double)gemm_ceil(m, AMX_SIDE) * (double)gemm_ceil(n, AMX_SIDE) * (double)gemm_ceil(k, whole);
    double const padded = tiles * AMX_SIDE * AMX_SIDE * (double)whole;
    return row->depth == 1 || padded + AMX_BEGIN <= (double)AMX_MOST * (double)m * (double)n * (double)k;
}

bool tsr_gemm_choose(tsr_planned_gemm *p)
{
    gemm_form form[4];
    int const forms = forms_of(p, form);
    p->parts = tsr_dtype_code(p->of.product.a.engine.type) == 5 ? 2 : 1;
    for (int isa = isa_used(); isa >= 0; --isa) {
        gemm_table const *const t = tsr_gemm_table((gemm_isa)isa);
        for (int f = 0; f < forms; ++f)
            for (int i = 0; i < t->rows; ++i)
                if (t->row[i].form == form[f] && has_feature(t->row[i].needs) && fills(p, &t->row[i])) {
                    p->isa = (uint8_t)isa;
                    p->row = (uint8_t)i;
                    return true;
                }
    }
    return false;
}

gemm_choice tsr_gemm_choice_of(tsr_planned_gemm const *p)
{
    gemm_table const *const t = tsr_gemm_table((gemm_isa)p->isa);
    gemm_choice r = {t, &t->row[p->row], gemm_sum_type(t->row[p->row].form)};
    tsr_product_ const *const g = &p->of.product;
    if (r.work == TSR_I32) /* what is real in the epilogue, makes it double */
        r.work = tsr_epilogue_is_whole_(g) ? TSR_I64 : TSR_F64;
    return r;
}

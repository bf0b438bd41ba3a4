/* What computes: functions beside those of libm, transformations beside a loop over elements,
 * on every row of the engine; over random layouts and types, out of place and in place.
 *
 *  usage: compute [SEED [CASES]]
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../random.h"
#include "../sanitizer.h"
#include "exec/compute/update.h"
#include "tessera/tessera.h"

enum { ROOM = 1 << 19, MOST = 20000 }; /* three elements of 8 bytes for each */

static bool fails(char const *what, int64_t number, double got, double wanted)
{
    printf("%s, case or place %lld: %.17g, not %.17g\n", what, (long long)number, got, wanted);
    return false;
}

/* Functions */

/** What libm says in long double. */
static long double by_libm(int function, long double x)
{
    switch (function) {
    case TSR_OF_EXP:
        return expl(x);
    case TSR_OF_LOG:
        return logl(x);
    case TSR_OF_SQRT:
        return sqrtl(x);
    case TSR_OF_RSQRT:
        return 1 / sqrtl(x);
    case TSR_OF_RCP:
        return 1 / x;
    case TSR_OF_TANH:
        return tanhl(x);
    case TSR_OF_SIGMOID:
        return 1 / (1 + expl(-x));
    case TSR_OF_SILU:
        return x / (1 + expl(-x));
    default:
        return x / (1 + expl(-1.5957691216057308L * (x + 0.044715L * x * x * x)));
    }
}

/** The law of exec/functions.h: how far off, in 2^-53 of the result. */
static double bound_of(int function)
{
    bool const one =
        function == TSR_OF_EXP || function == TSR_OF_LOG || function == TSR_OF_SQRT || function == TSR_OF_RCP;
    return one ? 3 : function == TSR_OF_GELU ? 4096 : 8;
}

static bool try_functions(int64_t cases)
{
    double const infinity = HUGE_VAL;
    for (int64_t i = 0; i < cases; ++i) {
        double const part = (double)below(INT64_MAX) / 9.2e18 - 0.5;
        double const sample[] = {part * 1400, part * 6, ldexp(part, -(int)below(60)),
                                 ldexp(part + 0.5, (int)below(2000) - 1000)};
        double x = sample[i % 4];
        if (x == 0)
            continue;
        for (int f = TSR_OF_EXP; f < TSR_FUNCTIONS; ++f) {
            tsr_number const r = tsr_function_of_(f, TSR_IN_DOUBLES_, tsr_number_real(x));
            long double const wanted = by_libm(f, x), off = fabsl((long double)r.re - wanted);
            if (wanted != wanted ? r.re == r.re
                                 : fabsl(wanted) > 1e-300L && !isinf((double)wanted)
                                       && !(off <= bound_of(f) * 0x1p-53L * fabsl(wanted)))
                return fails("function", f, r.re, (double)wanted);
        }
    }
    double const ends[][4] = {{TSR_OF_EXP, -infinity, 0, 0},        {TSR_OF_EXP, infinity, infinity, 0},
                              {TSR_OF_LOG, 0, -infinity, 0},        {TSR_OF_LOG, infinity, infinity, 0},
                              {TSR_OF_SQRT, infinity, infinity, 0}, {TSR_OF_SQRT, 0, 0, 0},
                              {TSR_OF_TANH, infinity, 1, 0},        {TSR_OF_TANH, -infinity, -1, 0},
                              {TSR_OF_SIGMOID, -infinity, 0, 0},    {TSR_OF_SILU, -infinity, 0, 0},
                              {TSR_OF_GELU, -infinity, 0, 0},       {TSR_OF_GELU, infinity, infinity, 0}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; ++i) {
        double const r = tsr_function_of_((int)ends[i][0], TSR_IN_DOUBLES_, tsr_number_real(ends[i][1])).re;
        if (r != ends[i][2])
            return fails("an end of function", (int64_t)ends[i][0], r, ends[i][2]);
    }
    return true;
}

/** The law of exec/functions_float.h: how far a float may be off. */
static double room_of(int function, double wanted)
{
    double const last = ldexp(1, (fabs(wanted) < 0x1p-126 ? -126 : ilogb(wanted)) - 23);
    double const units = function < TSR_OF_EXP || function == TSR_OF_SQRT || function == TSR_OF_RCP     ? 0.50001
                         : function == TSR_OF_EXP || function == TSR_OF_LOG || function == TSR_OF_RSQRT ? 1.5
                         : function == TSR_OF_SILU                                                      ? 3.5
                                                                                                        : 3;
    return function == TSR_OF_GELU ? fabs(wanted) * 0x1p-16 + 0x1p-141 : units * last;
}

/** y of a type instead of what a double says: its float is near enough, and then rounded. */
static bool is_near(int function, tsr_dtype type, double wanted, double y)
{
    tsr_float_format const f = tsr_float_format_of(type);
    uint64_t pattern = 0;
    tsr_store(type, &pattern, 0, tsr_number_real(wanted));
    double const nearest = tsr_load(type, &pattern, 0).re;
    if (wanted != wanted || isinf(nearest) || isinf(y))
        return wanted != wanted ? y != y : nearest == y;
    int const least = 1 - f.bias, exponent = wanted == 0 || ilogb(wanted) < least ? least : ilogb(wanted);
    double const half = type == TSR_F32 ? 0 : ldexp(1, exponent - f.mantissa - 1);
    return y == nearest || fabs(y - wanted) <= half + room_of(function, wanted);
}

/** Each function of floats, of some patterns of every kind or of all that there are, on every row: the same bits as of
 *  one number, within the law. */
static bool try_singles(tsr_dtype type)
{
    enum { N = 4096 };
    static uint32_t const ends[] = {0,          0x80000000, 1,          0x80000001, 0x7fffff,
                                    0x800000,   0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000,
                                    0x7f800001, 0xffffffff, 0x3f800000, 0xbf800000};
    static unsigned char x[4 * N], y[4 * N];
    int const bytes = tsr_dtype_bits(type) / 8, chunks = bytes == 2 ? 16 : 64;
    tsr_tensor const s = tsr_make_tensor(tsr_make_gmem_ptr((void *)x, type), tsr_make_layout(N)),
                     d = tsr_make_tensor(tsr_make_gmem_ptr((void *)y, type), tsr_make_layout(N));
    for (int chunk = 0; chunk < chunks; ++chunk) {
        for (uint32_t i = 0; i < N; ++i) {
            uint32_t const k = (uint32_t)chunk * N + i;
            uint32_t const single = k < sizeof ends / 4 ? ends[k] : k * 16384 + (uint32_t)below(16384);
            memcpy(x + i * (size_t)bytes, bytes == 2 ? &k : &single, (size_t)bytes);
        }
        for (int f = TSR_OF_ABS; f < TSR_FUNCTIONS; ++f)
            for (int row = 0; tsr_cpu_engine_row(row); ++row) {
                if (!tsr_cpu_engine_use(tsr_cpu_engine_row(row)) || tsr_apply((tsr_function_id)f, s, d).status)
                    return fails("a function is refused", f, 0, 0);
                for (int i = 0; i < N; ++i) {
                    uint32_t one = 0, got = 0;
                    tsr_number const v = tsr_load(type, x + i * bytes, 0), r = tsr_load(type, y + i * bytes, 0);
                    memcpy(&got, y + i * bytes, (size_t)bytes);
                    tsr_store(type, &one, 0, tsr_function_of_(f, TSR_IN_FLOATS_, v));
                    double const wanted = tsr_function_of_(f, TSR_IN_DOUBLES_, v).re;
                    if (one != got || !is_near(f, type, wanted, r.re))
                        return fails(one != got ? "rows differ in a function" : "function of a float", f, r.re,
                                     wanted);
                }
            }
    }
    return tsr_cpu_engine_use(NULL);
}

/** Copies and updates of floats that are short, on every row: those of one element, which is rounded once. */
static bool try_shorts(tsr_dtype from_type, tsr_dtype to_type, int64_t number)
{
    enum { N = 2049 };
    static double const factors[][2] = {{1, 0},      {0.7, 0},       {0.7, 0.3},     {0.5, 0.5},      {1, -1},
                                        {1e30, 3e5}, {1e-3, -1e-40}, {0x1.4p-90, 0}, {-0x1.8p100, 0}, {0.25, 0}};
    enum { FACTORS = sizeof factors / sizeof factors[0] };
    static unsigned char x[4 * N], before[4 * N], y[4 * N];
    double const *const factor = factors[number % FACTORS];
    int const from_bytes = tsr_dtype_bits(from_type) / 8, to_bytes = tsr_dtype_bits(to_type) / 8;
    tsr_tensor const s = tsr_make_tensor(tsr_make_gmem_ptr((void *)x, from_type), tsr_make_layout(N)),
                     d = tsr_make_tensor(tsr_make_gmem_ptr((void *)y, to_type), tsr_make_layout(N));
    tsr_function_id const function = number % 3 == 0 ? TSR_OF_SILU : TSR_OF_IDENTITY;
    bool const copies = number % FACTORS == 0 && number % 3 != 0 && from_type != to_type;
    tsr_update const u = tsr_make_update((int)function, tsr_number_real(factor[0]), tsr_number_real(factor[1]));
    tsr_planned_copy const p = copies ? tsr_copy_plan(s, d) : tsr_apply_plan(function, u.alpha, s, u.beta, d);
    for (int i = 0; i < 4 * N; ++i) { /* bytes of which some are 0, so that sums fall between two numbers */
        x[i] = (unsigned char)(below(4) == 0 ? 0 : below(256));
        before[i] = (unsigned char)(below(4) == 0 ? 0 : below(256));
        if (below(2) == 0 && i % 4 == 3)
            x[i] = before[i] = (unsigned char)(0x3c + below(8));
    }
    for (int row = 0; tsr_cpu_engine_row(row); ++row) {
        if (!tsr_cpu_engine_use(tsr_cpu_engine_row(row)))
            return fails("a row is not there", row, 0, 0);
        memcpy(y, before, sizeof y);
        (void)tsr_copy_run(&p, NULL, &s, &d, 0, p.units);
        for (int i = 0; i < N; ++i) {
            uint32_t one = 0, got = 0;
            memcpy(&one, before + i * to_bytes, (size_t)to_bytes);
            memcpy(&got, y + i * to_bytes, (size_t)to_bytes);
            if (copies)
                tsr_store(to_type, &one, 0, tsr_load(from_type, x + i * from_bytes, 0));
            else
                tsr_update_element(&u, to_type, &one, 0, from_type, x + i * from_bytes, 0);
            if (one != got)
                return fails("rows differ in an update", number, got, one);
        }
    }
    return tsr_cpu_engine_use(NULL);
}

static bool try_all_shorts(int64_t cases)
{
    static tsr_dtype const types[] = {TSR_F32,     TSR_BF16,        TSR_F16, TSR_F8_E4M3FN,
                                      TSR_F8_E5M2, TSR_F8_E4M3FNUZ, TSR_I8,  TSR_U8};
    enum { TYPES = sizeof types / sizeof types[0] };
    for (int64_t i = 0; i < cases; ++i)
        if (!try_shorts(types[i % TYPES], types[i / TYPES % TYPES], i + below(30)))
            return false;
    return true;
}

/** A cast by every row: each element becomes what one alone becomes. Of random bytes, of numbers near the limits of
 *  other types, and of what is no number. */
static bool try_cast(tsr_dtype from_type, tsr_dtype to_type, int64_t number)
{
    enum { N = 769 };
    static double const rare[] = {
        0,   -0.0, 0.5,        -1.5,        127.5,         255,      -128.75,           65535.5,
        1e9, -3e9, 2147483648, -2147483649, 4294967296.25, 0x1p1000, -1.0 / 3 * 0x1p62, 1e19};
    static unsigned char x[8 * N], y[8 * N];
    int const from_bytes = tsr_dtype_bits(from_type) / 8, to_bytes = tsr_dtype_bits(to_type) / 8;
    int const n = (int)(1 + below(N));
    tsr_tensor const s = tsr_make_tensor(tsr_make_gmem_ptr((void *)x, from_type), tsr_make_layout(n)),
                     d = tsr_make_tensor(tsr_make_gmem_ptr((void *)y, to_type), tsr_make_layout(n));
    tsr_planned_copy const p = tsr_copy_plan(s, d);
    for (int i = 0; i < 8 * N; ++i)
        x[i] = (unsigned char)(below(8) == 0 ? 255 * below(2) : below(256));
    for (int i = 0; i < n; ++i)
        if (below(4) == 0)
            tsr_store(from_type, x + i * from_bytes, 0, tsr_number_real(rare[below(sizeof rare / sizeof rare[0])]));
    for (int row = 0; tsr_cpu_engine_row(row); ++row) {
        if (!tsr_cpu_engine_use(tsr_cpu_engine_row(row)))
            return fails("a row is not there", row, 0, 0);
        memset(y, 0x55, sizeof y);
        (void)tsr_copy_run(&p, NULL, &s, &d, 0, p.units);
        for (int i = 0; i <= n; ++i) {
            uint64_t one = UINT64_C(0x5555555555555555), got = one;
            memcpy(&got, y + (i < N ? i * to_bytes : 0), i < n ? (size_t)to_bytes : 0);
            if (i < n)
                tsr_store(to_type, &one, 0, tsr_load(from_type, x + i * from_bytes, 0));
            else if (n < N) /* nothing behind the last one */
                memcpy(&got, y + i * to_bytes, (size_t)to_bytes);
            if (one != got)
                return fails("rows differ in a cast", number, (double)got, (double)one);
        }
    }
    return tsr_cpu_engine_use(NULL);
}

static bool try_casts(int64_t cases)
{
    static tsr_dtype const types[] = {TSR_I8,  TSR_U8,  TSR_I16, TSR_U16, TSR_I32,  TSR_U32,  TSR_I64,
                                      TSR_U64, TSR_F32, TSR_F64, TSR_F16, TSR_BF16, TSR_BOOL, TSR_F8_E4M3FN};
    enum { TYPES = sizeof types / sizeof types[0] };
    for (int64_t i = 0; i < cases; ++i)
        if (types[i % TYPES] != types[i / TYPES % TYPES] && !try_cast(types[i % TYPES], types[i / TYPES % TYPES], i))
            return false;
    return true;
}

/** A pattern of bf16 with an exponent from a few on, or 0, or one of the others. */
static uint16_t any_brain(int64_t exponent, bool zeros, bool others)
{
    static uint16_t const rare[] = {0x7f80, 0x7fc1, 0x7f7f, 0x0001, 0x007f, 0x0080};
    int64_t const at = tsr_min64(exponent + below(4), 255), sign = below(2) << 15;
    if (others && below(16) == 0)
        return (uint16_t)(sign | rare[below(6)]);
    return (uint16_t)(zeros && below(16) == 0 ? sign : sign | at << 7 | below(128));
}

/** Sums of bf16 that are of one size, line by line: they cancel out, lie halfway, overflow and underflow. */
static bool try_brains(int64_t number)
{
    enum { N = 32 * 64 + 9 };
    static double const factors[] = {1, -1,    0.5,   0.7,      0.3,     -0.3,  3,
                                     0, 1e-30, -3e20, 0x1p-126, 0x1p127, 1e300, 1e-310};
    static uint16_t x[N], before[N], y[N];
    double const alpha = factors[below(14)], beta = below(2) == 0 ? alpha : factors[below(14)];
    tsr_update const u = tsr_make_update(TSR_OF_IDENTITY, tsr_number_real(alpha), tsr_number_real(beta));
    tsr_tensor const s = tsr_make_tensor(tsr_make_gmem_ptr((void *)x, TSR_BF16), tsr_make_layout(N)),
                     d = tsr_make_tensor(tsr_make_gmem_ptr((void *)y, TSR_BF16), tsr_make_layout(N));
    tsr_planned_copy const p = tsr_apply_plan(TSR_OF_IDENTITY, u.alpha, s, u.beta, d);
    for (int i = 0, exponent = 0, apart = 0; i < N; ++i) {
        if (i % 32 == 0) {
            exponent = (int)below(256);
            apart = (int)(below(3) == 0 ? below(60) : below(3));
        }
        bool const others = i / 32 % 4 == 0, zeros = i / 32 % 4 < 2;
        x[i] = any_brain(exponent, zeros, others);
        before[i] = any_brain(exponent > apart ? exponent - apart : 0, zeros, others);
    }
    for (int row = 0; tsr_cpu_engine_row(row); ++row) {
        if (!tsr_cpu_engine_use(tsr_cpu_engine_row(row)))
            return fails("a row is not there", row, 0, 0);
        memcpy(y, before, sizeof y);
        (void)tsr_copy_run(&p, NULL, &s, &d, 0, p.units);
        for (int i = 0; i < N; ++i) {
            uint16_t one = before[i];
            tsr_update_element(&u, TSR_BF16, &one, 0, TSR_BF16, &x[i], 0);
            if (one != y[i])
                return fails("rows differ in a sum of bf16", number, y[i], one);
        }
    }
    return tsr_cpu_engine_use(NULL);
}

/** A double near a number of a format or near the half between two, of any size that it knows, or any other. */
static double near_half(tsr_float_format f)
{
    uint64_t const all = ((uint64_t)1 << 52) - 1, kept = all << (52 - f.mantissa - below(4)) & all;
    uint64_t const exponent = below(16) == 0
                                  ? (uint64_t)below(2048)
                                  : (uint64_t)(1023 - f.bias - 12 + below(((int64_t)1 << f.exponent) + 14));
    uint64_t bits = (random_bits() & (kept | (uint64_t)1 << 63)) | (exponent & 2047) << 52;
    bits += below(3) == 0 ? (uint64_t)1 << below(42) : 0;
    bits -= below(6) == 0;
    return tsr_bits_double_(bits);
}

/** Doubles to every shorter format, on every row: rounded once. */
static bool try_halves(int64_t number)
{
    enum { N = 1031 };
    static tsr_dtype const types[] = {TSR_F16,     TSR_BF16,           TSR_TF32,      TSR_F8_E3M4,
                                      TSR_F8_E4M3, TSR_F8_E4M3B11FNUZ, TSR_F8_E4M3FN, TSR_F8_E4M3FNUZ,
                                      TSR_F8_E5M2, TSR_F8_E5M2FNUZ};
    static double x[N];
    static unsigned char y[4 * N];
    tsr_dtype const type = types[number % 10];
    int const bytes = tsr_dtype_bits(type) / 8;
    tsr_tensor const s = tsr_make_tensor(tsr_make_ptr(x), tsr_make_layout(N)),
                     d = tsr_make_tensor(tsr_make_gmem_ptr((void *)y, type), tsr_make_layout(N));
    for (int i = 0; i < N; ++i)
        x[i] = near_half(tsr_float_format_of(type));
    for (int row = 0; tsr_cpu_engine_row(row); ++row) {
        if (!tsr_cpu_engine_use(tsr_cpu_engine_row(row)) || tsr_copy(s, d).status)
            return fails("a copy is refused", row, 0, 0);
        for (int i = 0; i < N; ++i) {
            uint32_t one = 0, got = 0;
            tsr_store(type, &one, 0, tsr_number_real(x[i]));
            memcpy(&got, y + i * bytes, (size_t)bytes);
            if (one != got)
                return fails("a double is not rounded once", number, got, one);
        }
    }
    return tsr_cpu_engine_use(NULL);
}

/* Tensors */

static unsigned char memory[4][ROOM];

/** Strides for extents in any order, with pads, now and then behind a swizzle; smaller types where room is short. */
static tsr_tensor any_tensor(int at, tsr_dtype type, int64_t const extent[3])
{
    int order[3] = {0, 1, 2};
    int64_t stride[3], step = 1;
    for (int i = 0; i < 3; ++i) {
        int const j = (int)below(3), k = order[i];
        order[i] = order[j];
        order[j] = k;
    }
    for (int i = 0; i < 3; ++i) {
        stride[order[i]] = step;
        step = step * extent[order[i]] + (below(3) == 0);
    }
    tsr_layout const l =
        tsr_make_layout(tsr_t(extent[0], extent[1], extent[2]), tsr_t(stride[0], stride[1], stride[2]));
    int64_t const bits = 1 + below(3), base = below(4), shift = bits + below(3);
    tsr_layout const swizzled = tsr_swizzled(tsr_make_swizzle(bits, base, below(3) == 0 ? -shift : shift), l);
    type = type == TSR_C128 && tsr_cosize(l) * 16 > ROOM ? (tsr_dtype)TSR_C64 : type;
    bool const moved = below(4) == 0 && tsr_cosize(swizzled) * tsr_dtype_bits(type) <= (int64_t)ROOM * 8;
    return tsr_make_tensor(tsr_make_gmem_ptr((void *)memory[at], type), moved ? swizzled : l);
}

static void any_extents(int64_t extent[3])
{
    int const large = (int)below(4);
    int64_t const most = below(8) == 0 ? 9000 : 300;
    for (int i = 0; i < 3; ++i)
        extent[i] = 1 + below(i == large ? most : 6);
    if (extent[0] * extent[1] * extent[2] > MOST)
        extent[0] = extent[1] = extent[2] = 3;
}

/* Transformations */

static tsr_number one_more(tsr_number x, void const *context)
{
    return x.kind == TSR_COMPLEX ? tsr_number_complex(x.im, x.re) : tsr_number_add(x, *(tsr_number const *)context);
}

static tsr_number added(tsr_number x, tsr_number y, void const *context)
{
    (void)context;
    return tsr_number_add(x, y);
}

static double squared(double x, void const *context) { return x * x + *(double const *)context; }

static double thrice(double x, double y, void const *context) { return x * 3 - y * *(double const *)context; }

static bool try_transform(int64_t number)
{
    static tsr_dtype const types[] = {TSR_F32, TSR_F64, TSR_BF16, TSR_I8,   TSR_I64, TSR_U32,      TSR_F4_E2M1,
                                      TSR_U4,  TSR_I6,  TSR_C128, TSR_BOOL, TSR_C64, TSR_F8_E4M3FN};
    static tsr_number wanted[MOST];
    tsr_number const three = tsr_number_int(3);
    double const tenth = 0.1;
    int64_t extent[3];
    any_extents(extent);
    for (int k = 0; k < 3; ++k)
        for (int i = 0; i < ROOM; ++i)
            memory[k][i] = (unsigned char)below(256);
    int const which = (int)below(4), kinds = which < 2 ? 13 : 9;
    tsr_tensor const x = any_tensor(0, types[below(kinds)], extent), y = any_tensor(1, types[below(kinds)], extent);
    tsr_tensor const z = below(5) == 0                     ? x
                         : below(5) == 0 && which % 2 == 1 ? y
                                                           : any_tensor(2, types[below(kinds)], extent);
    int64_t const n = tsr_layout_size(z.layout);
    for (int64_t i = 0; i < n; ++i) {
        tsr_number const a = tsr_element_(&x.engine, tsr_at_index(x.layout, i)),
                         b = tsr_element_(&y.engine, tsr_at_index(y.layout, i));
        double const p = tsr_number_to_double(a), q = tsr_number_to_double(b);
        wanted[i] = which == 0   ? one_more(a, &three)
                    : which == 1 ? added(a, b, NULL)
                    : which == 2 ? tsr_number_real(squared(p, &tenth))
                                 : tsr_number_real(thrice(p, q, &tenth));
    }
    tsr_reason const why = which == 0   ? tsr_transform(x, z, one_more, &three)
                           : which == 1 ? tsr_transform_2(x, y, z, added, NULL)
                           : which == 2 ? tsr_transform_reals(x, z, squared, &tenth)
                                        : tsr_transform_reals_2(x, y, z, thrice, &tenth);
    for (int64_t i = 0; i < n; ++i) {
        uint64_t stored[2] = {0, 0};
        tsr_store(z.engine.type, stored, 0, wanted[i]);
        tsr_number const w = tsr_load(z.engine.type, stored, 0),
                         r = tsr_element_(&z.engine, tsr_at_index(z.layout, i));
        bool const real =
            (w.re == r.re || (w.re != w.re && r.re != r.re)) && (w.im == r.im || (w.im != w.im && r.im != r.im));
        if (why.status || w.bits != r.bits || !real)
            return fails("transform", number, r.re, w.re);
    }
    return true;
}

int main(int argc, char **argv)
{
    uint64_t const seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int64_t const cases = OF_CASES(argc > 2 ? strtoll(argv[2], NULL, 10) : 300);
    random_begin(seed);
    bool good = try_functions(1000 * cases) && try_singles(TSR_F32) && try_singles(TSR_BF16) && try_singles(TSR_F16)
                && try_all_shorts(2 * cases) && try_casts(4 * cases);
    for (int64_t i = 0; good && i < cases; ++i)
        good = try_brains(i) && try_halves(i) && try_transform(i);
    printf("%s: seed %llu, %lld cases\n", good ? "passed" : "failed", (unsigned long long)seed, (long long)cases);
    return good ? 0 : 1;
}

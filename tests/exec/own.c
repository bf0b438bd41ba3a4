/* Updates that are made in the arithmetic of one type (exec/compute/update_direct.h) or in floats
 * (tsr_update_is_single_), and others of the same functions: on every row, apart and in place, with any patterns, the
 * bits that the update of one element gives.
 *
 *  usage: own [SEED [CASES]]
 */
#include <stdio.h>
#include <stdlib.h>

#include "../random.h"
#include "../sanitizer.h"
#include "exec/compute/update.h"
#include "tessera/tessera.h"

enum { MOST = 2500, BYTES = 8 * (MOST + 1) };

static unsigned char x[BYTES], before[BYTES], y[BYTES];
static int64_t own_cases;

/** Floats of a case may be near each other: `near_count` exponents from `near_from` on, or 0. */
static int64_t near_from, near_count;

static uint64_t near_pattern(void)
{
    uint64_t const any = random_bits(), few = below(2) == 0 ? 0x7fffff : 0x700001;
    return below(9) == 0
               ? any & 0x80000000
               : (any & 0x80000000) | (uint64_t)(near_from + below(near_count)) << 23 | (random_bits() & few);
}

/** Any bits, those of numbers at the ends of a format, or of small whole numbers. */
static uint64_t any_pattern(tsr_dtype type)
{
    static uint64_t const ends[] = {0, 1, 2, 3, 0x7fffff, 0x800000, 0x7f7fffff, 0x7f800000, 0x7f800001, 0x7fffffff};
    static uint64_t const of_doubles[] = {0x7ff0, 0x7ff8, 0x7fef, 0x0010, 0x0008, 0x3ff0};
    int const bits = tsr_dtype_bits(type);
    uint64_t const sign = (uint64_t)below(2) << (bits - 1), any = random_bits();
    if (type == TSR_F32 && near_count > 0)
        return near_pattern();
    switch (below(4)) {
    case 0:
        return bits == 64   ? sign | of_doubles[below(6)] << 48 | (uint64_t)below(2)
               : bits == 16 ? sign | ends[below(10)] >> 16
                            : sign | ends[below(10)];
    case 1: { /* of small numbers: sums cancel out */
        uint64_t r = 0;
        tsr_store(type, &r, 0, tsr_number_int(below(9) - 4));
        return r;
    }
    case 2: /* below the normal numbers */
        return sign | (any & (((uint64_t)1 << (bits - bits / 4)) - 1));
    default:
        return any;
    }
}

/** Factors that are floats and others, the signs alone, and the ends of what they may be. */
static tsr_number any_factor(bool whole)
{
    static double const reals[] = {1,     -1,       0.5,        -0.25,          2,          3,
                                   0.1,   0x1p60,   -0x1p-60,   0x1p61,         0x1p-8,     -0x1p-9,
                                   1e300, 0x1p-149, 0x1.8p-130, -0x1.99999ap-4, -0x1p-1000, 0x1.fffffep127};
    static int64_t const integers[] = {1, -1, 0, 3, 255, -32768, INT64_C(0x100000001), INT64_MAX};
    double const zero = 0;
    int64_t const which = below(20);
    return whole         ? tsr_number_int(integers[below(8)])
           : which == 18 ? tsr_number_real(1 / zero)
           : which == 19 ? tsr_number_real(-zero)
                         : tsr_number_real(reals[which]);
}

static bool try_update(int64_t number)
{
    static tsr_dtype const types[] = {TSR_F32, TSR_F32,       TSR_F32,     TSR_F64, TSR_BF16, TSR_BF16, TSR_F16,
                                      TSR_F16, TSR_F8_E4M3FN, TSR_F8_E5M2, TSR_I8,  TSR_U8,   TSR_I16,  TSR_U16,
                                      TSR_I32, TSR_U32,       TSR_I64,     TSR_U64, TSR_BOOL};
    tsr_dtype const type = types[below(19)],
                    from_type = type == TSR_F32 && below(3) == 0 ? types[4 + below(6)] : type;
    int const bytes = tsr_dtype_bits(type) / 8, from_bytes = tsr_dtype_bits(from_type) / 8;
    int64_t const n = below(3) == 0 ? 1 + below(40) : 1 + below(MOST), at = below(3) == 0 ? below(bytes) : 0;
    bool const in_place = type == from_type && below(3) == 0, alone = below(2) == 0, reads = below(2) == 0,
               whole = below(2) == 0;
    tsr_number const alpha = alone ? tsr_number_int(1) : any_factor(whole);
    tsr_number const beta = reads ? any_factor(whole) : tsr_number_int(0);
    tsr_update const u = tsr_make_update((int)below(TSR_OF_EXP), alpha, beta);
    near_count = below(2) * (1 + below(below(2) == 0 ? 4 : 40));
    near_from = below(3) == 0 ? 0 : below(2) == 0 ? 255 - near_count : below(256 - near_count);
    for (int64_t i = 0; i < n; ++i) {
        uint64_t const a = any_pattern(from_type), b = any_pattern(type);
        memcpy(x + at + i * from_bytes, &a, (size_t)from_bytes);
        memcpy(before + at + i * bytes, &b, (size_t)bytes);
    }
    unsigned char *const from = in_place ? y : x;
    tsr_tensor const s = tsr_make_tensor(tsr_make_gmem_ptr((void *)(from + at), from_type), tsr_make_layout(n)),
                     d = tsr_make_tensor(tsr_make_gmem_ptr((void *)(y + at), type), tsr_make_layout(n));
    tsr_planned_copy const p = tsr_apply_plan((tsr_function_id)u.function, alpha, s, beta, d);
    own_cases += type == TSR_F32 && !p.why.status && u.function == TSR_OF_IDENTITY;
    for (int row = 0; tsr_cpu_engine_row(row); ++row) {
        if (!tsr_cpu_engine_use(tsr_cpu_engine_row(row)) || p.why.status)
            return false;
        memcpy(y, before, sizeof y);
        (void)tsr_copy_run(&p, NULL, &s, &d, 0, p.units);
        for (int64_t i = 0; i < n; ++i) {
            uint64_t one = 0, got = 0;
            memcpy(&one, before + at + i * bytes, (size_t)bytes);
            memcpy(&got, y + at + i * bytes, (size_t)bytes);
            uint64_t const old = one;
            tsr_update_element(&u, type, &one, 0, from_type, in_place ? (void const *)&old : x + at + i * from_bytes,
                               0);
            if (one == got)
                continue;
            printf("case %lld, row %s, type %d of %d, function %d, %g, %g%s: element %lld is %llx, not %llx\n",
                   (long long)number, tsr_cpu_engine_row(row), (int)type, (int)from_type, u.function,
                   tsr_number_to_double(alpha), tsr_number_to_double(beta), in_place ? ", in place" : "",
                   (long long)i, (unsigned long long)got, (unsigned long long)one);
            return false;
        }
    }
    return tsr_cpu_engine_use(NULL);
}

int main(int argc, char **argv)
{
    uint64_t const seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int64_t const cases = OF_CASES(argc > 2 ? strtoll(argv[2], NULL, 10) : 4000);
    random_begin(seed);
    for (int64_t i = 0; i < cases; ++i)
        if (!try_update(i)) {
            printf("seed %llu, case %lld failed\n", (unsigned long long)seed, (long long)i);
            return 1;
        }
    printf("%lld updates, %lld of them alpha x + beta y of f32\n", (long long)cases, (long long)own_cases);
    return own_cases == 0;
}

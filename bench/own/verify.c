/** bench_own: whether a product is one, by a plain loop over what is summed. */
#include <math.h>
#include <string.h>

#include "own.h"

static char const bench_alphabet[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** How many elements of C are computed again, and of how many products all of them together at most. */
enum { SAMPLES = 1000, MOST_PRODUCTS = 1 << 22 };

bench_letters bench_letters_of(char const *text, bench_operand const x[3])
{
    bench_letters p;
    memset(&p, 0, sizeof p);
    int t = 0, mode = 0;
    int64_t step = 1;
    for (; *text && t < 3; ++text) {
        char const *const place = strchr(bench_alphabet, *text);
        if (place) {
            int const i = (int)(place - bench_alphabet);
            p.extent[i] = tsr_layout_size(tsr_mode(x[t].tensor.layout, mode++));
            p.in[t][i] = true;
            p.step[t][i] = step;
            step *= p.extent[i];
        } else if (*text == ',' || *text == '>') {
            ++t;
            mode = 0;
            step = 1;
        }
    }
    p.summed = 1;
    for (int i = 0; i < TSR_EINSUM_LETTERS; ++i) {
        p.summed *= p.extent[i] > 0 && !p.in[2][i] ? p.extent[i] : 1;
    }
    return p;
}

static tsr_number element(tsr_tensor const *t, int64_t index)
{
    tsr_number x = tsr_number_int(0);
    tsr_reason const why = tsr_tensor_read(*t, tsr_int(index), &x);
    return why.status ? tsr_number_real(-HUGE_VAL) : x;
}

static double size_of(tsr_number x)
{
    return x.kind == TSR_COMPLEX ? fabs(x.re) + fabs(x.im) : fabs(tsr_number_to_double(x));
}

/** Adds the products of element `at` of C to a number, and their sizes to `size`. */
static tsr_number add_products(bench_letters const *p, bench_operand const x[3], int64_t at, tsr_number sum,
                               double *size)
{
    int64_t digit[TSR_EINSUM_LETTERS] = {0}, index[2] = {0, 0};
    for (int i = 0; i < TSR_EINSUM_LETTERS; ++i)
        for (int t = 0; t < 2 && p->in[2][i]; ++t)
            index[t] += at / p->step[2][i] % p->extent[i] * p->step[t][i];
    for (int64_t n = 0; n < p->summed; ++n) {
        tsr_number const product = tsr_number_mul(element(&x[0].tensor, index[0]), element(&x[1].tensor, index[1]));
        sum = tsr_number_add(sum, product);
        *size += size_of(product);
        for (int i = 0; i < TSR_EINSUM_LETTERS; ++i) {
            if (p->extent[i] == 0 || p->in[2][i])
                continue;
            bool const within = ++digit[i] < p->extent[i];
            for (int t = 0; t < 2; ++t)
                index[t] += within ? p->step[t][i] : -(p->extent[i] - 1) * p->step[t][i];
            if (within)
                break;
            digit[i] = 0;
        }
    }
    return sum;
}

/** How far apart neighbours of a type are, of their size; 0: integers. */
static double precision_of(tsr_dtype type)
{
    tsr_number_kind const kind = tsr_number_kind_of(type);
    bool const wide = type == TSR_F64 || type == TSR_C128;
    if (kind == TSR_COMPLEX || type == TSR_F32 || wide)
        return tsr_exp2_(wide ? -52 : -23);
    return kind == TSR_REAL ? tsr_exp2_(-tsr_float_format_of(type).mantissa) : 0;
}

bool bench_is_product(char const *letters, bench_operand const x[3], void const *c0)
{
    tsr_tensor const *const c = &x[2].tensor;
    tsr_tensor old = *c;
    bench_letters const p = bench_letters_of(letters, x);
    tsr_dtype const type = c->engine.type;
    int64_t const n = tsr_layout_size(c->layout), most = tsr_max64(tsr_min64(SAMPLES, MOST_PRODUCTS / p.summed), 1);
    bool const doubles = type == TSR_F64 || type == TSR_C128;
    if (c0)
        old.engine.address += (uint64_t)(uintptr_t)c0 - (uint64_t)(uintptr_t)x[2].memory;
    for (int64_t i = 0; i < n; i += 1 + n / most) {
        uint64_t rounded[2] = {0, 0};
        double size = 0;
        tsr_number const sum = add_products(&p, x, i, c0 ? element(&old, i) : tsr_number_int(0), &size);
        tsr_store(type, rounded, 0, sum);
        tsr_number const wanted = tsr_load(type, rounded, 0), got = element(c, i);
        double const precision = precision_of(type), sums = precision > 0 ? tsr_exp2_(doubles ? -52 : -23) : 0;
        size += c0 ? size_of(element(&old, i)) : 0;
        double const bound = (double)(p.summed + 4) * sums * size + precision * size_of(wanted);
        double const re = fabs(tsr_number_to_double(got) - tsr_number_to_double(wanted));
        double const im = wanted.kind == TSR_COMPLEX ? fabs(got.im - wanted.im) : 0;
        if (!(re <= bound) || !(im <= bound))
            return complain("the product is wrong: element %lld is %g, not %g", (long long)i,
                            tsr_number_to_double(got), tsr_number_to_double(wanted)),
                   false;
    }
    return true;
}

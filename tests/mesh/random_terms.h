/** Random types and factors, and what a run with them must leave: alpha * wanted + beta * what was there. All numbers
 *  are whole and small, so that every type has them. */
#ifndef TESTS_DIST_RANDOM_TERMS_H
#define TESTS_DIST_RANDOM_TERMS_H

#include "random_pair.h"

static inline tsr_dtype random_type(void)
{
    static tsr_dtype const types[] = {TSR_I32, TSR_F32, TSR_I64, TSR_F64};
    return types[noise(4)];
}

static inline tsr_dist_terms random_terms(void)
{
    tsr_dist_terms t = tsr_dist_terms_of(random_type());
    t.to = noise(3) ? random_type() : t.from;
    t.alpha = noise(2) ? tsr_number_int(1 + noise(3)) : tsr_number_real((double)(noise(5) - 2));
    t.beta = noise(2) ? tsr_number_int(0) : tsr_number_real((double)(1 + noise(2)));
    return t;
}

static inline double element_at(void const *memory, tsr_dtype type, int64_t i)
{
    return type == TSR_I32   ? ((int32_t const *)memory)[i]
           : type == TSR_F32 ? (double)((float const *)memory)[i]
           : type == TSR_I64 ? (double)((int64_t const *)memory)[i]
                             : ((double const *)memory)[i];
}

/** The same numbers in another type; frees what it is given. */
static inline void *typed(int32_t *numbers, int64_t n, tsr_dtype type)
{
    char *const memory = numbers ? (char *)malloc((size_t)n * (size_t)tsr_dtype_bits(type) / 8) : NULL;
    for (int64_t i = 0; memory && i < n; ++i) {
        if (type == TSR_I32)
            ((int32_t *)memory)[i] = numbers[i];
        else if (type == TSR_F32)
            ((float *)memory)[i] = (float)numbers[i];
        else if (type == TSR_I64)
            ((int64_t *)memory)[i] = numbers[i];
        else
            ((double *)memory)[i] = numbers[i];
    }
    free(numbers);
    return memory;
}

/** Has the new part of a rank what `times` runs leave? */
static inline bool same_terms(pair const *p, int64_t rank, void const *got, tsr_dist_terms const *t, int times)
{
    tsr_dist_part part;
    int32_t *const wanted = wanted_of(p, rank);
    bool same = true;
    (void)tsr_dist_part_of(&p->to, rank, &part);
    for (int64_t i = 0; same && wanted && i < part.span; ++i) {
        double x = UNTOUCHED;
        for (int k = 0; wanted[i] != UNTOUCHED && k < times; ++k)
            x = tsr_number_to_double(t->alpha) * wanted[i] + tsr_number_to_double(t->beta) * x;
        same = element_at(got, t->to, i) == x;
        if (!same)
            printf("rank %lld offset %lld: %g, not %g\n", (long long)rank, (long long)i, element_at(got, t->to, i),
                   x);
    }
    free(wanted);
    return same;
}

#endif

/** What the files of linear maps share: sides, their places, and the echelon form of bases. */
#ifndef TSR_SRC_CORE_LINEAR_SIDE_H
#define TSR_SRC_CORE_LINEAR_SIDE_H

#include "tessera/core/linear.h"

/** The first bit of a dimension, and behind the last one the number of all bits. */
static inline int linear_begin(tsr_linear_side const *side, int dim)
{
    int begin = 0;
    for (int i = 0; i < dim; ++i)
        begin += side->bits[i];
    return begin;
}

/** The lowest n bits. */
static inline uint64_t linear_mask(int n) { return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1; }

/** Why dimension `dim` of two sides differs; its bits in both, -1: only the other one has it, -2: in another place. */
static inline tsr_reason linear_mismatch(int dim, int here, int there)
{
    if (there == -2)
        return tsr_because(TSR_LINEAR_ORDER, dim, here, 0, 0);
    if (here < 0 || there < 0)
        return tsr_because(TSR_LINEAR_NAMESAKE, dim, here < 0 ? there : here, 0, 0);
    return tsr_because(TSR_LINEAR_MATCH, dim, here, there, 0);
}

/** The bits of dimension `dim` of a number of a side. */
static inline uint64_t linear_part(tsr_linear_side const *side, int dim, uint64_t x)
{
    int const begin = linear_begin(side, dim);
    return begin >= 64 ? 0 : x >> begin & linear_mask(side->bits[dim]);
}

/** x, shifted to where dimension `dim` begins. */
static inline uint64_t linear_place(tsr_linear_side const *side, int dim, uint64_t x)
{
    int const begin = linear_begin(side, dim);
    return begin >= 64 ? 0 : x << begin;
}

/** The number of the lowest bit of x, which is not 0. */
static inline int linear_lowest(uint64_t x) { return tsr_bit_width(x & (0 - x)) - 1; }

/** Bases in echelon form: for each output bit, the vector whose lowest bit it is, and the inputs that give it. */
typedef struct linear_echelon {
    uint64_t vector[TSR_LINEAR_BITS], inputs[TSR_LINEAR_BITS];
    uint64_t pivots; /* the output bits with a vector */
    uint64_t free;   /* the input bits that depend on those before */
    int rank;
    uint64_t kernel; /* the inputs of the first such bit: they give 0 together */
} linear_echelon;

/** The echelon form of no vectors. */
static inline linear_echelon linear_nothing(void)
{
    linear_echelon e = TSR_ZERO;
    return e;
}

/** What is left of a vector: 0 where it is in the span. */
static inline uint64_t linear_reduce(linear_echelon const *e, uint64_t v, uint64_t *inputs)
{
    for (uint64_t rest = v & e->pivots; rest; rest = v & e->pivots) {
        int const p = linear_lowest(rest);
        v ^= e->vector[p];
        *inputs ^= e->inputs[p];
    }
    return v;
}

/** Puts a vector in; false where it is in the span already. The vectors stay reduced: each has one pivot, its own. */
static inline bool linear_insert(linear_echelon *e, uint64_t v, uint64_t inputs)
{
    v = linear_reduce(e, v, &inputs);
    if (v == 0) {
        if (e->kernel == 0)
            e->kernel = inputs;
        return false;
    }
    int const p = linear_lowest(v);
    for (uint64_t rest = e->pivots; rest; rest &= rest - 1) {
        int const q = linear_lowest(rest);
        if (e->vector[q] >> p & 1u) {
            e->vector[q] ^= v;
            e->inputs[q] ^= inputs;
        }
    }
    e->vector[p] = v;
    e->inputs[p] = inputs;
    e->pivots |= (uint64_t)1 << p;
    ++e->rank;
    return true;
}

/** The echelon form of a map. */
static inline linear_echelon linear_echelon_of(tsr_linear const *f)
{
    linear_echelon e = linear_nothing();
    int const bits = tsr_linear_bits(&f->in);
    for (int i = 0; i < bits; ++i)
        if (!linear_insert(&e, f->basis[i], (uint64_t)1 << i))
            e.free |= (uint64_t)1 << i;
    return e;
}

/** A map with the inputs and outputs of others, not checked. */
static inline tsr_linear linear_between(tsr_linear_side const *in, tsr_linear_side const *out)
{
    tsr_linear r = TSR_ZERO;
    r.in = *in;
    r.out = *out;
    return r;
}

#endif

/** What the forms of a fit share: the grid of coordinates, the function that is sampled, and how a sample is told. */
#ifndef TSR_SRC_FIT_FIT_H
#define TSR_SRC_FIT_FIT_H

#include <string.h>

#include "tessera/samples.h"

#include "convert/convert.h"

/** The leaves of a shape: coordinate index c has digit c / weight % extent in a leaf. */
typedef struct grid {
    int leaves;
    int64_t size, extent[TSR_MAX_LEAVES], weight[TSR_MAX_LEAVES];
} grid;

grid tsr_fit_grid_(tsr_tuple const *shape);

static inline int64_t grid_digit(grid const *g, int leaf, int64_t c) { return c / g->weight[leaf] % g->extent[leaf]; }

/** Samples, seen through an exclusive or of bits of the coordinate: bits [from, from + bits) of leaf `of` are xored
 *  into those from `to` on of leaf `into`. bits 0: as they are. */
typedef struct exclusive {
    int of, from, into, to, bits;
} exclusive;

typedef struct source {
    int64_t const *value;
    grid const *grid;
    exclusive change;
} source;

static inline int64_t source_index(source const *f, int64_t c)
{
    exclusive const *const x = &f->change;
    if (x->bits > 0) {
        int64_t const digits = grid_digit(f->grid, x->of, c) >> x->from & (((int64_t)1 << x->bits) - 1);
        int64_t const old = grid_digit(f->grid, x->into, c);
        c += ((old ^ digits << x->to) - old) * f->grid->weight[x->into];
    }
    return c;
}

static inline int64_t source_at(source const *f, int64_t c) { return f->value[source_index(f, c)]; }

/** A sum of one function a leaf, each a mixed radix: what a layout without a swizzle is. */
typedef struct radix {
    int count;
    int64_t extent[TSR_LINEAR_BITS], stride[TSR_LINEAR_BITS];
} radix;

typedef struct sums {
    int64_t base;
    radix of[TSR_MAX_LEAVES];
} sums;

/** The value of a sum at a coordinate. */
int64_t tsr_fit_sums_at_(sums const *r, grid const *g, int64_t c);

/** The sum that a source is; else *at is the first sample that it is not, and *got what it gives there. `work` has room
 *  for the size of the grid. */
bool tsr_fit_sums_(source const *f, int64_t *work, sums *r, int64_t *at, int64_t *got);

/** The value of the expression of C, or of Python, at s->p, whose names have these values. */
int64_t tsr_fit_expression_(scan *s, bool python, int names, char const (*name)[TSR_LINEAR_NAME],
                            int64_t const *value);

/** How many coordinates a shape has; 0, and why not. */
int64_t tsr_fit_size_(tsr_tuple shape, tsr_reason *why);

/** The number of samples that are missing. */
int64_t tsr_fit_missing_(tsr_samples const *s);

/** Writes that a sample is something else than a form says. */
void tsr_fit_break_(tsr_found *r, tsr_samples const *s, int64_t at, int64_t got);

/** Writes the sentence of a reason. */
void tsr_fit_refuse_(tsr_found *r, tsr_reason why);

/* The forms: each fills r, and returns r->ok */

bool tsr_fit_plain_(tsr_samples const *s, unsigned flags, tsr_found *r);
bool tsr_fit_swizzled_(tsr_samples const *s, unsigned flags, tsr_found *r);
bool tsr_fit_linear_(tsr_samples const *s, tsr_found *r);
bool tsr_fit_sum_(tsr_samples const *s, unsigned flags, tsr_found *r);
bool tsr_fit_descriptor_(tsr_samples const *s, tsr_found *r);

#endif

/** The arithmetic of a descriptor, written out: a few values, one after the other; the offset is one of them, and
 *  bounds say which elements are there.
 *
 *      input       the index of a top dimension            rest      value mod number
 *      sum         constant + sum of number * value        low       the same, the number a power of two
 *      quotient    value / number                          xor       value ^ (other mod number)
 *                                                          gather    table[value]
 *
 *  A graph takes many small steps where a formula takes few. Sums of sums are one sum, a remainder is its dividend less
 *  a multiple of the quotient, and an even division is left out. Numbers that are not known decide nothing. So
 *  descriptors that differ in such numbers have one structure. The compiler can know it while the numbers come at run
 *  time (cuda/tile.cuh).
 *
 *  Law     where all bounds hold, the offset is that of the graph; they hold where the graph has an element.
 *  Limits  TSR_MAX_VALUES, TSR_MAX_PARTS, TSR_MAX_BOUNDS.
 */
#ifndef TSR_TILE_FORMULA_H
#define TSR_TILE_FORMULA_H

#include "tessera/tile/encoding.h"
#include "tessera/tile/evaluate.h"

TSR_HEADER_BEGIN

#define TSR_MAX_VALUES 64
#define TSR_MAX_PARTS 96
#define TSR_MAX_BOUNDS 24

/** A number of a graph: known with the structure, or known to be a multiple of something only. */
typedef struct tsr_known {
    int64_t is;
    int64_t multiple; /* 0: it is known */
    uint8_t source;   /* which number of the graph */
} tsr_known;

/** The numbers of a graph, counted: lengths, coefficients, numbers of transforms. */
#define TSR_SOURCE_COEFFICIENT TSR_MAX_HIDDEN
#define TSR_SOURCE_NUMBER (2 * TSR_MAX_HIDDEN)
#define TSR_SOURCES (2 * TSR_MAX_HIDDEN + TSR_MAX_TRANSFORMS)

/** Is it known, and this? */
TSR_INTERNAL bool tsr_is_(tsr_known a, int64_t n);

typedef enum tsr_value_kind {
    TSR_VALUE_INPUT,
    TSR_VALUE_SUM,
    TSR_VALUE_QUOTIENT,
    TSR_VALUE_REST,
    TSR_VALUE_LOW,
    TSR_VALUE_XOR,
    TSR_VALUE_GATHER
} tsr_value_kind;

typedef struct tsr_value {
    uint8_t kind, of, other; /* values before this one */
    uint8_t first, parts;    /* of a sum */
    uint8_t table;
    bool whole;              /* it is multiplied by a number that is not known */
    tsr_known number;        /* the constant of a sum, the divisor, the length of a xor and of a table */
    int64_t least, greatest; /* for elements that are there; -TSR_INT_MAX, TSR_INT_MAX: without end */
} tsr_value;

/** number * value, in a sum. */
typedef struct tsr_value_part {
    uint8_t value;
    tsr_known number;
} tsr_value_part;

/** 0 <= value, if `left`; value < end, if `right`. */
typedef struct tsr_bound {
    uint8_t value;
    bool left, right;
    tsr_known end;
} tsr_bound;

typedef struct tsr_formula {
    tsr_reason why;
    uint8_t inputs, values, parts, bounds, outputs;
    uint8_t output[TSR_MAX_XS];      /* of a descriptor: the offset; of a distribution: the X */
    tsr_value value[TSR_MAX_VALUES]; /* the inputs first */
    tsr_value_part part[TSR_MAX_PARTS];
    tsr_bound bound[TSR_MAX_BOUNDS];
    int64_t const *table[TSR_MAX_TABLES];
} tsr_formula;

/** The offset at an index, and whether there is an element. */
TSR_OP int64_t tsr_formula_offset(tsr_formula const *f, int64_t const *index, bool *there);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/formula.h"
#endif

#endif

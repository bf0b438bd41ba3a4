/** Random pairs of tensors: permuted, ragged, with gaps, backward, repeated, swizzled, of other modes, converted,
 *  anywhere. */
#ifndef TESTS_GPU_ANY_PAIR_H
#define TESTS_GPU_ANY_PAIR_H

#include "any_layout.h"
#include "tessera/text.h"

/** Bytes of each side, and what stays free at its ends. */
enum { PAIR_BYTES = 1 << 20, PAIR_GUARD = 4096 };

typedef struct any_pair {
    tsr_layout from, to;
    tsr_dtype from_type, to_type;
    int64_t from_at, to_at; /* bytes at which offset 0 is */
} any_pair;

static bool once_in(int64_t n) { return below(n) == 0; }

/** A shape of at most `limit` elements. */
static tsr_tuple pair_shape(int64_t limit)
{
    tsr_tuple r = TSR_ZERO;
    int const flavour = (int)below(5), rank = flavour == 4 ? 2 + (int)below(2) : 1 + (int)below(6);
    int64_t const mean = rank == 1 ? 4000 : rank == 2 ? 150 : rank == 3 ? 30 : 9;
    for (int i = 0; i < rank; ++i) {
        int64_t n = flavour == 0   ? (int64_t)1 << below(tsr_bit_width((uint64_t)mean) + 1)
                    : flavour == 1 ? 1 + below(6)
                                   : 1 + below(2 * mean);
        if (flavour == 2 && once_in(rank))
            n = 8 * (1 + below(40));
        if (flavour == 4) /* interleaved units */
            n = i == 0 ? 2 + below(once_in(4) ? 30 : 4) : i == 1 ? 100 + below(1500) : 1 + below(60);
        n = tsr_min64(n, limit);
        limit /= n;
        tsr_tuple_push_leaf(&r, tsr_leaf_dynamic(n));
    }
    return tsr_tuple_close(r);
}

/** Steps in a random order of the modes; `free`: they may be 0 or negative. */
static tsr_layout pair_layout(tsr_tuple shape, bool free)
{
    tsr_layout l = TSR_ZERO;
    int order[TSR_MAX_LEAVES];
    int const gaps = (int)below(4), n = shape.leaves;
    int64_t current = gaps == 3 && once_in(3) ? 1 + below(3) : 1;
    l.shape = l.stride = shape;
    for (int i = 0; i < n; ++i)
        order[i] = i;
    for (int i = n - 1; i > 0 && !once_in(5); --i) {
        int const j = (int)below(i + 1), swap = order[i];
        order[i] = order[j];
        order[j] = swap;
    }
    for (int k = 0; k < n; ++k) {
        tsr_leaf *const stride = &l.stride.leaf[order[k]];
        bool const zero = free && once_in(12);
        stride->value = zero ? 0 : free && once_in(8) ? -current : current;
        if (!zero)
            current *= shape.leaf[order[k]].value;
        if (gaps == 1 && once_in(2))
            current = (current + 15) / 16 * 16; /* rows that begin at multiples */
        if (gaps == 2 && once_in(3))
            current += below(5);
    }
    return l;
}

/** The same elements in other modes. */
static tsr_tuple pair_other_shape(tsr_tuple shape)
{
    int64_t const n = tsr_product(shape).leaf[0].value;
    int64_t part = 1 + below(64);
    int const flavour = (int)below(8);
    if (flavour > 1)
        return shape;
    while (n % part != 0)
        --part;
    return flavour == 0 ? tsr_t(n) : tsr_t(part, n / part);
}

static tsr_layout pair_swizzled(tsr_layout l)
{
    int64_t const bits = 1 + below(3), base = below(5), shift = bits + below(4);
    return tsr_swizzled(tsr_make_swizzle(bits, base, once_in(4) ? -shift : shift), l);
}

static tsr_dtype pair_type(void)
{
    static tsr_dtype const types[] = {TSR_U8,   TSR_F16, TSR_F32,  TSR_F32, TSR_F64,
                                      TSR_U128, TSR_U4,  TSR_BF16, TSR_C64};
    return types[below((int64_t)(sizeof types / sizeof types[0]))];
}

/** Bytes before offset 0 and behind it that a side reaches; false when it does not fit. */
static bool pair_place(tsr_layout l, tsr_dtype type, int64_t *at)
{
    int64_t const bits = tsr_dtype_bits(type);
    tsr_tuple const span = tsr_span(l);
    if (span.status)
        return false;
    int64_t const low = -(span.leaf[0].value * bits / 8 - 1), high = span.leaf[1].value * bits / 8 + 16;
    int64_t const shift = once_in(2) ? 0 : (bits >= 8 && !once_in(20) ? bits / 8 : 1) * below(16);
    *at = PAIR_GUARD + (low + 255) / 256 * 256 + shift;
    return *at + high <= PAIR_BYTES - PAIR_GUARD;
}

/** A pair that fits, of at most `limit` elements. `cast`: 0 never, else another type once in `cast` times. */
static any_pair any_pair_of(int64_t limit, int cast, tsr_dtype (*any_type)(void))
{
    any_pair p;
    do {
        tsr_tuple const shape = pair_shape(once_in(4) ? limit : limit / 8);
        p.from = pair_layout(shape, true);
        p.to = pair_layout(pair_other_shape(shape), false);
        if (once_in(8))
            p.from = pair_swizzled(p.from);
        if (once_in(8))
            p.to = pair_swizzled(p.to);
        p.from_type = p.to_type = pair_type();
        if (cast && once_in(cast)) {
            p.from_type = any_type();
            p.to_type = any_type();
        }
        if (once_in(100))
            p.from = p.to = tsr_parse(once_in(2) ? "():()" : "1:0");
    } while (!pair_place(p.from, p.from_type, &p.from_at) || !pair_place(p.to, p.to_type, &p.to_at));
    return p;
}

/** Whether sums have the same bits on all machines: NaN has one pattern. */
static inline bool has_one_sum(any_pair const *p)
{
    bool const wide = p->to_type == TSR_F64 || tsr_dtype_code(p->to_type) == 5 || tsr_dtype_code(p->from_type) == 5;
    return !wide && tsr_number_kind_of(p->from_type) != TSR_NO_NUMBER
           && tsr_number_kind_of(p->to_type) != TSR_NO_NUMBER;
}

static inline tsr_tensor pair_tensor(uint64_t memory, int64_t at, tsr_dtype type, tsr_layout l)
{
    return tsr_make_tensor_of(tsr_gmem_ptr(tsr_int((int64_t)memory + at), type), l);
}

#endif

/** Combine: tsr_combine of exec/transform.h. Long runs of one type are computed where they lie, others in groups that
 *  are gathered, computed side by side and written. */
#include "exec/compute/combine_runs.h"
#include "exec/by_address.h"

enum { TSR_COMBINED_ = TSR_TRANSFORMED, TSR_LONG_RUN_ = 32 };

/** A run of elements along the innermost loop: where the destination is, and how many. */
typedef struct tsr_combined_run_ {
    int64_t to, n;
} tsr_combined_run_;

/* One element */

static tsr_number tsr_combined_factor_(tsr_combination_ const *c, tsr_number factor, tsr_number x)
{
    bool const whole = tsr_number_is_int_(x) && tsr_number_is_int_(factor);
    if (!c->ints && x.kind != TSR_COMPLEX)
        x = tsr_number_real(tsr_number_to_double(x));
    if (!c->ints && factor.kind != TSR_COMPLEX)
        factor = tsr_number_real(tsr_number_to_double(factor));
    bool const is_one = factor.kind != TSR_COMPLEX && tsr_number_to_double(factor) == 1;
    tsr_number r = is_one ? x : tsr_number_scale_(factor, x);
    if (c->parts && whole)
        r.re += 0.0; /* a product of integers is no -0 */
    return r;
}

static tsr_number tsr_combined_number_(tsr_number x, tsr_number y, void const *context)
{
    tsr_combination_ const *const c = (tsr_combination_ const *)context;
    tsr_number const a = tsr_combined_factor_(c, c->alpha, x), b = tsr_combined_factor_(c, c->beta, y);
    tsr_number z = a;
    switch (c->op) {
#define TSR_X_(id, name, real, number) \
  case TSR_COMBINE_##id:               \
    z = number;                        \
    break;
        TSR_COMBINER_LIST(TSR_X_)
#undef TSR_X_
    default:
        break;
    }
    z.re = z.re != z.re ? tsr_nan_() : z.re;
    z.im = z.im != z.im ? tsr_nan_() : z.im;
    return z;
}

/* Elements side by side */

bool tsr_combine_by_loops_(int op, tsr_dtype type, void *to, void const *x, void const *y, int64_t n)
{
    return tsr_combine_run_of_(op, type, to, x, y, n);
}

/** Elements of one type as they are; false: nothing is done. */
static bool tsr_combine_direct_(tsr_combination_ const *c, tsr_dtype type, void *to, void const *x, void const *y,
                                int64_t n)
{
    bool const integers = tsr_dtype_code(type) <= 1 || type == TSR_BOOL;
    return (c->ints || !integers) && tsr_engine_combine_run(c->op, type, to, x, y, n);
}

/** Real numbers times -1, in complex ones: their other part stays +0, and so does an integer of 0. */
static void tsr_combined_turn_(double *x, bool is_int, int64_t n)
{
    for (int64_t i = 0; i < 2 * n; i += 2)
        x[i] = is_int ? 0 - x[i] : -x[i];
}

/** What numbers are converted to. A float does where the destination has floats, or where all three have one type of at
 *  most 11 bits: a float has twice their digits, too, and two more (tsr_update_is_single_). */
static tsr_dtype tsr_combined_in_(tsr_combination_ const *c, tsr_side const *side)
{
    tsr_dtype const type = side[2].type;
    bool const one = side[0].type == type && side[1].type == type && tsr_dtype_bits(type) <= 16;
    bool floats = type == TSR_F32 || one;
    for (int i = 0; i < 3; ++i)
        floats = floats && tsr_form_of_(side[i].type).is_float;
    return c->orders_wide ? TSR_U64 : c->ints ? TSR_I64 : c->parts ? TSR_C128 : floats ? TSR_F32 : TSR_F64;
}

/** Whether some of n floats are below the normal ones, but not 0. */
static bool tsr_some_are_small_(float const *x, int64_t n)
{
    uint32_t found = 0;
    for (int64_t i = 0; i < n; ++i) {
        uint32_t const size = tsr_float_bits_(x[i]) & 0x7fffffff;
        found |= (uint32_t)(size - 1 < 0x7fffff);
    }
    return found != 0;
}

/** n elements of types of which the destination has none, by way of others. */
static void tsr_combine_in_(tsr_dtype work, tsr_combination_ const *c, tsr_side const *side, void *to,
                            void const *const *from, int64_t n)
{
    uint64_t in[2][2 * TSR_COMBINED_], other[2 * TSR_COMBINED_];
    bool const turns = c->parts && c->op == TSR_DIFFERENCE_;
    void *const out = side[2].type == work ? to : (void *)other;
    void const *x[2];
    for (int i = 0; i < 2; ++i) {
        x[i] = side[i].type == work && !turns ? from[i] : (void const *)in[i];
        if (x[i] == in[i])
            tsr_engine_convert(work, in[i], side[i].type, from[i], n);
    }
    if (turns && side[1].type != TSR_C64 && side[1].type != TSR_C128) {
        tsr_combined_turn_((double *)in[1], tsr_form_of_(side[1].type).is_int, n);
        (void)tsr_engine_combine_run(TSR_COMBINE_SUM, TSR_F64, out, in[0], in[1], 2 * n);
    } else {
        (void)tsr_combine_direct_(c, work, out, x[0], x[1], n);
    }
    /* Products and quotients of bf16 may be as small as the smallest floats, and are then rounded twice. */
    if (work == TSR_F32 && side[2].type == TSR_BF16 && tsr_some_are_small_((float const *)(void const *)out, n))
        tsr_combine_in_(TSR_F64, c, side, to, from, n);
    else if (out != to)
        tsr_engine_convert(side[2].type, to, work, out, n);
}

/** n elements of x and y, side by side, to those of the destination. */
static void tsr_combine_group_(tsr_combination_ const *c, tsr_side const *side, void *to, void const *x,
                               void const *y, int64_t n)
{
    void const *const from[2] = {x, y};
    tsr_dtype const type = side[2].type;
    if (side[0].type != type || side[1].type != type || !tsr_combine_direct_(c, type, to, x, y, n))
        tsr_combine_in_(tsr_combined_in_(c, side), c, side, to, from, n);
}

/* Elements of tensors */

/** Do elements of whole bytes lie side by side? */
static bool tsr_is_dense_(tsr_side const *x, int64_t step)
{
    return x->swizzle.bits == 0 && step == tsr_dtype_bits(x->type) && step % 8 == 0;
}

/** n elements of whole bytes, from one step to the other, in bytes. One that is repeated goes side by side. */
static void tsr_combine_move_(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step,
                              int bytes, int64_t n)
{
    uint64_t pair[2] = {0, 0};
    switch (bytes) {
#define TSR_X_(T)                                               \
  case sizeof(T): {                                             \
    T one = 0;                                                  \
    TSR_COPY(&one, from, sizeof one);                           \
    for (int64_t i = 0; from_step == 0 && i < n; ++i)           \
      TSR_COPY(to + i * (int64_t)sizeof one, &one, sizeof one); \
    for (int64_t i = 0; from_step != 0 && i < n; ++i) {         \
      TSR_COPY(&one, from + i * from_step, sizeof one);         \
      TSR_COPY(to + i * to_step, &one, sizeof one);             \
    }                                                           \
    break;                                                      \
  }
        TSR_PATTERN_LIST(TSR_X_)
#undef TSR_X_
    default:
        for (int64_t i = 0; i < n; ++i) {
            TSR_COPY(pair, from + i * from_step, sizeof pair);
            TSR_COPY(to + i * to_step, pair, sizeof pair);
        }
        break;
    }
}

static void tsr_combine_gather_(tsr_side const *x, uint64_t base, int64_t at, int64_t step, int64_t n,
                                unsigned char *out)
{
    int const bits = tsr_dtype_bits(x->type);
    if (x->swizzle.bits == 0 && bits % 8 == 0)
        tsr_combine_move_(out, bits / 8, tsr_byte_at_(base, at), step / 8, bits / 8, n);
    else
        tsr_reduce_gather_(x, base, at, step, n, out);
}

static void tsr_combine_scatter_(tsr_side const *x, uint64_t base, int64_t at, int64_t step, int64_t n,
                                 unsigned char const *in)
{
    int const bits = tsr_dtype_bits(x->type);
    if (x->swizzle.bits == 0 && bits % 8 == 0)
        tsr_combine_move_(tsr_byte_at_(base, at), step / 8, in, bits / 8, bits / 8, n);
    else
        tsr_reduce_scatter_(x, base, at, step, n, in);
}

/** A run of one type that lies side by side in all three, as far as it goes. False: it does not, or is too short. */
static bool tsr_combine_long_(tsr_combination_ const *c, tsr_transform_ *t)
{
    int64_t const n = tsr_min64(t->left, t->count[0] - t->digit[0]);
    unsigned char *lies[3];
    for (int i = 0; i < 3; ++i) {
        if (n < TSR_LONG_RUN_ || t->side[i].type != t->side[2].type || !tsr_is_dense_(&t->side[i], t->step[i][0]))
            return false;
        lies[i] = tsr_byte_at_(t->base[i], t->at[i]);
    }
    bool const done = tsr_combine_direct_(c, t->side[2].type, lies[2], lies[0], lies[1], n);
    if (done)
        tsr_transform_step_(t, n);
    return done;
}

/** The next group: one run, which is read and written where it lies if it is dense, or several short ones. */
static void tsr_combine_next_(tsr_combination_ const *c, tsr_transform_ *t)
{
    uint64_t raw[2][2 * TSR_COMBINED_], out[2 * TSR_COMBINED_];
    tsr_combined_run_ run[TSR_COMBINED_];
    int const bytes[3] = {(tsr_dtype_bits(t->side[0].type) + 7) / 8, (tsr_dtype_bits(t->side[1].type) + 7) / 8,
                          (tsr_dtype_bits(t->side[2].type) + 7) / 8};
    void const *from[2] = {raw[0], raw[1]};
    int64_t most = tsr_min64(t->left, TSR_COMBINED_), n = 0;
    int runs = 0;
    while (n < most) {
        tsr_combined_run_ const r = {t->at[2], tsr_min64(t->count[0] - t->digit[0], most - n)};
        most = runs == 0 && r.n >= TSR_LONG_RUN_ ? r.n : most;
        for (int i = 0; i < 2; ++i)
            if (r.n == most && tsr_is_dense_(&t->side[i], t->step[i][0]))
                from[i] = tsr_byte_at_(t->base[i], t->at[i]);
            else
                tsr_combine_gather_(&t->side[i], t->base[i], t->at[i], t->step[i][0], r.n,
                                    (unsigned char *)raw[i] + n * bytes[i]);
        run[runs++] = r;
        n += r.n;
        tsr_transform_step_(t, r.n);
    }
    bool const dense = tsr_is_dense_(&t->side[2], t->step[2][0]);
    void *const into = dense && runs == 1 ? (void *)tsr_byte_at_(t->base[2], run[0].to) : (void *)out;
    tsr_combine_group_(c, t->side, into, from[0], from[1], n);
    n = 0;
    for (int k = 0; k < runs && into == out; n += run[k++].n) {
        unsigned char const *const in = (unsigned char const *)out + n * bytes[2];
        if (dense)
            memcpy(tsr_byte_at_(t->base[2], run[k].to), in, (size_t)(run[k].n * bytes[2]));
        else
            tsr_combine_scatter_(&t->side[2], t->base[2], run[k].to, t->step[2][0], run[k].n, in);
    }
}

void tsr_combine_run_(tsr_combination_ const *c, tsr_transform_ *t)
{
    while (t->left > 0)
        if (!tsr_combine_long_(c, t))
            tsr_combine_next_(c, t);
}

void tsr_combine_part_(tsr_combination_ const *c, tsr_transform_ const *whole, int64_t first, int64_t last)
{
    tsr_transform_ t = *whole;
    tsr_nest_ const n = tsr_transform_nest_(&t);
    tsr_nest_seek_(&n, first, t.digit, t.at);
    t.left = last - first;
    tsr_combine_run_(c, &t);
}

static bool tsr_is_factor_(tsr_number x, int64_t one) { return tsr_number_is_int_(x) && (int64_t)x.bits == one; }

/** What tensors are computed in. */
static tsr_combination_ tsr_combination_of_(tsr_combiner op, tsr_number alpha, tsr_number beta,
                                            tsr_tensor const *const all[3])
{
    tsr_combination_ c = {(int)op, false, false, false, alpha, beta};
    c.ints = op != TSR_COMBINE_QUOTIENT && tsr_number_is_int_(alpha) && tsr_number_is_int_(beta);
    for (int i = 0; i < 3; ++i) {
        bool const memory = all[i]->engine.kind == TSR_POINTER;
        int const kind = memory ? (int)tsr_number_kind_of(all[i]->engine.type) : TSR_SIGNED;
        c.ints = c.ints && (kind == TSR_SIGNED || kind == TSR_UNSIGNED);
        c.parts = c.parts || kind == TSR_COMPLEX;
    }
    c.orders_wide =
        c.ints && op > TSR_COMBINE_QUOTIENT && (all[0]->engine.type == TSR_U64 || all[1]->engine.type == TSR_U64);
    return c;
}

/** Whether loops give what the law says of each element: without factors, but -1 of a sum's y, and without integers
 *  that no type of 64 bits holds, or real numbers that become complex. */
static bool tsr_combines_by_loops_(tsr_combination_ const *c, tsr_dtype x, tsr_dtype y)
{
    bool const turns = c->op == TSR_COMBINE_SUM && tsr_is_factor_(c->beta, -1);
    bool const signs = tsr_number_kind_of(x) == TSR_SIGNED || tsr_number_kind_of(y) == TSR_SIGNED;
    bool const becomes = c->parts && tsr_dtype_code(x) != 5 && tsr_dtype_code(y) != 5;
    return tsr_is_factor_(c->alpha, 1) && (turns || tsr_is_factor_(c->beta, 1)) && !(c->orders_wide && signs)
           && !becomes;
}

/** Runs tensors that are begun. */
static tsr_reason tsr_combine_begun_(tsr_combination_ *c, tsr_transform_ *t, tsr_tensor const *const all[3])
{
    if (t->by_element || !tsr_combines_by_loops_(c, all[0]->engine.type, all[1]->engine.type))
        return tsr_transform_2(*all[0], *all[1], *all[2], tsr_combined_number_, c);
    if (c->op == TSR_COMBINE_SUM && tsr_is_factor_(c->beta, -1))
        c->op = TSR_DIFFERENCE_;
    tsr_engine_combine(c, t);
    return t->why;
}

void tsr_combine_checked_(tsr_combiner op, tsr_tensor const *x, bool negative, tsr_tensor const *y,
                          tsr_tensor const *z)
{
    tsr_tensor const *const all[3] = {x, y, z};
    tsr_combination_ c = tsr_combination_of_(op, tsr_number_int(1), tsr_number_int(negative ? -1 : 1), all);
    tsr_transform_ t TSR_SCRATCH;
    tsr_transform_open_(&t, x, y, z, false);
    (void)tsr_combine_begun_(&c, &t, all);
}

tsr_reason tsr_combine(tsr_combiner op, tsr_number alpha, tsr_tensor const *x, tsr_number beta, tsr_tensor const *y,
                       tsr_tensor const *z)
{
    tsr_tensor const *const all[3] = {x, y, z};
    tsr_combination_ c = tsr_combination_of_(op, alpha, beta, all);
    tsr_transform_ t TSR_SCRATCH;
    bool const known = (unsigned)op < TSR_COMBINERS && alpha.kind != TSR_NO_NUMBER && beta.kind != TSR_NO_NUMBER;
    if (op == TSR_COMBINE_SUM && known && tsr_number_is_zero(beta) && y->engine.kind == TSR_POINTER)
        return tsr_axpby(alpha, x, beta, z);
    tsr_transform_begin_(&t, x, y, z, false);
    if (!t.why.status && (!known || (c.parts && op > TSR_COMBINE_PRODUCT)))
        return tsr_because(TSR_NOT_NUMBERS, 0, 0, 0, 0);
    if (t.why.status)
        return t.why;
    return tsr_combine_begun_(&c, &t, all);
}

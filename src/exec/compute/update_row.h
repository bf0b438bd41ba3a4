/* alpha * f(x) + beta * y of one instruction set, a block of packets at a time, and of floats and doubles in their own
 * arithmetic. The file that includes this says
 *
 *      VECTOR       the bytes of its vectors: 16, 32 or 64
 *      ROW(name)    tsr_name_avx512_, ..
 *
 *  Law     that of exec/compute/update.h: every product and sum is one of doubles, rounded alike.
 */
#include "exec/compute/packet.h"
#include "exec/compute/prefetch.h"
#include "exec/compute/update_runs.h"

enum { MANY = BLOCK * PACKET };

/** The factors, in all numbers of packets. */
typedef struct factors {
    packet_f32 a, b;
    packet_f64 alpha, beta;
    bool reads;
} factors;

INLINED factors factors_of(tsr_update const *u)
{
    double const alpha = tsr_number_to_double(u->alpha), beta = tsr_number_to_double(u->beta);
    factors const k = {all_f32((float)alpha), all_f32((float)beta), all_f64(alpha), all_f64(beta),
                       tsr_update_reads_(u)};
    return k;
}

/** alpha * x + beta * y of n packets: in floats (tsr_update_is_single_), or in doubles. */
INLINED void update_packets(factors const *k, bool const single, tsr_dtype const to_type, unsigned char *to,
                            tsr_dtype const from_type, unsigned char const *from, int const n)
{
    packet_f32 x[BLOCK];
    packet_f64 low[BLOCK], high[BLOCK];
    load_packets(from_type, from, n, x);
    if (single) {
        EACH_OF(n) x[i] = k->a * x[i];
    } else {
        EACH_OF(n) low[i] = k->alpha * low_f64(x[i]);
        EACH_OF(n) high[i] = k->alpha * high_f64(x[i]);
    }
    if (k->reads) {
        packet_f32 y[BLOCK];
        load_packets(to_type, to, n, y);
        if (single) {
            EACH_OF(n) x[i] = x[i] + k->b * y[i];
        } else {
            EACH_OF(n) low[i] = low[i] + k->beta * low_f64(y[i]);
            EACH_OF(n) high[i] = high[i] + k->beta * high_f64(y[i]);
        }
    }
    if (!single)
        EACH_OF(n) x[i] = to_type == TSR_F32 ? nearest_f32(low[i], high[i]) : odd_f32(low[i], high[i]);
    store_packets(to_type, to, n, x, x);
}

/** The first n elements of a unit. */
INLINED void update_first(factors const *k, bool const single, tsr_dtype const to_type, unsigned char *to,
                          tsr_dtype const from_type, unsigned char const *from, int64_t n)
{
    _Alignas(64) unsigned char x[UNIT * PACKET * 4] = {0}, y[UNIT * PACKET * 4] = {0};
    load_buffer(tsr_dtype_bits(from_type) / 8, from, n, x);
    if (k->reads)
        load_buffer(tsr_dtype_bits(to_type) / 8, to, n, y);
    update_packets(k, single, to_type, y, from_type, x, UNIT);
    store_buffer(tsr_dtype_bits(to_type) / 8, to, n, y);
}

INLINED void update_line(factors const *k, bool const single, tsr_dtype const to_type, unsigned char *to,
                         tsr_dtype const from_type, unsigned char const *from, int64_t n, tsr_prefetch_ next)
{
    int64_t const t = tsr_dtype_bits(to_type) / 8, f = tsr_dtype_bits(from_type) / 8;
    int64_t at = 0;
    for (; at + MANY <= n; at += MANY) {
        tsr_prefetch_bytes_(next, at * t, MANY * t, at * f, MANY * f);
        update_packets(k, single, to_type, to + at * t, from_type, from + at * f, BLOCK);
    }
    for (; UNIT < BLOCK && at + UNIT * PACKET <= n; at += UNIT * PACKET)
        update_packets(k, single, to_type, to + at * t, from_type, from + at * f, UNIT);
    if (at < n)
        update_first(k, single, to_type, to + at * t, from_type, from + at * f, n - at);
}

#if VECTOR == 32
#  include "exec/compute/update_bf16.h"
#endif

/** Lines of constant types, where they lie. */
INLINED void update_constant(tsr_dtype const to_type, unsigned char *to, tsr_dtype const from_type,
                             unsigned char const *from, tsr_update const *u, tsr_lines_ b)
{
    factors const k = factors_of(u);
    bool const single = tsr_update_is_single_(u, to_type, from_type);
#if VECTOR == 32
    if (!single && to_type == TSR_BF16 && from_type == TSR_BF16) {
        update_lines_of_bf16(&k, u, to, from, b);
        return;
    }
#endif
    for (int64_t i = 0; i < b.lines; ++i, to += b.to, from += b.from)
        if (single)
            update_line(&k, true, to_type, to, from_type, from, b.n, tsr_prefetch_of_(&b, i));
        else
            update_line(&k, false, to_type, to, from_type, from, b.n, tsr_prefetch_of_(&b, i));
}

INLINED void update_from(tsr_dtype const from_type, tsr_dtype to_type, unsigned char *to, unsigned char const *from,
                         tsr_update const *u, tsr_lines_ b)
{
#define X(id)                                             \
  case TSR_##id:                                          \
    update_constant(TSR_##id, to, from_type, from, u, b); \
    break;
    SWITCH_FLOATS(to_type, X)
#undef X
}

/* A function for each type: with sanitizers all of them in one have a frame of megabytes. */
#define X(id)                                                                                \
  TSR_APART void update_from_##id(tsr_update const *u, tsr_dtype to_type, unsigned char *to, \
                                  unsigned char const *from, tsr_lines_ b)                   \
  {                                                                                          \
    update_from(TSR_##id, to_type, to, from, u, b);                                          \
  }
FLOAT_TYPES(X)
#undef X

static void update_floats(tsr_update const *u, tsr_dtype to_type, unsigned char *to, tsr_dtype from_type,
                          unsigned char const *from, tsr_lines_ b)
{
#define X(id)                                  \
  case TSR_##id:                               \
    update_from_##id(u, to_type, to, from, b); \
    break;
    SWITCH_FLOATS(from_type, X)
#undef X
}

#if VECTOR == 64
#  include "exec/compute/functions_row.h"
#else
#  define apply_floats(u, to_type, to, from_type, from, b) false
#endif

/** Lines of floats or doubles in their own arithmetic, where they lie. */
static void update_direct(tsr_direct_op_ op, tsr_update const *u, tsr_dtype type, unsigned char *to,
                          unsigned char const *from, tsr_lines_ b)
{
    int64_t const bytes = b.n * tsr_dtype_bits(type) / 8;
    for (int64_t i = 0; i < b.lines; ++i, to += b.to, from += b.from) {
        if (b.prefetch)
            tsr_prefetch_bytes_(tsr_prefetch_of_(&b, i), 0, bytes, 0, bytes);
        if (op == TSR_DIRECT_POWERS_)
            tsr_update_powers_(u, to, from, b.n);
        else if (type == TSR_F32)
            tsr_direct_floats_(op, u, to, from, b.n);
        else
            tsr_direct_doubles_(op, u, to, from, b.n);
    }
}

bool ROW(engine_update_lines)(tsr_update const *u, tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from,
                              tsr_lines_ b)
{
    unsigned char *const q = (unsigned char *)to;
    unsigned char const *const p = (unsigned char const *)from;
    tsr_direct_op_ const op = tsr_direct_of_(u, to_type, from_type);
    if (op != TSR_DIRECT_NONE_ && (to_type == TSR_F32 || to_type == TSR_F64)) {
        update_direct(op, u, to_type, q, p, b);
        return true;
    }
    if (op != TSR_DIRECT_NONE_ || !in_floats(to_type) || !in_floats(from_type))
        return false;
    if (u->function != TSR_OF_IDENTITY)
        return apply_floats(u, to_type, q, from_type, p, b);
    if (tsr_update_in_(u, to_type, from_type, TSR_REAL) != TSR_IN_DOUBLES_)
        return false;
    update_floats(u, to_type, q, from_type, p, b);
    return true;
}

#if VECTOR > 16
/** By the vector loops of the compiler. */
__attribute__((flatten)) void ROW(engine_update)(tsr_update const *u, tsr_converter convert, tsr_dtype to_type,
                                                 void *to, tsr_dtype from_type, void const *from, int64_t n)
{
    tsr_update_run_(u, convert, to_type, to, from_type, from, n);
}
#endif

/* alpha * x + beta * y of floats of at most 32 bits, MANY at a time, by the loops of one instruction set. The file that
 * includes this says
 *
 *      INLINED                                     static, and always in line
 *      MANY                                        the elements that a loop takes at once
 *      WHOLE                                       what sums takes multiples of
 *      sums(to_type, to, from_type, from, u, b)    lines `b` of a multiple of WHOLE, of types that the loop knows
 */
#include "exec/compute/ahead.h"
#include "exec/compute/float_types.h"
#include "exec/compute/update_runs.h"

/** Lines, where they lie. */
typedef void updater(tsr_update const *u, tsr_dtype to_type, unsigned char *to, tsr_dtype from_type,
                     unsigned char const *from, tsr_lines_ b);

INLINED void sums_from(tsr_dtype const from_type, tsr_dtype to_type, unsigned char *to, unsigned char const *from,
                       tsr_update const *u, tsr_lines_ b)
{
    switch ((int)to_type) {
#define X(id)                                  \
  case TSR_##id:                               \
    sums(TSR_##id, to, from_type, from, u, b); \
    break;
        FLOAT_TYPES(X)
#undef X
    default:
        break;
    }
}

/* A function for each type: with sanitizers all of them in one have a frame of megabytes. */
#define X(id)                                                                                                   \
  TSR_APART void add_##id(tsr_update const *u, tsr_dtype to_type, unsigned char *to, unsigned char const *from, \
                          tsr_lines_ b)                                                                         \
  {                                                                                                             \
    sums_from(TSR_##id, to_type, to, from, u, b);                                                               \
  }
FLOAT_TYPES(X)
#undef X

static void add_floats(tsr_update const *u, tsr_dtype to_type, unsigned char *to, tsr_dtype from_type,
                       unsigned char const *from, tsr_lines_ b)
{
    switch ((int)from_type) {
#define X(id)                          \
  case TSR_##id:                       \
    add_##id(u, to_type, to, from, b); \
    break;
        FLOAT_TYPES(X)
#undef X
    default:
        break;
    }
}

/** Lines by what takes multiples of `many`: the last elements of each pass through memory of their own. */
INLINED void in_many(updater *update, int64_t const many, tsr_update const *u, tsr_dtype to_type, unsigned char *to,
                     tsr_dtype from_type, unsigned char const *from, tsr_lines_ b)
{
    int64_t const whole = b.n & -many, rest = b.n - whole;
    int64_t const t = tsr_dtype_bits(to_type) / 8, f = tsr_dtype_bits(from_type) / 8;
    b.n = whole;
    if (whole > 0)
        update(u, to_type, to, from_type, from, b);
    for (int64_t i = 0; rest > 0 && i < b.lines; ++i) {
        unsigned char x[MANY * 4] = {0}, y[MANY * 4] = {0};
        unsigned char *const q = to + i * b.to + whole * t;
        memcpy(x, from + i * b.from + whole * f, (size_t)(rest * f));
        memcpy(y, q, (size_t)(rest * t));
        update(u, to_type, y, from_type, x, tsr_lines_of_(MANY, 1, 0, 0));
        memcpy(q, y, (size_t)(rest * t));
    }
}

/** Lines of floats or doubles in their own arithmetic, where they lie. */
static void update_own(tsr_own_op_ own, tsr_update const *u, tsr_dtype type, unsigned char *to,
                       unsigned char const *from, tsr_lines_ b)
{
    for (; b.lines > 0; --b.lines, to += b.to, from += b.from)
        if (own == TSR_OWN_POWERS_)
            tsr_update_powers_(u, to, from, b.n);
        else if (type == TSR_F32)
            tsr_own_floats_(own, u, to, from, b.n);
        else
            tsr_own_doubles_(own, u, to, from, b.n);
}

/** The same, asking for what is next. */
static void update_own_next(tsr_own_op_ own, tsr_update const *u, tsr_dtype type, unsigned char *to,
                            unsigned char const *from, tsr_lines_ b)
{
    int64_t const bytes = b.n * tsr_dtype_bits(type) / 8;
    for (int64_t i = 0; i < b.lines; ++i) {
        tsr_ask_(tsr_next_of_(&b, i), 0, bytes, 0, bytes);
        update_own(own, u, type, to + i * b.to, from + i * b.from, tsr_lines_of_(b.n, 1, 0, 0));
    }
}

/** Lines of such floats or doubles, if this is a sum or their own arithmetic makes it. False if not. */
static bool add_lines(tsr_update const *u, tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from,
                      tsr_lines_ b)
{
    tsr_own_op_ const own = tsr_own_of_(u, to_type, from_type);
    if (own != TSR_OWN_NONE_ && (to_type == TSR_F32 || to_type == TSR_F64)) {
        (b.ahead ? update_own_next : update_own)(own, u, to_type, (unsigned char *)to, (unsigned char const *)from,
                                                 b);
        return true;
    }
    if (own != TSR_OWN_NONE_ || u->function != TSR_OF_IDENTITY || !in_floats(to_type) || !in_floats(from_type)
        || tsr_update_in_(u, to_type, from_type, TSR_REAL) != TSR_IN_DOUBLES_)
        return false;
    in_many(add_floats, WHOLE, u, to_type, (unsigned char *)to, from_type, (unsigned char const *)from, b);
    return true;
}

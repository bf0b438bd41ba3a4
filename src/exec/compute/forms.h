/** Forms: element types as the loops of conversions see them, and the loop over lines of elements. */
#ifndef TSR_SRC_EXEC_COMPUTE_FORMS_H
#define TSR_SRC_EXEC_COMPUTE_FORMS_H

#include "exec/compute/patterns.h"
#include "tessera/base/int64.h"

TSR_HEADER_BEGIN

/** Elements that wait between two loops, and what loops take a multiple of, so that vectors leave no rest. */
#define TSR_GROUP 256
#define TSR_STEP 64

/** A type as the loops see it. `is_float`: its numbers pass through float. */
typedef struct tsr_form_ {
    tsr_dtype type;
    uint8_t kind, bits, bytes;
    bool is_int, is_float, is_double;
} tsr_form_;

TSR_LOCAL_MEMORY tsr_form_ tsr_form_of_(tsr_dtype type)
{
    tsr_form_ r = TSR_ZERO;
    r.type = type;
    r.kind = (uint8_t)tsr_number_kind_of(type);
    r.bits = (uint8_t)tsr_dtype_bits(type);
    r.bytes = (uint8_t)((r.bits + 7) / 8);
    r.is_int = r.kind == TSR_SIGNED || r.kind == TSR_UNSIGNED;
    r.is_double = type == TSR_F64;
    r.is_float = r.kind == TSR_REAL && !r.is_double && type != TSR_F8_E8M0 && type != TSR_UE4M3;
    return r;
}

/** The patterns of a form that is_float. */
TSR_LOCAL_REF tsr_patterns_ tsr_form_patterns_(tsr_form_ const *f)
{
    return tsr_patterns_of_(tsr_float_format_of(f->type), f->bits);
}

/** X(id): types whose bit patterns the compiler knows, so that it shifts by constants. A bf16 is the upper half of a
 *  float. */
#define TSR_KNOWN_PATTERN_LIST(X) X(F16) X(F8_E4M3FN) X(F8_E5M2) X(F32)

/** X(T): the unsigned integers in memory. */
#define TSR_PATTERN_LIST(X) X(uint8_t) X(uint16_t) X(uint32_t) X(uint64_t)

/** X(id, T): integers that C has; small ones are doubles, whatever they are. */
#define TSR_SMALL_INTEGER_LIST(X) \
  X(I8, int8_t) X(U8, uint8_t) X(I16, int16_t) X(U16, uint16_t) X(I32, int32_t) X(U32, uint32_t)
#define TSR_INTEGER_LIST(X) TSR_SMALL_INTEGER_LIST(X) X(I64, int64_t) X(U64, uint64_t)

/** What is prefetched while lines are updated (exec/compute/prefetch.h). */
typedef struct tsr_prefetch_lines_ tsr_prefetch_lines_;

/** Lines of n elements, for TSR_EACH_ a multiple of TSR_STEP; `to` bytes apart on one side, `from` on the other. */
typedef struct tsr_lines_ {
    int64_t n, lines, to, from;
    tsr_prefetch_lines_ const *prefetch; /* or NULL */
} tsr_lines_;

TSR_LOCAL_MEMORY tsr_lines_ tsr_lines_of_(int64_t n, int64_t lines, int64_t to, int64_t from)
{
    tsr_lines_ r = TSR_ZERO;
    r.n = n;
    r.lines = lines;
    r.to = to;
    r.from = from;
    return r;
}

/** Of the elements of lines `b` each x `from` memory becomes `value` in memory `to`. */
#define TSR_EACH_(to_type, from_type, value)                                                       \
  for (int64_t line = 0; line < b.lines; ++line)                                                   \
    for (int64_t i = 0; i < (b.n & -TSR_STEP); ++i) {                                              \
      from_type x = 0;                                                                             \
      TSR_COPY(&x, (unsigned char const *)from + line * b.from + i * (int64_t)sizeof x, sizeof x); \
      to_type const y = (to_type)(value);                                                          \
      TSR_COPY((unsigned char *)to + line * b.to + i * (int64_t)sizeof y, &y, sizeof y);           \
    }

TSR_HEADER_END

#endif

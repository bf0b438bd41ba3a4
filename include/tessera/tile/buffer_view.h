/** Buffer view: memory of elements in an address space, and the value of the elements that do not exist.
 *
 *  Elements of whole bytes are contiguous. Smaller ones (4, 6 or 1 bits) are packed from the lowest bit of the first
 *  byte on, as in any tensor over memory. Two threads must not write elements of one byte at the same time.
 *
 *  Law     reading element i returns memory[i] when it is valid and 0 <= i < size. Else it returns the invalid value,
 *          zero or a custom one, for every element of a vector. Writing an element that does not exist does nothing.
 *  Errors  TYPE for elements that are neither whole bytes nor smaller than one; ELEMENT_TYPE for a variable of another
 *          type; CONSTANT for writing read-only memory; UPDATE_SPACE, UPDATE_TYPE, UPDATE_ATOMIC when the view is made,
 *          so that no update is silently lost. A refused get writes zeros.
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/buffer_view.hpp.
 */
#ifndef TSR_TILE_BUFFER_VIEW_H
#define TSR_TILE_BUFFER_VIEW_H

#include "tessera/tensor/access.h"
#include "tessera/tile/element.h"

TSR_HEADER_BEGIN

/* clang-format off */
/** X(id, name, atomic) */
#define TSR_MEMORY_OPERATION_LIST(X)  \
    X(SET, "set", false)              \
    X(ATOMIC_ADD, "atomic_add", true) \
    X(ATOMIC_MAX, "atomic_max", true) \
    X(ADD, "add", false)              \
    X(MAX, "max", false)
/* clang-format on */

typedef enum tsr_memory_operation {
#define TSR_X_(id, name, atomic) TSR_UPDATE_##id,
    TSR_MEMORY_OPERATION_LIST(TSR_X_)
#undef TSR_X_
        TSR_MEMORY_OPERATIONS
} tsr_memory_operation;

/** The types that updates compute with in C, where integers wrap; all others go through numbers (base/number.h). */
#define TSR_UPDATE_INTEGERS(X) X(I32, int32_t) X(U32, uint32_t) X(I64, int64_t) X(U64, uint64_t)
#define TSR_UPDATE_FLOATS(X) X(F32, float) X(F64, double)
#define TSR_MAX_ELEMENT 16

typedef struct tsr_buffer_view {
    void *data; /* NULL: there is nothing, every element is invalid */
    int64_t size;
    tsr_dtype type;
    uint8_t space; /* tsr_space: a promise of the caller; atomic operations are for global memory */
    uint8_t bytes; /* of an element in a variable */
    uint8_t bits;  /* from one element to the next in memory */
    bool constant; /* nothing is written */
    unsigned char invalid[TSR_MAX_ELEMENT];
} tsr_buffer_view;

typedef enum tsr_access { TSR_ACCESS_GET, TSR_ACCESS_SET, TSR_ACCESS_UPDATE } tsr_access;

/** Elements on the side of a thread: written by get and read by the rest, those of a vector `pitch` bytes apart. */
typedef struct tsr_elements {
    unsigned char *out;
    unsigned char const *in;
    int64_t pitch;
} tsr_elements;

TSR_INLINE void tsr_copy_bytes_(void *to, void const *from, int64_t n) { TSR_COPY(to, from, (unsigned long)n); }

/** Returns why a type cannot be the type of elements in memory, or OK. */
TSR_FN tsr_reason tsr_element_type_why(tsr_dtype type)
{
    int const bits = tsr_dtype_bits(type);
    bool const fits = 0 < bits && bits <= TSR_MAX_ELEMENT * 8 && (bits < 8 || bits % 8 == 0);
    return tsr_because(fits ? TSR_OK : TSR_TYPE, 0, 0, 0, 0);
}

/** Makes a view of `size` elements of a type. Elements outside read as zero. */
TSR_OP_MEMORY tsr_buffer_view tsr_make_buffer_view(tsr_space space, void *data, int64_t size, tsr_dtype type);

/** Makes a view of `size` elements. Elements outside read as *invalid, one element. */
TSR_OP_MEMORY tsr_buffer_view tsr_make_buffer_view_invalid(tsr_space space, void *data, int64_t size, tsr_dtype type,
                                                           void const *invalid);

/** Is i an element of the buffer? */
TSR_FN bool tsr_buffer_holds(tsr_buffer_view const *b, int64_t i) { return 0 <= i && i < b->size; }

/** Do several elements share a byte? */
TSR_FN bool tsr_buffer_packed_(tsr_buffer_view const *b) { return b->bits < 8; }

/** The bytes from element i on, of elements that are not packed. */
TSR_INLINE unsigned char *tsr_buffer_at_(tsr_buffer_view const *b, int64_t i)
{
    return (unsigned char *)b->data + i * b->bytes;
}

/** Element i, which is there. */
TSR_INLINE void tsr_buffer_get_unchecked(tsr_buffer_view const *b, int64_t i, void *element)
{
    int64_t const at = i * b->bits;
    if (tsr_buffer_packed_(b))
        *(unsigned char *)element =
            (unsigned char)tsr_load_part_((unsigned char const *)b->data + (at >> 3), (int)(at & 7), b->bits);
    else
        tsr_copy_bytes_(element, tsr_buffer_at_(b, i), b->bytes);
}

/** Writes element i, which is there. */
TSR_INLINE void tsr_buffer_set_unchecked(tsr_buffer_view const *b, int64_t i, void const *element)
{
    int64_t const at = i * b->bits;
    if (tsr_buffer_packed_(b))
        tsr_store_part_((unsigned char *)b->data + (at >> 3), (int)(at & 7), b->bits,
                        *(unsigned char const *)element);
    else
        tsr_copy_bytes_(tsr_buffer_at_(b, i), element, b->bytes);
}

/** Returns why elements of a buffer do not fit a variable, or OK. */
TSR_FN tsr_reason tsr_buffer_why(tsr_buffer_view const *b, tsr_variable v)
{
    tsr_reason const why = tsr_element_type_why(b->type);
    return why.status ? why : tsr_variable_why(b->type, v);
}

/** The same for writing. */
TSR_FN tsr_reason tsr_buffer_put_why(tsr_buffer_view const *b, tsr_variable v)
{
    return b->constant ? tsr_because(TSR_CONSTANT, 0, 0, 0, 0) : tsr_buffer_why(b, v);
}

TSR_OP_MEMORY tsr_reason tsr_buffer_get_as_(tsr_buffer_view const *b, int64_t i, bool valid, void *element,
                                            tsr_variable v);

TSR_OP_MEMORY tsr_reason tsr_buffer_set_as_(tsr_buffer_view const *b, int64_t i, bool valid, void const *element,
                                            tsr_variable v);

/** Element i into *element, and back; the type of *element is checked. Give the reason, or OK. */
#define tsr_buffer_get(b, i, valid, element) tsr_buffer_get_as_(b, i, valid, element, TSR_VARIABLE(element))
#define tsr_buffer_set(b, i, valid, element) tsr_buffer_set_as_(b, i, valid, element, TSR_VARIABLE(element))

/* Updates */

TSR_FN bool tsr_is_atomic(tsr_memory_operation op)
{
    switch (op) {
#define TSR_X_(id, name, atomic) \
case TSR_UPDATE_##id:            \
  return atomic;
        TSR_MEMORY_OPERATION_LIST(TSR_X_)
#undef TSR_X_
    case TSR_MEMORY_OPERATIONS:
        break;
    }
    return false;
}

/** Is a type updated in a word of its own, as one number? */
TSR_FN bool tsr_is_atomic_type_(tsr_dtype type)
{
    int const bits = tsr_dtype_bits(type);
    return (bits == 16 || bits == 32 || bits == 64) && tsr_number_kind_of(type) != TSR_COMPLEX;
}

/** Why an operation is not defined on a buffer, or OK. */
TSR_FN tsr_reason tsr_update_why(tsr_buffer_view const *b, tsr_memory_operation op)
{
    tsr_number_kind const kind = tsr_number_kind_of(b->type);
    bool const most = op == TSR_UPDATE_MAX || op == TSR_UPDATE_ATOMIC_MAX;
    if (tsr_is_atomic(op) && b->space != TSR_GMEM)
        return tsr_because(TSR_UPDATE_SPACE, 0, 0, 0, 0);
    if (op != TSR_UPDATE_SET && (kind == TSR_NO_NUMBER || (most && kind == TSR_COMPLEX)))
        return tsr_because(TSR_UPDATE_TYPE, 0, b->type, 0, 0);
    if (tsr_is_atomic(op) && !tsr_is_atomic_type_(b->type))
        return tsr_because(TSR_UPDATE_ATOMIC, 0, b->type, 0, 0);
    return tsr_because(TSR_OK, 0, 0, 0, 0);
}

/** x becomes x + y, or the greater one: elements in variables. */
TSR_INLINE void tsr_combine_at_(tsr_memory_operation op, tsr_dtype type, void *x, void const *y)
{
    bool const adds = op == TSR_UPDATE_ADD || op == TSR_UPDATE_ATOMIC_ADD;
    int const bytes = tsr_element_bytes(type);
    unsigned char left[TSR_MAX_ELEMENT] = {0}, right[TSR_MAX_ELEMENT] = {0};
    tsr_copy_bytes_(left, x, bytes);
    tsr_copy_bytes_(right, y, bytes);
    switch (type) {
/* clang-format off */
#define TSR_COMBINE_AS_(id, T, sum)          \
    case TSR_##id: {                         \
        T a = 0, b = 0;                      \
        TSR_COPY(&a, left, sizeof a);        \
        TSR_COPY(&b, right, sizeof b);       \
        a = adds ? (sum) : a < b ? b : a;    \
        TSR_COPY(left, &a, sizeof a);        \
        break;                               \
    }
#define TSR_X_(id, T) TSR_COMBINE_AS_(id, T, (T)((uint64_t)a + (uint64_t)b))
        TSR_UPDATE_INTEGERS(TSR_X_)
#undef TSR_X_
#define TSR_X_(id, T) TSR_COMBINE_AS_(id, T, a + b)
        TSR_UPDATE_FLOATS(TSR_X_)
#undef TSR_X_
#undef TSR_COMBINE_AS_
    /* clang-format on */
    default: {
        tsr_number const a = tsr_load(type, left, 0), b = tsr_load(type, right, 0);
        tsr_store(type, left, 0, adds ? tsr_number_add(a, b) : tsr_number_max(a, b));
        break;
    }
    }
    tsr_copy_bytes_(x, left, bytes);
}

/** Compare and swap of 16 bits in the aligned word around them, whose other half stays. */
TSR_INLINE unsigned short tsr_cas_in_word_(unsigned short *p, unsigned short expected, unsigned short desired)
{
    unsigned int *const word = (unsigned int *)((uintptr_t)p & ~(uintptr_t)3);
    int const shift = (((uintptr_t)p & 2) != 0) != (TSR_BIG_ENDIAN != 0) ? 16 : 0;
    unsigned int seen = *word, old = 0;
    do {
        old = seen;
        if ((old >> shift & 0xffffu) != expected)
            break;
        seen = TSR_CAS(word, old, (old & ~(0xffffu << shift)) | (unsigned int)desired << shift);
    } while (seen != old);
    return (unsigned short)(old >> shift);
}

#if TSR_CAS_HALF
#  define TSR_CAS_16_ TSR_CAS
#else
#  define TSR_CAS_16_ tsr_cas_in_word_
#endif

/** Replaces a word by its combination with *element, again until nobody has been in between. */
#define TSR_COMBINE_ATOMICALLY_(T, swap)           \
  do {                                             \
    T seen = *(T *)at, old = 0, wanted = 0;        \
    do {                                           \
      unsigned char word[8] = {0};                 \
      old = seen;                                  \
      TSR_COPY(word, &old, sizeof old);            \
      tsr_combine_at_(op, b->type, word, element); \
      TSR_COPY(&wanted, word, sizeof wanted);      \
      seen = swap((T *)at, old, wanted);           \
    } while (seen != old);                         \
  } while (0)

TSR_INLINE void tsr_buffer_update_(tsr_buffer_view const *b, tsr_memory_operation op, int64_t i, bool valid,
                                   void const *element)
{
    unsigned char seen_one[TSR_MAX_ELEMENT] = {0};
    if (!valid || b->constant || !tsr_buffer_holds(b, i) || tsr_update_why(b, op).status != TSR_OK)
        return;
    if (op == TSR_UPDATE_SET) {
        tsr_buffer_set_unchecked(b, i, element);
        return;
    }
    if (!tsr_is_atomic(op)) {
        tsr_buffer_get_unchecked(b, i, seen_one);
        tsr_combine_at_(op, b->type, seen_one, element);
        tsr_buffer_set_unchecked(b, i, seen_one);
        return;
    }
    void *const at = tsr_buffer_at_(b, i);
    if (b->bytes == 2)
        TSR_COMBINE_ATOMICALLY_(unsigned short, TSR_CAS_16_);
    else if (b->bytes == 4)
        TSR_COMBINE_ATOMICALLY_(unsigned int, TSR_CAS);
    else
        TSR_COMBINE_ATOMICALLY_(unsigned long long, TSR_CAS);
}

TSR_OP_MEMORY tsr_reason tsr_buffer_update_as_(tsr_buffer_view const *b, tsr_memory_operation op, int64_t i,
                                               bool valid, void const *element, tsr_variable v);

/** memory[i] becomes op(memory[i], *element). Gives the reason why not, or OK. */
#define tsr_buffer_update(b, op, i, valid, element) \
  tsr_buffer_update_as_(b, op, i, valid, element, TSR_VARIABLE(element))

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/buffer_view.h"
#endif

#endif

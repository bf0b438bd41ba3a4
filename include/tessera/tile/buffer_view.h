/** Buffer view: memory of elements in an address space, and what an element that is not there reads as.
 *
 *  Law     reading element i gives memory[i] when it is valid and 0 <= i < size, else the invalid value (zero, or a
 *          custom one, for every element of a vector); writing an element that is not there does nothing.
 *  Errors  UPDATE_SPACE, UPDATE_TYPE at once, when the operation is asked for: never an update that is silently lost.
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/buffer_view.hpp.
 */
#ifndef TSR_TILE_BUFFER_VIEW_H
#define TSR_TILE_BUFFER_VIEW_H

#include "tessera/base/dtype.h"
#include "tessera/tile/reason.h"

/** Where memory is: a promise of the caller. Atomic operations are for global memory. */
typedef enum tsr_address_space {
    TSR_SPACE_GENERIC,
    TSR_SPACE_GLOBAL,
    TSR_SPACE_LDS,
    TSR_SPACE_SGPR,
    TSR_SPACE_VGPR
} tsr_address_space;

/** X(id, name, atomic) */
#define TSR_MEMORY_OPERATION_LIST(X)  \
    X(SET, "set", false)              \
    X(ATOMIC_ADD, "atomic_add", true) \
    X(ATOMIC_MAX, "atomic_max", true) \
    X(ADD, "add", false)              \
    X(MAX, "max", false)

typedef enum tsr_memory_operation {
#define X(id, name, atomic) TSR_UPDATE_##id,
    TSR_MEMORY_OPERATION_LIST(X)
#undef X
        TSR_MEMORY_OPERATIONS
} tsr_memory_operation;

/** The types that updates compute with: integers wrap. */
#define TSR_UPDATE_INTEGERS(X) X(I32, int32_t) X(U32, uint32_t) X(I64, int64_t) X(U64, uint64_t)
#define TSR_UPDATE_FLOATS(X) X(F32, float) X(F64, double)

#define TSR_MAX_ELEMENT 16

typedef struct tsr_buffer_view {
    void *data; /* NULL: there is nothing, every element is invalid */
    int64_t size;
    tsr_dtype type;
    uint8_t space; /* tsr_address_space */
    uint8_t bytes; /* of an element */
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

/** A view of `size` elements of a type of whole bytes; what is not there reads as zero. */
TSR_INLINE tsr_buffer_view tsr_make_buffer_view(tsr_address_space space, void *data, int64_t size, tsr_dtype type)
{
    tsr_buffer_view b = TSR_ZERO;
    b.data = data;
    b.size = data && tsr_dtype_bits(type) % 8 == 0 ? size : 0;
    b.type = type;
    b.space = (uint8_t)space;
    b.bytes = (uint8_t)(tsr_dtype_bits(type) / 8);
    return b;
}

/** The same; what is not there reads as *invalid, one element. */
TSR_INLINE tsr_buffer_view tsr_make_buffer_view_invalid(tsr_address_space space, void *data, int64_t size,
                                                        tsr_dtype type, void const *invalid)
{
    tsr_buffer_view b = tsr_make_buffer_view(space, data, size, type);
    tsr_copy_bytes_(b.invalid, invalid, b.bytes);
    return b;
}

TSR_FN bool tsr_buffer_holds(tsr_buffer_view const *b, int64_t i) { return 0 <= i && i < b->size; }

TSR_INLINE unsigned char *tsr_buffer_at_(tsr_buffer_view const *b, int64_t i)
{
    return (unsigned char *)b->data + i * b->bytes;
}

TSR_INLINE void tsr_buffer_get_unchecked(tsr_buffer_view const *b, int64_t i, void *element)
{
    tsr_copy_bytes_(element, tsr_buffer_at_(b, i), b->bytes);
}

TSR_INLINE void tsr_buffer_set_unchecked(tsr_buffer_view const *b, int64_t i, void const *element)
{
    tsr_copy_bytes_(tsr_buffer_at_(b, i), element, b->bytes);
}

TSR_INLINE void tsr_buffer_get(tsr_buffer_view const *b, int64_t i, bool valid, void *element)
{
    if (valid && tsr_buffer_holds(b, i))
        tsr_buffer_get_unchecked(b, i, element);
    else
        tsr_copy_bytes_(element, b->invalid, b->bytes);
}

TSR_INLINE void tsr_buffer_set(tsr_buffer_view const *b, int64_t i, bool valid, void const *element)
{
    if (valid && tsr_buffer_holds(b, i))
        tsr_buffer_set_unchecked(b, i, element);
}

/* Updates */

TSR_FN bool tsr_is_atomic(tsr_memory_operation op)
{
    switch (op) {
#define X(id, name, atomic) \
case TSR_UPDATE_##id:       \
    return atomic;
        TSR_MEMORY_OPERATION_LIST(X)
#undef X
    case TSR_MEMORY_OPERATIONS:
        break;
    }
    return false;
}

/** Why an operation is not defined on a buffer, or OK. */
TSR_FN tsr_reason tsr_update_reason(tsr_buffer_view const *b, tsr_memory_operation op)
{
    bool number = false;
#define X(id, T) number = number || b->type == TSR_##id;
    TSR_UPDATE_INTEGERS(X)
    TSR_UPDATE_FLOATS(X)
#undef X
    if (tsr_is_atomic(op) && b->space != TSR_SPACE_GLOBAL)
        return tsr_because(TSR_UPDATE_SPACE, 0, 0, 0, 0);
    return tsr_because(op == TSR_UPDATE_SET || number ? TSR_OK : TSR_UPDATE_TYPE, 0, b->type, 0, 0);
}

/** x becomes x + y, or the greater one. */
TSR_INLINE void tsr_combine_at_(tsr_memory_operation op, tsr_dtype type, void *x, void const *y)
{
    bool const adds = op == TSR_UPDATE_ADD || op == TSR_UPDATE_ATOMIC_ADD;
    int const bytes = tsr_dtype_bits(type) / 8;
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
#define X(id, T) TSR_COMBINE_AS_(id, T, (T)((uint64_t)a + (uint64_t)b))
        TSR_UPDATE_INTEGERS(X)
#undef X
#define X(id, T) TSR_COMBINE_AS_(id, T, a + b)
        TSR_UPDATE_FLOATS(X)
#undef X
#undef TSR_COMBINE_AS_
    /* clang-format on */
    default:
        break;
    }
    tsr_copy_bytes_(x, left, bytes);
}

/** Replaces a word by its combination with *element, again until nobody has been in between. */
#define TSR_COMBINE_ATOMICALLY_(T)                                \
    do {                                                          \
        T seen = *(T *)at, old = 0, wanted = 0;                   \
        do {                                                      \
            unsigned char word[8] = {0};                          \
            old = seen;                                           \
            TSR_COPY(word, &old, sizeof old);                     \
            tsr_combine_at_(op, b->type, word, element);             \
            TSR_COPY(&wanted, word, sizeof wanted);               \
            seen = TSR_CAS((T *)at, old, wanted);                 \
        } while (seen != old);                                    \
    } while (0)

/** memory[i] becomes op(memory[i], *element). Ask tsr_update_reason() first: what is not defined does nothing. */
TSR_INLINE void tsr_buffer_update(tsr_buffer_view const *b, tsr_memory_operation op, int64_t i, bool valid,
                                  void const *element)
{
    if (!valid || !tsr_buffer_holds(b, i) || tsr_update_reason(b, op).status != TSR_OK)
        return;
    void *const at = tsr_buffer_at_(b, i);
    if (op == TSR_UPDATE_SET)
        tsr_buffer_set_unchecked(b, i, element);
    else if (!tsr_is_atomic(op))
        tsr_combine_at_(op, b->type, at, element);
    else if (b->bytes == 4)
        TSR_COMBINE_ATOMICALLY_(unsigned int);
    else
        TSR_COMBINE_ATOMICALLY_(unsigned long long);
}

#endif

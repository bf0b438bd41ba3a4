/** Layouts over sizes with names, (M,K):(K,1): results as expressions, and the guards under which they hold.
 *
 *      char text[256], guards[256];
 *      tsr_message error;
 *      tsr_symbolic *const e = tsr_symbolic_read("zipped_divide((M,K):(K,1), (128,32))", "M % 128 == 0", &error);
 *      tsr_symbolic_format(text, sizeof text, e);            ((128,32),(M/128,K/32)):((K,1),(128*K,32))
 *      tsr_symbolic_format_guards(guards, sizeof guards, e); M % 128 == 0 && K % 32 == 0
 *      tsr_symbolic_free(e);
 *
 *  Law        for all positive numbers of the names under which the guards hold, the result with these numbers is the
 *             same function as the operation on layouts of these numbers. The modes are the same, but that numbers
 *             leave out modes of one element and merge modes that happen to go on.
 *  Condition  sizes and strides are products of numbers and names. Where it must be known whether one divides another,
 *             a guard `name % divisor == 0` is added; where none would do, the expression is refused with the reason.
 *  Operations tuples, tilers, S:D; the divides and products, composition, with_shape, tile_to_shape, coalesce,
 *             complement, inverses, make_layout, make_ordered_layout, make_identity_layout, size, cosize,
 *             call(L, coordinate), a slice where it has `_`, and what only moves modes: get, layout, shape,
 *             stride, rank, depth, flatten, transpose, take, select, group, append, prepend, replace, zip, tile_unzip.
 *             One swizzle may stand in front, Sw<3,3,3> o (M,64):(64,1): divides, composition, with_shape, coalesce,
 *             size and what moves modes take it, and the others refuse it.
 *             Strides may go along basis elements, (M,K):(1@0,2*K@1). What needs offsets refuses them.
 *  Inverses   R(L(i)) = i and L(R(i)) = i; behind the last value of L, R may go on otherwise than the one of numbers.
 *  Numbers    what holds no names is the calculator's, with all its operations; it prints without `_`.
 */
#ifndef TSR_SYMBOLIC_H
#define TSR_SYMBOLIC_H

#include "tessera/convert.h"

TSR_HEADER_BEGIN

/** The most names of an expression and its guards. */
#define TSR_SYMBOLS 16

/** An expression that was read, its result, and its guards. Opaque; give it to tsr_symbolic_free. */
typedef struct tsr_symbolic tsr_symbolic;

/** Reads and evaluates an expression under guards, "M % 128 == 0, K % 32 == 0", also with && between them; "" for none.
 *  NULL: *error says why, and where in the expression. */
TSR_API tsr_symbolic *tsr_symbolic_read(char const *expression, char const *given, tsr_message *error);

TSR_API void tsr_symbolic_free(tsr_symbolic *e);

/** The result, and all its guards as a condition in C; as snprintf, both return the whole length. */
TSR_API size_t tsr_symbolic_format(char *out, size_t size, tsr_symbolic const *e);
TSR_API size_t tsr_symbolic_format_guards(char *out, size_t size, tsr_symbolic const *e);

/** The names in the order in which they are read, those of the guards first. */
TSR_API int tsr_symbolic_count(tsr_symbolic const *e);
TSR_API char const *tsr_symbolic_name(tsr_symbolic const *e, int i);

/** Is the result a layout? */
TSR_API bool tsr_symbolic_is_layout(tsr_symbolic const *e);

/** The result with numbers in the place of the names, of a layout and of a number, where a coordinate may be 0. False:
 *  *error says which guard does not hold, which number is not positive, or that the result is of another kind. */
TSR_TRY bool tsr_symbolic_layout_at(tsr_symbolic const *e, int64_t const *number, tsr_layout *r, tsr_message *error);
TSR_TRY bool tsr_symbolic_number_at(tsr_symbolic const *e, int64_t const *number, int64_t *r, tsr_message *error);

/** Numbers of the names under which all guards hold: each is the product of its divisor and of a positive factor. */
TSR_API void tsr_symbolic_numbers(tsr_symbolic const *e, int64_t const *factor, int64_t *number);

/** A layout as code that needs nothing else: a function `guards` of the names, and `offset` of the names and a 1-D
 *  coordinate. False: *error says why not. */
TSR_TRY bool tsr_symbolic_emit(char *out, size_t size, tsr_code in, tsr_symbolic const *e, tsr_message *error);

TSR_HEADER_END

#endif

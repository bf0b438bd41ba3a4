/** Text: parsing, printing and explaining tuples, layouts and expressions.
 *
 *  The notation is CuTe's own output: `8` dynamic, `_8` static, `(a,b)`, `S:D`, `<a,b>` tilers, `_1@0` basis elements,
 *  `Sw<B,M,S> o offset o S:D`, and `name<I>(args)` for the operations of ops.h.
 */
#ifndef TSR_TEXT_H
#define TSR_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "tessera/base/dtype.h"
#include "tessera/tessera.h"
#include "tessera/tma/partition.h"

/** Read plain integers as static, and print static ones without `_`. */
#define TSR_TEXT_STATIC 1u

/** Where a layout is needed, an integer or a tuple stands for its compact layout: 8 for 8:1, (2,3) for (2,3):(1,2). */
#define TSR_TEXT_SHAPES 2u

/** How deep an expression may nest: parentheses, brackets, arguments and what stands behind " o ". A deeper one is refused
 *  with this number. Reading, evaluating and printing any expression takes less than 80 kB of the caller's stack; what
 *  grows with the text is allocated. */
#define TSR_TEXT_DEPTH 64

/** Enough for the text of any value, and for any message. */
#define TSR_TEXT_SIZE 4096

/** What is wrong with a text, and at which character (from 0). */
typedef struct tsr_text_error {
    size_t at;
    char text[TSR_TEXT_SIZE];
} tsr_text_error;

/** The text of a value, as snprintf writes it: at most size bytes with the final 0; returns the full length. An
 *  invalid value gives its reason. */
TSR_API size_t tsr_format_tuple(char *out, size_t size, tsr_tuple t, unsigned flags);
TSR_API size_t tsr_format_layout(char *out, size_t size, tsr_layout l, unsigned flags);
TSR_API size_t tsr_format_tiler(char *out, size_t size, tsr_tiler t, unsigned flags);
TSR_API size_t tsr_format_swizzle(char *out, size_t size, tsr_swizzle sw);
TSR_API size_t tsr_format_tensor(char *out, size_t size, tsr_tensor t);

/** The name of an element type in base/dtype.h ("f32", "bf16", ..), NULL for an unknown one. */
TSR_API char const *tsr_dtype_name(tsr_dtype type);

/** The sentence that says why a tuple is invalid: the cause, the mode, the numbers, the first counterexample and the
 *  nearest legal numbers; "ok" for a valid one. A layout is explained by its shape. */
TSR_API size_t tsr_format_reason(char *out, size_t size, tsr_tuple t);

/** What a plan moves, how, and by which loops. */
TSR_API size_t tsr_format_plan(char *out, size_t size, tsr_plan const *p);

/** Writes a layout, a tuple or a tensor, or why it is none, and a newline. */
TSR_API void tsr_print_layout(FILE *file, tsr_layout l);
TSR_API void tsr_print_tuple(FILE *file, tsr_tuple t);
TSR_API void tsr_print_view(FILE *file, tsr_tensor t);

/** The same for a layout, a tuple or a tensor. */
#ifdef __cplusplus
inline void tsr_print(FILE *file, tsr_layout l) { tsr_print_layout(file, l); }
inline void tsr_print(FILE *file, tsr_tuple t) { tsr_print_tuple(file, t); }
inline void tsr_print(FILE *file, tsr_tensor t) { tsr_print_view(file, t); }
#else
#  define tsr_print(file, x) \
      _Generic((x), tsr_tensor: tsr_print_view, tsr_tuple: tsr_print_tuple, tsr_layout: tsr_print_layout)(file, x)
#endif

/** The tensor and its elements, as print_tensor of CuTe writes them: rank 1 as a column, rank 2 as a matrix, higher
 *  ranks as matrices with rules between them. Memory is read. Returns the full length, as snprintf does. */
TSR_API size_t tsr_format_values(char *out, size_t size, tsr_tensor t);
TSR_API void tsr_print_tensor(FILE *file, tsr_tensor t);
TSR_API void tsr_explain(FILE *file, tsr_layout l);

/** The layout or tuple that an expression denotes. Malformed text gives an invalid value (SYNTAX, with the position);
 *  the words are in *error when it is not NULL.
 *  Example  tsr_parse("coalesce((_2,(_1,_6)):(_1,(_6,_2)))")  is  _12:_1 */
TSR_API tsr_layout tsr_parse(char const *text);
TSR_API tsr_layout tsr_parse_layout(char const *text, unsigned flags, tsr_text_error *error);
TSR_API tsr_tuple tsr_parse_tuple(char const *text, unsigned flags, tsr_text_error *error);
TSR_API tsr_tensor tsr_parse_tensor(char const *text, unsigned flags, tsr_text_error *error);

/** The TMA copy that an expression denotes, or a copy of nothing but the tensor map; and its table: dimensions, box,
 *  swizzle, bytes of a transaction, coordinates, and every rule of the hardware that it breaks. */
TSR_API tsr_tma_copy tsr_parse_tma(char const *text, unsigned flags, tsr_text_error *error);
TSR_API size_t tsr_format_tma(char *out, size_t size, tsr_tma_copy c);

/** Called after every operation of an expression: its name, its arguments and its result as text. */
typedef void (*tsr_trace)(void *context, char const *name, char const *arguments, char const *result);

/** Evaluates an expression and writes the text of the result (true) or of the reason why there is none (false). */
TSR_API bool tsr_calc(char const *expression, unsigned flags, char *out, size_t size);
TSR_API bool tsr_calc_traced(char const *expression, unsigned flags, char *out, size_t size, tsr_trace trace,
                             void *context);

/** One row of the table of operations. `signature` holds the kinds of ops.h, for instance "(L, R)"; `example` is
 *  an expression of this operation, `value` the text of what it evaluates to. */
typedef struct tsr_op {
    char const *name, *function, *signature, *help, *example, *value;
    char result;
} tsr_op;

/** The rows, and how many there are. */
TSR_API tsr_op const *tsr_ops(int *count);

/** The most elements that a table shows. */
#define TSR_TABLE_CELLS 65536

/** The table of a layout, as print_layout of CuTe draws it; a layout of rank 3 or more gives a table for each
 *  coordinate of the further modes. Returns the full length, as snprintf does. */
TSR_API size_t tsr_format_table(char *out, size_t size, tsr_layout l);

#endif

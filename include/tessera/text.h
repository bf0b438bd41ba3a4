/** Text: parsing, printing and explaining tuples, layouts and expressions.
 *
 *  The notation is CuTe's own output: `8` dynamic, `_8` static, `(a,b)`, `S:D`, `<a,b>` tilers, `_1@0` basis elements,
 *  `Sw<B,M,S> o offset o S:D`, and `name<I>(args)` for the operations of docs/operations.md.
 */
#ifndef TSR_TEXT_H
#define TSR_TEXT_H

#include <stddef.h>
#include <stdio.h>

#include "tessera/atom/tiled_copy.h"
#include "tessera/base/dtype.h"
#include "tessera/core/linear.h"
#include "tessera/core/terms.h"
#include "tessera/exec/einsum_plan.h"
#include "tessera/tessera.h"
#include "tessera/tile/tile_window.h"
#include "tessera/tma/partition.h"

TSR_HEADER_BEGIN

/** Read plain integers as static, and print static ones without `_`. */
#define TSR_TEXT_STATIC 1u

/** Read an integer or a tuple as its compact layout where a layout is needed: 8 as 8:1, (2,3) as (2,3):(1,2). */
#define TSR_TEXT_SHAPES 2u

/** Print a dynamic number as `8?`, which is read as dynamic whatever the flags. */
#define TSR_TEXT_MARK 4u

/** The limit on the nesting of an expression: parentheses, brackets, arguments and the right sides of " o ". A deeper
 *  expression is refused with this number. Reading, evaluating and printing any expression takes less than 80 kB of the
 *  caller's stack; memory that grows with the text is allocated. */
#define TSR_TEXT_DEPTH 64

/** A text that grows at its end. `out` holds the part that fits in `size` bytes, with the final 0; `used` counts the
 *  whole text, as snprintf does. */
typedef struct tsr_text {
    char *out;
    size_t size, used;
} tsr_text;

/** Enough for the text of any value, and for any message. */
#define TSR_TEXT_SIZE 4096

/** The error of a text or a file: one sentence with names and numbers, and for a text the character at fault (from 0).
 *  Values carry a tsr_reason instead. */
typedef struct tsr_message {
    size_t at;
    char text[TSR_TEXT_SIZE];
} tsr_message;

/** The text of a value, as snprintf writes it: at most size bytes with the final 0; returns the full length. An
 *  invalid value gives its reason. */
TSR_API size_t tsr_format_tuple(char *out, size_t size, tsr_tuple t, unsigned flags);
TSR_API size_t tsr_format_layout(char *out, size_t size, tsr_layout l, unsigned flags);
TSR_API size_t tsr_format_tiler(char *out, size_t size, tsr_tiler t, unsigned flags);
TSR_API size_t tsr_format_swizzle(char *out, size_t size, tsr_swizzle sw);
TSR_API size_t tsr_format_linear(char *out, size_t size, tsr_linear f);
TSR_API size_t tsr_format_sum(char *out, size_t size, tsr_layout_sum const *s, unsigned flags);
TSR_API size_t tsr_format_tensor(char *out, size_t size, tsr_tensor t);

/** A text of n bytes from outside, as it may be printed. An escape, \x1b or \u009b, replaces each control of C0 and C1,
 *  DEL, each end of a line (U+2028, U+2029), each mark of direction (U+061C, U+200E, U+200F, U+202A to U+202E, U+2066
 *  to U+2069) and each byte that is not UTF-8. As snprintf, but no character and no escape is cut. Messages of the
 *  library are such texts. */
TSR_API size_t tsr_format_printable(char *out, size_t size, char const *text, size_t n);

/** The name of an element type in base/dtype.h ("f32", "bf16", ..), NULL for an unknown one; and the type of a name,
 *  ours or CuTe's ("half_t"), 0 for an unknown one. */
TSR_API char const *tsr_dtype_name(tsr_dtype type);
TSR_API tsr_dtype tsr_dtype_named(char const *name);

/** The sentence of a reason: the cause, the mode, the numbers, the first counterexample and the nearest legal numbers;
 *  "ok" for none. tsr_why() of generic.h gives the reason of any value. */
TSR_API size_t tsr_format_reason(char *out, size_t size, tsr_reason why);

/** What a plan moves, how, and by which loops. */
TSR_API size_t tsr_format_copy(char *out, size_t size, tsr_planned_copy const *p);

/** The steps of an einsum, each with its text, its values and what it costs. */
TSR_API size_t tsr_format_einsum(char *out, size_t size, tsr_planned_einsum const *p);

/** X(type, name): the values with a text of their own that are no tuple, layout, tensor or reason. */
#define TSR_PRINTED_LIST(X)           \
  X(tsr_tiler, tiler)                 \
  X(tsr_swizzle, swizzle)             \
  X(tsr_linear, linear)               \
  X(tsr_verdict, verdict)             \
  X(tsr_engine, engine)               \
  X(tsr_offset_layout, offset_layout) \
  X(tsr_smem_layout, smem_layout)     \
  X(tsr_mma_atom, mma_atom)           \
  X(tsr_copy_atom, copy_atom)         \
  X(tsr_tiled_mma, tiled_mma)         \
  X(tsr_tiled_copy, tiled_copy)       \
  X(tsr_tiled_layout, tiled_layout)   \
  X(tsr_tma_desc, tma_desc)           \
  X(tsr_tma_copy, tma_copy)           \
  X(tsr_encoding, encoding)           \
  X(tsr_descriptor, descriptor)       \
  X(tsr_tensor_view, tensor_view)     \
  X(tsr_tile_window, tile_window)     \
  X(tsr_planned_copy, planned_copy)

#define TSR_X_(type, name)                              \
  TSR_API void tsr_print_##name##_(FILE *file, type x); \
  TSR_API void tsr_explain_##name##_(FILE *file, type x);
TSR_PRINTED_LIST(TSR_X_)
#undef TSR_X_

/** Writes the sentence of any value, or of a reason, and a newline. It ends with a hint to tsr_static_all() where the
 *  layout of a refused composition has dynamic modes that would coalesce if they were static. A text that could not be
 *  read keeps the words of the parser: a tuple and a layout 120 characters, a reason 48. */
TSR_API void tsr_explain_reason(FILE *file, tsr_reason why);
TSR_API void tsr_explain_tuple(FILE *file, tsr_tuple t);
TSR_API void tsr_explain_layout(FILE *file, tsr_layout l);
TSR_API void tsr_explain_tensor(FILE *file, tsr_tensor t);
#ifdef __cplusplus
inline void tsr_explain(FILE *file, tsr_reason why) { tsr_explain_reason(file, why); }
inline void tsr_explain(FILE *file, tsr_tuple const &t) { tsr_explain_tuple(file, t); }
inline void tsr_explain(FILE *file, tsr_layout const &l) { tsr_explain_layout(file, l); }
inline void tsr_explain(FILE *file, tsr_tensor const &t) { tsr_explain_tensor(file, t); }
#  define TSR_X_(type, name) \
    inline void tsr_explain(FILE *file, type const &x) { tsr_explain_##name##_(file, x); }
TSR_PRINTED_LIST(TSR_X_)
#  undef TSR_X_
#else
/* clang-format off */
#  define TSR_EXPLAINED_(type, name) type: tsr_explain_##name##_,
#  define tsr_explain(file, x)                                                                                    \
      _Generic((x), TSR_PRINTED_LIST(TSR_EXPLAINED_) tsr_layout: tsr_explain_layout, tsr_tensor: tsr_explain_tensor, \
               tsr_reason: tsr_explain_reason, tsr_tuple: tsr_explain_tuple)(file, x)
/* clang-format on */
#endif

/** Writes any value, or why it is invalid, and a newline.
 *  tsr_print(stdout, tsr_make_swizzle(3, 4, 3)) writes Sw<3,4,3>. */
TSR_API void tsr_print_tuple_(FILE *file, tsr_tuple t);
TSR_API void tsr_print_layout_(FILE *file, tsr_layout l);
TSR_API void tsr_print_tensor_(FILE *file, tsr_tensor t);
#ifdef __cplusplus
inline void tsr_print(FILE *file, tsr_tuple t) { tsr_print_tuple_(file, t); }
inline void tsr_print(FILE *file, tsr_layout l) { tsr_print_layout_(file, l); }
inline void tsr_print(FILE *file, tsr_tensor t) { tsr_print_tensor_(file, t); }
inline void tsr_print(FILE *file, tsr_reason why) { tsr_explain_reason(file, why); }
#  define TSR_X_(type, name) \
    inline void tsr_print(FILE *file, type const &x) { tsr_print_##name##_(file, x); }
TSR_PRINTED_LIST(TSR_X_)
#  undef TSR_X_
#else
/* clang-format off */
#  define TSR_PRINTED_(type, name) type: tsr_print_##name##_,
#  define tsr_print(file, x)                                                                                      \
      _Generic((x), TSR_PRINTED_LIST(TSR_PRINTED_) tsr_tensor: tsr_print_tensor_, tsr_tuple: tsr_print_tuple_, \
               tsr_layout: tsr_print_layout_, tsr_reason: tsr_explain_reason)(file, x)
/* clang-format on */
#endif

/** The tensor and its elements, as print_tensor of CuTe writes them: rank 1 as a column, rank 2 as a matrix, higher
 *  ranks as matrices with rules between them. Memory is read. Returns the full length, as snprintf does. */
TSR_API size_t tsr_format_values(char *out, size_t size, tsr_tensor t);
TSR_API void tsr_print_tensor(FILE *file, tsr_tensor t);

/** The layout, tuple, tensor or linear map that an expression denotes. Malformed text gives an invalid value, which
 *  explains itself as the parser does; the same words and their place are in *error when it is not NULL. Where a layout
 *  is asked for, a tensor that begins at 0 or in memory is its layout, with the swizzle of its pointer.
 *  Example  tsr_parse("coalesce((_2,(_1,_6)):(_1,(_6,_2)))")  is  _12:_1 */
TSR_API tsr_layout tsr_parse(char const *text);
TSR_API tsr_layout tsr_parse_layout(char const *text, unsigned flags, tsr_message *error);
TSR_API tsr_tuple tsr_parse_tuple(char const *text, unsigned flags, tsr_message *error);
TSR_API tsr_tensor tsr_parse_tensor(char const *text, unsigned flags, tsr_message *error);
TSR_API tsr_linear tsr_parse_linear(char const *text, unsigned flags, tsr_message *error);
TSR_API tsr_layout_sum tsr_parse_sum(char const *text, unsigned flags, tsr_message *error);

/** The TMA copy that an expression denotes, or a copy of nothing but the tensor map, and its table. The table has
 *  dimensions, box, swizzle, bytes of a transaction, coordinates, and every rule of the hardware that it breaks. */
TSR_API tsr_tma_copy tsr_parse_tma(char const *text, unsigned flags, tsr_message *error);
TSR_API size_t tsr_format_tma(char *out, size_t size, tsr_tma_copy c);

/** Is a text an expression at all? If not, *error says why not, and where. One that is refused, is one. */
TSR_TRY bool tsr_is_expression(char const *text, unsigned flags, tsr_message *error);

/** Called after every operation of an expression: its name, its arguments and its result as text. */
typedef void (*tsr_trace)(void *context, char const *name, char const *arguments, char const *result);

/** An expression that was evaluated: what tsr_format_evaluation writes and tsr_make_picture draws. NULL: memory has run
 *  out. `trace` may be NULL. */
typedef struct tsr_evaluation tsr_evaluation;

/** Evaluates an expression; tsr_evaluation_free ends it. */
TSR_TRY tsr_evaluation *tsr_evaluate(char const *expression, unsigned flags, tsr_trace trace, void *context);
/** Ends an evaluation; NULL is one, too. */
TSR_API void tsr_evaluation_free(tsr_evaluation *e);

/** Writes the text of the result (true) or of the reason why there is no result (false). */
TSR_API bool tsr_format_evaluation(char *out, size_t size, tsr_evaluation const *e);

/** What was evaluated, in words: "a layout"; "" when it is no expression. */
TSR_API char const *tsr_evaluation_kind(tsr_evaluation const *e);

/** X(id, name, help): the languages in which a result may be written as source. */
#define TSR_LANGUAGE_LIST(X)                                                  \
  X(C, "C", "tsr_make_layout(tsr_t(..), tsr_t(..)), or a call that reads it") \
  X(CUTE, "CUDA C++", "CuTe's make_layout(make_shape(..), make_stride(..))")  \
  X(PYTHON, "Python", "L(\"..\") of the module tessera, V(\"..\") of other values")

typedef enum tsr_language {
#define TSR_X_(id, name, help) TSR_LANGUAGE_##id,
    TSR_LANGUAGE_LIST(TSR_X_)
#undef TSR_X_
        TSR_LANGUAGES
} tsr_language;

/** Writes the result as source; false, and nothing, where the language has no words for it, or the text no room. */
TSR_TRY bool tsr_format_source(char *out, size_t size, tsr_evaluation const *e, tsr_language in);

/** tsr_evaluate and tsr_format_evaluation at once. Where dynamic numbers are refused, the reason says what the same
 *  numbers give when they are static. */
TSR_API bool tsr_calc(char const *expression, unsigned flags, char *out, size_t size);
TSR_API bool tsr_calc_traced(char const *expression, unsigned flags, char *out, size_t size, tsr_trace trace,
                             void *context);

/** Writes the value of an expression with static numbers and returns true, if it differs from `result`, the text of its
 *  value under `flags`. Otherwise, or if the flags are static already, writes nothing and returns false.
 *  So right_inverse((4,8):(8,1)) is _1:_0, and with static numbers it is (8,4):(4,1). */
TSR_API bool tsr_calc_static(char const *expression, unsigned flags, char const *result, char *out, size_t size);

/** One row of the table of operations. `signature` holds the kinds of docs/operations.md, for instance "(L, R)";
 *  `example` is an expression of this operation, `value` its text. `labels` holds the words in front of arguments, and
 *  names of arguments with a colon behind: "- shape: p y", or "". */
typedef struct tsr_op {
    char const *name, *function, *signature;
    char result;
    char const *help, *example, *value, *labels;
} tsr_op;

/** The rows, and how many there are. */
TSR_API tsr_op const *tsr_ops(int *count);

/** The part of the table that has one of these rows: "Layouts". */
TSR_API char const *tsr_part_of_op(tsr_op const *op);

/** How an operation is called: "insert<N>(T, T)", "load(w, p=T)". As snprintf writes it. */
TSR_API size_t tsr_format_op(char *out, size_t size, tsr_op const *op);

/** The name that a mistyped word means, of all that were tried: NULL while none is near enough, which one wrong
 *  character is, and one more for every five of the word.
 *
 *      tsr_nearest nearest = {"compositon", NULL, 0};
 *      for (...)
 *          tsr_nearest_try(&nearest, names[i]);
 *      if (nearest.name)
 *          printf("did you mean %s?", nearest.name);
 */
typedef struct tsr_nearest {
    char const *word, *name;
    int distance;
} tsr_nearest;

/** Tries one more name. */
TSR_API void tsr_nearest_try(tsr_nearest *nearest, char const *name);

/** The operations that a word may mean, the likeliest first, at most `capacity`; returns their number. The first of
 *  these rules that finds any decides: a synonym of the word; a name one mistyped character away; a name with a part
 *  (between two `_`) that begins with the word; the nearest name.
 *  So "inverse" means right_inverse, left_inverse and pseudo_inverse, "compl" means complement. */
TSR_API int tsr_ops_meant(char const *word, char const **names, int capacity);

/** The most elements that a table shows. */
#define TSR_TABLE_CELLS 65536

/** The table of a layout, as print_layout of CuTe draws it; a layout of rank 3 or more gives a table for each
 *  coordinate of the further modes. Returns the full length, as snprintf does. */
TSR_API size_t tsr_format_table(char *out, size_t size, tsr_layout l);
TSR_API void tsr_print_layout(FILE *file, tsr_layout l);

TSR_HEADER_END

#endif

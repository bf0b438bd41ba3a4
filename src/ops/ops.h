/** The one table of operations.
 *
 *  X(name, function, result, (arguments), help, example, value[, labels]): the field's name; the function without its
 *  prefix tsr_; the kind of its result; the kinds of its arguments; one line; an expression and its value; and a label
 *  for each argument:
 *
 *      origin    the word in front of it, `origin=(0,0)`; such an argument may be left out
 *      shape:    its name, which Python shows
 *      -         neither: the name follows from the kind
 *
 *  A(...) is the same for a second name of a function. The calculator, its help, docs/operations.md, Python's functions
 *  and the tests are made from the table. A name may have several rows; the first that fits is used.
 *
 *  Kinds of results and arguments
 *      T  tuple or integer       L  layout      W  swizzle      Z  layout and offset      D  verdict
 *      E  engine                 G  tensor               f  linear map over F2    u  sum of layouts
 *      A  MMA atom               C  copy atom   H  tiled MMA    K  tiled copy   J  tile and its layout
 *      R  tiler: layout, integer, `_` or a tuple of these
 *      S  layout of shared memory, its address unset    F  tensor map    I  TMA copy
 *      O  name of a TMA operation    Y  element type, or type/type
 *      d  tensor descriptor      t  transform    e  distribution    v  tensor view, or descriptor of one that counts
 *      w  tile window            m  name of a memory operation     p  name of an address space
 *      b  name of banks of shared memory: gfx950, gfx950_write
 *      s  several numbers        a  an answer in words or numbers
 *      r  distributed layout                            x  redistribution
 *      d, v, w, r, x and u are taken by address; rows that give one say d_, v_, w_, r_, x_, u_
 *  Arguments in brackets, name<..>
 *      N  one integer            P  any number of integers, as a tuple      B  an element type
 *  The rest of the arguments
 *      V  integers and tuples, one as itself, several as a tuple
 *      U  integers and tuples, always as a tuple
 *      Q  tilers, one as itself, several as <a,b,..>         M  layouts, as <a,b,..>
 *      l  transforms with their dimensions                   i  tuples, each an index
 *  No argument
 *      o  where the text of the answer goes     c  where the words of a refusal go
 */
#ifndef TSR_SRC_OPS_H
#define TSR_SRC_OPS_H

#include "ops/atom.h"
#include "ops/mesh.h"
#include "ops/integer.h"
#include "ops/layout.h"
#include "ops/linear.h"
#include "ops/sum.h"
#include "ops/swizzle.h"
#include "ops/tensor.h"
#include "ops/tile.h"
#include "ops/tiled.h"
#include "ops/tma.h"
#include "ops/tmem.h"
#include "ops/tuple.h"
#include "ops/umma.h"
#include "ops/verdict.h"

TSR_HEADER_BEGIN

/* clang-format off */
/** The rows whose results hold the reason why they are refused, and those that have words for it (kind c). */
#define TSR_OPS(X, A) TSR_OPS_REASONED(X, A) TSR_OPS_DIST(X, A)
#define TSR_OPS_REASONED(X, A) \
    TSR_OPS_INTEGER(X, A) TSR_OPS_TUPLE(X, A) TSR_OPS_LAYOUT(X, A) TSR_OPS_SWIZZLE(X, A) TSR_OPS_LINEAR(X, A) \
    TSR_OPS_SUM(X, A) TSR_OPS_VERDICT(X, A) TSR_OPS_TENSOR(X, A) TSR_OPS_ATOM(X, A) TSR_OPS_TILED(X, A) \
    TSR_OPS_TMA(X, A) TSR_OPS_WORDS(X, A) TSR_OPS_UMMA(X, A) TSR_OPS_TMEM(X, A) TSR_OPS_TILE(X, A)

/** P(title, PART): the parts in the order of the rows, which are TSR_OPS_##PART(X, A). */
#define TSR_OPS_PARTS(P) \
    P("Integers", INTEGER) P("Tuples", TUPLE) P("Layouts", LAYOUT) P("Swizzles and offsets", SWIZZLE) \
    P("Linear maps over F2", LINEAR) P("Sums of layouts", SUM) P("Verdicts", VERDICT) P("Tensors", TENSOR) \
    P("Atoms", ATOM) \
    P("Tiled MMA and tiled copy", TILED) P("Tensor maps and TMA copies", TMA) \
    P("Blackwell: words", WORDS) P("Blackwell: memory", UMMA) P("Blackwell: tensor memory", TMEM) \
    P("CK Tile: transforms", TRANSFORMS) P("CK Tile: descriptors and views", DESCRIPTORS) \
    P("CK Tile: distributions", DISTRIBUTIONS) P("CK Tile: windows", WINDOWS) P("Distributed layouts", DIST)
/* clang-format on */

/* The C type of each kind. */
#define TSR_TYPE_T tsr_tuple
#define TSR_TYPE_L tsr_layout
#define TSR_TYPE_W tsr_swizzle
#define TSR_TYPE_f tsr_linear
#define TSR_TYPE_u tsr_layout_sum const *
#define TSR_TYPE_u_ tsr_layout_sum
#define TSR_TYPE_Z tsr_offset_layout
#define TSR_TYPE_D tsr_verdict
#define TSR_TYPE_E tsr_engine
#define TSR_TYPE_G tsr_tensor
#define TSR_TYPE_R tsr_tiler
#define TSR_TYPE_A tsr_mma_atom
#define TSR_TYPE_C tsr_copy_atom
#define TSR_TYPE_H tsr_tiled_mma
#define TSR_TYPE_K tsr_tiled_copy
#define TSR_TYPE_J tsr_tiled_layout
#define TSR_TYPE_S tsr_smem_layout
#define TSR_TYPE_F tsr_tma_desc
#define TSR_TYPE_I tsr_tma_copy
#define TSR_TYPE_O tsr_tma_op
#define TSR_TYPE_Y tsr_tma_types
#define TSR_TYPE_N int64_t
#define TSR_TYPE_B tsr_dtype
#define TSR_TYPE_P tsr_tuple
#define TSR_TYPE_U tsr_tuple
#define TSR_TYPE_V tsr_tuple
#define TSR_TYPE_Q tsr_tiler
#define TSR_TYPE_M tsr_tiler
#define TSR_TYPE_d tsr_descriptor const *
#define TSR_TYPE_v tsr_tensor_view const *
#define TSR_TYPE_w tsr_tile_window const *
#define TSR_TYPE_d_ tsr_descriptor
#define TSR_TYPE_v_ tsr_tensor_view
#define TSR_TYPE_w_ tsr_tile_window
#define TSR_TYPE_r tsr_dist_layout const *
#define TSR_TYPE_r_ tsr_dist_layout
#define TSR_TYPE_x tsr_dist_exchange const *
#define TSR_TYPE_x_ tsr_dist_exchange
#define TSR_TYPE_e tsr_encoding
#define TSR_TYPE_t tsr_coord_transform
#define TSR_TYPE_l tsr_link_list
#define TSR_TYPE_i tsr_index_list
#define TSR_TYPE_m tsr_memory_operation
#define TSR_TYPE_p tsr_space
#define TSR_TYPE_b tsr_banks
#define TSR_TYPE_s tsr_tuple
#define TSR_TYPE_a tsr_tuple
#define TSR_TYPE_o tsr_text *
#define TSR_TYPE_c tsr_message *

/* TSR_EACH(F, T, L): F(T, 0), F(L, 1), for every kind of a row */
#define TSR_EACH_1(F, p) F(p, 0)
#define TSR_EACH_2(F, p, q) F(p, 0), F(q, 1)
#define TSR_EACH_3(F, p, q, r) TSR_EACH_2(F, p, q), F(r, 2)
#define TSR_EACH_4(F, p, q, r, s) TSR_EACH_3(F, p, q, r), F(s, 3)
#define TSR_EACH_5(F, p, q, r, s, t) TSR_EACH_4(F, p, q, r, s), F(t, 4)
#define TSR_EACH_6(F, p, q, r, s, t, u) TSR_EACH_5(F, p, q, r, s, t), F(u, 5)
#define TSR_EACH_8(F, p, q, r, s, t, u, v, w) TSR_EACH_6(F, p, q, r, s, t, u), F(v, 6), F(w, 7)
#define TSR_EACH(F, ...) TSR_CAT(TSR_EACH_, TSR_NARG(__VA_ARGS__))(F, __VA_ARGS__)
#define TSR_PARAM(kind, i) TSR_TYPE_##kind p##i
#define TSR_PARAMS(...) TSR_EACH(TSR_PARAM, __VA_ARGS__)

/* The operations of CK Tile on tuples, those of words, and those of distributed layouts, are functions of the compiled
 * library. */
#define TSR_DECLARE_(name, fn, result, args, ...) TSR_API TSR_TYPE_##result tsr_##fn(TSR_PARAMS args);
TSR_OPS_TILE(TSR_DECLARE_, TSR_DECLARE_)
TSR_OPS_WORDS(TSR_DECLARE_, TSR_DECLARE_)
TSR_OPS_DIST(TSR_DECLARE_, TSR_DECLARE_)
#undef TSR_DECLARE_

TSR_HEADER_END

#endif

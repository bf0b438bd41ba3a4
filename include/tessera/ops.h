/** The one table of operations.
 *
 *  X(name, function, result, (arguments), help, example, value): the field's name; the function without its prefix
 *  tsr_; what it gives; what it takes; one line; an expression and what it evaluates to. A(...) is the same for a
 *  second name of a function. The calculator, its help, the exported symbols (tsrc_ and the function's name),
 *  docs/operations.md and the tests are made from it. A name may have several rows; the first that fits is used.
 *
 *  Kinds of results and arguments
 *      T  tuple or integer       L  layout      W  swizzle      X  layout and offset      D  verdict
 *      E  engine                 G  tensor
 *      A  MMA atom               C  copy atom   H  tiled MMA    K  tiled copy   J  tile and its layout
 *      R  tiler: layout, integer, `_` or a tuple of these
 *      S  layout of shared memory, its address unset    F  tensor map    I  TMA copy
 *      O  name of a TMA operation    Y  element type, or type/type
 *  Arguments in brackets, name<..>
 *      N  one integer            P  any number of integers, as a tuple      B  an element type
 *  The rest of the arguments
 *      V  integers and tuples, one as itself, several as a tuple
 *      U  integers and tuples, always as a tuple
 *      Q  tilers, one as itself, several as <a,b,..>         M  layouts, as <a,b,..>
 */
#ifndef TSR_OPS_H
#define TSR_OPS_H

#include "tessera/ops/atom.h"
#include "tessera/ops/integer.h"
#include "tessera/ops/layout.h"
#include "tessera/ops/swizzle.h"
#include "tessera/ops/tensor.h"
#include "tessera/ops/tiled.h"
#include "tessera/ops/tma.h"
#include "tessera/ops/tuple.h"
#include "tessera/ops/verdict.h"

/* clang-format off */
#define TSR_OPS(X, A) \
    TSR_OPS_INTEGER(X, A) TSR_OPS_TUPLE(X, A) TSR_OPS_LAYOUT(X, A) TSR_OPS_SWIZZLE(X, A) TSR_OPS_VERDICT(X, A) \
    TSR_OPS_TENSOR(X, A) TSR_OPS_ATOM(X, A) TSR_OPS_TILED(X, A) TSR_OPS_TMA(X, A)
/* clang-format on */

#endif

/** Divides: a layout cut into tiles.
 *
 *  Law        logical_divide(L, T) = L o (T, complement(T, shape(L))): mode 0 is a tile, mode 1 counts the tiles.
 *             By mode for a tuple of tilers. The others group the same modes: zipped ((tile),(rest)),
 *             tiled ((tile),rest..), flat (tile..,rest..). `_` keeps its mode whole: it has no tile (_1:_0), and is
 *             what is left.
 *  Condition  those of complement and composition. A tile that does not divide the extent of a 1-D mode gives more
 *             tiles than elements (predicate them); one that drops elements is refused.
 *  Swizzles   one in front of L stays in front; one in front of T must permute T, and T must divide without a
 *             remainder.
 *  Example    zipped_divide((8,6):(1,8), (4,2))  =  ((4,2),(2,3)):((1,8),(4,16))
 *  Source     CuTe, include/cute/layout.hpp; of `_`, python/pycute/layout.py, hier_unzip.
 */
#ifndef TSR_CORE_DIVIDE_H
#define TSR_CORE_DIVIDE_H

#include "tessera/core/complement.h"
#include "tessera/core/composition.h"
#include "tessera/core/locate.h"

TSR_HEADER_BEGIN

TSR_OP tsr_layout tsr_tile_unzip_by(tsr_layout l, tsr_tiler t);

TSR_OP tsr_layout tsr_logical_divide_by(tsr_layout l, tsr_tiler t);

TSR_OP tsr_layout tsr_zipped_divide_by(tsr_layout l, tsr_tiler t);

TSR_OP tsr_layout tsr_tiled_divide_by(tsr_layout l, tsr_tiler t);

TSR_OP tsr_layout tsr_flat_divide_by(tsr_layout l, tsr_tiler t);

/* The same into r, which has no modes. */

TSR_INTERNAL void tsr_logical_divide_into_(tsr_layout *r, tsr_layout const *l, tsr_layout const *by);

TSR_INTERNAL void tsr_zipped_divide_into_(tsr_layout *r, tsr_layout const *l, tsr_layout const *by);

TSR_INTERNAL void tsr_tiled_divide_into_(tsr_layout *r, tsr_layout const *l, tsr_layout const *by);

TSR_INTERNAL void tsr_flat_divide_into_(tsr_layout *r, tsr_layout const *l, tsr_layout const *by);

/** How many tiles, mode by mode: the shape of the complement of a tiler that is a layout, else CuTe's ceil_div. */
TSR_OP tsr_tuple tsr_ceil_div_by(tsr_tuple target, tsr_tiler t);

/** Does the tiler cut the shape without a remainder: size(a) = size(b) * number of tiles, at each leaf of the tiler. */
TSR_OP tsr_tuple tsr_evenly_divides_by(tsr_tuple shape, tsr_tiler t);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/core/body/divide.h"
#endif

#endif

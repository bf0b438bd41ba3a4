/** Rows of sums of layouts, (4,8):(1@0+1@1,1@1). The kinds are explained in ops.h. */
#ifndef TSR_SRC_OPS_SUM_H
#define TSR_SRC_OPS_SUM_H

#include "tessera/core/terms.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_OPS_SUM(X, A) \
    X(sum, make_sum, u_, (M), "the sum of layouts: its strides go along several basis elements", \
      "sum((4,8):(1@0,0), (4,8):(1@1,1@1))", "(4,8):(1@0+1@1,1@1)") \
    X(along, sum_along, L, (u, P), "the layout along a basis element", \
      "along<1>((4,8):(1@0+1@1,1@1))", "(4,8):(1,1)", "- element:") \
    X(shape, sum_shape, T, (u), "the shape of a sum", "shape((4,8):(1@0+1@1,1@1))", "(4,8)") \
    X(size, sum_size, T, (u), "the number of elements of a sum", "size((4,8):(1@0+1@1,1@1))", "32") \
    X(call, sum_call, T, (u, V), "S(c), the coordinate of a coordinate, or of the index of one", \
      "call((4,8):(1@0+1@1,1@1), (2,3))", "(2,5)", "- coord:") \
    X(coalesce, sum_coalesce, u_, (u), "the same function with fewer leaves", \
      "coalesce((_2,_4):(_1@0+_3@1,_2@0+_6@1))", "_8:_1@0+_3@1") \
    X(composition, sum_composition, u_, (u, L), "S after B: R(c) = S(B(c))", \
      "composition((_4,_8):(_1@0+_1@1,_1@1), (_2,_4):(_2,_4))", "(_2,_4):(_2@0+_2@1,_1@1)") \
    X(logical_divide, sum_logical_divide, u_, (u, R), "the tiles of a sum, mode by mode", \
      "logical_divide((_4,_8):(_1@0+_1@1,_1@1), <_2,_4>)", \
      "((_2,_2),(_4,_2)):((_1@0+_1@1,_2@0+_2@1),(_1@1,_4@1))") \
    X(zipped_divide, sum_zipped_divide, u_, (u, R), "(tile,rest) of a sum: mode 0 is one tile, mode 1 counts the tiles", \
      "zipped_divide((_4,_8):(_1@0+_1@1,_1@1), <_2,_4>)", \
      "((_2,_4),(_2,_2)):((_1@0+_1@1,_1@1),(_2@0+_2@1,_4@1))") \
    X(tiled_divide, sum_tiled_divide, u_, (u, R), "(tile,rest..) of a sum: mode 0 is one tile, the others count the tiles", \
      "tiled_divide((_4,_8):(_1@0+_1@1,_1@1), <_2,_4>)", \
      "((_2,_4),_2,_2):((_1@0+_1@1,_1@1),_2@0+_2@1,_4@1)") \
    X(flat_divide, sum_flat_divide, u_, (u, R), "(tile..,rest..) of a sum", \
      "flat_divide((_4,_8):(_1@0+_1@1,_1@1), <_2,_4>)", \
      "(_2,_4,_2,_2):(_1@0+_1@1,_1@1,_2@0+_2@1,_4@1)") \
    X(slice, sum_slice, u_, (T, u), "the modes of a sum under `_`", \
      "slice((2,_), (4,8):(1@0+1@1,1@1))", "(8):(1@1)", "coord:") \
    X(same_function, sum_same_function, D, (u, u), "the same coordinate for every index", \
      "same_function((4,8):(1@0+1@1,1@1), ((2,2),8):((1@1+1@0,2@0+2@1),1@1))", "yes") \
    X(linear, sum_linear, f, (u), "the linear map over F2 of a sum: an output for each basis element", \
      "linear((2,2):(1@0+1@1,2@1))", "linear{dim0=((1,1));dim1=((0,2)) -> dim0=2;dim1=4}")
/* clang-format on */

TSR_HEADER_END

#endif

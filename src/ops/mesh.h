/** Rows of distributed layouts and of redistributions. The kinds are explained in ops.h.
 *
 *  A distributed layout is written in the words of another system, scalapack(..), dtensor(..), xla(..), hpf(..),
 *  darray(..), intervals(..), or is made of a layout into (rank, offset). These values hold no reason: where an
 *  operation refuses, the calculator says its message (kind c).
 */
#ifndef TSR_SRC_OPS_DIST_H
#define TSR_SRC_OPS_DIST_H

#include "tessera/mesh/exchange.h"
#include "tessera/mesh/make.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_OPS_DIST(X, A) \
    X(distributed, distributed_of, r_, (L, T, c), \
      "the distributed layout that a layout into (rank, offset) is: strides along _1@0 and _1@1; extents where it is padded", \
      "distributed(((2,3),4):((1@1,1@0),2@1))", "distributed(((2,3),4):((1@1,1@0),2@1))", "- extents") \
    X(view, distributed_view, r_, (r, T, c), "the same memory of each rank, as a tensor of other extents, where it is one", \
      "view(dtensor((8,6),(2),[S(0)]), (2,4,6))", "view(dtensor((8,6),(2),[S(0)]), (2,4,6))", \
      "- extents:") \
    X(describe, distributed_words, a, (r, o), "extents, ranks, and the splits of the modes, in words", \
      "describe(dtensor((9,8),(4),[S(0)]))", \
      "(9,8) on ranks 0 to 3; mode 0: blocks of 3, period 9, 4 ranks at steps of 1") \
    X(to_layout, distributed_layout, L, (r, c), "the layout into (rank, offset), along _1@0 and _1@1, where there is one", \
      "to_layout(dtensor((8,6),(2,2),[S(0),S(1)]))", "((_4,_2),(_3,_2)):((_3@1,_2@0),(_1@1,_1@0))") \
    X(to_scalapack, distributed_scalapack, a, (r, o, c), "the text of ScaLAPACK's descriptor, where there is one", \
      "to_scalapack(hpf((8,8),(CYCLIC(2),CYCLIC(2)),(2,2)))", "scalapack(8,8,2,2,2,2,C)") \
    X(to_dtensor, distributed_dtensor, a, (r, o, c), "the text of DTensor's mesh and placements, where there is one", \
      "to_dtensor(xla((8,8),{devices=[2,1,2]<=[4] last_tile_dim_replicate}))", "dtensor((8,8),(2,2),[S(0),R])") \
    X(to_xla, distributed_xla, a, (r, o, c), "the text of XLA's sharding, where there is one", \
      "to_xla(dtensor((8,8),(2,4),[S(1),S(0)]))", "xla((8,8),{devices=[4,2]<=[2,4]T(1,0)})") \
    X(to_hpf, distributed_hpf, a, (r, o, c), "the text of HPF's DISTRIBUTE, where there is one", \
      "to_hpf(scalapack(9,8,3,2,3,2,0,0,C))", "hpf((9,8),(BLOCK,CYCLIC(2)),(3,2))") \
    X(to_darray, distributed_darray, a, (r, o, c), "the text of MPI's darray, where there is one", \
      "to_darray(xla((9,8),{devices=[2,1]<=[2]}))", "darray((9,8),(BLOCK,NONE),(2,1))") \
    X(to_intervals, distributed_intervals, a, (r, o, c), "the intervals of each mode, as rank:length, where axes cut one mode each", \
      "to_intervals(xla((8,2),{devices=[4,1]0,1,3,2}))", "intervals((8,2),((0:2,1:2,3:2,2:2),*),(4))") \
    X(ranks, distributed_ranks, T, (r), "one more than the largest rank", "ranks(dtensor((9,8),(2,4),[S(0),R]))", "8") \
    X(copies, distributed_copies, T, (r), "how many ranks hold an element", \
      "copies(dtensor((9,8),(2,4),[S(0),R]))", "4") \
    X(addends, distributed_addends, T, (r), "of how many addends an element is the sum", \
      "addends(dtensor((9,8),(2,4),[S(0),P]))", "4") \
    X(part, distributed_part, L, (r, T, c), "what a rank holds, as it lies in the rank's memory", \
      "part(dtensor((9,8),(4),[S(0)]), 2)", "(3,8):(8,1)", "- rank:") \
    X(holder, distributed_holder, T, (r, T, c), "(rank, offset) of an element, in its first copy", \
      "holder(dtensor((9,8),(4),[S(0)]), (5,2))", "(1,18)", "- index:") \
    X(held, distributed_held, T, (r, T, T, c), "the index of the element that a rank holds at its own index", \
      "held(dtensor((9,8),(4),[S(0)]), 1, (2,2))", "(5,2)", "- rank: local:") \
    X(redistribute, distributed_exchange, x_, (r, r, T, c), \
      "the plan from one distribution to another, of 4 bytes an element; host ranks in a row share a host", \
      "redistribute(dtensor((8,8),(2,2),[S(0),S(1)]), dtensor((8,8),(2,2),[S(1),S(0)]))", \
      "1->2: 64, 2->1: 64; 128 bytes in 2 messages, lower bound 128, 2.006 us; 128 bytes stay", "from: to: host") \
    X(redistribute, distributed_exchange_of, x_, (r, r, T, B, c), "the same of elements of a type", \
      "redistribute<bf16>(dtensor((8),(2),[S(0)]), dtensor((8),(2),[R]), host=2)", \
      "0->1: 8, 1->0: 8; 16 bytes in 2 messages, lower bound 16, 2.001 us; 16 bytes stay", "from: to: host type:") \
    X(sent, distributed_sent, T, (x, T, T, c), "the bytes that one rank sends to another; those that stay, to itself", \
      "sent(redistribute(dtensor((8),(2),[S(0)]), dtensor((8),(4),[S(0)])), 0, 1)", "8", "- from: to:") \
    X(traffic, distributed_bytes, T, (x), "the bytes of all messages", \
      "traffic(redistribute(dtensor((8),(4),[S(0)]), dtensor((8),(4),[R])))", "96") \
    X(lower_bound, distributed_lower_bound, T, (x), "the bytes that any plan of messages sends", \
      "lower_bound(redistribute(dtensor((8),(4),[S(0)]), dtensor((8),(4),[R])))", "96")
/* clang-format on */

TSR_HEADER_END

#endif

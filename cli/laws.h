/** What `tessera explain` says of an operation: X(name, law, condition), the names those of the table. */
#ifndef TSR_CLI_LAWS_H
#define TSR_CLI_LAWS_H

/* clang-format off */
#define LAW_LIST(X) \
    X(composition, "R(c) = A(B(c)) for every c < size(B)", \
      "each leaf s:d of B walks over A: an extent n is stepped over when n divides d, cut when d divides n " \
      "and n/d divides s or covers it; the leaves of B do not carry into each other") \
    X(coalesce, "R(i) = L(i), depth(R) <= 1", \
      "modes merge where static integers prove it") \
    X(filter, "coalesce without the modes of static stride 0", \
      "none") \
    X(complement, "R is ordered and disjoint from L, and the copies of L at its offsets reach the cotarget", \
      "sorted by stride, no stride of L is negative or less than the span of the modes before it") \
    X(right_inverse, "L(R(i)) = i for i < size(R)", \
      "modes of dynamic stride are left out") \
    X(left_inverse, "R(L(i)) = i for i < size(L); L(R(L(i))) = L(i) where several i have one offset", \
      "strides are not negative, each a multiple of the span before it, or the law holds all the same") \
    X(logical_divide, "R = L o (T, complement(T, shape(L))): mode 0 a tile, mode 1 the tiles", \
      "those of complement and composition") \
    X(zipped_divide, "logical_divide, regrouped to ((tile),(rest))", \
      "those of logical_divide") \
    X(tiled_divide, "logical_divide, regrouped to ((tile),rest..)", \
      "those of logical_divide") \
    X(flat_divide, "logical_divide, regrouped to (tile..,rest..)", \
      "those of logical_divide") \
    X(logical_product, "R = (L, complement(L, size(L)*cosize(T)) o T): mode 0 a block, mode 1 its repetitions", \
      "those of complement and composition") \
    X(blocked_product, "logical_product with the modes interleaved, block first", \
      "those of logical_product") \
    X(raked_product, "logical_product with the modes interleaved, tiler first", \
      "those of logical_product") \
    X(upcast, "N elements become one", \
      "each static stride divides N or is divided by it") \
    X(downcast, "one element becomes N", \
      "some mode has the static stride 1") \
    X(slice, "slice(c,L) at the free coordinates, plus the offset of c, is L at the whole coordinate", \
      "none")
/* clang-format on */

#endif

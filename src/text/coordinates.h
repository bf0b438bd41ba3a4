/** The coordinates in a tensor or a layout of basis strides, one for every element: they depend linearly on the digits
 *  of its 1-D coordinate, so that a table of them is filled without evaluating each. */
#ifndef TSR_SRC_COORDINATES_H
#define TSR_SRC_COORDINATES_H

#include "text/write.h"

typedef struct coordinates {
    tsr_tuple first;                              /* that of element 0 */
    int64_t extent[TSR_MAX_LEAVES];               /* of the digits */
    int64_t step[TSR_MAX_LEAVES][TSR_MAX_LEAVES]; /* of a digit, in every leaf of a coordinate */
    int digits;
} coordinates;

/** Of a tensor of coordinates. False: they are not linear, or there are none; then `first` says why. */
bool tsr_coordinates_of_tensor_(coordinates *c, tsr_tensor const *t);
bool tsr_coordinates_of_layout_(coordinates *c, tsr_layout const *l);

/** That of an element; invalid where it does not fit in 64 bits. */
void tsr_coordinates_at_(coordinates const *c, int64_t index, tsr_tuple *at);

/** Does an element of a counting tensor fit in 64 bits? Those of other tensors are no sums. */
bool tsr_tensor_counts_(tsr_tensor const *t, int64_t index);

#endif

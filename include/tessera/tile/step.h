/** A step of a coordinate that is taken many times: what it does to every hidden index is worked out once.
 *
 *  Where transforms are linear a step adds constants. A merge adds a constant to each digit as long as none of them
 *  carries, and so does a remainder. These digits are checked before anything is added, and a step that carries is an
 *  ordinary move. All other transforms (a xor, a gather, and all below them) are evaluated again.
 *
 *  A run is a number of steps without a carry: its elements are at equal distances in memory, and all of them exist or
 *  none. A loop over runs costs as much as a loop over memory.
 *
 *  Law     take(c, make(d, s)) = move(c, s).
 *          for 0 <= k < count: offset(c + k s) = offset(c) + k stride, and c + k s is there as c is.
 */
#ifndef TSR_TILE_STEP_H
#define TSR_TILE_STEP_H

#include "tessera/tile/coordinate.h"

TSR_HEADER_BEGIN

/** A hidden index and the number added to it. A digit must stay below `below`; 0: it is not a digit. */
typedef struct tsr_step_add {
    uint8_t dim;
    bool left, right; /* below 0, or at its length and beyond, there is no element */
    int64_t by, below;
} tsr_step_add;

typedef struct tsr_coordinate_step {
    uint8_t adds, digits, again;      /* digits: the first ones of `add` */
    uint8_t node[TSR_MAX_TRANSFORMS]; /* the transforms that are evaluated again, in order */
    tsr_step_add add[TSR_MAX_HIDDEN];
    int64_t step[TSR_MAX_DIMS];
} tsr_coordinate_step;

/** The step of a descriptor by `step` of its top index. */
TSR_API tsr_coordinate_step tsr_make_coordinate_step(tsr_descriptor const *d, int64_t const *step);

/** c moved by a step that was made for its descriptor. */
TSR_API void tsr_step_tensor_coordinate(tsr_descriptor const *d, tsr_coordinate *c, tsr_coordinate_step const *step);

/* Runs */

typedef struct tsr_coordinate_run {
    int64_t count, stride; /* of elements, and from one to the next */
    bool there;
} tsr_coordinate_run;

/** The run of a step from c on, of at most `most` elements, 1 at least. */
TSR_API tsr_coordinate_run tsr_make_coordinate_run(tsr_descriptor const *d, tsr_coordinate const *c,
                                                   tsr_coordinate_step const *step, int64_t most);

/** c moved by all steps of a run, behind its last element. */
TSR_API void tsr_run_tensor_coordinate(tsr_descriptor const *d, tsr_coordinate *c, tsr_coordinate_step const *step,
                                       tsr_coordinate_run run);

TSR_HEADER_END

#endif

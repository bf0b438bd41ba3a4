/** Whether two distributed layouts put the same elements into the same places. */
#ifndef TSR_SRC_MESH_SAME_H
#define TSR_SRC_MESH_SAME_H

#include "tessera/mesh/layout.h"

/** The layout without what says nothing: splits of one rank are gone, the others stand by their strides, the largest
 *  first; neighbouring splits of copies, or of addends, are one; and a period that does not come again is that of whole
 *  blocks. */
tsr_dist_layout tsr_dist_normal_(tsr_dist_layout const *d);

/** Are the normal forms equal? Layouts that differ there may still be the same function. */
bool tsr_dist_same_(tsr_dist_layout const *a, tsr_dist_layout const *b);

#endif

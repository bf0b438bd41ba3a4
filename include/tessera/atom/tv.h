/** Thread-value layouts, built mode by mode: (thread, value) to an index of a tile, threads first. */
#ifndef TSR_ATOM_TV_H
#define TSR_ATOM_TV_H

#include "tessera/generic.h"

TSR_HEADER_BEGIN

/** Appends the mode _extent:_stride to a list of modes. */
TSR_OP void tsr_tv_push_(tsr_layout *list, int64_t extent, int64_t stride);

/** (threads, values). */
TSR_OP tsr_layout tsr_make_tv(tsr_layout threads, tsr_layout values);

/** _extent:_stride, or _1:_0 for one. */
TSR_OP tsr_layout tsr_tv_run(int64_t extent, int64_t stride);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/tv.h"
#endif

#endif

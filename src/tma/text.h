/** The text of a tensor map, and the names of TMA operations. */
#ifndef TSR_SRC_TMA_TEXT_H
#define TSR_SRC_TMA_TEXT_H

#include "text/write.h"

void write_tma_map(writer *w, tsr_tma_desc const *d);
char const *tma_op_name(tsr_tma_op op);

#endif

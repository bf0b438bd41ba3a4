/** The text of a tensor map, and the names of TMA operations. */
#ifndef TSR_SRC_TMA_TEXT_H
#define TSR_SRC_TMA_TEXT_H

#include "text/write.h"

void tsr_write_tma_map_(writer *w, tsr_tma_desc const *d);
char const *tsr_tma_op_name_(tsr_tma_op op);

#endif

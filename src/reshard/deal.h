/** Files of the target. */
#ifndef TSR_SRC_RESHARD_DEAL_H
#define TSR_SRC_RESHARD_DEAL_H

#include "reshard/reshard.h"

/** Lists the files of the target, their tensors and their bytes. */
bool tsr_reshard_deal_(tsr_reshard *r, tsr_message *error);

/** Has the target an index, and under which name? */
bool tsr_reshard_is_indexed_(tsr_reshard const *r);
char const *tsr_reshard_index_name_(tsr_reshard const *r);

#endif

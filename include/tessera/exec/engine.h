/** Engine: how the library runs plans. Behind tsr_copy and all that makes plans.
 *
 *  A row is an instruction set: "amx" ("avx512" with tiles for products), "avx512", "avx2", "vector" (16 bytes: SSE2,
 *  NEON), and "loops", the portable ones. The environment variable TESSERA_ENGINE names the row of a
 *  process; tsr_engine_use says it again. Large plans are run by the threads of OpenMP, where the library was built
 *  with it. A child of a process that had threads when it forked has one: pools of OpenMP do not survive a fork.
 *
 *  Law     all rows, and any number of threads, leave the same bytes.
 */
#ifndef TSR_EXEC_ENGINE_H
#define TSR_EXEC_ENGINE_H

#include "tessera/exec/plan.h"

TSR_HEADER_BEGIN

/** The row that runs. */
TSR_API char const *tsr_engine_name(void);

/** Runs this row from now on, NULL: the best one. False, and no change: this machine has none of that name. */
TSR_API bool tsr_engine_use(char const *row);

/** The row at a place of the list, the best one first; NULL behind the last one that this machine has. */
TSR_API char const *tsr_engine_row(int i);

/** At most so many threads take part in a copy or a product from now on, 0: as many as OpenMP says. Returns how many
 *  that are. */
TSR_API int tsr_engine_threads(int most);

TSR_HEADER_END

#endif

/** Engine: the instruction sets and threads that run plans: those of tsr_copy and of every function that makes a plan.
 *
 *  A row is an instruction set: "amx" ("avx512" with tiles for products), "avx512", "avx2", "vector" (16 bytes: SSE2,
 *  NEON), and "loops", the portable ones. The environment variable TESSERA_ENGINE chooses the row of a process, and
 *  tsr_cpu_engine_use overrides it. Threads of its own run large plans: where there are POSIX threads,
 *  as many as OMP_NUM_THREADS says, or as there are processors. A call from a parallel region of OpenMP takes one.
 *
 *  Law     all rows, and any number of threads, leave the same bytes, but for the last bits of products of floats
 *          (exec/gemm.h).
 */
#ifndef TSR_EXEC_ENGINE_H
#define TSR_EXEC_ENGINE_H

#include "tessera/exec/plan.h"

TSR_HEADER_BEGIN

/** Returns the name of the row that runs. */
TSR_API char const *tsr_cpu_engine_name(void);

/** Runs this row from now on, NULL: the best one. False, and no change: this machine has none of that name. */
TSR_TRY bool tsr_cpu_engine_use(char const *row);

/** Returns row i of the list, the best one first; NULL after the last one of this machine. */
TSR_API char const *tsr_cpu_engine_row(int i);

/** Limits copies and products to `most` threads from now on; 0: as many as there are. Returns the limit. */
TSR_API int tsr_cpu_engine_threads(int most);

TSR_HEADER_END

#endif

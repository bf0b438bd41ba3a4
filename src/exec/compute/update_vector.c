/* Updates by NEON; other vectors of 16 bytes are the compiler's (exec/compute/by_loops.c). */
#include "exec/engine.h"
#include "exec/neon.h"

#if TSR_NEON && (defined(__clang__) || __GNUC__ >= 12)
#  define VECTOR 16
#  define ROW(name) tsr_##name##_vector_
#  include "exec/compute/update_row.h"
#endif

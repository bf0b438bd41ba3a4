/* Reductions by vectors of 16 bytes. */
#include "exec/engine.h"

#if defined(__GNUC__) && (defined(__clang__) || __GNUC__ >= 12)
#  define VECTOR 16
#  define ROW(name) tsr_##name##_vector_
#  include "exec/compute/reduce_row.h"
#endif

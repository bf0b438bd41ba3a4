/** The operations as symbols of the compiled library, for other languages: tsrc_NAME does what tsr_NAME does.
 *  Made from the table in ops.h, and from the lists in ops/memory.h and ops/move.h. */
#ifndef TSR_CALL_H
#define TSR_CALL_H

#include "tessera/ops.h"
#include "tessera/ops/memory.h"
#include "tessera/ops/move.h"

#define X(name, fn, result, args, ...) TSR_API TSR_TYPE_##result tsrc_##fn(TSR_PARAMS args);
#define A(name, fn, result, args, ...)
TSR_OPS(X, A)
#undef X
#undef A

#endif

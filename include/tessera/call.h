/** The operations as symbols of the compiled library, for other languages: tsrc_NAME does what tsr_NAME does.
 *  Made from the table in ops.h, and from the lists in ops/memory.h and ops/move.h. */
#ifndef TSR_CALL_H
#define TSR_CALL_H

#include "tessera/ops.h"
#include "tessera/ops/memory.h"
#include "tessera/ops/move.h"

#include "tessera/ops/letters.h"

TSR_HEADER_BEGIN
#define TSR_DECLARE_(name, fn, result, args, ...) TSR_API TSR_TYPE_##result tsrc_##fn(TSR_PARAMS args);
#define TSR_ALIAS_(name, fn, result, args, ...)
TSR_OPS(TSR_DECLARE_, TSR_ALIAS_)
#undef TSR_DECLARE_
#undef TSR_ALIAS_
#include "tessera/ops/letters.h"

TSR_HEADER_END

#endif

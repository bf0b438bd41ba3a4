/** The exported twins of the header functions. The rows of ops.h are compiled in parts, so that no unit takes long. */
#ifndef TSR_SRC_CALL_CALL_H
#define TSR_SRC_CALL_CALL_H

#include "tessera/call.h"

#define TSR_NAME(kind, i) p##i
#define TSR_PASS(...) TSR_EACH(TSR_NAME, __VA_ARGS__)

/* A row makes a twin, a second name of a function none. Kinds X and A are written like these macros: no others will
 * do. */
#define X(name, fn, result, args, ...) \
    TSR_TYPE_##result tsrc_##fn(TSR_PARAMS args) { return tsr_##fn(TSR_PASS args); }
#define A(name, fn, result, args, ...)

#endif

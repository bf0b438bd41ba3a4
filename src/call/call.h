/** The exported twins of the header functions. The rows of ops.h are compiled in parts, so that no unit takes long. */
#ifndef TSR_SRC_CALL_CALL_H
#define TSR_SRC_CALL_CALL_H

#include "tessera/call.h"

#define TSR_PASS_1(p) a
#define TSR_PASS_2(p, q) a, b
#define TSR_PASS_3(p, q, r) a, b, c
#define TSR_PASS_4(p, q, r, s) a, b, c, d
#define TSR_PASS_5(p, q, r, s, t) a, b, c, d, e
#define TSR_PASS_6(p, q, r, s, t, u) a, b, c, d, e, f
#define TSR_PASS_8(p, q, r, s, t, u, v, w) a, b, c, d, e, f, g, h
#define TSR_PASS(...) TSR_CAT(TSR_PASS_, TSR_NARG(__VA_ARGS__))(__VA_ARGS__)

/* A row makes a twin, a second name of a function none. Kinds X and A are written like these macros: no others will do. */
#define X(name, fn, result, args, ...) \
    TSR_TYPE_##result tsrc_##fn(TSR_PARAMS args) { return tsr_##fn(TSR_PASS args); }
#define A(name, fn, result, args, ...)

#endif

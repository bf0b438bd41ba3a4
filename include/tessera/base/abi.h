/** What all objects of a program must agree on: the sizes of values that are chosen when an object is compiled.
 *
 *  Every object of C refers to a symbol with the number in its name, tsr_abi_leaves_16, that the library defines for
 *  its own: objects compiled with another TSR_MAX_LEAVES, TSR_MAX_DIMS or TSR_MAX_TRANSFORMS are not linked with
 *  it. */
#ifndef TSR_BASE_ABI_H
#define TSR_BASE_ABI_H

#include "tessera/base/config.h"

TSR_HEADER_BEGIN

/** "0.1.0": of the library that is linked, where TSR_VERSION_MAJOR, .. are those of the headers. */
TSR_API char const *tsr_version(void);

#define TSR_CAT_(a, b) a##b
#define TSR_CAT(a, b) TSR_CAT_(a, b)

/** An object that is compiled with TSR_SHARES(leaves, 16) refers to tsr_abi_leaves_16. */
#if defined(TSR_IMPLEMENTATION) || defined(TSR_ABI_SYMBOLS)
#  define TSR_SHARES(what, number)                         \
    TSR_API char const TSR_CAT(tsr_abi_##what##_, number); \
    char const TSR_CAT(tsr_abi_##what##_, number) = number;
#elif defined(__GNUC__) && !defined(__cplusplus)
#  define TSR_SHARES(what, number)                         \
    TSR_API char const TSR_CAT(tsr_abi_##what##_, number); \
    static char const *const tsr_abi_##what##_ __attribute__((used)) = &TSR_CAT(tsr_abi_##what##_, number);
#else
#  define TSR_SHARES(what, number)
#endif

TSR_SHARES(leaves, TSR_MAX_LEAVES)

TSR_HEADER_END

#endif

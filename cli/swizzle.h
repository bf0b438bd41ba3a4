/** The accesses that `tessera swizzle` knows. */
#ifndef TSR_CLI_SWIZZLE_H
#define TSR_CLI_SWIZZLE_H

/** The name of access i; NULL behind the last one. */
char const *swizzle_access(int i);

#endif

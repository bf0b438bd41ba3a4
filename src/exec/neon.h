/** Vectors of AArch64: whether a file is compiled for them, and which later instructions this processor has. */
#ifndef TSR_SRC_EXEC_NEON_H
#define TSR_SRC_EXEC_NEON_H

#include <stdbool.h>

/* Lanes are numbered as memory is. */
#if defined(__aarch64__) && defined(__ARM_NEON) && defined(__GNUC__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#  define TSR_NEON 1
#else
#  define TSR_NEON 0
#endif

/* clang-format off */
/** X(id, name): what not every such processor has. Neoverse N1 has the first, N2, V1, V2 and Apple's M2 have all, the
 *  M1 has the first. The names are those of Linux (/proc/cpuinfo). */
#define TSR_NEON_LIST(X)      \
  X(DOTS, "asimddp")          \
  X(BYTE_MATRICES, "i8mm")    \
  X(BF16, "bf16")
/* clang-format on */

typedef enum tsr_neon_ {
#define X(id, name) TSR_NEON_##id,
    TSR_NEON_LIST(X)
#undef X
} tsr_neon_;

/** Whether the processor that runs has one of them; the system is asked once. */
bool tsr_engine_has_neon_(tsr_neon_ which);

/** The same by a name of the list; false for others. */
bool tsr_engine_has_neon_named_(char const *name);

#endif

/* What the processor has of later instructions of AArch64. */
#include "exec/neon.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#if TSR_NEON && defined(__linux__)
#  include <sys/auxv.h>

/** The bits of the kernel's interface, by which a processor is known whatever the C library's headers name. */
static bool system_has(tsr_neon_ which)
{
    switch (which) {
    case TSR_NEON_DOTS:
        return getauxval(AT_HWCAP) >> 20 & 1;
    case TSR_NEON_BYTE_MATRICES:
        return getauxval(AT_HWCAP2) >> 13 & 1;
    case TSR_NEON_BF16:
        return getauxval(AT_HWCAP2) >> 14 & 1;
    }
    return false;
}
#elif TSR_NEON && defined(__APPLE__)
#  include <sys/sysctl.h>

static bool system_has(tsr_neon_ which)
{
    static char const *const names[] = {"hw.optional.arm.FEAT_DotProd", "hw.optional.arm.FEAT_I8MM",
                                        "hw.optional.arm.FEAT_BF16"};
    int has = 0;
    size_t size = sizeof has;
    return sysctlbyname(names[which], &has, &size, NULL, 0) == 0 && has != 0;
}
#else
static bool system_has(tsr_neon_ which)
{
    (void)which;
    return false;
}
#endif

bool tsr_engine_has_neon_(tsr_neon_ which)
{
    static atomic_int known; /* a bit for each that the processor has, behind one for having asked */
    int has = atomic_load_explicit(&known, memory_order_relaxed);
    if (has == 0) {
        has = 1;
#define X(id, name) has |= system_has(TSR_NEON_##id) ? 2 << TSR_NEON_##id : 0;
        TSR_NEON_LIST(X)
#undef X
        atomic_store_explicit(&known, has, memory_order_relaxed);
    }
    return (has >> 1 >> (int)which & 1) != 0;
}

bool tsr_engine_has_neon_named_(char const *name)
{
#define X(id, text) || (strcmp(name, text) == 0 && tsr_engine_has_neon_(TSR_NEON_##id))
    return false TSR_NEON_LIST(X);
#undef X
}

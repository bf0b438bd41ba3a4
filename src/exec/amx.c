/* The row of AMX: checks that the processor has tiles and that the system lets this process use them. Linux must be
 * asked first, because tiles add 8 kB to the saved state of a thread. */
#define _GNU_SOURCE
#include <stdatomic.h>
#if defined(__linux__) && defined(__x86_64__) && defined(__GNUC__)
#  include <cpuid.h>
#  include <sys/syscall.h>
#  include <unistd.h>
#endif

#include "exec/engine.h"
#include "exec/gemm/row.h"

#if defined(__linux__) && defined(__x86_64__) && defined(__GNUC__)
/** Leaf 7: AMX-BF16, AMX-TILE, AMX-INT8; the system saves tiles (XCR0, of which XTILEDATA is state 18). */
static bool has_tiles(void)
{
    unsigned const all = 1u << 22 | 1u << 24 | 1u << 25, saved = 3u << 17;
    unsigned a = 0, b = 0, c = 0, d = 0, low = 0, high = 0;
    if (!__get_cpuid(1, &a, &b, &c, &d) || (c & bit_OSXSAVE) == 0 || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
        return false;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (d & all) == all && (low & saved) == saved;
}

static bool may_use_tiles(void)
{
    enum { REQUEST_PERMISSION = 0x1023, XTILEDATA = 18 };
    return syscall(SYS_arch_prctl, REQUEST_PERMISSION, XTILEDATA) == 0;
}
#else
static bool has_tiles(void) { return false; }

static bool may_use_tiles(void) { return false; }
#endif

/** The answer to a question that is asked once; threads that ask it at the same time hear the same. */
static bool ask(atomic_int *known, bool (*question)(void))
{
    int yes = atomic_load_explicit(known, memory_order_relaxed);
    if (yes < 0) {
        yes = question();
        atomic_store_explicit(known, yes, memory_order_relaxed);
    }
    return yes != 0;
}

engine_kernels const *tsr_engine_amx_(void)
{
    static atomic_int known = -1;
    return tsr_gemm_amx.rows > 0 && ask(&known, has_tiles) ? tsr_engine_avx512_() : NULL;
}

bool tsr_engine_may_use_tiles_(void)
{
    static atomic_int known = -1;
    return ask(&known, may_use_tiles);
}

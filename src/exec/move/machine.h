/** What copies know of the processor that they run on. */
#ifndef TSR_SRC_EXEC_MOVE_MACHINE_H
#define TSR_SRC_EXEC_MOVE_MACHINE_H

#include "exec/engine.h"

enum { ENGINE_INTEL, ENGINE_AMD, ENGINE_ZEN5, ENGINE_ARM, ENGINE_OTHER, ENGINE_MACHINES };

typedef struct engine_machine {
    bool sets;     /* pages at multiples of a power of two share few entries of the first TLB */
    bool pieces;   /* vectors shorter than a line move 256 bytes of each line of the source together */
    bool in_place; /* lines that fall into few sets are turned where they lie; runs of 256 bytes are written */
    bool asks;     /* updates in place ask for memory line by line */
    int ways;      /* of a set of the first cache */
} engine_machine;

/** The kind of the processor that runs. gcc 12 does not know a Zen 5 by name: it is of none of AMD's older families
 *  that have AVX2. */
static inline int machine_kind(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (!__builtin_cpu_is("amd"))
        return __builtin_cpu_is("intel") ? ENGINE_INTEL : ENGINE_OTHER;
    bool const older = !__builtin_cpu_supports("avx2") || __builtin_cpu_is("amdfam15h")
                       || __builtin_cpu_is("amdfam17h") || __builtin_cpu_is("amdfam19h");
    return older ? ENGINE_AMD : ENGINE_ZEN5;
#elif defined(__aarch64__)
    return ENGINE_ARM;
#else
    return ENGINE_OTHER;
#endif
}

/* Tests run the parameters of every machine on any. */
#ifndef TSR_MACHINE
#  define TSR_MACHINE machine_kind()
#endif

/** The parameters of the processor that runs.
 *
 *  Sets: on a Xeon 16384 by 16384 floats reach 0.82 of memcpy from 32 lines, and 0.46 from 64; on a Zen 3, whose first
 *  TLB has no sets, 0.51 and 0.68.
 *  Pieces: a Zen 3 reads 256 bytes of a line at the speed of whole lines, and 64 at half of it. 384 by 355 by 384
 *  floats reversed reach 0.72 of memcpy instead of 0.63.
 *  In place: a Zen 5 (row AVX2) transposes 2048 by 2048 floats at 0.89 of memcpy, and at 0.69 through a buffer; 8191 by
 *  8191 bytes at 0.48, and at 0.39 by runs of 128 bytes.
 *  Asks: 0.7 x + 0.3 y of f32 on a Xeon reaches 0.9 of memcpy, and 0.7 without. A Zen 5 gains nothing in memory and
 *  loses a fifth in its third cache.
 *  Ways: lines a multiple of 4 or 16 kB apart share a set. Where a square reads more of them than a set has ways, they
 *  are copied first. Arm: the manuals of Neoverse N1, N2, V1 and V2 give a first cache of 64 kB in 4 ways, and a first
 *  TLB without sets. */
static inline engine_machine machine_here(void)
{
    static engine_machine const machines[ENGINE_MACHINES] = {
        /*                sets   pieces in_place asks   ways */
        [ENGINE_INTEL] = {true, false, false, true, 8},   /* Xeons */
        [ENGINE_AMD] = {false, true, false, false, 8},    /* Zen 3, Zen 4 */
        [ENGINE_ZEN5] = {false, false, true, false, 12},  /* and later ones */
        [ENGINE_ARM] = {false, false, false, true, 4},    /* not measured */
        [ENGINE_OTHER] = {false, false, false, false, 8}, /* not measured */
    };
    return machines[TSR_MACHINE];
}

#endif

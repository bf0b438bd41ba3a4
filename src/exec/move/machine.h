/** What copies know of the processor that they run on. */
#ifndef TSR_SRC_EXEC_MOVE_MACHINE_H
#define TSR_SRC_EXEC_MOVE_MACHINE_H

#include "exec/engine.h"

enum { ENGINE_INTEL, ENGINE_AMD, ENGINE_ARM, ENGINE_OTHER, ENGINE_MACHINES };

typedef struct engine_machine {
    bool sets;   /* pages at multiples of a power of two share few entries of the first TLB */
    bool pieces; /* vectors shorter than a line move 256 bytes of each line of the source together */
    bool asks;   /* updates in place ask for memory line by line */
    int ways;    /* of a set of the first cache */
} engine_machine;

/** The maker of the processor that runs. */
static inline int machine_maker(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    return __builtin_cpu_is("intel") ? ENGINE_INTEL : __builtin_cpu_is("amd") ? ENGINE_AMD : ENGINE_OTHER;
#elif defined(__aarch64__)
    return ENGINE_ARM;
#else
    return ENGINE_OTHER;
#endif
}

/* Tests run the parameters of every machine on any. */
#ifndef TSR_MACHINE
#  define TSR_MACHINE machine_maker()
#endif

/** The parameters of the processor that runs.
 *
 *  Sets: on a Xeon 16384 by 16384 floats reach 0.82 of memcpy from 32 lines, and 0.46 from 64; on a Zen 3, whose first
 *  TLB has no sets, 0.51 and 0.68.
 *  Pieces: a Zen 3 reads 256 bytes of a line at the speed of whole lines, and 64 at half of it. 384 by 355 by 384
 *  floats reversed reach 0.72 of memcpy instead of 0.63.
 *  Asks: 0.7 x + 0.3 y of f32 on a Xeon reaches 0.9 of memcpy, and 0.7 without. A Zen 5 gains nothing in memory and
 *  loses a fifth in its third cache.
 *  Ways: lines a multiple of 4 or 16 kB apart share a set. Where a square reads more of them than a set has ways, they
 *  are copied first. Arm: the manuals of Neoverse N1, N2, V1 and V2 give a first cache of 64 kB in 4 ways, and a first
 *  TLB without sets. */
static inline engine_machine machine_here(void)
{
    static engine_machine const machines[ENGINE_MACHINES] = {
        /*                sets   pieces asks   ways */
        [ENGINE_INTEL] = {true, false, true, 8},
        [ENGINE_AMD] = {false, true, false, 8},
        [ENGINE_ARM] = {false, false, true, 4},    /* not measured */
        [ENGINE_OTHER] = {false, false, false, 8}, /* not measured */
    };
    return machines[TSR_MACHINE];
}

#endif

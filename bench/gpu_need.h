/** What a benchmark of the GPU's functions needs to succeed. */
#ifndef TSR_BENCH_GPU_NEED_H
#define TSR_BENCH_GPU_NEED_H

#include <stdio.h>
#include <stdlib.h>

#include "tessera/gpu.h"

static char words[4096];
static tsr_gpu_log const to_words = {words, sizeof words};

/** Ends the program where something has failed. */
static void need(tsr_gpu_result r, char const *what)
{
    char text[512];
    if (tsr_gpu_ok(r))
        return;
    tsr_format_gpu_result(text, sizeof text, r);
    printf("%s: %s %s\n", what, text, words);
    exit(1);
}

#endif

/** Plans of redistributions: how long the plan of one rank takes, and what it has. Times are those of the processor,
 *  with the page faults of the plan: other programs do not count. */
#define _POSIX_C_SOURCE 200809L

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tessera/mesh.h"

/** X(name, from, to): pairs of distributions. */
static char const *const pairs[][3] = {
    {"1024 ranks, 32x32 to 16x64", "scalapack(65536,65536,64,64,32,32)", "scalapack(65536,65536,48,48,16,64)"},
    {"1024 ranks, blocks to cycles", "hpf((65536,65536),(BLOCK,BLOCK),(32,32))",
     "hpf((65536,65536),(CYCLIC,CYCLIC),(32,32))"},
    {"65536 ranks, 256x256 to 128x512", "scalapack(262144,262144,64,64,256,256)",
     "scalapack(262144,262144,48,48,128,512)"},
    {"65536 ranks, rows to columns", "hpf((65536,65536),(BLOCK,*),(65536))", "hpf((65536,65536),(*,BLOCK),(65536))"},
    {"65536 ranks, a cycle to 65535", "hpf((4294967296),(CYCLIC),(65536))", "hpf((4294967296),(CYCLIC),(65535))"},
    {"65536 ranks, shards to copies", "dtensor((1048576),(65536),[S(0)])", "dtensor((1048576),(65536),[R])"},
    {"65536 ranks, chunks of chunks", "dtensor((1048577),(257,255),[S(0),S(0)])",
     "dtensor((1048577),(255,257),[S(0),S(0)])"},
    {"65536 ranks, chunks to copies", "dtensor((1048577),(257,255),[S(0),S(0)])", "dtensor((1048577),(65535),[R])"},
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static int compare(void const *a, void const *b)
{
    double const x = *(double const *)a, y = *(double const *)b;
    return (x > y) - (x < y);
}

int main(void)
{
    enum { TURNS = 15 };
    printf("%-34s %10s %10s %10s %14s\n", "the plan of one rank", "ms", "sends", "receives", "elements");
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; ++i) {
        tsr_dist_layout from, to;
        tsr_dist_plan p;
        tsr_message error;
        double ms[TURNS];
        if (!tsr_dist_parse(pairs[i][1], &from, &error) || !tsr_dist_parse(pairs[i][2], &to, &error)) {
            fprintf(stderr, "%s: %s\n", pairs[i][0], error.text);
            return 1;
        }
        int64_t const rank = tsr_dist_ranks(&from) / 3;
        for (int k = 0; k < TURNS; ++k) {
            double const begin = now();
            if (!tsr_dist_plan_make(&from, &to, rank, 8, &p, &error)) {
                fprintf(stderr, "%s: %s\n", pairs[i][0], error.text);
                return 1;
            }
            ms[k] = now() - begin;
            if (k + 1 < TURNS)
                tsr_dist_plan_free(&p);
        }
        qsort(ms, TURNS, sizeof ms[0], compare);
        printf("%-34s %10.3f %10lld %10lld %14lld\n", pairs[i][0], ms[TURNS / 2], (long long)p.sends,
               (long long)p.receives, (long long)p.receive_elements);
        tsr_dist_plan_free(&p);
    }
    return 0;
}

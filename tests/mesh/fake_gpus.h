/** How a test steers the GPUs of fake_gpus.c. */
#ifndef TESTS_DIST_FAKE_GPUS_H
#define TESTS_DIST_FAKE_GPUS_H

/** What the library shows. */
#define EXPORT __attribute__((visibility("default")))

typedef struct fake_gpus_state {
    int devices, version; /* how many; of NCCL */
    int apart;            /* no GPU uses another one's memory */
    int nameless;         /* no memory has a handle for other processes */
    int mapped;           /* allocations of other processes */
    int no_graphs;        /* captures fail when they end */
    int launched;         /* graphs */
    char const *failing;  /* the function of NCCL that fails */
    int aborted;          /* communicators */
    long long bytes;      /* sent by NCCL */
    int slow;             /* calls wait for all streams, and other threads' calls for them (fake_slow) */
    int stuck;            /* such calls that would have waited for ever */
} fake_gpus_state;

#endif

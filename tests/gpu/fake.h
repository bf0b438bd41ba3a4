/** How a test steers the driver and the NVRTC of fake.c. */
#ifndef TESTS_GPU_FAKE_H
#define TESTS_GPU_FAKE_H

#include <stddef.h>

typedef struct fake_state {
    char const *failing; /* the function that fails */
    int code;            /* and with what */
    int devices, major, minor;
    int attribute, value; /* one attribute of the device or of the kernel that is asked for differently; -1: none */
    int clusters;         /* how many fit */
    int version;          /* of NVRTC, times 10 */
    size_t cubin;         /* bytes of the next cubin; 0: of the program */
    size_t parameter[3];  /* bytes of a kernel's; 0: a pointer and an int */
    /* What happened */
    int contexts, current, streams, events, memories, modules, programs; /* made and not given back */
    int launches, compilations;
    unsigned grid[3], block[3], cluster[3], shared, early;
    int argument; /* the second one of the last launch */
    char *text;   /* the last program */
} fake_state;

#endif

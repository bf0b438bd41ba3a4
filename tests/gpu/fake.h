/** How a test steers the driver and the NVRTC of fake.c. */
#ifndef TESTS_GPU_FAKE_H
#define TESTS_GPU_FAKE_H

#include <stddef.h>

/** Calls, numbers that are reported and handles that are made are counted, so that a test can spoil each in turn. */
typedef struct fake_state {
    char const *failing;       /* the function that fails */
    int code;                  /* and with what */
    int calls, failing_call;   /* the call of this number fails; 0: none */
    int reports, false_report; /* the report of this number is `reported` */
    long long reported;
    int handles, no_handle; /* the handle of this number is NULL */
    char const *spoiled;    /* the function that it happened in */
    int devices, major, minor;
    int attribute, value;               /* one attribute of the kernel that is asked for differently; -1: none */
    int device_attribute, device_value; /* one of the device; 0: none */
    int clusters;                       /* how many fit */
    int version;                        /* of NVRTC, times 10 */
    size_t cubin;                       /* bytes of the next cubin; 0: of the program */
    size_t parameter[4]; /* bytes of a kernel's, of the last one 0 where it has three; all 0: a pointer, an int */
    /* What happened */
    int contexts, current, streams, events, memories, modules, programs; /* made and not given back */
    int launches, compilations;
    unsigned grid[3], block[3], cluster[3], shared, early;
    int argument;          /* the second one of the last launch */
    int capturing, strict; /* a stream is captured; memory and modules are then refused while it is strict */
    char *text;            /* the last program */
} fake_state;

#endif

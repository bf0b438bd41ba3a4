/** Counts what holds and what does not. */
#ifndef TESTS_GPU_CHECK_H
#define TESTS_GPU_CHECK_H

#include <stdbool.h>
#include <stdio.h>

static int passed, failed;

static void check(bool truth, char const *what)
{
    passed += truth;
    failed += !truth;
    if (!truth)
        printf("FAILED %s\n", what);
}

#endif

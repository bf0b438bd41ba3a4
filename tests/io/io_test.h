/** What the tests of files share: a scratch folder, files of given bytes, and counting. */
#ifndef TSR_TESTS_IO_TEST_H
#define TSR_TESTS_IO_TEST_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tessera/io.h"

static int passed, failed;

static void check(char const *what, bool ok)
{
    ++*(ok ? &passed : &failed);
    if (!ok)
        printf("failed: %s\n", what);
}

/** A path in the scratch folder, which is the working directory of the tests; each test has its own names. */
static inline char const *scratch(char const *test, char const *name)
{
    static char path[256];
    snprintf(path, sizeof path, "io_%s_%s", test, name);
    return path;
}

static inline bool write_bytes(char const *path, void const *bytes, size_t n)
{
    FILE *const file = fopen(path, "wb");
    bool const ok = file && fwrite(bytes, 1, n, file) == n;
    return file && fclose(file) == 0 && ok;
}

static int report(void)
{
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

#endif

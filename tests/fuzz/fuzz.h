/** What a fuzzer calls: libFuzzer where there is clang, drive.c everywhere. */
#ifndef TSR_TESTS_FUZZ_H
#define TSR_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size);

#endif

/* Random numbers of the tests, the same on every machine. */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/** What the next number is made of: any but 0. */
static uint64_t random_state = 1;

static inline uint64_t random_bits(void) /* xorshift64* */
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 2685821657736338717u;
}

/** A number from 0 to n - 1, of data. */
static inline int64_t noise(int64_t n) { return (int64_t)((random_bits() >> 11) % (uint64_t)n); }

/** What a fuzzer has decided; none: all is random. */
static uint8_t const *decided;
static size_t decisions;

/** A number from 0 to n - 1, of choices: six bits of each of the bytes that it takes, where there are any left. Bytes
 *  of text have all of these bits. */
static inline int64_t below(int64_t n)
{
    uint64_t x = 0;
    if (decisions == 0)
        return noise(n);
    for (uint64_t range = 1; range < (uint64_t)n && decisions > 0; range <<= 6, --decisions)
        x = x << 6 | (*decided++ & 63);
    return (int64_t)(x % (uint64_t)n);
}

/** From a seed, of which neighbours should have nothing in common. */
static inline void random_begin(uint64_t seed)
{
    random_state = (seed + 1) * 0x9e3779b97f4a7c15u;
    random_state += random_state == 0;
    for (int i = 0; i < 4; ++i)
        (void)random_bits();
}

/** From bytes, which decide as long as they last. */
static inline void random_from(uint8_t const *bytes, size_t n)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < n; ++i)
        hash = (hash ^ bytes[i]) * 1099511628211u;
    random_begin(hash);
    decided = bytes;
    decisions = n;
}

#endif

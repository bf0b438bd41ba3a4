/* Random numbers of the tests, the same on every machine. */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

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

/** A number from 0 to n - 1. */
static inline int64_t below(int64_t n) { return (int64_t)((random_bits() >> 11) % (uint64_t)n); }

/** From a seed, of which neighbours should have nothing in common. */
static inline void random_begin(uint64_t seed)
{
    random_state = (seed + 1) * 0x9e3779b97f4a7c15u;
    random_state += random_state == 0;
    for (int i = 0; i < 4; ++i)
        (void)random_bits();
}

#endif

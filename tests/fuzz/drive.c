/** Runs a fuzz target without a fuzzer: every line of the seed files, then a fixed number of their mutations.
 *  usage: drive RUNS SEEDS... */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20000, LONGEST = 2048 };

static char *seed[MOST];
static int seeds;

static uint64_t state = 0x9e3779b97f4a7c15u;

static unsigned random_below(unsigned n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (unsigned)((state >> 33) % n);
}

static void read_seeds(char const *path)
{
    static char line[LONGEST];
    FILE *const file = fopen(path, "r");
    if (!file) {
        printf("%s cannot be read\n", path);
        exit(2);
    }
    while (seeds < MOST && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\t\n")] = 0;
        seed[seeds] = (char *)malloc(strlen(line) + 1);
        if (!seed[seeds])
            exit(2);
        strcpy(seed[seeds++], line);
    }
    fclose(file);
}

/** One to four changes: a byte set, dropped, doubled, or the tail of another seed. */
static size_t mutate(char *text, size_t n)
{
    static char const alphabet[] = "0123456789_(),:<>@ oSw-abgx\x01\xff[]{}'\"\\uL";
    for (unsigned k = 1 + random_below(4); k > 0; --k) {
        size_t const at = n ? random_below((unsigned)n) : 0;
        switch (random_below(4)) {
        case 0:
            if (n)
                text[at] = alphabet[random_below(sizeof alphabet - 1)];
            break;
        case 1:
            if (n) {
                memmove(text + at, text + at + 1, n - at - 1);
                --n;
            }
            break;
        case 2:
            if (n && n + 1 < LONGEST) {
                memmove(text + at + 1, text + at, n - at);
                ++n;
            }
            break;
        default: {
            char const *const other = seed[random_below((unsigned)seeds)];
            size_t const from = strlen(other) ? random_below((unsigned)strlen(other)) : 0,
                         tail = strlen(other + from);
            if (at + tail < LONGEST) {
                memcpy(text + at, other + from, tail);
                n = at + tail;
            }
        }
        }
    }
    return n;
}

int main(int argc, char **argv)
{
    static char text[LONGEST];
    if (argc < 3)
        return 2;
    for (int i = 2; i < argc; ++i)
        read_seeds(argv[i]);
    for (int i = 0; i < seeds; ++i)
        LLVMFuzzerTestOneInput((uint8_t const *)seed[i], strlen(seed[i]));
    for (long run = strtol(argv[1], NULL, 10); run > 0 && seeds > 0; --run) {
        char const *const from = seed[random_below((unsigned)seeds)];
        size_t const n = mutate(memcpy(text, from, strlen(from)), strlen(from));
        uint8_t *const exact = (uint8_t *)malloc(n ? n : 1); /* so that a read beyond the end is seen */
        if (!exact)
            return 2;
        memcpy(exact, text, n);
        LLVMFuzzerTestOneInput(exact, n);
        free(exact);
    }
    for (int i = 0; i < seeds; ++i)
        free(seed[i]);
    printf("%d seeds and %s mutations\n", seeds, argv[1]);
    return 0;
}

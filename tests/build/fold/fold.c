/* For each case the functions tessera_NAME and by_hand_NAME. Run, the program checks that they agree; fold.cmake
 * counts their instructions. */
#include "cases.h"

#include <stdio.h>

#define PARAMETERS int64_t i, int64_t j, int64_t k, int64_t n
#define UNUSED (void)i, (void)j, (void)k, (void)n

#define PAIR(qualifier, name, layout, coord, by_hand) \
    TSR_EXTERN_C int64_t tessera_##name(PARAMETERS);  \
    TSR_EXTERN_C int64_t by_hand_##name(PARAMETERS);  \
    int64_t tessera_##name(PARAMETERS)                \
    {                                                 \
        qualifier tsr_layout l = layout;              \
        UNUSED;                                       \
        return tsr_at(l, coord);                      \
    }                                                 \
    int64_t by_hand_##name(PARAMETERS)                \
    {                                                 \
        UNUSED;                                       \
        return (int64_t)(by_hand);                    \
    }
#define STATIC_PAIR(name, layout, coord, by_hand) PAIR(TSR_CONST, name, layout, coord, by_hand)
#define MIXED_PAIR(name, layout, coord, by_hand) PAIR(const, name, layout, coord, by_hand)

FOLD_STATIC(STATIC_PAIR)
FOLD_MIXED(MIXED_PAIR)

typedef struct fold_pair {
    char const *name;
    int64_t (*tessera)(PARAMETERS), (*by_hand)(PARAMETERS);
} fold_pair;

#define ROW(name, layout, coord, by_hand) {#name, tessera_##name, by_hand_##name},

static fold_pair const pairs[] = {FOLD_STATIC(ROW) FOLD_MIXED(ROW)};

int main(void)
{
    int bad = 0;
    for (unsigned p = 0; p < sizeof pairs / sizeof pairs[0]; ++p) {
        for (int64_t c = 0; c < 100 * 24 * 10 * 3; ++c) {
            int64_t const i = c % 100, j = c / 100 % 24, k = c / 2400 % 10, n = c / 24000 * 65;
            int64_t const got = pairs[p].tessera(i, j, k, n), want = pairs[p].by_hand(i, j, k, n);
            if (got != want) {
                printf("%s at i=%d j=%d k=%d n=%d: %lld, by hand %lld\n", pairs[p].name, (int)i, (int)j, (int)k, (int)n,
                       (long long)got, (long long)want);
                ++bad;
                break;
            }
        }
    }
    return bad != 0;
}

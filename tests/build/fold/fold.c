/* For each case the functions tessera_NAME and by_hand_NAME. Run, the program checks that they agree; fold.cmake
 * counts their instructions. */
#include "cases.h"

#include <stdio.h>

#define PARAMETERS int64_t i, int64_t j, int64_t k, int64_t n
#define UNUSED (void)i, (void)j, (void)k, (void)n

#define PAIR(qualifier, name, layout, coord, by_hand) \
  TSR_EXTERN_C int64_t tessera_##name(PARAMETERS);    \
  TSR_EXTERN_C int64_t by_hand_##name(PARAMETERS);    \
  int64_t tessera_##name(PARAMETERS)                  \
  {                                                   \
    qualifier tsr_layout l = layout;                  \
    UNUSED;                                           \
    return tsr_at(l, coord);                          \
  }                                                   \
  int64_t by_hand_##name(PARAMETERS)                  \
  {                                                   \
    UNUSED;                                           \
    return (int64_t)(by_hand);                        \
  }
#define STATIC_PAIR(name, layout, coord, by_hand) PAIR(TSR_CONST, name, layout, coord, by_hand)
#define MIXED_PAIR(name, layout, coord, by_hand) PAIR(const, name, layout, coord, by_hand)

FOLD_STATIC(STATIC_PAIR)
FOLD_MIXED(MIXED_PAIR)

#define REF_PAIR(name, layout, coord, by_hand)                          \
  TSR_EXTERN_C float tessera_##name(float *p, PARAMETERS);              \
  TSR_EXTERN_C float by_hand_##name(float *p, PARAMETERS);              \
  float tessera_##name(float *p, PARAMETERS)                            \
  {                                                                     \
    tsr_tensor const t = tsr_make_tensor(tsr_make_gmem_ptr(p), layout); \
    UNUSED;                                                             \
    return tsr_ref(float, t, coord);                                    \
  }                                                                     \
  float by_hand_##name(float *p, PARAMETERS)                            \
  {                                                                     \
    UNUSED;                                                             \
    return p[(int64_t)(by_hand)];                                       \
  }

FOLD_REF(REF_PAIR)

#define LINE_PAIR(name, tensor, coord, by_hand)                                      \
  TSR_EXTERN_C float tessera_##name(float *p, PARAMETERS);                           \
  TSR_EXTERN_C float by_hand_##name(float *p, PARAMETERS);                           \
  float tessera_##name(float *p, PARAMETERS)                                         \
  {                                                                                  \
    tsr_tensor const t = tensor;                                                     \
    UNUSED;                                                                          \
    return LINE_REF coord;                                                           \
  }                                                                                  \
  float by_hand_##name(float *p, PARAMETERS)                                         \
  {                                                                                  \
    UNUSED;                                                                          \
    return p[(int64_t)(by_hand)];                                                    \
  }                                                                                  \
  TSR_EXTERN_C float tessera_loop_##name(float *p, int64_t j, int64_t k, int64_t n); \
  TSR_EXTERN_C float by_hand_loop_##name(float *p, int64_t j, int64_t k, int64_t n); \
  float tessera_loop_##name(float *p, int64_t j, int64_t k, int64_t n)               \
  {                                                                                  \
    tsr_tensor const t = tensor;                                                     \
    float sum = 0;                                                                   \
    (void)j, (void)k, (void)n;                                                       \
    for (int64_t i = 0; i < 20; ++i)                                                 \
      sum += LINE_REF coord;                                                         \
    return sum;                                                                      \
  }                                                                                  \
  float by_hand_loop_##name(float *p, int64_t j, int64_t k, int64_t n)               \
  {                                                                                  \
    float sum = 0;                                                                   \
    (void)j, (void)k, (void)n;                                                       \
    for (int64_t i = 0; i < 20; ++i)                                                 \
      sum += p[(int64_t)(by_hand)];                                                  \
    return sum;                                                                      \
  }
#define LINE_REF(...) tsr_ref(float, t, __VA_ARGS__)

FOLD_LINE(LINE_PAIR)

/** An element by value, of any engine: read, and written. */
#define VALUE_PAIR(name, tensor, coord, by_hand)                         \
  TSR_EXTERN_C float tessera_load_##name(float *p, PARAMETERS);          \
  TSR_EXTERN_C float by_hand_load_##name(float *p, PARAMETERS);          \
  TSR_EXTERN_C void tessera_store_##name(float *p, float x, PARAMETERS); \
  TSR_EXTERN_C void by_hand_store_##name(float *p, float x, PARAMETERS); \
  float tessera_load_##name(float *p, PARAMETERS)                        \
  {                                                                      \
    tsr_tensor const t = tensor;                                         \
    UNUSED;                                                              \
    return LINE_LOAD coord;                                              \
  }                                                                      \
  float by_hand_load_##name(float *p, PARAMETERS)                        \
  {                                                                      \
    UNUSED;                                                              \
    return p[(int64_t)(by_hand)];                                        \
  }                                                                      \
  void tessera_store_##name(float *p, float x, PARAMETERS)               \
  {                                                                      \
    tsr_tensor const t = tensor;                                         \
    UNUSED;                                                              \
    LINE_STORE coord;                                                    \
  }                                                                      \
  void by_hand_store_##name(float *p, float x, PARAMETERS)               \
  {                                                                      \
    UNUSED;                                                              \
    p[(int64_t)(by_hand)] = x;                                           \
  }
#define LINE_LOAD(...) tsr_load_at(float, t, __VA_ARGS__)
#define LINE_STORE(...) tsr_store_at(t, x, __VA_ARGS__)

FOLD_VALUE(VALUE_PAIR)

typedef struct fold_pair {
    char const *name;
    int64_t (*tessera)(PARAMETERS), (*by_hand)(PARAMETERS);
} fold_pair;

#define ROW(name, layout, coord, by_hand) {#name, tessera_##name, by_hand_##name},

static fold_pair const pairs[] = {FOLD_STATIC(ROW) FOLD_MIXED(ROW)};

typedef struct fold_ref {
    char const *name;
    float (*tessera)(float *p, PARAMETERS), (*by_hand)(float *p, PARAMETERS);
} fold_ref;

static fold_ref const refs[] = {FOLD_REF(ROW) FOLD_LINE(ROW)};

/** The elements count themselves. */
static int check_refs(void)
{
    static float p[1 << 14];
    int bad = 0;
    for (int i = 0; i < 1 << 14; ++i)
        p[i] = (float)i;
    for (unsigned r = 0; r < sizeof refs / sizeof refs[0]; ++r)
        for (int64_t c = 0; c < 100 * 24 && !bad; ++c) {
            bad = refs[r].tessera(p, c % 100, c / 100, 0, 130) != refs[r].by_hand(p, c % 100, c / 100, 0, 130);
            if (bad)
                printf("%s at i=%d j=%d\n", refs[r].name, (int)(c % 100), (int)(c / 100));
        }
    return bad;
}

int main(void)
{
    int bad = check_refs();
    for (unsigned p = 0; p < sizeof pairs / sizeof pairs[0]; ++p) {
        for (int64_t c = 0; c < 100 * 24 * 10 * 3; ++c) {
            int64_t const i = c % 100, j = c / 100 % 24, k = c / 2400 % 10, n = c / 24000 * 65;
            int64_t const got = pairs[p].tessera(i, j, k, n), want = pairs[p].by_hand(i, j, k, n);
            if (got != want) {
                printf("%s at i=%d j=%d k=%d n=%d: %lld, by hand %lld\n", pairs[p].name, (int)i, (int)j, (int)k,
                       (int)n, (long long)got, (long long)want);
                ++bad;
                break;
            }
        }
    }
    return bad != 0;
}

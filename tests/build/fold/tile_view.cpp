/* The same as tile.cpp for views and windows whose descriptor is in their type. Run, the program checks that both ways
 * read what the graph names. */
#include "tile_view_cases.h"

#include <cstdio>

#define VIEW(name)                                                          \
  TSR_EXTERN_C float tessera_##name(float const *p, uint32_t i, uint32_t j) \
  {                                                                         \
    return tsr_make_tensor_view<TSR_GMEM, view_##name>(p).get(i, j);        \
  }                                                                         \
  TSR_EXTERN_C float by_hand_##name(float const *p, uint32_t i, uint32_t j) \
  {                                                                         \
    hand_place const at = hand_##name(i, j);                                \
    return at.there ? p[at.offset] : 0;                                     \
  }

#define RUN(name, hand)                                                                                       \
  typedef tsr_static_view<TSR_GMEM, float const, name##_1, name##_2> view_of_##name;                          \
  TSR_EXTERN_C float tessera_##name(view_of_##name const *v, uint32_t i, uint32_t j) { return v->get(i, j); } \
  TSR_EXTERN_C float by_hand_##name(hand_view<hand> const *v, uint32_t i, uint32_t j)                         \
  {                                                                                                           \
    hand_place const at = hand_##name(v->numbers, i, j);                                                      \
    return at.there ? v->data[at.offset] : 0;                                                                 \
  }

template <class Numbers> struct hand_view {
    float const *data;
    Numbers numbers;
};

FOLD_VIEW(VIEW)
FOLD_RUN(RUN)

enum { ELEMENTS = 70000 };

alignas(16) static float memory[ELEMENTS];
static int bad;

static void check(char const *name, tsr_descriptor const &d, int64_t i, int64_t j, float tessera, float by_hand)
{
    int64_t const x[2] = {i, j};
    tsr_coordinate const c = tsr_make_tensor_coordinate(&d, x);
    float const wanted = tsr_coordinate_has_valid_offset(&d, &c) ? memory[c.hidden[0]] : 0;
    bool const right = tessera == wanted && by_hand == wanted;
    bad += !right;
    if (!right && bad < 9)
        std::printf("%s at (%d,%d): %g, by hand %g, not %g\n", name, (int)i, (int)j, tessera, by_hand, wanted);
}

template <class View, class Hand>
static void check_all(char const *name, tsr_descriptor const &d, View tessera, Hand by_hand)
{
    tsr_index const length = tsr_adaptor_lengths(&d.graph);
    for (int64_t i = -2; i < length.at[0] + 3; ++i)
        for (int64_t j = -2; j < length.at[1] + 3; ++j)
            check(name, d, i, j, tessera((uint32_t)i, (uint32_t)j), by_hand((uint32_t)i, (uint32_t)j));
}

static void check_matrix(uint32_t m, uint32_t n, uint32_t pitch)
{
    tsr_descriptor const d = fold_matrix(m, n, pitch);
    tsr_reason why = TSR_ZERO;
    auto const v = tsr_make_tensor_view<TSR_GMEM, run_matrix_1, run_matrix_2>((float const *)memory, &d, &why);
    hand_view<hand_matrix> const h = {memory, {m, n, pitch}};
    bad += why.status != TSR_OK;
    check_all(
        "run_matrix", d, [&](uint32_t i, uint32_t j) { return tessera_run_matrix(&v, i, j); },
        [&](uint32_t i, uint32_t j) { return by_hand_run_matrix(&h, i, j); });
}

static void check_im2col(uint32_t n, uint32_t h, uint32_t w, uint32_t c)
{
    tsr_descriptor const d = fold_im2col(n, h, w, c);
    tsr_reason why = TSR_ZERO;
    auto const v = tsr_make_tensor_view<TSR_GMEM, run_im2col_1, run_im2col_2>((float const *)memory, &d, &why);
    hand_view<hand_image> const hand = {
        memory, {n * h * w, 9 * c, h, w, {h, 0, 0}, {w, 0, 0}, {c, 0, 0}, h * w * c, w * c, c}};
    bad += why.status != TSR_OK;
    check_all(
        "run_im2col", d, [&](uint32_t i, uint32_t j) { return tessera_run_im2col(&v, i, j); },
        [&](uint32_t i, uint32_t j) { return by_hand_run_im2col(&hand, i, j); });
}

int main()
{
    for (int i = 0; i < ELEMENTS; ++i)
        memory[i] = (float)(i + 1);
#define CHECK(name)                                                                            \
  check_all(                                                                                   \
      #name, view_##name, [](uint32_t i, uint32_t j) { return tessera_##name(memory, i, j); }, \
      [](uint32_t i, uint32_t j) { return by_hand_##name(memory, i, j); });
    FOLD_VIEW(CHECK)
    check_matrix(96, 100, 104);
    check_matrix(17, 33, 33);
    check_im2col(2, 5, 6, 3);
    check_im2col(1, 9, 4, 7);
    std::printf("%d wrong\n", bad);
    return bad != 0;
}

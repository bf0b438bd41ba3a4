/* The same as fold.c for descriptors: the functions tessera_NAME and by_hand_NAME of tile_cases.h. Run, the program
 * checks that they give what the graph gives. */
#include "tile_cases.h"

#include <cstdio>

#define PARAMETERS int64_t i, int64_t j, int64_t k, int64_t n
#define UNUSED (void)i, (void)j, (void)k, (void)n

#define PAIR(name, descriptor, coord, by_hand)                                              \
  static constexpr tsr_descriptor graph_##name = descriptor;                                \
  static constexpr tsr_folded folded_##name = tsr_fold(&graph_##name);                      \
  static_assert(folded_##name.kind == TSR_FOLDED && folded_##name.guards == 0, "it folds"); \
  TSR_EXTERN_C int64_t tessera_##name(PARAMETERS)                                           \
  {                                                                                         \
    UNUSED;                                                                                 \
    return folded_##name.base + tsr_at(folded_##name.layout, coord);                        \
  }                                                                                         \
  TSR_EXTERN_C int64_t by_hand_##name(PARAMETERS)                                           \
  {                                                                                         \
    UNUSED;                                                                                 \
    return (int64_t)(by_hand);                                                              \
  }

FOLD_TILE(PAIR)

struct fold_row {
    char const *name;
    tsr_descriptor const *graph;
    int64_t (*tessera)(PARAMETERS), (*by_hand)(PARAMETERS);
};

#define ROW(name, descriptor, coord, by_hand) {#name, &graph_##name, tessera_##name, by_hand_##name},

static fold_row const rows[] = {FOLD_TILE(ROW)};

int main()
{
    int bad = 0;
    for (fold_row const &r : rows) {
        tsr_index const length = tsr_adaptor_lengths(&r.graph->graph);
        int64_t x[TSR_MAX_DIMS] = {0};
        do {
            int64_t const want = tsr_make_tensor_coordinate(r.graph, x).hidden[0];
            bool const right = r.tessera(x[0], x[1], 0, 0) == want && r.by_hand(x[0], x[1], 0, 0) == want;
            bad += !right;
            if (!right && bad < 4)
                std::printf("%s at (%d,%d)\n", r.name, (int)x[0], (int)x[1]);
        } while (tsr_next_index(&length, x));
    }
    return bad != 0;
}

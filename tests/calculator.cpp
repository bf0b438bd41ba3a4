/** The calculator with every operation compiled as C++17 from the headers, for the tests of recorded answers. */
#define TSR_RUN(fn) tsr_##fn

#include "../src/calc.c"
#include "../src/copy_names.c"
#include "../src/explain.c"
#include "../src/format.c"
#include "../src/mma_names.c"
#include "../src/parse.c"
#include "../src/rows.c"
#include "../src/token.c"
#include "../src/tile_calc.c"
#include "../src/tile_distribution.c"
#include "../src/tile_operations.c"
#include "../src/tile_reader.c"
#include "../src/tile_window.c"
#include "../src/tma_text.c"
#include "../src/umma_names.c"

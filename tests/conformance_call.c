/** The conformance test with every operation run through the exported symbols of the compiled library. */
#define TSR_RUN(fn) tsrc_##fn
#include "../src/calc.c"
#include "../src/copy_names.c"
#include "../src/explain.c"
#include "../src/format.c"
#include "../src/mma_names.c"
#include "../src/parse.c"
#include "../src/tma_text.c"
#include "../src/umma_names.c"
#include "conformance.c"

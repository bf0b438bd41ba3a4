/** The conformance test with the whole calculator, and so every operation, compiled as C++17 from the headers. */
#include "../src/calc.c"
#include "../src/explain.c"
#include "../src/format.c"
#include "../src/parse.c"
#include "../src/show.c"
#include "../src/tma_text.c"
#include "conformance.c"

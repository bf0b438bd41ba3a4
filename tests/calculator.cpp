/** The operations compiled as C++17 from the headers, in the place of the library's own: the rows of the table, and CK
 *  Tile's queries. */
#define TSR_RUN(fn) tsr_##fn

#include "calc/rows.c"
#include "tile/calc.c"
#include "tile/distribution.c"
#include "tile/operations.c"
#include "tile/reader.c"
#include "tile/window.c"

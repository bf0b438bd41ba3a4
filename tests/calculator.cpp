/** The operations compiled as C++17 from the headers, in the place of the library's own: the rows of the table, and
 *  what those of CK Tile call. */
#include "calc/rows.c"
#include "tile/descriptor.c"
#include "tile/distribution.c"
#include "tile/operations.c"
#include "tile/take.c"
#include "tile/transform.c"
#include "tile/window.c"

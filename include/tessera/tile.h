/** CK Tile in C: everything of tessera/tile. */
#ifndef TSR_TILE_H
#define TSR_TILE_H

#include "tessera/tile/distributed_tensor.h"
#include "tessera/tile/magic_division.h"
#include "tessera/tile/tile_window.h"

#endif

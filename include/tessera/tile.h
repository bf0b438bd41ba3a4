/** CK Tile in C: everything of tessera/tile. */
#ifndef TSR_TILE_H
#define TSR_TILE_H

#include "tessera/tile/async_load.h"
#include "tessera/tile/curve.h"
#include "tessera/tile/elementwise.h"
#include "tessera/tile/formula_window.h"
#include "tessera/tile/magic_division.h"
#include "tessera/tile/make.h"
#include "tessera/tile/view_plan.h"

TSR_HEADER_BEGIN

TSR_HEADER_END

#endif

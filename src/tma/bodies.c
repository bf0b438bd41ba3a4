/** Tensor maps and TMA copies: the operations of include/tessera/tma as symbols. */
#include "tessera/tma/body/basis.h"
#include "tessera/tma/body/copy.h"
#include "tessera/tma/body/descriptor.h"
#include "tessera/tma/body/format.h"
#include "tessera/tma/body/im2col_tile.h"
#include "tessera/tma/body/lint.h"
#include "tessera/tma/body/tile.h"

#include "tma/im2col.h"
#include "tma/partition.h"

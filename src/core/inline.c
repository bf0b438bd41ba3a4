/** The inline functions of all headers as symbols, for calls that are not inlined and for other languages. */
#define TSR_INLINE_SYMBOLS
#if defined(TSR_NO_EXEC)
#  define TSR_EXEC_TRANSFORM_H /* whose inline functions call exec */
#endif

#include "tessera/atom/fragment.h"
#include "tessera/atom/hopper_tile.h"
#include "tessera/atom/sectors.h"
#include "tessera/atoms.h"
#include "tessera/core/integer.h"
#include "tessera/exec/gemm_plan.h"
#include "tessera/exec/tma.h"
#include "tessera/tessera.h"
#include "tessera/text.h"
#include "tessera/tile.h"
#include "tessera/tma/im2col_tile.h"
#include "tessera/tma/tile.h"

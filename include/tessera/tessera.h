/** tessera: layouts, layout algebra and tensors in C. This header is the whole of it that runs anywhere: plain C11,
 *  C++17 and CUDA C++17, no allocation, no globals, no input or output. Text is in tessera/text.h, the table of all operations
 *  in tessera/ops.h, the same as symbols of the library in tessera/call.h. */
#ifndef TSR_TESSERA_H
#define TSR_TESSERA_H

#include "tessera/atom/banks.h"
#include "tessera/atom/copy_layout.h"
#include "tessera/atom/mma_layout.h"
#include "tessera/atom/smem.h"
#include "tessera/atom/tiled_copy.h"
#include "tessera/core/generic.h"
#include "tessera/tensor/partition.h"

#endif

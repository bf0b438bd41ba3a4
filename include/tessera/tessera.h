/** tessera: layouts, layout algebra and tensors in C. This header is what runs anywhere: plain C11, C++17 and CUDA
 *  C++17, no allocation, no globals, no input or output. Hardware atoms are in tessera/atoms.h, TMA in
 *  tessera/exec/tma.h, CK Tile in tessera/tile.h, text and the table of all operations (tsr_ops) in tessera/text.h,
 *  files in tessera/io.h. */
#ifndef TSR_TESSERA_H
#define TSR_TESSERA_H

#include "tessera/core/sum.h"
#include "tessera/generic.h"
#include "tessera/exec/einsum.h"
#include "tessera/exec/engine.h"
#include "tessera/exec/algorithm.h"
#include "tessera/exec/transform.h"
#include "tessera/tensor/array.h"
#include "tessera/tensor/clip.h"
#include "tessera/tensor/each.h"
#include "tessera/tensor/like.h"
#include "tessera/tensor/map.h"
#include "tessera/tensor/zip.h"

TSR_HEADER_BEGIN

TSR_HEADER_END

#endif

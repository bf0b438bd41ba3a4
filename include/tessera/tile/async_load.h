/** Loads from a window straight into shared memory, and their fence, as a CPU runs them: a load is done when the call
 *  returns, and the fence waits for nothing. In a kernel loads run in the background (cuda/tile_async.cuh).
 *
 *  Law     after the fence, shared memory at (its origin + X) holds the window's element at (origin + X). An element
 *          outside the window is the invalid value, and is written too.
 *  Raw loads (tsr_load_tile in other instructions) mean the same as plain ones, so they have no names of their own.
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/load_tile.hpp: async_load_tile_raw, async_load_fence.
 *          CK Tile differs: for elements outside the window it leaves shared memory unchanged.
 */
#ifndef TSR_TILE_ASYNC_LOAD_H
#define TSR_TILE_ASYNC_LOAD_H

#include "tessera/tile/operations.h"
#include "tessera/tile/tile_window.h"

TSR_HEADER_BEGIN

/** Element i of a buffer into element `to` of shared memory. */
TSR_OP_MEMORY void tsr_buffer_async_get(tsr_buffer_view const *b, int64_t i, tsr_buffer_view const *smem, int64_t to,
                                        bool valid);

/** Waits until at most `pending` loads are under way. */
TSR_FN void tsr_async_load_fence(int pending) { (void)pending; }

/** The elements of a thread at `from` in `window` to those at `to` in `smem`; both windows have one distribution.
 *  Errors  those of the windows; LOAD_SPACE; SHUFFLE; TYPE; nothing is moved then. */
TSR_OP_MEMORY TSR_NODISCARD tsr_reason tsr_async_load_tile(tsr_tile_window const *window,
                                                           tsr_window_position const *from,
                                                           tsr_tile_window const *smem,
                                                           tsr_window_position const *to);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/async_load.h"
#endif

#endif

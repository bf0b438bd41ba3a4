/** Tile window: a box of a tensor view with a distribution over threads. It moves, loads and stores.
 *
 *  A thread walks its Y box along a space-filling curve, `width` elements an access, along the Y with the widest known
 *  vectors. Positions are explicit, one for each partition index. A loop over tiles moves them and never remakes them.
 *
 *  A planned window (tsr_tile_window_plan) reads and writes by the loops of its plan (tile/tile_plan.h). It needs no
 *  coordinates, and no check where the whole tile is inside.
 *
 *  Law     load: buffer[d(y)] = view at (origin + X(p, y)), for every y. Elements outside the tensor, and padding, are
 *          the invalid value. store: view at (origin + X(p, y)) = buffer[d(y)]. Elements outside are not written.
 *          move(position, step) = the position in the window moved by step.
 *  Source  ROCm composable_kernel, include/ck_tile/core/tensor/tile_window.hpp, load_store_traits. Ours differ: the
 *          top index is checked.
 */
#ifndef TSR_TILE_TILE_WINDOW_H
#define TSR_TILE_TILE_WINDOW_H

#include "tessera/tile/distribution.h"
#include "tessera/tile/plan_make.h"
#include "tessera/tile/step.h"
#include "tessera/tile/tensor_view.h"
#include "tessera/tile/tile_transfer.h"

TSR_HEADER_BEGIN

/** How a thread accesses its part of the tile. */
typedef struct tsr_load_store_traits {
    tsr_vector y[TSR_MAX_DIMS];
    uint8_t vector_y;
    int64_t width, accesses;
} tsr_load_store_traits;

/** Valid where its view and its encoding are (tsr_window_why). */
typedef struct tsr_tile_window {
    tsr_tensor_view view;
    tsr_encoding encoding;
    int64_t origin[TSR_MAX_XS];
    int64_t width;         /* elements of an access: they are known to be contiguous */
    uint8_t vector_y;      /* the Y along which they lie */
    uint8_t place;         /* of the tile by the plan: tsr_tile_place */
    tsr_planned_tile plan; /* empty until tsr_tile_window_plan() */
} tsr_tile_window;

/** Where one thread is: at Y = 0. */
typedef struct tsr_window_position {
    tsr_coordinate at;
} tsr_window_position;

/** Returns the known vectors of each Y, and the widest of them. Only the fastest factor of a dimension has vectors.
 *  `top` holds the known vectors of the dimensions of the tensor. */
TSR_OP tsr_load_store_traits tsr_make_load_store_traits(tsr_encoding const *e, tsr_vector const *top);

/** Returns why a window is invalid, or OK. An invalid window moves nothing. */
TSR_FN tsr_reason tsr_window_why(tsr_tile_window const *w)
{
    tsr_reason const why = tsr_tensor_view_why(&w->view);
    return why.status ? why : w->encoding.why;
}

/** Is a window valid? */
TSR_FN bool tsr_window_ok(tsr_tile_window const *w)
{
    return !w->view.descriptor.graph.why.status && !w->encoding.why.status;
}

/** Makes the window of a view at an origin, with the distribution e.
 *  Errors  those of the view and of the encoding; WINDOW_RANK. */
TSR_OP_MEMORY tsr_tile_window tsr_make_tile_window(tsr_tensor_view const *view, tsr_encoding const *e,
                                                   int64_t const *origin);

/** Returns the position where the thread of a partition index begins. */
TSR_OP_MEMORY tsr_window_position tsr_window_begin(tsr_tile_window const *w, int64_t const *p);

/** Makes the plan of a window, in a few microseconds on the host, once a window. If there is no plan, plan.why says
 *  why, and the window runs the graph. */
TSR_API void tsr_tile_window_plan(tsr_tile_window *w);

/** Moves the window. Move the positions of its threads by the same step. */
TSR_OP_MEMORY void tsr_move_tile_window(tsr_tile_window *w, int64_t const *step);

/** Moves the position of a thread by the step of its window. */
TSR_OP_MEMORY void tsr_move_window_position(tsr_tile_window const *w, tsr_window_position *p, int64_t const *step);

/** Moves a position by a step that is made once (tile/step.h). */
TSR_API void tsr_step_window_position(tsr_tile_window const *w, tsr_window_position *p,
                                      tsr_coordinate_step const *step);

/** Loads the thread's part of the tile into its buffer of tsr_thread_buffer_size() elements. */
TSR_OP_MEMORY void tsr_load_tile(tsr_tile_window const *w, tsr_window_position const *p, void *buffer);

/** The buffer of a thread into its part of the tile. */
TSR_OP_MEMORY void tsr_store_tile(tsr_tile_window const *w, tsr_window_position const *p, void const *buffer);

/** memory becomes op(memory, buffer), with the operation of the view. */
TSR_OP_MEMORY void tsr_update_tile(tsr_tile_window const *w, tsr_window_position const *p, void const *buffer);

/** Load, store or update a whole tile in one call of the host, as the threads of a block do together.
 *  `buffers` holds the buffers of all threads, one after the other in the order of P, the last P fastest. */
TSR_OP_MEMORY void tsr_load_block_tile(tsr_tile_window const *w, void *buffers);

/** Stores a whole tile. */
TSR_OP_MEMORY void tsr_store_block_tile(tsr_tile_window const *w, void const *buffers);

/** Updates a whole tile. */
TSR_OP_MEMORY void tsr_update_block_tile(tsr_tile_window const *w, void const *buffers);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/tile/body/tile_window.h"
#endif

#endif

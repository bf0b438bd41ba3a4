/** The functions of tile/tile_window.h that plan, compiled with the bodies of the room (bodies.c). */
#ifndef TSR_SRC_TILE_WINDOW_PLAN_H
#define TSR_SRC_TILE_WINDOW_PLAN_H

#include "tessera/tile/body/tile_window.h"
#include "tile/plan_make.h"
#include "tile/step.h"

TSR_API void tsr_tile_window_plan(tsr_tile_window *w)
{
    if (!tsr_window_ok(w))
        return;
    w->plan = tsr_tile_plan(&w->view.descriptor, &w->encoding, w->view.buffer.size, w->view.buffer.bytes);
    if (tsr_buffer_packed_(&w->view.buffer)) /* runs are whole bytes */
        tsr_tile_refuse_(&w->plan, tsr_because(TSR_PLAN_PACKED, 0, w->view.buffer.bits, 0, 0));
    w->place = (uint8_t)tsr_planned_tile_place(&w->plan, w->origin);
}

TSR_API void tsr_step_window_position(tsr_tile_window const *w, tsr_window_position *p,
                                      tsr_coordinate_step const *step)
{
    tsr_step_tensor_coordinate(&w->view.descriptor, &p->at, step);
}

#endif

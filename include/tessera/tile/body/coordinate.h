/** The bodies of tile/coordinate.h. */
#ifndef TSR_TILE_BODY_COORDINATE_H
#define TSR_TILE_BODY_COORDINATE_H

#include "tessera/tile/coordinate.h"
#include "tessera/tile/body/descriptor.h"

TSR_HEADER_BEGIN

TSR_OP tsr_coordinate tsr_make_tensor_coordinate(tsr_descriptor const *d, int64_t const *index)
{
    tsr_coordinate c TSR_SCRATCH;
    tsr_adaptor_indices(&d->graph, index, c.hidden);
    return c;
}

TSR_OP void tsr_move_tensor_coordinate(tsr_descriptor const *d, tsr_coordinate *c, int64_t const *step)
{
    tsr_adaptor_move(&d->graph, c->hidden, step);
}

/** The same coordinate again: only the hidden indices that there are. */
TSR_LOCAL void tsr_copy_coordinate_(tsr_descriptor const *d, tsr_coordinate *to, tsr_coordinate const *from)
{
    for (int i = 0; i < d->graph.hidden; ++i)
        to->hidden[i] = from->hidden[i];
}

TSR_OP bool tsr_coordinate_has_valid_offset(tsr_descriptor const *d, tsr_coordinate const *c)
{
    return tsr_adaptor_inside(&d->graph, c->hidden) && tsr_adaptor_valid(&d->graph, c->hidden);
}

TSR_HEADER_END

#endif

/** Queries on curves and on operations on tiles. */
#include "tile_calc.h"

#include "tessera/tile/curve.h"

static tsr_curve read_curve(tile_reader *r)
{
    tsr_curve const none = TSR_ZERO;
    tsr_index const length = tile_index(r);
    tile_expect(r, "order=");
    tsr_index const order = tile_index_of(r, length.rank);
    tile_expect(r, "per=");
    tsr_index const per = tile_index_of(r, length.rank);
    tile_expect(r, "snake=");
    bool const snake = tile_integer(r) != 0;
    if (r->failed)
        return none;
    tsr_curve const c = tsr_make_space_filling_curve(length.rank, length.at, order.at, per.at, snake);
    tile_refuse(r, c.why);
    return c;
}

void tile_query_sfc(tile_reader *r, writer *w)
{
    tsr_curve const c = read_curve(r);
    for (int64_t i = 0; !r->failed && i < tsr_curve_accesses(&c); ++i) {
        tsr_index const at = tsr_curve_index(&c, i);
        put(w, i > 0 ? " " : "");
        tile_put_index(w, at.rank, at.at);
    }
}

void tile_query_sfcsteps(tile_reader *r, writer *w)
{
    tsr_curve const c = read_curve(r);
    for (int64_t i = 0; !r->failed && i + 1 < tsr_curve_accesses(&c); ++i) {
        tsr_index const step = tsr_curve_step(&c, i);
        put(w, i > 0 ? " " : "");
        tile_put_index(w, step.rank, step.at);
    }
}

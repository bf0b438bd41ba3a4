/** The calculator of CK Tile's notation: a line that begins with the name of a query and a blank. */
#ifndef TSR_SRC_TILE_CALC_H
#define TSR_SRC_TILE_CALC_H

#include "tile/reader.h"

/** Does a line begin with the name of a query? */
TSR_EXTERN_C bool tile_is_query(char const *line);

/** Answers a query: writes the text of the result (true) or of the reason why there is none (false). */
TSR_EXTERN_C bool tile_calc(char const *line, char *out, size_t size);

/* Queries: each reads what follows its name and writes its result; a refusal is in the reader. */
typedef void tile_query(tile_reader *r, writer *w);

/* clang-format off */
/** X(name, C name) */
#define TILE_QUERIES(X) \
    X("lengths", lengths) X("size", size) X("nhidden", nhidden) X("offset", offset) X("hidden", hidden) \
    X("walk", walk) X("vec", vec) X("fold", fold) X("foldswz", foldswz) \
    X("uplens", uplens) X("always_valid", always_valid) X("lower", lower) X("update", update) \
    X("magic", magic) X("mdiv", mdiv) \
    X("ndims", ndims) X("xlens", xlens) X("ylens", ylens) X("dsize", dsize) X("x", x) X("d", d) X("rs", rs) \
    X("spans", spans) X("yspan", yspan) X("p_over_r", p_over_r) X("p_owns_r", p_owns_r) X("tvlayout", tvlayout) \
    X("embed", embed) X("reduce", reduce) X("slice", slice) X("shuffle", shuffle) X("sweep", sweep) \
    X("reducetile", reducetile) X("lanes", lanes) X("reducelanes", reducelanes) X("sfc", sfc) X("sfcsteps", sfcsteps) \
    X("wintraits", wintraits) X("plan", plan) X("load", load) X("loadmoved", loadmoved) X("storeall", storeall) \
    X("get", get) X("update2", update2)
/* clang-format on */

#define X(name, c) tile_query tile_query_##c;
TILE_QUERIES(X)
#undef X

#endif

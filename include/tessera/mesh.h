/** Distributed tensors: layouts into (rank, offset), plans from any distribution to any other, and their transport.
 *
 *      tsr_dist_layout from, to;
 *      tsr_message error;
 *      if (tsr_dist_parse("dtensor((8,8),(2,2),[S(0),S(1)])", &from, &error)
 *          && tsr_dist_parse("dtensor((8,8),(2,2),[S(1),S(0)])", &to, &error))
 *          ...
 *
 *  docs/mesh.md is a tutorial.
 */
#ifndef TSR_MESH_H
#define TSR_MESH_H

#include "tessera/mesh/exchange.h"
#include "tessera/mesh/layout.h"
#include "tessera/mesh/make.h"
#include "tessera/mesh/plan.h"
#include "tessera/mesh/product.h"
#include "tessera/mesh/run.h"
#include "tessera/mesh/simulate.h"

#endif

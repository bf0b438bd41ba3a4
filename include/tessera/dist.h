/** Distributed tensors: layouts into (rank, offset), plans from any distribution to any other, and their transport.
 *
 *      tsr_dist_layout from, to;
 *      tsr_message error;
 *      if (tsr_dist_parse("dtensor((8,8),(2,2),[S(0),S(1)])", &from, &error)
 *          && tsr_dist_parse("dtensor((8,8),(2,2),[S(1),S(0)])", &to, &error))
 *          ...
 *
 *  docs/dist.md is a tutorial.
 */
#ifndef TSR_DIST_H
#define TSR_DIST_H

#include "tessera/dist/exchange.h"
#include "tessera/dist/layout.h"
#include "tessera/dist/make.h"
#include "tessera/dist/plan.h"
#include "tessera/dist/product.h"
#include "tessera/dist/run.h"
#include "tessera/dist/simulate.h"

#endif

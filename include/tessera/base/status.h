/** The reasons why a value is invalid, by name; base/status_list.h has their sentences. */
#ifndef TSR_BASE_STATUS_H
#define TSR_BASE_STATUS_H

#include "tessera/base/config.h"

TSR_HEADER_BEGIN

typedef enum tsr_status {
#define TSR_ROW_(id, text) TSR_##id,
#include "tessera/base/status_list.h"
    TSR_STATUS_COUNT
} tsr_status;

/** The refusal of a composition that a refused divide or product tells of its own operands; else the status itself. */
TSR_FN int tsr_status_composing_(int status)
{
    if (status == TSR_TILES_STRIDE || status == TSR_TILES_SHAPE)
        return status == TSR_TILES_STRIDE ? TSR_COMPOSE_STRIDE : TSR_COMPOSE_SHAPE;
    bool const inside = status >= TSR_DIVIDE_ZERO && status <= TSR_PRODUCT_CARRY;
    return inside ? TSR_COMPOSE_ZERO + (status - TSR_DIVIDE_ZERO) % 4 : status;
}

TSR_HEADER_END

#endif

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

TSR_HEADER_END

#endif

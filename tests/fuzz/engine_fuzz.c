/** Bytes as a copy or an update: types, layouts, where the tensors end, and in which parts it runs, on every row. */
#define _DEFAULT_SOURCE
#include "fuzz.h"

#include "../exec/engine_cases.h"

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    if (!from)
        begin_cases();
    random_from(data, size);
    if (!try_case())
        abort();
    return 0;
}

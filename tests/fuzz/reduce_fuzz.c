/** Bytes as a reduction: operation, types, layouts, and where the tensors end, on every row. */
#define _DEFAULT_SOURCE
#include "fuzz.h"

#include "../exec/engine_cases.h"

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    if (!from)
        begin_cases();
    random_from(data, size);
    if (!try_reduction())
        abort();
    return 0;
}

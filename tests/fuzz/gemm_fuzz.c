/** Bytes as a product: types, modes, layouts, epilogue and threads, on every row. */
#define _DEFAULT_SOURCE
#include "fuzz.h"

#include "../exec/gemm_cases.h"

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    if (!arenas[0].bytes)
        begin_products();
    most_work = 1 << 16;
    random_from(data, size);
    int const which = (int)below(TYPES_COUNT);
    (void)try_product(below(32), which);
    if (failures > 0)
        abort();
    return 0;
}

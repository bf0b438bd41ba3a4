/** Bytes as a text of einsum, its extents and layouts, on every row; then what is left of them as a text for the same
 *  tensors, which is refused or computed in their memory. */
#include "fuzz.h"

#include <stdlib.h>

#include "../exec/einsum_cases.h"
#include "in_time.h"

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    random_from(data, size);
    if (!try_text())
        abort();
    char *const text = fuzz_text(decided, decisions);
    tsr_reason const why = text ? tsr_einsum(text, tensor[0], tensor[1], tensor[2]) : tsr_no_reason();
    if (why.status >= TSR_STATUS_COUNT)
        abort();
    free(text);
    return 0;
}

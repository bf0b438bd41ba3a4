/** A control, and hexadecimal digits as a GGUF file with some zeros behind, which changes while it is read. */
#define _XOPEN_SOURCE 700 /* pwrite */

#include "changing_model.h"
#include "fuzz.h"

enum { DATA = 32 };

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    static char const digits[] = "0123456789abcdef";
    uint8_t *const file = (uint8_t *)calloc(size + 3 * DATA, 1);
    size_t n = 0;
    for (size_t i = 1; file && i < size; ++i) {
        char const *const digit = data[i] ? strchr(digits, data[i]) : NULL;
        if (!digit)
            continue;
        file[n / 2] = (uint8_t)(file[n / 2] * 16 + (digit - digits));
        ++n;
    }
    if (file && size > 0)
        changing_model(file, n / 2 + changing_data(data[0]) * DATA, data[0], tsr_gguf_judge_);
    free(file);
    return 0;
}

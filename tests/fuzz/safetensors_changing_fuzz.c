/** A control, and the object of a .safetensors file with some zeros behind, which changes while it is read. */
#define _XOPEN_SOURCE 700 /* pwrite */

#include "changing_model.h"
#include "fuzz.h"

enum { DATA = 8 };

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    uint8_t *const file = size > 0 ? (uint8_t *)calloc(8 + size + 3 * DATA, 1) : NULL;
    if (!file)
        return 0;
    for (int i = 0; i < 8; ++i)
        file[i] = (uint8_t)((uint64_t)(size - 1) >> 8 * i & 255);
    memcpy(file + 8, data + 1, size - 1);
    changing_model(file, 8 + size - 1 + changing_data(data[0]) * DATA, data[0], tsr_safetensors_judge_);
    free(file);
    return 0;
}

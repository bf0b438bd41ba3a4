/** Bytes as a .safetensors file, and as the object of one: nothing is read beyond the end, what is refused says why,
 *  and the tensors of what is accepted lie inside the file. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tessera/io.h"

enum { DATA = 24 };

static void try_file(uint8_t const *p, size_t size)
{
    tsr_model file;
    tsr_tensor t;
    tsr_message error = {0, ""};
    if (!tsr_safetensors_view(p, size, &file, &error)) {
        if (*error.text == 0)
            abort();
        return;
    }
    for (int i = 0; i < file.count; ++i)
        if (tsr_model_get(&file, file.tensor[i].name, &t, &error) && tsr_within(t, p, size).status)
            abort();
    tsr_model_close(&file);
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    uint8_t *const file = (uint8_t *)calloc(8 + size + DATA, 1);
    if (!file)
        return 0;
    try_file(data, size);
    for (int i = 0; i < 8; ++i)
        file[i] = (uint8_t)((uint64_t)size >> 8 * i & 255);
    memcpy(file + 8, data, size);
    try_file(file, 8 + size + DATA);
    free(file);
    return 0;
}

/** Bytes as an .npy file, and as the dictionary of one: nothing is read beyond the end, what is refused says why, and
 *  what is accepted lies inside the file. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tessera/io.h"

enum { DATA = 24 };

static void try_file(uint8_t const *p, size_t size, tsr_dtype type)
{
    tsr_npy array;
    tsr_message error = {0, ""};
    if (!tsr_npy_view(p, size, type, &array, &error)) {
        if (*error.text == 0)
            abort();
        return;
    }
    if (array.begin + array.bytes != size || (array.elements > 0 && tsr_within(array.tensor, p, size).status))
        abort();
    uint8_t *const two = (uint8_t *)malloc(2 * size); /* another array behind it is seen */
    if (!two)
        return;
    memcpy(two, p, size);
    memcpy(two + size, p, size);
    if (tsr_npy_view(two, 2 * size, type, &array, &error) || !strstr(error.text, "another array follows"))
        abort();
    free(two);
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    static tsr_dtype const types[] = {0, TSR_F8_E4M3FN, TSR_BF16, TSR_F32};
    size_t const length = size < 65535 ? size + 1 : 65535;
    try_file(data, size, 0);
    for (int version = 1; version <= 3; ++version) {
        size_t const begin = version == 1 ? 10 : 12, total = begin + length + DATA;
        uint8_t *const file = (uint8_t *)calloc(total, 1);
        if (!file)
            return 0;
        memcpy(file, "\x93NUMPY", 6);
        file[6] = (uint8_t)version;
        file[8] = (uint8_t)(length & 255);
        file[9] = (uint8_t)(length >> 8);
        memcpy(file + begin, data, length - 1);
        file[begin + length - 1] = '\n';
        try_file(file, total, types[size % 4]);
        free(file);
    }
    return 0;
}

/** Hexadecimal digits as an .npz file, and as deflated bytes: nothing is read beyond the end, what is refused says why,
 *  and the tensors of what is accepted lie inside the file or its memory. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "io/inflate.h"

static void try_file(uint8_t const *p, size_t size)
{
    tsr_model m;
    tsr_tensor t;
    tsr_message error = {0, ""};
    if (!tsr_npz_view(p, size, &m, &error)) {
        if (*error.text == 0)
            abort();
        return;
    }
    uint8_t const *const data = m.bytes.data ? (uint8_t const *)m.bytes.data : p;
    uint64_t const n = m.bytes.data ? m.bytes.size : size;
    for (int i = 0; i < m.count; ++i)
        if (m.tensor[i].end > n || m.tensor[i].begin > m.tensor[i].end
            || (tsr_model_get(&m, m.tensor[i].name, &t, &error) && tsr_within(t, data, n).status))
            abort();
    tsr_model_close(&m);
}

static void try_deflated(uint8_t const *p, size_t size)
{
    static uint16_t const sizes[] = {0, 1, 5, 17, 200, 1000};
    io_source const source = tsr_io_memory_(p, size);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; ++i) {
        tsr_message error = {0, ""};
        uint8_t *const out = (uint8_t *)malloc(sizes[i] ? sizes[i] : 1);
        if (!out || (!tsr_io_inflate_(&source, 0, size, out, sizes[i], &error) && *error.text == 0))
            abort();
        free(out);
    }
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    static char const digits[] = "0123456789abcdef";
    uint8_t *const file = (uint8_t *)malloc(size / 2 + 1);
    size_t n = 0;
    if (!file)
        return 0;
    for (size_t i = 0; i < size; ++i) {
        char const *const digit = data[i] ? strchr(digits, data[i]) : NULL;
        if (!digit)
            continue;
        file[n / 2] = (uint8_t)(n % 2 ? file[n / 2] * 16 + (digit - digits) : digit - digits);
        ++n;
    }
    n /= 2;
    uint8_t *const exact = (uint8_t *)malloc(n ? n : 1); /* so that a read beyond the end is seen */
    if (exact) {
        memcpy(exact, file, n);
        try_file(exact, n);
        try_deflated(exact, n);
    }
    free(exact);
    free(file);
    return 0;
}

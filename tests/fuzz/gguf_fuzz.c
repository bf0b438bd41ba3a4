/** Bytes as a GGUF file, and hexadecimal digits as one, with some zeros behind: nothing is read beyond the end, what is
 *  refused says why, and the tensors of what is accepted lie inside the file. */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "tessera/io.h"

enum { DATA = 96 };

static void try_file(uint8_t const *p, size_t size)
{
    tsr_model m;
    tsr_tensor t;
    tsr_message error = {0, ""};
    if (!tsr_gguf_view(p, size, &m, &error)) {
        if (*error.text == 0)
            abort();
        return;
    }
    for (int i = 0; i < m.count; ++i)
        if (m.data + m.tensor[i].end > p + size
            || (tsr_model_get(&m, m.tensor[i].name, &t, &error)
                && (tsr_within(t, p, size).status || tsr_model_is_opaque(&m.tensor[i])))
            || (i > 0 && m.tensor[i].begin < m.tensor[i - 1].end))
            abort();
    for (int i = 0; i < m.notes; ++i)
        if (strlen(m.note[i].key) + strlen(m.note[i].value) > size + 32)
            abort();
    tsr_model_close(&m);
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    static char const digits[] = "0123456789abcdef";
    uint8_t *const file = (uint8_t *)malloc(size + DATA);
    size_t n = 0;
    if (!file)
        return 0;
    try_file(data, size);
    for (size_t i = 0; i < size; ++i) {
        char const *const digit = data[i] ? strchr(digits, data[i]) : NULL;
        if (!digit)
            continue;
        file[n / 2] = (uint8_t)(n % 2 ? file[n / 2] * 16 + (digit - digits) : digit - digits);
        ++n;
    }
    n /= 2;
    memset(file + n, 0, DATA);
    uint8_t *const exact = (uint8_t *)malloc(n + DATA); /* so that a read beyond the end is seen */
    for (size_t more = 0; exact && more <= DATA; more += 32) {
        memcpy(exact + DATA - more, file, n + more);
        try_file(exact + DATA - more, n + more);
    }
    free(exact);
    free(file);
    return 0;
}

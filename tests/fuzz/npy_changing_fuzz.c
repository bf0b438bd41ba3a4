/** A control, and the dictionary of an .npy file with some zeros behind, which changes while it is read. */
#define _XOPEN_SOURCE 700 /* pwrite */

#include "changing.h"
#include "fuzz.h"
#include "io/npy_header.h"

enum { DATA = 8, PREFIX = 10 };

static void try_file(uint8_t const *bytes, size_t n, unsigned control)
{
    tsr_npy first;
    tsr_file file;
    tsr_message error = {0, ""}, first_error = {0, ""};
    bool const first_ok = tsr_npy_view(bytes, n, 0, &first, &first_error);
    changing c = changing_open(bytes, n, control);
    bool const ok = tsr_npy_read_(&c.source, NULL, 0, &file, &error);
    changing_check(&c, ok, error.text, first_ok, first_error.text);
    if (ok && (file.bytes.size > n || file.npy.begin + file.npy.bytes > file.bytes.size))
        abort();
    if (ok && first_ok
        && (strcmp(file.npy.descr, first.descr) != 0 || file.npy.begin != first.begin || file.npy.bytes != first.bytes
            || memcmp(&file.tensor.layout, &first.tensor.layout, sizeof first.tensor.layout) != 0))
        abort();
    changing_close(&c);
    tsr_file_close(&file);
}

/** A field named x: its tensor lies in the file, or in the memory where it was copied together. */
static void try_field(uint8_t const *bytes, size_t n)
{
    tsr_file file;
    tsr_message error = {0, ""};
    io_source source = tsr_io_memory_(bytes, n);
    bool const ok = tsr_npy_read_(&source, "x", 0, &file, &error);
    if (ok ? file.npy.elements > 0 && tsr_within(file.tensor, file.bytes.data, file.bytes.size).status
           : *error.text == 0)
        abort();
    tsr_io_source_close_(&source);
    tsr_file_close(&file);
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    if (size < 1 || size > 65535)
        return 0;
    uint8_t *const file = (uint8_t *)calloc(PREFIX + size + 3 * DATA, 1);
    if (!file)
        return 0;
    memcpy(file, "\x93NUMPY\x01", 7);
    file[8] = (uint8_t)(size & 255);
    file[9] = (uint8_t)(size >> 8);
    memcpy(file + PREFIX, data + 1, size - 1);
    file[PREFIX + size - 1] = '\n';
    try_file(file, PREFIX + size + changing_data(data[0]) * DATA, data[0]);
    try_field(file, PREFIX + size + changing_data(data[0]) * DATA);
    free(file);
    return 0;
}

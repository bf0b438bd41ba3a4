/** Element types by name: NumPy's and safetensors'. */
#include "io/types.h"

#include <stdio.h>

#include "tessera/text.h"

typedef struct type_row {
    tsr_dtype type;
    char const *numpy, *safetensors;
} type_row;

static type_row const rows[] = {
#define X(id, code, bits, exponent, mantissa, bias, special, name, numpy, safetensors) {TSR_##id, numpy, safetensors},
    TSR_DTYPE_LIST(X)
#undef X
};

enum { ROWS = sizeof rows / sizeof rows[0] };

static type_row const *row_of(tsr_dtype type)
{
    for (int i = 0; i < ROWS; ++i)
        if (rows[i].type == type)
            return &rows[i];
    return NULL;
}

char const *tsr_npy_descr(tsr_dtype type)
{
    static char const *const raw[] = {NULL, "|V1", "|V2", NULL, "|V4", NULL, NULL, NULL,  "|V8",
                                      NULL, NULL,  NULL,  NULL, NULL,  NULL, NULL, "|V16"};
    int const bits = tsr_dtype_bits(type);
    type_row const *const row = row_of(type);
    if (!row || bits % 8 != 0)
        return NULL;
    return *row->numpy ? row->numpy : raw[bits / 8];
}

tsr_dtype tsr_io_type_of_numpy_(char const *descr)
{
    for (int i = 0; i < ROWS; ++i)
        if (*rows[i].numpy && strcmp(rows[i].numpy + 1, descr + 1) == 0 && (descr[1] != 'V' || *descr != '|'))
            return rows[i].type;
    return 0;
}

tsr_dtype tsr_io_type_of_ml_dtypes_(char const *name)
{
    size_t const n = strlen(name);
    bool const listed = strncmp(name, "float8_", 7) == 0 || strcmp(name, "bfloat16") == 0;
    bool const of_cute = n > 2 && strcmp(name + n - 2, "_t") == 0;
    return listed && !of_cute ? tsr_dtype_named(name) : 0;
}

tsr_dtype tsr_io_type_of_safetensors_(char const *name)
{
    for (int i = 0; i < ROWS; ++i)
        if (*rows[i].safetensors && strcmp(rows[i].safetensors, name) == 0)
            return rows[i].type;
    return 0;
}

char const *tsr_io_safetensors_of_type_(tsr_dtype type)
{
    type_row const *const row = row_of(type);
    return row && *row->safetensors ? row->safetensors : NULL;
}

void tsr_io_swap_(tsr_dtype type, void *elements, uint64_t bytes)
{
    unsigned char *const p = (unsigned char *)elements;
    size_t const n = (size_t)tsr_dtype_bits(type) / (tsr_dtype_code(type) == 5 ? 16 : 8);
    for (uint64_t i = 0; n > 1 && i + n <= bytes; i += n)
        for (size_t k = 0; k < n / 2; ++k) {
            unsigned char const low = p[i + k];
            p[i + k] = p[i + n - 1 - k];
            p[i + n - 1 - k] = low;
        }
}

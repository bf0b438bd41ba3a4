/** The types of GGUF.
 *
 *  Source  ggml, ggml.h (enum ggml_type) and ggml.c (type_traits); numbers that ggml gave up are left out.
 */
#include "io/gguf_types.h"

#include <string.h>

/* clang-format off */
static gguf_type const rows[] = {
    { 0, "F32",     TSR_F32,  1,   4}, { 1, "F16",     TSR_F16,  1,   2}, {30, "BF16",    TSR_BF16, 1,   2},
    {28, "F64",     TSR_F64,  1,   8}, {24, "I8",      TSR_I8,   1,   1}, {25, "I16",     TSR_I16,  1,   2},
    {26, "I32",     TSR_I32,  1,   4}, {27, "I64",     TSR_I64,  1,   8},
    { 2, "Q4_0",    0,  32,  18}, { 3, "Q4_1",    0,  32,  20}, { 6, "Q5_0",    0,  32,  22}, { 7, "Q5_1",   0,  32,  24},
    { 8, "Q8_0",    0,  32,  34}, { 9, "Q8_1",    0,  32,  36}, {10, "Q2_K",    0, 256,  84}, {11, "Q3_K",   0, 256, 110},
    {12, "Q4_K",    0, 256, 144}, {13, "Q5_K",    0, 256, 176}, {14, "Q6_K",    0, 256, 210}, {15, "Q8_K",   0, 256, 292},
    {16, "IQ2_XXS", 0, 256,  66}, {17, "IQ2_XS",  0, 256,  74}, {18, "IQ3_XXS", 0, 256,  98}, {19, "IQ1_S",  0, 256,  50},
    {20, "IQ4_NL",  0,  32,  18}, {21, "IQ3_S",   0, 256, 110}, {22, "IQ2_S",   0, 256,  82}, {23, "IQ4_XS", 0, 256, 136},
    {29, "IQ1_M",   0, 256,  56}, {34, "TQ1_0",   0, 256,  54}, {35, "TQ2_0",   0, 256,  66}, {39, "MXFP4",  0,  32,  17},
    {40, "NVFP4",   0,  64,  36},
};
/* clang-format on */

enum { TYPES = sizeof rows / sizeof rows[0] };

gguf_type const *tsr_gguf_type_of_(uint64_t number)
{
    for (int i = 0; i < TYPES; ++i)
        if ((uint64_t)rows[i].number == number)
            return &rows[i];
    return NULL;
}

gguf_type const *tsr_gguf_type_like_(tsr_dtype type)
{
    for (int i = 0; i < TYPES; ++i)
        if (rows[i].type == type && type)
            return &rows[i];
    return NULL;
}

gguf_type const *tsr_gguf_type_named_(char const *name)
{
    for (int i = 0; i < TYPES; ++i)
        if (strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

/** Text and bytes of any length, in one piece of memory that grows. */
#ifndef TSR_SRC_GPU_TEXT_H
#define TSR_SRC_GPU_TEXT_H

#include "tessera/gpu.h"

/** A zero stands behind the bytes. `full`: there was no memory for all of them. */
typedef struct gpu_text {
    char *data;
    size_t length, capacity;
    bool full;
} gpu_text;

void tsr_gpu_put_(gpu_text *to, void const *data, size_t bytes);
void tsr_gpu_put_string_(gpu_text *to, char const *text);
void tsr_gpu_put_number_(gpu_text *to, int64_t n);

/** A field: a name, a length, and that many bytes, so that no two lists of fields give the same text. */
void tsr_gpu_put_field_(gpu_text *to, char const *name, void const *data, size_t bytes);

/** The layouts of a product's tile as source, behind the header of its kernel (gpu/gemm_parts.c). */
void tsr_gpu_put_hopper_parts_(gpu_text *to, tsr_dtype a, tsr_dtype b, tsr_dtype d, int m, int n, int flags);

void tsr_gpu_text_free_(gpu_text *text);

#endif

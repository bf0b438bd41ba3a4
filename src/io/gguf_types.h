/** The element types of GGUF: plain ones, and those whose numbers stand in blocks. */
#ifndef TSR_SRC_IO_GGUF_TYPES_H
#define TSR_SRC_IO_GGUF_TYPES_H

#include "tessera/io.h"

typedef struct gguf_type {
    int number; /* in the file */
    char const *name;
    tsr_dtype type;   /* 0: quantised */
    int block, bytes; /* elements of a block, and its bytes */
} gguf_type;

/** NULL: there is none of that number. */
gguf_type const *tsr_gguf_type_of_(uint64_t number);

/** The plain type of these elements; the type of that name. NULL: there is none. */
gguf_type const *tsr_gguf_type_like_(tsr_dtype type);
gguf_type const *tsr_gguf_type_named_(char const *name);

#endif

/** The headers for kernels as text, made by tools/amalgamate.c when the library is built. */
#ifndef TSR_SRC_GPU_HEADER_H
#define TSR_SRC_GPU_HEADER_H

/** All of them in one. */
extern char const tsr_gpu_header_text_[];

/** A header as a source includes it. */
typedef struct gpu_header {
    char const *name, *text;
} gpu_header;

/** Each by itself, first tessera.h, which includes all; a row without a name ends them. */
extern gpu_header const tsr_gpu_headers_[];

/** 128 bits of them all, in hexadecimal digits: for keys in files, which would be a megabyte otherwise. */
extern char const tsr_gpu_header_digest_[];

#endif

/** The headers for kernels as one string, made by tools/amalgamate.c when the library is built. */
#ifndef TSR_SRC_GPU_HEADER_H
#define TSR_SRC_GPU_HEADER_H

extern char const tsr_gpu_header_text_[];

/** 128 bits of all that is here, in hexadecimal digits: for keys in files, which would be a megabyte otherwise. */
extern char const gpu_header_digest[];

/** The headers in it, as a source includes them; NULL ends the list. */
extern char const *const tsr_gpu_header_names_[];

/** The header that is a text of its own. */
extern char const tsr_gpu_apart_name_[], tsr_gpu_apart_text_[];

#endif

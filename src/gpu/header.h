/** The headers for kernels as one string, made by tools/amalgamate.c when the library is built. */
#ifndef TSR_SRC_GPU_HEADER_H
#define TSR_SRC_GPU_HEADER_H

extern char const gpu_header_text[];

/** The headers in it, as a source includes them; NULL ends the list. */
extern char const *const gpu_header_names[];

/** The header that is a text of its own. */
extern char const gpu_apart_name[], gpu_apart_text[];

#endif

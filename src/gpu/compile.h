/** A source made ready for the compiler, and what identifies it. */
#ifndef TSR_SRC_GPU_COMPILE_H
#define TSR_SRC_GPU_COMPILE_H

#include "gpu/text.h"

/** Empties the log and puts words there. */
void tsr_gpu_log_(tsr_gpu_log const *log, char const *words);

/** The source with its constants in front. */
tsr_gpu_result tsr_gpu_program_(tsr_gpu_source const *source, tsr_gpu_log const *log, gpu_text *program);

/** Everything on which the code depends, as fields. `whole`: with the text of this library's headers, which otherwise
 *  stands as one word, for within one process they are always the same. */
tsr_gpu_result tsr_gpu_key_(tsr_gpu const *gpu, char const *arch, tsr_gpu_source const *source,
                            gpu_text const *program, bool whole, gpu_text *key);

/** Compiles a program of gpu_program. */
tsr_gpu_result tsr_gpu_compile_program_(tsr_gpu const *gpu, char const *arch, tsr_gpu_source const *source,
                                        gpu_text const *program, tsr_gpu_log const *log, tsr_gpu_binary *binary);

#endif

/** Binaries in files. */
#ifndef TSR_SRC_GPU_STORE_H
#define TSR_SRC_GPU_STORE_H

#include "gpu/text.h"

/** FNV-1a, 64 bits. */
uint64_t tsr_gpu_hash_(void const *data, size_t bytes);

/** Appends the path of tsr_gpu_user_folder to an empty text. False if there is no such folder; `why` is then the
 *  reason, or NULL if none is wanted. */
bool tsr_gpu_user_folder_(gpu_text *path, char const **why);

/** Reads the binary of the key from the folder. False if none is there, or none that can be trusted. */
bool tsr_gpu_store_read_(char const *folder, gpu_text const *key, tsr_gpu_binary *binary);

/** The binary in the bytes of a file, if it is that of the key. */
bool tsr_gpu_store_understand_(gpu_text const *file, gpu_text const *key, tsr_gpu_binary *binary);

/** Puts it there, in one step. Errors: FILE, OUT_OF_MEMORY. */
tsr_gpu_result tsr_gpu_store_write_(char const *folder, gpu_text const *key, tsr_gpu_binary const *binary);

#endif

/** Kernels of forms, the constants that a kernel is compiled with: a cache keeps those of copies and combinations. */
#ifndef TSR_SRC_GPU_FORMS_H
#define TSR_SRC_GPU_FORMS_H

#include "tessera/gpu/compile.h"

/** The beginning of the source of a kernel whose form is the constant `f` (relayout_form.h). What the form leaves out
 *  may divide by 0, and is not reached. */
#define TSR_KNOWN_FORM_ "#define TSR_FORM_(type) type\n#pragma nv_diag_suppress 39, 128, 179\n"

/** Writes the source of the kernel of a form, as snprintf does. */
typedef size_t gpu_form_writer(char *out, size_t size, void const *form);

/** The kernel of a form of at most 32 bytes, which the source calls `name`: found, or compiled and kept. */
tsr_gpu_result tsr_gpu_form_kernel_(tsr_gpu_cache *cache, tsr_gpu_device const *device, char const *name,
                                    void const *form, size_t bytes, gpu_form_writer *writer, tsr_gpu_log const *log,
                                    tsr_gpu_kernel *kernel);

/** Forgets all of them. */
void tsr_gpu_movers_free_(tsr_gpu_cache *cache);

#endif

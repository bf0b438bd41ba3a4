/** The kernels of forms. To find one takes less than to write its source, which a cache asks for. */
#include "gpu/forms.h"
#include "gpu/call.h"

#include <stdlib.h>

enum { FORM = 32 };

/** The kernel of a form on a device. */
struct tsr_gpu_mover {
    char const *name;
    unsigned char form[FORM];
    tsr_gpu_kernel kernel;
    tsr_gpu_mover *next;
};

void tsr_gpu_movers_free_(tsr_gpu_cache *cache)
{
    while (cache->movers) {
        tsr_gpu_mover *const m = cache->movers;
        cache->movers = m->next;
        free(m);
    }
}

tsr_gpu_result tsr_gpu_form_kernel_(tsr_gpu_cache *cache, tsr_gpu_device const *device, char const *name,
                                    void const *form, size_t bytes, gpu_form_writer *writer, tsr_gpu_log const *log,
                                    tsr_gpu_kernel *kernel)
{
    for (tsr_gpu_mover *m = cache->movers; m; m = m->next)
        if (memcmp(m->form, form, bytes) == 0 && strcmp(m->name, name) == 0 && m->kernel.device->gpu == device->gpu
            && m->kernel.device->context == device->context) {
            *kernel = m->kernel;
            return tsr_gpu_fine_();
        }
    char text[2048];
    char const *const options[] = {"-fmad=false"};
    tsr_gpu_source const source = {
        .text = text, .kernels = &name, .kernel_count = 1, .options = options, .option_count = 1};
    writer(text, sizeof text, form);
    tsr_gpu_mover *const m = (tsr_gpu_mover *)calloc(1, sizeof *m);
    if (!m)
        return tsr_gpu_refuse_(TSR_GPU_OUT_OF_MEMORY, (int64_t)sizeof *m, 0, 0);
    m->name = name;
    memcpy(m->form, form, bytes);
    tsr_gpu_result const r = tsr_gpu_specialise(cache, device, &source, log, &m->kernel);
    if (!tsr_gpu_ok(r)) {
        free(m);
        return r;
    }
    m->next = cache->movers;
    cache->movers = m;
    *kernel = m->kernel;
    return r;
}

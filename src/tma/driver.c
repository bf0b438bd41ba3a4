/** The one file that loads shared libraries. */
#include "tma/driver.h"

#include <stddef.h>

#if !defined(_WIN32)
#  include <dlfcn.h>
#endif

char const *const tsr_driver_names_[] = {"libcuda.so.1", NULL};

/* By name, as the loader of the system finds it, and where NVIDIA's packages put it. */
#define COMPILER_IN(folder) \
  folder "libnvrtc.so.13", folder "libnvrtc.so.12", folder "libnvrtc.so.11.2", folder "libnvrtc.so"
char const *const tsr_compiler_names_[] = {COMPILER_IN(""), COMPILER_IN("/usr/local/cuda/lib64/"), NULL};
#undef COMPILER_IN

#if defined(_WIN32)

void *tsr_driver_open_(char const *const *names)
{
    (void)names;
    return NULL;
}

void *tsr_driver_symbol_(void *library, char const *name)
{
    (void)library;
    (void)name;
    return NULL;
}

void tsr_driver_close_(void *library) { (void)library; }

#else

void *tsr_driver_open_(char const *const *names)
{
    void *library = NULL;
    for (; *names && !library; ++names)
        library = dlopen(*names, RTLD_NOW | RTLD_LOCAL);
    return library;
}

void *tsr_driver_symbol_(void *library, char const *name) { return dlsym(library, name); }

void tsr_driver_close_(void *library)
{
    if (library)
        dlclose(library);
}

#endif

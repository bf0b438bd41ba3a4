/** Finds the driver and NVRTC, and fills their functions into a table. */
#include "tma/driver.h"
#include "gpu/call.h"

/** The place of a function in the table, and its name in the library. */
typedef struct row {
    char const *name, *symbol;
    size_t at;
    bool needed;
} row;

#define NEEDED(result, name, symbol, parameters) {#name, symbol, offsetof(tsr_gpu, name), true},
#define NEWER(result, name, symbol, parameters) {#name, symbol, offsetof(tsr_gpu, name), false},
static row const driver_rows[] = {TSR_GPU_DRIVER_LIST(NEEDED) TSR_GPU_NEWER_LIST(NEWER)};
static row const compiler_rows[] = {TSR_GPU_COMPILER_LIST(NEEDED)};
#undef NEEDED
#undef NEWER

enum {
    DRIVER_ROWS = sizeof driver_rows / sizeof *driver_rows,
    COMPILER_ROWS = sizeof compiler_rows / sizeof *compiler_rows,
    MOST_VERSION = 9999
};

/** Puts a function, or none, into its place. */
static void set_function(tsr_gpu *gpu, row const *r, void *function)
{
    memcpy((char *)gpu + r->at, &function, sizeof function);
}

static void clear_functions(tsr_gpu *gpu, row const *rows, int count)
{
    for (int i = 0; i < count; ++i)
        set_function(gpu, &rows[i], NULL);
}

/** Loads all functions of the library. If a needed one is missing, the call fails and keeps none. The library stays
 *  open, because results may point to its texts. */
static tsr_gpu_result find_functions(tsr_gpu *gpu, void *library, char const *shown, row const *rows, int count)
{
    for (int i = 0; i < count; ++i) {
        void *const function = tsr_driver_symbol_(library, rows[i].symbol);
        if (!function && rows[i].needed) {
            clear_functions(gpu, rows, count);
            return tsr_gpu_fail_(TSR_GPU_NO_FUNCTION, rows[i].symbol, 0, "", shown);
        }
        set_function(gpu, &rows[i], function);
    }
    return tsr_gpu_fine_();
}

/** Puts the library at `path`, or the first of the names, in the place of the one before. */
static bool open_library(void **library, char const *path, char const *const *names)
{
    char const *const given[] = {path, NULL};
    void *const opened = tsr_driver_open_(path ? given : names);
    if (!opened)
        return false;
    tsr_driver_close_(*library);
    *library = opened;
    return true;
}

tsr_gpu_result tsr_gpu_find_driver(tsr_gpu *gpu, char const *path)
{
    char const *const shown = path ? path : tsr_driver_names_[0];
    clear_functions(gpu, driver_rows, DRIVER_ROWS);
    if (!open_library(&gpu->driver, path, tsr_driver_names_))
        return tsr_gpu_fail_(TSR_GPU_NO_DRIVER, shown, 0, "", "");
    tsr_gpu_result r = find_functions(gpu, gpu->driver, shown, driver_rows, DRIVER_ROWS);
    if (tsr_gpu_ok(r))
        r = DRIVER(gpu, cuInit, (0));
    if (!tsr_gpu_ok(r))
        clear_functions(gpu, driver_rows, DRIVER_ROWS);
    return r;
}

tsr_gpu_result tsr_gpu_find_compiler(tsr_gpu *gpu, char const *path)
{
    char const *const shown = path ? path : "libnvrtc.so";
    clear_functions(gpu, compiler_rows, COMPILER_ROWS);
    if (!open_library(&gpu->compiler, path, tsr_compiler_names_))
        return tsr_gpu_fail_(TSR_GPU_NO_COMPILER, shown, 0, "", "");
    tsr_gpu_result r = find_functions(gpu, gpu->compiler, shown, compiler_rows, COMPILER_ROWS);
    if (tsr_gpu_ok(r))
        r = COMPILER(gpu, nvrtcVersion, (&gpu->major, &gpu->minor));
    if (tsr_gpu_ok(r))
        r = tsr_gpu_within_("nvrtcVersion", "major", gpu->major, 1, MOST_VERSION);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_within_("nvrtcVersion", "minor", gpu->minor, 0, MOST_VERSION);
    if (!tsr_gpu_ok(r))
        clear_functions(gpu, compiler_rows, COMPILER_ROWS);
    return r;
}

void tsr_gpu_forget(tsr_gpu *gpu)
{
    void *const libraries[] = {gpu->driver, gpu->compiler};
    memset(gpu, 0, sizeof *gpu);
    tsr_driver_close_(libraries[0]);
    tsr_driver_close_(libraries[1]);
}

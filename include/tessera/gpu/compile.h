/** Kernels compiled at run time for layouts that are known then, and kept.
 *
 *  A layout becomes a `static constexpr tsr_layout` in front of the source: to the kernel it is a constant. All headers
 *  of tessera can be included by their names, and a source that includes none has tessera/tessera.h. What is read costs
 *  time: 5 ms cuda/at.cuh, 40 ms cuda.cuh.
 *
 *  Law     the kernel computes with exactly the given layout. A kernel from the cache is byte by byte the one that the
 *          same compiler made of the same source, header, options and architecture.
 *  Limits  a source cannot include files of the current folder. With options that name files or folders to include (-I)
 *          it is kept in memory only, because files may change. One that includes by an absolute path must not be
 *          cached.
 *  Source  NVRTC documentation, "Accessing Lowered Names".
 */
#ifndef TSR_GPU_COMPILE_H
#define TSR_GPU_COMPILE_H

#include "tessera/gpu/kernel.h"

TSR_HEADER_BEGIN

/** A layout and the name by which the source knows it. */
typedef struct tsr_gpu_constant {
    char const *name;
    tsr_layout layout;
} tsr_gpu_constant;

typedef struct tsr_gpu_source {
    char const *text; /* CUDA C++ */
    tsr_gpu_constant const *constants;
    int constant_count;
    char const *const *kernels; /* as C++ names them: "scale", "gemm<tile, 4>" */
    int kernel_count;
    char const *const *options; /* beside -std=c++17 and --gpu-architecture */
    int option_count;
    char const *header; /* NULL: the headers of this library */
} tsr_gpu_source;

/** Where messages of the compiler go: a buffer of the caller's, always ended by a zero, cut where it is full. Each call
 *  that takes one begins with emptying it. */
typedef struct tsr_gpu_log {
    char *text;
    size_t size;
} tsr_gpu_log;

/** All headers for kernels in one text; what the build writes to tessera.h. */
TSR_API char const *tsr_gpu_header(void);

/** Writes the value of a layout as C, C++ and CUDA read it, `{..}`, as snprintf writes. An invalid layout, too, comes
 *  back as the same one.
 *  Law     static tsr_layout const x = TEXT; gives x equal to l in every member. */
TSR_API size_t tsr_format_layout_source(char *out, size_t size, tsr_layout l);

/** Compiled code: the cubin, and the lowered names of the kernels, each ended by a zero. */
typedef struct tsr_gpu_binary {
    void *cubin;
    size_t bytes;
    char *names;
    size_t names_bytes;
    int kernels;
} tsr_gpu_binary;

/** The lowered name of kernel i, or NULL. */
TSR_API char const *tsr_gpu_binary_name(tsr_gpu_binary const *binary, int i);
TSR_API void tsr_gpu_binary_free(tsr_gpu_binary *binary);

/** Compiles for an architecture ("sm_90a"); this needs no GPU. `log` may be NULL.
 *  Errors  NO_COMPILER, LAYOUT, NAME, COMPILE, CALL, OUT_OF_MEMORY. */
TSR_API tsr_gpu_result tsr_gpu_compile(tsr_gpu const *gpu, char const *arch, tsr_gpu_source const *source,
                                       tsr_gpu_log const *log, tsr_gpu_binary *binary);

/** What a cache holds of one source: private. */
typedef struct tsr_gpu_entry tsr_gpu_entry;

/** And the kernel of a form of copies and combinations (gpu/copy.h, combine.h), and of products (gpu/gemm.h). */
typedef struct tsr_gpu_mover tsr_gpu_mover;
typedef struct tsr_gpu_multiplier tsr_gpu_multiplier;

/** And memory of plans, which are given back in the thread that uses the cache. */
typedef struct tsr_gpu_slab tsr_gpu_slab;

/** Writes the path of the user's own folder for compiled kernels, as snprintf writes, and makes it if it is not there:
 *  tessera in XDG_CACHE_HOME, or .cache/tessera in HOME; or what TESSERA_CACHE names, "off": none. Returns 0 where
 *  there is none, as in a home that cannot be written to. */
TSR_API size_t tsr_gpu_user_folder(char *out, size_t size);

/** Kernels that were compiled, and their modules. {0}, or with a folder that exists, is an empty one. Of the folder
 *  only regular files are read that belong to the user who runs the program, that nobody else may write to, and that
 *  have at most 256 MB; so are those that are written. */
typedef struct tsr_gpu_cache {
    char const *folder; /* where binaries stay from one program to the next; NULL: tsr_gpu_user_folder, "": nowhere */
    tsr_gpu_entry *entries;
    tsr_gpu_mover *movers;
    tsr_gpu_multiplier *multipliers;
    tsr_gpu_slab *slabs;
    int64_t hits, loads, misses; /* found in memory, found in the folder, compiled */
    tsr_gpu_result stored;       /* FILE: the last binary could not be written, FOLDER: why there is no folder; the
                                    kernel is good nevertheless */
} tsr_gpu_cache;

/** Unloads all modules, so that no kernel of the cache may be used any more; before their devices are closed. Files
 *  stay, and so does, after a failure, what could not be unloaded: call again. */
TSR_API tsr_gpu_result tsr_gpu_cache_free(tsr_gpu_cache *cache);

/** tsr_gpu_compile through the cache. The binary belongs to the cache. */
TSR_API tsr_gpu_result tsr_gpu_cache_compile(tsr_gpu_cache *cache, tsr_gpu const *gpu, char const *arch,
                                             tsr_gpu_source const *source, tsr_gpu_log const *log,
                                             tsr_gpu_binary const **binary);

/** The kernels of a source, compiled for the device and loaded, through the cache: `kernels` has room for
 *  source->kernel_count. They live until tsr_gpu_cache_free. Of a failure they are all zero: none can be launched. */
TSR_API tsr_gpu_result tsr_gpu_specialise(tsr_gpu_cache *cache, tsr_gpu_device const *device,
                                          tsr_gpu_source const *source, tsr_gpu_log const *log,
                                          tsr_gpu_kernel *kernels);

TSR_HEADER_END

#endif

/** The cache: a list of entries in memory, in front of the files of a folder. */
#include "gpu/call.h"
#include "gpu/scratch.h"
#include "gpu/compile.h"
#include "gpu/copy_plan.h"
#include "gpu/forms.h"
#include "gpu/store.h"

#include <stdlib.h>

/** A module of a binary on a device. */
typedef struct loaded {
    tsr_gpu_module module;
    tsr_gpu_device device; /* a copy, to which the module and its kernels point */
    struct loaded *next;
} loaded;

struct tsr_gpu_entry {
    gpu_text key;
    uint64_t hash;
    tsr_gpu_binary binary;
    bool from_file;
    loaded *modules;
    tsr_gpu_entry *next;
};

/** Unloads the modules of an entry as far as their contexts can be entered. */
static tsr_gpu_result free_modules(tsr_gpu_entry *e)
{
    tsr_gpu_result r = tsr_gpu_fine_();
    while (e->modules) {
        loaded *const m = e->modules;
        tsr_gpu_result const freed = tsr_gpu_module_free(&m->module);
        r = tsr_gpu_ok(r) ? freed : r;
        if (m->module.handle)
            break;
        e->modules = m->next;
        free(m);
    }
    return r;
}

tsr_gpu_result tsr_gpu_cache_free(tsr_gpu_cache *cache)
{
    tsr_gpu_result r = tsr_gpu_fine_();
    tsr_gpu_movers_free_(cache);
    tsr_gpu_multipliers_free_(cache);
    r = tsr_gpu_slabs_free_(cache);
    while (cache->entries) {
        tsr_gpu_entry *const e = cache->entries;
        tsr_gpu_result const freed = free_modules(e);
        r = tsr_gpu_ok(r) ? freed : r;
        if (e->modules)
            return r;
        cache->entries = e->next;
        tsr_gpu_binary_free(&e->binary);
        tsr_gpu_text_free_(&e->key);
        free(e);
    }
    if (cache->slabs)
        return r;
    memset(cache, 0, sizeof *cache);
    return r;
}

static tsr_gpu_entry *find(tsr_gpu_cache const *cache, gpu_text const *key)
{
    uint64_t const hash = tsr_gpu_hash_(key->data, key->length);
    for (tsr_gpu_entry *e = cache->entries; e; e = e->next)
        if (e->hash == hash && e->key.length == key->length && memcmp(e->key.data, key->data, key->length) == 0)
            return e;
    return NULL;
}

/** Does an option name files to read? What is in them is in no key. */
static bool reads_files(tsr_gpu_source const *source)
{
    static char const *const names[] = {"I", "include", "pre-include", "use-pch", "pch"}; /* behind one dash or two */
    bool reads = false;
    for (int i = 0; i < source->option_count; ++i) {
        char const *const name = source->options[i] + strspn(source->options[i], "-");
        for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
            reads = reads || strncmp(name, names[k], strlen(names[k])) == 0;
    }
    return reads;
}

/** From the folder, or from the compiler and then into the folder. */
static tsr_gpu_result load_or_compile(tsr_gpu_cache *cache, tsr_gpu const *gpu, char const *arch,
                                      tsr_gpu_source const *source, gpu_text const *program, bool reads,
                                      tsr_gpu_log const *log, tsr_gpu_entry *e)
{
    gpu_text key = {0}, own = {0};
    char const *folder = cache->folder, *why = NULL;
    if (!folder && tsr_gpu_user_folder_(&own, &why))
        folder = own.data;
    if (why)
        cache->stored = tsr_gpu_fail_(TSR_GPU_FOLDER, "", 0, "", why);
    if (reads_files(source) || (folder && !folder[0]))
        folder = NULL;
    tsr_gpu_result r = tsr_gpu_fine_();
    if (folder)
        r = tsr_gpu_key_(gpu, arch, source, program, true, &key);
    e->from_file = tsr_gpu_ok(r) && folder && reads && tsr_gpu_store_read_(folder, &key, &e->binary);
    cache->loads += e->from_file;
    if (tsr_gpu_ok(r) && !e->from_file) {
        r = tsr_gpu_compile_program_(gpu, arch, source, program, log, &e->binary);
        cache->misses += tsr_gpu_ok(r);
        if (tsr_gpu_ok(r) && folder)
            cache->stored = tsr_gpu_store_write_(folder, &key, &e->binary);
    }
    tsr_gpu_text_free_(&key);
    tsr_gpu_text_free_(&own);
    return r;
}

/** The entry of a source, made if there is none. */
static tsr_gpu_result find_or_make(tsr_gpu_cache *cache, tsr_gpu const *gpu, char const *arch,
                                   tsr_gpu_source const *source, tsr_gpu_log const *log, tsr_gpu_entry **found)
{
    gpu_text program = {0}, key = {0};
    tsr_gpu_result r = tsr_gpu_program_(source, log, &program);
    if (tsr_gpu_ok(r))
        r = tsr_gpu_key_(gpu, arch, source, &program, false, &key);
    *found = tsr_gpu_ok(r) ? find(cache, &key) : NULL;
    cache->hits += *found != NULL;
    if (tsr_gpu_ok(r) && !*found) {
        tsr_gpu_entry *const e = (tsr_gpu_entry *)calloc(1, sizeof *e);
        r = e ? load_or_compile(cache, gpu, arch, source, &program, true, log, e)
              : tsr_gpu_refuse_(TSR_GPU_OUT_OF_MEMORY, (int64_t)sizeof *e, 0, 0);
        if (tsr_gpu_ok(r)) {
            e->hash = tsr_gpu_hash_(key.data, key.length);
            e->key = key;
            e->next = cache->entries;
            cache->entries = *found = e;
            memset(&key, 0, sizeof key);
        } else {
            free(e);
        }
    }
    tsr_gpu_text_free_(&program);
    tsr_gpu_text_free_(&key);
    return r;
}

tsr_gpu_result tsr_gpu_cache_compile(tsr_gpu_cache *cache, tsr_gpu const *gpu, char const *arch,
                                     tsr_gpu_source const *source, tsr_gpu_log const *log,
                                     tsr_gpu_binary const **binary)
{
    tsr_gpu_entry *e = NULL;
    tsr_gpu_result const r = find_or_make(cache, gpu, arch, source, log, &e);
    *binary = e ? &e->binary : NULL;
    return r;
}

/** The entry's module on the device, loaded if it is not. */
static tsr_gpu_result find_module(tsr_gpu_entry *e, tsr_gpu_device const *device, loaded **found)
{
    for (loaded *m = e->modules; m; m = m->next)
        if (m->device.gpu == device->gpu && m->device.context == device->context) {
            *found = m;
            return tsr_gpu_fine_();
        }
    loaded *const m = (loaded *)calloc(1, sizeof *m);
    if (!m)
        return tsr_gpu_refuse_(TSR_GPU_OUT_OF_MEMORY, (int64_t)sizeof *m, 0, 0);
    m->device = *device;
    tsr_gpu_result const r = tsr_gpu_module_load(&m->device, e->binary.cubin, &m->module);
    if (!m->module.handle) { /* one that is loaded, whatever failed behind that, is the entry's */
        free(m);
        return r;
    }
    m->next = e->modules;
    e->modules = *found = m;
    return r;
}

/** Compiles again if the driver refuses the binary of a file, as after an update of the driver. */
static tsr_gpu_result compile_again(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_gpu_source const *source,
                                    tsr_gpu_log const *log, tsr_gpu_entry *e)
{
    gpu_text program = {0};
    tsr_gpu_binary const old = e->binary;
    tsr_gpu_result r = tsr_gpu_program_(source, log, &program);
    if (tsr_gpu_ok(r))
        r = load_or_compile(cache, device->gpu, device->arch, source, &program, false, log, e);
    if (tsr_gpu_ok(r)) {
        tsr_gpu_binary unused = old;
        tsr_gpu_binary_free(&unused);
    } else {
        e->binary = old;
    }
    tsr_gpu_text_free_(&program);
    return r;
}

tsr_gpu_result tsr_gpu_specialise(tsr_gpu_cache *cache, tsr_gpu_device const *device, tsr_gpu_source const *source,
                                  tsr_gpu_log const *log, tsr_gpu_kernel *kernels)
{
    tsr_gpu_entry *e = NULL;
    loaded *m = NULL;
    tsr_gpu_result r = tsr_gpu_usable_(device);
    for (int i = 0; i < source->kernel_count; ++i)
        memset(&kernels[i], 0, sizeof kernels[i]);
    if (tsr_gpu_ok(r))
        r = find_or_make(cache, device->gpu, device->arch, source, log, &e);
    if (tsr_gpu_ok(r))
        r = find_module(e, device, &m);
    if (r.status == TSR_GPU_CALL && e && e->from_file && !m) {
        r = compile_again(cache, device, source, log, e);
        if (tsr_gpu_ok(r))
            r = find_module(e, device, &m);
    }
    for (int i = 0; i < source->kernel_count && tsr_gpu_ok(r); ++i)
        r = tsr_gpu_module_kernel(&m->module, tsr_gpu_binary_name(&e->binary, i), &kernels[i]);
    return r;
}

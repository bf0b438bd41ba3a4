/** Threads that begin at once with no folder, each with a cache of its own: each finds its kernels, and one file of
 *  each kernel stays. Built with the sanitizer of threads.
 *
 *  usage: gpu_threads FAKE EMPTY FOLDER, as of gpu_runtime. */
#define _XOPEN_SOURCE 700

#include <pthread.h>

#include "faked.h"
#include "folder.h"

enum { THREADS = 4, KERNELS = 3, ROUNDS = 60 };

/** The fake keeps the last text: one thread at a time. */
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
static tsr_gpu fakes;

static int create(void **program, char const *text, char const *name, int headers, char const *const *header,
                  char const *const *header_name)
{
    pthread_mutex_lock(&one_at_a_time);
    int const r = fakes.nvrtcCreateProgram(program, text, name, headers, header, header_name);
    pthread_mutex_unlock(&one_at_a_time);
    return r;
}

typedef struct user {
    tsr_gpu const *gpu;
    int number, wrong;
} user;

/** Each kernel through a new cache, twice; the threads begin with different ones. */
static void *use(void *context)
{
    static char const *const text[KERNELS] = {"one", "two", "three"};
    user *const u = (user *)context;
    tsr_gpu_cache cache = {.folder = NULL};
    for (int k = 0; k < 2 * KERNELS; ++k) {
        tsr_gpu_constant c;
        tsr_gpu_source source = source_of(text[(u->number + k) % KERNELS], &c);
        tsr_gpu_binary const *binary = NULL;
        source.header = "/* none */";
        tsr_gpu_result const r = tsr_gpu_cache_compile(&cache, u->gpu, "sm_90", &source, NULL, &binary);
        u->wrong += !tsr_gpu_ok(r) || !binary || !tsr_gpu_ok(cache.stored)
                    || strstr((char const *)binary->cubin, source.text) == NULL;
    }
    u->wrong += cache.hits != KERNELS || cache.loads + cache.misses != KERNELS;
    u->wrong += !tsr_gpu_ok(tsr_gpu_cache_free(&cache));
    return NULL;
}

int main(int count, char **arguments)
{
    tsr_gpu gpu;
    void *library = NULL;
    char folder[4096], path[4400];
    if (count < 4 || !load_fake(arguments[1], &library))
        return 2;
    find_fake(&fakes, arguments[1]);
    gpu = fakes;
    gpu.nvrtcCreateProgram = create;
    snprintf(folder, sizeof folder, "%s/first", arguments[3]);
    setenv("TESSERA_CACHE", folder, 1);
    for (int round = 0; round < ROUNDS; ++round) {
        pthread_t thread[THREADS];
        user users[THREADS];
        for (int i = 0; i < THREADS; ++i) {
            users[i] = (user){&gpu, i, 0};
            check(pthread_create(&thread[i], NULL, use, &users[i]) == 0, "a thread");
        }
        for (int i = 0; i < THREADS; ++i) {
            pthread_join(thread[i], NULL);
            check(users[i].wrong == 0, "a thread has its kernels");
        }
        check(list(folder, path, sizeof path) == KERNELS, "one file of each kernel stays");
        empty_folder(folder);
        check(rmdir(folder) == 0, "nothing else does");
    }
    return unload_fake(&fakes, library);
}

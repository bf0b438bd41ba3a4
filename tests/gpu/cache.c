/** The cache of compiled kernels: filled, read, damaged, made to collide, and trusted only where this user alone can
 *  have written it.
 *
 *  usage: gpu_cache FAKE EMPTY FOLDER, as of gpu_runtime. */
#define _XOPEN_SOURCE 700

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faked.h"
#include "folder.h"

static int skipped;

static size_t read_all(char const *path, char *bytes, size_t size)
{
    FILE *const f = fopen(path, "rb");
    size_t const n = f ? fread(bytes, 1, size, f) : 0;
    if (f)
        fclose(f);
    return n;
}

static void write_all(char const *path, char const *bytes, size_t n)
{
    FILE *const f = fopen(path, "wb");
    if (f) {
        fwrite(bytes, 1, n, f);
        fclose(f);
    }
}

/** Compiles through a new cache of the folder, and says where the code came from. */
static char from_where(tsr_gpu const *gpu, char const *folder, char const *arch, tsr_gpu_source const *source)
{
    tsr_gpu_cache cache = {.folder = folder};
    tsr_gpu_binary const *binary = NULL;
    int const before = fake->compilations;
    tsr_gpu_result const r = tsr_gpu_cache_compile(&cache, gpu, arch, source, NULL, &binary);
    check(tsr_gpu_ok(r) && binary && memcmp(binary->cubin, "#include \"tessera", 17) == 0
              && strcmp(tsr_gpu_binary_name(binary, 0), "_Zscale<tile>") == 0,
          "the code is that of the source");
    check(fake->compilations - before == cache.misses && cache.misses + cache.loads == 1, "each is counted once");
    char const from = cache.loads ? 'F' : 'C';
    tsr_gpu_binary const *again = NULL;
    check(tsr_gpu_ok(tsr_gpu_cache_compile(&cache, gpu, arch, source, NULL, &again)) && again == binary
              && cache.hits == 1,
          "the second time it is in memory");
    tsr_gpu_cache_free(&cache);
    return from;
}

/** A file with one byte changed, cut, or longer is not used, and is replaced. */
static void test_damage(tsr_gpu const *gpu, char const *folder, tsr_gpu_source const *source)
{
    static char bytes[65536];
    char path[4096];
    check(list(folder, path, sizeof path) == 1, "one file");
    size_t const n = read_all(path, bytes, sizeof bytes);
    check(n > 100 && n < sizeof bytes, "a file of a small header");
    for (size_t at = 0; at < n; at += 1 + n / 97) {
        bytes[at] = (char)(bytes[at] ^ 1);
        write_all(path, bytes, n);
        bytes[at] = (char)(bytes[at] ^ 1);
        check(from_where(gpu, folder, "sm_90", source) == 'C', "a changed file");
        check(from_where(gpu, folder, "sm_90", source) == 'F', "a file in the place of a changed one");
    }
    for (size_t left = 0; left < n; left += 1 + n / 41) {
        write_all(path, bytes, left);
        check(from_where(gpu, folder, "sm_90", source) == 'C', "a file that is cut");
    }
    write_all(path, bytes, n + 1);
    check(from_where(gpu, folder, "sm_90", source) == 'C', "a file with a byte more");
}

static void test_cache(tsr_gpu *gpu, char const *folder)
{
    static char bytes[65536];
    char path[4096], other_path[4096];
    char const *const options[] = {"-lineinfo"}, *const files[] = {"-lineinfo", "-I/nowhere"};
    tsr_gpu_constant c;
    tsr_gpu_source source = source_of("good", &c), other;
    source.header = "/* no layouts in this test */";
    reset();
    empty_folder(folder);
    check(from_where(gpu, "", "sm_90", &source) == 'C', "no folder");
    check(from_where(gpu, folder, "sm_90", &source) == 'C', "an empty folder");
    check(from_where(gpu, folder, "sm_90", &source) == 'F', "a filled folder");
    test_damage(gpu, folder, &source);
    /* Whatever the code depends on is told apart. */
    check(from_where(gpu, folder, "sm_80", &source) == 'C', "another architecture");
    other = source;
    other.text = "goods";
    check(from_where(gpu, folder, "sm_90", &other) == 'C', "another text");
    other = source;
    other.header = "/* other */";
    check(from_where(gpu, folder, "sm_90", &other) == 'C', "another header");
    other.header = NULL;
    check(from_where(gpu, folder, "sm_90", &other) == 'C', "the headers of the library");
    check(from_where(gpu, folder, "sm_90", &other) == 'F', "the headers of the library, again");
    other = source;
    other.options = options;
    other.option_count = 1;
    check(from_where(gpu, folder, "sm_90", &other) == 'C', "another option");
    other.options = files;
    other.option_count = 2;
    check(from_where(gpu, folder, "sm_90", &other) == 'C', "an option that names files");
    check(from_where(gpu, folder, "sm_90", &other) == 'C', "an option that names files is not kept");
    gpu->minor += 1;
    check(from_where(gpu, folder, "sm_90", &source) == 'C', "another version of NVRTC");
    gpu->minor -= 1;
    tsr_layout const before = c.layout;
    c.layout = tsr_make_layout(tsr_t(4, tsr_s(8)), tsr_t(9, tsr_s(1)));
    check(from_where(gpu, folder, "sm_90", &source) == 'C', "another layout");
    c.layout = before;
    check(from_where(gpu, folder, "sm_90", &source) == 'F', "the first one is still there");
    /* A file under the name of another key is not that key's: a collision of hashes. */
    empty_folder(folder);
    from_where(gpu, folder, "sm_90", &source);
    list(folder, path, sizeof path);
    size_t const n = read_all(path, bytes, sizeof bytes);
    unlink(path);
    other = source;
    other.text = "another";
    from_where(gpu, folder, "sm_90", &other);
    list(folder, other_path, sizeof other_path);
    check(strcmp(path, other_path) != 0, "two keys have two files");
    write_all(other_path, bytes, n);
    check(from_where(gpu, folder, "sm_90", &other) == 'C', "a file of another key");
    check(from_where(gpu, folder, "sm_90", &other) == 'F', "the file is replaced");
    empty_folder(folder);
}

/** A folder that cannot be written to costs the file, not the kernel. */
static void test_store_fails(tsr_gpu const *gpu, char const *folder)
{
    tsr_gpu_constant c;
    tsr_gpu_source const source = source_of("good", &c);
    tsr_gpu_source bad = source_of("#error", &c);
    tsr_gpu_cache cache = {.folder = folder};
    tsr_gpu_binary const *binary = NULL;
    char target[4096];
    reset();
    expect(tsr_gpu_cache_compile(&cache, gpu, "sm_90", &bad, NULL, &binary), TSR_GPU_COMPILE, "does not compile");
    check(!binary && !cache.entries && list(folder, target, sizeof target) == 0, "what does not compile is not kept");
    /* A folder in the place of the file. */
    expect(tsr_gpu_cache_compile(&cache, gpu, "sm_90", &source, NULL, &binary), TSR_GPU_OK, "ok");
    list(folder, target, sizeof target);
    tsr_gpu_cache_free(&cache);
    unlink(target);
    check(mkdir(target, 0777) == 0, "a folder in the place of the file");
    cache.folder = folder;
    expect(tsr_gpu_cache_compile(&cache, gpu, "sm_90", &source, NULL, &binary), TSR_GPU_OK, "ok");
    expect(cache.stored, TSR_GPU_FILE, "rename of a file of the cache fails");
    rmdir(target);
    check(list(folder, target, sizeof target) == 0, "nothing is left of a file that could not be written");
    tsr_gpu_cache_free(&cache);
    check_books("after the cache");
}

/** One cache serves several devices: one compilation, a module each. */
static void test_modules(tsr_gpu const *gpu)
{
    tsr_gpu_constant c;
    tsr_gpu_source const source = source_of("good", &c);
    tsr_gpu_device d;
    tsr_gpu_cache cache = {0};
    tsr_gpu_kernel k;
    reset();
    expect(tsr_gpu_open(gpu, 0, &d), TSR_GPU_OK, "ok");
    for (int i = 0; i < 3; ++i)
        expect(tsr_gpu_specialise(&cache, &d, &source, NULL, &k), TSR_GPU_OK, "ok");
    check(fake->compilations == 1 && fake->modules == 1 && cache.hits == 2, "one compilation, one module");
    tsr_gpu_cache_free(&cache);
    expect(tsr_gpu_close(&d), TSR_GPU_OK, "ok");
    check_books("after the modules");
}

/** A file that is whole, and that the driver does not load, is compiled again; what fails once more is said. */
static void test_not_loaded(tsr_gpu const *gpu, char const *folder)
{
    tsr_gpu_constant c;
    tsr_gpu_source const source = source_of("good", &c);
    tsr_gpu_device d;
    tsr_gpu_kernel k;
    reset();
    empty_folder(folder);
    expect(tsr_gpu_open(gpu, 0, &d), TSR_GPU_OK, "ok");
    for (int turn = 0; turn < 3; ++turn) {
        tsr_gpu_cache cache = {.folder = folder};
        int const before = fake->compilations;
        fake->code = 209;
        fake->failing_call = turn == 1 ? fake->calls + 2 : 0; /* behind the context: the module */
        fake->failing = turn == 2 ? "cuModuleLoadData" : NULL;
        expect(tsr_gpu_specialise(&cache, &d, &source, NULL, &k), turn < 2 ? TSR_GPU_OK : TSR_GPU_CALL,
               turn < 2 ? "ok" : "cuModuleLoadData");
        check(fake->compilations - before == 1 && cache.loads == (turn > 0), "compiled once, a file or none");
        check(turn == 2 || k.handle, "there is a kernel");
        fake->failing = NULL;
        fake->failing_call = 0;
        tsr_gpu_cache_free(&cache);
    }
    expect(tsr_gpu_close(&d), TSR_GPU_OK, "ok");
    empty_folder(folder);
    check_books("after modules that were not loaded");
}

/* Trust */

static void expect_compiled(tsr_gpu const *gpu, char const *folder, tsr_gpu_source const *source, char const *what)
{
    check(from_where(gpu, folder, "sm_90", source) == 'C', what);
    check(from_where(gpu, folder, "sm_90", source) == 'F', "and replaced");
}

static void test_trust(tsr_gpu const *gpu, char const *folder)
{
    char path[4096], aside[4200];
    struct stat s;
    tsr_gpu_constant c;
    tsr_gpu_source source = source_of("good", &c);
    source.header = "/* none */";
    empty_folder(folder);
    mode_t const mask = umask(0);
    check(from_where(gpu, folder, "sm_90", &source) == 'C' && list(folder, path, sizeof path) == 1, "a file");
    umask(mask);
    check(stat(path, &s) == 0 && (s.st_mode & 07777) == 0600, "it is its owner's, whatever the umask");
    check(from_where(gpu, folder, "sm_90", &source) == 'F', "the user's own");
    snprintf(aside, sizeof aside, "%s/../gpu_cache_aside", folder);
    static mode_t const others[] = {0620, 0602, 0666};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; ++i) {
        check(chmod(path, others[i]) == 0, "writable by others");
        expect_compiled(gpu, folder, &source, "a file that others may write to");
    }
    check(chmod(path, 0644) == 0 && from_where(gpu, folder, "sm_90", &source) == 'F', "a file that others may read");
    if (geteuid() == 0) {
        check(chown(path, 12345, (gid_t)-1) == 0, "another owner");
        expect_compiled(gpu, folder, &source, "a file of another owner");
    } else {
        ++skipped;
    }
    check(rename(path, aside) == 0 && symlink(aside, path) == 0, "a link to a good file");
    expect_compiled(gpu, folder, &source, "a link is not followed");
    check(lstat(path, &s) == 0 && S_ISREG(s.st_mode) && stat(aside, &s) == 0, "nor written through");
    unlink(aside);
    check(unlink(path) == 0 && symlink("/dev/zero", path) == 0, "a link to a device without end");
    expect_compiled(gpu, folder, &source, "a device");
    check(unlink(path) == 0 && mkfifo(path, 0600) == 0, "a pipe");
    expect_compiled(gpu, folder, &source, "a pipe that nobody writes to");
    check(truncate(path, ((off_t)256 << 20) + 1) == 0, "a file that is larger than any kernel");
    expect_compiled(gpu, folder, &source, "is not read");
    check(unlink(path) == 0, "nothing is left");
}

/* The user's own folder */

/** What a cache without a folder says of the folder that it does not use. */
static void expect_bypassed(tsr_gpu const *gpu, tsr_gpu_source const *source, char const *why)
{
    tsr_gpu_cache cache = {0};
    tsr_gpu_binary const *binary = NULL;
    expect(tsr_gpu_cache_compile(&cache, gpu, "sm_90", source, NULL, &binary), TSR_GPU_OK, "ok");
    expect(cache.stored, why ? TSR_GPU_FOLDER : TSR_GPU_OK, why ? why : "ok");
    tsr_gpu_cache_free(&cache);
}

/** The folder of the environment is this one, made, and what a cache without a folder reads and writes; "": none. */
static void expect_user_folder(tsr_gpu const *gpu, char const *expected, tsr_gpu_source const *source,
                               char const *what)
{
    char path[4096];
    bool const is = expected[0] != 0;
    check(tsr_gpu_user_folder(path, sizeof path) == strlen(expected) && strcmp(path, expected) == 0, what);
    check(from_where(gpu, NULL, "sm_90", source) == 'C', what);
    check(from_where(gpu, NULL, "sm_90", source) == (is ? 'F' : 'C'), what);
    if (is)
        empty_folder(expected);
}

/** A link that this user made is followed, another user's is not, and neither is used a folder of another user's. */
static void test_links(tsr_gpu const *gpu, char const *target, char const *link, tsr_gpu_source const *source)
{
    char path[4096];
    setenv("TESSERA_CACHE", link, 1);
    check(rmdir(link) == 0 && symlink(target, link) == 0, "a link of the user's");
    expect_user_folder(gpu, link, source, "a link of the user's own");
    chmod(target, 0770);
    expect_bypassed(gpu, source, "others may write to it");
    chmod(target, 0700);
    if (geteuid() == 0) {
        check(lchown(link, 12345, (gid_t)-1) == 0, "a link of another user's");
        expect_user_folder(gpu, "", source, "a link of another user's");
        expect_bypassed(gpu, source, "it is a link that another user made");
        check(list(target, path, sizeof path) == 0, "nothing is written through it");
        check(unlink(link) == 0 && mkdir(link, 0700) == 0 && chown(link, 12345, (gid_t)-1) == 0, "another's folder");
        expect_bypassed(gpu, source, "it belongs to another user");
        check(list(link, path, sizeof path) == 0 && chown(link, geteuid(), (gid_t)-1) == 0,
              "nothing is written to it");
    } else {
        ++skipped;
        check(unlink(link) == 0 && mkdir(link, 0700) == 0, "a folder again");
    }
}

/** Processes that begin at once with no folder: each finds or makes it, and keeps or reads its kernel there. */
static void test_first_use(tsr_gpu const *gpu, char const *home, tsr_gpu_source const *source)
{
    enum { USERS = 8, ROUNDS = 20 };
    char folder[4300], path[4096];
    int status = 0, wrong = 0;
    snprintf(folder, sizeof folder, "%s/first", home);
    setenv("TESSERA_CACHE", folder, 1);
    fflush(stdout);
    for (int k = 0; k < ROUNDS; ++k) {
        for (int i = 0; i < USERS; ++i)
            if (fork() == 0) {
                int const before = failed;
                from_where(gpu, NULL, "sm_90", source);
                expect_bypassed(gpu, source, NULL);
                _exit(failed != before);
            }
        while (wait(&status) > 0)
            wrong += status != 0;
        wrong += list(folder, path, sizeof path) != 1;
        empty_folder(folder);
        wrong += rmdir(folder) != 0;
    }
    check(wrong == 0, "each user has its kernel, and one file stays");
}

static void test_user_folder(tsr_gpu const *gpu, char const *folder)
{
    char home[4096], cache[4200], own[4400], base[4200], text[8];
    tsr_gpu_constant c;
    tsr_gpu_source source = source_of("good", &c);
    source.header = "/* none */";
    unsetenv("TESSERA_CACHE");
    unsetenv("XDG_CACHE_HOME");
    snprintf(home, sizeof home, "%s/home", folder);
    snprintf(cache, sizeof cache, "%s/.cache", home);
    snprintf(own, sizeof own, "%s/tessera", cache);
    snprintf(base, sizeof base, "%s/xdg", folder);
    mkdir(home, 0700);
    setenv("HOME", home, 1);
    expect_user_folder(gpu, own, &source, "below HOME");
    check(tsr_gpu_user_folder(text, sizeof text) == strlen(own) && strlen(text) == sizeof text - 1, "as snprintf");
    check(tsr_gpu_user_folder(NULL, 0) == strlen(own), "its length");
    setenv("XDG_CACHE_HOME", "not/absolute", 1);
    expect_user_folder(gpu, own, &source, "a relative path does not count");
    chmod(own, 0777);
    expect_user_folder(gpu, "", &source, "others may write to it");
    expect_bypassed(gpu, &source, "others may write to it");
    chmod(own, 0700);
    check(rmdir(own) == 0, "nothing else was written");
    write_all(own, "x", 1);
    expect_user_folder(gpu, "", &source, "a file in its place");
    expect_bypassed(gpu, &source, "it cannot be made");
    unlink(own);
    if (geteuid() != 0) {
        chmod(cache, 0500);
        expect_user_folder(gpu, "", &source, "a home that may only be read");
        chmod(cache, 0700);
    } else {
        ++skipped;
    }
    rmdir(cache);
    setenv("HOME", "/dev/null", 1);
    expect_user_folder(gpu, "", &source, "no home");
    unsetenv("HOME");
    expect_user_folder(gpu, "", &source, "HOME is not set");
    setenv("XDG_CACHE_HOME", base, 1);
    snprintf(own, sizeof own, "%s/tessera", base);
    expect_user_folder(gpu, own, &source, "below XDG_CACHE_HOME");
    setenv("TESSERA_CACHE", "off", 1);
    expect_user_folder(gpu, "", &source, "off");
    expect_bypassed(gpu, &source, NULL);
    setenv("TESSERA_CACHE", "", 1);
    expect_user_folder(gpu, "", &source, "off, too");
    setenv("TESSERA_CACHE", home, 1);
    expect_user_folder(gpu, home, &source, "a folder that is named");
    test_links(gpu, home, own, &source);
    test_first_use(gpu, home, &source);
    setenv("TESSERA_CACHE", "off", 1);
    check(rmdir(own) == 0 && rmdir(base) == 0 && rmdir(home) == 0, "nothing is left");
}

/** Processes that compile the same at once: each has its kernel, and one whole file stays. */
static void test_writers(tsr_gpu const *gpu, char const *folder)
{
    enum { WRITERS = 8, ROUNDS = 20 };
    char path[4096];
    tsr_gpu_constant c;
    tsr_gpu_source source = source_of("good", &c);
    source.header = "/* none */";
    empty_folder(folder);
    fflush(stdout);
    for (int i = 0; i < WRITERS; ++i)
        if (fork() == 0) {
            int const before = failed;
            for (int k = 0; k < ROUNDS; ++k) {
                from_where(gpu, folder, "sm_90", &source);
                if (list(folder, path, sizeof path) > 0)
                    unlink(path);
            }
            from_where(gpu, folder, "sm_90", &source);
            _exit(failed != before);
        }
    int status = 0, wrong = 0;
    while (wait(&status) > 0)
        wrong += status != 0;
    check(wrong == 0, "each writer has its kernel");
    from_where(gpu, folder, "sm_90", &source);
    DIR *const d = opendir(folder);
    int files = 0;
    for (struct dirent const *e; d && (e = readdir(d));)
        files += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    if (d)
        closedir(d);
    check(files == 1 && from_where(gpu, folder, "sm_90", &source) == 'F', "one file stays, and no part of one");
    empty_folder(folder);
}

int main(int argc, char **argv)
{
    tsr_gpu gpu = {0};
    void *library = NULL;
    if (argc != 4 || !load_fake(argv[1], &library))
        return 2;
    find_fake(&gpu, argv[1]);
    setenv("TESSERA_CACHE", "off", 1);
    test_cache(&gpu, argv[3]);
    test_store_fails(&gpu, argv[3]);
    test_modules(&gpu);
    test_not_loaded(&gpu, argv[3]);
    test_trust(&gpu, argv[3]);
    test_user_folder(&gpu, argv[3]);
    test_writers(&gpu, argv[3]);
    printf("%d skipped\n", skipped);
    return unload_fake(&gpu, library);
}

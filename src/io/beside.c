/** Temporary files beside a target, and those that an end by force left there.
 *
 *  Law  a temporary file is locked (flock) from its making to its end by its writer and by nobody else; the system
 *       gives the lock back when the writer dies. So a file of the name TARGET.NUMBER.tmp that can be locked has no
 *       writer any more, on this machine or in any container on it, and is removed; where a file system has no locks,
 *       nothing is.
 */
#define _XOPEN_SOURCE 700 /* openat */
#define _FILE_OFFSET_BITS 64

#include "io/output.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { DIGITS = 16, BASE = 200, TRIES = 1000 }; /* BASE: a name of 255 bytes has room for the rest */

static char const ending[] = ".tmp";

/** Where the last name of a path begins. */
static size_t base_of(char const *path)
{
    char const *const slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + 1 : 0;
}

/** How much of the target's name a temporary one begins with. */
static int kept_of(char const *base)
{
    size_t const n = strlen(base);
    return n < BASE ? (int)n : BASE;
}

static bool is_temporary(char const *name, char const *base)
{
    size_t const kept = (size_t)kept_of(base);
    return strlen(name) == kept + 1 + DIGITS + strlen(ending) && strncmp(name, base, kept) == 0 && name[kept] == '.'
           && strspn(name + kept + 1, "0123456789abcdef") == DIGITS && strcmp(name + kept + 1 + DIGITS, ending) == 0;
}

/** The lock is asked for first, then whether the name still means this file. */
static void remove_if_dead(int folder, char const *name)
{
    struct stat here, there;
    int const handle = openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (handle < 0)
        return;
    if (fstat(handle, &here) == 0 && S_ISREG(here.st_mode) && flock(handle, LOCK_EX | LOCK_NB) == 0
        && fstatat(folder, name, &there, AT_SYMLINK_NOFOLLOW) == 0 && here.st_dev == there.st_dev
        && here.st_ino == there.st_ino)
        unlinkat(folder, name, 0);
    close(handle);
}

static void remove_dead(char *path, size_t base)
{
    char const kept = path[base];
    path[base] = 0;
    DIR *const d = opendir(base ? path : ".");
    path[base] = kept;
    for (struct dirent const *e; d && (e = readdir(d));)
        if (is_temporary(e->d_name, path + base))
            remove_if_dead(dirfd(d), e->d_name);
    if (d)
        closedir(d);
}

/** A number that no other name beside the target has, as far as can be told before O_EXCL tells it. */
static uint64_t any_number(int attempt)
{
    struct timespec t = {0, 0};
    clock_gettime(CLOCK_REALTIME, &t);
    uint64_t x =
        (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec + ((uint64_t)getpid() << 32) + (uint64_t)attempt;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

/** Locks a file that was just made. False: somebody who looked for dead ones was faster, and removes it. */
static bool keep(int handle)
{
    struct stat status;
    bool const taken = flock(handle, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    return !taken && fstat(handle, &status) == 0 && status.st_nlink > 0;
}

int tsr_io_open_beside_(char const *target, unsigned mode, char **temporary)
{
    size_t const base = base_of(target), size = base + BASE + DIGITS + 8;
    char *const name = (char *)malloc(size), *const path = strdup(target);
    int handle = -1;
    *temporary = NULL;
    if (!name || !path)
        errno = ENOMEM;
    else
        remove_dead(path, base);
    for (int i = 0; name && path && handle < 0 && i < TRIES; ++i) {
        snprintf(name, size, "%.*s%.*s.%016llx%s", (int)base, target, kept_of(target + base), target + base,
                 (unsigned long long)any_number(i), ending);
        handle = open(name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, (mode_t)mode);
        if (handle < 0 && errno != EEXIST)
            break;
        if (handle >= 0 && !keep(handle)) {
            close(handle);
            handle = -1;
            errno = EEXIST;
        }
    }
    free(path);
    if (handle < 0)
        free(name);
    else
        *temporary = name;
    return handle;
}

bool tsr_io_write_(int handle, void const *bytes, uint64_t n)
{
    char const *p = (char const *)bytes;
    while (n > 0) {
        ssize_t const done = write(handle, p, n < 1u << 30 ? (size_t)n : 1u << 30);
        if (done < 0 && tsr_io_goes_on_())
            continue;
        if (done <= 0)
            return false;
        p += done;
        n -= (uint64_t)done;
    }
    return true;
}

/** The user's own folder for compiled kernels.
 *
 *      TESSERA_CACHE   the folder; "" or "off": none
 *      XDG_CACHE_HOME  its folder tessera; a path that is not absolute does not count, as the XDG rules say
 *      HOME            .cache/tessera
 *
 *  Law  the folder is there, belongs to the user who runs the program, nobody else may write to it, and it can be
 *       written to. Else there is none, and nothing fails. A program that runs with another user's rights has none.
 */
#define _POSIX_C_SOURCE 200809L

#include "gpu/store.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/** A path in one of the environment's, made if it is not there. */
static bool enter(gpu_text *path, char const *inner)
{
    struct stat s;
    tsr_gpu_put_string_(path, inner);
    return !path->full && (mkdir(path->data, 0700) == 0 || (stat(path->data, &s) == 0 && S_ISDIR(s.st_mode)));
}

static bool is_own(char const *path)
{
    struct stat s;
    return stat(path, &s) == 0 && S_ISDIR(s.st_mode) && s.st_uid == geteuid()
           && (s.st_mode & (S_IWGRP | S_IWOTH)) == 0 && access(path, W_OK | X_OK) == 0;
}

bool tsr_gpu_user_folder_(gpu_text *path)
{
    char const *const given = getenv("TESSERA_CACHE"), *const base = getenv("XDG_CACHE_HOME"),
                      *const home = getenv("HOME");
    bool made = false;
    if (getuid() != geteuid() || getgid() != getegid())
        return false;
    if (given) {
        made = given[0] && strcmp(given, "off") != 0 && enter(path, given);
    } else if (base && base[0] == '/') {
        made = enter(path, base) && enter(path, "/tessera");
    } else if (home && home[0] == '/') {
        tsr_gpu_put_string_(path, home);
        made = enter(path, "/.cache") && enter(path, "/tessera");
    }
    return made && is_own(path->data);
}

size_t tsr_gpu_user_folder(char *out, size_t size)
{
    gpu_text path = {0};
    size_t const length = tsr_gpu_user_folder_(&path) ? path.length : 0;
    if (size > 0) {
        size_t const n = length < size ? length : size - 1;
        memcpy(out, n > 0 ? path.data : "", n);
        out[n] = 0;
    }
    tsr_gpu_text_free_(&path);
    return length;
}

/** The user's own folder for compiled kernels.
 *
 *      TESSERA_CACHE   the folder; "" or "off": none
 *      XDG_CACHE_HOME  its folder tessera; a path that is not absolute does not count, as the XDG rules say
 *      HOME            .cache/tessera
 *
 *  Law  the folder is there, belongs to the user who runs the program, nobody else may write to it, it can be written
 *       to, and where its name is a link, this user made the link. Else there is none: kernels stay in memory, and one
 *       sentence says why. A program that runs with another user's rights has none.
 */
#define _XOPEN_SOURCE 700 /* S_ISLNK */

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

/** Why a folder is not used, or NULL. */
static char const *why_not_private(char const *path)
{
    struct stat s;
    if (lstat(path, &s) != 0)
        return "it cannot be entered";
    if (S_ISLNK(s.st_mode) && s.st_uid != geteuid())
        return "it is a link that another user made";
    if (stat(path, &s) != 0 || !S_ISDIR(s.st_mode))
        return "it is not a folder";
    if (s.st_uid != geteuid())
        return "it belongs to another user";
    if (s.st_mode & (S_IWGRP | S_IWOTH))
        return "others may write to it";
    return access(path, W_OK | X_OK) == 0 ? NULL : "it cannot be written to";
}

bool tsr_gpu_user_folder_(gpu_text *path, char const **why)
{
    char const *const given = getenv("TESSERA_CACHE"), *const base = getenv("XDG_CACHE_HOME"),
                      *const home = getenv("HOME");
    bool made = false;
    *why = NULL;
    if (getuid() != geteuid() || getgid() != getegid()) {
        *why = "the program has the rights of another user";
        return false;
    }
    if (given) {
        if (!given[0] || strcmp(given, "off") == 0)
            return false;
        made = enter(path, given);
    } else if (base && base[0] == '/') {
        made = enter(path, base) && enter(path, "/tessera");
    } else if (home && home[0] == '/') {
        tsr_gpu_put_string_(path, home);
        made = enter(path, "/.cache") && enter(path, "/tessera");
    }
    *why = made ? why_not_private(path->data) : "it cannot be made";
    return !*why;
}

size_t tsr_gpu_user_folder(char *out, size_t size)
{
    gpu_text path = {0};
    char const *why = NULL;
    size_t const length = tsr_gpu_user_folder_(&path, &why) ? path.length : 0;
    if (size > 0) {
        size_t const n = length < size ? length : size - 1;
        memcpy(out, n > 0 ? path.data : "", n);
        out[n] = 0;
    }
    tsr_gpu_text_free_(&path);
    return length;
}

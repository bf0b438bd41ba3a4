/** Files out: written beside the target, which they replace in one step when they are whole and on the disk.
 *
 *  Law  whatever ends the program, the target is the file that it was or the whole new one. What is no regular file
 *       cannot be replaced so: it is written to as it comes, and never removed.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#define _FILE_OFFSET_BITS 64

#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/** Opens what exists and is no regular file. Asked again, for it may be another one by now. */
static bool open_stream(char const *path, tsr_output *o, tsr_message *error)
{
    struct stat status;
    o->target = strdup(path);
    if (!o->target)
        return tsr_io_fail_(error, "out of memory");
    do
        o->handle = open(path, O_WRONLY | O_NOCTTY | O_CLOEXEC);
    while (o->handle < 0 && tsr_io_goes_on_());
    if (o->handle < 0)
        return tsr_io_fail_(error, "cannot be opened: %s", strerror(errno));
    if (fstat(o->handle, &status) != 0 || S_ISREG(status.st_mode))
        return tsr_io_fail_(error, "became a regular file while it was opened");
    return true;
}

/** The words of a call that failed, as errno says. */
static bool fail_by_code(tsr_message *error, char const *words)
{
    return errno == ENOMEM ? tsr_io_fail_(error, "out of memory")
                           : tsr_io_fail_(error, "%s: %s", words, strerror(errno));
}

/** A new file is made with the permissions that the user gives new files; one that replaces another is private until
 *  it has those of the other. */
static bool open_file(char const *path, bool exists, tsr_output *o, tsr_message *error)
{
    o->target = exists ? realpath(path, NULL) : strdup(path);
    if (!o->target)
        return fail_by_code(error, "its place is not found");
    o->handle = tsr_io_open_beside_(o->target, exists ? 0600 : 0666, &o->temporary);
    return o->handle >= 0 || fail_by_code(error, "no file can be made beside it");
}

/** A link is followed; one that leads nowhere, or to itself, is no target. */
static bool open_target(char const *path, tsr_output *o, tsr_message *error)
{
    struct stat status;
    bool const exists = stat(path, &status) == 0;
    int const code = errno;
    if (!exists && code != ENOENT)
        return tsr_io_fail_(error, "%s: %s", code == ELOOP ? "is a link that leads to itself" : "cannot be examined",
                            strerror(code));
    if (!exists && lstat(path, &status) == 0)
        return tsr_io_fail_(error, "is a link to a file that does not exist");
    if (!*path)
        return tsr_io_fail_(error, "a file has a name");
    if (exists && S_ISDIR(status.st_mode))
        return tsr_io_fail_(error, "is a folder");
    if (exists && access(path, W_OK) != 0) /* a rename would not ask */
        return tsr_io_fail_(error, "may not be written to: %s", strerror(errno));
    return exists && !S_ISREG(status.st_mode) ? open_stream(path, o, error) : open_file(path, exists, o, error);
}

bool tsr_output_open(char const *path, tsr_output *output, tsr_message *error)
{
    tsr_output o = {NULL, NULL, -1};
    bool const ok = open_target(path, &o, error);
    if (!ok)
        tsr_output_discard(&o);
    *output = o;
    return ok ? true : tsr_io_fail_at_(error, path);
}

bool tsr_output_write(tsr_output *output, void const *bytes, uint64_t n, tsr_message *error)
{
    if (tsr_io_write_(output->handle, bytes, n))
        return true;
    tsr_io_fail_(error, "cannot be written: %s", strerror(errno));
    return tsr_io_fail_at_(error, output->target);
}

/** The owner, where we may, and the permissions of the file that is replaced. A program that runs as its owner does
 *  not begin to run as another one. */
static bool take_mode(tsr_output const *o)
{
    struct stat old;
    if (stat(o->target, &old) != 0)
        return true;
    mode_t const mode = old.st_mode & (fchown(o->handle, old.st_uid, old.st_gid) == 0 ? 07777 : 01777);
    return fchmod(o->handle, mode) == 0;
}

/** Brings the name of a file to the disk, which is in its folder. Not every file system can; then it follows later. */
static void sync_folder(char *path)
{
    char *const slash = strrchr(path, '/');
    if (slash)
        slash[1] = 0;
    int const handle = open(slash ? path : ".", O_RDONLY | O_CLOEXEC);
    if (handle >= 0) {
        fsync(handle);
        close(handle);
    }
}

bool tsr_output_commit(tsr_output *o, tsr_message *error)
{
    bool ok = true;
    if (fsync(o->handle) != 0 && (o->temporary || (errno != EINVAL && errno != ENOTSUP && errno != EROFS)))
        ok = tsr_io_fail_(error, "cannot be brought to the disk: %s", strerror(errno));
    if (ok && o->temporary && !take_mode(o))
        ok = tsr_io_fail_(error, "its permissions cannot be set: %s", strerror(errno));
    if (ok && o->temporary && rename(o->temporary, o->target) != 0)
        ok = tsr_io_fail_(error, "cannot be replaced: %s", strerror(errno));
    if (ok && o->temporary) {
        free(o->temporary);
        o->temporary = NULL;
        sync_folder(o->target);
    } else if (!ok && o->target) {
        tsr_io_fail_at_(error, o->target);
    }
    tsr_output_discard(o);
    return ok;
}

void tsr_output_discard(tsr_output *o)
{
    if (o->temporary)
        unlink(o->temporary);
    if (o->target && o->handle >= 0) /* {0} is an output that was never opened */
        close(o->handle);
    free(o->temporary);
    free(o->target);
    o->target = o->temporary = NULL;
    o->handle = -1;
}

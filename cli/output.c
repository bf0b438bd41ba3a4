/** Outputs of the commands. */
#define _POSIX_C_SOURCE 200809L /* fdopen, dup */
#define _FILE_OFFSET_BITS 64

#include "output.h"
#include "interrupt.h"
#include "words.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool is_standard_output(char const *path)
{
    struct stat a, b;
    int const flags = fcntl(1, F_GETFL);
    return flags != -1 && (flags & O_ACCMODE) != O_RDONLY && fstat(1, &a) == 0 && stat(path, &b) == 0
           && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool output_begin(options const *o, char const *path, output *out)
{
    tsr_message error;
    memset(out, 0, sizeof *out);
    errno = 0;
    if (!path || strcmp(path, "-") == 0 || is_standard_output(path)) {
        out->file = stdout;
        return true;
    }
    if (!tsr_output_open(path, &out->to, &error)) {
        complain(o, "%s", error.text);
        return false;
    }
    int const copy = fcntl(out->to.handle, F_DUPFD_CLOEXEC, 3);
    out->file = copy >= 0 ? fdopen(copy, "wb") : NULL;
    if (!out->file) {
        complain(o, "%s cannot be written: %s", path, strerror(errno));
        if (copy >= 0)
            close(copy);
        tsr_output_discard(&out->to);
    }
    if (out->file)
        interrupt_removes(out->to.temporary);
    errno = 0;
    return out->file != NULL;
}

bool output_end(options const *o, output *out, bool drawn)
{
    tsr_message error;
    bool const to_stdout = out->file == stdout;
    bool written = fflush(out->file) == 0 && !ferror(out->file);
    int const code = errno;
    char const *const path = to_stdout ? "standard output" : out->to.target;
    if (!to_stdout)
        written = fclose(out->file) == 0 && written;
    if (written && !drawn)
        complain(o, "%s: the picture cannot be drawn%s%s", path, code ? ": " : "", code ? strerror(code) : "");
    else if (!written && !to_stdout) /* of standard output main speaks, once */
        complain(o, "%s: cannot be written%s%s", path, code ? ": " : "", code ? strerror(code) : "");
    bool ok = written && drawn;
    if (ok && !to_stdout && !tsr_output_commit(&out->to, &error)) {
        complain(o, "%s", error.text);
        ok = false;
    }
    if (!ok)
        tsr_output_discard(&out->to);
    if (!to_stdout)
        interrupt_keeps();
    memset(out, 0, sizeof *out);
    return ok;
}

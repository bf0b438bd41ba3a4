/** Binaries in files: FOLDER/HASH.tsr, the hash of the key in hexadecimal digits.
 *
 *      tessera gpu 1
 *      key BYTES .. names BYTES .. kernels BYTES .. cubin BYTES .. hash 8
 *
 *  Law  a binary is given only for a key that is the file's, byte by byte, and only when the hash of all bytes before
 *       it is the one at the end. So another source of the same hash, a file that was cut or changed, and one of
 *       another version are as if there were none.
 *       The hash is no signature: whoever can make a file can make its hash. So a file is read only if this user alone
 *       can have written it.
 *  A file is written under another name, which it keeps until it is whole.
 */
#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "gpu/store.h"
#include "io/output.h"
#include "gpu/call.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/** No kernel is larger with its source and all headers. */
enum { LARGEST = 256 << 20 };

static char const magic[] = "tessera gpu 1\n";

uint64_t tsr_gpu_hash_(void const *data, size_t bytes)
{
    unsigned char const *const p = (unsigned char const *)data;
    uint64_t h = 0xcbf29ce484222325u;
    for (size_t i = 0; i < bytes; ++i)
        h = (h ^ p[i]) * 0x100000001b3u;
    return h;
}

static void put_path(gpu_text *path, char const *folder, gpu_text const *key)
{
    char name[32];
    snprintf(name, sizeof name, "/%016llx.tsr", (unsigned long long)tsr_gpu_hash_(key->data, key->length));
    tsr_gpu_put_string_(path, folder);
    tsr_gpu_put_string_(path, name);
}

/* Reading */

/** A regular file of this user's, that nobody else may write to, of bounded size. No link is followed, and a pipe is
 *  not waited for. */
static int open_own(char const *path, size_t *size)
{
    struct stat s;
    int const handle = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (handle < 0)
        return -1;
    if (fstat(handle, &s) != 0 || !S_ISREG(s.st_mode) || s.st_uid != geteuid() || (s.st_mode & (S_IWGRP | S_IWOTH))
        || s.st_size > LARGEST) {
        close(handle);
        return -1;
    }
    *size = (size_t)s.st_size;
    return handle;
}

static bool read_file(char const *path, gpu_text *bytes)
{
    char part[4096];
    size_t left = 0;
    ssize_t n = 0;
    int const handle = open_own(path, &left);
    if (handle < 0)
        return false;
    while (left > 0 && (n = read(handle, part, left < sizeof part ? left : sizeof part)) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            break;
        tsr_gpu_put_(bytes, part, (size_t)n);
        left -= (size_t)n;
    }
    close(handle);
    return left == 0 && !bytes->full;
}

/** The next field of the file, which must have this name and lie inside. */
static bool next_field(gpu_text const *file, size_t *at, char const *name, char const **data, size_t *bytes)
{
    size_t const left = file->length - *at, name_length = strlen(name);
    char const *const p = file->data + *at;
    char *end = NULL;
    if (left < name_length + 2 || memcmp(p, name, name_length) != 0 || p[name_length] != ' ')
        return false;
    char const *const digits = p + name_length + 1;
    if (*digits < '0' || *digits > '9')
        return false;
    unsigned long long const n = strtoull(digits, &end, 10);
    size_t const before = (size_t)(end - p) + 1;
    if (*end != '\n' || before > left || n >= left - before || end[1 + n] != '\n')
        return false;
    *data = end + 1;
    *bytes = (size_t)n;
    *at += before + (size_t)n + 1;
    return true;
}

static void *copy_of(char const *data, size_t bytes)
{
    char *const copy = (char *)calloc(1, bytes + 1);
    if (copy)
        memcpy(copy, data, bytes);
    return copy;
}

/** How many strings end inside of the bytes. */
static int count_strings(char const *data, size_t bytes)
{
    int count = 0;
    for (size_t i = 0; i < bytes; ++i)
        count += data[i] == 0;
    return count;
}

bool tsr_gpu_store_understand_(gpu_text const *file, gpu_text const *key, tsr_gpu_binary *b)
{
    enum { KEY, NAMES, KERNELS, CUBIN, HASH, FIELDS };
    static char const *const names[FIELDS] = {"key", "names", "kernels", "cubin", "hash"};
    char const *data[FIELDS];
    size_t bytes[FIELDS], at = sizeof magic - 1, hashed = 0;
    int32_t kernels = 0;
    if (file->length < at || memcmp(file->data, magic, at) != 0)
        return false;
    for (int i = 0; i < FIELDS; ++i) {
        hashed = at;
        if (!next_field(file, &at, names[i], &data[i], &bytes[i]))
            return false;
    }
    uint64_t const hash = tsr_gpu_hash_(file->data, hashed);
    if (at != file->length || bytes[HASH] != sizeof hash || memcmp(data[HASH], &hash, sizeof hash) != 0
        || bytes[KERNELS] != sizeof kernels || bytes[KEY] != key->length
        || memcmp(data[KEY], key->data, key->length) != 0)
        return false;
    memcpy(&kernels, data[KERNELS], sizeof kernels);
    if (kernels != count_strings(data[NAMES], bytes[NAMES]))
        return false;
    b->bytes = bytes[CUBIN];
    b->names_bytes = bytes[NAMES];
    b->kernels = kernels;
    b->cubin = copy_of(data[CUBIN], bytes[CUBIN]);
    b->names = (char *)copy_of(data[NAMES], bytes[NAMES]);
    if (!b->cubin || !b->names)
        tsr_gpu_binary_free(b);
    return b->cubin != NULL;
}

bool tsr_gpu_store_read_(char const *folder, gpu_text const *key, tsr_gpu_binary *binary)
{
    gpu_text path = {0}, file = {0};
    memset(binary, 0, sizeof *binary);
    put_path(&path, folder, key);
    bool const found = !path.full && read_file(path.data, &file) && tsr_gpu_store_understand_(&file, key, binary);
    tsr_gpu_text_free_(&path);
    tsr_gpu_text_free_(&file);
    return found;
}

/* Writing */

static tsr_gpu_result file_fault(char const *call)
{
    int const code = errno;
    return tsr_gpu_fail_(TSR_GPU_FILE, call, code, "", strerror(code));
}

/** Writes the bytes to `temporary` and gives it the name of the target: a link of that name is replaced, not followed.
 *  Of a failure nothing is left. */
static tsr_gpu_result write_and_rename(int handle, char const *temporary, char const *target, gpu_text const *bytes)
{
    tsr_gpu_result r = tsr_gpu_fine_();
    if (!tsr_io_write_(handle, bytes->data, bytes->length))
        r = file_fault("write");
    if (tsr_gpu_ok(r) && rename(temporary, target) != 0)
        r = file_fault("rename");
    if (close(handle) != 0 && tsr_gpu_ok(r))
        r = file_fault("close");
    if (!tsr_gpu_ok(r))
        unlink(temporary);
    return r;
}

tsr_gpu_result tsr_gpu_store_write_(char const *folder, gpu_text const *key, tsr_gpu_binary const *b)
{
    gpu_text target = {0}, file = {0};
    char *temporary = NULL;
    int32_t const kernels = b->kernels;
    put_path(&target, folder, key);
    tsr_gpu_put_string_(&file, magic);
    tsr_gpu_put_field_(&file, "key", key->data, key->length);
    tsr_gpu_put_field_(&file, "names", b->names, b->names_bytes);
    tsr_gpu_put_field_(&file, "kernels", &kernels, sizeof kernels);
    tsr_gpu_put_field_(&file, "cubin", b->cubin, b->bytes);
    uint64_t const hash = tsr_gpu_hash_(file.data, file.length);
    tsr_gpu_put_field_(&file, "hash", &hash, sizeof hash);
    tsr_gpu_result r = tsr_gpu_refuse_(TSR_GPU_OUT_OF_MEMORY, (int64_t)file.length, 0, 0);
    if (!target.full && !file.full) {
        errno = EFBIG;
        int const handle = file.length > LARGEST ? -1 : tsr_io_open_beside_(target.data, 0600, &temporary);
        r = handle < 0 ? file_fault("open") : write_and_rename(handle, temporary, target.data, &file);
    }
    free(temporary);
    tsr_gpu_text_free_(&target);
    tsr_gpu_text_free_(&file);
    return r;
}

/** Zip archives in: the record at the end says where the directory is, the directory where the members are.
 *
 *      file       member.. directory [record and locator of zip64] record comment
 *      member     "PK\3\4" .. name extra bytes
 *      directory  "PK\1\2" .. name extra comment, for each member
 *
 *  Law     each number is taken once, from a copy, and checked against the size of the file. So no byte beyond the file
 *          is taken for a member, and no byte twice. Nothing lies between the directory and its record.
 *  Source  PKWARE, APPNOTE.TXT, sections 4.3 and 4.5.3.
 */
#include "io/zip.h"
#include "io/scan.h"

#include <limits.h>
#include <stdlib.h>

enum { RECORD = 22, LOCATOR = 20, RECORD64 = 56, ENTRY = 46, LOCAL = 30, COMMENT = 65535, CHUNK = 1 << 14 };
#define LONGEST_DIRECTORY (1u << 28)

static uint64_t number_of(unsigned char const *p, int bytes)
{
    uint64_t x = 0;
    for (int i = bytes - 1; i >= 0; --i)
        x = x << 8 | p[i];
    return x;
}

static bool fetch(io_source const *source, uint64_t at, void *to, size_t n, char const *what, tsr_message *error)
{
    return tsr_io_peek_(source, at, to, n)
               ? true
               : tsr_io_fail_(error, "%s, %zu bytes at byte %llu, cannot be read", what, n, (unsigned long long)at);
}

/** Where the directory is. */
typedef struct directory {
    uint64_t begin, bytes, count;
} directory;

/** Whether it ends where a record begins, and what is on other disks. */
static bool check_directory(directory const *d, uint64_t record, bool one_disk, tsr_message *error)
{
    if (!one_disk)
        return tsr_io_fail_(error, "the archive has several disks");
    if (d->begin > record || d->bytes != record - d->begin)
        return tsr_io_fail_(error, "the directory is to have %llu bytes from byte %llu on, but ends at byte %llu",
                            (unsigned long long)d->bytes, (unsigned long long)d->begin, (unsigned long long)record);
    if (d->bytes > LONGEST_DIRECTORY)
        return tsr_io_fail_(error, "the directory has %llu bytes, at most %u are read", (unsigned long long)d->bytes,
                            LONGEST_DIRECTORY);
    if (d->count > d->bytes / ENTRY)
        return tsr_io_fail_(error, "the directory announces %llu members, there is room for %llu",
                            (unsigned long long)d->count, (unsigned long long)(d->bytes / ENTRY));
    return true;
}

/** The record of zip64, which a locator in front of the other one, at `end`, points to. */
static bool read_record64(io_source const *source, uint64_t end, uint64_t at, directory *d, tsr_message *error)
{
    unsigned char p[RECORD64];
    if (end < RECORD64 || at != end - RECORD64)
        return tsr_io_fail_(error, "the record of zip64 is to be at byte %llu, its locator is at byte %llu",
                            (unsigned long long)at, (unsigned long long)end);
    if (!fetch(source, at, p, RECORD64, "the record of zip64", error))
        return false;
    if (memcmp(p, "PK\6\6", 4) != 0)
        return tsr_io_fail_(error, "byte %llu begins no record of zip64", (unsigned long long)at);
    *d = (directory){number_of(p + 48, 8), number_of(p + 40, 8), number_of(p + 32, 8)};
    return check_directory(d, at, number_of(p + 16, 8) == 0 && number_of(p + 24, 8) == d->count, error);
}

/** The record at the end, in a copy of the last bytes: its comment reaches to the last byte. NULL: there is none. */
static unsigned char const *find_record(unsigned char const *tail, size_t n)
{
    for (size_t i = n < RECORD ? 0 : n - RECORD + 1; i-- > 0;)
        if (memcmp(tail + i, "PK\5\6", 4) == 0 && number_of(tail + i + 20, 2) == n - RECORD - i)
            return tail + i;
    return NULL;
}

static bool find_directory(io_source const *source, directory *d, tsr_message *error)
{
    unsigned char locator[LOCATOR] = {0};
    size_t const n = source->size < RECORD + COMMENT ? (size_t)source->size : RECORD + COMMENT;
    unsigned char *const tail = (unsigned char *)malloc(n + 1);
    if (!tail)
        return tsr_io_fail_(error, "out of memory: %zu bytes", n);
    bool ok = fetch(source, source->size - n, tail, n, "the end of the archive", error);
    unsigned char const *const p = ok ? find_record(tail, n) : NULL;
    if (ok && !p)
        ok = tsr_io_fail_(error, "this is not a zip archive: it has no record of its directory");
    if (ok) {
        uint64_t const at = source->size - n + (uint64_t)(p - tail);
        bool const located = at >= LOCATOR && tsr_io_peek_(source, at - LOCATOR, locator, LOCATOR)
                             && memcmp(locator, "PK\6\7", 4) == 0;
        *d = (directory){number_of(p + 16, 4), number_of(p + 12, 4), number_of(p + 10, 2)};
        ok = located ? read_record64(source, at - LOCATOR, number_of(locator + 8, 8), d, error)
                     : check_directory(d, at, number_of(p + 4, 4) == 0 && number_of(p + 8, 2) == d->count, error);
    }
    free(tail);
    return ok;
}

/** The numbers of an entry that did not fit in 32 bits are in its field of zip64, in this order. */
static bool take_wide(unsigned char const *extra, uint64_t n, uint64_t *const number[3])
{
    uint64_t at = 0;
    while (n - at >= 4) {
        uint64_t const id = number_of(extra + at, 2), length = number_of(extra + at + 2, 2);
        at += 4;
        if (length > n - at)
            return false;
        uint64_t const end = at + length;
        for (int i = 0; id == 1 && i < 3; ++i) {
            if (*number[i] != 0xffffffffu)
                continue;
            if (end - at < 8)
                return false;
            *number[i] = number_of(extra + at, 8);
            at += 8;
        }
        at = end;
        if (id == 1)
            return true;
    }
    return true;
}

static char const *method_of(uint64_t method)
{
    return method == 12   ? "bzip2"
           : method == 14 ? "LZMA"
           : method == 93 ? "Zstandard"
           : method == 99 ? "AES"
                          : "unknown";
}

/** One entry of the directory; the member's bytes are not found yet. */
static bool read_entry(unsigned char const *p, uint64_t left, char **pool, zip_member *m, uint64_t *bytes,
                       tsr_message *error)
{
    if (left < ENTRY || memcmp(p, "PK\1\2", 4) != 0)
        return tsr_io_fail_(error, "the directory ends early, or an entry does not begin with PK\\1\\2");
    uint64_t const flags = number_of(p + 8, 2), method = number_of(p + 10, 2), name = number_of(p + 28, 2);
    uint64_t const extra = number_of(p + 30, 2);
    *bytes = ENTRY + name + extra + number_of(p + 32, 2);
    if (*bytes > left)
        return tsr_io_fail_(error, "an entry of %llu bytes reaches beyond the directory", (unsigned long long)*bytes);
    if (!tsr_is_utf8_((char const *)p + ENTRY, (size_t)name))
        return tsr_io_fail_(error, "the name of a member is not UTF-8");
    memcpy(*pool, p + ENTRY, (size_t)name);
    (*pool)[name] = 0;
    m->name = *pool;
    *pool += name + 1;
    m->crc = (uint32_t)number_of(p + 16, 4);
    m->packed = number_of(p + 20, 4);
    m->size = number_of(p + 24, 4);
    m->local = number_of(p + 42, 4);
    m->deflated = method == 8;
    if (!take_wide(p + ENTRY + name, extra, (uint64_t *[3]){&m->size, &m->packed, &m->local}))
        return tsr_io_fail_(error, "member \"%.60s\": its extra fields are damaged", m->name);
    if (flags & 0x2041)
        return tsr_io_fail_(error, "member \"%.60s\" is encrypted", m->name);
    if (method != 0 && method != 8)
        return tsr_io_fail_(error,
                            "member \"%.60s\" is packed by the method %llu (%s): stored and deflated ones are read",
                            m->name, (unsigned long long)method, method_of(method));
    if (!m->deflated && m->packed != m->size)
        return tsr_io_fail_(error, "member \"%.60s\" is stored in %llu bytes, and has %llu", m->name,
                            (unsigned long long)m->packed, (unsigned long long)m->size);
    if (m->size / INFLATE_MOST > m->packed)
        return tsr_io_fail_(error, "member \"%.60s\": %llu bytes cannot make %llu", m->name,
                            (unsigned long long)m->packed, (unsigned long long)m->size);
    return true;
}

/** The header in front of a member's bytes, which must agree with the directory, and where they begin. */
static bool find_bytes(io_source const *source, zip_member *m, uint64_t end, tsr_message *error)
{
    unsigned char p[LOCAL];
    if (m->local > end || end - m->local < LOCAL)
        return tsr_io_fail_(error, "member \"%.60s\" is to begin at byte %llu, the members end at byte %llu", m->name,
                            (unsigned long long)m->local, (unsigned long long)end);
    if (!fetch(source, m->local, p, LOCAL, "the header of a member", error))
        return false;
    uint64_t const name = number_of(p + 26, 2), after = LOCAL + name + number_of(p + 28, 2);
    if (memcmp(p, "PK\3\4", 4) != 0 || name != strlen(m->name) || number_of(p + 8, 2) != (m->deflated ? 8u : 0u))
        return tsr_io_fail_(error, "member \"%.60s\": byte %llu begins no header of it", m->name,
                            (unsigned long long)m->local);
    if (after > end - m->local || m->packed > end - m->local - after)
        return tsr_io_fail_(error, "member \"%.60s\" has %llu bytes from byte %llu on, the members end at byte %llu",
                            m->name, (unsigned long long)m->packed, (unsigned long long)(m->local + after),
                            (unsigned long long)end);
    m->begin = m->local + after;
    return true;
}

static int by_place(void const *a, void const *b)
{
    zip_member const *const x = (zip_member const *)a, *const y = (zip_member const *)b;
    return (x->local > y->local) - (x->local < y->local);
}

/** The entries in a copy of the directory. */
static bool read_entries(unsigned char const *p, directory const *d, zip_archive *z, tsr_message *error)
{
    uint64_t at = 0, bytes = 0;
    char *pool = z->names;
    for (; z->count < (int)d->count; ++z->count, at += bytes)
        if (!read_entry(p + at, d->bytes - at, &pool, &z->member[z->count], &bytes, error))
            return false;
    z->rest = pool;
    return at == d->bytes ? true
                          : tsr_io_fail_(error, "%llu bytes of the directory belong to no entry",
                                         (unsigned long long)(d->bytes - at));
}

static bool read_directory(io_source const *source, directory const *d, zip_archive *z, tsr_message *error)
{
    unsigned char *const copy = (unsigned char *)malloc((size_t)d->bytes + 1);
    z->names = (char *)malloc((size_t)d->bytes + 1); /* an entry has 46 bytes beside its name */
    z->member = (zip_member *)calloc((size_t)d->count + 1, sizeof *z->member);
    bool ok = copy && z->names && z->member;
    if (!ok)
        (void)tsr_io_fail_(error, "out of memory for %llu members", (unsigned long long)d->count);
    ok = ok && fetch(source, d->begin, copy, (size_t)d->bytes, "the directory", error)
         && read_entries(copy, d, z, error);
    free(copy);
    if (ok && z->count > 0)
        qsort(z->member, (size_t)z->count, sizeof *z->member, by_place);
    for (int i = 0; ok && i < z->count; ++i)
        ok = find_bytes(source, &z->member[i], d->begin, error);
    for (int i = 1; ok && i < z->count; ++i) {
        zip_member const *const a = &z->member[i - 1], *const b = &z->member[i];
        if (a->begin + a->packed > b->local)
            ok = tsr_io_fail_(
                error, "member \"%.60s\" begins at byte %llu, inside \"%.60s\", which ends at byte %llu", b->name,
                (unsigned long long)b->local, a->name, (unsigned long long)(a->begin + a->packed));
    }
    return ok;
}

bool tsr_io_zip_open_(io_source const *source, zip_archive *z, tsr_message *error)
{
    directory d = {0, 0, 0};
    memset(z, 0, sizeof *z);
    if (source->size == IO_UNKNOWN)
        return tsr_io_fail_(error, "the directory of a zip archive is at its end, which a stream does not show");
    bool const ok = find_directory(source, &d, error) && read_directory(source, &d, z, error);
    if (!ok)
        tsr_io_zip_close_(z);
    return ok;
}

void tsr_io_zip_close_(zip_archive *z)
{
    free(z->member);
    free(z->names);
    memset(z, 0, sizeof *z);
}

/** The bytes of a stored member, in chunks, and their sum. */
static bool read_stored(io_source const *source, zip_member const *m, crc_table const *table, unsigned char *out,
                        uint32_t *crc, tsr_message *error)
{
    unsigned char chunk[CHUNK];
    for (uint64_t at = 0; at < m->size; at += CHUNK) {
        size_t const n = m->size - at < CHUNK ? (size_t)(m->size - at) : CHUNK;
        unsigned char *const to = out ? out + at : chunk;
        if (!fetch(source, m->begin + at, to, n, m->name, error))
            return false;
        *crc = tsr_io_crc_(table, *crc, to, n);
    }
    return true;
}

bool tsr_io_zip_read_(io_source const *source, zip_member const *m, crc_table const *table, unsigned char *out,
                      tsr_message *error)
{
    uint32_t crc = 0;
    if (m->deflated) {
        if (!tsr_io_inflate_(source, m->begin, m->packed, out, m->size, error)) {
            tsr_message const words = error ? *error : (tsr_message){0, ""};
            return tsr_io_fail_(error, "member \"%.60s\": %.600s", m->name, words.text);
        }
        crc = tsr_io_crc_(table, 0, out, (size_t)m->size);
    } else if (!read_stored(source, m, table, out, &crc, error)) {
        return false;
    }
    return crc == m->crc
               ? true
               : tsr_io_fail_(error, "member \"%.60s\" has the sum %08x, its directory says %08x: it is damaged",
                              m->name, (unsigned)crc, (unsigned)m->crc);
}

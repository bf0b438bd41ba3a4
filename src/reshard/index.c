/** model.safetensors.index.json: which file has which tensor. */
#include <stdlib.h>
#include <string.h>

#include "io/scan.h"
#include "reshard/reshard.h"

/** A value that is not looked at. */
static bool skip_value(scan *s, char **pool, int depth)
{
    char const c = scan_next(s);
    char const *text = NULL;
    if (c == '"')
        return tsr_header_string_(s, pool, &text, "a string");
    if (c == '{' || c == '[') {
        char const *const end = c == '{' ? "}" : "]";
        ++s->p;
        if (depth == 0)
            return scan_fail(s, "the values are nested more than 16 deep");
        if (scan_take(s, end))
            return true;
        do {
            if (c == '{' && (!tsr_header_string_(s, pool, &text, "a name") || !scan_expect(s, ":")))
                return false;
            if (!skip_value(s, pool, depth - 1))
                return false;
        } while (scan_take(s, ","));
        return scan_expect(s, end);
    }
    char const *const begin = s->p;
    scan_until(s, ",]} \t\r\n");
    return s->p > begin || scan_fail(s, "character %zu is no value of JSON", scan_at(s));
}

/** The pairs of weight_map. */
static bool read_map(scan *s, char **pool, bool (*see)(void *, char const *, char const *), void *context)
{
    char const *tensor = NULL, *file = NULL;
    if (!scan_expect(s, "{"))
        return false;
    if (scan_take(s, "}"))
        return true;
    do {
        if (!tsr_header_string_(s, pool, &tensor, "the name of a tensor") || !scan_expect(s, ":")
            || !tsr_header_string_(s, pool, &file, "the name of a file"))
            return false;
        if (strchr(file, '/'))
            return scan_fail(s, "%.200s is the name of a file in another folder", file);
        if (!see(context, tensor, file))
            return s->failed = true, false;
    } while (scan_take(s, ","));
    return scan_expect(s, "}");
}

static bool read_index(scan *s, char *pool, bool (*see)(void *, char const *, char const *), void *context)
{
    char const *key = NULL;
    bool found = false;
    if (!scan_expect(s, "{"))
        return false;
    do {
        if (!tsr_header_string_(s, &pool, &key, "a name") || !scan_expect(s, ":"))
            return false;
        bool const map = strcmp(key, "weight_map") == 0;
        found = found || map;
        if (!(map ? read_map(s, &pool, see, context) : skip_value(s, &pool, 16)))
            return false;
    } while (scan_take(s, ","));
    return scan_expect(s, "}") && (found || scan_fail(s, "there is no weight_map"));
}

bool tsr_reshard_index_read_(char const *path, bool (*see)(void *context, char const *tensor, char const *file),
                             void *context, tsr_message *error)
{
    io_source source;
    tsr_bytes bytes;
    if (!tsr_io_open_(path, &source, error))
        return false;
    bool ok = source.size != IO_UNKNOWN ? tsr_io_take_(&source, source.size, false, &bytes, error)
                                        : tsr_io_fail_(error, "is empty, or no file");
    tsr_io_source_close_(&source);
    if (!ok)
        return tsr_io_fail_at_(error, path);
    char *const pool = (char *)malloc((size_t)bytes.size + 1);
    scan s = tsr_scan_open_((char const *)bytes.data, (size_t)bytes.size, error);
    ok = pool ? read_index(&s, pool, see, context) : tsr_io_fail_(error, "out of memory");
    free(pool);
    tsr_io_close_(&bytes);
    return ok || tsr_io_fail_at_(error, path);
}

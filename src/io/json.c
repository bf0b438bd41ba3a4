#include "json.h"

char json_peek(json *j)
{
    while (j->at < j->size && j->text[j->at] && strchr(" \t\r\n", j->text[j->at]))
        ++j->at;
    return j->at < j->size ? j->text[j->at] : 0;
}

bool json_take(json *j, char c)
{
    if (json_peek(j) != c || j->at >= j->size)
        return false;
    ++j->at;
    return true;
}

bool json_expect(json *j, char c, char const *where)
{
    if (json_take(j, c))
        return true;
    if (j->at >= j->size)
        return io_fail(j->error, "the header ends where a '%c' %s is expected", c, where);
    return io_fail(j->error, "character %zu of the header is not the '%c' %s", j->at, c, where);
}

/** Four hexadecimal digits. */
static bool read_hex(json *j, unsigned *out)
{
    *out = 0;
    for (int i = 0; i < 4; ++i, ++j->at) {
        char const c = j->at < j->size ? j->text[j->at] : 0;
        int const digit = c >= '0' && c <= '9' ? c - '0'
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
        if (digit < 0)
            return io_fail(j->error, "character %zu of the header is no hexadecimal digit", j->at);
        *out = *out * 16 + (unsigned)digit;
    }
    return true;
}

static void put_utf8(json *j, unsigned c)
{
    static unsigned char const lead[] = {0, 0xc0, 0xe0, 0xf0};
    int const more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    j->pool[j->used++] = (char)(lead[more] | c >> 6 * more);
    for (int i = more - 1; i >= 0; --i)
        j->pool[j->used++] = (char)(0x80 | (c >> 6 * i & 0x3f));
}

/** What follows a backslash. */
static bool read_escape(json *j)
{
    static char const names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char const c = j->at < j->size ? j->text[j->at++] : 0;
    char const *const known = c ? strchr(names, c) : NULL;
    unsigned code = 0, low = 0;
    if (known) {
        j->pool[j->used++] = values[known - names];
        return true;
    }
    if (c != 'u')
        return io_fail(j->error, "character %zu of the header is no escape", j->at - 1);
    if (!read_hex(j, &code))
        return false;
    if (code >= 0xd800 && code < 0xdc00) { /* the first half of a pair */
        if (j->size - j->at < 2 || memcmp(j->text + j->at, "\\u", 2) != 0)
            return io_fail(j->error, "half a surrogate pair before character %zu of the header", j->at);
        j->at += 2;
        if (!read_hex(j, &low))
            return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    if ((low == 0 && code >= 0xd800 && code < 0xe000) || (low != 0 && (low < 0xdc00 || low >= 0xe000)))
        return io_fail(j->error, "half a surrogate pair before character %zu of the header", j->at);
    if (code == 0)
        return io_fail(j->error, "a string has a zero character (before character %zu of the header)", j->at);
    put_utf8(j, code);
    return true;
}

/** One character of more than a byte: well-formed, shortest form, no surrogate. */
static bool read_utf8(json *j)
{
    unsigned char const *const p = (unsigned char const *)j->text + j->at;
    size_t const left = j->size - j->at, n = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    static unsigned const least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned code = p[0] & (0x7fu >> n);
    bool ok = p[0] >= 0xc2 && p[0] <= 0xf4 && n <= left;
    for (size_t i = 1; ok && i < n; ++i) {
        ok = (p[i] & 0xc0) == 0x80;
        code = code << 6 | (p[i] & 0x3fu);
    }
    if (!ok || code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return io_fail(j->error, "byte %zu of the header is not UTF-8", j->at);
    memcpy(j->pool + j->used, p, n);
    j->used += n;
    j->at += n;
    return true;
}

bool json_string(json *j, char const **out, char const *what)
{
    if (json_peek(j) != '"')
        return io_fail(j->error, "character %zu of the header does not begin %s, which is a string", j->at, what);
    size_t const begin = j->at++;
    *out = j->pool + j->used;
    for (;;) {
        if (j->at >= j->size)
            return io_fail(j->error, "the string at character %zu of the header has no end", begin);
        unsigned char const c = (unsigned char)j->text[j->at];
        if (c == '"')
            break;
        if (c < 0x20)
            return io_fail(j->error, "character %zu of the header, in a string, is a control character", j->at);
        if (c >= 0x80) {
            if (!read_utf8(j))
                return false;
            continue;
        }
        ++j->at;
        if (c != '\\')
            j->pool[j->used++] = (char)c;
        else if (!read_escape(j))
            return false;
    }
    ++j->at;
    j->pool[j->used++] = 0;
    return true;
}

bool json_integer(json *j, int64_t *out, char const *what)
{
    char const first = json_peek(j);
    size_t const begin = j->at;
    int64_t n = 0;
    if (first == '-')
        return io_fail(j->error, "%s at character %zu of the header is negative", what, begin);
    if (first < '0' || first > '9')
        return io_fail(j->error, "%s at character %zu of the header is not an integer", what, begin);
    for (; j->at < j->size && j->text[j->at] >= '0' && j->text[j->at] <= '9'; ++j->at)
        if (!tsr_mul64(n, 10, &n) || !tsr_add64(n, j->text[j->at] - '0', &n))
            return io_fail(j->error, "%s at character %zu of the header does not fit in 64 bits", what, begin);
    if (first == '0' && j->at - begin > 1)
        return io_fail(j->error, "%s at character %zu of the header begins with a zero", what, begin);
    if (j->at < j->size && j->text[j->at] && strchr(".eE", j->text[j->at]))
        return io_fail(j->error, "%s at character %zu of the header is not an integer", what, begin);
    *out = n;
    return true;
}

/** The strings of JSON (RFC 8259, section 7): escapes, and UTF-8 that is well-formed. */
#include "io/scan.h"
#include "text/utf8.h"

/** Four hexadecimal digits. */
static bool read_hex(scan *s, unsigned *out)
{
    *out = 0;
    for (int i = 0; i < 4; ++i, ++s->at) {
        char const c = s->at < s->size ? s->text[s->at] : 0;
        int const digit = c >= '0' && c <= '9'   ? c - '0'
                          : c >= 'a' && c <= 'f' ? c - 'a' + 10
                          : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                                 : -1;
        if (digit < 0)
            return tsr_io_fail_(s->error, "character %zu of the header is not a hexadecimal digit", s->at);
        *out = *out * 16 + (unsigned)digit;
    }
    return true;
}

static void put_utf8(scan *s, unsigned c)
{
    static unsigned char const lead[] = {0, 0xc0, 0xe0, 0xf0};
    int const more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    *s->pool++ = (char)(lead[more] | c >> 6 * more);
    for (int i = more - 1; i >= 0; --i)
        *s->pool++ = (char)(0x80 | (c >> 6 * i & 0x3f));
}

/** What follows a backslash. */
static bool read_escape(scan *s)
{
    static char const names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char const c = s->at < s->size ? s->text[s->at++] : 0;
    char const *const known = c ? strchr(names, c) : NULL;
    unsigned code = 0, low = 0;
    if (known) {
        *s->pool++ = values[known - names];
        return true;
    }
    if (c != 'u')
        return tsr_io_fail_(s->error, "character %zu of the header is not an escape", s->at - 1);
    if (!read_hex(s, &code))
        return false;
    if (code >= 0xd800 && code < 0xdc00) { /* the first half of a pair */
        if (s->size - s->at < 2 || memcmp(s->text + s->at, "\\u", 2) != 0)
            return tsr_io_fail_(s->error, "half a surrogate pair before character %zu of the header", s->at);
        s->at += 2;
        if (!read_hex(s, &low))
            return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    if ((low == 0 && code >= 0xd800 && code < 0xe000) || (low != 0 && (low < 0xdc00 || low >= 0xe000)))
        return tsr_io_fail_(s->error, "half a surrogate pair before character %zu of the header", s->at);
    if (code == 0)
        return tsr_io_fail_(s->error, "a string has a zero character (before character %zu of the header)", s->at);
    put_utf8(s, code);
    return true;
}

/** One character of more than a byte. */
static bool read_utf8(scan *s)
{
    uint32_t code = 0;
    size_t const n = tsr_utf8_read_(s->text + s->at, s->size - s->at, &code);
    if (n == 0)
        return tsr_io_fail_(s->error, "byte %zu of the header is not UTF-8", s->at);
    memcpy(s->pool, s->text + s->at, n);
    s->pool += n;
    s->at += n;
    return true;
}

bool tsr_scan_is_utf8_(char const *text, size_t n)
{
    uint32_t code = 0;
    size_t read = 1;
    for (size_t i = 0; i < n && read > 0; i += read)
        read = text[i] ? tsr_utf8_read_(text + i, n - i, &code) : 0;
    return read > 0;
}

bool tsr_scan_json_string_(scan *s, char const **out, char const *what)
{
    if (tsr_scan_peek_(s) != '"')
        return tsr_io_fail_(s->error, "character %zu of the header does not begin %s, which is a string", s->at,
                            what);
    size_t const begin = s->at++;
    *out = s->pool;
    for (;;) {
        if (s->at >= s->size)
            return tsr_io_fail_(s->error, "the string at character %zu of the header has no end", begin);
        unsigned char const c = (unsigned char)s->text[s->at];
        if (c == '"')
            break;
        if (c < 0x20)
            return tsr_io_fail_(s->error, "character %zu of the header, in a string, is a control character", s->at);
        if (c >= 0x80) {
            if (!read_utf8(s))
                return false;
            continue;
        }
        ++s->at;
        if (c != '\\')
            *s->pool++ = (char)c;
        else if (!read_escape(s))
            return false;
    }
    ++s->at;
    *s->pool++ = 0;
    return true;
}

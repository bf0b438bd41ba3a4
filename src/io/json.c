/** The strings of JSON (RFC 8259, section 7): escapes, and UTF-8 that is well-formed. */
#include "io/scan.h"
#include "text/utf8.h"

/** Four hexadecimal digits. */
static bool read_hex(scan *s, unsigned *out)
{
    *out = 0;
    for (int i = 0; i < 4; ++i, ++s->p) {
        static char const digits[] = "0123456789abcdefABCDEF";
        if (!scan_is(s, digits))
            return scan_fail(s, "character %zu of the header is not a hexadecimal digit", scan_at(s));
        int const digit = (int)(strchr(digits, *s->p) - digits);
        *out = *out * 16 + (unsigned)(digit < 16 ? digit : digit - 6);
    }
    return true;
}

static void put_utf8(char **pool, unsigned c)
{
    static unsigned char const lead[] = {0, 0xc0, 0xe0, 0xf0};
    int const more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    *(*pool)++ = (char)(lead[more] | c >> 6 * more);
    for (int i = more - 1; i >= 0; --i)
        *(*pool)++ = (char)(0x80 | (c >> 6 * i & 0x3f));
}

/** What follows a backslash. */
static bool read_escape(scan *s, char **pool)
{
    static char const names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char const c = scan_char(s, 0);
    char const *const known = c ? strchr(names, c) : NULL;
    unsigned code = 0, low = 0;
    s->p += s->p < s->end;
    if (known) {
        *(*pool)++ = values[known - names];
        return true;
    }
    if (c != 'u')
        return scan_fail(s, "character %zu of the header is not an escape", scan_at(s) - 1);
    if (!read_hex(s, &code))
        return false;
    if (code >= 0xd800 && code < 0xdc00) { /* the first half of a pair */
        if (!scan_take_here(s, "\\u"))
            return scan_fail(s, "half a surrogate pair before character %zu of the header", scan_at(s));
        if (!read_hex(s, &low))
            return false;
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
    }
    if ((low == 0 && code >= 0xd800 && code < 0xe000) || (low != 0 && (low < 0xdc00 || low >= 0xe000)))
        return scan_fail(s, "half a surrogate pair before character %zu of the header", scan_at(s));
    if (code == 0)
        return scan_fail(s, "a string has a zero character (before character %zu of the header)", scan_at(s));
    put_utf8(pool, code);
    return true;
}

/** One character of more than a byte. */
static bool read_utf8(scan *s, char **pool)
{
    uint32_t code = 0;
    size_t const n = tsr_utf8_read_(s->p, (size_t)(s->end - s->p), &code);
    if (n == 0)
        return scan_fail(s, "byte %zu of the header is not UTF-8", scan_at(s));
    memcpy(*pool, s->p, n);
    *pool += n;
    s->p += n;
    return true;
}

bool tsr_is_utf8_(char const *text, size_t n)
{
    uint32_t code = 0;
    size_t read = 1;
    for (size_t i = 0; i < n && read > 0; i += read)
        read = text[i] ? tsr_utf8_read_(text + i, n - i, &code) : 0;
    return read > 0;
}

bool tsr_header_string_(scan *s, char **pool, char const **out, char const *what)
{
    if (scan_next(s) != '"')
        return scan_fail(s, "character %zu of the header does not begin %s, which is a string", scan_at(s), what);
    char const *const begin = s->p++;
    *out = *pool;
    for (;;) {
        if (s->p == s->end)
            return scan_fail(s, "the string at character %zu of the header has no end", (size_t)(begin - s->text));
        unsigned char const c = (unsigned char)*s->p;
        if (c == '"')
            break;
        if (c < 0x20)
            return scan_fail(s, "character %zu of the header, in a string, is a control character", scan_at(s));
        if (c >= 0x80) {
            if (!read_utf8(s, pool))
                return false;
            continue;
        }
        ++s->p;
        if (c != '\\')
            *(*pool)++ = (char)c;
        else if (!read_escape(s, pool))
            return false;
    }
    ++s->p;
    *(*pool)++ = 0;
    return true;
}

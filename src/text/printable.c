/** Texts of others, as they may be printed. */
#include "tessera/text.h"
#include "text/utf8.h"

#include <string.h>

size_t tsr_utf8_read_(char const *text, size_t n, uint32_t *code)
{
    static uint32_t const least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char const *const p = (unsigned char const *)text;
    if (n == 0)
        return 0;
    *code = p[0];
    if (p[0] < 0x80)
        return 1;
    size_t const size = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || size > n)
        return 0;
    *code &= 0x7fu >> size;
    for (size_t i = 1; i < size; ++i) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (p[i] & 0x3fu);
    }
    return *code < least[size] || *code > 0x10ffff || (*code >= 0xd800 && *code < 0xe000) ? 0 : size;
}

/** Whether a character commands a terminal, ends a line, or turns the direction of what follows. */
static bool is_command(uint32_t c)
{
    static uint32_t const ranges[][2] = {{0, 0x1f},        {0x7f, 0x9f},     {0x61c, 0x61c},
                                         {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069}};
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; ++i)
        if (c >= ranges[i][0] && c <= ranges[i][1])
            return true;
    return false;
}

size_t tsr_format_printable(char *out, size_t size, char const *text, size_t n)
{
    char escape[16];
    size_t used = 0, end = 0; /* of all that there is, and of what fits */
    for (size_t i = 0; i < n;) {
        uint32_t code = 0;
        size_t const read = tsr_utf8_read_(text + i, n - i, &code);
        char const *piece = text + i;
        size_t length = read;
        if (read == 0 || is_command(code)) {
            uint32_t const shown = read ? code : (unsigned char)text[i];
            length = (size_t)snprintf(escape, sizeof escape, shown < 0x80 || !read ? "\\x%02x" : "\\u%04x", shown);
            piece = escape;
        }
        if (end == used && used + length < size) {
            memcpy(out + used, piece, length);
            end += length;
        }
        used += length;
        i += read ? read : 1;
    }
    if (size > 0)
        out[end] = 0;
    return used;
}

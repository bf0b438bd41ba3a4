/** Texts of others as they may be printed: every character of Unicode, every byte, and every room. */
#include <stdio.h>
#include <string.h>

#include "tessera/text.h"

static int passed, failed;

static void check(bool ok, char const *what, unsigned long which)
{
    ++*(ok ? &passed : &failed);
    if (!ok)
        printf("failed: %s %lx\n", what, which);
}

static bool shows(char const *text, size_t n, char const *want)
{
    char out[64];
    return tsr_format_printable(out, sizeof out, text, n) == strlen(want) && strcmp(out, want) == 0;
}

static size_t encode(char *out, unsigned long c)
{
    int const more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
    static unsigned const lead[] = {0, 0xc0, 0xe0, 0xf0};
    out[0] = (char)(lead[more] | c >> 6 * more);
    for (int i = 1; i <= more; ++i)
        out[i] = (char)(0x80 | (c >> 6 * (more - i) & 0x3f));
    out[more + 1] = 0;
    return (size_t)more + 1;
}

/** The characters that are not printed, as Unicode names them: Cc, Bidi_Control, Zl and Zp. */
static bool is_hidden(unsigned long c)
{
    return c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x61c || c == 0x200e || c == 0x200f || c == 0x2028
           || c == 0x2029 || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
}

int main(void)
{
    char text[16], want[64];
    for (unsigned long c = 0; c < 0x110000; ++c) {
        size_t const n = encode(text, c);
        snprintf(want, sizeof want, c < 0x80 ? "\\x%02lx" : "\\u%04lx", c);
        if (c >= 0xd800 && c < 0xe000)
            snprintf(want, sizeof want, "\\xed\\x%02x\\x%02x", (unsigned char)text[1], (unsigned char)text[2]);
        else if (!is_hidden(c))
            strcpy(want, text);
        check(shows(text, n, want), "character", c);
    }
    for (unsigned long b = 0x80; b < 0x100; ++b) {
        char const alone[] = {(char)b, 'a', 0};
        snprintf(want, sizeof want, "\\x%02lxa", b);
        check(shows(alone, 2, want), "byte", b);
    }
    check(shows("\xc0\xaf", 2, "\\xc0\\xaf") && shows("\xf4\x90\x80\x80", 4, "\\xf4\\x90\\x80\\x80")
              && shows("a\xe2\x80", 3, "a\\xe2\\x80"),
          "too long, too large, cut", 0);
    for (size_t room = 0; room < 16; ++room) {
        char out[16] = "???????????????";
        char const *const fits = room < 2 ? "" : room < 4 ? "a" : room < 10 ? "a\xc3\xa9" : "a\xc3\xa9\\u009b";
        size_t const full = tsr_format_printable(out, room, "a\xc3\xa9\xc2\x9b", 5);
        check(full == 9 && (room == 0 ? out[0] == '?' : strcmp(out, fits) == 0) && (room > 14 || out[room] == '?'),
              "room", (unsigned long)room);
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

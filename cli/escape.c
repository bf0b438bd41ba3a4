/** Texts of others on a terminal, a piece at a time. */
#include "escape.h"

#include <string.h>

#include "tessera/text.h"

enum { PIECE = 64 };

/** The next piece of a text as it may be printed; false at the end. */
static bool next_piece(char const **text, size_t *left, char shown[4 * PIECE + 1])
{
    size_t n = *left < PIECE ? *left : PIECE;
    for (int i = 0; i < 3 && n < *left && ((*text)[n] & 0xc0) == 0x80; ++i) /* characters stay whole */
        --n;
    tsr_format_printable(shown, 4 * PIECE + 1, *text, n);
    *text += n;
    *left -= n;
    return n > 0;
}

void print_escaped_part(FILE *file, char const *text, size_t n)
{
    for (char shown[4 * PIECE + 1]; next_piece(&text, &n, shown);)
        fputs(shown, file);
}

void print_escaped(FILE *file, char const *text) { print_escaped_part(file, text, strlen(text)); }

int escaped_columns(char const *text, size_t n)
{
    int columns = 0;
    for (char shown[4 * PIECE + 1]; next_piece(&text, &n, shown);)
        for (char const *p = shown; *p; ++p)
            columns += (*p & 0xc0) != 0x80;
    return columns;
}

/** Texts of others on a terminal. */
#include "tame.h"

void put_tame(FILE *file, char const *text)
{
    for (; *text; ++text)
        fputc((unsigned char)*text < ' ' || *text == 127 ? '?' : *text, file);
}

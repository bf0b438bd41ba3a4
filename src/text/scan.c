/** What readers of texts share. */
#include "text/scan.h"

scan tsr_scan_open_(char const *text, size_t n, tsr_message *error)
{
    scan const s = {text, text, text + n, 0, false, error};
    if (error) {
        error->at = 0;
        error->text[0] = 0;
    }
    return s;
}

void tsr_scan_fail_(scan *s, char const *where, char const *format, va_list args)
{
    char words[TSR_TEXT_SIZE];
    if (s->failed)
        return;
    s->failed = true;
    if (!s->error)
        return;
    s->error->at = (size_t)(where - s->text);
    if (!format)
        return;
    vsnprintf(words, sizeof words, format, args);
    tsr_format_printable(s->error->text, sizeof s->error->text, words, strlen(words));
}

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
    vsnprintf(words, sizeof words, format, args);
    tsr_format_printable(s->error->text, sizeof s->error->text, words, strlen(words));
}

tsr_linear tsr_linear_of_numbers_(tsr_linear_side const *in, tsr_linear_side const *out, int bits,
                                  int64_t const (*number)[TSR_LINEAR_DIMS])
{
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    tsr_linear const empty = tsr_make_linear(in, out, basis);
    for (int i = 0; i < bits && !empty.why.status; ++i)
        for (int d = 0, begin = 0; d < out->count; begin += out->bits[d++]) {
            int64_t const x = number[i][d];
            if (x < 0 || x >> out->bits[d] != 0)
                return tsr_bad_linear(tsr_because(TSR_OUTSIDE, d, x, (int64_t)1 << out->bits[d], 0));
            basis[i] |= begin < 64 ? (uint64_t)x << begin : 0;
        }
    return empty.why.status ? empty : tsr_make_linear(in, out, basis);
}

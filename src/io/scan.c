#include "io/scan.h"

char tsr_scan_peek_(scan *s)
{
    while (s->at < s->size && s->text[s->at] && strchr(" \t\r\n", s->text[s->at]))
        ++s->at;
    return s->at < s->size ? s->text[s->at] : 0;
}

bool tsr_scan_take_(scan *s, char c)
{
    if (tsr_scan_peek_(s) != c || s->at >= s->size)
        return false;
    ++s->at;
    return true;
}

bool tsr_scan_expect_(scan *s, char c, char const *where)
{
    if (tsr_scan_take_(s, c))
        return true;
    if (s->at >= s->size)
        return tsr_io_fail_(s->error, "the header ends where a '%c' %s is expected", c, where);
    return tsr_io_fail_(s->error, "character %zu of the header is not the '%c' %s", s->at, c, where);
}

bool tsr_scan_integer_(scan *s, int64_t *out, char const *what)
{
    char const first = tsr_scan_peek_(s);
    size_t const begin = s->at;
    int64_t n = 0;
    if (first == '-')
        return tsr_io_fail_(s->error, "%s at character %zu of the header is negative", what, begin);
    if (first < '0' || first > '9')
        return tsr_io_fail_(s->error, "%s at character %zu of the header is not an integer", what, begin);
    for (; s->at < s->size && s->text[s->at] >= '0' && s->text[s->at] <= '9'; ++s->at)
        if (!tsr_mul64(n, 10, &n) || !tsr_add64(n, s->text[s->at] - '0', &n))
            return tsr_io_fail_(s->error, "%s at character %zu of the header does not fit in 64 bits", what, begin);
    if (first == '0' && s->at - begin > 1)
        return tsr_io_fail_(s->error, "%s at character %zu of the header begins with a zero", what, begin);
    if (s->at < s->size && s->text[s->at] && strchr(".eE", s->text[s->at]))
        return tsr_io_fail_(s->error, "%s at character %zu of the header is not an integer", what, begin);
    *out = n;
    return true;
}

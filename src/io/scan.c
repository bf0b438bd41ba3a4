#include "io/scan.h"

char scan_peek(scan *s)
{
    while (s->at < s->size && s->text[s->at] && strchr(" \t\r\n", s->text[s->at]))
        ++s->at;
    return s->at < s->size ? s->text[s->at] : 0;
}

bool scan_take(scan *s, char c)
{
    if (scan_peek(s) != c || s->at >= s->size)
        return false;
    ++s->at;
    return true;
}

bool scan_expect(scan *s, char c, char const *where)
{
    if (scan_take(s, c))
        return true;
    if (s->at >= s->size)
        return io_fail(s->error, "the header ends where a '%c' %s is expected", c, where);
    return io_fail(s->error, "character %zu of the header is not the '%c' %s", s->at, c, where);
}

bool scan_integer(scan *s, int64_t *out, char const *what)
{
    char const first = scan_peek(s);
    size_t const begin = s->at;
    int64_t n = 0;
    if (first == '-')
        return io_fail(s->error, "%s at character %zu of the header is negative", what, begin);
    if (first < '0' || first > '9')
        return io_fail(s->error, "%s at character %zu of the header is not an integer", what, begin);
    for (; s->at < s->size && s->text[s->at] >= '0' && s->text[s->at] <= '9'; ++s->at)
        if (!tsr_mul64(n, 10, &n) || !tsr_add64(n, s->text[s->at] - '0', &n))
            return io_fail(s->error, "%s at character %zu of the header does not fit in 64 bits", what, begin);
    if (first == '0' && s->at - begin > 1)
        return io_fail(s->error, "%s at character %zu of the header begins with a zero", what, begin);
    if (s->at < s->size && s->text[s->at] && strchr(".eE", s->text[s->at]))
        return io_fail(s->error, "%s at character %zu of the header is not an integer", what, begin);
    *out = n;
    return true;
}

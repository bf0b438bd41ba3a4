#include "io/scan.h"

bool tsr_header_expect_(scan *s, char const *token, char const *where)
{
    if (scan_take(s, token))
        return true;
    if (s->p == s->end)
        return scan_fail(s, "the header ends where a '%s' %s is expected", token, where);
    return scan_fail(s, "character %zu of the header is not the '%s' %s", scan_at(s), token, where);
}

bool tsr_header_integer_(scan *s, int64_t *out, char const *what)
{
    char const first = scan_next(s), *const begin = s->p;
    size_t const at = scan_at(s);
    uint64_t n = 0;
    if (first == '-')
        return scan_fail(s, "%s at character %zu of the header is negative", what, at);
    bool const fits = scan_digits(s, 10, &n) && n <= TSR_INT_MAX;
    if (s->p == begin || scan_is(s, ".eE"))
        return scan_fail_at(s, begin, "%s at character %zu of the header is not an integer", what, at);
    if (!fits)
        return scan_fail_at(s, begin, "%s at character %zu of the header does not fit in 64 bits", what, at);
    if (first == '0' && s->p - begin > 1)
        return scan_fail_at(s, begin, "%s at character %zu of the header begins with a zero", what, at);
    *out = (int64_t)n;
    return true;
}

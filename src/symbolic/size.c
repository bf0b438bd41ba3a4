/** Products of quotients, and the guards that make one divide another. */
#include "symbolic/size.h"

#include <stdarg.h>
#include <string.h>

void tsr_size_fail_(sizes *s, char const *format, ...)
{
    va_list args;
    if (size_over_(s))
        return;
    s->failed = true;
    va_start(args, format);
    vsnprintf(s->error->text, sizeof s->error->text, format, args);
    va_end(args);
}

int tsr_size_name_(sizes *s, char const *name, size_t n)
{
    for (int i = 0; i < s->names; ++i)
        if (strlen(s->name[i]) == n && strncmp(s->name[i], name, n) == 0)
            return i;
    if (s->names == TSR_SYMBOLS || n >= SIZE_NAME) {
        tsr_size_fail_(s, "at most %d names, of at most %d characters", TSR_SYMBOLS, SIZE_NAME - 1);
        return -1;
    }
    snprintf(s->name[s->names], SIZE_NAME, "%.*s", (int)n, name);
    s->divisor[s->names] = tsr_product_of_(1);
    return s->names++;
}

product tsr_product_of_(int64_t c)
{
    product r = {c, {0}};
    return r;
}

product tsr_product_of_name_(sizes const *s, int name)
{
    product r = s->divisor[name];
    ++r.power[name];
    return r;
}

/** The least integer has no negative, so it counts as out of range. */
static bool in_range(sizes *s, bool fits, int64_t c, int64_t of)
{
    if (!fits || c == INT64_MIN)
        tsr_size_fail_(s, "arithmetic on %lld leaves the range of 64-bit integers", (long long)of);
    return fits && c != INT64_MIN;
}

product tsr_product_mul_(sizes *s, product a, product b)
{
    int64_t c = 0;
    if (!in_range(s, tsr_mul64(a.c, b.c, &c), c, a.c))
        c = 1;
    a.c = c;
    for (int i = 0; i < TSR_SYMBOLS; ++i) {
        if (a.power[i] + b.power[i] > 15)
            tsr_size_fail_(s, "%s is to a power over 15", s->name[i]);
        a.power[i] = (uint8_t)(c == 0 ? 0 : (a.power[i] + b.power[i]) & 15);
    }
    return a;
}

static bool same_powers(product const *a, product const *b)
{
    return memcmp(a->power, b->power, sizeof a->power) == 0;
}

bool tsr_product_same_(product const *a, product const *b) { return a->c == b->c && same_powers(a, b); }

bool tsr_product_is_number_(product const *a)
{
    product const one = tsr_product_of_(1);
    return same_powers(a, &one);
}

bool tsr_product_is_(product const *a, int64_t c) { return a->c == c && tsr_product_is_number_(a); }

tsr_leaf tsr_size_leaf_(sizes *s, product a)
{
    int i = 1;
    if (tsr_product_is_number_(&a))
        return tsr_leaf_static(a.c);
    while (i <= s->products && !tsr_product_same_(&s->product[i], &a))
        ++i;
    if (i == SIZE_PRODUCTS) {
        tsr_size_fail_(s, "more than %d sizes are needed", SIZE_PRODUCTS - 1);
        return tsr_leaf_static(1);
    }
    s->product[i] = a;
    s->products += i > s->products;
    return tsr_leaf_dynamic(i);
}

product tsr_size_product_(sizes *s, tsr_leaf a)
{
    if (!tsr_leaf_is_int(a))
        tsr_size_fail_(s, tsr_leaf_is_basis(a) ? "a size is needed here, not a basis element"
                                               : "a size is needed here, not `_` or an order");
    else if (a.kind == TSR_DYNAMIC)
        return s->product[a.value];
    return tsr_product_of_(in_range(s, true, a.value, a.value) ? a.value : 1);
}

bool tsr_product_divides_(product const *a, product const *b)
{
    bool r = a->c != 0 && b->c % a->c == 0;
    for (int i = 0; r && i < TSR_SYMBOLS; ++i)
        r = a->power[i] <= b->power[i];
    return r;
}

product tsr_product_div_(product b, product a)
{
    b.c /= a.c;
    for (int i = 0; i < TSR_SYMBOLS; ++i)
        b.power[i] = (uint8_t)(b.power[i] - a.power[i]);
    return b;
}

/** The greatest product that divides both, for all quotients. */
static product common_part(product const *a, product const *b)
{
    product r = tsr_product_of_(tsr_gcd64(a->c, b->c));
    for (int i = 0; i < TSR_SYMBOLS; ++i)
        r.power[i] = a->power[i] < b->power[i] ? a->power[i] : b->power[i];
    return r;
}

/** The name whose guard makes a divide b, and what it is to be divided by besides; -1 for none, -2 for several. */
static int guard_of(sizes const *s, product a, product b, product *by)
{
    product const part = common_part(&a, &b);
    int found = -1;
    if (a.c <= 0 || b.c <= 0)
        return -1;
    *by = tsr_product_div_(a, part);
    b = tsr_product_div_(b, part);
    for (int i = 0; i < s->names; ++i)
        if (b.power[i] > 0)
            found = found == -1 ? i : -2;
    for (int k = 0; found >= 0 && k < s->names; ++k) /* a name is no multiple of what is a multiple of it */
        if (by->power[k] > 0 && (k == found || s->divisor[k].power[found] > 0))
            return -1;
    return found;
}

bool tsr_size_can_divide_(sizes const *s, product a, product b)
{
    product by;
    return tsr_product_divides_(&a, &b) || guard_of(s, a, b, &by) >= 0;
}

/** Name i is a multiple of `by` more: its quotient q was by * q'. */
static void add_guard(sizes *s, int i, product by)
{
    s->divisor[i] = tsr_product_mul_(s, s->divisor[i], by);
    for (int k = 0; k < s->names; ++k)
        for (int n = s->divisor[k].power[i]; n > 0; --n)
            s->divisor[k] = tsr_product_mul_(s, s->divisor[k], by);
    if (++s->guards > SIZE_GUARDS)
        tsr_size_fail_(s, "more than %d guards are needed", SIZE_GUARDS);
    s->again = !s->failed;
}

/** b is not known to be a multiple of a, and no guard would say so; of `several` names one could. */
static void fail_to_divide(sizes *s, product const *a, product const *b, bool several)
{
    writer w;
    int name = 0;
    s->failed = true;
    writer_open(&w, s->error->text, sizeof s->error->text);
    tsr_product_write_(&w, s, spelling_of_text, *b);
    put(&w, several ? " must be a multiple of " : " is not a multiple of ");
    tsr_product_write_(&w, s, spelling_of_text, *a);
    while (several && b->power[name] <= a->power[name])
        ++name;
    if (!several)
        return;
    put(&w, ": give a guard of one of its factors, as %s %% ", s->name[name]);
    tsr_product_write_(&w, s, spelling_of_text, *a);
    put(&w, " == 0");
}

bool tsr_size_divides_(sizes *s, product a, product b)
{
    product by;
    if (size_over_(s))
        return false;
    if (tsr_product_divides_(&a, &b))
        return true;
    int const i = guard_of(s, a, b, &by);
    if (i >= 0) {
        add_guard(s, i, by);
        return false;
    }
    fail_to_divide(s, &a, &b, i == -2);
    return false;
}

void tsr_symbol_add_(sizes *s, sum *to, product a)
{
    int i = 0;
    while (i < to->terms && !same_powers(&to->term[i], &a))
        ++i;
    if (i == to->terms && i == SIZE_TERMS) {
        tsr_size_fail_(s, "a sum of more than %d terms", SIZE_TERMS);
        return;
    }
    if (i == to->terms) {
        to->term[i] = a;
        ++to->terms;
    } else {
        int64_t c = 0;
        to->term[i].c = in_range(s, tsr_add64(to->term[i].c, a.c, &c), c, a.c) ? c : 0;
    }
    if (to->term[i].c == 0)
        to->term[i] = to->term[--to->terms];
}

/* Numbers */

bool tsr_product_at_(product const *a, int64_t const *quotient, int64_t *r)
{
    bool fits = true;
    *r = a->c;
    for (int i = 0; i < TSR_SYMBOLS; ++i)
        for (int k = 0; k < a->power[i] && fits; ++k)
            fits = tsr_mul64(*r, quotient[i], r);
    return fits;
}

void tsr_size_numbers_(sizes const *s, int64_t const *quotient, int64_t *number)
{
    for (int i = 0; i < s->names; ++i)
        if (!tsr_product_at_(&s->divisor[i], quotient, &number[i]) || !tsr_mul64(number[i], quotient[i], &number[i]))
            number[i] = 0;
}

/** Are the quotients of all names in a divisor known? */
static bool is_known(product const *a, bool const *known)
{
    for (int i = 0; i < TSR_SYMBOLS; ++i)
        if (a->power[i] > 0 && !known[i])
            return false;
    return true;
}

bool tsr_size_quotients_(sizes const *s, int64_t const *number, int64_t least, int64_t *quotient, int *name)
{
    bool known[TSR_SYMBOLS] = {false};
    for (int round = 0; round < s->names; ++round)
        for (int i = 0; i < s->names; ++i) {
            if (known[i] || !is_known(&s->divisor[i], known))
                continue;
            int64_t d = 0;
            *name = i;
            if (!tsr_product_at_(&s->divisor[i], quotient, &d) || d == 0 || number[i] < least || number[i] % d != 0)
                return false;
            quotient[i] = number[i] / d;
            known[i] = true;
        }
    return true;
}

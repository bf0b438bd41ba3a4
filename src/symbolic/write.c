/** The text of products and sums: names, and their exact quotients, as C reads them. */
#include "symbolic/size.h"

enum { MOST_FACTORS = 15 * TSR_SYMBOLS };

/** A name whose quotient is in a, and whose divisor no other such name has; -1: a is a number. */
static int next_name(sizes const *s, product const *a)
{
    for (int i = 0; i < s->names; ++i) {
        bool free = a->power[i] > 0;
        for (int k = 0; free && k < s->names; ++k)
            free = k == i || a->power[k] == 0 || s->divisor[k].power[i] == 0;
        if (free)
            return i;
    }
    return -1;
}

/** Takes a quotient of name i out of a, with as much of its divisor as a has; what is left of the divisor. */
static product take_name(sizes const *s, product *a, int i)
{
    product part = tsr_product_of_(tsr_gcd64(a->c < 0 ? -a->c : a->c, s->divisor[i].c));
    --a->power[i];
    for (int k = 0; k < TSR_SYMBOLS; ++k)
        part.power[k] = a->power[k] < s->divisor[i].power[k] ? a->power[k] : s->divisor[i].power[k];
    *a = tsr_product_div_(*a, part);
    return tsr_product_div_(s->divisor[i], part);
}

typedef struct factor {
    int name;
    product by; /* 1 for the name itself */
} factor;

bool tsr_product_is_plain_(sizes const *s, product a)
{
    int const i = next_name(s, &a);
    product const left = i < 0 ? tsr_product_of_(1) : take_name(s, &a, i);
    return a.c >= 0 && tsr_product_is_(&left, 1) && (i < 0 ? tsr_product_is_number_(&a) : tsr_product_is_(&a, 1));
}

/** In parentheses unless it is one name or one number. */
static void write_divisor(writer *w, sizes const *s, spelling in, product a)
{
    bool const plain = tsr_product_is_plain_(s, a);
    put(w, "%s", plain ? "" : "(");
    tsr_product_write_(w, s, in, a);
    put(w, "%s", plain ? "" : ")");
}

static void write_quotient(writer *w, sizes const *s, spelling in, factor const *f, bool alone)
{
    put(w, "%s%s%s", alone ? "" : "(", s->name[f->name], in.divide);
    write_divisor(w, s, in, f->by);
    put(w, "%s", alone ? "" : ")");
}

void tsr_product_write_(writer *w, sizes const *s, spelling in, product a)
{
    factor factors[MOST_FACTORS];
    int n = 0, written = 0;
    for (int i = next_name(s, &a); i >= 0; i = next_name(s, &a)) {
        factors[n].name = i;
        factors[n++].by = take_name(s, &a, i);
    }
    if (a.c != 1 || n == 0) {
        put(w, a.c == -1 && n > 0 ? "-" : "%lld", (long long)a.c);
        written = a.c == -1 && n > 0 ? 0 : 1;
    }
    for (int whole = 1; whole >= 0; --whole)
        for (int i = 0; i < n; ++i) {
            if (tsr_product_is_(&factors[i].by, 1) != (whole == 1))
                continue;
            put(w, "%s", written++ ? "*" : "");
            if (whole)
                put(w, "%s", s->name[factors[i].name]);
            else
                write_quotient(w, s, in, &factors[i], written == 1);
        }
}

void tsr_sum_write_(writer *w, sizes const *s, sum const *a)
{
    if (a->terms == 0)
        put(w, "0");
    for (int i = 0; i < a->terms; ++i) {
        product t = a->term[i];
        put(w, "%s", i == 0 ? "" : t.c < 0 ? " - " : " + ");
        t.c = i > 0 && t.c < 0 ? -t.c : t.c;
        tsr_product_write_(w, s, spelling_of_text, t);
    }
}

static void write_guard(writer *w, sizes const *s, spelling in, int name)
{
    put(w, "%s %% ", s->name[name]);
    write_divisor(w, s, in, s->divisor[name]);
    put(w, " == 0");
}

/** Are the quotients of all names in a divisor those of guards that are written? */
static bool is_ready(sizes const *s, int name, bool const *done)
{
    for (int k = 0; k < s->names; ++k)
        if (s->divisor[name].power[k] > 0 && !done[k])
            return false;
    return true;
}

/** A guard stands behind those of the names that it divides by, so that it is read as it was meant. */
void tsr_size_write_guards_(writer *w, sizes const *s, spelling in)
{
    bool done[TSR_SYMBOLS] = {false};
    int n = 0;
    for (int round = 0; round < s->names; ++round)
        for (int i = 0; i < s->names; ++i) {
            if (done[i] || !is_ready(s, i, done))
                continue;
            done[i] = true;
            if (tsr_product_is_(&s->divisor[i], 1))
                continue;
            put(w, "%s", n++ ? in.both : "");
            write_guard(w, s, in, i);
        }
    if (n == 0)
        put(w, "1");
}

/** A formula of C over ranges of its variables: i=0..63,j=0..7; and expressions of Python, whose // and % round down.
 *  The text is gone through once for each coordinate. */
#include "convert/scan.h"

#include "fit/fit.h"

/** The values of the variables, and what is skipped: the side of ?:, && or || that C does not evaluate. */
typedef struct formula {
    scan scan;
    bool python;
    int variables, depth, skipped;
    char const (*name)[TSR_LINEAR_NAME];
    int64_t value[TSR_LINEAR_DIMS];
} formula;

/** The operators of two operands, the longer ones first where one begins another, and how tightly they bind in C and in
 *  Python; 0: it has none. */
static struct {
    char const *sign;
    int binds[2];
} const operators[] = {{"||", {1, 0}}, {"&&", {2, 0}},  {"==", {6, 2}}, {"!=", {6, 2}},  {"<<", {8, 8}},
                       {">>", {8, 8}}, {"<=", {7, 2}},  {">=", {7, 2}}, {"//", {0, 10}}, {"<", {7, 2}},
                       {">", {7, 2}},  {"|", {3, 3}},   {"^", {4, 4}},  {"&", {5, 5}},   {"+", {9, 9}},
                       {"-", {9, 9}},  {"*", {10, 10}}, {"/", {10, 0}}, {"%", {10, 10}}};

enum { OPERATORS = sizeof operators / sizeof operators[0] };

static int64_t conditional(formula *f);

/** Refuses what C leaves undefined, with the values of the variables; not in what is skipped. */
static int64_t undefined(formula *f, char const *words)
{
    char text[400];
    size_t n = (size_t)snprintf(text, sizeof text, "%s, at", words);
    for (int i = 0; i < f->variables && n < sizeof text; ++i)
        n += (size_t)snprintf(text + n, sizeof text - n, " %s=%lld", f->name[i], (long long)f->value[i]);
    if (f->skipped == 0)
        scan_fail(&f->scan, text);
    return 0;
}

static int64_t number(formula *f)
{
    scan *const s = &f->scan;
    bool const hex = s->p[0] == '0' && (s->p[1] | 32) == 'x';
    int64_t v = 0;
    s->p += hex ? 2 : 0;
    for (int digit = 0; !s->failed; ++s->p) {
        char const c = *s->p, low = (char)(c | 32);
        digit = c >= '0' && c <= '9' ? c - '0' : hex && low >= 'a' && low <= 'f' ? low - 'a' + 10 : -1;
        if (digit < 0)
            break;
        if (!tsr_mul64(v, hex ? 16 : 10, &v) || !tsr_add64(v, digit, &v))
            scan_fail(s, "this integer does not fit in 64 bits");
    }
    while ((*s->p | 32) == 'u' || (*s->p | 32) == 'l')
        ++s->p;
    return v;
}

static int64_t primary(formula *f)
{
    char word[TSR_LINEAR_NAME], words[96];
    int64_t v = 0;
    scan_blanks(&f->scan);
    if (f->scan.failed)
        return 0;
    if (*f->scan.p >= '0' && *f->scan.p <= '9')
        return number(f);
    if (scan_take(&f->scan, "(")) {
        if (++f->depth > TSR_TEXT_DEPTH)
            scan_fail(&f->scan, "more than 64 parentheses are open");
        v = conditional(f);
        --f->depth;
        scan_expect(&f->scan, ")");
        return v;
    }
    scan_word(&f->scan, word, sizeof word);
    for (int i = 0; i < f->variables; ++i)
        if (strcmp(f->name[i], word) == 0)
            return f->value[i];
    snprintf(words, sizeof words, "the variable %s has no range: %s=0..63", word, word);
    scan_fail(&f->scan, words);
    return 0;
}

static int64_t unary(formula *f)
{
    int64_t v = 0;
    if (++f->depth > TSR_TEXT_DEPTH)
        scan_fail(&f->scan, "more than 64 signs stand one in the other");
    if (f->scan.failed)
        v = 0;
    else if (scan_take(&f->scan, "-"))
        v = tsr_wrap_sub(0, unary(f));
    else if (scan_take(&f->scan, "+"))
        v = unary(f);
    else if (scan_take(&f->scan, "~"))
        v = ~unary(f);
    else if (scan_take(&f->scan, "!"))
        v = !unary(f);
    else
        v = primary(f);
    --f->depth;
    return v;
}

static int64_t shifted(formula *f, int64_t a, int64_t b, bool left)
{
    if (a < 0 || b < 0 || b > 62)
        return undefined(f, "shifts are of numbers from 0 on, by 0 to 62");
    if (left && !tsr_mul64(a, (int64_t)1 << b, &a))
        return undefined(f, "a shift leaves 64 bits");
    return left ? a : a >> b;
}

static int64_t combined(formula *f, char const *sign, int64_t a, int64_t b)
{
    int64_t r = 0;
    bool const twice = sign[1] != 0, floors = f->python && b > 0 && a < 0;
    bool const down = floors && a != TSR_BAD_OFFSET && a % b != 0;
    switch (sign[0]) {
    /* clang-format off */
    case '+': return tsr_add64(a, b, &r) ? r : undefined(f, "a sum leaves 64 bits");
    case '-': return b != TSR_BAD_OFFSET && tsr_add64(a, -b, &r) ? r : undefined(f, "a difference leaves 64 bits");
    case '*': return tsr_mul64(a, b, &r) ? r : undefined(f, "a product leaves 64 bits");
    case '/': return b == 0 || a == TSR_BAD_OFFSET ? undefined(f, "a division by 0") : a / b - down;
    case '%': return b == 0 || a == TSR_BAD_OFFSET ? undefined(f, "a remainder by 0") : a % b + (down ? b : 0);
    case '&': return twice ? a && b : a & b;
    case '|': return twice ? a || b : a | b;
    case '^': return a ^ b;
    case '=': return a == b;
    case '!': return a != b;
    case '<': return !twice ? a < b : sign[1] == '=' ? a <= b : shifted(f, a, b, true);
    default: return !twice ? a > b : sign[1] == '=' ? a >= b : shifted(f, a, b, false);
        /* clang-format on */
    }
}

/** The operator that stands behind an operand; OPERATORS: none. */
static int operator_here(formula *f)
{
    int i = 0;
    scan_blanks(&f->scan);
    char const *const p = f->scan.p;
    for (; i < OPERATORS; ++i) {
        char const *const sign = operators[i].sign;
        if (p[0] == sign[0] && (sign[1] == 0 || p[1] == sign[1]) && operators[i].binds[f->python] > 0)
            break;
    }
    return i;
}

/** Operands with operators that bind at least so tightly between them. */
static int64_t operands(formula *f, int binds)
{
    int64_t a = unary(f);
    for (;;) {
        int const i = operator_here(f), own = i < OPERATORS ? operators[i].binds[f->python] : 0;
        if (f->scan.failed || own < binds)
            return a;
        bool const skips = !f->python && ((own == 1 && a) || (own == 2 && !a));
        f->scan.p += operators[i].sign[1] ? 2 : 1;
        f->skipped += skips;
        int64_t const b = operands(f, own + 1);
        f->skipped -= skips;
        a = combined(f, operators[i].sign, a, b);
    }
}

static int64_t conditional(formula *f)
{
    int64_t const condition = operands(f, 1);
    if (f->python || !scan_take(&f->scan, "?"))
        return condition;
    if (++f->depth > TSR_TEXT_DEPTH)
        scan_fail(&f->scan, "more than 64 conditions stand one in the other");
    f->skipped += !condition;
    int64_t const yes = conditional(f);
    f->skipped += condition ? 1 : -1;
    scan_expect(&f->scan, ":");
    int64_t const no = conditional(f);
    f->skipped -= condition != 0;
    --f->depth;
    return condition ? yes : no;
}

int64_t tsr_fit_expression_(scan *s, bool python, int names, char const (*name)[TSR_LINEAR_NAME],
                            int64_t const *value)
{
    formula f = {*s, python, names, 0, 0, name, {0}};
    memcpy(f.value, value, (size_t)names * sizeof *value);
    int64_t const v = conditional(&f);
    *s = f.scan;
    return v;
}

/** i=0..63,j=0..7 into names and a shape. */
static void read_ranges(scan *s, tsr_samples *r)
{
    int64_t const most = tsr_min64(r->room, TSR_LAW_BUDGET);
    tsr_tuple shape = TSR_ZERO;
    char words[64];
    int n = 0;
    r->count = 1;
    do {
        char word[TSR_LINEAR_NAME];
        scan_word(s, word, sizeof word);
        scan_expect(s, "=");
        if (!s->failed && n == TSR_LINEAR_DIMS)
            scan_fail(s, "a formula has at most 10 variables");
        for (int i = 0; i < n && !s->failed; ++i)
            if (strcmp(r->name[i], word) == 0)
                scan_fail(s, "this variable is there twice");
        int64_t const first = scan_integer(s);
        scan_expect(s, "..");
        int64_t const last = scan_integer(s);
        if (!s->failed && (first != 0 || last < 0 || last >= TSR_LAW_BUDGET))
            scan_fail(s, "a range is from 0 to at most 65535");
        if (s->failed)
            return;
        memcpy(r->name[n++], word, sizeof word);
        r->count *= last + 1;
        tsr_tuple_push_leaf(&shape, tsr_leaf_dynamic(last + 1));
        if (r->count > most) {
            snprintf(words, sizeof words, "the ranges have more than %lld coordinates", (long long)most);
            scan_fail(s, words);
        }
    } while (!s->failed && scan_take(s, ","));
    scan_blanks(s);
    if (!s->failed && *s->p)
        scan_fail(s, "nothing may follow a range");
    r->shape = n > 1 ? tsr_tuple_close(shape) : shape;
}

bool tsr_samples_formula(tsr_samples *r, char const *text, char const *ranges, tsr_message *error)
{
    scan s = {ranges, ranges, false, error};
    error->at = 0;
    error->text[0] = 0;
    read_ranges(&s, r);
    if (s.failed)
        return false;
    formula f = {
        {text, text, false, error}, false, r->shape.leaves, 0, 0, (char const(*)[TSR_LINEAR_NAME])r->name, {0}};
    grid const g = tsr_fit_grid_(&r->shape);
    for (int64_t c = 0; c < r->count && !f.scan.failed; ++c) {
        for (int k = 0; k < g.leaves; ++k)
            f.value[k] = grid_digit(&g, k, c);
        f.scan.p = text;
        r->value[c] = conditional(&f);
        scan_blanks(&f.scan);
        if (!f.scan.failed && *f.scan.p)
            scan_fail(&f.scan, "an operator or the end of the formula is expected here");
    }
    return !f.scan.failed;
}

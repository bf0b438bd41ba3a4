/** A formula of C over ranges of its variables: i=0..63,j=0..7; and expressions of Python, whose // and % round down.
 *  The text is gone through once for each coordinate. */
#include "convert/convert.h"

#include "fit/fit.h"

/** The values of the variables, and what is skipped: the side of ?:, && or || that C does not evaluate. */
typedef struct formula {
    scan *in;
    bool python;
    int variables, skipped;
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
    char text[TSR_LINEAR_DIMS * (TSR_LINEAR_NAME + 24)];
    writer w;
    writer_open(&w, text, sizeof text);
    for (int i = 0; i < f->variables; ++i)
        put(&w, " %s=%lld", f->name[i], (long long)f->value[i]);
    if (f->skipped == 0)
        scan_fail(f->in, "%s, at%s", words, text);
    return 0;
}

static int64_t number(formula *f)
{
    char const *const begin = f->in->p;
    bool const hex = scan_take_here(f->in, "0x") || scan_take_here(f->in, "0X");
    int64_t const v = scan_number(f->in, hex ? 16 : 10, begin);
    scan_pass(f->in, "uUlL");
    return v;
}

static int64_t primary(formula *f)
{
    char word[TSR_LINEAR_NAME];
    int64_t v = 0;
    scan_blanks(f->in);
    if (f->in->failed)
        return 0;
    if (scan_is_digit(f->in))
        return number(f);
    if (scan_take(f->in, "(")) {
        v = conditional(f);
        scan_expect(f->in, ")");
        return v;
    }
    scan_word(f->in, word, sizeof word);
    for (int i = 0; i < f->variables; ++i)
        if (strcmp(f->name[i], word) == 0)
            return f->value[i];
    scan_fail(f->in, "the variable %s has no range: %s=0..63", word, word);
    return 0;
}

static int64_t unary(formula *f)
{
    int64_t v = 0;
    if (!scan_enter(f->in, TSR_TEXT_DEPTH))
        v = 0;
    else if (scan_take(f->in, "-"))
        v = tsr_wrap_sub(0, unary(f));
    else if (scan_take(f->in, "+"))
        v = unary(f);
    else if (scan_take(f->in, "~"))
        v = ~unary(f);
    else if (scan_take(f->in, "!"))
        v = !unary(f);
    else
        v = primary(f);
    scan_leave(f->in);
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
    scan_blanks(f->in);
    char const p[] = {scan_char(f->in, 0), scan_char(f->in, 1)};
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
        if (f->in->failed || own < binds)
            return a;
        bool const skips = !f->python && ((own == 1 && a) || (own == 2 && !a));
        f->in->p += operators[i].sign[1] ? 2 : 1;
        f->skipped += skips;
        int64_t const b = operands(f, own + 1);
        f->skipped -= skips;
        a = combined(f, operators[i].sign, a, b);
    }
}

static int64_t conditional(formula *f)
{
    int64_t const condition = operands(f, 1);
    if (f->python || !scan_take(f->in, "?"))
        return condition;
    (void)scan_enter(f->in, TSR_TEXT_DEPTH);
    f->skipped += !condition;
    int64_t const yes = conditional(f);
    f->skipped += condition ? 1 : -1;
    scan_expect(f->in, ":");
    int64_t const no = conditional(f);
    f->skipped -= condition != 0;
    scan_leave(f->in);
    return condition ? yes : no;
}

int64_t tsr_fit_expression_(scan *s, bool python, int names, char const (*name)[TSR_LINEAR_NAME],
                            int64_t const *value)
{
    formula f = {s, python, names, 0, name, {0}};
    memcpy(f.value, value, (size_t)names * sizeof *value);
    return conditional(&f);
}

/** i=0..63,j=0..7 into names and a shape. */
static void read_ranges(scan *s, tsr_samples *r)
{
    int64_t const most = tsr_min64(r->capacity, TSR_LAW_BUDGET);
    tsr_tuple shape = TSR_ZERO;
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
        if (r->count > most)
            scan_fail(s, "the ranges have more than %lld coordinates", (long long)most);
    } while (scan_take(s, ","));
    scan_end(s);
    r->shape = n > 1 ? tsr_tuple_close(shape) : shape;
}

bool tsr_samples_formula(tsr_samples *r, char const *text, char const *ranges, tsr_message *error)
{
    scan in = tsr_scan_open_(ranges, strlen(ranges), error);
    read_ranges(&in, r);
    if (in.failed)
        return false;
    in = tsr_scan_open_(text, strlen(text), error);
    formula f = {&in, false, r->shape.leaves, 0, (char const(*)[TSR_LINEAR_NAME])r->name, {0}};
    grid const g = tsr_fit_grid_(&r->shape);
    for (int64_t c = 0; c < r->count && !in.failed; ++c) {
        for (int k = 0; k < g.leaves; ++k)
            f.value[k] = grid_digit(&g, k, c);
        in.p = text;
        r->value[c] = conditional(&f);
        scan_blanks(&in);
        if (in.p < in.end)
            scan_fail(&in, "an operator or the end of the formula is expected here");
    }
    return !in.failed;
}

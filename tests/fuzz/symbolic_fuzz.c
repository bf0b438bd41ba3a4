/** Layouts over sizes with names, GUARDS|EXPRESSION: texts are whole, what is printed of the guards is read as them,
 *  code is emitted or refused with words, and with numbers in the place of the names the result is what the algebra of
 *  numbers gives. */
#include "fuzz.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "in_time.h"
#include "tessera/symbolic.h"

enum { LONGEST = 1 << 14, LARGEST = 4096 };

static void demand(bool ok)
{
    if (!ok)
        abort();
}

/** A text with room for all of it, and with less: the length is the same, and what is written a beginning. */
static char *whole(size_t (*format)(char *out, size_t size, tsr_symbolic const *e), tsr_symbolic const *e)
{
    char few[16];
    size_t const n = format(NULL, 0, e);
    char *const text = (char *)malloc(n + 1);
    demand(text && format(text, n + 1, e) == n && strlen(text) == n);
    demand(format(few, sizeof few, e) == n && strncmp(few, text, strlen(few)) == 0);
    return text;
}

static void emit(tsr_symbolic const *e)
{
    static char code[1 << 16];
    tsr_message error;
    for (int in = 0; in <= TSR_CODES; ++in)
        demand(tsr_symbolic_emit(code, sizeof code, (tsr_code)in, e, &error) || error.text[0]);
}

/** The numbers of the names, of small factors that the text decides; none is 1, since numbers leave out modes of one
 *  element, and brackets count modes. */
static void choose(tsr_symbolic const *e, char const *text, int64_t *number)
{
    int64_t factor[TSR_SYMBOLS];
    for (int i = 0; i < TSR_SYMBOLS; ++i)
        factor[i] = 2 + (int64_t)(strlen(text) + 7 * (size_t)i) % 3;
    tsr_symbolic_numbers(e, factor, number);
}

static int64_t number_of(tsr_symbolic const *e, int64_t const *number, char const *name, size_t n)
{
    for (int i = 0; i < tsr_symbolic_count(e); ++i)
        if (strlen(tsr_symbolic_name(e, i)) == n && strncmp(tsr_symbolic_name(e, i), name, n) == 0)
            return number[i];
    return 1;
}

/** Under the guards that are printed the expression has the same value. */
static void read_again(tsr_symbolic const *e, char const *expression, char const *guards, int64_t const *number)
{
    int64_t other[TSR_SYMBOLS];
    tsr_message error;
    tsr_layout a, b;
    tsr_symbolic *const again = tsr_symbolic_read(expression, strcmp(guards, "1") == 0 ? "" : guards, &error);
    demand(again != NULL);
    for (int i = 0; i < tsr_symbolic_count(again); ++i)
        other[i] = number_of(e, number, tsr_symbolic_name(again, i), strlen(tsr_symbolic_name(again, i)));
    bool const one = tsr_symbolic_layout_at(e, number, &a, &error),
               two = tsr_symbolic_layout_at(again, other, &b, &error);
    demand(one == two && (!one || tsr_equal(a, b)));
    tsr_symbolic_free(again);
}

/** The expression with numbers in the place of names; false: the calculator has no such expression. */
static bool put_numbers(char *out, tsr_symbolic const *e, char const *from, int64_t const *number)
{
    size_t n = 0;
    if (strpbrk(from, "*/"))
        return false;
    while (*from && n + 32 < LONGEST) {
        size_t word = 0;
        while (isalpha((unsigned char)from[word])
               || (word > 0 && (isdigit((unsigned char)from[word]) || from[word] == '_')))
            ++word;
        bool const call = from[word] == '(' || from[word] == '<' || strncmp(from, "Layout", 6) == 0
                          || (word == 1 && *from == 'o' && from[1] == ' ');
        if (word == 0) {
            out[n++] = *from++;
            continue;
        }
        n += (size_t)(call ? snprintf(out + n, LONGEST - n, "%.*s", (int)word, from)
                           : snprintf(out + n, LONGEST - n, "%lld", (long long)number_of(e, number, from, word)));
        from += word;
    }
    out[n < LONGEST ? n : LONGEST - 1] = 0;
    return *from == 0 && n < LONGEST;
}

static void compare(tsr_symbolic const *e, char const *expression, int64_t const *number)
{
    static char text[LONGEST];
    tsr_message error;
    tsr_layout l;
    if (!tsr_symbolic_layout_at(e, number, &l, &error)) {
        demand(error.text[0] != 0);
        return;
    }
    if (tsr_layout_size(l) > LARGEST || !put_numbers(text, e, expression, number))
        return;
    tsr_layout const wanted = tsr_parse_layout(text, TSR_TEXT_STATIC, &error);
    demand(!tsr_ok(wanted) || tsr_same_function(l, wanted).answer != TSR_NO);
}

int LLVMFuzzerTestOneInput(uint8_t const *data, size_t size)
{
    clock_t const begin = clock();
    char *const text = fuzz_text(data, size);
    char *const expression = text ? strchr(text, '|') : NULL;
    tsr_message error;
    if (expression) {
        *expression = 0;
        tsr_symbolic *const e = tsr_symbolic_read(expression + 1, text, &error);
        demand(e || (error.text[0] && error.at <= strlen(expression + 1)));
        if (e) {
            int64_t number[TSR_SYMBOLS], total = 0;
            char *const result = whole(tsr_symbolic_format, e), *const guards = whole(tsr_symbolic_format_guards, e);
            emit(e);
            choose(e, expression + 1, number);
            demand(tsr_symbolic_number_at(e, number, &total, &error) || error.text[0]);
            read_again(e, expression + 1, guards, number);
            compare(e, expression + 1, number);
            free(result);
            free(guards);
        }
        tsr_symbolic_free(e);
    }
    free(text);
    check_time(begin);
    return 0;
}

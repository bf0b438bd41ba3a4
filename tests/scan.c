/** The law of readers: a text that is cut, or has a number or a list of any length, is read or gives one sentence and a
 *  place in it; nothing is read past its end. Copies have the size of the text: a sanitizer sees a read behind it.
 *  scan CONVERT DIST SAMPLES SYMBOLIC EXPRESSIONS: seeds of the fuzzers, two texts with a sign between them a line. */
#include "text/scan.h"

#include <stdio.h>
#include <stdlib.h>

#include "tessera/convert.h"
#include "tessera/io.h"
#include "tessera/mesh/make.h"
#include "tessera/samples.h"
#include "tessera/symbolic.h"

#include "sanitizer.h"

static int passed, failed;

static void check(bool ok, char const *what, char const *text)
{
    ++*(ok ? &passed : &failed);
    if (!ok && failed < 20)
        printf("failed: %s: %.300s\n", what, text);
}

/* The scanner: texts without a 0 at their end */

static scan open_copy(char const *text, size_t n, char **copy, tsr_message *error)
{
    *copy = (char *)malloc(n ? n : 1);
    if (!*copy)
        exit(1);
    memcpy(*copy, text, n);
    return tsr_scan_open_(*copy, n, error);
}

/** An integer of n digits, behind a minus or not: its value, or an error that names it. */
static void check_integer(char const *digits, size_t n, bool minus)
{
    char text[512], *copy;
    tsr_message error;
    snprintf(text, sizeof text, "%s%.*s", minus ? "-" : "", (int)n, digits);
    scan s = open_copy(text, n + minus, &copy, &error);
    int64_t const v = scan_integer(&s);
    size_t const all = strspn(digits, "0"), zeros = all < n ? all : n - 1, rest = n - zeros;
    bool const fits = rest < 19 || (rest == 19 && strncmp(digits + zeros, "9223372036854775807", 19) <= 0);
    snprintf(text, sizeof text, "%lld", (long long)v);
    bool const same = strncmp(text + (minus && v), digits + zeros, rest) == 0 && strlen(text) == rest + (minus && v);
    check(fits ? !s.failed && s.p == s.end && same
               : s.failed && error.at == 0 && strncmp(error.text + minus, digits, n < 38 ? n : 38) == 0,
          "an integer", digits);
    free(copy);
}

/** A list of n integers, of at most 8, cut behind k characters. */
static void check_list(int n, size_t k)
{
    char text[256] = "(", *copy;
    tsr_message error;
    int64_t at[8];
    for (int i = 0; i < n; ++i)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", i ? ", " : "", i);
    strcat(text, ")");
    size_t const all = strlen(text), length = k < all ? k : all;
    scan s = open_copy(text, length, &copy, &error);
    int const count = scan_integers(&s, "(", ")", 8, at);
    bool const ok = n <= 8 && length == all;
    check(
        ok ? !s.failed && count == n && s.p == s.end : s.failed && count == 0 && error.text[0] && error.at <= length,
        "a list", text);
    free(copy);
}

static void check_words(void)
{
    static char const text[] = "  one two_3 \n {four}";
    for (size_t n = 0; n < sizeof text; ++n) {
        char word[8], *copy;
        tsr_message error;
        scan s = open_copy(text, n, &copy, &error);
        while (scan_next(&s) && scan_word(&s, word, sizeof word))
            scan_pass(&s, "{} \n");
        scan_until(&s, "}");
        check(s.p <= s.end && (!s.failed || (error.text[0] && error.at <= n)), "words", text);
        free(copy);
    }
}

/* The readers: texts that end in a 0 */

typedef bool reader(char const *first, char const *second, tsr_message *error);

static bool read_convert(char const *shape, char const *text, tsr_message *error)
{
    tsr_converted v;
    return tsr_convert_read(tsr_system_of(text), text, tsr_parse_tuple(shape, TSR_TEXT_STATIC, NULL), 4, &v, error);
}

static bool read_dist(char const *first, char const *text, tsr_message *error)
{
    tsr_dist_layout d;
    (void)first;
    return tsr_dist_parse(text, &d, error);
}

static bool read_samples(char const *over, char const *text, tsr_message *error)
{
    static int64_t value[4096], work[8192];
    tsr_samples s = tsr_make_samples(value, 4096, work, 8192);
    return strchr(over, '=') ? tsr_samples_formula(&s, text, over, error)
                             : tsr_samples_read(&s, text, *over ? tsr_parse_tuple(over, 0, NULL) : tsr_unit(), error);
}

static bool read_symbolic(char const *given, char const *text, tsr_message *error)
{
    tsr_symbolic *const e = tsr_symbolic_read(text, given, error);
    tsr_symbolic_free(e);
    return e != NULL;
}

static bool read_expression(char const *first, char const *text, tsr_message *error)
{
    (void)first;
    return tsr_is_expression(text, 0, error);
}

/** A file whose header is the text, behind `bytes` of magic and length. */
static unsigned char *file_of(char const *text, size_t bytes, size_t n)
{
    unsigned char *const file = (unsigned char *)malloc(bytes + n);
    if (!file)
        exit(1);
    memcpy(file, "\x93NUMPY\x01", 8);
    for (size_t i = 0; i < 8; ++i)
        file[bytes == 8 ? i : i % 2 + 8] = (unsigned char)(n >> 8 * (bytes == 8 ? i : i % 2) & 255);
    memcpy(file + bytes, text, n);
    return file;
}

static bool read_safetensors(char const *first, char const *text, tsr_message *error)
{
    tsr_model m;
    unsigned char *const file = file_of(text, 8, strlen(text));
    bool const ok = tsr_safetensors_view(file, 8 + strlen(text), &m, error);
    (void)first;
    if (ok)
        tsr_model_close(&m);
    free(file);
    return ok;
}

static bool read_npy(char const *first, char const *text, tsr_message *error)
{
    tsr_npy a;
    unsigned char *const file = file_of(text, 10, strlen(text));
    bool const ok = tsr_npy_view(file, 10 + strlen(text), 0, &a, error);
    (void)first;
    free(file);
    return ok;
}

static void check_read(reader *read, char const *first, char const *text, size_t n)
{
    tsr_message error;
    char *const copy = (char *)malloc(n + 1);
    if (!copy)
        exit(1);
    memcpy(copy, text, n);
    copy[n] = 0;
    bool const ok = read(first, copy, &error);
    size_t const longest = n > strlen(first) ? n : strlen(first); /* the first text may be at fault */
    check(ok || (error.text[0] && error.at <= longest), "an error with a place in the text", copy);
    free(copy);
}

/** The text with `many` times `more` in the place of `cut` characters at `at`. */
static void check_changed(reader *read, char const *first, char const *text, size_t at, size_t cut, char const *more,
                          size_t many)
{
    static char changed[1 << 14];
    size_t const n = strlen(more);
    if (strlen(text) + n * many >= sizeof changed)
        return;
    memcpy(changed, text, at);
    for (size_t i = 0; i < many; ++i)
        memcpy(changed + at + i * n, more, n);
    strcpy(changed + at + many * n, text + at + cut);
    check_read(read, first, changed, strlen(changed));
}

static void check_text(reader *read, char const *first, char const *text)
{
    static size_t const lengths[] = {17, 18, 19, 20, 21, 70, 300};
    size_t const all = strlen(text);
    for (size_t n = 0; n <= all; ++n)
        check_read(read, first, text, n);
    for (size_t i = 0, digits = 1; i < all; i += digits ? digits : 1) {
        digits = strspn(text + i, "0123456789");
        if (HAS_SANITIZER && i % 3 != 0)
            continue;
        for (size_t k = 0; digits > 0 && k < sizeof lengths / sizeof lengths[0]; ++k)
            check_changed(read, first, text, i, digits, "9", lengths[k]);
        if (strchr("([{<", text[i]))
            check_changed(read, first, text, i + 1, 0, "1,", 1000);
        if (strchr("([{<", text[i]))
            check_changed(read, first, text, i, 1, (char[]){text[i], 0}, 1000);
        if (digits == 0 && (text[i] | 32) >= 'a' && (text[i] | 32) <= 'z')
            check_changed(read, first, text, i, 1, (char[]){text[i], 0}, 200);
    }
}

static void check_file(char const *path, reader *read, char const *sign)
{
    static char line[4096];
    FILE *const file = fopen(path, "r");
    int lines = 0;
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *const second = strstr(line, sign);
        if (second && *sign)
            *second = 0;
        check_text(read, second && *sign ? line : "", second ? second + strlen(sign) : line);
        ++lines;
    }
    check(lines > 0, "texts", path);
    if (file)
        fclose(file);
}

int main(int argc, char **argv)
{
    static struct {
        reader *read;
        char const *sign;
    } const files[] = {
        {read_convert, "|"}, {read_dist, ">"}, {read_samples, "|"}, {read_symbolic, "|"}, {read_expression, ""}};
    static char const *const numbers[] = {"9223372036854775807", "9223372036854775808", "18446744073709551616"};
    char digits[400] = "";
    for (size_t n = 1; n < sizeof digits; ++n)
        for (int first = '0'; first <= '9'; first += 3) {
            memset(digits, first, n);
            check_integer(digits, n, false);
            check_integer(digits, n, true);
        }
    for (int i = 0; i < 3; ++i)
        check_integer(numbers[i], strlen(numbers[i]), i % 2 != 0);
    for (int n = 0; n < 20; ++n)
        for (size_t k = 0; k < 80; ++k)
            check_list(n, k);
    check_words();
    for (int i = 0; i < 5 && i + 1 < argc; ++i)
        check_file(argv[i + 1], files[i].read, files[i].sign);
    check_text(read_safetensors, "",
               "{\"__metadata__\": {\"a\": \"\\u00e9\\n\"}, \"x\": {\"dtype\": \"F32\", "
               "\"shape\": [0, 3], \"data_offsets\": [0, 0]}}  ");
    check_text(read_npy, "", "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }  \n");
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

/** What the calculator prints it reads back as the same value: the values of all examples of the table, and random
 *  ones. And the spellings of CuTe's documents: blanks in front of brackets, integers of types, pointers, print_layout.
 *
 *  Not expressions, so not read back: answers and verdicts in words, several numbers, a layout in a pair, a tensor
 *  map, a redistribution, and engines with a function of C in front. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "random.h"
#include "tessera/text.h"

enum { CASES = 4000 };

static int checks, failed;

/** Kinds of results whose text is no expression. */
static bool is_report(char kind) { return strchr("aDsZJFxI", kind) != NULL; }

/** The text of an expression is read as a value of the same text. */
static void check_back(char const *expression)
{
    static char text[16 * TSR_TEXT_SIZE], again[16 * TSR_TEXT_SIZE];
    if (!tsr_calc(expression, 0, text, sizeof text))
        return;
    bool const read = tsr_calc(text, 0, again, sizeof again);
    ++checks;
    failed += !read || strcmp(text, again) != 0;
    if (!read || strcmp(text, again) != 0)
        printf("%s: %.200s is read as %.200s\n", expression, text, again);
}

static void check_examples(void)
{
    int count = 0;
    tsr_op const *const rows = tsr_ops(&count);
    for (int i = 0; i < count; ++i)
        if (!is_report(rows[i].result))
            check_back(rows[i].example);
}

/* Random values */

typedef struct text {
    char of[2048];
    size_t used;
} text;

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
add(text *t, char const *format, ...)
{
    va_list args;
    va_start(args, format);
    int const n = vsnprintf(t->of + t->used, sizeof t->of - t->used, format, args);
    va_end(args);
    t->used += n > 0 ? (size_t)n : 0;
}

/** A shape and, from the same numbers, its stride: their parentheses are alike. */
static void add_tuple(text *t, uint64_t form, int depth, bool stride, int basis)
{
    int const kind = (int)(form >> (3 * depth) & 7);
    if (depth == 3 || kind < 3) {
        add(t, "%s", below(2) ? "_" : "");
        add(t, "%d", (int)below(stride ? 65 : 9) + !stride);
        if (stride && basis)
            add(t, "@%d", (int)below(basis));
        return;
    }
    add(t, "(");
    for (int i = 0; i <= kind % 3; ++i) {
        add(t, "%s", i > 0 ? "," : "");
        add_tuple(t, form >> (4 * i), depth + 1, stride, basis);
    }
    add(t, ")");
}

static void add_layout(text *t, int basis)
{
    uint64_t const form = random_bits();
    add_tuple(t, form, 0, false, 0);
    add(t, ":");
    add_tuple(t, form, 0, true, basis);
}

static void add_engine(text *t)
{
    static char const *const types[] = {"float",  "half_t",  "double",    "uint8_t", "int4b_t",
                                        "bin1_t", "int6b_t", "uint128_t", "int2b_t", "bfloat16_t"};
    static char const *const spaces[] = {"gmem", "smem", "rmem", "tmem"};
    int const space = (int)below(4), type = (int)below(10), shift = (int)below(63);
    uint64_t const address = random_bits() >> shift >> 1;
    switch (below(4)) {
    case 0:
        add(t, "counting_iter(%d)", shift - 30);
        break;
    case 1:
        add(t, "ArithTuple(%d,_%d)", type - 4, shift);
        break;
    default:
        add(t, "%s<%s>(%llu)", spaces[space], types[type], (unsigned long long)address);
    }
}

static void add_value(text *t)
{
    int const bits = (int)below(4), base = (int)below(5), shift = (int)below(9) - 4, extent = (int)below(8);
    switch (below(7)) {
    case 0:
        add_layout(t, 3);
        break;
    case 1:
        add(t, "Sw<%d,%d,%d> o %s", bits, base, shift, extent > 3 ? "_8 o " : "");
        add_layout(t, 0);
        break;
    case 2:
        add(t, "Sw<%d,%d,3> o smem_ptr[%db](unset) o ", bits, base, 1 << extent);
        add_layout(t, 0);
        break;
    case 3:
        add(t, below(2) ? "cast_iter<half_t>(" : "domain_offset(3, make_tensor(");
        add_engine(t);
        add(t, t->of[0] == 'c' && t->of[1] == 'a' ? ")" : ", 9:1))");
        break;
    case 4:
        add_engine(t);
        add(t, " o ");
        add_layout(t, t->of[0] == 'A' ? 2 : 0);
        break;
    case 5:
        add(t, "make_tensor(smem<half_t>(%d), Sw<%d,4,3> o smem_ptr[16b](unset) o ", 1024 * extent, bits);
        add_layout(t, 0);
        add(t, ")");
        break;
    default:
        add(t, "<");
        add_layout(t, 0);
        add(t, ",_,");
        add_layout(t, 0);
        add(t, ",<%d,_%d>>", extent + 1, base + 1);
    }
}

/* Spellings */

static void check_is(char const *expression, char const *wanted)
{
    char result[TSR_TEXT_SIZE];
    bool const ok = tsr_calc(expression, 0, result, sizeof result);
    bool const same = wanted ? ok && strcmp(result, wanted) == 0 : !ok;
    ++checks;
    failed += !same;
    if (!same)
        printf("%s = %s, wanted %s\n", expression, result, wanted ? wanted : "a refusal");
}

static void check_spellings(void)
{
    static char const *const rows[][2] = {
        {"make_layout (make_shape(2,3), make_stride(1,2))", "(2,3):(1,2)"},
        {"make_layout\t( make_shape (2,3) , make_stride (1,2) ) ", "(2,3):(1,2)"},
        {"make_layout (make_shape (2,3), make_stride (1,2,3))", NULL}, /* and not a tuple of two */
        {"make_layout (Shape <_4,_8>{})", "(_4,_8):(_1,_4)"},
        {"make_layout(Shape < _4, _8 > {}, LayoutRight{})", "(_4,_8):(_8,_1)"},
        {"Layout <Shape <_4,_8>, Stride <_8,_1>>{}", "(_4,_8):(_8,_1)"},
        {"cute::make_layout (cute::make_shape (2,3))", "(2,3):(_1,2)"},
        {"size (make_layout (make_shape (2,3)))", "6"},
        {"composition ((_4,_8):(_1,_4), 4)", "4:_1"},
        {"composition (_4,_8):(_1,_4) 4", "4:_1"},
        {"crd2idx (3, (4,8), (1,4))", "3"},
        {"crd2idx (3,0) (4,8) (1,4)", "3"},
        {"size (4,8)", "32"},
        {"depth (4,(8,2))", "_2"},
        {"coalesce ((_2,_4):(_1,_2))", "_8:_1"},
        {"make_tuple(int{2}, Int<3>{})", "(2,_3)"},
        {"make_tuple(uint16_t{42}, make_tuple(Int<1>{}, int32_t{3}), Int <17> {})", "(42,(_1,3),_17)"},
        {"size_t{8}", "8"},
        {"make_gmem_ptr<float>(4096)", "gmem_ptr[32b](0x1000)"},
        {"make_tensor (make_smem_ptr <half_t> (16), make_shape (4,8))", "smem_ptr[16b](0x10) o (4,8):(_1,4)"},
        {"make_gmem_ptr(4096)", NULL},
        {"print_layout(make_layout (make_shape (2,3)))", "(2,3):(_1,2)"},
        {"print((4,8))", "(4,8)"},
        {"size(print_layout((4,8):(8,1)))", "32"},
        {"gmem_ptr[32b](0x1000) o _8:_1", "gmem_ptr[32b](0x1000) o _8:_1"},
        {"ptr[64b](0xffffffffffffffff)", "ptr[64b](0xffffffffffffffff)"},
        {"ptr[64b](0x10000000000000000)", NULL},
        {"ptr[33b](0x10)", NULL},
        {"ptr[4b](0x10.4)", NULL},
        {"subptr[4b](0x10.8)", NULL},
        {"gmem_ptr[32b](unset)", NULL},
        {"tmem_[32b](0x0001.0100)", "tmem_[32b](0x0001.0100)"},
        {"tmem_[32b](0x10001.0100)", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i)
        check_is(rows[i][0], rows[i][1]);
}

int main(void)
{
    check_spellings();
    check_examples();
    random_begin(50);
    for (int i = 0; i < CASES; ++i) {
        text t = {"", 0};
        add_value(&t);
        check_back(t.of);
    }
    printf("%d checks, %d failed\n", checks, failed);
    return failed != 0;
}

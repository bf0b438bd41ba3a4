/** How one example is run: of a doc comment, or of the table of operations. The rows of the table are compiled with the
 *  name of the function that they ran last, in the place of the library's own, so that an example is known to run its
 *  row. */
#include <stdio.h>
#include <string.h>

static char const *last_function;
#define TSR_RUN(fn) (last_function = #fn, tsr_##fn)

#include "calc/rows.c"
#include "tessera/atoms.h"

static int passed, failed;

static void compare(char const *where, char const *what, char const *got, char const *wanted)
{
    bool const same = strcmp(got, wanted) == 0;
    passed += same;
    failed += !same;
    if (!same)
        printf("%s: %s\n  says %s\n  gives %s\n", where, what, wanted, got);
}

static void calculated(char const *where, char const *expression, char const *wanted)
{
    char text[TSR_TEXT_SIZE];
    tsr_calc(expression, 0, text, sizeof text);
    compare(where, expression, text, wanted);
}

static void compare_value(char const *where, char const *what, value const *v, char const *wanted)
{
    char text[TSR_TEXT_SIZE];
    writer w;
    writer_open(&w, text, sizeof text);
    tsr_value_write_(&w, v, 0);
    compare(where, what, text, wanted);
}

#define X(member, type, id)                                                                      \
  static void compiled_##member(char const *where, char const *what, type x, char const *wanted) \
  {                                                                                              \
    value v = {0};                                                                               \
    v.kind = VALUE_##id;                                                                         \
    v.as.member = x;                                                                             \
    compare_value(where, what, &v, wanted);                                                      \
  }
X(tuple, tsr_tuple, TUPLE)
X(layout, tsr_layout, LAYOUT)
X(tiler, tsr_tiler, TILER)
X(swizzle, tsr_swizzle, SWIZZLE)
X(pair, tsr_offset_layout, PAIR)
X(verdict, tsr_verdict, VERDICT)
X(tensor, tsr_tensor, TENSOR)
X(engine, tsr_engine, ENGINE)
#undef X

static void compiled_number(char const *where, char const *what, int64_t n, char const *wanted)
{
    char text[TSR_TEXT_SIZE];
    snprintf(text, sizeof text, "%lld", (long long)n);
    compare(where, what, text, wanted);
}

/* clang-format off */
#define compiled(where, expression, wanted)     \
    _Generic((expression),                      \
        tsr_tuple: compiled_tuple,              \
        tsr_layout: compiled_layout,            \
        tsr_swizzle: compiled_swizzle,          \
        tsr_offset_layout: compiled_pair,       \
        tsr_verdict: compiled_verdict,          \
        tsr_tiler: compiled_tiler,              \
        tsr_tensor: compiled_tensor,            \
        tsr_engine: compiled_engine,            \
        default: compiled_number)(where, #expression, expression, wanted)
/* clang-format on */

/** Each row of the table: its example is a call of its name, runs its function, and gives its value. */
static void run_table(void)
{
    int count = 0;
    tsr_op const *const ops = tsr_ops(&count);
    for (int i = 0; i < count; ++i) {
        size_t const n = strlen(ops[i].name);
        char const *const after = ops[i].example + n;
        bool const named = strncmp(ops[i].example, ops[i].name, n) == 0 && strchr("(< ", *after) != NULL;
        last_function = "no function";
        calculated("ops.h", ops[i].example, ops[i].value);
        compare("ops.h", ops[i].example, named ? last_function : "another name", ops[i].function);
    }
}

static int finished(void)
{
    printf("%d passed, %d failed\n", passed, failed);
    return failed != 0 || passed == 0;
}

/** Values as source: what is written in C compiles, is the value that it was written from, and CuTe's form is its
 *  twin. */
#include <stdio.h>
#include <string.h>

#include "tessera/atoms.h"
#include "tessera/text.h"

static int failed, checks;

static void check(char const *expression, tsr_language in, char const *wanted)
{
    char text[TSR_TEXT_SIZE];
    tsr_evaluation *const e = tsr_evaluate(expression, 0, NULL, NULL);
    bool const ok = tsr_format_source(text, sizeof text, e, in);
    bool const short_one =
        tsr_format_source(text, sizeof text, e, in) && tsr_format_source(text, strlen(text), e, in);
    bool const again = tsr_format_source(text, sizeof text, e, in);
    ++checks;
    if (ok != again || ok != (*wanted != 0) || strcmp(text, wanted) != 0 || short_one) {
        ++failed;
        printf("%s is %s, not %s\n", expression, text, wanted);
    }
    tsr_evaluation_free(e);
}

static void check_value(char const *expression, tsr_layout l)
{
    char text[TSR_TEXT_SIZE];
    tsr_format_layout(text, sizeof text, l, 0);
    ++checks;
    if (strcmp(text, expression) != 0) {
        ++failed;
        printf("the source of %s is %s\n", expression, text);
    }
}

/** CuTe's C++ is read, and is the value. */
static void check_read(char const *cute, char const *wanted)
{
    char text[TSR_TEXT_SIZE];
    bool const ok = tsr_calc(cute, 0, text, sizeof text);
    ++checks;
    if (!ok || strcmp(text, wanted) != 0) {
        ++failed;
        printf("%s is read as %s, not %s\n", cute, text, wanted);
    }
}

/** X(layout, its C, its CuTe) */
#define LAYOUTS(X)                                                                                                 \
  X("(4,8):(8,1)", tsr_make_layout(tsr_t(4, 8), tsr_t(8, 1)), "make_layout(make_shape(4, 8), make_stride(8, 1))")  \
  X("_8:_1", tsr_make_layout(tsr_s(8), tsr_s(1)), "make_layout(Int<8>{}, Int<1>{})")                               \
  X("((_2,2),8):((1,5000000000),-3)",                                                                              \
    tsr_make_layout(tsr_t(tsr_t(tsr_s(2), 2), 8), tsr_t(tsr_t(1, 5000000000ll), -3)),                              \
    "make_layout(make_shape(make_shape(Int<2>{}, 2), 8), make_stride(make_stride(1, 5000000000ll), -3))")          \
  X("Sw<3,4,3> o 8 o (_8,_8):(_8,_1)",                                                                             \
    tsr_make_composed_layout(tsr_make_swizzle(3, 4, 3), tsr_int(8),                                                \
                             tsr_make_layout(tsr_t(tsr_s(8), tsr_s(8)), tsr_t(tsr_s(8), tsr_s(1)))),               \
    "make_composed_layout(Swizzle<3,4,3>{}, 8, make_layout(make_shape(Int<8>{}, Int<8>{}), make_stride(Int<8>{}, " \
    "Int<1>{})))")                                                                                                 \
  X("(4,(2,3)):(_1@0,(4@0@1,_2@1@1))", tsr_parse("(4,(2,3)):(_1@0,(4@0@1,_2@1@1))"),                               \
    "make_layout(make_shape(4, make_shape(2, 3)), make_stride(E<0>{}, make_stride(4 * E<1,0>{}, Int<2>{} * "       \
    "E<1,1>{})))")

int main(void)
{
#define X(layout, c, cute)                                 \
  check(layout, TSR_LANGUAGE_C, #c);                       \
  check(layout, TSR_LANGUAGE_CUTE, cute);                  \
  check(layout, TSR_LANGUAGE_PYTHON, "L(\"" layout "\")"); \
  check_value(layout, c);                                  \
  check_read(cute, layout);
    LAYOUTS(X)
#undef X
    check_read("make_shape(2, make_shape(_, make_tuple()))", "(2,(_,()))");
    check_read("Layout<Shape<_4, Shape<_2,Int<3>>>, Stride<_1,Stride<_4,_8>>>{}", "(_4,(_2,_3)):(_1,(_4,_8))");
    check_read("Layout<_8>{}", "_8:_1");
    check_read("cute::make_layout(cute::make_shape(_4{}, 8),\n  cute::LayoutRight{})", "(_4,8):(8,_1)");
    check_read("Swizzle<2,0,2>", "Sw<2,0,2>");
    check_read("composition(Swizzle<1,0,1>{}, make_layout(Int<4>{}))", "Sw<1,0,1> o _0 o _4:_1");
    check_read("zipped_divide(make_layout(make_shape(_8{}, _8{})), make_tile(_2{}, _4{}))",
               "((_2,_4),(_4,_2)):((_1,_8),(_2,_32))");
    check_read("make_layout(make_shape(C<2>{}, 5000000000ll), GenRowMajor{})", "(_2,5000000000):(5000000000,_1)");
    check_read("(4, 8) : (8, 1)", "(4,8):(8,1)");
    check_read("size (4,8) : (8,1)", "32");
    check("coalesce((_2,_4):(_1,_2))", TSR_LANGUAGE_C, "tsr_make_layout(tsr_s(8), tsr_s(1))");
    check("(2,(_,()))", TSR_LANGUAGE_C, "tsr_t(2, tsr_t(tsr_wild(), tsr_unit()))");
    check("(2,(_,()))", TSR_LANGUAGE_CUTE, "make_shape(2, make_shape(_, make_tuple()))");
    check("7", TSR_LANGUAGE_C, "tsr_int(7)");
    check("Sw<3,4,3>", TSR_LANGUAGE_CUTE, "Swizzle<3,4,3>{}");
    check("counting_iter(0) o 4:1", TSR_LANGUAGE_C, "tsr_parse_tensor(\"counting_iter(0) o 4:1\", 0, NULL)");
    check("SM61_DP4A", TSR_LANGUAGE_C, "tsr_mma_atom_named(\"SM61_DP4A\")");
    check("SM61_DP4A", TSR_LANGUAGE_PYTHON, "V(\"SM61_DP4A\")");
    check("SM61_DP4A", TSR_LANGUAGE_CUTE, "");
    check("is_injective(4:1)", TSR_LANGUAGE_C, "");
    check("composition((4,6,8):(2,3,5), 6:3)", TSR_LANGUAGE_C, "");
    check("(4", TSR_LANGUAGE_PYTHON, "");
    printf("%d checks, %d failed\n", checks, failed);
    return failed != 0;
}

/** Random expressions over named sizes, with random numbers under which their guards hold, compared with the algebra of
 *  numbers: the same function, and modes of the same sizes.
 *
 *  usage: numbers [SEED [CASES]] */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../random.h"
#include "../sanitizer.h"
#include "tessera/core/verdict.h"
#include "tessera/symbolic.h"

enum { LONGEST = 4096, DRAWS = 2, LARGEST = 1 << 15 };

static long failed, refused, agreed, modes, large, broken;

/* Expressions */

/** One tile for all modes: numbers may merge modes where they happen to go on, of which what is outside takes one. So
 *  such an operation is the outermost, and its modes are not compared; nor are those of composition, coalesce and
 *  complement. */
static bool merges;

/** May a swizzle stand in front of a layout? */
static bool swizzles;

static char text[LONGEST];

static void say(char const *words)
{
    size_t const n = strlen(text);
    snprintf(text + n, sizeof text - n, "%s", words);
}

static char const *any_size(void)
{
    static char const *const sizes[] = {"M", "K", "N", "M", "K", "2*M", "K*4", "M*K",
                                        "2", "4", "8", "3", "6", "1",   "32"};
    return sizes[below(15)];
}

static char const *any_tile(void)
{
    static char const *const tiles[] = {"2", "4", "8", "3", "1", "T", "6", "2*T", "K", "16"};
    return tiles[below(10)];
}

/** A shape of up to three modes, some with modes of their own. */
static void say_shape(int rank)
{
    say("(");
    for (int i = 0; i < rank; ++i) {
        say(i ? "," : "");
        if (below(6) == 0) {
            say("(");
            say(any_size());
            say(",");
            say(any_size());
            say(")");
        } else {
            say(any_size());
        }
    }
    say(")");
}

/** Shape and stride, or a shape alone, whose modes of one element have the stride 0. */
static int say_layout(bool strides)
{
    static char const *const pairs[] = {"(M,K):(K,1)",
                                        "(M,K):(1,M)",
                                        "(M,K):(2*K,2)",
                                        "(M,K,N):(K*N,1,K)",
                                        "(4,M):(1,4)",
                                        "((2,M),K):((1,2*K),2)",
                                        "(M,K):(K,0)",
                                        "(M,4,K):(4,1,4*M)",
                                        "(8,M):(M,1)",
                                        "(M,K):(1@0,1@1)",
                                        "((4,M),K):((1@1,4@1),K@1@0)"};
    static int const ranks[] = {2, 2, 2, 3, 2, 2, 2, 3, 2, 2, 2};
    int const i = (int)below(11), rank = 1 + (int)below(3);
    if (swizzles && below(3) == 0) {
        static char const *const fronts[] = {"Sw<1,0,1> o ", "Sw<2,1,-3> o _0 o ", "Sw<3,0,4> o "};
        say(fronts[below(3)]);
    }
    if (strides || below(2)) {
        say(pairs[i]);
        return ranks[i];
    }
    say("make_layout(");
    say_shape(rank);
    say(below(2) ? ", LayoutRight)" : ")");
    return rank;
}

/** One item of a tiler: a size, `_`, a layout, or a tiler. */
static void say_item(bool layouts)
{
    static char const *const laid[] = {"4:1", "2:2", "4:4",         "(2,2):(1,4)", "2:T",
                                       "T:1", "8:K", "(2,4):(8,1)", "<2,T>",       "(4,2)"};
    say(below(8) == 0 ? "_" : layouts && below(3) == 0 ? laid[below(10)] : any_tile());
}

static void say_tiler(int rank)
{
    bool const angles = below(3) == 0;
    say(angles ? "<" : "(");
    for (int i = 0; i < rank; ++i) {
        say(i ? "," : "");
        say_item(angles);
    }
    say(angles ? ">" : ")");
}

static void say_counts(void)
{
    static char const *const counts[] = {"2:1", "M:1",         "(2,K):(1,2)",        "(M,2):(2,1)",    "(N,K):(1,N)",
                                         "4:2", "(2,2):(2,1)", "make_layout((M,N))", "(2,T):(1@0,2@1)"};
    say(counts[below(9)]);
}

static int say_operation(int depth)
{
    static char const *const divides[] = {"logical_divide(", "zipped_divide(", "tiled_divide(", "flat_divide("};
    static char const *const products[] = {"logical_product(", "zipped_product(", "tiled_product(", "flat_product("};
    int64_t const what = below(12);
    bool const inner = depth > 0 && below(4) == 0;
    int rank = 0;
    if (what < 4) {
        say(divides[what]);
        rank = inner ? say_operation(depth - 1) : say_layout(false);
        say(", ");
        merges = merges || (depth > 0 && below(5) == 0);
        if (merges && depth > 0)
            say_item(false);
        else
            say_tiler(1 + (int)below(rank));
    } else if (what < 6) {
        say(products[below(4)]);
        rank = inner ? say_operation(depth - 1) : say_layout(false);
        say(", ");
        if (below(2))
            say_counts();
        else
            say_tiler(1 + (int)below(rank));
    } else if (what < 8 && below(4) == 0) {
        static char const *const blocks[] = {"(2,4):(4,1)", "(4,T):(T,1)", "4:1", "(2,(2,2)):(1,(4,2))"};
        say("tile_to_shape(");
        say(blocks[below(4)]);
        static char const *const orders[] = {"", ", LayoutRight", ", (2,1)", ", (1,2)"};
        say(below(2) ? ", (M,K)" : ", (2*M,K*4)");
        say(orders[below(4)]);
        say(")");
        return 2;
    } else if (what < 8) {
        say(what == 6 ? "blocked_product(" : "raked_product(");
        rank = say_layout(false);
        say(", ");
        say_counts();
    } else if (what == 8 && depth > 0) {
        say("composition(");
        rank = say_layout(true);
        say(", ");
        if (below(2))
            say_tiler(1 + (int)below(rank));
        else
            say_counts();
    } else if (what == 9 && depth > 0) {
        say("coalesce(");
        rank = inner ? say_operation(depth - 1) : say_layout(false);
    } else if (what == 10 && depth > 0) {
        say("complement(");
        say_counts();
        say(", 4*M*K*N");
    } else if (below(4) == 0) {
        static char const *const coordinates[] = {"(_,1)", "(1,_)", "(_,K)", "(M,_)", "(_,_)"};
        say(below(2) ? "slice(" : "dice(");
        say(coordinates[below(5)]);
        say(", ");
        say(below(2) ? "((4,M),K):((1@1,4@1),K@1@0)" : "(M,(2,K)):(K,(7,1))");
        rank = 1;
    } else if (below(3) == 0) { /* core moves the modes */
        static char const *const moves[] = {"select<1,0>(", "take<0,2>(", "group<0,2>(", "get<1>(", "layout<0>("};
        say(moves[below(5)]);
        merges = merges || inner;
        rank = inner ? say_operation(depth - 1) : say_layout(false);
        say(")");
        return 1;
    } else if (below(3) == 0) {
        static char const *const joins[] = {"append(", "prepend(", "make_layout("};
        say(joins[below(3)]);
        rank = 1 + say_layout(false);
        say(", ");
        say_counts();
    } else {
        say(below(2) ? "flatten(" : "transpose(");
        rank = inner ? say_operation(depth - 1) : say_layout(false);
    }
    say(")");
    return what < 4 || rank == 0 ? 1 : rank;
}

/** The operand of an inverse, and the operation with it. */
static char const *say_inverse(void)
{
    static char const *const operands[] = {"(M,K):(K,1)",
                                           "(M,K,N):(K*N,1,K)",
                                           "((2,M),K):((1,2*K),2)",
                                           "(M,K):(2*K,2)",
                                           "(M,K):(N,1)",
                                           "(M,N,K):(0,K,1)",
                                           "(4,M,K):(M*T,1,4*M*T)",
                                           "(64,(K,2)):(1@0,(1@1,64@0))",
                                           "(M,(K,N)):(1@1,(1@0,K@0))",
                                           "(M,K):(2@0,N@1@1)",
                                           "((M,2),K):((1@0,M@0),0)",
                                           "(4,M):(1@1,T@0)"};
    char const *const operand = operands[below(12)];
    say(below(2) ? "left_inverse(" : "right_inverse(");
    say(operand);
    say(")");
    return operand;
}

/* Numbers */

static tsr_symbolic const *of;
static int64_t number[TSR_SYMBOLS];

/** A number or a name, from *p on. */
static int64_t value_of(char const **p)
{
    char *end = NULL;
    if (isdigit((unsigned char)**p)) {
        int64_t const v = strtoll(*p, &end, 10);
        *p = end;
        return v;
    }
    for (int i = 0; i < tsr_symbolic_count(of); ++i)
        if (tsr_symbolic_name(of, i)[0] == **p) {
            ++*p;
            return number[i];
        }
    ++*p;
    return 1; /* a name that only an unevaluated part has */
}

/** The expression with products of numbers in the place of products of names. */
static void put_numbers(char *out, size_t size, char const *from)
{
    size_t n = 0;
    while (*from && n + 24 < size) {
        bool const word = islower((unsigned char)*from) || strncmp(from, "Layout", 6) == 0;
        if (strncmp(from, "Sw<", 3) == 0)
            while (*from && (n == 0 || out[n - 1] != '>'))
                out[n++] = *from++;
        else if (word)
            while (isalpha((unsigned char)*from) || *from == '_')
                out[n++] = *from++;
        else if (isdigit((unsigned char)*from) || isupper((unsigned char)*from)) {
            int64_t v = value_of(&from);
            while (*from == '*') {
                ++from;
                v *= value_of(&from);
            }
            n += (size_t)snprintf(out + n, size - n, "%lld", (long long)v);
        } else
            out[n++] = *from++;
    }
    out[n] = 0;
}

static void wrong(char const *what, char const *numbers, tsr_layout got, tsr_layout wanted)
{
    char a[1024], b[1024], result[1024], guards[256];
    tsr_format_layout(a, sizeof a, got, 0);
    tsr_format_layout(b, sizeof b, wanted, 0);
    tsr_symbolic_format(result, sizeof result, of);
    tsr_symbolic_format_guards(guards, sizeof guards, of);
    if (failed++ < 12)
        printf("FAILED %s\n    %s is %s\n    if %s\n    %s\n    got    %s\n    wanted %s\n", what, text, result,
               guards, numbers, a, b);
}

/** Modes of the same sizes, and theirs. */
static bool same_modes(tsr_layout a, tsr_layout b, int depth)
{
    int64_t const rank = tsr_layout_rank(a);
    if (tsr_layout_size(a) != tsr_layout_size(b))
        return false;
    if (depth == 0 || rank != tsr_layout_rank(b))
        return depth < 2;
    for (int64_t i = 0; rank > 1 && i < rank; ++i)
        if (!same_modes(tsr_mode(a, i), tsr_mode(b, i), depth - 1))
            return false;
    return true;
}

/** Numbers leave out modes of one element. */
static bool has_one(tsr_layout const *l)
{
    for (int i = 0; i < l->shape.leaves; ++i)
        if (l->shape.leaf[i].value == 1)
            return true;
    return false;
}

/** Does the left inverse map each value of the operand to its coordinate, as the one of numbers does? Behind the last
 *  value the two may go on differently. */
static bool inverts(char const *operand, tsr_layout const *got, tsr_layout const *wanted)
{
    char numbers[LONGEST];
    put_numbers(numbers, sizeof numbers, operand);
    tsr_layout const l = tsr_parse_layout(numbers, TSR_TEXT_STATIC, NULL);
    bool ok = !l.shape.status;
    for (int64_t i = 0; ok && i < tsr_layout_size(l); ++i) {
        tsr_tuple const at = tsr_layout_at(l, tsr_s(i));
        ok = tsr_tuple_number(tsr_layout_at(*got, at)) == tsr_tuple_number(tsr_layout_at(*wanted, at));
    }
    return ok;
}

static void try_numbers(char const *operand)
{
    char numbers[LONGEST];
    int64_t factor[TSR_SYMBOLS];
    tsr_message error;
    tsr_layout got;
    for (int i = 0; i < TSR_SYMBOLS; ++i)
        factor[i] = 1 + below(below(3) ? 3 : 5);
    tsr_symbolic_numbers(of, factor, number);
    put_numbers(numbers, sizeof numbers, text);
    if (!tsr_symbolic_layout_at(of, number, &got, &error)) {
        bool const overflow = strstr(error.text, "64-bit") || strstr(error.text, "64 bits");
        if (!overflow)
            printf("FAILED %s: %s\n", text, error.text);
        failed += !overflow;
        large += overflow;
        return;
    }
    if (tsr_layout_size(got) > LARGEST) {
        ++large;
        return;
    }
    tsr_layout const wanted = tsr_parse_layout(numbers, TSR_TEXT_STATIC, &error);
    if (wanted.shape.status)
        wrong("numbers are refused", numbers, got, wanted);
    else if (operand && text[0] == 'l') {
        if (inverts(operand, &got, &wanted))
            ++agreed;
        else
            wrong("the inverses differ", numbers, got, wanted);
    } else if (!merges && text[0] != 'c' && !has_one(&got) && !same_modes(got, wanted, 2))
        wrong("the modes differ", numbers, got, wanted);
    else if (tsr_same_function(got, wanted).answer != TSR_YES)
        wrong("the functions differ", numbers, got, wanted);
    else {
        ++agreed;
        modes += !merges && text[0] != 'c' && !has_one(&got);
    }
}

/** Sizes and offsets, and what they are of numbers. */
static void try_measure(void)
{
    char numbers[LONGEST];
    int64_t factor[TSR_SYMBOLS], got = 0;
    tsr_message error;
    for (int i = 0; i < TSR_SYMBOLS; ++i)
        factor[i] = 1 + below(4);
    tsr_symbolic_numbers(of, factor, number);
    put_numbers(numbers, sizeof numbers, text);
    bool const known = tsr_symbolic_number_at(of, number, &got, &error);
    int64_t const wanted = tsr_tuple_number(tsr_parse_tuple(numbers, TSR_TEXT_STATIC, NULL));
    if (!known || got != wanted) {
        printf("FAILED %s, %s: got %lld, wanted %lld %s\n", text, numbers, (long long)got, (long long)wanted,
               error.text);
        ++failed;
    }
    ++agreed;
}

/** The result with the numbers of `of`, by name. */
static void write_at(char *out, size_t size, tsr_symbolic const *e)
{
    int64_t mine[TSR_SYMBOLS] = {0};
    tsr_message error;
    tsr_layout l;
    for (int i = 0; i < tsr_symbolic_count(e); ++i)
        for (int k = 0; k < tsr_symbolic_count(of); ++k)
            if (strcmp(tsr_symbolic_name(e, i), tsr_symbolic_name(of, k)) == 0)
                mine[i] = number[k];
    if (tsr_symbolic_layout_at(e, mine, &l, &error))
        tsr_format_layout(out, size, l, 0);
    else
        snprintf(out, size, "%s", error.text);
}

/** What is written is read as the same layout, under the guards that are written. */
static void try_text(void)
{
    char result[LONGEST], guards[LONGEST], at[LONGEST], at_again[LONGEST] = "";
    tsr_message error = {0, ""};
    tsr_symbolic_format(result, sizeof result, of);
    tsr_symbolic_format_guards(guards, sizeof guards, of);
    tsr_symbolic *const e = tsr_symbolic_read(result, strcmp(guards, "1") == 0 ? "" : guards, &error);
    write_at(at, sizeof at, of);
    if (e)
        write_at(at_again, sizeof at_again, e);
    if (strcmp(at, at_again) != 0) {
        printf("FAILED %s if %s is %s, and read again %s %s\n", result, guards, at, at_again, error.text);
        ++failed;
    }
    tsr_symbolic_free(e);
}

/** Numbers that break a guard are refused, and so is a number that is not positive. */
static void try_broken(void)
{
    int64_t factor[TSR_SYMBOLS];
    tsr_message error;
    tsr_layout got;
    for (int i = 0; i < TSR_SYMBOLS; ++i)
        factor[i] = 1;
    tsr_symbolic_numbers(of, factor, number);
    for (int i = 0; i < tsr_symbolic_count(of); ++i) {
        int64_t const right = number[i];
        int64_t const wrongs[] = {0, -right, right > 1 ? right + 1 : 0, right > 2 ? right - 1 : 0};
        for (int k = 0; k < 4; ++k) {
            number[i] = wrongs[k];
            bool const taken = tsr_symbolic_layout_at(of, number, &got, &error);
            if (taken)
                printf("FAILED %s takes %s = %lld\n", text, tsr_symbolic_name(of, i), (long long)wrongs[k]);
            failed += taken;
            broken += !taken;
        }
        number[i] = right;
    }
}

static void try_case(void)
{
    static char const *const given[] = {"", "M % 8 == 0", "M % 16 == 0, K % 4 == 0", "K % T == 0",
                                        "M % 6 == 0 && N % 2 == 0"};
    tsr_message error;
    text[0] = 0;
    merges = false;
    bool const inverse = below(8) == 0, measured = !inverse && below(8) == 0;
    char const *operand = NULL;
    swizzles = !measured && below(3) == 0;
    say(!measured ? "" : below(2) ? "size(" : "cosize(");
    if (inverse)
        operand = say_inverse();
    else if (measured)
        say_layout(true);
    else
        say_operation(1);
    say(measured ? ")" : "");
    tsr_symbolic *const e = tsr_symbolic_read(text, given[below(5)], &error);
    if (!e) {
        ++refused;
        return;
    }
    of = e;
    for (int i = 0; !measured && i < DRAWS; ++i)
        try_numbers(operand);
    if (measured)
        try_measure();
    else
        try_text();
    if (!measured)
        try_broken();
    tsr_symbolic_free(e);
}

int main(int argc, char **argv)
{
    long const cases = OF_CASES(argc > 2 ? atol(argv[2]) : 20000);
    random_begin(argc > 1 ? (uint64_t)atol(argv[1]) : 1);
    for (long i = 0; i < cases; ++i)
        try_case();
    printf("%ld expressions, %ld refused; draws of numbers: %ld agree, %ld of them mode by mode, %ld are too large, "
           "%ld fail; %ld numbers that break a guard are refused\n",
           cases, refused, agreed, modes, large, failed, broken);
    return failed > 0 || agreed < cases / 4;
}

/** Layouts over named sizes: expressions, their results and guards as text, and why others are refused. */
#include <stdio.h>
#include <string.h>

#include "../random.h"
#include "tessera/symbolic.h"

static int failed = 0;

/** given, expression, result, guards; without guards the result is how the refusal begins. */
static char const *const table[][4] = {
    {"M % 128 == 0", "logical_divide((M,K):(K,1), (128,32))", "((128,M/128),(32,K/32)):((K,128*K),(1,32))",
     "M % 128 == 0 && K % 32 == 0"},
    {"", "zipped_divide((M,K):(K,1), (128,32))", "((128,32),(M/128,K/32)):((K,1),(128*K,32))",
     "M % 128 == 0 && K % 32 == 0"},
    {"M % 128 == 0 && K % 96 == 0", "zipped_divide((M,K):(K,1), (64,32))", "((64,32),(M/64,K/32)):((K,1),(64*K,32))",
     "M % 128 == 0 && K % 96 == 0"},
    {"M % 12 == 0", "zipped_divide(M:1, (8))", "((8),(M/8)):((1),(8))", "M % 24 == 0"},
    {"", "tiled_divide((M,K):(K,1), (T,_))", "((T,1),M/T,K):((K,0),K*T,1)", "M % T == 0"},
    {"", "flat_divide((M,K):(1,M), <4:1,8:2>)", "(4,8,M/4,(2,K/16)):(1,2*M,4,(M,16*M))", "M % 4 == 0 && K % 16 == 0"},
    {"", "logical_divide((M,K):(K,1), 128)", "(128,(M/128,K)):(K,(128*K,1))", "M % 128 == 0"},
    {"M % K == 0, K % 32 == 0", "zipped_divide((M,N):(N,1), (K,64))", "((K,64),(M/K,N/64)):((N,1),(K*N,64))",
     "K % 32 == 0 && N % 64 == 0 && M % K == 0"},
    {"K % 32 == 0", "((M/(K/32)),8):(1,0)", "((M/(K/32)),8):(1,0)", "incongruent"},
    {"K % 32 == 0", "M/(K/32):1", "M/(K/32):1", "K % 32 == 0 && M % (K/32) == 0"},
    {"", "composition((M,K):(K,1), 32:1)", "32:K", "M % 32 == 0"},
    {"", "composition((M,K):(K,1), (K,M):(M,1))", "(K,M):(1,K)", "1"},
    {"", "coalesce((M,(1,K)):(1,(7,M)))", "M*K:1", "1"},
    {"", "complement(4:M, M*N)", "(M,N/4):(1,4*M)", "N % 4 == 0"},
    {"", "complement((M,2):(2,1))", "1:0", "1"},
    {"", "composition(composition(M:1, 1), 8)", "8:1", "1"},
    {"", "make_layout (make_shape(M,K), make_stride (K,1))", "(M,K):(K,1)", "1"},
    {"", "zipped_divide (make_layout( make_shape (M,8)), make_tuple(4,8))", "((4,8),(M/4,1)):((1,M),(4,0))",
     "M % 4 == 0"},
    {"", "logical_product(4:1, M:1)", "(4,M):(1,4)", "1"},
    {"", "blocked_product((8,8):(8,1), make_layout((M/8,N/8)))", "((8,M/8),(8,N/8)):((8,64),(1,8*M))",
     "M % 8 == 0 && N % 8 == 0"},
    {"", "raked_product((2,5):(5,1), (M):(1))", "((M,2),(1,5)):((10,5),(0,1))", "1"},
    {"", "make_layout((M,(4,K)), LayoutRight)", "(M,(4,K)):(4*K,(K,1))", "1"},
    {"", "flatten((M,(4,K)):(1,(M,4*M)))", "(M,4,K):(1,M,4*M)", "1"},
    {"", "transpose((M,K):(K,1))", "(K,M):(1,K)", "1"},
    {"", "size((M,(2,K)):(K,(0,1)))", "2*M*K", "1"},
    {"", "cosize((M,K):(2*K,1))", "-K + 2*M*K", "1"},
    {"", "shape((M,K):(K,1))", "(M,K)", "1"},
    {"", "stride((M,K):(K,1))", "(K,1)", "1"},
    {"", "rank((M,K):(K,1))", "2", "1"},
    {"", "call((M,K):(K,1), i, j)", "K*i + j", "1"},
    {"", "call((M,K):(K,1), (i,0))", "K*i", "1"},
    {"", "call((M,(2,K)):(K,(7,1)), (_,0))", "(M):(K)", "1"},
    {"", "M*3/4:1", "3*(M/4):1", "M % 4 == 0"},
    {"", "(_8,M):(_1,_8)", "(8,M):(1,8)", "1"},
    {"", "logical_divide((M,K):(1,M), 128)",
     "M*K must be a multiple of 128: give a guard of one of its factors, as M % 128 == 0"},
    {"", "complement(3:1, 32)", "11:3", "1"},
    {"", "composition((4,M):(1,8), 3:1)", "3:1", "1"},
    {"", "composition((4,M):(1,8), 6:1)", "6 is not a multiple of 4"},
    {"", "logical_divide((M,K):(K,1), _)", "(M,K):(K,1)", "1"},
    {"", "composition((M,K):(K,1), (2,2):(1,1))", "composition: no order of the strides is known"},
    {"", "composition((M,K):(K,1), 4:-1)", "composition: a stride on the right is negative"},
    {"", "zipped_divide((M,K):(K,1), (1,2,3))", "the tiler has 3 modes, the layout has 2"},
    {"", "zipped_divide((M,K):(K,1), ((2,2),1))", "the tiler has 2 modes, the layout has 1"},
    {"", "zipped_divide(((M,K),4):((1,M),7), <<2,2>,3>)", "(((2,2),3),((M/2,K/2),2)):(((1,M),7),((2,2*M),21))",
     "M % 2 == 0 && K % 2 == 0"},
    {"", "logical_divide((M,4):(4,1), (T,3))", "((T,M/T),(3,2)):((4,4*T),(1,3))", "M % T == 0"},
    {"", "logical_divide((M,K):(K,1), size((4,2)))", "(8,(M/8,K)):(K,(8*K,1))", "M % 8 == 0"},
    {"", "(shape<1>(right_inverse((4,8):(8,1))),M):(1,2)", "(4,M):(1,2)", "1"},
    {"", "complement((2,M):(1,3))", "the cosize is no product of sizes: give a cotarget, complement(L, n)"},
    {"", "call((M,K):(K,1), i)", "one number counts several modes here, which needs / and %"},
    {"", "call((M,K):(K,1), (_,0,1))", "the coordinate does not fit the shape at mode 0: rank 3 against rank 2"},
    {"", "call((M,(2,K)):(K,(7,1)), (0,(_,1)))", "(2):(7)", "1"},
    {"", "(M,K):1", "shape and stride are not congruent"},
    {"", "with_shape((M,K):(1,M), (M*K))", "(M*K):(1)", "1"},
    {"", "with_shape((M,K):(K,1), (4,M/4,K))", "(4,M/4,K):(K,4*K,1)", "M % 4 == 0"},
    {"", "compose((M,K):(K,1), (4,_))", "(4,K):(K,1)", "1"},
    {"", "tile_to_shape((8,8):(8,1), (M,K))", "((8,M/8),(8,K/8)):((8,64),(1,8*M))", "M % 8 == 0 && K % 8 == 0"},
    {"", "tile_to_shape(8:1, (M,K))", "((8,M/8),(1,K)):((1,8),(0,M))", "M % 8 == 0"},
    {"", "tile_to_shape((8,8):(8,1), (M,K), LayoutRight)", "((8,M/8),(8,K/8)):((8,8*K),(1,64))",
     "M % 8 == 0 && K % 8 == 0"},
    {"", "tile_to_shape((8,8):(8,1), (M,K), (2,1))", "((8,M/8),(8,K/8)):((8,8*K),(1,64))",
     "M % 8 == 0 && K % 8 == 0"},
    {"", "tile_to_shape(8:1, (M,K), (M,1))", "mode 0 of the order is no number"},
    {"", "tile_to_shape(8:1, (M,K), (1,2,3))", "the order needs a number for each of 2 modes"},
    {"", "make_ordered_layout((M,K,4), (3,1,2))", "(M,K,4):(4*K,1,K)", "1"},
    {"", "right_inverse((M,K):(K,1))", "(K,M):(M,1)", "1"},
    {"", "right_inverse((M,K):(2*K,1))", "K:M", "1"},
    {"", "right_inverse((M,K):(N,1))", "right_inverse: for some sizes the stride of mode 0 follows the smaller ones"},
    {"", "right_inverse((M,K):(1,1))", "right_inverse: modes 0 and 1 have the same stride"},
    {"", "left_inverse((M,K):(N,1))", "(N,M):(M,1)", "N % K == 0"},
    {"", "left_inverse((M,K):(-1,M))", "left_inverse: the stride of mode 0 is negative"},
    {"", "left_inverse((M,K):(K,M))", "left_inverse: no order of the strides is known"},
    {"", "left_inverse((M,K):(1,1@0))", "the basis element of mode 0 cannot be combined with a plain integer"},
    {"", "left_inverse((64,(K,2)):(1@0,(1@1,64@0)))", "((64,2),K):((1,64*K),64)", "1"},
    {"", "right_inverse((4,M):(1@1,1@1@4))", "(1,4,1,1,(1,M)):(0,1,0,0,(0,4))", "1"},
    {"", "zipped_divide(make_identity_layout((M,K)), (128,64))", "((128,64),(M/128,K/64)):((1@0,1@1),(128@0,64@1))",
     "M % 128 == 0 && K % 64 == 0"},
    {"", "zipped_divide((M,K):(1@0,2*N@1@1), (_,64))", "((1,64),(M,K/64)):((0,2*N@1@1),(1@0,128*N@1@1))",
     "K % 64 == 0"},
    {"", "composition((M,K):(K,1), (4,8):(1@0,2@1))", "(4,8):(K,2)", "1"},
    {"", "composition((M,K):(K,1), (4,8):(1@0,2@2))", "mode 2 does not exist: the rank is 2"},
    {"", "coalesce((M,K,4):(1@0,M@0,1@1))", "(M*K,4):(1@0,1@1)", "1"},
    {"", "call((M,K):(1@0,K@1), (_,0))", "(M):(1@0)", "1"},
    {"", "cosize((M,K):(1@0,1@1))", "M*K", "1"},
    {"", "cosize((M,4):(1@0,K@0))", "M + 3*K", "1"},
    {"", "cosize(((M,2),K):((1@0,N@0),1@1))", "the cosize is a product of sums of sizes"},
    {"", "call((M,K):(1@0,1@1), (3,j))", "(3,j)", "1"},
    {"", "call((M,(8,K)):(1@0,(M@0,2@1@1)), (0,(2,K)))", "(2*M,(0,2*K))", "1"},
    {"", "call((M,K):(2@1,1@1), (0,M))", "(0,M)", "1"},
    {"", "call((M,K):(1@0,M@0), (i,j))", "component 0 of the coordinate is a sum of sizes, which no tuple holds"},
    {"", "call((M,K):(1@0,1), (i,j))", "the basis element of mode 0 cannot be combined with a plain integer"},
    {"", "slice((_,3), (M,K):(1@0,1@1))", "(M):(1@0)", "1"},
    {"", "slice((3,(_,i)), (M,(2,K)):(K,(7,1)))", "(2):(7)", "1"},
    {"", "slice((_,_,3), (M,K):(K,1))", "the coordinate does not fit the shape at mode 0: rank 3 against rank 2"},
    {"", "slice((_,3), Sw<3,3,3> o (M,64):(64,1))", "slice does not take a layout behind a swizzle here"},
    {"", "dice((_,3), (M,K):(1@0,1@1))", "(K):(1@1)", "1"},
    {"", "logical_product(M:1@0, 2)", "complement: mode 0 has a basis stride, and the strides of offsets are needed"},
    {"", "Sw<1,0,1> o (M,K):(1@0,1@1)", "mode 0 has a basis stride, so the layout gives coordinates"},
    {"", "M:1@31", "a basis element names modes 0 to 30, in at most 6 levels"},
    {"", "get<0>(zipped_divide((M,K):(K,1), (128,32)))", "(128,32):(K,1)", "M % 128 == 0 && K % 32 == 0"},
    {"", "size<1,0>(zipped_divide((M,K):(K,1), (128,32)))", "M/128", "M % 128 == 0 && K % 32 == 0"},
    {"", "get<2>((M,K):(K,1))", "mode 2 does not exist: the rank is 2"},
    {"", "get<0>((M,K))", "M", "1"},
    {"", "get<0((M,K):(K,1))", "`,` or `>` is expected here"},
    {"", "get<0>", "`(` is expected here"},
    {"", "coalesce<1>((M,K):(K,1))", "coalesce takes no modes in brackets"},
    {"", "rank(cosize((M,K):(2*K,1)))", "rank takes sizes, not sums of them"},
    {"", "take<0,2>((M,4,K):(4,1,4*M))", "(M,4):(4,1)", "1"},
    {"", "select<1,0>((M,K):(K,1))", "(K,M):(1,K)", "1"},
    {"", "group<0,2>((M,4,K):(4,1,4*M))", "((M,4),K):((4,1),4*M)", "1"},
    {"", "append((M,K):(K,1), 4:M*K)", "(M,K,4):(K,1,M*K)", "1"},
    {"", "make_layout(M:1, (4,K):(K,1))", "(M,(4,K)):(1,(K,1))", "1"},
    {"", "zip(((M,2),(4,K)):((1,M),(2*M,8*M)))", "((M,4),(2,K)):((1,2*M),(M,8*M))", "1"},
    {"", "append((M,K):(K,1), make_identity_layout((4,8)))", "(M,K,(4,8)):(K,1,(1@0,1@1))", "1"},
    {"", "depth((M,(2,K)):(1,(M,2*M)))", "2", "1"},
    {"", "bank_conflicts<float>((_32,_1):(_32,_0))", "32", "1"},
    {"", "coalesce(append((M,K):(K,1), make_identity_layout((4,8))))", "(M,K,4,8):(K,1,1@0,1@1)", "1"},
    {"", "tile_to_shape((8,8):(8,1), M)", "the block has 2 modes, the target 1"},
    {"", "(M,0):(1,1)", "extent 0 of mode 1 is not positive"},
    {"", "(-1*M):(1)", "extent -1 of mode 0 is not positive"},
    {"", "(M,_):(1,1)", "a size is needed here, not `_` or an order"},
    {"", "complement(M:1, _)", "a size is needed here, not `_` or an order"},
    {"", "(LayoutLeft,M):(1,1)", "a size is needed here, not `_` or an order"},
    {"", "logical_divide(M:1, 0)", "extent 0 of mode 0 is not a positive integer"},
    {"M % 0 == 0", "M:1", "guards: M is not a multiple of 0"},
    {"", "(M+1):1", "a size is a product of numbers and names, not a sum"},
    {"", "upcast(M:1)", "upcast is not defined for sizes with names"},
    {"", "size(M, K)", "size does not take these 2 arguments"},
    {"", "<M:1>", "a tiler alone has no value over named sizes"},
    {"", "(M,()):(1,())", "a size is needed here"},
    {"", "(M,K):(K,1) x", "nothing may follow the expression"},
    {"", "(M,K", "`,` or `)` is expected here"},
    {"", "<M", "`,` or `>` is expected here"},
    {"", "(M:1):1", "shape and stride of S:D must be sizes or tuples"},
    {"", "(size(M:1),2)", "(M,2)", "1"},
    {"", "(cosize((M,K):(2*K,1)),2)", "a tuple holds sizes and tuples"},
    {"", "99999999999999999999", "99999999999999999999 does not fit in 64 bits"},
    {"", "(M*9223372036854775807,N*9223372036854775807):(1,2)", NULL},
    {"", "size((M*9223372036854775807,N*9223372036854775807):(1,2))", "arithmetic on 9223372036854775807 leaves"},
    {"", "(a*b,c*d,e*f,g*h,i*j,k*l,m*n,o*p,q)", "at most 16 names, of at most 15 characters"},
    {"", "abcdefghijklmnopq:1", "at most 16 names, of at most 15 characters"},
    {"", "Sw<3,3,3> o (M,64):(64,1)", "Sw<3,3,3> o _0 o (M,64):(64,1)", "1"},
    {"", "get<1>(tiled_divide(Sw<2,0,-3> o _0 o (M,K):(K,1), (4,_)))", "Sw<2,0,-3> o _0 o M/4:4*K", "M % 4 == 0"},
    {"", "size(Sw<3,3,3> o (M,64):(64,1))", "64*M", "1"},
    {"", "cosize(Sw<3,3,3> o (M,64):(64,1))", "cosize does not take a layout behind a swizzle here"},
    {"", "composition((M,64):(64,1), Sw<1,0,1> o 4:1)", "composition does not take a layout behind a swizzle here"},
    {"", "zipped_divide((M,64):(64,1), <Sw<1,0,1> o 4:1,2>)", "a tiler cannot hold a swizzled layout"},
    {"", "Sw<1,0,1> o Sw<1,0,1> o M:1", "one swizzle stands in front of a layout here"},
    {"", "Sw<3,3,2> o M:1", "B and M of Sw<B,M,S> are not negative"},
    {"", "Sw<3,3> o M:1", "a swizzle is written Sw<B,M,S>"},
    {"", "(M,Sw<3,3,3>)", "a swizzle stands in front of a layout"},
    {"", "Sw<3,3,3> o (M,K)", "behind a swizzle comes a layout"},
    {"", "((((((((((((((((((((((((((M))))))))))))))))))))))))))", "the expression nests too deep"},
    {"M*K % 8 == 0", "M:1", "guards: M*K must be a multiple of 8: give a guard of one of its factors"},
    {"M % K == 0, K % M == 0", "M:1", "guards: K is not a multiple of M"},
    {"M % 8", "M:1", "guards: a guard is `name % divisor == 0`: `==` is expected here"},
    {"M", "M:1", "guards: a guard is `name % divisor == 0`: `%` is expected here"},
    {"M % 8 == 1", "M:1", "guards: a guard is `name % divisor == 0`: 0 is expected here"},
    {"M % 8 == 0 K", "M:1", "guards: `,` or `&&` is expected between guards"},
};

static void complain(int i, char const *got)
{
    printf("FAILED [%s] %s\n    got    %s\n    wanted %s\n", table[i][0], table[i][1], got,
           table[i][2] ? table[i][2] : "a value");
    ++failed;
}

static void try_row(int i)
{
    char text[2048], guards[512];
    tsr_message error;
    char const *const wanted = table[i][2], *const wanted_guards = table[i][3];
    tsr_symbolic *const e = tsr_symbolic_read(table[i][1], table[i][0], &error);
    if (!e) {
        if (!wanted || (wanted_guards && strcmp(wanted_guards, "incongruent") != 0)
            || (!wanted_guards && strncmp(error.text, wanted, strlen(wanted)) != 0))
            complain(i, error.text);
        return;
    }
    tsr_symbolic_format(text, sizeof text, e);
    tsr_symbolic_format_guards(guards, sizeof guards, e);
    if (wanted && (!wanted_guards || strcmp(text, wanted) != 0))
        complain(i, text);
    else if (wanted_guards && strcmp(guards, wanted_guards) != 0)
        complain(i, guards);
    tsr_symbolic_free(e);
}

/** Other characters in the place of some, which may be read or refused. */
static void try_hostile(int i)
{
    static char const letters[] = "()<>,:*/%_-=&MK 0123456789abL@\"";
    char text[256], given[128], out[4096];
    tsr_message error;
    snprintf(text, sizeof text, "%s", table[i][1]);
    snprintf(given, sizeof given, "%s", table[i][0]);
    for (int k = (int)below(4); k >= 0; --k) {
        char *const at = below(4) && text[0] ? text : given;
        size_t const n = strlen(at);
        if (n > 0)
            at[below((int64_t)n)] = letters[below((int64_t)sizeof letters - 1)];
    }
    tsr_symbolic *const e = tsr_symbolic_read(text, given, &error);
    if (!e && (!error.text[0] || error.at > strlen(text))) {
        printf("FAILED [%s] %s is refused without words, or beyond its end\n", given, text);
        ++failed;
    }
    if (!e)
        return;
    tsr_symbolic_format(out, sizeof out, e);
    if (tsr_symbolic_is_layout(e) && !tsr_symbolic_emit(out, sizeof out, (tsr_code)below(TSR_CODES), e, &error)
        && !error.text[0])
        ++failed;
    tsr_symbolic_free(e);
}

/** Names of up to 15 letters, each to the power of up to 15, times each other, of `length` characters together. */
static void long_product(char *text, size_t length)
{
    size_t n = 0;
    for (int factor = 0; n < length; ++factor) {
        size_t const rest = length - n, letters = rest > 16 ? 15 : rest == 16 ? 8 : rest;
        memset(text + n, 'A' + factor / 15, letters);
        n += letters;
        if (n < length)
            text[n++] = '*';
    }
    text[n] = 0;
}

static void check_long(bool ok, size_t length, char const *what)
{
    failed += !ok;
    if (!ok)
        printf("FAILED a text of %zu characters: %s\n", length, what);
}

/** Texts on both sides of every round length are written whole, or refused: a divisor of a guard, a quotient, a stride,
 *  and a refusal that names it. */
static void try_long(size_t length)
{
    static char by[4096], given[8192], text[1 << 15], guards[1 << 15], code[1 << 16], wanted[1 << 15];
    tsr_message error;
    long_product(by, length);
    bool const plain = !strchr(by, '*');
    snprintf(given, sizeof given, plain ? "Z %% %s == 0" : "Z %% (%s) == 0", by);
    snprintf(wanted, sizeof wanted, plain ? "(Z/%s):(1)" : "(Z/(%s)):(1)", by);
    tsr_symbolic *const e = tsr_symbolic_read(wanted, given, &error);
    check_long(e != NULL, length, error.text);
    if (!e)
        return;
    size_t const n = tsr_symbolic_format(text, sizeof text, e),
                 m = tsr_symbolic_format_guards(guards, sizeof guards, e);
    check_long(n == strlen(text) && strcmp(text, wanted) == 0, length, text);
    check_long(m == strlen(guards) && strcmp(guards, given) == 0, length, guards);
    check_long(tsr_symbolic_emit(code, sizeof code, TSR_CODE_C, e, &error) && strstr(code, guards), length,
               error.text);
    check_long(!tsr_symbolic_emit(code, n + m, TSR_CODE_C, e, &error) && error.text[0], length,
               "emitted code is cut");
    tsr_symbolic_free(e);
    snprintf(text, sizeof text, "complement(%s:1, 7)", by);
    check_long(!tsr_symbolic_read(text, "", &error) && (strlen(error.text) > length || length > 3900), length,
               error.text);
}

int main(void)
{
    static size_t const lengths[] = {16, 32, 48, 64, 80, 96, 128, 256, 512, 1024, 2048, 3000};
    random_begin(1);
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; ++i)
        for (size_t n = lengths[i] - 12; n < lengths[i] + 4; ++n)
            try_long(n);
    for (int k = 0; k < 300; ++k)
        for (int i = 0; i < (int)(sizeof table / sizeof table[0]); ++i)
            try_hostile(i);
    for (int i = 0; i < (int)(sizeof table / sizeof table[0]); ++i)
        try_row(i);
    printf("%d failed\n", failed);
    return failed > 0;
}

/** Names of modes: what an expression with them gives, and that names change no value.
 *
 *  Every table is one of texts; then 5,000 random layouts are sliced and divided by names, and by places. */
#include <stdio.h>
#include <string.h>

#include "random.h"
#include "tessera/text.h"

static int failed = 0;

/** The value of an expression, or why it has none. */
static char const *value_of(char const *expression)
{
    static char text[2][4096];
    static int which;
    which = 1 - which;
    tsr_calc(expression, 0, text[which], sizeof text[which]);
    return text[which];
}

static void expect(char const *expression, char const *wanted)
{
    char const *const got = value_of(expression);
    if (strncmp(got, wanted, strlen(wanted)) == 0 && (got[strlen(wanted)] == 0 || strchr(wanted, ' ')))
        return;
    printf("FAILED %s\n    got    %s\n    wanted %s\n", expression, got, wanted);
    ++failed;
}

static char const *const table[][2] = {
    {"(m=4,n=8):(8,1)", "(m=4,n=8):(8,1)"},
    {"(m=4,n=8)", "(m=4,n=8)"},
    {"( m = 4 )", "unknown name `m`"},
    {"(m=4,n=(2,4)):(8,(1,2))", "(m=4,n=(2,4)):(8,(1,2))"},
    {"Sw<1,0,1> o (m=4,n=8):(8,1)", "Sw<1,0,1> o _0 o (m=4,n=8):(8,1)"},
    {"<m=4:1,n=_>", "<m=4:1,n=_>"},
    {"(m=4,n=8):(8,1)[m=2]", "(n=8):(1)"},
    {"(m=4,n=8):(8,1)[n=1,m=2]", "17"},
    {"(m=4,n=8):(8,1)[n=_]", "(m=4,n=8):(8,1)"},
    {"(m=4,n=(2,4)):(8,(1,2))[n=(1,_)]", "(4,4):(8,2)"},
    {"(m=4,n=8):(8,1)[n=3][m=1]", "8"},
    {"slice((n=2), (m=4,n=8):(8,1))", "(m=4):(8)"},
    {"slice_and_offset((n=2), (m=4,n=8):(8,1))", "((4):(8),2)"},
    {"logical_divide((m=4,n=8):(8,1), (n=2))", "(m=4,n=(2,4)):(8,(1,2))"},
    {"logical_divide((m=4,n=8):(8,1), <n=2:4,m=2>)", "(m=(2,2),n=(2,(4,1))):((8,16),(4,(1,8)))"},
    {"zipped_divide((m=4,n=8):(8,1), (n=2,m=4))", "((4,2),(1,4)):((8,1),(32,2))"},
    {"composition((m=4,n=8):(8,1), (n=4,m=2))", "(m=2,n=4):(8,1)"},
    {"composition((m=4,n=8):(8,1), 4:1)", "(4,1):(8,1)"},
    {"coalesce((m=(_2,_2),n=_8):((_8,_16),_1), (1,1))", "(m=_4,n=_8):(_8,_1)"},
    {"coalesce((m=2,n=8):(8,1))", "(2,8):(8,1)"},
    {"layout_add((m=4,n=8):(8,1), 32:2)", "(m=4,n=8):(10,9)"},
    {"shape((m=4,n=8):(8,1))", "(m=4,n=8)"},
    {"stride((m=4,n=8):(8,1))", "(m=8,n=1)"},
    {"size((m=4,n=8):(8,1))", "32"},
    {"ceil_div((m=100,n=200), (n=64,m=32))", "(m=4,n=4)"},
    {"(m=4,8):1", "all modes have names, or none has: (m=4,n=8)"},
    {"(4,n=8):1", "all modes have names, or none has: (m=4,n=8)"},
    {"(m=4,m=8)", "two modes have this name"},
    {"(m=(a=2,b=2),n=8):((1,2),4)", "names are of the outermost modes: (m=(2,2),n=8)"},
    {"(m=4,n=8):(m=8,n=1)", "the names of modes stand in the shape: (m=4,n=8):(8,1)"},
    {"(4,8):(8,1)[m=2]", "L[m=1] is of a layout whose modes have names: (m=4,n=8):(8,1)[m=1]"},
    {"(m=4,n=8):(8,1)[k=2]", "no mode has the name `k`; the modes are m,n"},
    {"logical_divide((m=4,n=8):(8,1), (k=2))", "no mode has the name `k`; the modes are m,n"},
    {"(m=4,n=8):(8,1)[2]", "a name is expected here: L[m=1]"},
    {"(m=4,n=8):(8,1)[m=2", "`,` or `]` is expected here"},
    {"(m=4,n=8):(8,1)[", "the expression ends too early"},
    {"(4,8):(_1@0,_2@1@0+_4@1)", "(4,8):(_1@0,_2@1@0+_4@1)"},
    {"(m=4,n=8):(_1@0+_1@1,_1@1)", "(m=4,n=8):(_1@0+_1@1,_1@1)"},
    {"1@0+1@1", "a sum of basis elements is a stride: (4,8):(_1@0+_1@1,_1@1)"},
};

static void random_layout(char *named, char *plain, size_t size, int rank)
{
    char with[256] = "", without[256] = "", strides[256] = "";
    for (int i = 0; i < rank; ++i) {
        int const n = 1 << below(4), d = (int)below(65);
        snprintf(with + strlen(with), sizeof with - strlen(with), "%s%c%d=%d", i ? "," : "", 'a' + i, i, n);
        snprintf(without + strlen(without), sizeof without - strlen(without), "%s%d", i ? "," : "", n);
        snprintf(strides + strlen(strides), sizeof strides - strlen(strides), "%s%d", i ? "," : "", d);
    }
    snprintf(named, size, "(%s):(%s)", with, strides);
    snprintf(plain, size, "(%s):(%s)", without, strides);
}

/** Takes the names out of a text. */
static void forget(char *out, char const *text)
{
    for (; *text; ++text)
        if (*text >= 'a' && *text <= 'e' && text[1] >= '0' && text[1] <= '4' && text[2] == '=')
            text += 2;
        else
            *out++ = *text;
    *out = 0;
}

static void same_without_names(char const *named, char const *plain)
{
    char got[4096];
    forget(got, value_of(named));
    if (strcmp(got, value_of(plain)) == 0)
        return;
    printf("FAILED %s is %s, but %s is %s\n", named, value_of(named), plain, value_of(plain));
    ++failed;
}

static void try_random(void)
{
    char named[600], plain[600], with[1400], without[1400], names[300] = "", places[300] = "";
    int const rank = 1 + (int)below(5), from = (int)below(rank);
    random_layout(named, plain, sizeof named, rank);
    same_without_names(named, plain);
    for (int k = 0; k < rank; ++k) { /* the names from another one on */
        int const i = (from + k) % rank;
        bool const given = k == 0 || below(2);
        if (given)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%c%d=1", names[0] ? "," : "", 'a' + i,
                     i);
    }
    for (int i = 0; i < rank; ++i) {
        snprintf(with, sizeof with, "%c%d=", 'a' + i, i);
        snprintf(places + strlen(places), sizeof places - strlen(places), "%s%s", i ? "," : "",
                 strstr(names, with) ? "1" : "_");
    }
    snprintf(with, sizeof with, "logical_divide(%s, (%s))", named, names);
    snprintf(without, sizeof without, "logical_divide(%s, (%s))", plain, places);
    same_without_names(with, without);
    for (char *p = names; *p; ++p) /* a coordinate: 0 is in every shape */
        *p = *p == '1' && p > names && p[-1] == '=' ? '0' : *p;
    for (char *p = places; *p; ++p)
        *p = *p == '1' ? '0' : *p;
    snprintf(with, sizeof with, "%s[%s]", named, names);
    snprintf(without, sizeof without, "call(%s, (%s))", plain, places);
    same_without_names(with, without);
}

int main(void)
{
    for (size_t i = 0; i < sizeof table / sizeof table[0]; ++i)
        expect(table[i][0], table[i][1]);
    random_begin(1);
    for (int i = 0; i < 5000; ++i)
        try_random();
    printf("%d failed\n", failed);
    return failed > 0;
}

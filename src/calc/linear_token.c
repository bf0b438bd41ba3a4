/** Linear maps as they are written: linear{in=(basis,..);.. -> out=size;..}. A basis is an integer where there is one
 *  output, else a tuple of integers. */
#include <string.h>

#include "calc/token.h"

/** The bases that were read, each with a number for each output. */
typedef struct bases {
    tsr_linear_side in, out;
    int bits, numbers; /* the rank of a basis that is a tuple; -1: integers, -2: not known yet */
    int64_t number[TSR_LINEAR_BITS][TSR_LINEAR_DIMS];
} bases;

static void expect(tokens *s, char const *token, char const *words)
{
    tsr_token_blanks_(s);
    if (!tsr_token_take_(s, token))
        tsr_token_fail_(s, words);
    tsr_token_blanks_(s);
}

/** name= */
static void read_dim(tokens *s, char *name)
{
    size_t const n = strspn(s->p, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    name[0] = 0;
    if (s->failed || n == 0 || n >= TSR_LINEAR_NAME)
        tsr_token_fail_(s, "a dimension has a name of 1 to 15 letters, digits and _");
    if (s->failed)
        return;
    memcpy(name, s->p, n);
    name[n] = 0;
    s->p += n;
    expect(s, "=", "`=` is expected here: linear{in=(1,2) -> out=4}");
}

/** One basis: 5, or (1,4). */
static void read_basis(tokens *s, bases *b)
{
    char const *const start = s->p;
    bool const tuple = tsr_token_take_(s, "(");
    int n = 0;
    tsr_token_blanks_(s);
    if (b->bits == TSR_LINEAR_BITS) {
        tsr_token_fail_at_(s, start, "a linear map has at most 64 bits");
        return;
    }
    for (bool more = !tuple || *s->p != ')'; more && !s->failed; more = tuple && tsr_token_take_(s, ",")) {
        tsr_token_blanks_(s);
        if (n == TSR_LINEAR_DIMS)
            tsr_token_fail_(s, "a linear map has at most 10 outputs");
        else
            b->number[b->bits][n++] = tsr_token_number_(s);
        tsr_token_blanks_(s);
    }
    if (tuple && !tsr_token_take_(s, ")"))
        tsr_token_fail_(s, "`)` is expected here");
    int const numbers = tuple ? n : -1;
    if (b->numbers != -2 && b->numbers != numbers)
        tsr_token_fail_at_(s, start, "all bases have a number for each output");
    b->numbers = numbers;
    ++b->bits;
}

/** name=(basis,..) */
static void read_input(tokens *s, bases *b)
{
    char name[TSR_LINEAR_NAME];
    int const begin = b->bits;
    read_dim(s, name);
    expect(s, "(", "`(` is expected here: linear{in=(1,2) -> out=4}");
    if (!tsr_token_take_(s, ")")) {
        do {
            tsr_token_blanks_(s);
            read_basis(s, b);
            tsr_token_blanks_(s);
        } while (!s->failed && tsr_token_take_(s, ","));
        expect(s, ")", "`)` is expected here");
    }
    tsr_linear_side_add(&b->in, name, b->bits - begin);
}

/** name=size */
static void read_output(tokens *s, bases *b)
{
    char name[TSR_LINEAR_NAME];
    read_dim(s, name);
    char const *const start = s->p;
    int64_t const size = tsr_token_number_(s);
    if (!s->failed && !tsr_is_pow2(size))
        tsr_token_fail_at_(s, start, "the size of an output is a power of two");
    tsr_linear_side_add(&b->out, name, s->failed ? 0 : tsr_bit_width((uint64_t)size) - 1);
}

/** The lists of a side, up to what closes it. */
static void read_side(tokens *s, bases *b, char const *close, void (*read)(tokens *s, bases *b))
{
    tsr_token_blanks_(s);
    if (tsr_token_take_(s, close))
        return;
    do {
        tsr_token_blanks_(s);
        read(s, b);
        tsr_token_blanks_(s);
    } while (!s->failed && tsr_token_take_(s, ";"));
    expect(s, close,
           *close == '-' ? "`;` or `->` is expected here: linear{in=(1,2) -> out=4}"
                         : "`;` or `}` is expected here: linear{in=(1,2) -> out=4}");
}

/** The map of what was read, or the first number that is too large. */
static tsr_linear map_of(bases const *b)
{
    uint64_t basis[TSR_LINEAR_BITS] = {0};
    tsr_linear const empty = tsr_make_linear(&b->in, &b->out, basis);
    for (int i = 0; i < b->bits && !empty.why.status; ++i) {
        int begin = 0;
        for (int d = 0; d < b->out.count; begin += b->out.bits[d++]) {
            int64_t const x = b->number[i][d];
            if (x < 0 || x >> b->out.bits[d] != 0)
                return tsr_bad_linear(tsr_because(TSR_OUTSIDE, d, x, (int64_t)1 << b->out.bits[d], 0));
            basis[i] |= begin < 64 ? (uint64_t)x << begin : 0;
        }
    }
    return empty.why.status ? empty : tsr_make_linear(&b->in, &b->out, basis);
}

OWN_FRAME bool tsr_token_linear_(tokens *s, value *r)
{
    bases b = TSR_ZERO;
    char const *const start = s->p;
    b.numbers = -2;
    if (!tsr_token_take_(s, "linear{"))
        return false;
    read_side(s, &b, "->", read_input);
    read_side(s, &b, "}", read_output);
    if (!s->failed && b.numbers != -2 && (b.numbers < 0 ? 1 : b.numbers) != b.out.count)
        tsr_token_fail_at_(s, start, "all bases have a number for each output");
    r->kind = VALUE_LINEAR;
    r->as.linear = map_of(&b);
    return true;
}

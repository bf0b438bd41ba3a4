/** Linear maps as they are written: linear{in=(basis,..);.. -> out=size;..}. A basis is an integer where there is one
 *  output, else a tuple of integers. */
#include <string.h>

#include "calc/parser.h"

/** The bases that were read, each with a number for each output. */
typedef struct bases {
    tsr_linear_side in, out;
    int bits, numbers; /* the rank of a basis that is a tuple; -1: integers, -2: not known yet */
    int64_t number[TSR_LINEAR_BITS][TSR_LINEAR_DIMS];
} bases;

/** name= */
static void read_dim(parser *s, char *name)
{
    size_t const n = scan_letters(&s->in);
    if (n == 0 || n >= TSR_LINEAR_NAME)
        scan_fail(&s->in, "a dimension has a name of 1 to 15 letters, digits and _");
    scan_word(&s->in, name, TSR_LINEAR_NAME);
    scan_expect_in(&s->in, "=", "linear{in=(1,2) -> out=4}");
    scan_blanks(&s->in);
}

/** One basis: 5, or (1,4). */
static void read_basis(parser *s, bases *b)
{
    bool const tuple = scan_next(&s->in) == '(';
    char const *const start = s->in.p;
    if (b->bits == TSR_LINEAR_BITS) {
        scan_fail_at(&s->in, start, "a linear map has at most 64 bits");
        return;
    }
    int64_t *const at = b->number[b->bits];
    int const numbers =
        tuple ? scan_integers(&s->in, "(", ")", TSR_LINEAR_DIMS, at) : (*at = scan_integer(&s->in), -1);
    if (b->numbers != -2 && b->numbers != numbers)
        scan_fail_at(&s->in, start, "all bases have a number for each output");
    b->numbers = numbers;
    ++b->bits;
}

/** name=(basis,..) */
static void read_input(parser *s, bases *b)
{
    char name[TSR_LINEAR_NAME];
    int const begin = b->bits;
    read_dim(s, name);
    for (bool more = scan_list(&s->in, "(", ")"); more; more = scan_more(&s->in, ")"))
        read_basis(s, b);
    tsr_linear_side_add(&b->in, name, b->bits - begin);
}

/** name=size */
static void read_output(parser *s, bases *b)
{
    char name[TSR_LINEAR_NAME];
    read_dim(s, name);
    char const *const start = s->in.p;
    int64_t const size = scan_integer_here(&s->in);
    if (!s->in.failed && !tsr_is_pow2(size))
        scan_fail_at(&s->in, start, "the size of an output is a power of two");
    tsr_linear_side_add(&b->out, name, s->in.failed ? 0 : tsr_bit_width((uint64_t)size) - 1);
}

/** The lists of a side, up to what closes it. */
static void read_side(parser *s, bases *b, char const *close, void (*read)(parser *s, bases *b))
{
    for (bool more = !scan_take(&s->in, close); more; more = scan_more_of(&s->in, ";", close)) {
        scan_blanks(&s->in);
        read(s, b);
    }
    scan_blanks(&s->in);
}

OWN_FRAME bool tsr_token_linear_(parser *s, value *r)
{
    bases b = TSR_ZERO;
    char const *const start = s->in.p;
    b.numbers = -2;
    if (!scan_take_here(&s->in, "linear{"))
        return false;
    read_side(s, &b, "->", read_input);
    read_side(s, &b, "}", read_output);
    if (!s->in.failed && b.numbers != -2 && (b.numbers < 0 ? 1 : b.numbers) != b.out.count)
        scan_fail_at(&s->in, start, "all bases have a number for each output");
    r->kind = VALUE_LINEAR;
    r->as.linear = tsr_linear_of_numbers_(&b.in, &b.out, b.bits, (int64_t const(*)[TSR_LINEAR_DIMS])b.number);
    return true;
}

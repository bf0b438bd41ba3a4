/** Sizes with names: products of a number and of quotients, what divides what, and the guards under which it does.
 *
 *  A name M with the guard M % d == 0 is d * q: all is counted in the quotients q, which are any positive integers, so
 *  that one product divides another for all of them, or a further guard is needed.
 */
#ifndef TSR_SRC_SYMBOLIC_SIZE_H
#define TSR_SRC_SYMBOLIC_SIZE_H

#include "tessera/symbolic.h"

#include "text/writer.h"

enum { SIZE_NAME = 16, SIZE_TERMS = 24, SIZE_GUARDS = 64, SIZE_PRODUCTS = 512 };

/** c times the quotients, each to its power. */
typedef struct product {
    int64_t c;
    uint8_t power[TSR_SYMBOLS];
} product;

/** A sum of products, no two of the same powers. */
typedef struct sum {
    int terms;
    product term[SIZE_TERMS];
} sum;

typedef struct sizes {
    int names;
    char name[TSR_SYMBOLS][SIZE_NAME];
    product divisor[TSR_SYMBOLS]; /* of each name: it is a multiple of this, in quotients */
    bool again;                   /* a guard was added: what was computed before is out of date */
    bool failed;
    int guards; /* that were added */
    tsr_message *error;
    struct memory *kept; /* of the larger values of numbers */
    int products;
    product product[SIZE_PRODUCTS]; /* with names, from 1 on: dynamic leaves of tuples have their places */
} sizes;

/** Fails with words; the first ones are kept. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void tsr_size_fail_(sizes *s, char const *format, ...);

/** Is it over: failed, or to be done again? */
static inline bool size_over_(sizes const *s) { return s->failed || s->again; }

/** The number of a name, which is new or known; -1 where there are too many. */
int tsr_size_name_(sizes *s, char const *name, size_t n);

product tsr_product_of_(int64_t c);
product tsr_product_of_name_(sizes const *s, int name);
product tsr_product_mul_(sizes *s, product a, product b);
bool tsr_product_same_(product const *a, product const *b);
bool tsr_product_is_(product const *a, int64_t c);

/** Is it a number? */
bool tsr_product_is_number_(product const *a);

/** The leaf of a product: a static integer of a number, else the place of one with names. Equal products have equal
 *  leaves. */
tsr_leaf tsr_size_leaf_(sizes *s, product a);

/** The product of a leaf; what is no size fails. */
product tsr_size_product_(sizes *s, tsr_leaf a);

/** Does a divide b for all quotients? */
bool tsr_product_divides_(product const *a, product const *b);

/** b / a of what a divides. */
product tsr_product_div_(product b, product a);

/** Can a guard make a divide b? */
bool tsr_size_can_divide_(sizes const *s, product a, product b);

/** a divides b; else a guard is added, or it fails. False where it is over. */
bool tsr_size_divides_(sizes *s, product a, product b);

void tsr_symbol_add_(sizes *s, sum *to, product a);

/** How a language joins guards and divides. */
typedef struct spelling {
    char const *both, *divide;
} spelling;

static spelling const spelling_of_text = {" && ", "/"};

void tsr_product_write_(writer *w, sizes const *s, spelling in, product a);
void tsr_sum_write_(writer *w, sizes const *s, sum const *a);

/** Is its text one name or one number without a sign? */
bool tsr_product_is_plain_(sizes const *s, product a);

/** M % 128 == 0 && K % 32 == 0; 1 where nothing is asked for. */
void tsr_size_write_guards_(writer *w, sizes const *s, spelling in);

/** The numbers of names from those of quotients, 0 where one does not fit in 64 bits, and back: false where a number is
 *  below `least` or a guard does not hold; then it is that name. */
void tsr_size_numbers_(sizes const *s, int64_t const *quotient, int64_t *number);
bool tsr_size_quotients_(sizes const *s, int64_t const *number, int64_t least, int64_t *quotient, int *name);

/** The number of a product; false: it does not fit in 64 bits. */
bool tsr_product_at_(product const *a, int64_t const *quotient, int64_t *r);

#endif

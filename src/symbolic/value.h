/** Values of expressions over named sizes: tuples and layouts whose leaves are products, sums of products, and what the
 *  calculator makes of numbers. */
#ifndef TSR_SRC_SYMBOLIC_VALUE_H
#define TSR_SRC_SYMBOLIC_VALUE_H

#include "symbolic/size.h"

/** A tuple: the parentheses of `frame`, in whose leaves `_` is `_`, and the products of its other leaves. */
typedef struct symbol_tuple {
    tsr_tuple frame;
    product leaf[TSR_MAX_LEAVES];
} symbol_tuple;

typedef struct symbol_layout {
    symbol_tuple shape, stride;
} symbol_layout;

typedef enum symbol_kind {
    SYMBOL_TUPLE,
    SYMBOL_LAYOUT,
    SYMBOL_TILER, /* items */
    SYMBOL_SUM,   /* of several products: one product is a tuple */
    SYMBOL_VALUE  /* any other value of numbers */
} symbol_kind;

/** A value. The items of a tiler stand in the memory of the evaluation. */
typedef struct symbol {
    symbol_kind kind;
    tsr_swizzle front;    /* of a layout; bits 0: none */
    symbol_layout layout; /* of a tuple its shape */
    sum total;
    int items;
    struct symbol *item;
    struct value const *value;
} symbol;

/** The modes in brackets behind a name, name<1,0>(..). */
typedef struct symbol_path {
    int levels;
    int64_t mode[16];
} symbol_path;

/* Tuples */

symbol_tuple tsr_symbol_leaf_(product a);
symbol_tuple tsr_symbol_wild_(void);
bool tsr_symbol_is_leaf_(symbol_tuple const *t);
bool tsr_symbol_is_wild_(symbol_tuple const *t);
int tsr_symbol_rank_(symbol_tuple const *t);
symbol_tuple tsr_symbol_mode_(symbol_tuple const *t, int i);

/** Pushes the modes of a list that is not closed yet, and closes it. */
void tsr_symbol_push_(sizes *s, symbol_tuple *list, symbol_tuple const *t);
void tsr_symbol_close_(sizes *s, symbol_tuple *list);
product tsr_symbol_size_(sizes *s, symbol_tuple const *shape);
void tsr_symbol_tuple_write_(writer *w, sizes const *s, symbol_tuple const *t);

/* Layouts */

symbol_layout tsr_symbol_layout_of_(product extent, product stride);
symbol_layout tsr_symbol_layout_mode_(symbol_layout const *l, int i);
void tsr_symbol_layout_push_(sizes *s, symbol_layout *list, symbol_layout const *l);
void tsr_symbol_layout_close_(sizes *s, symbol_layout *list);

/** (a,b). */
symbol_layout tsr_symbol_pair_(sizes *s, symbol_layout const *a, symbol_layout const *b);

/** The compact layout of a shape, its first mode fastest, or its last. */
symbol_layout tsr_symbol_compact_(sizes *s, symbol_tuple const *shape, bool right);

/** The same function with fewer modes. */
symbol_layout tsr_symbol_coalesce_(sizes *s, symbol_layout const *l);

/** a o b. */
symbol_layout tsr_symbol_compose_(sizes *s, symbol_layout const *a, symbol_layout const *b);

/** What l leaves out, in order, up to a cotarget; NULL: without an end. */
symbol_layout tsr_symbol_complement_(sizes *s, symbol_layout const *l, product const *cotarget);

/** 1 + the greatest offset. */
sum tsr_symbol_cosize_(sizes *s, symbol_layout const *l);

/** The operation of a name on values: on numbers alone it is the calculator's. False where it is over. */
bool tsr_symbol_call_(sizes *s, char const *name, size_t n, symbol_path const *path, symbol *argument, int arguments,
                      symbol *r);

/* Numbers */

bool tsr_symbol_is_numeric_(symbol const *v);

/** The calculator's operation on values without names. */
bool tsr_symbol_call_numbers_(sizes *s, char const *name, size_t n, symbol_path const *path, symbol const *argument,
                              int arguments, symbol *r);

/** A value of the calculator; false: *r is no tuple or layout of sizes, and refers to *v. */
bool tsr_symbol_take_value_(symbol *r, struct value const *v);

#endif

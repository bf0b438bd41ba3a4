/** Values of expressions over named sizes: tuples and layouts whose leaves are products. */
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
    SYMBOL_SUM
} symbol_kind;

/** A value. The items of a tiler stand in the memory of the evaluation. */
typedef struct symbol {
    symbol_kind kind;
    tsr_swizzle front;    /* of a layout; bits 0: none */
    symbol_layout layout; /* of a tuple its shape */
    sum total;
    int items;
    struct symbol *item;
} symbol;

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

/** Mode i of a layout in its place, as name<i>(..) takes it. */
void tsr_symbol_take_mode_(sizes *s, symbol *v, int64_t i);

/** The operation of a name on values; false where it is over. */
bool tsr_symbol_call_(sizes *s, char const *name, size_t n, symbol *argument, int arguments, symbol *r);

#endif

/** Values of expressions over named sizes: the calculator's, whose static integers are numbers and whose dynamic ones
 *  stand for products with names (tsr_size_leaf_), and sums of products. So core moves modes and brackets of either. */
#ifndef TSR_SRC_SYMBOLIC_VALUE_H
#define TSR_SRC_SYMBOLIC_VALUE_H

#include "calc/value.h"
#include "symbolic/size.h"

/** The kind of a sum of several products; one product is a tuple. */
enum { SYMBOL_SUM = VALUE_KINDS };

typedef struct symbol {
    value v;
    sum total;
} symbol;

/** The modes in brackets behind a name, name<1,0>(..). */
typedef struct symbol_path {
    int levels;
    int64_t mode[MAX_BRACKET];
} symbol_path;

/** Fails with the reason of what is invalid. */
void tsr_symbol_check_(sizes *s, tsr_tuple const *t);
void tsr_symbol_check_layout_(sizes *s, tsr_layout const *l);

void tsr_symbol_tuple_write_(writer *w, sizes const *s, tsr_tuple const *t);

/* Layouts, without a swizzle in front */

void tsr_symbol_push_(tsr_layout *list, tsr_layout const *l);
void tsr_symbol_close_(sizes *s, tsr_layout *list);
product tsr_symbol_size_(sizes *s, tsr_tuple const *shape);
tsr_layout tsr_symbol_layout_of_(sizes *s, product extent, product stride);

/** The size of a stride, without the basis element that it goes along. */
product tsr_symbol_stride_(sizes *s, tsr_leaf d);

/** The path of that basis element; 0 of plain integers. */
static inline uint32_t tsr_symbol_unit_(tsr_leaf d) { return tsr_leaf_is_basis(d) ? d.aux : 0; }

/** Does no mode in front of mode i go along the same basis element? */
bool tsr_symbol_is_first_(tsr_tuple const *stride, int i);

/** The compact layout of a shape, its first mode fastest, or its last. */
tsr_layout tsr_symbol_compact_(sizes *s, tsr_tuple const *shape, bool right);

/** The same function with fewer modes. */
tsr_layout tsr_symbol_coalesce_(sizes *s, tsr_layout const *l);

/** a o b. */
tsr_layout tsr_symbol_compose_(sizes *s, tsr_layout const *a, tsr_layout const *b);

/** What l leaves out, in order, up to a cotarget; NULL: without an end. */
tsr_layout tsr_symbol_complement_(sizes *s, tsr_layout const *l, product const *cotarget);

/** R with l(R(i)) = i, or R(l(i)) = i; of basis strides along each element, a mode for each. */
tsr_layout tsr_symbol_inverse_(sizes *s, tsr_layout const *l, bool right);

/** 1 + the greatest offset; of basis strides the product of those along each element. */
sum tsr_symbol_cosize_(sizes *s, tsr_layout const *l);

/* Operations */

bool tsr_symbol_is_numeric_(value const *v);

/** The integers of a value that was made of numbers are numbers. */
void tsr_symbol_make_static_(value *v);

/** The calculator's operation: on values without names, or one that moves modes and leaves integers alone. */
void tsr_symbol_run_core_(sizes *s, char const *name, symbol_path const *path, symbol const *argument, int arguments,
                          symbol *r);

/** The operation of a name on values: on numbers alone it is the calculator's. False where it is over. */
bool tsr_symbol_call_(sizes *s, char const *name, symbol_path const *path, symbol *argument, int arguments,
                      symbol *r);

#endif

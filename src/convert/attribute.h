/** An attribute of Triton as it is printed: #ttg.name<{key = value, ..}>. */
#ifndef TSR_SRC_CONVERT_ATTRIBUTE_H
#define TSR_SRC_CONVERT_ATTRIBUTE_H

#include "convert/scan.h"

enum { FIELDS = 12, NUMBERS = 256 };

/** A value: an integer, a list, or a list of lists of one length. */
typedef struct field {
    char key[24];
    bool nested;
    int count, rows;
    int64_t at[NUMBERS];
} field;

typedef struct attribute {
    char name[24];
    int fields;
    field of[FIELDS];
} attribute;

/** {key = value, ..}, into the fields. */
void tsr_attribute_read_(scan *s, attribute *a);

/** The value of a key; NULL: there is none. */
field const *tsr_attribute_get_(attribute const *a, char const *key);

/** The list of a key with so many integers, which must be there. */
int64_t const *tsr_attribute_need_(scan *s, attribute const *a, char const *key, int count);

/** A map that is put together bit by bit: where each input bit goes, one output bit or none. */
typedef struct placed {
    int ins, outs;
    char const *in_name[4];
    int bits[4], out[TSR_LINEAR_DIMS];
    struct {
        int dim, at; /* dim -1: nowhere */
    } to[4][TSR_LINEAR_BITS];
} placed;

/** More bits of an input, behind those of an output, or nowhere (dim -1). `size` is a power of two. */
void tsr_placed_add_(scan *s, placed *p, int in, int dim, int64_t size);

/** The map; its outputs are dim0, dim1, .. */
tsr_linear tsr_placed_map_(placed const *p);

/** The map of a block, extended and cut to its part of the shape, and that of blocks behind it. `minor` is the order of
 *  the outputs in which it grows. */
tsr_linear tsr_placed_fit_(scan *s, placed *p, attribute const *a, tsr_tuple const *shape, int64_t const *minor);

#endif

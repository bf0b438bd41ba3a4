/** An attribute of Triton: #ttg.name<{key = value, ..}> as it is printed, or the constructor of Gluon. */
#ifndef TSR_SRC_CONVERT_ATTRIBUTE_H
#define TSR_SRC_CONVERT_ATTRIBUTE_H

#include "convert/convert.h"

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
    char const *parent; /* where the attribute begins that this one is of; NULL: there is none */
    int fields;
    field of[FIELDS];
} attribute;

/** A whole attribute: #ttg.name<..>, or what Gluon writes. */
void tsr_attribute_take_(scan *s, attribute *a);

/** {key = value, ..}, into the fields; one value into a field. */
void tsr_attribute_read_(scan *s, attribute *a);
void tsr_attribute_value_(scan *s, attribute *a, field *f);

/** A field without a key and a value. */
void tsr_attribute_empty_(field *f);

/** Name(key=value, value, ..) of Gluon's Python, into the fields of the attribute that it makes. */
void tsr_gluon_take_(scan *s, attribute *a);

/** The value of a key; NULL: there is none. */
field const *tsr_attribute_get_(attribute const *a, char const *key);

/** The list of a key with so many integers, which must be there. */
int64_t const *tsr_attribute_need_(scan *s, attribute const *a, char const *key, int count);

/** The integer of a key, or `absent`. */
int64_t tsr_attribute_number_(attribute const *a, char const *key, int64_t absent);

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

/** One more bit of an input, at this bit of an output. */
void tsr_placed_bit_(scan *s, placed *p, int in, int dim, int at);

/** A map from register, lane, warp and block, or of shared memory from offset and block. */
placed tsr_placed_begin_(int rank, bool shared);

/** The map; its outputs are dim0, dim1, .. */
tsr_linear tsr_placed_map_(placed const *p);

/** The map of a block, extended and cut to its part of the shape, and that of blocks behind it. `minor` is the order of
 *  the outputs in which it grows. */
tsr_linear tsr_placed_fit_(scan *s, placed *p, attribute const *a, tsr_tuple const *shape, int64_t const *minor);

/** How many parts each dimension of the shape has among the blocks of a cluster. */
void tsr_placed_parts_(scan *s, attribute const *a, int rank, int64_t *parts);

/* The layouts */

/** The map of bases: the fields but shape, which gives the sizes of outputs. */
void tsr_ttg_linear_(scan *s, attribute const *a, tsr_linear *r);

/** The order of dimensions of a key, the fastest first; each is there once. */
int64_t const *tsr_ttg_order_(scan *s, attribute const *a, int rank);

/** Accumulators and operands of the matrix instructions of NVIDIA and AMD, and operands of a blocked layout. */
void tsr_ttg_mma_(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r);
void tsr_ttg_mfma_(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r);
void tsr_ttg_wmma_(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r);
void tsr_ttg_operand_(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r);

/** Shared memory. */
void tsr_ttg_swizzled_(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r);
void tsr_ttg_nvmma_(scan *s, attribute const *a, tsr_tuple const *shape, tsr_linear *r);
void tsr_ttg_padded_(scan *s, attribute *a, tsr_tuple shape, tsr_layout *r);

#endif

/** What expressions are made of: tokens, numbers, names and the values that no other expression stands in. After a
 *  failure reading stays where it is, and the first message is kept. */
#ifndef TSR_SRC_TOKEN_H
#define TSR_SRC_TOKEN_H

#include "calc/value.h"

/** What stands behind + in the strides of a layout, _1@0+_1@1: further basis elements of a leaf. */
typedef struct further {
    bool open;  /* a stride is read */
    int leaves; /* of it, so far */
    int count;
    int leaf[TSR_MAX_LEAVES * TSR_SUM_TERMS];
    tsr_leaf stride[TSR_MAX_LEAVES * TSR_SUM_TERMS];
} further;

typedef struct tokens {
    char const *text, *p;
    unsigned flags;
    bool failed;
    tsr_message *error;
    further further;
} tokens;

/** Fails at a place; NULL keeps the words that the error has. */
void tsr_token_fail_at_(tokens *s, char const *where, char const *text);
void tsr_token_fail_(tokens *s, char const *text);

bool tsr_token_take_(tokens *s, char const *token);
void tsr_token_blanks_(tokens *s);

/** A word, blanks and a bracket; "" for no word. False: something else stands here, and nothing was read. */
bool tsr_token_take_open_(tokens *s, char const *word, char const *open);

/** Reads name<integers and types> into a call. */
void tsr_token_call_name_(tokens *s, call *c);

/** Digits after an optional minus, checked against 64 bits. */
int64_t tsr_token_number_(tokens *s);

/** Reads a value of one token into a value of zeros: an integer, `_`, a swizzle, partly static bits, a tag, the name of
 *  an atom, a type or a TMA operation. False: none begins here. */
bool tsr_token_value_(tokens *s, value *r);

/** dist{R=..;H=..;P=..;Y=..}; false: another value begins here. */
bool tsr_token_distribution_(tokens *s, value *r);

/** linear{in=(..);.. -> out=..}; false: another value begins here. */
bool tsr_token_linear_(tokens *s, value *r);

/** gmem_ptr[32b](0x1000), smem_subptr[4b](0x10.4), tmem_[32b](0x0000.0100), as a pointer is printed, behind the swizzle
 *  of *r where one stands in front: Sw<2,4,3>_smem_ptr[16b](0x400). Its elements are integers of that size. False:
 *  another value begins here. */
bool tsr_token_pointer_(tokens *s, value *r);

/** Reads the dimensions behind transform: and makes the transform in *r a link. */
void tsr_token_link_(tokens *s, value *r);

/** Reads `label=` in front of an argument. Without one the label is "". */
bool tsr_token_label_(tokens *s, char *label, size_t size);

/** Reads a word behind a label. */
bool tsr_token_word_(tokens *s, value *r);

#endif

/** What expressions are made of: tokens, numbers, names and the values that no other expression stands in. After a
 *  failure reading stays where it is, and the first message is kept. */
#ifndef TSR_SRC_TOKEN_H
#define TSR_SRC_TOKEN_H

#include "calc/value.h"

typedef struct tokens {
    char const *text, *p;
    unsigned flags;
    bool failed;
    tsr_message *error;
} tokens;

/** Fails at a place; NULL keeps the words that the error has. */
void token_fail_at(tokens *s, char const *where, char const *text);
void token_fail(tokens *s, char const *text);

bool token_take(tokens *s, char const *token);
void token_blanks(tokens *s);

/** Reads name<integers and types> into a call. */
void token_call_name(tokens *s, call *c);

/** Digits after an optional minus, checked against 64 bits. */
int64_t token_number(tokens *s);

/** Reads a value of one token into a value of zeros: an integer, `_`, a swizzle, partly static bits, a tag, the name of
 *  an atom, a type or a TMA operation. False: none begins here. */
bool token_value(tokens *s, value *r);

/** dist{R=..;H=..;P=..;Y=..}; false: another value begins here. */
bool token_distribution(tokens *s, value *r);

/** Reads the dimensions behind transform: and makes the transform in *r a link. */
void token_link(tokens *s, value *r);

/** Reads label= in front of an argument; the label is "" where there is none. */
bool token_label(tokens *s, char *label, size_t size);

/** Reads a word behind a label. */
bool token_word(tokens *s, value *r);

#endif

/** What reads an expression: a parser, the lists that it reads, and what each part of it calls of the other. */
#ifndef TSR_SRC_CALC_PARSER_H
#define TSR_SRC_CALC_PARSER_H

#include "calc/token.h"

/** A list whose elements are read: its values on the stack begin at `base`, and there are as many as arguments of those
 *  that are calls. */
typedef enum list_kind {
    LIST_TUPLE,   /* ( a, b, */
    LIST_TILER,   /* < a, b, */
    LIST_CALL,    /* name( a, b, */
    LIST_COMMAND, /* name a b */
    LIST_STAGE,   /* descriptor | a + b + */
    LIST_WINDOW,  /* view @@ a origin= */
    LIST_LAYOUT   /* Layout<a, b */
} list_kind;

typedef struct list {
    list_kind kind;
    int base;
    char label[8];              /* in front of the element that is read */
    char const *from, *element; /* where the list and that element begin */
} list;

typedef struct parser {
    tokens in;
    evaluation *e;
    value *r; /* the value just read */
    int depth;
    bool word; /* a label has just been read: a word may follow */
    tsr_trace trace;
    void *context;
} parser;

/** Reads one, which then is the value just read; as all that reads it returns at a failure. */
void read_expression(parser *s, bool behind_engine);

/** A tuple or a tiler, from behind its bracket on to the one that closes it. */
void read_group(parser *s, list_kind kind, char const *close);

/** Layout<shape, stride>{} of CuTe, Layout(shape, stride) of pycute, from behind the bracket on. */
void read_layout_call(parser *s, char const *close);
void read_call(parser *s);

/** name a b, without brackets. */
void read_command(parser *s);

/** Pushes the value just read. */
void parser_push(parser *s);

/** One level deeper. */
void parser_enter(parser *s);

/** What is written from a place on. */
char const *parser_keep(parser *s, char const *from);

/** Opens a list of which `values` of the values on the stack are its own. */
list list_open(parser const *s, list_kind kind, char const *from, int values);

/** The next element of a list begins here. */
void list_begin(parser *s, list *l);

/** Puts the value just read into the list that it stands in. */
void list_put(parser *s, list *l);

/** Evaluates the call whose arguments are on the stack. */
void list_finish(parser *s, list const *l);

#endif

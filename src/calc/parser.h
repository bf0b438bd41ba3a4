/** What reads an expression: a parser, the lists that it reads, and what each part of it calls of the other. */
#ifndef TSR_SRC_CALC_PARSER_H
#define TSR_SRC_CALC_PARSER_H

#include "calc/token.h"

/** A list that is being read. Its values on the stack begin at `base`, one for each element, or for each argument of a
 *  call. */
typedef enum list_kind {
    LIST_TUPLE,   /* ( a, b, */
    LIST_TILER,   /* < a, b, */
    LIST_CALL,    /* name( a, b, */
    LIST_COMMAND, /* name a b */
    LIST_STAGE,   /* descriptor | a + b + */
    LIST_WINDOW,  /* view @@ a origin= */
    LIST_LAYOUT,  /* Layout<a, b */
    LIST_AT,      /* layout[name=a, name=b */
    LIST_PRINTED  /* print_layout(a */
} list_kind;

typedef struct list {
    list_kind kind;
    int base;
    char label[8];              /* in front of the element that is read */
    char const *from, *element; /* where the list and that element begin */
    char const *names;          /* of the elements read so far; NULL: they have none */
} list;

typedef struct parser {
    tokens in;
    evaluation *e;
    value *r; /* the value just read */
    int depth;
    bool word;  /* a label has just been read: a word may follow */
    bool unfit; /* no operation of the outermost call's name takes its arguments */
    tsr_trace trace;
    void *context;
} parser;

/** Reads one, which then is the value just read; as all that reads it returns at a failure. */
void tsr_read_expression_(parser *s, bool behind_engine);

/** A tuple or a tiler, from behind its bracket on to the one that closes it. */
void tsr_read_group_(parser *s, list_kind kind, char const *close);

/** Layout<shape, stride>{} of CuTe, Layout(shape, stride) of pycute, from behind the bracket on. */
void tsr_read_layout_call_(parser *s, char const *close);
void tsr_read_call_(parser *s);

/** print_layout(expression), which is its argument, from behind the bracket on. */
void tsr_read_printed_(parser *s);

/** [name=a, name=b] behind the layout just read, which begins at `from`. */
void tsr_read_at_(parser *s, char const *from);

/** name a b, without brackets. */
void tsr_read_command_(parser *s);

/** Pushes the value just read. */
void tsr_parser_push_(parser *s);

/** One level deeper. */
void tsr_parser_enter_(parser *s);

/** What is written from a place on. */
char const *tsr_parser_keep_(parser *s, char const *from);

/** Opens a list that owns the topmost `values` values of the stack. */
list tsr_list_open_(parser const *s, list_kind kind, char const *from, int values);

/** The next element of a list begins here. */
void tsr_list_begin_(parser *s, list *l);

/** Puts the value just read into the list that it stands in. */
void tsr_list_put_(parser *s, list *l);

/** Evaluates the call whose arguments are on the stack. */
void tsr_list_finish_(parser *s, list const *l);

#endif

/** What reads an expression: a parser, its tokens and lists, and what each part of it calls of the other. */
#ifndef TSR_SRC_CALC_PARSER_H
#define TSR_SRC_CALC_PARSER_H

#include "calc/value.h"
#include "text/scan.h"

/** What stands behind + in the strides of a layout, _1@0+_1@1: further basis elements of a leaf. */
typedef struct further {
    bool open;  /* a stride is read */
    int leaves; /* of it, so far */
    int count;
    int leaf[TSR_MAX_LEAVES * TSR_SUM_TERMS];
    tsr_leaf stride[TSR_MAX_LEAVES * TSR_SUM_TERMS];
} further;

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
    scan in;
    unsigned flags;
    further further;
    evaluation *e;
    value *r;   /* the value just read */
    bool word;  /* a label has just been read: a word may follow */
    bool unfit; /* no operation of the outermost call's name takes its arguments */
    tsr_trace trace;
    void *context;
} parser;

/* Tokens: numbers, names, and the values that no other expression stands in */

/** A word, blanks and a bracket; "" for no word. False: something else stands here, and nothing was read. */
bool tsr_token_take_open_(parser *s, char const *word, char const *open);

/** Reads name<integers and types> into a call. */
void tsr_token_call_name_(parser *s, call *c);

/** Reads a value of one token into a value of zeros: an integer, `_`, a swizzle, partly static bits, a tag, the name of
 *  an atom, a type or a TMA operation. False: none begins here. */
bool tsr_token_value_(parser *s, value *r);

/** dist{R=..;H=..;P=..;Y=..}; false: another value begins here. */
bool tsr_token_distribution_(parser *s, value *r);

/** linear{in=(..);.. -> out=..}; false: another value begins here. */
bool tsr_token_linear_(parser *s, value *r);

/** gmem_ptr[32b](0x1000), smem_subptr[4b](0x10.4), tmem_[32b](0x0000.0100), as a pointer is printed, behind the swizzle
 *  of *r where one stands in front: Sw<2,4,3>_smem_ptr[16b](0x400). Its elements are integers of that size. False:
 *  another value begins here. */
bool tsr_token_pointer_(parser *s, value *r);

/** Reads the dimensions behind transform: and makes the transform in *r a link. */
void tsr_token_link_(parser *s, value *r);

/** Reads `label=` in front of an argument. Without one the label is "". */
bool tsr_token_label_(parser *s, char *label, size_t size);

/** Reads a word behind a label. */
bool tsr_token_word_(scan *s, value *r);

/* Expressions */

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

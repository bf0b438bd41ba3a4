/** What an expression can be while it is evaluated. */
#ifndef TSR_SRC_CALC_VALUE_H
#define TSR_SRC_CALC_VALUE_H

#include "ops/ops.h"

#include "text/write.h"

/* How the calculator runs a function; a test looks on. */
#ifndef TSR_RUN
#  define TSR_RUN(fn) tsr_##fn
#endif

/* clang-format off */
/** INLINE(letter in ops.h, kind, C type, member, words): the kinds of values. KEPT values are larger; they stand in the
 *  memory of the evaluation. */
#define VALUE_LIST(INLINE, KEPT) \
    INLINE(T, TUPLE, tsr_tuple, tuple, "a tuple") \
    INLINE(L, LAYOUT, tsr_layout, layout, "a layout") \
    INLINE(R, TILER, tsr_tiler, tiler, "a tiler") \
    INLINE(W, SWIZZLE, tsr_swizzle, swizzle, "a swizzle") \
    INLINE(f, LINEAR, tsr_linear, linear, "a linear map") \
    INLINE(Z, PAIR, tsr_offset_layout, pair, "a (layout,offset) pair") \
    INLINE(E, ENGINE, tsr_engine, engine, "an engine") \
    INLINE(G, TENSOR, tsr_tensor, tensor, "a tensor") \
    INLINE(D, VERDICT, tsr_verdict, verdict, "a verdict") \
    INLINE(Y, TYPE, tsr_tma_types, types, "a type") \
    INLINE(A, MMA, tsr_mma_atom, mma, "an MMA atom") \
    INLINE(C, COPY, tsr_copy_atom, copy, "a copy atom") \
    KEPT(H, TILED_MMA, tsr_tiled_mma, tiled_mma, "a tiled MMA") \
    KEPT(K, TILED_COPY, tsr_tiled_copy, tiled_copy, "a tiled copy") \
    INLINE(J, TILED_LAYOUT, tsr_tiled_layout, tiled_layout, "a tile with its layout") \
    INLINE(S, SMEM, tsr_smem_layout, smem, "a layout of shared memory") \
    INLINE(O, TMA_OP, tsr_tma_op, op, "an operation's name") \
    INLINE(F, TMA_MAP, tsr_tma_desc, map, "a tensor map") \
    KEPT(I, TMA, tsr_tma_copy, tma, "a TMA copy") \
    INLINE(t, TRANSFORM, tsr_coord_transform, transform, "a transform") \
    INLINE(l, LINK, tsr_link, link, "a transform with its dimensions") \
    KEPT(d, DESCRIPTOR, tsr_descriptor, descriptor, "a tensor descriptor") \
    INLINE(e, DISTRIBUTION, tsr_encoding, distribution, "a distribution") \
    KEPT(v, VIEW, tsr_tensor_view, view, "a tensor view") \
    KEPT(w, WINDOW, tsr_tile_window, window, "a tile window") \
    INLINE(m, UPDATE, tsr_memory_operation, update, "a memory operation") \
    INLINE(p, SPACE, tsr_space, space, "an address space") \
    INLINE(b, BANKS, tsr_banks, banks, "the name of banks") \
    KEPT(r, DISTRIBUTED, tsr_dist_layout, distributed, "a distributed layout") \
    KEPT(x, EXCHANGE, tsr_dist_exchange, exchange, "a redistribution") \
    KEPT(u, SUM, tsr_layout_sum, sum, "a sum of layouts") \
    INLINE(s, NUMBERS, tsr_tuple, numbers, "several numbers") \
    INLINE(a, ANSWER, tsr_tuple, answer, "an answer")
/* clang-format on */

typedef enum value_kind {
#define VALUE(letter, id, type, member, words) VALUE_##id,
    VALUE_LIST(VALUE, VALUE)
#undef VALUE
        VALUE_KINDS
} value_kind;

/** The content of a value, and an argument in the place of a row's parameter: there also what stands in brackets. */
typedef union content {
#define INLINE(letter, id, type, member, words) type member;
#define KEPT(letter, id, type, member, words) type *member;
    VALUE_LIST(INLINE, KEPT)
#undef INLINE
#undef KEPT
    int64_t number;
    tsr_dtype type;
    tsr_link_list links;
    tsr_index_list indices;
    tsr_text *out;
    tsr_message *why;
    void *kept;
} content;

typedef struct value {
    value_kind kind;
    bool runtime;      /* an integer that is written 5?: known at run time only */
    char label[8];     /* of an argument label=value */
    char const *text;  /* of an answer, and of what is written as it was read; kept */
    char const *names; /* of the modes of a tuple, a tiler or a layout, "m,n"; kept; NULL: they have none */
    content as;
} value;

/** Why a value is invalid, or a valid tuple. */
tsr_tuple tsr_value_reason_(value const *v);

bool tsr_value_ok_(value const *v);

/** Is the text of such a value the call that made it? */
bool tsr_value_is_as_written_(value_kind kind);

/** The layout that a value is or has; NULL: it has none. */
tsr_layout const *tsr_value_layout_(value const *v);

/** The layout that stands for a value where one is asked for: a layout, one of shared memory, that of a tensor; with
 *  TSR_TEXT_SHAPES also a compact one of a shape. False: `words` say why there is none. */
bool tsr_value_as_layout_(value const *v, unsigned flags, tsr_layout *l, char *words, size_t size);

/** Makes a layout of shared memory, whose address is unset, a layout of elements. */
TSR_EXTERN_C void tsr_value_settle_(value *v);

/** A tuple, a layout or a tiler as a tiler. */
tsr_tiler tsr_value_tiler_(value const *v);

/** "a layout", "a tuple" */
char const *tsr_kind_words_(value_kind kind);

/** "a layout", "an integer" */
char const *tsr_value_words_(value const *v);

/** Writes any value; an invalid one gives its reason. */
void tsr_value_write_(writer *w, value const *v, unsigned flags);

/** Memory of an evaluation: blocks that are given back together. */
typedef struct memory {
    struct block *last;
    bool failed;
} memory;

/** A block of n bytes; NULL where memory has run out, which is kept in mind. */
void *tsr_memory_take_(memory *m, size_t n);
void tsr_memory_free_(memory *m);

/** The blocks of `from` become blocks of `to`. */
void tsr_memory_join_(memory *to, memory *from);

/** The kind of a letter of ops.h. */
TSR_EXTERN_C value_kind tsr_kind_of_letter_(char letter);

/** Gives a value of a kind that is kept its room; false where memory has run out. */
TSR_EXTERN_C bool tsr_value_begin_(value *v, memory *m);

/** The most integers or types in the brackets of name<..>(..), arguments, parameters of a row, characters of an
 *  answer. */
enum { MAX_BRACKET = 16, MAX_ARGUMENTS = 128, MAX_PARAMETERS = 8, MAX_ANSWER = 16 * TSR_TEXT_SIZE };

/** An integer or a type in brackets. */
typedef struct bracketed {
    bool is_type;
    tsr_dtype type;
    int64_t number;
} bracketed;

/** Runs a row of the table on its parameters; false where memory has run out. */
TSR_EXTERN_C bool tsr_row_run_(int row, content const *parameter, value *result, memory *m);

/** A call as the parser found it. */
typedef struct call {
    char name[64];
    char const *text; /* as it was written, where it is the whole expression */
    value *arg;
    int args;
    bracketed bracket[MAX_BRACKET];
    int brackets;
    short const *next; /* for each row the next row of its name, -1 if it is the last; NULL: names are compared */
    int first;         /* with `next`: the first row of this name */
    bool shapes;       /* an integer or a tuple may stand for its compact layout */
    content *place;    /* MAX_PARAMETERS of them, scratch */
    memory *kept;      /* of large results */
    tsr_text *answer;  /* where a row writes what it answers; without memory at first */
} call;

/** Evaluates a call; the result is none of its arguments. False: the words in *error say why the name or the arguments
 *  do not fit, or why the operation refuses them: then the result is invalid. */
bool tsr_call_evaluate_(call const *c, value *result, tsr_message *error);

/** Does a row of the call's name take its arguments, whether it then refuses them or not? */
bool tsr_call_fits_(call const *c);

/** ", did you mean `a` or `b`?" of the operations that a word may mean; nothing where there are none. */
void tsr_call_write_meant_(writer *w, char const *word);

/** A row as it is called, its parameters in words: append<n>(layout, layout). */
void tsr_call_write_row_(writer *w, tsr_op const *row);

/** The names of a row's parameters, those in brackets too: "layout mode rank". Two of a kind are a and b, as its
 *  sentence calls them. */
void tsr_op_write_names_(writer *w, tsr_op const *row);

/** name<brackets> and label=argument, .. */
void tsr_call_write_name_(writer *w, call const *c);
void tsr_call_write_arguments_(writer *w, call const *c, unsigned flags);

/** Is there an operation of this name? */
bool tsr_is_operation_(char const *name);

/** An expression that was read: its value, and the call that the whole expression is, or one without a name. */
typedef struct tsr_evaluation {
    bool ok; /* false: the words in error say why it is no expression */
    unsigned flags;
    value result;
    call outer;
    tsr_message error;
    content place[MAX_PARAMETERS];
    memory kept;
    tsr_text answer;
    value *stack; /* what is read of unfinished lists; in the end the arguments of `outer` */
    int used, capacity;
} evaluation;

#endif

/** What an expression can be while it is evaluated. */
#ifndef TSR_SRC_CALC_VALUE_H
#define TSR_SRC_CALC_VALUE_H

#include "tessera/ops.h"

#include "text/write.h"

/* The calculator runs the exported twins of call.h, so that every operation is compiled once. Tests run the functions of
 * the headers: they define TSR_RUN(fn) as tsr_##fn. */
#ifndef TSR_RUN
#  include "tessera/call.h"
#  define TSR_RUN(fn) tsrc_##fn
#endif

typedef enum value_kind {
    VALUE_TUPLE,   /* tuple */
    VALUE_LAYOUT,  /* layout */
    VALUE_TILER,   /* layout, with brackets */
    VALUE_SWIZZLE, /* swizzle */
    VALUE_PAIR,    /* layout and the offset in tuple */
    VALUE_ENGINE,  /* what stands in front of a tensor: engine */
    VALUE_TENSOR,  /* engine o layout */
    VALUE_VERDICT, /* yes, or the reason in tuple */
    VALUE_TYPE,    /* an element type: type, and internal where it is written type/type */
    VALUE_MMA,     /* an MMA atom: mma */
    VALUE_COPY,    /* a copy atom: copy */
    VALUE_TILED_MMA, /* mma, layout, tiler */
    VALUE_TILED_COPY, /* copy, layout, tiler */
    VALUE_TILED_LAYOUT, /* (thread,value) in layout, the tile in tuple */
    VALUE_SMEM,    /* layout, swizzle and type of a layout of shared memory */
    VALUE_TMA_OP,  /* the name of a TMA operation: tma.op */
    VALUE_TMA_MAP, /* a tensor map: tma.desc */
    VALUE_TMA      /* tma */
} value_kind;

/** Large: values stand in memory that an evaluation allocates, not on the stack. */
typedef struct value {
    value_kind kind;
    tsr_answer answer;
    tsr_dtype type, internal;
    tsr_tuple tuple;
    tsr_layout layout;
    tsr_swizzle swizzle;
    tsr_engine engine;
    tsr_mma_atom mma;
    tsr_copy_atom copy;
    tsr_tiler tiler;
    tsr_tma_copy tma;
} value;

tsr_tiled_mma value_tiled_mma(value const *v);
tsr_tiled_copy value_tiled_copy(value const *v);

/** Why a value is invalid, or a valid tuple. */
tsr_tuple value_reason(value const *v);

bool value_ok(value const *v);

/** Writes any value; an invalid one gives its reason. */
void value_write(writer *w, value const *v, unsigned flags);

/** The most integers or types in the brackets of name<..>(..), and the most arguments. */
enum { MAX_BRACKET = 16, MAX_ARGUMENTS = 32 };

/** An integer or a type in brackets. */
typedef struct bracketed {
    bool is_type;
    tsr_dtype type;
    int64_t number;
} bracketed;

/** An argument in the place of a row's parameter. */
typedef union slot {
    tsr_tuple tuple;
    tsr_layout layout;
    tsr_tiler tiler;
    tsr_swizzle swizzle;
    tsr_engine engine;
    tsr_tensor tensor;
    tsr_mma_atom mma;
    tsr_copy_atom copy;
    tsr_tiled_mma tiled_mma;
    tsr_tiled_copy tiled_copy;
    tsr_smem_layout smem;
    tsr_tma_copy tma;
    tsr_tma_desc map;
    tsr_tma_op op;
    tsr_tma_types types;
    int64_t number;
    tsr_dtype type;
} slot;

/** The most parameters of a row. */
enum { MAX_SLOTS = 8 };

/** Runs a row of the table on what stands in the slots. */
void row_run(int row, slot const *s, value *result);

/** A call as the parser found it. */
typedef struct call {
    char name[64];
    value *arg;
    int args;
    bracketed bracket[MAX_BRACKET];
    int brackets;
    bool shapes; /* an integer or a tuple may stand for its compact layout */
    slot *place; /* MAX_SLOTS of them, scratch */
} call;

/** Evaluates a call; the result is none of its arguments. False: the words in *error say why the name or the arguments do
 *  not fit. */
bool call_evaluate(call const *c, value *result, tsr_text_error *error);

/** name<brackets> */
void call_write_name(writer *w, call const *c);

/** An expression that was read: its value, and the call that the whole expression is, or one without a name. */
typedef struct evaluation {
    bool ok; /* false: the words in error say why it is no expression */
    value result;
    call outer;
    tsr_text_error error;
    slot place[MAX_SLOTS];
    value *stack; /* what is read of unfinished lists; in the end the arguments of `outer` */
    int used, room;
} evaluation;

/** Reads and evaluates an expression; NULL: out of memory. To be freed by evaluation_free. */
evaluation *evaluate(char const *text, unsigned flags, tsr_trace trace, void *context);
void evaluation_free(evaluation *e);

#endif

/** What an expression can be while it is evaluated. */
#ifndef TSR_SRC_VALUE_H
#define TSR_SRC_VALUE_H

#include "tessera/ops.h"
#include "tessera/text.h"

#include "writer.h"

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

/** The element type that the text begins with; returns how many characters its name has, 0 for none. */
size_t type_read(char const *text, tsr_dtype *type);

/** CuTe's name of an element type. */
char const *type_cute_name(tsr_dtype type);

/** Why a value is invalid, or a valid tuple. */
tsr_tuple value_reason(value const *v);

/** Writes any value; an invalid one gives its reason. */
void value_write(writer *w, value const *v, unsigned flags);

/** The parts of a tensor map's text. */
void write_tma_map(writer *w, tsr_tma_desc const *d);
char const *tma_op_name(tsr_tma_op op);

/** The most integers or types in the brackets of name<..>(..). */
#define MAX_BRACKET 16

/** A call as the parser found it. */
typedef struct call {
    char name[64];
    value *arg;
    int args;
    value bracket[MAX_BRACKET];
    int brackets;
    bool shapes; /* an integer or a tuple may stand for its compact layout */
} call;

/** Evaluates a call. False: the words in *error say why the name or the arguments do not fit. */
bool call_evaluate(call *c, value *result, tsr_text_error *error);

/** Reads and evaluates an expression. *outer becomes the call that the whole expression is, its arguments the caller's to
 *  free, or a call without a name. False: the words in *error say why it is no expression. */
bool value_read(char const *text, unsigned flags, value *r, call *outer, tsr_text_error *error);

#endif

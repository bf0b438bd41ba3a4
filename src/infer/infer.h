/** A tile program: values, operations that relate their fragments, and the choices of each operation. */
#ifndef TSR_SRC_INFER_INFER_H
#define TSR_SRC_INFER_INFER_H

#include "tessera/atoms.h"
#include "tessera/infer.h"

enum {
    INFER_NAME = 24,
    INFER_VALUES = 48,
    INFER_DIMS = 6,
    INFER_OPERANDS = 5, /* of an operation, its result is the last */
    INFER_LANES = 5,
    INFER_THREADS = 10,   /* bits of a block's threads */
    INFER_BITS = 18,      /* of a coordinate, and so the most registers of a thread */
    INFER_CHOICES = 24,   /* fragments of a value, and layouts of an operation, that are tried */
    INFER_STEPS = 1 << 16 /* of the search */
};

/** The bases of a fragment; no register's is a sum of the others. */
typedef struct fragment {
    int registers;
    uint64_t reg[INFER_BITS], thread[INFER_THREADS];
} fragment;

typedef enum op_kind { OP_INPUT, OP_SHARED, OP_ELEMENTWISE, OP_REDUCE, OP_TRANSPOSE, OP_RESHAPE, OP_MMA } op_kind;

/** The fragments of the operands and of the result under one layout of the operation, and what it exchanges. */
typedef struct choice {
    fragment need[INFER_OPERANDS];
    int64_t cost;
} choice;

/** A value and the operation that makes it. */
typedef struct value_of {
    char name[INFER_NAME];
    int line, dims, bits[INFER_DIMS], total;
    bool given;
    fragment fixed; /* the given one */
    op_kind kind;
    int operands, operand[INFER_OPERANDS]; /* values */
    int space;                             /* bits of the operation's coordinate */
    int8_t to[INFER_OPERANDS][INFER_BITS]; /* of each, the bit of the operand, -1: left out */
    tsr_mma_atom atom;
    int choices, chosen, best;
    choice *choice;
    int fragments; /* what it may be, in its pool */
    fragment pool[INFER_CHOICES];
    int home; /* of a free value, in its pool */
} value_of;

struct tsr_inference {
    int warps, values, moves; /* bits of warps */
    int64_t cost;
    bool proved; /* no assignment of the candidates costs less */
    value_of value[INFER_VALUES];
    tsr_inferred_move move[INFER_VALUES * INFER_OPERANDS];
};

/** Has an operation a layout of its own? An input and a copy through shared memory have none. */
static inline bool is_computed(value_of const *v) { return v->kind > OP_SHARED; }

/** Reads the program. False: *error. */
bool tsr_infer_read_(tsr_inference *p, char const *text, tsr_message *error);

/** Finds the choices of all operations, and the best ones. */
void tsr_infer_propose_(tsr_inference *p);
void tsr_infer_search_(tsr_inference *p);

/* Fragments */

bool tsr_infer_from_(fragment *f, tsr_linear const *map, value_of const *v, tsr_message *error);
tsr_linear tsr_infer_map_(fragment const *f, value_of const *v, int warps);

/** Appends a register, unless it is a sum of the others. */
void tsr_infer_push_(fragment *f, uint64_t basis);

/** A fragment in which each thread holds a block of neighbours along the last dimension. */
fragment tsr_infer_blocked_(value_of const *v, int warps);

tsr_move_count tsr_infer_move_(fragment const *from, fragment const *to, int warps);
int64_t tsr_infer_cost_(fragment const *from, fragment const *to, int warps);
bool tsr_infer_same_(fragment const *a, fragment const *b, int warps);

/** What a reduction exchanges from the operand's fragment to the result's. */
int64_t tsr_infer_reduced_(fragment const *from, fragment const *to, int warps);

#endif

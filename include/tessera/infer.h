/** The fragments of a tile program: some are given, the others are found, with the fewest moves between threads.
 *
 *      warps 4
 *      q: (64,64) @ linear{register=.. -> dim0=64;dim1=64}      a value, and where its elements are
 *      k: (64,64)                                               a value whose fragment is free
 *      s = mma<SM80_16x8x16_F32F16F16F32_TN>(q, k, z)           operands (M,K), (N,K), (M,N)
 *      m = reduce<1>(s)                                         (64,1)
 *      p = elementwise(s, m)                                    extents of 1 are broadcast
 *
 *  A fragment is a linear map over F2 (core/linear.h) from register, lane and warp to the coordinate. A basis of 0 is a
 *  replication: several threads hold the element. Extents are powers of two.
 *
 *  Law      Each operation has one layout of its elements. That of an operand leaves out the broadcast bits, that of a
 *           result the reduced ones; transpose and reshape permute bits, and an mma has the fragments of its atom,
 *           tiled over the warps. A thread computes what it holds, so an operand in another fragment is moved.
 *  Cost     of a move: the elements that a thread gets from others, 1 each within a warp, TSR_INFER_SHARED each through
 *           shared memory; within a thread a move is free. A reduction between threads costs as its exchanges.
 *  Found    the assignment of least cost among the candidates: the fragments that the given ones and the atoms' become
 *           through the operations.
 */
#ifndef TSR_INFER_H
#define TSR_INFER_H

#include "tessera/text.h"

TSR_HEADER_BEGIN

/** The cost of an element that goes through shared memory, where one by a shuffle costs 1. */
enum { TSR_INFER_SHARED = 4 };

/** Where the elements come from that the threads of a block need: those of a thread's own, of its warp, of others. */
typedef struct tsr_move_count {
    int64_t own, shuffled, shared;
} tsr_move_count;

/** Counts a move between two fragments of one value, whose inputs are register, lane and warp.
 *  Law      own + shuffled + shared are the elements of `to`, counted in each thread that holds them.
 *  False    the outputs differ, or a fragment does not hold every element: *error says which. */
TSR_TRY bool tsr_move_count_of(tsr_linear from, tsr_linear to, tsr_move_count *r, tsr_message *error);

/** A move: the value, and the value that is made of it where it is needed. */
typedef struct tsr_inferred_move {
    int value, user;
    tsr_linear to;
    tsr_move_count count;
} tsr_inferred_move;

/** A program with its fragments. Opaque; give it to tsr_inference_free. */
typedef struct tsr_inference tsr_inference;

/** Reads a program, one statement a line, # begins a comment, and finds its fragments. NULL: *error says why not. */
TSR_TRY tsr_inference *tsr_infer(char const *program, tsr_message *error);
TSR_API void tsr_inference_free(tsr_inference *p);

/** The values in order of their lines, their names, and the fragment in which each is made. */
TSR_API int tsr_inference_values(tsr_inference const *p);
TSR_API char const *tsr_inference_name(tsr_inference const *p, int value);
TSR_API tsr_linear tsr_inference_fragment(tsr_inference const *p, int value);

/** The moves, and the cost of all moves and reductions. */
TSR_API int tsr_inference_moves(tsr_inference const *p);
TSR_API tsr_inferred_move tsr_inference_move(tsr_inference const *p, int i);
TSR_API int64_t tsr_inference_cost(tsr_inference const *p);

/** Was every candidate tried, so that none costs less? False: a long program, whose search ended before. */
TSR_API bool tsr_inference_is_least(tsr_inference const *p);

/** Fragments, moves and cost as text; as snprintf. */
TSR_API size_t tsr_inference_format(char *out, size_t size, tsr_inference const *p);

TSR_HEADER_END

#endif

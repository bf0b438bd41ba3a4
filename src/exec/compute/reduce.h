/** What the engines share of exec/reduce.h. */
#ifndef TSR_SRC_EXEC_COMPUTE_REDUCE_H
#define TSR_SRC_EXEC_COMPUTE_REDUCE_H

#include "exec/compute/reduce_lines.h"
#include "exec/move/run.h"
#include "tessera/exec/reduce.h"

/** Elements of a piece, at least. */
#ifndef TSR_REDUCE_PIECE
#  define TSR_REDUCE_PIECE 65536
#endif

/** Elements that are read elsewhere: gathered and converted. */
enum { TSR_REDUCE_GROUP = 512 };

/** The functions that reduce: those of exec/compute/reduce_lines.h, or a version of them for more instructions. */
typedef struct tsr_reducer_ {
    tsr_converter convert;
    void (*lines)(int op, tsr_dtype type, void const *from, int64_t lines, int64_t remote, int64_t n, int64_t nearby,
                  void *acc);
    void (*runs)(int op, tsr_dtype type, void const *from, int64_t count, int64_t n, int64_t remote, void *acc);
} tsr_reducer_;

TSR_INTERNAL void tsr_reduce_add_(tsr_planned_reduce const *p, tsr_reducer_ const *k, void *acc, void const *more,
                                  int64_t n);

/* Elements */

/** Elements of a side that are a step apart, one behind the other; smaller than a byte they get one each. */
TSR_INTERNAL void tsr_reduce_gather_(tsr_side const *x, uint64_t base, int64_t at, int64_t step, int64_t n,
                                     unsigned char *out);

TSR_INTERNAL void tsr_reduce_scatter_(tsr_side const *x, uint64_t base, int64_t at, int64_t step, int64_t n,
                                      unsigned char const *in);

/** A piece of n results side by side. The first elements begin at a bit offset. */
TSR_INTERNAL void tsr_reduce_piece_(tsr_planned_reduce const *p, tsr_reducer_ const *k, uint64_t base, int64_t at,
                                    int64_t n, int64_t piece, uint64_t *acc);

/** Where the results of a block begin in the source and in the destination, in bits. Returns how many they are. */
TSR_INTERNAL int64_t tsr_reduce_block_at_(tsr_planned_reduce const *p, int64_t block, int64_t *at);

/** Rounds n results and puts them at a bit. */
TSR_INTERNAL void tsr_reduce_finish_(tsr_planned_reduce const *p, tsr_reducer_ const *k, uint64_t base, int64_t at,
                                     int64_t n, uint64_t *acc);

/** One block, piece by piece. */
TSR_INTERNAL void tsr_reduce_block_(tsr_planned_reduce const *p, tsr_reducer_ const *k, uint64_t to, uint64_t from,
                                    int64_t block);

/** The loops of the headers, which run anywhere. */
TSR_INTERNAL tsr_reducer_ tsr_reducer_of_loops_(void);

#endif

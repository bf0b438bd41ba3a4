/** The parts of the engine of products: loops, the choice of a kernel, panels, what becomes of a tile. */
#ifndef TSR_SRC_EXEC_GEMM_ENGINE_H
#define TSR_SRC_EXEC_GEMM_ENGINE_H

#include "exec/gemm/row.h"
#include "exec/gemm/gemm.h"
#include "exec/nest.h"
#include "tessera/exec/gemm_plan.h"

/** What a row of kernels needs to know of the operands. */
typedef struct gemm_choice {
    gemm_table const *table;
    gemm_row const *row;
    tsr_dtype work; /* the epilogue's numbers: f32, f64, i64 */
} gemm_choice;

/** Cuts a mode of the tensors that have it into loops. Says why there are none, or 0. */
tsr_slow tsr_gemm_loops_of(tsr_gemm_loops *x, tsr_leaves_ *mode, int modes);

/** Sorts loops by the steps of `first` and joins them. The loop along neighbours in `second` becomes the second one;
 *  inside it run at most `most` steps of the first loop, so that neighbours in both tensors are reused soon. */
void tsr_gemm_order_loops(tsr_gemm_loops *x, int first, int second, int64_t most);

/** Offsets of `n` elements from element `from` on, times `scale`. */
void tsr_gemm_offsets(tsr_gemm_loops const *x, int operand, int64_t from, int64_t n, int64_t scale, int64_t *out);

/** Where element `at` of a mode lies, in elements. */
int64_t tsr_gemm_offset(tsr_gemm_loops const *x, int operand, int64_t at);

gemm_table const *tsr_gemm_table(gemm_isa isa);

/** Finds the kernels for the types of a plan: sets isa, row and parts. False if there are none. */
bool tsr_gemm_choose(tsr_planned_gemm *p);

gemm_choice tsr_gemm_choice_of(tsr_planned_gemm const *p);

/** Bytes from one element of an operand to the next. */
static inline int64_t gemm_bytes(tsr_tensor const *t) { return tsr_dtype_bits(t->engine.type) / 8; }

/** Memory behind one swizzle at most. */
static inline bool gemm_is_swizzled(tsr_tensor const *t) { return t->layout.composed && t->layout.swizzle.bits > 0; }

static inline int64_t gemm_ceil(int64_t n, int64_t step) { return (n + step - 1) / step; }

/** Whether the sums of a plan's kernels are numbers of a type, bit by bit (the parts of a complex one). */
static inline bool gemm_is_sum(tsr_planned_gemm const *p, tsr_dtype type)
{
    tsr_dtype const sum = gemm_sum_type(tsr_gemm_choice_of(p).row->form);
    return type == sum || p->parts == 2 || (sum == TSR_I32 && type == TSR_U32) || (sum == TSR_I64 && type == TSR_U64);
}

/** A panel of A or B to be packed: rows and steps along K in bytes from `base`. */
typedef struct gemm_source {
    tsr_tensor const *tensor;
    unsigned char const *base;
    int parts;
    bool of_b, flip, sums; /* flip: i8 to u8, or back; sums: columns begin with what that takes from theirs */
    bool even;             /* elements along K are equally far apart */
} gemm_source;

/** Converts n numbers, by the table where it can. */
void tsr_gemm_convert(gemm_choice const *c, tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from,
                      int64_t n);

/** Units of K in a panel of k elements. The last units may be zero padding. */
int64_t tsr_gemm_units(gemm_row const *row, int parts, int64_t k);

/** Packs rows by k elements: unit (u, r) to place r + u*width; what rows and k lack is 0. */
void tsr_gemm_pack(gemm_choice const *c, gemm_source const *s, unsigned char *to, int64_t width, int64_t const *row,
                   int rows, int64_t const *step, int64_t k);

/** The same for panels of `rows` rows, some bytes one after the other, if all of their rows lie side by side, or in
 *  groups that do: K outermost, so that every line and page of the operand is read once. Spare lanes are left as they
 *  are. False, and nothing was done: rows lie otherwise. */
bool tsr_gemm_pack_panels(gemm_choice const *c, gemm_source const *s, unsigned char *to, int64_t bytes, int64_t width,
                          int64_t const *row, int64_t rows, int64_t panels, int64_t const *step, int64_t k);

/** A tile of sums and its place: rows and columns of C and of the bias. A complex number counts as two. */
typedef struct gemm_tile {
    void const *sums;
    int64_t ld;
    int rows, columns;
    int64_t const *row, *column, *bias_row, *bias_column;
    int const *run, *bias_run; /* numbers of C, of the bias, that lie side by side, from each one on */
} gemm_tile;

/** Makes C of a tile by the epilogue of a plan. */
void tsr_gemm_finish(tsr_planned_gemm const *p, gemm_choice const *c, gemm_tile const *t);

/** Runs a plan of blocks in memory that suffices. */
void tsr_gemm_run_blocks(tsr_planned_gemm const *p, unsigned char *work);

size_t tsr_gemm_blocks_workspace(tsr_planned_gemm const *p);

/** The most bytes of an A that lies along K and is turned before small tiles read it. */
enum { GEMM_TURNED_BYTES = 32768 };

/** Runs a plan that reads A and B where they are. */
void tsr_gemm_run_in_place(tsr_planned_gemm const *p);

/** Runs a plan of a matrix and a vector that are read where they are. */
void tsr_gemm_run_lines(tsr_planned_gemm const *p);

/** Whether a plan, which has a row of kernels, is one of these. */
bool tsr_gemm_is_lines(tsr_planned_gemm const *p);

/** Runs a plan without rows and columns, and says whether one is. */
void tsr_gemm_run_points(tsr_planned_gemm const *p);

bool tsr_gemm_is_points(tsr_planned_gemm const *p);

/** Runs a plan of operands that lie along K, and says whether one is. */
void tsr_gemm_run_dots(tsr_planned_gemm const *p);

bool tsr_gemm_is_dots(tsr_planned_gemm const *p);

/** The same of complex numbers, of few rows or columns (exec/gemm/complex_dots.c). */
void tsr_gemm_run_complex_dots(tsr_planned_gemm const *p);

bool tsr_gemm_is_complex_dots(tsr_planned_gemm const *p);

/** Parts of a product, each of one thread: rows, columns, elements of K. */
typedef struct gemm_cut {
    int64_t rows, columns, depth;
} gemm_cut;

/** Products in the time in which an element of a block comes from the cache of all threads: tiles make more of them. */
static inline double gemm_element_products(gemm_row const *row) { return row->depth > 1 ? 256 : 32; }

/** The parts that threads finish first, with multiples of `rows` rows; false: not clearly before the blocks of a plan,
 *  which cost `each` products for an element of K; 0: which are whole batches. */
bool tsr_gemm_cut(tsr_planned_gemm const *p, int64_t threads, int64_t rows, double each, gemm_cut *best);

/** Whether a large A meets few columns: its blocks are small, and asked for in time. */
bool tsr_gemm_is_far(tsr_planned_gemm const *p);

#endif

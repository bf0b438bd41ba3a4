/* The engine: what runs plans on this machine. A row is an instruction set, chosen when the program runs; all rows
 * move the same bytes. */
#ifndef TSR_SRC_ENGINE_H
#define TSR_SRC_ENGINE_H

#include "exec/compute/algorithm.h"
#include "exec/rows.h"

#define ENGINE_LINE TSR_LINE_BYTES

/** Bytes that are prefetched before they are moved. */
#define ENGINE_AHEAD TSR_ROWS_AHEAD

/** Orders what passed the caches before what comes after. */
#if defined(__SSE2__)
#  include <emmintrin.h>
#  define ENGINE_FENCE() _mm_sfence()
#else
#  define ENGINE_FENCE() (void)0
#endif

/** X(bytes): items that tiles are made of. */
#define ENGINE_ITEM_LIST(X) X(1) X(2) X(4) X(8) X(16) X(32)

/** The largest block in bytes that is moved at once. */
#define ENGINE_SMALL_BYTES 32768

/** Where a row of bytes, or lines of items of the source, are moved from and to. Of tiles, too: the
 *  first of these items in their block, and whether they are the first and the last ones along the destination. */
typedef struct engine_place {
    unsigned char *to;
    unsigned char const *from;
    int16_t lines, items, item;
    bool first, last;
} engine_place;

/** Tiles of one line each way (exec/square.h). Steps are bytes from line to line. */
typedef struct engine_tile {
    void (*full)(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step, bool stream);
    void (*part)(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step, int64_t lines,
                 int64_t items);
    /* At least a vector each way: the last squares overlap those before. */
    void (*block)(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step, int64_t lines,
                  int64_t items);
    /* Moves a strip past the caches: `at_once` lines by `bytes` bytes, a multiple of a memory line. NULL if items are
     * whole lines. */
    void (*strip)(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step, int64_t bytes);
    int at_once, deep; /* deep: lines of the source that registers hold parts of, 0 if items are whole lines */
} engine_tile;

typedef struct engine_kernels {
    int vector;                                     /* bytes */
    struct engine_kernels const *(*narrower)(void); /* the row of narrower vectors, or NULL */
    tsr_converter convert;
    void (*convert_lines)(tsr_pass_ const *pass, void *to, int64_t to_step, void const *from, int64_t from_step,
                          int64_t n, int64_t lines);
    void (*update)(tsr_update const *u, tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from,
                   int64_t n);
    /* Lines where they lie; false: not of these types, nothing is done. */
    bool (*update_lines)(tsr_update const *u, tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from,
                         tsr_lines_ b);
    tsr_reducer_ reduce;
    bool (*combine)(int op, tsr_dtype type, void *to, void const *x, void const *y, int64_t n);
    /* Items 0, 1, .. of `lines` (2, 4 or 8) lines in turn, side by side. Returns how many items of a line were moved:
     * all but the last few. */
    int64_t (*weave[4])(unsigned char *to, unsigned char const *from, int64_t from_step, int lines, int64_t items,
                        bool stream);
    /* All items of 2 to 8 lines, `step` bytes apart, in turn side by side; apart: of one line in turn to these. */
    void (*braid[4])(unsigned char *to, unsigned char const *from, int64_t step, int lines, bool apart,
                     int64_t items);
    void (*row)(unsigned char *to, unsigned char const *from, int64_t n, unsigned char const *next, bool stream);
    void (*rows)(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step, int64_t n,
                 int64_t rows);
    /* The same past the caches: places, steps of the destination and rows are whole lines. */
    void (*stream_rows)(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step, int64_t n,
                        int64_t rows);
    void (*run)(engine_place const *at, int64_t count, int ahead); /* rows; row i + ahead is prefetched with row i */
    /* Writes lines of n bytes from a buffer of turned items. Each continues the rest of the previous call. Whole
     * memory lines are streamed, and the remainder waits in `carry`. */
    void (*skew)(unsigned char *to, int64_t to_step, unsigned char const *from, int64_t from_step, int64_t lines,
                 int64_t n, unsigned char (*carry)[ENGINE_LINE], bool first, bool last);
    void (*fill)(unsigned char *to, unsigned char const *pattern, int64_t n, bool stream);
    engine_tile tile[8]; /* of ENGINE_ITEM_LIST, and of one and two lines */
} engine_kernels;

/** X(row): the instruction sets, the best one first. */
#define ENGINE_ROW_LIST(X) X(avx512) X(avx2) X(vector)

#define X(row)                                                                                                    \
  engine_kernels const *tsr_engine_##row##_(void); /* NULL where this machine has none */                         \
  void tsr_engine_lines_##row##_(int op, tsr_dtype type, void const *from, int64_t lines, int64_t far, int64_t n, \
                                 int64_t near, void *acc);                                                        \
  void tsr_engine_update_##row##_(tsr_update const *u, tsr_converter convert, tsr_dtype to_type, void *to,        \
                                  tsr_dtype from_type, void const *from, int64_t n);                              \
  bool tsr_engine_combine_##row##_(int op, tsr_dtype type, void *to, void const *x, void const *y, int64_t n);    \
  bool tsr_engine_update_lines_##row##_(tsr_update const *u, tsr_dtype to_type, void *to, tsr_dtype from_type,    \
                                        void const *from, tsr_lines_ b);                                          \
  void tsr_engine_runs_##row##_(int op, tsr_dtype type, void const *from, int64_t count, int64_t n, int64_t far,  \
                                void *acc);
ENGINE_ROW_LIST(X)
#undef X

/** Looks bytes up in a table, where the row of such vectors has AVX512-VBMI, or NEON. Returns how many bytes were
 *  looked up: all but the last few, or 0 without these. */
int64_t tsr_engine_look_up_(int vector, unsigned char *to, unsigned char const *from, unsigned char const *table,
                            int64_t n);

/** Whether the processor converts f16 (F16C), which the row of AVX2 needs; asked once. */
bool tsr_engine_has_halves_(void);

/** The reductions of the row that runs, or the portable loops. */
tsr_reducer_ tsr_engine_reducer_(void);

/** The row "amx": copies as those of AVX-512; products have tiles. NULL where these are not. */
engine_kernels const *tsr_engine_amx_(void);

/** Whether the system lets this process use tiles: asked once, by the first product that wants them. */
bool tsr_engine_may_use_tiles_(void);

/** How many threads may take part in what begins now: those of tsr_cpu_engine_threads, one inside of others. */
int tsr_engine_threads_(void);

/** What OMP_NUM_THREADS says, or how many processors the process may use. */
int tsr_engine_most_threads_(void);

/** run(context, worker, i) for each i below `parts`, by at most so many threads, the caller one of them. A worker is a
 *  number below `threads`, of one thread at a time. */
void tsr_engine_share_(int threads, int64_t parts, void (*run)(void *context, int worker, int64_t i), void *context);

/** The kernels of the row that runs; NULL: the portable loops. */
engine_kernels const *tsr_engine_chosen_(void);

/** How the elements of a plan that converts or computes become others. Where they are bytes on both sides, and nothing
 *  else is read, a table knows each of them. */
typedef struct engine_conversion {
    engine_kernels const *kernels;
    tsr_planned_copy const *plan;
    tsr_pass_ pass;
    bool by_table;
    unsigned char table[256];
} engine_conversion;

void tsr_engine_conversion_begin_(engine_conversion *c, engine_kernels const *k, tsr_planned_copy const *p);

/** Lines of n elements, `from_step` bytes apart, to adjacent lines. Where the function reads the
 *  destination, `to` is it. */
void tsr_engine_convert_(engine_conversion const *c, void *to, void const *from, int64_t from_step, int64_t n,
                         int64_t lines);

/** Units first to last - 1 of a plan of rows, by one thread and without a fence. Returns the items moved. */
int64_t tsr_engine_rows_(engine_kernels const *k, tsr_planned_copy const *p, uint64_t to, uint64_t from,
                         int64_t first, int64_t last);

/** The same of a plan of tiles. */
int64_t tsr_engine_tiles_(engine_kernels const *k, tsr_planned_copy const *p, uint64_t to, uint64_t from,
                          int64_t first, int64_t last);

/** Whether a plan is one small block. */
bool tsr_engine_is_small_(tsr_planned_copy const *p);

/** Moves a block of items of whole bytes, in one go. NULL: by the portable loops. */
void tsr_engine_move_block_(engine_kernels const *k, unsigned char *to, unsigned char const *from,
                            tsr_block_ const *b, int64_t item);

/** Runs such a plan. Returns the items moved. */
int64_t tsr_engine_run_small_(engine_kernels const *k, tsr_planned_copy const *p, uint64_t to, uint64_t from);

/** Whether a plan puts one item everywhere along its first loop. */
bool tsr_engine_is_fill_(tsr_planned_copy const *p);

/** Units of such a plan. */
int64_t tsr_engine_fill_(engine_kernels const *k, tsr_planned_copy const *p, uint64_t to, uint64_t from,
                         int64_t first, int64_t last);

#endif

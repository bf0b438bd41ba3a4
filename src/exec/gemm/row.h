/** The kernels of products as data: an instruction set is a table of functions, a kernel a row of it.
 *
 *  A kernel multiplies a tile: mr rows (vectors of `lanes` elements, up to 3) by nr columns (1, 2, 4 or 8), over k
 *  units.
 *
 *      C[i + j*cc]  (+)=  sum over k of A[i + k*as] * B[k*bs + j*bc]           steps in units of the form
 *
 *  What lies `far` units behind B, the next panel, is asked for on the way: it comes from the third cache. So are the
 *  lines of C that lie `ahead` of those of the tile, of the next one; 0: of the tile.
 *
 *  A unit is an element, or `group` neighbours along K in 4 bytes. Lanes of the last vector that `mask` lacks are not
 *  touched; rows of tables whose kernels have no masks read and write whole vectors.
 *
 *  Kernels of AMX take `depth` units of K at a time, k is a multiple of it. In their panels of B the units that a
 *  column has of these lie side by side, a line of 64 bytes, columns behind each other: bs is the columns of a panel,
 *  bc is not asked for.
 */
#ifndef TSR_SRC_EXEC_GEMM_ROW_H
#define TSR_SRC_EXEC_GEMM_ROW_H

#include "tessera/tensor/tensor.h"

/* clang-format off */
/** X(id, name): the sets of instructions, by the names of the engine's rows (exec/engine.h), the widest last. Two have
 *  one name where the second adds to the first what a compiler or a processor may lack. */
#define GEMM_ISA_LIST(X)  \
  X(SCALAR, "loops")      \
  X(PORTABLE, "vector")   \
  X(NEON, "vector")       \
  X(AVX2, "avx2")         \
  X(AVX_VNNI, "avx2")     \
  X(AVX512, "avx512")     \
  X(AMX, "amx")
/* clang-format on */

typedef enum gemm_isa {
#define X(id, name) ISA_##id,
    GEMM_ISA_LIST(X)
#undef X
        ISAS
} gemm_isa;

/** X(id, type of an element of A, type of the sums, elements a unit): what panels are made of. U8I8: A is u8 and B i8.
 *  Behind the units of a panel of B come the numbers at which columns begin, for A of the other sign moved by 128. */
#define GEMM_FORM_LIST(X) \
  X(F32, F32, F32, 1)     \
  X(F64, F64, F64, 1)     \
  X(I32, I32, I32, 1)     \
  X(I64, I64, I64, 1)     \
  X(BF16, BF16, F32, 2)   \
  X(I16, I16, I32, 2)     \
  X(U8I8, U8, I32, 4)     \
  X(I8U8, I8, I32, 4)     \
  X(I8I8, I8, I32, 4)     \
  X(U8U8, U8, I32, 4)

typedef enum gemm_form {
#define X(id, element, sum, group) FORM_##id,
    GEMM_FORM_LIST(X)
#undef X
        FORMS
} gemm_form;

enum { GEMM_VECTORS = 3, GEMM_COLUMNS = 8, GEMM_LANES = 16, GEMM_ROWS = GEMM_VECTORS * GEMM_LANES };

typedef void gemm_kernel(int64_t k, void const *a, int64_t as, void const *b, int64_t bs, int64_t bc, int64_t far,
                         void *c, int64_t cc, int64_t ahead, bool add, uint32_t mask);

/** Lines of a matrix by a vector (exec/gemm/lines.h). */
typedef void gemm_lines(int64_t m, int64_t k, void const *a, int64_t as, void const *x, void *y, bool add);

/** Lines of two matrices, element by element. */
typedef void gemm_pairs(int64_t m, int64_t k, void const *a, int64_t as, void const *b, int64_t bs, void *y,
                        bool add);

/** Operands that lie along K (exec/gemm/dots.h). */
typedef void gemm_dots(int64_t m, int64_t n, int64_t k, void const *a, int64_t as, void const *b, int64_t bs, void *c,
                       int64_t cr, int64_t cc, bool add);

/** Adds to a complex number the dot product of k ones that lie side by side. */
typedef void gemm_complex(int64_t k, void const *a, void const *b, void *c);

typedef struct gemm_row {
    gemm_form form;
    char const *needs;           /* a feature of the processor beyond the instruction set, or "" */
    int lanes, vectors, columns; /* elements a vector; the widest tile */
    int log_columns;             /* the logarithm of the columns of the narrowest one */
    bool masks, panels;          /* panels: kernels read B from them alone */
    int depth;
    /* by whether the last vector has a mask, by vectors, by the logarithm of the columns beyond log_columns */
    gemm_kernel *kernel[2][GEMM_VECTORS][4];
    void (*enter)(void), (*leave)(void);         /* around the kernels that a thread runs; or NULL */
    gemm_lines *alone, *along, *across, *narrow; /* by a vector: one line along K, lines, lines across K, few rows */
    gemm_pairs *pairs;                           /* with them */
    gemm_dots *dots;                             /* of operands along K; or NULL */
    gemm_complex *complex_dot;                   /* of numbers whose parts are such elements; or NULL */
} gemm_row;

/** C[row[i] + column[j]] (+)= tile[i + j*ld]. Rows are contiguous in runs: run[i] rows from row i on. */
typedef void gemm_scatter(unsigned char *c, int64_t const *row, int const *run, int rows, int64_t const *column,
                          int columns, void const *tile, int64_t ld, bool add);

/** Neighbours along K to units: (k, r) of elements, `width` a row, to group elements at r + k/group*width. */
typedef void gemm_zip(unsigned char *to, unsigned char const *from, int64_t width, int64_t k);

/** Converts n numbers side by side; false for types that it does not know, which tsr_convert takes. */
typedef bool gemm_convert(tsr_dtype to_type, void *to, tsr_dtype from_type, void const *from, int64_t n);

typedef struct gemm_table {
    gemm_row const *row;
    int rows;
    gemm_scatter *scatter_float, *scatter_double, *scatter_int, *scatter_long;
    gemm_scatter *scatter_bf16, *scatter_half; /* of sums of f32 to bf16, to f16; or NULL */
    gemm_zip *zip_pairs, *zip_quads;
    gemm_convert *convert;
} gemm_table;

/** By instruction set; without rows where the compiler has none. */
extern gemm_table const tsr_gemm_scalar, tsr_gemm_portable, tsr_gemm_neon, tsr_gemm_avx2, tsr_gemm_avx_vnni,
    tsr_gemm_avx512, tsr_gemm_amx;

/** The row for one element at a time, of f32, f64, i32 or i64: for the rows of C that are no whole vector. */
gemm_row const *tsr_gemm_one(gemm_form form);

/** How many rows lie side by side, `size` apart, from each one on. */
static inline void gemm_runs(int64_t const *row, int64_t size, int rows, int *run)
{
    for (int i = rows - 1; i >= 0; --i)
        run[i] = i + 1 < rows && row[i + 1] == row[i] + size ? run[i + 1] + 1 : 1;
}

/** Whether n places lie side by side. */
static inline bool gemm_is_run(int64_t const *place, int64_t size, int n)
{
    bool run = true;
    for (int i = 1; i < n; ++i)
        run = run && place[i] == place[i - 1] + size;
    return run;
}

typedef struct gemm_units {
    tsr_dtype element, sum;
    int group;
} gemm_units;

static inline gemm_units gemm_units_of(gemm_form f)
{
    static gemm_units const units[] = {
#define X(id, element, sum, group) {TSR_##element, TSR_##sum, group},
        GEMM_FORM_LIST(X)
#undef X
    };
    return units[f];
}

static inline tsr_dtype gemm_element_type(gemm_form f) { return gemm_units_of(f).element; }

static inline tsr_dtype gemm_sum_type(gemm_form f) { return gemm_units_of(f).sum; }

static inline int gemm_group(gemm_form f) { return gemm_units_of(f).group; }

/** Whether numbers of a type are elements of a form, bit by bit: products of integers do not ask for signs. */
static inline bool gemm_is_element(gemm_form f, tsr_dtype type)
{
    return type == gemm_element_type(f) || (f == FORM_I32 && type == TSR_U32) || (f == FORM_I64 && type == TSR_U64);
}

/** Bytes a unit, and a sum: 4, or 8 of f64 and i64. */
static inline int64_t gemm_unit_bytes(gemm_form f) { return f == FORM_F64 || f == FORM_I64 ? 8 : 4; }

#endif

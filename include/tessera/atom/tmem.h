/** Operands in tensor memory: layouts into (lane, column), addresses, and a plan of the columns.
 *
 *  Tensor memory has 128 lanes of 512 columns of 32 bits. A layout into it has basis strides: `_1@0` is a lane, `_1@1`
 *  an element. `per_column` elements of an operand share a column, so element e is in column e / per_column.
 *
 *      128 rows                    (_128,_N):(_1@0,_1@1)
 *      64 rows of one CTA          ((_16,_4),_N):((_1@0,_32@0),_1@1)      16 of every 32 lanes
 *      64 rows of a pair, .ws      (_64,(_N/2,_2)):(_1@0,(_1@1,_64@0))    32 rows: four parts of N
 *      scales                      (((_32,_4),_4),(_V,_4)):(((_1@0,_4@1),_32@0),(_0,_1@1))
 *
 *  Tiles and stages follow in the columns behind, the first mode fastest. Two things are free before: the other 16
 *  lanes of every 32, and the rest of a column of scales.
 *
 *  Laws    Layouts are injective but for modes that copy scales and A to other lanes. They lie within the 128 lanes and
 *          512 columns. tsr_tmem_address gives CuTe's offsets (tests/conformance/tmem_expr.tsv).
 *  Errors  TMEM_ATOM, TMEM_OPERAND, TMEM_SHAPE, TMEM_ROWS, TMEM_WIDTH, TMEM_TYPE, TMEM_SCALES, TENSOR_MEMORY.
 *  Source  PTX ISA 9.0, "Tensor Memory"; CuTe, include/cute/atom/mma_traits_sm100.hpp, tmem_frg and its like.
 */
#ifndef TSR_ATOM_TMEM_H
#define TSR_ATOM_TMEM_H

#include "tessera/atom/mma.h"

TSR_HEADER_BEGIN

enum { TSR_TMEM_LANES = 128, TSR_TMEM_COLUMNS = 512, TSR_TMEM_ALIGN = 4 /* columns, of an operand */ };

/** The operands that an instruction may have in tensor memory, in the order of a plan. */
typedef enum tsr_tmem_operand {
    TSR_TMEM_C,   /* the sums */
    TSR_TMEM_A,   /* A of TS */
    TSR_TMEM_E,   /* metadata of a sparse A */
    TSR_TMEM_SFA, /* scales of A */
    TSR_TMEM_SFB, /* scales of B, N rounded up to 128 */
    TSR_TMEM_OPERANDS
} tsr_tmem_operand;

/* Operands of an atom */

/** An operand of as many tiles as `tiles` says: (M,N) and perhaps stages of C; (M,K) of A, E and SFA; (N,K) of SFB.
 *  Those along K count instructions. All numbers of the result are static. */
TSR_OP tsr_layout tsr_tmem_layout(tsr_mma_atom x, tsr_tmem_operand operand, tsr_tuple tiles);

/** How many elements of an operand share a column. Of metadata, elements of A, of all K. */
TSR_OP int64_t tsr_tmem_per_column(tsr_mma_atom x, tsr_tmem_operand operand);

/* tsr_tmem_layout by the operand, of one tile, and of several. */
TSR_OP tsr_layout tsr_tmem_c(tsr_mma_atom x);
TSR_OP tsr_layout tsr_tmem_c_tiles(tsr_mma_atom x, tsr_tuple tiles);
TSR_OP tsr_layout tsr_tmem_a(tsr_mma_atom x);
TSR_OP tsr_layout tsr_tmem_a_tiles(tsr_mma_atom x, tsr_tuple tiles);
TSR_OP tsr_layout tsr_tmem_e(tsr_mma_atom x);
TSR_OP tsr_layout tsr_tmem_e_tiles(tsr_mma_atom x, tsr_tuple tiles);
TSR_OP tsr_layout tsr_tmem_sfa(tsr_mma_atom x);
TSR_OP tsr_layout tsr_tmem_sfa_tiles(tsr_mma_atom x, tsr_tuple tiles);
TSR_OP tsr_layout tsr_tmem_sfb(tsr_mma_atom x);
TSR_OP tsr_layout tsr_tmem_sfb_tiles(tsr_mma_atom x, tsr_tuple tiles);

/* Fragments by shape: ((M,N),tiles..) of a CTA, of a type in places of `bits` bits */

/** C of SS instructions of one CTA or two; of one CTA with 64 rows two tiles share columns (CuTe's tmem_frg_1sm and
 *  _2sm, interleaved). */
TSR_OP tsr_layout tsr_tmem_frg(tsr_tuple shape, int64_t ctas, tsr_dtype type, int64_t bits);

/** C and A of TS instructions: of one CTA no tiles share columns, of a pair 64 rows are there twice (CuTe's
 *  NonInterleaved and Duplicated). */
TSR_OP tsr_layout tsr_tmem_frg_ts(tsr_tuple shape, int64_t ctas, tsr_dtype type, int64_t bits);

/** C of the .ws form, of 32, 64 or 128 rows.
 *  Example  tmem_frg_ws<float,32>(((_32,_64),_1,_2))  =  ((_32,(_16,_4)),_1,_2):((_1@0,(_1@1,_32@0)),_0,_16@1) */
TSR_OP tsr_layout tsr_tmem_frg_ws(tsr_tuple shape, tsr_dtype type, int64_t bits);

/** Metadata of 128 rows: bits of the elements of A, all K counted; of .ws, of 32 and 64 rows, too. */
TSR_OP tsr_layout tsr_tmem_e_frg(tsr_tuple shape, tsr_dtype type);
TSR_OP tsr_layout tsr_tmem_e_frg_ws(tsr_tuple shape, tsr_dtype type);

/** Scales of ((M,(V,n)),tiles..): n scales a row, each for V elements along K, in all four parts of the lanes. */
TSR_OP tsr_layout tsr_tmem_sf_frg(tsr_tuple shape);

/** Scales of B of a pair with M = 128: each half of N in two parts of the lanes. */
TSR_OP tsr_layout tsr_tmem_sf_frg_2x2(tsr_tuple shape);

/* Addresses and columns */

/** CuTe's offsets of a layout into (lane, element), in elements: 65536 * per_column is a lane.
 *  Law      composition((_128,_16384):(_65536*per_column,_1), l)
 *  Errors   TMEM_LAYOUT, TENSOR_MEMORY */
TSR_OP tsr_layout tsr_tmem_address(tsr_layout l, int64_t per_column);

/** (lanes, columns) that a layout reaches, from 0 on. */
TSR_OP tsr_tuple tsr_tmem_extent(tsr_layout l, int64_t per_column);

/** The columns of an allocation that has room for some: a power of two from 32 on; 1024 where 512 are too
 *  few. */
TSR_OP int64_t tsr_tmem_allocation(int64_t columns);

/** Operands one behind another. */
typedef struct tsr_tmem_plan {
    tsr_reason why;                                               /* what does not fit, or no reason */
    int32_t first[TSR_TMEM_OPERANDS], columns[TSR_TMEM_OPERANDS]; /* columns 0: the instruction has no such operand */
    int32_t used, allocated;
} tsr_tmem_plan;

/** All operands of an instruction: `tiles` is (M,N) or (M,N,stages), and `depth` instructions along K are there at
 *  once. Each operand begins at a multiple of 4 columns. Errors: those of the operands; TMEM_PLAN with the numbers. */
TSR_OP tsr_tmem_plan tsr_make_tmem_plan(tsr_mma_atom x, tsr_tuple tiles, tsr_tuple depth);

/** The plan as ((first column, columns)..,allocated), of the operands that there are: C, A, E, SFA, SFB. */
TSR_OP tsr_tuple tsr_tmem_plan_tuple(tsr_mma_atom x, tsr_tuple tiles, tsr_tuple depth);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/tmem.h"
#endif

#endif

/** Instruction descriptors of tcgen05.mma: 32 bits that an atom determines, but for the flags of one issue.
 *
 *      bits   plain        with scales
 *      0-1    sparse id    sparse id
 *      2      sparse       sparse
 *      3      saturate
 *      4-5    type of D    byte of the scales of B
 *      7-9    type of A    type of A
 *      10-12  type of B    type of B
 *      13,14  negate A, B  negate A, B
 *      15,16  MN of A, B   MN of A, B
 *      17-22  N/8          N/8
 *      23                  type of the scales
 *      24-28  M/16         M/16
 *      29-30               byte of the scales of A
 *      30-31  shift (.ws)  31: K is 96
 *
 *  The byte of scales is the upper two bits of their address in tensor memory. A word says neither its kind, nor the
 *  CTAs, nor where A is: one word may belong to several kinds.
 *
 *  Law     tsr_umma_bits(x, f) is tsr_umma_bits(x, 0) | f; the fields of a word give the word again.
 *  Source  PTX ISA 9.0, "Instruction descriptor" of tcgen05; CuTe, include/cute/arch/mma_sm100_desc.hpp. CuTe differs
 *          in two points: it negates integers, which PTX does not have, and its traits of SM103_.. lack bit 31, which
 *          is set when the instruction is issued.
 */
#ifndef TSR_ATOM_UMMA_H
#define TSR_ATOM_UMMA_H

#include "tessera/atom/mma.h"

TSR_HEADER_BEGIN

/* clang-format off */
/** X(id, kind::name, is a kind with scales). */
#define TSR_UMMA_KIND_LIST(X) \
    X(TF32, "tf32", 0) X(F16, "f16", 0) X(F8F6F4, "f8f6f4", 0) X(I8, "i8", 0) X(MXF8F6F4, "mxf8f6f4", 1) X(MXF4, "mxf4", 1)

/** X(id, words, first bit, bits, kinds that have it: 1 the plain ones, 2 those with scales). */
#define TSR_UMMA_FIELD_LIST(X) \
    X(SPARSE_ID, "sparse id", 0, 2, 3) X(SPARSE, "sparse", 2, 1, 3) X(SATURATE, "saturate", 3, 1, 1) X(D, "D", 4, 2, 1) \
    X(SCALE_B, "scale id of B", 4, 2, 2) X(A, "A", 7, 3, 3) X(B, "B", 10, 3, 3) X(NEGATE_A, "negate A", 13, 1, 3) \
    X(NEGATE_B, "negate B", 14, 1, 3) X(MN_A, "MN-major A", 15, 1, 3) X(MN_B, "MN-major B", 16, 1, 3) \
    X(N, "N/8", 17, 6, 3) X(SCALE, "type of scales", 23, 1, 2) X(M, "M/16", 24, 5, 3) \
    X(SCALE_A, "scale id of A", 29, 2, 2) X(SHIFT, "shift", 30, 2, 1) X(K96, "K is 96", 31, 1, 2) X(REST, "unused bits", 0, 0, 3)
/* clang-format on */

typedef enum tsr_umma_kind {
#define TSR_X_(id, words, scaled) TSR_UMMA_KIND_##id,
    TSR_UMMA_KIND_LIST(TSR_X_)
#undef TSR_X_
        TSR_UMMA_KINDS
} tsr_umma_kind;

typedef enum tsr_umma_field {
#define TSR_X_(id, words, first, bits, kinds) TSR_UMMA_FIELD_##id,
    TSR_UMMA_FIELD_LIST(TSR_X_)
#undef TSR_X_
        TSR_UMMA_FIELDS
} tsr_umma_field;

/* What an issue may add: bits of the word. */
enum {
    TSR_UMMA_SATURATE = 1 << 3, /* of integers */
    TSR_UMMA_NEGATE_A = 1 << 13,
    TSR_UMMA_NEGATE_B = 1 << 14
};

/** The bits of a kind that the scales at two addresses of tensor memory add. */
TSR_FN uint32_t tsr_umma_scale_ids(uint32_t sfa, uint32_t sfb) { return sfb >> 30 << 4 | sfa >> 30 << 29; }

/** Returns the kind of an atom of tsr_umma; TSR_UMMA_KINDS for another one. */
TSR_OP tsr_umma_kind tsr_umma_kind_of(tsr_mma_atom x);

/** Returns the instruction descriptor of an atom, with flags; 0 where tsr_umma_why has a reason. */
TSR_OP uint32_t tsr_umma_bits(tsr_mma_atom x, uint32_t flags);

/** Why an atom has no descriptor with these flags.
 *  Errors   those of the atom; UMMA_ATOM for one that is not tcgen05.mma; UMMA_FLAGS for bits that its kind has for the
 *           atom, or not at all. */
TSR_OP tsr_reason tsr_umma_why(tsr_mma_atom x, uint32_t flags);

/** Returns field `f` of a word of a kind; 0 of a field that the kind does not have. */
TSR_OP uint32_t tsr_umma_field_of(tsr_umma_kind kind, uint32_t bits, tsr_umma_field f);

/** Returns the set of the values, bit by bit, that a field of a kind may have beside the others of the word. */
TSR_OP uint64_t tsr_umma_legal(tsr_umma_kind kind, uint32_t bits, tsr_umma_field f);

/** Returns the first field of a word that a kind does not have; TSR_UMMA_FIELDS where it has the word. */
TSR_OP tsr_umma_field tsr_umma_fault(tsr_umma_kind kind, uint32_t bits);

/** Returns the kind that has a word, or lacks the fewest of its fields; the first of several. */
TSR_OP tsr_umma_kind tsr_umma_nearest(uint32_t bits);

/** Returns the fields of a word of a kind, in the order of the list, those that the kind has.
 *  Errors   UMMA_FIELD, UMMA_KIND.
 *  Example  umma_fields<1>(0x8210490)  =  (0,0,0,1,1,1,0,0,0,1,16,8,0) */
TSR_OP tsr_tuple tsr_umma_fields(int64_t kind, uint32_t bits);

/** Returns the word of such a tuple. Errors: the same; RANK. */
TSR_OP tsr_tuple tsr_umma_word(int64_t kind, tsr_tuple fields);

TSR_HEADER_END

#if TSR_BODIES
#  include "tessera/atom/body/umma.h"
#endif

#endif

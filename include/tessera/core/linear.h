/** Linear maps over F2: bits of an index to bits of an offset or of a coordinate.
 *
 *      linear{register=(1,2);lane=(4,8) -> offset=16}
 *      linear{lane=((1,0),(2,0));warp=((0,1)) -> dim0=4;dim1=2}
 *
 *  The value of input bit i is the basis element basis[i]. The input is a number whose lowest bits are the first named
 *  dimension, and so is the output. A dimension without bits has size 1.
 *
 *  Law     f(x ^ y) = f(x) ^ f(y). A layout of power-of-two extents obeys it if no two of its bits meet in an offset:
 *          sums are then xors. A swizzle in front keeps it.
 *  Source  Triton, linear layouts; arXiv 2505.23819.
 */
#ifndef TSR_CORE_LINEAR_H
#define TSR_CORE_LINEAR_H

#include "tessera/core/injective.h"
#include "tessera/core/tiler.h"

TSR_HEADER_BEGIN

/** The most named dimensions of a side, the room of a name with its final 0, the most bits of a side, and of one
 *  dimension, whose size is an integer. */
enum { TSR_LINEAR_DIMS = 10, TSR_LINEAR_NAME = 16, TSR_LINEAR_BITS = 64, TSR_LINEAR_DIM_BITS = 62 };

/** The named dimensions of the inputs, or of the outputs; the first has the lowest bits. */
typedef struct tsr_linear_side {
    uint8_t count;
    uint8_t bits[TSR_LINEAR_DIMS];
    char name[TSR_LINEAR_DIMS][TSR_LINEAR_NAME];
} tsr_linear_side;

typedef struct tsr_linear {
    tsr_reason why;
    uint64_t basis[TSR_LINEAR_BITS]; /* of each input bit, its output; 0 beyond the inputs */
    tsr_linear_side in, out;
} tsr_linear;

/* Sides */

/** Appends a dimension. A name that is too long, or a dimension too many, is refused by tsr_make_linear. */
TSR_API void tsr_linear_side_add(tsr_linear_side *side, char const *name, int bits);

/** The number of bits of a side. */
TSR_FN int tsr_linear_bits(tsr_linear_side const *side)
{
    int bits = 0;
    for (int i = 0; i < side->count; ++i)
        bits += side->bits[i];
    return bits;
}

/** The dimension of a name, or -1. */
TSR_API int tsr_linear_dim(tsr_linear_side const *side, char const *name);

/* Makers */

/** The map of these bases, one for each input bit.
 *  Errors  LINEAR_CAPACITY, LINEAR_BAD_NAME; OUTSIDE: a basis has bits beyond the outputs. */
TSR_API tsr_linear tsr_make_linear(tsr_linear_side const *in, tsr_linear_side const *out, uint64_t const *basis);

/** An invalid map. */
TSR_API tsr_linear tsr_bad_linear(tsr_reason why);

/** The map of a layout: its modes are the inputs dim0, dim1, .., its offset is the output `offset`. A layout of
 *  coordinates has an output for each basis element: dim0, dim1, .., and dim1_0 for `_1@0@1`.
 *
 *  Errors   LINEAR_EXTENT: an extent is not a power of two; LINEAR_SUM: the first two bits of the index whose offsets
 *           share a bit, so that their sum carries, or index 0, where an offset is in front; NEGATIVE; NOT_DECIDED: an
 *           offset in front of a swizzle, and more than TSR_LAW_BUDGET elements.
 *  Example  linear((4,8):(8,1))  =  linear{dim0=(8,16);dim1=(1,2,4) -> offset=32} */
TSR_API tsr_linear tsr_linear_of_layout(tsr_layout l);

/** The map of a layout (thread, value): the inputs are register, lane (32 threads) and warp.
 *  Errors   RANK; those of tsr_linear_of_layout.
 *  Example  linear_tv((64,2):(2,1))  =  linear{register=(1);lane=(2,4,8,16,32);warp=(64) -> offset=128} */
TSR_API tsr_linear tsr_linear_of_tv(tsr_layout l);

/** The map of a swizzle, from offset to offset, on the bits that it touches. */
TSR_API tsr_linear tsr_linear_of_swizzle(tsr_swizzle sw);

/** The xor of the layouts <A,B,..>, which have the same modes.
 *  Errors   NOT_TILER for an element that is no layout; LINEAR_MATCH where modes differ. */
TSR_API tsr_linear tsr_linear_of_sum(tsr_tiler layouts);

/* Back to layouts */

/** The shortest layout of a map: a mode for each input, each coalesced. Where input bits share output bits, a swizzle
 *  of the fewest bits is in front. Outputs that are not one offset become a layout of coordinates.
 *
 *  Law      linear(layout(f)) and f are the same function; layout(linear(L)) and L are the same function.
 *  Errors   LINEAR_SHARED at the first input bit that shares an output bit, where no swizzle serves; LINEAR_STRIDE: a
 *           basis moves along two outputs at once; CAPACITY.
 *  Example  layout(linear(Sw<2,0,3> o _0 o (_8,_8):(_8,_1)))  =  Sw<2,0,3> o _0 o (_8,_8):(_8,_1) */
TSR_API tsr_layout tsr_linear_to_layout(tsr_linear f);

/** The fewest layouts <A,B,..> whose xor a map is: the number of input bits that meet in one output bit.
 *  Errors   RANK unless the map has one output; CAPACITY.
 *  Example  xor_sum(linear{i=(1,2);j=(7) -> offset=8})  =  <(_4,_2):(_1,_4),(_4,_2):(_0,_3)> */
TSR_API tsr_tiler tsr_linear_to_sum(tsr_linear f);

/* Evaluation */

/** f(x): the xor of the bases of the bits of x. */
TSR_FN uint64_t tsr_linear_at(tsr_linear const *f, uint64_t x)
{
    uint64_t r = 0;
    for (int i = 0; i < TSR_LINEAR_BITS; ++i)
        r ^= x >> i & 1u ? f->basis[i] : 0;
    return r;
}

/** f of a coordinate, an integer for each input; or of one integer, the index. Several outputs give a tuple.
 *  Errors   RANK, OUTSIDE. */
TSR_API tsr_tuple tsr_linear_call(tsr_linear f, tsr_tuple coord);

/* Algebra */

/** g o f: x -> g(f(x)). The outputs of f are inputs of g by name, in any order, and no larger.
 *  Errors   LINEAR_MATCH, LINEAR_NAMESAKE. */
TSR_API tsr_linear tsr_linear_composition(tsr_linear g, tsr_linear f);

/** f times g: the bases of f, then those of g behind the outputs of f. Inputs and outputs of one name are joined.
 *  Errors   LINEAR_ORDER where both name the same dimensions in another order; LINEAR_CAPACITY.
 *  Example  direct_product(linear{i=(1) -> o=2}, linear{i=(2,1) -> o=4})  =  linear{i=(1,4,2) -> o=8} */
TSR_API tsr_linear tsr_linear_multiply(tsr_linear f, tsr_linear g);

/** The map h with direct_product(g, h) = f, and with direct_product(h, g) = f. All inputs and outputs stay, some
 *  without bits.
 *  Errors   LINEAR_MATCH, LINEAR_NAMESAKE; LINEAR_FACTOR at the first input bit that is not of such a product. */
TSR_API tsr_linear tsr_linear_divide_left(tsr_linear f, tsr_linear g);
TSR_API tsr_linear tsr_linear_divide_right(tsr_linear f, tsr_linear g);

/** The inputs of f and of g, whose outputs are the same; the outputs of both, whose inputs are the same.
 *  Errors   LINEAR_MATCH, LINEAR_NAMESAKE, LINEAR_BAD_NAME. */
TSR_API tsr_linear tsr_linear_concat_ins(tsr_linear f, tsr_linear g);
TSR_API tsr_linear tsr_linear_concat_outs(tsr_linear f, tsr_linear g);

/** The inputs, or the outputs, of these places, in their order; the others are 0, or left out.
 *  Errors   INDEX, LINEAR_BAD_NAME. */
TSR_API tsr_linear tsr_linear_select_ins(tsr_linear f, tsr_tuple places);
TSR_API tsr_linear tsr_linear_select_outs(tsr_linear f, tsr_tuple places);

/** All inputs, or outputs, as one of the first one's name. */
TSR_API tsr_linear tsr_linear_flatten_ins(tsr_linear f);
TSR_API tsr_linear tsr_linear_flatten_outs(tsr_linear f);

/** The same names, sizes and bases in the same order? */
TSR_API tsr_tuple tsr_linear_equal(tsr_linear f, tsr_linear g);

/** Do f and g give the same outputs by name, in whatever order and of whatever size?
 *  Errors in `why`: LINEAR_NAMESAKE; DIFFER at the first input bit, as an index of f. */
TSR_API tsr_verdict tsr_linear_same_function(tsr_linear f, tsr_linear g);

/* Rank and inverses */

/** The rank: 2^rank outputs are reached. */
TSR_API tsr_tuple tsr_linear_rank(tsr_linear f);

/** One input for each output? Errors in `why`: NOT_INJECTIVE. */
TSR_API tsr_verdict tsr_linear_is_injective(tsr_linear f);

/** Every output? Errors in `why`: NOT_SURJECTIVE. */
TSR_API tsr_verdict tsr_linear_is_surjective(tsr_linear f);
TSR_API tsr_verdict tsr_linear_is_bijective(tsr_linear f);

/** Of each input, the mask of the bits whose bases depend on those before: where they change, elements are broadcast.
 *  Example  broadcast_bits(linear{lane=(1,0,2);warp=(3) -> offset=4})  =  (_2,_1) */
TSR_API tsr_tuple tsr_linear_broadcast_bits(tsr_linear f);

/** The map r with f o r o f = f and r o f o r = r that takes the free inputs, and the outputs outside of f's pivots,
 *  to 0. The left inverse has r o f = 1 (NOT_INJECTIVE), the right one f o r = 1 (NOT_SURJECTIVE).
 *  Example  left_inverse(linear{i=(2,1) -> o=8})  =  linear{o=(2,1,0) -> i=4} */
TSR_API tsr_linear tsr_linear_pseudo_inverse(tsr_linear f);
TSR_API tsr_linear tsr_linear_left_inverse(tsr_linear f);
TSR_API tsr_linear tsr_linear_right_inverse(tsr_linear f);

/** How many elements from any multiple of that number on are consecutive in the first input and in the first output.
 *  Example  largest_vector(linear{register=(1,2);lane=(4,12) -> offset=16})  =  _4 */
TSR_API tsr_tuple tsr_linear_largest_vector(tsr_linear f);

TSR_HEADER_END

#endif

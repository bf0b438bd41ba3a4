/** Rows of linear maps over F2. The kinds are explained in ops.h. */
#ifndef TSR_SRC_OPS_LINEAR_H
#define TSR_SRC_OPS_LINEAR_H

#include "tessera/atom/linear.h"
#include "tessera/core/linear.h"
#include "tessera/tile/linear.h"

TSR_HEADER_BEGIN

/* clang-format off */
#define TSR_OPS_LINEAR(X, A) \
    X(linear, linear_of_layout, f, (L), "the linear map over F2 of a layout: its modes dim0, dim1, .. to the offset", \
      "linear(Sw<2,0,2> o _0 o (4,4):(4,1))", "linear{dim0=(5,10);dim1=(1,2) -> offset=16}") \
    X(linear, tile_linear, f, (e), "the linear map of a distribution: register, lane, warp to the tile", \
      "linear(dist{R=();H=((2),(4));P=((1.0));Y=(2.0)})", \
      "linear{register=((0,1),(0,2));lane=((1,0)) -> dim0=2;dim1=4}") \
    X(linear, linear_of_swizzle, f, (W), "the linear map of a swizzle, from offset to offset", \
      "linear(Sw<1,0,1>)", "linear{offset=(1,3) -> offset=4}") \
    X(linear_tv, linear_of_tv, f, (L), "the linear map of a layout (thread,value): register, lane and warp", \
      "linear_tv((64,2):(2,1))", "linear{register=(1);lane=(2,4,8,16,32);warp=(64) -> offset=128}") \
    X(linear_sum, linear_of_sum, f, (R), "the xor of the layouts <A,B,..> as a linear map", \
      "linear_sum(<4:1,4:2>)", "linear{dim0=(3,6) -> offset=8}", "layouts:") \
    X(layout, linear_to_layout, L, (f), "the shortest layout of a linear map, behind a swizzle where it needs one", \
      "layout(linear{i=(1,2);j=(5,10) -> offset=16})", "Sw<2,0,2> o _0 o (_4,_4):(_1,_4)") \
    X(xor_sum, linear_to_sum, R, (f), "the fewest layouts whose xor a linear map is", \
      "xor_sum(linear{i=(1,2);j=(7) -> offset=8})", "<(_4,_2):(_1,_4),(_4,_2):(_0,_3)>") \
    X(call, linear_call, T, (f, T), "the output of a coordinate, or of the index of one", \
      "call(linear{i=(1,3);j=(4) -> o=8}, (3,1))", "6", "- coord:") \
    X(composition, linear_composition, f, (f, f), "a after b: the outputs of b are the inputs of a, by name", \
      "composition(linear{o=(2,1) -> p=4}, linear{i=(1,3) -> o=4})", "linear{i=(2,3) -> p=4}") \
    X(direct_product, linear_multiply, f, (f, f), "the product: the bases of the second map behind those of the first", \
      "direct_product(linear{i=(1) -> o=2}, linear{i=(2,1) -> o=4})", "linear{i=(1,4,2) -> o=8}") \
    X(divide_left, linear_divide_left, f, (f, f), "the map h with direct_product(b,h) = a", \
      "divide_left(linear{i=(1,4,2) -> o=8}, linear{i=(1) -> o=2})", "linear{i=(2,1) -> o=4}") \
    X(divide_right, linear_divide_right, f, (f, f), "the map h with direct_product(h,b) = a", \
      "divide_right(linear{i=(1,4,2) -> o=8}, linear{i=(2,1) -> o=4})", "linear{i=(1) -> o=2}") \
    X(concat_ins, linear_concat_ins, f, (f, f), "the inputs of both maps, to the same outputs", \
      "concat_ins(linear{i=(1) -> o=4}, linear{j=(2) -> o=4})", "linear{i=(1);j=(2) -> o=4}") \
    X(concat_outs, linear_concat_outs, f, (f, f), "the outputs of both maps, of the same inputs", \
      "concat_outs(linear{i=(1) -> o=2}, linear{i=(2) -> p=4})", "linear{i=((1,2)) -> o=2;p=4}") \
    X(select_ins, linear_select_ins, f, (f, P), "the inputs at these places, in this order", \
      "select_ins<1,0>(linear{i=(1);j=(2) -> o=4})", "linear{j=(2);i=(1) -> o=4}", "- places:") \
    X(select_outs, linear_select_outs, f, (f, P), "the outputs at these places, in this order", \
      "select_outs<1>(linear{i=((1,2)) -> o=2;p=4})", "linear{i=(2) -> p=4}", "- places:") \
    X(flatten_ins, linear_flatten_ins, f, (f), "all inputs as one, the first lowest", \
      "flatten_ins(linear{i=(1);j=(2) -> o=4})", "linear{i=(1,2) -> o=4}") \
    X(flatten_outs, linear_flatten_outs, f, (f), "all outputs as one, the first lowest", \
      "flatten_outs(linear{i=((1,2)) -> o=2;p=4})", "linear{i=(5) -> o=8}") \
    X(equal, linear_equal, T, (f, f), "the same names, sizes and bases in the same order", \
      "equal(linear{i=(1) -> o=2}, linear{i=(1) -> o=4})", "_0") \
    X(same_function, linear_same_function, D, (f, f), "the same outputs by name, in any order and of any size", \
      "same_function(linear{i=(1) -> o=2}, linear{i=(1) -> o=4})", "yes") \
    X(rank, linear_rank, T, (f), "the rank of a linear map: it has 2^rank values", \
      "rank(linear{i=(1,2,3) -> o=4})", "_2") \
    X(is_injective, linear_is_injective, D, (f), "is no basis a xor of others", \
      "is_injective(linear{i=(1,2,3) -> o=4})", \
      "no: the coordinates 0 and 7 both give 0") \
    X(is_surjective, linear_is_surjective, D, (f), "is every output reached", \
      "is_surjective(linear{i=(1,4) -> o=8})", "no: no coordinate gives 2") \
    X(is_bijective, linear_is_bijective, D, (f), "injective and surjective", \
      "is_bijective(linear{i=(3,1) -> o=4})", "yes") \
    X(broadcast_bits, linear_broadcast_bits, T, (f), "of each input, the mask of the bits that repeat elements", \
      "broadcast_bits(linear{lane=(1,0,2);warp=(3) -> offset=4})", "(_2,_1)") \
    X(left_inverse, linear_left_inverse, f, (f), "the map h with h(f(x)) = x", \
      "left_inverse(linear{i=(2,1) -> o=8})", "linear{o=(2,1,0) -> i=4}") \
    X(right_inverse, linear_right_inverse, f, (f), "the map h with f(h(y)) = y", \
      "right_inverse(linear{i=(2,0,1) -> o=4})", "linear{o=(4,1) -> i=8}") \
    X(pseudo_inverse, linear_pseudo_inverse, f, (f), "the map h with f(h(f(x))) = f(x) and h(f(h(y))) = h(y)", \
      "pseudo_inverse(linear{i=(2,0) -> o=4})", "linear{o=(0,1) -> i=4}") \
    X(largest_vector, linear_largest_vector, T, (f), \
      "how many elements are consecutive in the first input and the first output, at every multiple", \
      "largest_vector(linear{register=(1,2);lane=(4,12) -> offset=16})", "_4") \
    X(access_vector, linear_access_vector, T, (f, B), "how many elements a thread moves at once, in at most 16 bytes", \
      "access_vector<half_t>(linear_tv((_8,_8):(_64,_1)))", "8", "access: type:") \
    X(bank_conflicts, linear_bank_conflicts, T, (f, B), "the rounds of an access to shared memory, by rank", \
      "bank_conflicts<half_t>(linear_tv((_8,_8):(_64,_1)))", "8", "access: type:") \
    X(bank_conflicts, linear_bank_conflicts_on, T, (f, b, B), "the same of the banks of an architecture", \
      "bank_conflicts<half_t>(linear_tv((_64,_8):(_64,_1)), banks=gfx950)", "8", "access: banks type:") \
    X(optimal_swizzle, linear_optimal_swizzle, f, (f, f, B), \
      "the permutation of shared memory with the fewest rounds for a store and a load", \
      "optimal_swizzle<double>(linear_tv((16,16):(1,16)), linear_tv((16,16):(16,1)))", \
      "linear{offset=(1,2,4,8,18,36,72,128) -> offset=256}", "store: load: type:") \
    X(optimal_swizzle, linear_optimal_swizzle_on, f, (f, f, b, B), "the same on the banks of an architecture", \
      "optimal_swizzle<half_t>(linear_tv((_64,_8):(_8,_1)), linear_tv(((_16,_4),_8):((_64,_8),_1)), banks=gfx942)", \
      "linear{offset=(1,2,4,8,16,32,80,160,256,512) -> offset=1024}", "store: load: banks type:")
/* clang-format on */

TSR_HEADER_END

#endif

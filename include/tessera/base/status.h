/** Why a value is invalid. One row a reason: its name and its sentence.
 *
 *  {m} stands for the mode at fault, {0} to {5} for the numbers that the value carries; tsr_explain()
 *  fills them in. An invalid value is never abandoned: every operation returns its first invalid input
 *  unchanged, so the first cause is the one reported.
 */
#ifndef TSR_BASE_STATUS_H
#define TSR_BASE_STATUS_H

#include "tessera/base/config.h"

#define TSR_STATUS_LIST(X)                                                                                    \
    X(OK, "ok")                                                                                                 \
    X(SYNTAX, "the text cannot be read at character {0}")                                                       \
    X(CAPACITY, "the result needs {0} leaves, at most {1} fit (TSR_MAX_LEAVES)")                                \
    X(DEPTH, "more than 15 parentheses open at one leaf (TSR_MAX_OPEN)")                                        \
    X(OVERFLOW, "arithmetic on {0} leaves the range of 64-bit integers")                                        \
    X(DIV_ZERO, "{0} is divided by zero")                                                                       \
    X(SAFE_DIV, "safe_div: the static divisor does not divide {0}")                                             \
    X(SHIFT, "a shift by {0} bits is outside 0 to 62")                                                          \
    X(WILDCARD, "`_` (or an empty tuple) stands where an integer is needed")                                    \
    X(NOT_INTEGER, "a tuple of rank {0} stands where an integer is needed")                                     \
    X(BASIS, "the basis element of mode {0} and a plain integer or another unit cannot be combined")            \
    X(BASIS_RANGE, "a basis element names mode {0}; modes 0 to {1} in at most {2} levels can be named")         \
    X(STATIC_ONLY, "this must be a static integer, written _{0}")                                               \
    X(RANK, "ranks differ: {0} here, {1} there")                                                                \
    X(INDEX, "mode {0} does not exist, the rank is {1}")                                                        \
    X(RANGE, "modes {0} to {1} are not a range of the {2} modes there are")                                     \
    X(PAD, "the rank is {0} already, more than the {1} asked for")                                              \
    X(LEAVES, "{0} leaves do not fill a profile of {1}")                                                        \
    X(EMPTY, "an empty tuple has no {0}-th element, depth or extent")                                           \
    X(EXTENT, "extent {0} of mode {m} is not a positive integer")                                               \
    X(STRIDE, "the stride of mode {m} is not an integer or a basis element")                                    \
    X(CONGRUENT, "shape and stride are not congruent at mode {m}: {0} leaves here, {1} there")                  \
    X(COORD, "the coordinate does not fit the shape at mode {m}: rank {0} against rank {1}")                    \
    X(NEGATIVE, "the coordinate or offset {0} is negative")                                                     \
    X(SHAPE_DIV, "shape_div: neither of {0} and {1} divides the other")                                         \
    X(PROFILE, "the profile has {0} modes, the layout has {1}")                                                 \
    X(TILER_RANK, "the tiler has {0} modes, the layout has {1}")                                                \
    X(COMPOSE_STRIDE, "composition: stride {0} of mode {m} on the right and extent {1} on the left: "           \
                      "neither divides the other")                                                              \
    X(COMPOSE_SHAPE, "composition: extent {0} of mode {m} on the right does not split over extent {1} on the left")\
    X(COMPOSE_CARRY, "composition: mode {m} of the right side and another one carry into each other")           \
    X(COMPLEMENT_DYNAMIC, "complement: with {0} modes every stride must be static (mode {m} has a dynamic stride)")\
    X(COMPLEMENT_OVERLAP, "complement: the layout is not injective: stride {0} of mode {m} is less than {1}, "  \
                          "which the modes before it already cover")                                            \
    X(COMPLEMENT_REACH, "complement: the layout and its complement reach {0} offsets, not the {1} of the cotarget")\
    X(INVERSE_DYNAMIC, "left_inverse: every stride must be static (mode {m} has a dynamic stride)")             \
    X(INVERSE_DIVIDES, "left_inverse: stride {0} of mode {m} is not a multiple of {1}, "                        \
                       "the span of the modes before it")                                                       \
    X(INVERSE_LAW, "inverse: there is no such inverse of this form: {0} goes to {1}, which would come back as {2}")\
    X(INVERSE_BASIS, "a layout with basis strides has no inverse")                                              \
    X(PRODUCT_SIZE, "logical_product: the complement of the block holds {0} blocks, the tiler reaches {1}")     \
    X(DIVIDE_SIZE, "logical_divide: the tiler and its complement miss element {0} of the {1}")                  \
    X(ZIP_RANK, "the modes to zip have ranks {0} and {1}")                                                      \
    X(UPCAST_STRIDE, "upcast: neither of stride {0} of mode {m} and the factor {1} divides the other")          \
    X(DOWNCAST, "downcast: no mode has the static stride 1, so no elements are adjacent")                       \
    X(FACTOR, "the factor {0} is not a positive integer (a power of two for swizzles)")                         \
    X(TYPE, "unknown element type")                                                                             \
    X(TILE_SHAPE, "tile_to_shape: extent {1} of mode {m} of the block does not divide extent {0} of the target")\
    X(TILE_STATIC, "tile_to_shape: a static target needs a static block, extent {0} of leaf {m} is dynamic")    \
    X(TILE_RANK, "tile_to_shape: the block has rank {0}, the target only {1}")                                  \
    X(DISTRIBUTE_STATIC, "domain_distribute: shape and count must be static")                                   \
    X(SWIZZLE_BITS, "Sw<{0},{1},{2}> is not a swizzle: B and M are not negative, |S| >= B, and B+M+|S| <= 30")  \
    X(SWIZZLE_MASKS, "the masks Y={0} and Z={1} are not one swizzle: equal runs of bits that do not overlap")   \
    X(SWIZZLE_SHIFT, "only swizzles of the same shift combine: {0} and {1}")                                    \
    X(SWIZZLE_OFFSET, "the swizzled side must have offset 0, not {0}")                                          \
    X(SWIZZLE_TWICE, "two swizzles stand in front of one layout (or three would): this is defined for one")     \
    X(SWIZZLE_LAW, "the swizzle does not carry over: at {0} the result would give {1}, but {2} is right")       \
    X(SWIZZLE_SLICE, "extent {0} times stride {1} is not a static power of two, so the slice of a swizzle "     \
                     "has no form")                                                                             \
    X(SWIZZLE_STRIDE, "a swizzled layout has no strides of its own")                                            \
    X(MIXED_BITS, "only bit operations are defined on partly static bits")                                      \
    X(NOT_READ, "what a pointer points to is not read here")                                                    \
    X(INCREMENT, "the coordinate is not inside the shape at mode {m}")                                          \
    X(DIFFER_SIZE, "the sizes differ: {0} and {1}")                                                             \
    X(DIFFER, "at {0} the first gives {1}, the second {2}")                                                     \
    X(NOT_INJECTIVE, "the coordinates {0} and {1} both give {2}")                                               \
    X(NOT_SURJECTIVE, "no coordinate gives {0}")                                                                \
    X(NOT_FROM_ZERO, "the offsets do not begin at 0 ({0} at mode {m})")                                         \
    X(NOT_CONTIGUOUS, "the coordinate {0} gives {1}, not {2}")                                                  \
    X(NOT_TRACTABLE, "extent {0} times stride {1} does not divide the next stride {2}")                         \
    X(NOT_DECIDED, "no rule decides this, nor {0} steps of search")                                             \
    X(NOT_TILER, "a swizzled layout cannot stand inside a tiler")                                               \
    X(DIMS, "{0} dimensions, at most {1} fit (TSR_MAX_DIMS)")                                                   \
    X(DIM_EMPTY, "length {0} of dimension {m} is not positive")                                                 \
    X(DIM_LENGTH, "the transform is for length {0}, but dimension {m} below it has length {1}")                 \
    X(DIM_PRODUCT, "the lengths of unmerge multiply to {0}, but dimension {m} below it has length {1}")         \
    X(DIM_REACH, "the transform reaches indices {0} to {1} of dimension {m} below it, whose length is {2}")     \
    X(DIM_NONE, "dimension {m} does not exist below the stage, there are {0}")                                  \
    X(DIM_TWICE, "dimension {m} of the {0} below the stage is consumed twice")                                  \
    X(DIM_LEFT, "dimension {m} of the {0} below the stage is consumed by no transform (freeze drops one)")      \
    X(DIM_GAP, "the stage makes {0} dimensions, so dimension {m} leaves a gap")                                 \
    X(DIM_MADE_TWICE, "dimension {m} of the {0} that the stage makes is made twice")                            \
    X(ARITY_LOW, "transform {m} of the stage has {0} lower dimensions, {1} are named")                          \
    X(ARITY_UP, "transform {m} of the stage has {0} upper dimensions, {1} are named")                           \
    X(CHAIN_RANK, "{0} top dimensions below, but {1} bottom dimensions above")                                  \
    X(GRAPH_CAPACITY, "the graph has {0} transforms and {1} hidden dimensions, more than fit")                  \
    X(PAD_NEGATIVE, "pad: {0} elements before dimension {m} of length {2} and {1} behind: neither may be negative")  \
    X(SLICE_RANGE, "slice: {0} to {1} is no range of the {2} indices of dimension {m}")                         \
    X(XOR_LENGTH, "xor: length {0} of dimension {m} is not a power of two, so the map would not be one to one") \
    X(STRIDE_COUNT, "{0} lengths, but {1} strides")                                                             \
    X(NEGATIVE_REACH, "negative strides lead down to offset {0}; they need an offset of at least {1}")          \
    X(NO_FACTOR, "there is no factor {0}.{1} in this distribution")                                             \
    X(FACTOR_TWICE, "factor {0}.{1} belongs to more than one P or Y")                                           \
    X(FACTOR_FREE, "factor {0}.{1} of length {2} belongs to no P and to no Y")                                  \
    X(Y_REPLICATES, "Y {m} names the replication 0.{0}, which only a P can own")                                \
    X(OUTSIDE, "index {0} of dimension {m} is not below {1}")                                                   \
    X(X_RANK, "{0} dimensions of tiles here, {1} there")                                                        \
    X(SLICE_FACTOR, "a slice of {0} from {1} on is not whole factors and one run of a Y, in dimension {m}")     \
    X(UNPACK, "{0} elements at a time do not divide the span of dimension {m}")                                 \
    X(SHUFFLE, "the distributions differ in more than the order of Y")                                          \
    X(CURVE, "{0} elements an access do not divide length {1} of dimension {m}")                                \
    X(CURVE_ORDER, "dimension {m} does not stand once in the order of access")                                  \
    X(UPDATE_SPACE, "atomic operations need the address space global")                                          \
    X(UPDATE_TYPE, "no arithmetic is defined on element type {0} (code times 256 and bits)")                    \
    X(WINDOW_RANK, "the distribution has {0} dimensions of tiles, the tensor {1}")                              \
    X(MAGIC, "magic division takes divisors from 1 to 2147483647 and dividends from 0 on, not {0}")

typedef enum tsr_status {
#define X(id, text) TSR_##id,
    TSR_STATUS_LIST(X)
#undef X
    TSR_STATUS_COUNT
} tsr_status;

#endif

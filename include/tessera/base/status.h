/** Why a value is invalid. One row a reason: its name and its sentence.
 *
 *  {m} stands for the mode at fault, {0} to {5} for the numbers that the value carries, {t0} and {w0} for a type and for
 *  words that they name; tsr_explain() fills them in. An invalid value is never abandoned: every operation returns its
 *  first invalid input unchanged, so the first cause is the one reported.
 */
#ifndef TSR_BASE_STATUS_H
#define TSR_BASE_STATUS_H

#include "tessera/base/config.h"

#define TSR_STATUS_LIST(X)                                                                                    \
    X(OK, "ok")                                                                                                 \
    X(SYNTAX, "the text cannot be read")                                                                        \
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
    X(NO_COORD, "no coordinate of the layout has the index {0}: its indices lie between {1} and {2}")           \
    X(FIT, "no layout of this profile has these values, behind a swizzle or not: at {0} the nearest gives {1}, not {2}")\
    X(NEGATIVE, "the coordinate or offset {0} is negative")                                                     \
    X(SHAPE_DIV, "shape_div: neither of {0} and {1} divides the other")                                         \
    X(PROFILE, "the profile has {0} modes, the layout has {1}")                                                 \
    X(TILER_RANK, "the tiler has {0} modes, the layout has {1}")                                                \
    X(COMPOSE_ZERO, "composition: the stride of mode {m} of the right side is a dynamic 0, by which extent {0} on the "  \
                    "left would be divided; as a static one, _0, it has an answer")                             \
    X(COMPOSE_STRIDE, "composition: stride {0} of mode {m} on the right and extent {1} on the left: "           \
                      "neither divides the other")                                                              \
    X(COMPOSE_SHAPE, "composition: extent {0} of mode {m} on the right does not split over extent {1} on the left")\
    X(COMPOSE_CARRY, "composition: mode {m} of the right side and another one carry into each other")           \
    X(COMPLEMENT_SIGN, "complement: stride {0} of mode {m} is negative")                                        \
    X(COMPLEMENT_OVERLAP, "complement: stride {0} of mode {m} is less than {1}, the span of the smaller strides, "\
                          "so the modes overlap or interleave")                                                 \
    X(INVERSE_SIGN, "left_inverse: stride {0} of mode {m} is negative")                                         \
    X(INVERSE_LAW, "inverse: there is no such inverse of this form: {0} goes to {1}, which would come back as {2}")\
    X(INVERSE_BASIS, "a layout with basis strides has no inverse")                                              \
    X(PRODUCT_SIGN, "logical_product: stride {0} of mode {m} of the tiler is negative, and the complement of the block "\
                    "has {1} modes, which do not go on below 0")                                                \
    X(DIVIDE_SWIZZLE, "logical_divide: the swizzle takes element {0} of the tiler to {1}, which is no element of "\
                      "the tiler without it")                                                                   \
    X(DIVIDE_SIZE, "logical_divide: the tiler and its complement miss element {0} of the {1}")                  \
    X(ZIP_RANK, "the modes to zip have ranks {0} and {1}")                                                      \
    X(UPCAST_STRIDE, "upcast: neither of stride {0} of mode {m} and the factor {1} divides the other")          \
    X(DOWNCAST, "downcast: no mode has the static stride 1, so no elements are adjacent")                       \
    X(FACTOR, "the factor {0} is not a positive integer (a power of two for swizzles)")                         \
    X(ASSUME, "{0} leaves the remainder {2} by {1}, which is assumed to divide it")                             \
    X(TYPE, "unknown element type")                                                                             \
    X(TILE_SHAPE, "tile_to_shape: extent {1} of mode {m} of the block does not divide extent {0} of the target")\
    X(TILE_RANK, "tile_to_shape: the block has rank {0}, the target only {1}")                                  \
    X(DISTRIBUTE_STATIC, "domain_distribute: shape and count must be static")                                   \
    X(SWIZZLE_BITS, "Sw<{0},{1},{2}> is not a swizzle: B and M are not negative, |S| >= B, and B+M+|S| <= 30")  \
    X(SWIZZLE_MASKS, "the masks Y={0} and Z={1} are not one swizzle: equal runs of bits that do not overlap")   \
    X(SWIZZLE_SHIFT, "only swizzles of the same shift combine: {0} and {1}")                                    \
    X(SWIZZLE_OFFSET, "the swizzled side must have offset 0, not {0}")                                          \
    X(SWIZZLE_TWICE, "two swizzles stand in front of one layout (or three would): this is defined for one")     \
    X(SWIZZLE_SLICE, "extent {0} times stride {1} is not a static power of two, so the slice of a swizzle "     \
                     "has no form")                                                                             \
    X(SWIZZLE_ELEMENT, "the swizzle of this pointer moves blocks of {0} bytes, which cut elements of {1} bytes that "   \
                       "begin {2} past a multiple of their size")                                               \
    X(SWIZZLE_STRIDE, "a swizzled layout has no strides of its own")                                            \
    X(MIXED_BITS, "only bit operations are defined on partly static bits")                                      \
    X(NOT_READ, "what a pointer points to is not read here")                                                    \
    X(NOT_NUMBERS, "the elements are not numbers: coordinates, or bits without arithmetic")                     \
    X(NULL_DATA, "the tensor points to no data (its address is 0)")                                             \
    X(CONSTANT, "the elements are not to be written: they are constant (0) or computed (1): {0}")               \
    X(OUTSIDE, "the coordinate {0} of mode {m} is not in 0 to {1}-1")                                           \
    X(SPAN, "the layout reaches the elements {0} to {1}, the buffer holds {2}")                                 \
    X(BOUNDS, "elements {0} to {1} would be touched, but the tensor that this is a part of holds {2} to {3}: "     \
              "clip the tile (clipped_tile), or use a predicate (copy_if)")                                       \
    X(CLIP_TILER, "mode {m} of the tiler takes elements that are not neighbours, so what exists of its tiles is no "\
                  "box: copy the tile with its predicate (copy_if)")                                              \
    X(MISALIGNED, "the address is {0} bytes past a multiple of {1}, the alignment that is claimed")             \
    X(WIDE_MODE, "accesses of {0} bytes go along mode {m}, whose stride is {1}, not 1")                         \
    X(WIDE_STRIDE, "accesses of {0} bytes need whole ones from one element of mode {m} to the next: its stride is " \
                   "{1} elements, pad it to {2}")                                                               \
    X(OVERLAP, "source and destination share memory: {0} bytes lie in both ranges")                             \
    X(VECTOR_TYPE, "no wider: an element of {0} bits becomes one of {1}, so each is converted by itself")        \
    X(VECTOR_LAYOUT, "no wider: at most {0} elements lie side by side in both tensors at every step")          \
    X(VECTOR_ALIGN, "no wider: {0} bytes would be read at an address {1} past a multiple of {0}")               \
    X(VECTOR_LIMIT, "no wider: {0} bits is the limit that was given")                                          \
    X(MAPPED_TWICE, "the elements are computed already; compose the two functions into one")                    \
    X(GEMM_RANK, "gemm: ranks {0}, {1} and {2} of A, B and C are no product")                                   \
    X(GEMM_SIZE, "gemm: mode {m} has {0} elements in one tensor and {1} in the other")                          \
    X(GEMM_TYPES, "gemm: wgmma has no products of {0} by {1} bits to these {2} bits")                           \
    X(GEMM_MAJOR, "gemm: operand {m} of {0} bits has to have its neighbours along K; only those of 16 bits may not")\
    X(GEMM_TILE, "gemm: no tile of a warpgroup is {0} by {1}: 64 or 128 rows, columns in sixteens up to 256")   \
    X(GEMM_SUMS, "gemm: a tile of {0} by {1} has {2} sums a thread, there are registers for 192")               \
    X(GEMM_LOOPS, "gemm: mode {m} of (V,M,N,K) goes through memory in {0} loops, the copy engine in one")       \
    X(GEMM_LARGE, "gemm: mode {m} of (V,M,N,K) has {0} elements, tiles are counted in 32 bits")                 \
    X(GEMM_SCALE, "gemm: operand {m} has at element {1} of mode {0} a scale {2} elements from the first one, which is " \
                  "not its block's")                                                                            \
    X(GEMM_SCALE_TYPE, "gemm: scales are in memory and f32, those of operand {m} have elements of {0} bits")    \
    X(GEMM_ROWS, "gemm: the rows of operand {m} stand side by side, so that the copy engine cannot take a part of them") \
    X(GEMM_GROUP, "gemm: product {0} has other types, neighbours or parts of the epilogue than product 0 of the group") \
    X(GEMM_DEVICE, "gemm: wgmma is of compute capability 9.0, this device has {0}.{1}")                         \
    X(EINSUM_TEXT, "einsum: at character {0} stands no letter, comma or arrow that belongs there: \"mk,kn->mn\"")\
    X(EINSUM_RANK, "einsum: tensor {m} has {0} modes, its text {1} letters")                                    \
    X(EINSUM_REPEATED, "einsum: the index at character {0} stands at character {1} of the same tensor already") \
    X(EINSUM_ALONE, "einsum: the index at character {0} is in one operand alone: sum over it first (reduce)")   \
    X(EINSUM_UNKNOWN, "einsum: the index at character {0} of the result is in no operand")                      \
    X(EINSUM_SIZE, "einsum: the index at character {0} has {1} elements, before it had {2}")             \
    X(REDUCE_LOOPS, "reduce: no loops go through source and destination together: {w0}")                        \
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
    X(ATOM_NAME, "no atom has this name")                                                                       \
    X(MMA_TYPES, "this architecture has no instruction {0}x{1}x{2} for these element types")                    \
    X(MMA_SHAPE, "no instruction of these types is {0}x{1}x{2}; the nearest is {3}x{4}x{5}")                    \
    X(MMA_WIDTH, "{0}x{1}x{2}: N = {1} must be a multiple of {3} from {3} to 256")                                  \
    X(MMA_INTEGER_WIDTH, "{0}x{1}x{2}: N = {1} must be 8, 24 or a multiple of 16 from 16 to 256")               \
    X(MMA_FORM, "the {0}x{1}x{2} instruction of these types has other endings, majors or sources")               \
    X(COPY_NUMBER, "the number {0} of this copy must be a power of two from {1} to {2}")                        \
    X(COPY_BITS, "{0} is not a number of bits to copy")                                                         \
    X(COPY_SIZES, "a copy moves elements of one size, not {0} bits to {1}")                                     \
    X(COPY_VALUES, "values of {0} bits would be shared by some of the {1} threads of this copy")               \
    X(SMEM_SWIZZLE, "rows of 16 << {0} bytes are not swizzled by the hardware: 0 to 3")                         \
    X(SMEM_ATOM, "this is none of the blocks Layout_K_INTER_Atom<T> to Layout_MN_SW128_Atom<T>")                \
    X(GMMA_EXTENT, "a descriptor needs rows in eights and a depth of {2} elements (half or twice for sparse ones), " \
                   "not {0} by {1}")                                                                            \
    X(GMMA_CANONICAL, "the tile has {0} modes in the canonical form of a descriptor, which has {1}")            \
    X(GMMA_STRIDE, "mode {m} of the tile has stride {0} in units of 16 bytes where a descriptor needs {1}")      \
    X(GMMA_PARTS, "mode {m} of the tile has {0} elements, no multiple of the {1} of an instruction")             \
    X(GMMA_START, "an instruction would begin at element {0} of the tile, inside of the {1} that go together")  \
    X(GMMA_OPERAND, "the atom reads this operand from no shared memory")                                        \
    X(GMMA_MAJOR, "the tile has its neighbours along mode {0}, the instruction reads along mode {1}")           \
    X(TILED_RANK, "threads and permutations of a tiled MMA have 3 modes, the layout of a tiled copy 2, not {0}") \
    X(TILED_NUMBERS, "threads and values number {0} of the {1} elements of their tile from 0 on, as far as static " \
                     "numbers say: make both compact")                                                       \
    X(TILED_OPERAND, "the tensor to partition has rank {0}, at least {1} is needed")                            \
    X(MMA_BESIDE, "the {0}x{1}x{2} instruction of these types reads no scales, or no metadata, from registers") \
    X(TILED_COVERS, "the copy covers {0} elements of a tile that has {1}: its tiler must divide every mode")      \
    X(TILED_BLOCKS, "{0}x{1}x{2} makes {3} products, of matrices of their own: they tile no larger one")        \
    X(PARTITION_SIZE, "the first partition has {0} threads of {1} values, the second {2} of {3}")               \
    X(PARTITION_DIFFERS, "value {1} of thread {0} is at ({2},{3}) in the first partition, at ({4},{5}) in the second") \
    X(FRAGMENT_LEAF, "leaf {m} of a fragment, {0} elements of stride {1}, is not static along one of the modes 0 to {2}") \
    X(FRAGMENT_TWICE, "leaf {m} of a fragment, {0} elements of stride {1}, repeats elements that the thread has")  \
    X(FRAGMENT_WIDE, "quads of threads do not hold {0} neighbours each, in blocks that come four times")  \
    X(TILED_TENSOR_MEMORY, "this operand lies in tensor memory, so no registers hold it")                      \
    X(TILED_MEMORY, "the data layout does not hold all that (thread,value) names")                              \
    X(BANKS, "no swizzle of up to 5 bits serves the {0} accesses at once")                                      \
    X(TILED_COPY, "mode {m} of the copy has {0} threads or values, no multiple of the {1} of its atom") \
    X(TMA_OP, "im2col operations belong to make_im2col_tma_copy, the others to make_tma_copy")                  \
    X(TMA_IMAGE, "an image is ((w,n),c), ((w,h,n),c) or ((w,h,d,n),c), or its two modes exchanged, "            \
                 "not {0} modes of {1} leaves")                                                                 \
    X(TMA_CONVOLUTION, "{1} tuples of one number for each of W, H and D are needed; of these {0}, number {m} "   \
                       "is no tuple of {2} integers")                                                           \
    X(TMA_DGRAD, "the gradient of a convolution of stride {0} in dimension {m} is no im2col: one copy for "     \
                 "each of the phases is needed")                                                                \
    X(TMA_TAP, "one of the {0} taps of dimension {m} reads {1} elements from its pixel, outside 0 to {2}")      \
    X(TMA_TYPE, "TMA moves no elements of this type of {0} bits")                                               \
    X(TMA_WORD, "{2} elements are moved as one of a wider type, but mode {m} has {0} of them, stride {1}: neither " \
                "whole ones nor steps of whole ones")                                                          \
    X(TMA_INSIDE, "the box begins at element {0} of dimension 0, inside one of the {1} elements that are moved as one") \
    X(TMA_NUMBERS, "a tensor map of rank {0} takes {0} extents, one stride less, two corners less, "            \
                   "not {1} and {2} of them")                                                                   \
    X(TMA_MODE, "number {0} of <swizzle,interleave,l2Promotion,oobFill,address> is {1}, outside 0 to {2}")      \
    X(TMA_SIZE, "the tile has {0} elements, its layout in shared memory {1}")                                   \
    X(TMA_VECTOR, "shared memory begins with a step of {0} in the tile, not at the beginning of a mode with step 1")\
    X(TMA_MAJOR, "neighbours in shared memory are {0} elements apart in global memory: make the same mode "     \
                 "contiguous in both")                                                                          \
    X(TMA_SWIZZLE, "Sw<{0},{1},{2}> is no swizzle of the hardware: on bytes these are Sw<0..3,4,3>, Sw<2,5,2> " \
                   "and Sw<1,6,1>")                                                                             \
    X(TMA_PITCH, "a row of the box is {0} bytes, but swizzled rows stand {1} bytes apart in shared memory: make it "\
                 "{2} elements, or choose a narrower swizzle")                                                  \
    X(TMA_MULTICAST, "{0} CTAs cannot share extent {1} of dimension {m} of the box: neither divides the other") \
    X(TMA_MASK, "CTA {0} has no bit in the 16 of a multicast mask")                                             \
    X(TMA_RANK, "rank {0} is outside {1} to 5: append dimensions of extent 1, or group some")                   \
    X(TMA_ADDRESS, "address {0} is not a multiple of {1}: move the tensor by {2} bytes, to {3}")                \
    X(TMA_DIM, "extent {0} of dimension {m} is outside 1 to {1}")                                        \
    X(TMA_DIM_PACKED, "extent {0} of dimension 0 is not a multiple of {1}, which the packed format needs: "     \
                      "pad it from {0} to {2}")                                                                 \
    X(TMA_STRIDE, "stride {0} of dimension {m} is not a multiple of {1} bytes: pad it to {2} bytes, "           \
                  "from {3} to {4} elements")                                                                   \
    X(TMA_STRIDE_RANGE, "stride {0} of dimension {m} is outside 0 to 1099511627775 bytes")                      \
    X(TMA_BOX, "extent {0} of dimension {m} of the box is outside 1 to 256: move it in {1} boxes of {2}")       \
    X(TMA_BOX_ROW, "a row of the box, {0} elements, is {1} bytes, not a multiple of 16: make it {2} elements")  \
    X(TMA_BOX_SPAN, "a row of the box, {0} bytes, is wider than the {1} bytes of the swizzle: make it {2} "     \
                    "elements, or choose a wider swizzle")                                                      \
    X(TMA_BOX_PACKED, "a row of the box is {0} elements: a format padded to 16 bytes needs 128")                \
    X(TMA_STEP, "step {0} of dimension {m} is outside 1 to 8: for more, multiply its stride and divide "        \
                "its extent")                                                                                   \
    X(TMA_INTERLEAVE_SWIZZLE, "interleave 32B needs swizzle 32B (1), not mode {0}")                             \
    X(TMA_INTERLEAVE_PACKED, "the 6-bit format cannot be interleaved: use interleave 0, not {0}")               \
    X(TMA_SWIZZLE_PACKED, "swizzle mode {0} does not exist for format {1}: use 0, 3 or 4")                      \
    X(TMA_FILL, "NaN can only fill floating-point formats, not format {0}: use fill 0")                         \
    X(TMA_CORNER, "corner {0} of dimension {m} is outside {1} to {2}")                                          \
    X(TMA_BOUNDING, "the bounding box is empty in dimension {m}: extent {0}, lower corner {1}, upper corner {2}")\
    X(TMA_CHANNELS, "{0} channels are outside 1 to 256: move them in {1} boxes of {2}")                         \
    X(TMA_PIXELS, "{0} pixels are outside 1 to 1024: move them in {1} boxes of {2}")                            \
    X(TMA_SMEM_SIZE, "the box takes {0} bytes, shared memory has {1}: make the box {2} times smaller")          \
    X(TMA_SMEM_ALIGN, "the box stands at {0} in shared memory, not at a multiple of {1}: move it by {2} "       \
                      "bytes, to {3}")                                                                          \
    X(TMA_COORD, "the box begins at element {0} of dimension 0, {1} bytes in, not at a multiple of 16 bytes")   \
    X(TMA_STORE, "a store cannot begin at {0} in dimension {m}: only loads may begin outside, below 0")         \
    X(TMA_STORE_PIXELS, "the pixels of a store are inside the image: corners {0} and {1} of dimension {m} are not") \
    X(TMA_REDUCE, "reduction {0} is not defined on format {1}")                                                 \
    X(TMA_GATHER, "gather4 and scatter4 move four rows to one CTA, each a box of one row of a map of rank 2, "   \
                  "not rank {0}, {1} rows, {2} CTAs")                                                           \
    X(TMA_INTERLEAVED, "maps of interleave {0} are not emulated")                                               \
    X(TMA_DRIVER, "there is no CUDA driver here that encodes tensor maps: libcuda.so.1 is missing or older "    \
                  "than 12.0")                                                                                  \
    X(TMA_ENCODE, "the CUDA driver refuses the tensor map with error {0}") \
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
    X(GRAPH_CAPACITY, "the graph has {0} transforms, {1} hidden dimensions and {2} tables, more than fit")       \
    X(PAD_NEGATIVE, "pad: {0} elements before dimension {m} of length {2} and {1} behind: neither may be negative")  \
    X(SLICE_RANGE, "slice: {0} to {1} is no range of the {2} indices of dimension {m}")                         \
    X(XOR_LENGTH, "xor: length {0} of dimension {m} is not a power of two, so the map would not be one to one") \
    X(STRIDE_COUNT, "{0} lengths, but {1} strides")                                                             \
    X(NEGATIVE_REACH, "negative strides lead down to offset {0}; they need an offset of at least {1}")          \
    X(NO_FACTOR, "there is no factor {0}.{1} in this distribution")                                             \
    X(FACTOR_TWICE, "factor {0}.{1} belongs to more than one P or Y")                                           \
    X(FACTOR_FREE, "factor {0}.{1} of length {2} belongs to no P and to no Y")                                  \
    X(Y_REPLICATES, "Y {m} names the replication 0.{0}, which only a P can own")                                \
    X(DIM_INDEX, "index {0} of dimension {m} is not below {1}")                                                 \
    X(X_RANK, "{0} dimensions of tiles here, {1} there")                                                        \
    X(SLICE_FACTOR, "a slice of {0} from {1} on is not whole factors and one run of a Y, in dimension {m}")     \
    X(UNPACK, "{0} elements at a time do not divide the span of dimension {m}")                                 \
    X(SHUFFLE, "the distributions differ in more than the order of Y")                                          \
    X(CURVE, "{0} elements an access do not divide length {1} of dimension {m}")                                \
    X(CURVE_ORDER, "dimension {m} does not stand once in the order of access")                                  \
    X(UPDATE_SPACE, "atomic operations need the address space global")                                          \
    X(LOAD_SPACE, "an asynchronous load goes from global (1) into shared memory (2), not from {0} into {1}")    \
    X(UPDATE_TYPE, "there is no such arithmetic of elements of type {t0}")                                      \
    X(UPDATE_ATOMIC, "elements of type {t0} have no atomic operation: it takes one number of 16, 32 or 64 bits") \
    X(ELEMENT_TYPE, "an element of type {t0} goes into no variable of type {t1}, which has {2} bytes")          \
    X(WINDOW_RANK, "the distribution has {0} dimensions of tiles, the tensor {1}")                              \
    X(LANES, "a butterfly needs replications that are powers of two, not {0} of 0.{m}")                         \
    X(PLAN_GRAPH, "the descriptor folds to no layout, so the window runs on its graph")                         \
    X(PLAN_FACTOR, "{0} steps of {1} in dimension {m} do not fit the factors that the descriptor folds to")     \
    X(FORMULA_GRAPH, "the descriptor has other transforms than the one that was compiled")                      \
    X(FORMULA_NUMBER, "number {m} of the graph is {0}, but {1} was compiled (64 and on: of its coefficients; "  \
        "128 and on: of its constants)")                                                                        \
    X(FORMULA_MULTIPLE, "number {m} of the graph is {0}, no multiple of {1} (64 and on: of its coefficients; "  \
        "128 and on: of its constants)")                                                                        \
    X(FORMULA_CAPACITY, "the arithmetic needs more than {0} values, {1} parts of sums or {2} bounds")           \
    X(PLAN_CAPACITY, "the plan needs more than {0} terms, {1} loops or {2} limits, or too large ones")          \
    X(ELEMENTS, "too many elements for an answer: {0}, at most {1}")                                            \
    X(NO_MEMORY, "no memory for {0} elements")                                                                  \
    X(NAME, "name {0} of link {m} is no name of a dimension on its side")                                       \
    X(NAME_TWICE, "name {0} of link {m} stands {1} times among the names of its side")                          \
    X(PLAN_PACKED, "elements of {0} bits share bytes, so the window runs on the graph of its descriptor")       \
    X(MAGIC, "magic division takes divisors from 1 to 2147483647 and dividends from 0 on, not {0}")

typedef enum tsr_status {
#define TSR_X_(id, text) TSR_##id,
    TSR_STATUS_LIST(TSR_X_)
#undef TSR_X_
    TSR_STATUS_COUNT
} tsr_status;

#endif

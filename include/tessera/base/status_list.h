/** Why a value is invalid. One row a reason, TSR_ROW_(NAME, "sentence"), for those who define TSR_ROW_ and include
 *  this, as often as they like: a compiler that stops at a row shows its line, and no other.
 *
 *  {m} stands for the mode at fault, {0} to {5} for the numbers that the value carries, {t0} and {w0} for a type and
 *  for words that they name, {s} for the text of an einsum, {k1} and {f2} for a kind and a field of tcgen05.mma, {b4}
 *  for the set of values that the bits of a number name, {x0} for a number in hexadecimal. tsr_explain() fills them in.
 *  An invalid value is never abandoned: every operation returns its first invalid input unchanged, so the first cause
 *  is the one reported.
 *
 *  A row's place is its number, which stays: new rows go to the end.
 */
#ifdef TSR_ROW_
/* clang-format off */
TSR_ROW_(OK, "ok")
TSR_ROW_(SYNTAX, "the text cannot be read")
TSR_ROW_(CAPACITY, "the result needs {0} leaves, at most {1} fit (TSR_MAX_LEAVES)")
TSR_ROW_(DEPTH, "at most 15 parentheses may be open at one leaf (TSR_MAX_OPEN)")
TSR_ROW_(OVERFLOW, "arithmetic on {0} leaves the range of 64-bit integers")
TSR_ROW_(LAYOUT_RANGE, "extent {0} and stride {1} of mode {m}: the size or the offsets of the layout leave 64 bits")
TSR_ROW_(DIV_ZERO, "{0} is divided by zero")
TSR_ROW_(SAFE_DIV, "safe_div: the static divisor does not divide {0}")
TSR_ROW_(SHIFT, "a shift by {0} bits is outside 0 to 62")
TSR_ROW_(WILDCARD, "an integer is needed here, not `_` or an empty tuple")
TSR_ROW_(NOT_INTEGER, "an integer is needed here, not a tuple of rank {0}")
TSR_ROW_(BASIS, "the basis element of mode {0} cannot be combined with a plain integer or with another basis element")
TSR_ROW_(BASIS_VALUES, "mode {m} has a basis stride, so the layout gives coordinates; this operation needs integers")
TSR_ROW_(BASIS_RANGE, "mode {0} of a basis element is outside 0 to {1}, or its path has more than {2} levels")
TSR_ROW_(STATIC_ONLY, "this must be a static integer: write _{0}")
TSR_ROW_(RANK, "ranks differ: {0} here, {1} there")
TSR_ROW_(INDEX, "mode {0} does not exist: the rank is {1}")
TSR_ROW_(RANGE, "modes {0} to {1} are not a range of the {2} modes of this value")
TSR_ROW_(PAD, "the rank is already {0}, more than the {1} asked for")
TSR_ROW_(LEAVES, "{0} leaves do not fill a profile of {1}")
TSR_ROW_(EMPTY, "an empty tuple has no element {0}, no depth and no extent")
TSR_ROW_(EXTENT, "extent {0} of mode {m} is not a positive integer")
TSR_ROW_(STRIDE, "the stride of mode {m} is not an integer or a basis element")
TSR_ROW_(CONGRUENT, "shape and stride are not congruent at leaf {m}: the shape has {0} leaves, the stride {1}")
TSR_ROW_(COORD, "the coordinate does not fit the shape at mode {m}: rank {0} against rank {1}")
TSR_ROW_(NO_COORD, "no coordinate of the layout has the index {0}: its indices lie between {1} and {2}")
TSR_ROW_(FIT,
         "no layout of this profile has these values, behind a swizzle or not: at {0} the nearest gives {1}, not {2}")
TSR_ROW_(NEGATIVE, "the coordinate or offset {0} is negative")
TSR_ROW_(SHAPE_DIV, "neither of {0} and {1} divides the other")
TSR_ROW_(PROFILE, "the profile has {0} modes, the layout has {1}")
TSR_ROW_(TILER_RANK, "the tiler has {0} modes, the layout has {1}")
TSR_ROW_(COMPOSE_ZERO, "composition: the stride of mode {m} on the right is a dynamic 0, which cannot divide extent "
         "{0} on the left: write the static _0")
TSR_ROW_(COMPOSE_STRIDE, "composition: stride {0} of mode {m} on the right and extent {1} on the left: "
         "neither divides the other")
TSR_ROW_(COMPOSE_SHAPE, "composition: extent {0} of mode {m} on the right does not split over extent {1} on the left")
TSR_ROW_(COMPOSE_CARRY, "composition: mode {m} of the right side and another one carry into each other")
TSR_ROW_(COMPLEMENT_SIGN, "complement: stride {0} of mode {m} is negative")
TSR_ROW_(COMPLEMENT_OVERLAP, "complement: stride {0} of mode {m} is less than {1}, the span of the smaller strides, "
         "so the modes overlap or interleave")
TSR_ROW_(INVERSE_SIGN, "left_inverse: stride {0} of mode {m} is negative")
TSR_ROW_(INVERSE_LAW, "inverse: no layout of this form is the inverse: {0} maps to {1}, which would map back to {2}")
TSR_ROW_(INVERSE_BASIS, "mode {m} has a basis stride: the layout gives coordinates, where offsets in memory are "
         "asked for")
TSR_ROW_(PRODUCT_SIGN, "logical_product: stride {0} of mode {m} of the tiler is negative, but the {1} modes of the "
         "block's complement do not reach below 0")
TSR_ROW_(DIVIDE_SWIZZLE, "logical_divide: the swizzle moves element {0} of the tiler to {1}, which is outside the "
         "unswizzled tiler")
TSR_ROW_(DIVIDE_SIZE, "logical_divide: the tiler and its complement miss element {0} of the {1}")
TSR_ROW_(ZIP_RANK, "the modes to zip have ranks {0} and {1}")
TSR_ROW_(UPCAST_STRIDE, "upcast: neither of stride {0} of mode {m} and the factor {1} divides the other")
TSR_ROW_(UPCAST_DYNAMIC, "upcast: the dynamic stride {0} of mode {m} is not a multiple of the factor {1}")
TSR_ROW_(UPCAST_EXTENT, "upcast: extent {0} of mode {m}, of stride {1}, does not split into whole groups of {2}")
TSR_ROW_(UPCAST_PARTS, "upcast: groups of {0} are incomplete: no mode continues them with stride {1}")
TSR_ROW_(UPCAST_OVERLAP, "upcast: stride {0} of mode {m} begins inside groups of {1} that other modes fill")
TSR_ROW_(UPCAST_SWIZZLE,
         "upcast: a swizzle of base {0} and shift {1} cuts groups of {2}")
TSR_ROW_(DOWNCAST, "downcast: no mode has the static stride 1, so no elements are adjacent")
TSR_ROW_(FACTOR, "the factor {0} is not a positive integer")
TSR_ROW_(ASSUME, "{0} was assumed to be a multiple of {1}, but the remainder is {2}")
TSR_ROW_(TYPE, "unknown element type")
TSR_ROW_(TILE_SHAPE, "tile_to_shape: extent {1} of mode {m} of the block does not divide extent {0} of the target")
TSR_ROW_(TILE_RANK, "tile_to_shape: the block has rank {0}, the target only {1}")
TSR_ROW_(DISTRIBUTE_STATIC, "domain_distribute: shape and count must be static")
TSR_ROW_(SWIZZLE_BITS, "Sw<{0},{1},{2}> is not a swizzle: B and M are not negative, |S| >= B, and B+M+|S| <= 30")
TSR_ROW_(SWIZZLE_MASKS, "the masks Y={0} and Z={1} are not one swizzle: equal runs of bits that do not overlap")
TSR_ROW_(SWIZZLE_SHIFT, "only swizzles of the same shift combine: {0} and {1}")
TSR_ROW_(SWIZZLE_OFFSET, "the swizzled side must have offset 0, not {0}")
TSR_ROW_(SWIZZLE_TWICE, "the layout has two swizzles in front already, or this would make three; the operation is "
         "defined for one")
TSR_ROW_(SWIZZLE_SLICE, "extent {0} times stride {1} is not a static power of two, so the slice of a swizzle "
         "has no form")
TSR_ROW_(SWIZZLE_ELEMENT, "the swizzle of this pointer moves blocks of {0} bytes, which cut elements of {1} bytes "
         "that start {2} bytes past a multiple of their size")
TSR_ROW_(SWIZZLE_STRIDE, "a swizzled layout has no strides of its own")
TSR_ROW_(MIXED_BITS, "only bit operations are defined on partly static bits")
TSR_ROW_(NOT_READ, "tessera does not read the memory behind this pointer")
TSR_ROW_(NOT_NUMBERS, "the elements are not numbers for this: coordinates, bits without arithmetic, or complex numbers "
         "beyond sums and products of them")
TSR_ROW_(NULL_DATA, "the tensor points to no data (its address is 0)")
TSR_ROW_(CONSTANT, "the elements cannot be written: they are {0} (0: constant, 1: computed)")
TSR_ROW_(OUTSIDE, "the coordinate {0} of mode {m} is not in 0 to {1}-1")
TSR_ROW_(SPAN, "the layout reaches the elements {0} to {1}, the buffer holds {2}")
TSR_ROW_(BOUNDS, "the layout reaches the elements {0} to {1}, the buffer holds {2}: clip the tile (clipped_tile), or "
         "use a predicate (copy_if)")
TSR_ROW_(CLIP_TILER, "mode {m} of the tiler is not contiguous, so the part of a tile inside the tensor is not a box: "
         "copy the tile with its predicate (copy_if)")
TSR_ROW_(MISALIGNED, "the address is {0} bytes past a multiple of {1}, the alignment that was promised")
TSR_ROW_(WIDE_MODE, "accesses of {0} bytes go along mode {m}, whose stride is {1}, not 1")
TSR_ROW_(WIDE_STRIDE, "accesses of {0} bytes need a stride of whole accesses in mode {m}: its stride is {1} elements, "
         "pad it to {2}")
TSR_ROW_(OVERLAP, "source and destination share memory: {0} bytes lie in both ranges")
TSR_ROW_(VECTOR_TYPE, "no wider: elements of {0} bits become elements of {1} bits, so each is converted alone")
TSR_ROW_(VECTOR_LAYOUT, "no wider: at most {0} elements are adjacent in both tensors at every step")
TSR_ROW_(VECTOR_ALIGN, "no wider: {0} bytes would be read at an address {1} past a multiple of {0}")
TSR_ROW_(VECTOR_LIMIT, "no wider: {0} bits is the limit that was given")
TSR_ROW_(MAPPED_TWICE, "these elements already pass through one function (cast, scale or your own): write one that "
         "does both")
TSR_ROW_(GEMM_RANK, "gemm: A, B and C of ranks {0}, {1} and {2} form no product: A is (M,K), B is (N,K), C is (M,N)")
TSR_ROW_(GEMM_SIZE, "gemm: mode {m} has {0} elements in one tensor and {1} in the other: A is (M,K), B is (N,K), C is "
         "(M,N)")
TSR_ROW_(GEMM_TYPES, "gemm: wgmma has no products of {0} by {1} bits to these {2} bits")
TSR_ROW_(GEMM_MAJOR, "gemm: operand {m} of {0} bits must be contiguous along K; only operands of 16 bits need not be")
TSR_ROW_(GEMM_TILE, "gemm: a warpgroup has no tile of {0} by {1}: it takes 64 or 128 rows, and a multiple of 16 "
         "columns up to 256")
TSR_ROW_(GEMM_SUMS, "gemm: a tile of {0} by {1} needs {2} sums a thread; the registers hold 192")
TSR_ROW_(GEMM_LOOPS, "gemm: mode {m} of (V,M,N,K) goes through memory in {0} loops, the copy engine in one")
TSR_ROW_(GEMM_LARGE, "gemm: mode {m} of (V,M,N,K) has {0} elements, tiles are counted in 32 bits")
TSR_ROW_(GEMM_SCALE,
         "gemm: operand {m} has at element {1} of mode {0} a scale {2} elements from the first one, which is "
         "not its block's")
TSR_ROW_(GEMM_SCALE_TYPE, "gemm: scales must be f32 in memory, the scales of operand {m} have elements of {0} bits")
TSR_ROW_(GEMM_ROWS,
         "gemm: neighbouring rows of operand {m} are adjacent in memory, so the copy engine cannot take a part of "
         "the rows")
TSR_ROW_(GEMM_GROUP,
         "gemm: product {0} has other types, neighbours or parts of the epilogue than product 0 of the group")
TSR_ROW_(GEMM_DEVICE, "gemm: wgmma is of compute capability 9.0, this device has {0}.{1}")
TSR_ROW_(EINSUM_TEXT, "einsum \"{s}\": character {0} is not a letter, comma or arrow of a text such as mk,kn->mn")
TSR_ROW_(EINSUM_ENDS, "einsum \"{s}\": the text ends at character {0} without an arrow; write one, as in mk,kn->mn")
TSR_ROW_(EINSUM_RANK, "einsum \"{s}\": operand {m} has {0} modes, but {1} letters")
TSR_ROW_(EINSUM_REPEATED, "einsum \"{s}\": the letter at character {0} repeats the one at character {1} of the same "
         "operand")
TSR_ROW_(EINSUM_ALONE, "einsum \"{s}\": the letter at character {0} is in one operand only: sum over it first (reduce)")
TSR_ROW_(EINSUM_UNKNOWN, "einsum \"{s}\": the letter at character {0} of the result is in no operand")
TSR_ROW_(EINSUM_SIZE, "einsum \"{s}\": the letter at character {0} has {1} elements here, {2} elsewhere")
TSR_ROW_(REDUCE_LOOPS, "reduce: source and destination have no loops in common: {w0}")
TSR_ROW_(LINEAR_EXTENT, "extent {0} of dimension {m} is not a power of two, so no bits of an index count it")
TSR_ROW_(LINEAR_SUM, "index {0} gives {1}, but the xor of what its bits give is {2}: the map is not linear over F2")
TSR_ROW_(LINEAR_CAPACITY, "{0} dimensions or bits of one side, at most {1} fit")
TSR_ROW_(LINEAR_BAD_NAME, "dimension {m} has the name of another one, or none of 1 to {0} letters, digits and _")
TSR_ROW_(LINEAR_MATCH, "dimension {m} has {0} bits here, {1} there")
TSR_ROW_(LINEAR_FACTOR, "the map is no product with this factor: the basis of input bit {0} is {1}")
TSR_ROW_(LINEAR_SHARED, "input bits {0} and {1} share output bit {2}, and no layout behind one swizzle gives that: "
         "xor_sum gives {3} layouts")
TSR_ROW_(LINEAR_STRIDE, "input bit {0} moves along outputs {1} and {2} at once, but a stride goes along one")
TSR_ROW_(INCREMENT, "the coordinate is not inside the shape at mode {m}")
TSR_ROW_(DIFFER_SIZE, "the sizes differ: {0} and {1}")
TSR_ROW_(DIFFER, "at {0} the first gives {1}, the second {2}")
TSR_ROW_(NOT_INJECTIVE, "the coordinates {0} and {1} both give {2}")
TSR_ROW_(NOT_SURJECTIVE, "no coordinate gives {0}")
TSR_ROW_(NOT_FROM_ZERO, "the offsets do not begin at 0 ({0} at mode {m})")
TSR_ROW_(NOT_CONTIGUOUS, "the coordinate {0} gives {1}, not {2}")
TSR_ROW_(NOT_TRACTABLE, "extent {0} times stride {1} does not divide the next stride {2}")
TSR_ROW_(NOT_DECIDED, "no rule decides this, and {0} steps of search did not either")
TSR_ROW_(NOT_TILER, "a tiler cannot hold a swizzled layout")
TSR_ROW_(ATOM_NAME, "no atom has this name; names are CuTe's, as SM80_16x8x16_F32F16F16F32_TN (`tessera ops SM80` "
         "lists them)")
TSR_ROW_(MMA_TYPES, "this architecture has no instruction {0}x{1}x{2} of A {t3}, B {t4} and C {t5}")
TSR_ROW_(MMA_SHAPE, "no instruction of these types is {0}x{1}x{2}; the nearest is {3}x{4}x{5}")
TSR_ROW_(MMA_WIDTH, "{0}x{1}x{2}: N = {1} must be a multiple of {3} from {3} to 256")
TSR_ROW_(MMA_INTEGER_WIDTH, "{0}x{1}x{2}: N = {1} must be 8, 24 or a multiple of 16 from 16 to 256")
TSR_ROW_(MMA_FORM, "the {0}x{1}x{2} instruction of these types has other endings, majors or sources")
TSR_ROW_(COPY_NUMBER, "the number {0} of this copy must be a power of two from {1} to {2}")
TSR_ROW_(COPY_BITS, "{0} is not a number of bits to copy")
TSR_ROW_(COPY_SIZES, "a copy moves elements of one size, not {0} bits to {1}")
TSR_ROW_(COPY_VALUES, "some of the {1} threads of this copy would share values of {0} bits")
TSR_ROW_(SMEM_SWIZZLE, "the hardware swizzles rows of 16 << N bytes for N from 0 to 3, not {0} (on Blackwell also 4: "
         "128 bytes along M or N, in units of 32)")
TSR_ROW_(SMEM_ATOM, "this is not one of the blocks Layout_K_INTER_Atom<T> to Layout_MN_SW128_Atom<T>, or "
         "Layout_MN_SW128_32B_Atom<T> on Blackwell")
TSR_ROW_(GMMA_EXTENT, "a descriptor needs a multiple of 8 rows and a depth of {2} elements (half or twice for sparse "
         "ones), not {0} by {1}")
TSR_ROW_(GMMA_CANONICAL, "the tile has {0} modes in the canonical form of a descriptor, which has {1}")
TSR_ROW_(GMMA_STRIDE, "mode {m} of the tile has stride {0} in units of 16 bytes where a descriptor needs {1}")
TSR_ROW_(GMMA_PARTS, "mode {m} of the tile has {0} elements, not a multiple of the {1} of an instruction")
TSR_ROW_(GMMA_START, "an instruction would start at element {0} of the tile, inside a group of {1}")
TSR_ROW_(GMMA_OPERAND, "the atom does not read this operand from shared memory")
TSR_ROW_(GMMA_MAJOR, "the tile is contiguous along mode {0}, but the instruction reads along mode {1}")
TSR_ROW_(TILED_RANK, "threads and permutations of a tiled MMA have 3 modes, the layout of a tiled copy 2, not {0}")
TSR_ROW_(TILED_NUMBERS, "threads and values cover {0} of the {1} elements of their tile, as far as static numbers "
         "tell (tsr_static_all): make both compact")
TSR_ROW_(TILED_OPERAND, "the tensor to partition has rank {0}, at least {1} is needed")
TSR_ROW_(MMA_BESIDE, "the {0}x{1}x{2} instruction of these types reads no scales, or no metadata, from registers")
TSR_ROW_(TILED_COVERS, "the copy covers {0} elements of a tile that has {1}: its tiler must divide every mode")
TSR_ROW_(TILED_BLOCKS, "{0}x{1}x{2} computes {3} independent products, so it does not tile a larger one")
TSR_ROW_(PARTITION_SIZE, "the first partition has {0} threads of {1} values, the second {2} of {3}")
TSR_ROW_(PARTITION_DIFFERS,
         "value {1} of thread {0} is at ({2},{3}) in the first partition, at ({4},{5}) in the second")
TSR_ROW_(FRAGMENT_LEAF,
         "leaf {m} of a fragment, {0} elements of stride {1}, is not static along one of the modes 0 to {2}")
TSR_ROW_(FRAGMENT_TWICE, "leaf {m} of a fragment, {0} elements of stride {1}, repeats elements of the same thread")
TSR_ROW_(FRAGMENT_WIDE, "quads of threads do not hold {0} neighbours each, in blocks that come four times")
TSR_ROW_(TILED_TENSOR_MEMORY, "this operand is in tensor memory, so no registers hold it")
TSR_ROW_(TILED_MEMORY, "the data layout does not contain every (thread,value)")
TSR_ROW_(BANKS, "no swizzle of up to 5 bits serves the {0} accesses at once")
TSR_ROW_(TILED_COPY, "mode {m} of the copy has {0} threads or values, not a multiple of the {1} of its atom")
TSR_ROW_(TMA_OP, "im2col operations belong to make_im2col_tma_copy, the others to make_tma_copy")
TSR_ROW_(TMA_IMAGE, "an image is ((w,n),c), ((w,h,n),c) or ((w,h,d,n),c), or its two modes exchanged, "
         "not {0} modes of {1} leaves")
TSR_ROW_(TMA_CONVOLUTION, "{1} tuples of one number for each of W, H and D are needed; of these {0}, number {m} "
         "is not a tuple of {2} integers")
TSR_ROW_(TMA_DGRAD, "the gradient of a convolution of stride {0} in dimension {m} is not an im2col: one copy for "
         "each of the phases is needed")
TSR_ROW_(TMA_TAP, "one of the {0} taps of dimension {m} reads {1} elements from its pixel, outside 0 to {2}")
TSR_ROW_(TMA_TYPE, "TMA moves no elements of this type of {0} bits")
TSR_ROW_(TMA_WORD, "TMA moves {2} elements as one of a wider type, but mode {m} has {0} elements of stride {1}: "
         "make the extent (of stride 1) or the stride a multiple of {2}")
TSR_ROW_(TMA_INSIDE, "the box starts at element {0} of dimension 0, inside a group of {1} elements that move as one")
TSR_ROW_(TMA_NUMBERS, "a tensor map of rank {0} takes {0} extents, one stride less, two corners less, "
         "not {1} and {2} of them")
TSR_ROW_(TMA_MODE, "number {0} of <swizzle,interleave,l2Promotion,oobFill,address> is {1}, outside 0 to {2}")
TSR_ROW_(TMA_SIZE, "the tile has {0} elements, its layout in shared memory {1}")
TSR_ROW_(TMA_VECTOR, "shared memory begins with a step of {0} in the tile, not at the beginning of a mode with step 1")
TSR_ROW_(TMA_MAJOR, "neighbours in shared memory are {0} elements apart in global memory: make the same mode "
         "contiguous in both")
TSR_ROW_(TMA_SWIZZLE, "Sw<{0},{1},{2}> is not a swizzle of the hardware: on bytes these are Sw<0..3,4,3>, Sw<2,5,2> "
         "and Sw<1,6,1>")
TSR_ROW_(TMA_PITCH, "a row of the box is {0} bytes, but swizzled rows are {1} bytes apart in shared memory: make it "
         "{2} elements, or choose a narrower swizzle")
TSR_ROW_(TMA_MULTICAST, "{0} CTAs cannot share extent {1} of dimension {m} of the box: neither divides the other")
TSR_ROW_(TMA_MASK, "CTA {0} has no bit in the 16 of a multicast mask")
TSR_ROW_(TMA_RANK, "rank {0} is outside {1} to 5: append dimensions of extent 1, or group some")
TSR_ROW_(TMA_ADDRESS, "address {0} is not a multiple of {1}: move the tensor by {2} bytes, to {3}")
TSR_ROW_(TMA_DIM, "extent {0} of dimension {m} is outside 1 to {1}")
TSR_ROW_(TMA_DIM_PACKED, "extent {0} of dimension 0 is not a multiple of {1}, which the packed format needs: "
         "pad it from {0} to {2}")
TSR_ROW_(TMA_STRIDE, "stride {0} of dimension {m} is not a multiple of {1} bytes: pad it to {2} bytes, "
         "from {3} to {4} elements")
TSR_ROW_(TMA_STRIDE_RANGE, "stride {0} of dimension {m} is outside 0 to 1099511627775 bytes")
TSR_ROW_(TMA_BOX, "extent {0} of dimension {m} of the box is outside 1 to 256: move it in {1} boxes of {2}")
TSR_ROW_(TMA_BOX_ROW, "a row of the box, {0} elements, is {1} bytes, not a multiple of 16: make it {2} elements")
TSR_ROW_(TMA_BOX_SPAN, "a row of the box, {0} bytes, is wider than the {1} bytes of the swizzle: make it {2} "
         "elements")
TSR_ROW_(TMA_BOX_PACKED, "a row of the box is {0} elements: a format padded to 16 bytes needs 128")
TSR_ROW_(TMA_STEP, "step {0} of dimension {m} is outside 1 to 8: for more, multiply its stride and divide "
         "its extent")
TSR_ROW_(TMA_INTERLEAVE_SWIZZLE, "interleave 32B needs swizzle 32B (1), not mode {0}")
TSR_ROW_(TMA_INTERLEAVE_PACKED, "the 6-bit format cannot be interleaved: use interleave 0, not {0}")
TSR_ROW_(TMA_SWIZZLE_PACKED, "swizzle mode {0} does not exist for format {1}: use 0, 3 or 4")
TSR_ROW_(TMA_FILL, "NaN can only fill floating-point formats, not format {0}: use fill 0")
TSR_ROW_(TMA_CORNER, "corner {0} of dimension {m} is outside {1} to {2}")
TSR_ROW_(TMA_BOUNDING, "the bounding box is empty in dimension {m}: extent {0}, lower corner {1}, upper corner {2}")
TSR_ROW_(TMA_CHANNELS, "{0} channels are outside 1 to 256: move them in {1} boxes of {2}")
TSR_ROW_(TMA_PIXELS, "{0} pixels are outside 1 to 1024: move them in {1} boxes of {2}")
TSR_ROW_(TMA_SMEM_SIZE, "the box takes {0} bytes, shared memory has {1}: make the box {2} times smaller")
TSR_ROW_(TMA_SMEM_ALIGN, "the box is at {0} in shared memory, not at a multiple of {1}: move it by {2} "
         "bytes, to {3}")
TSR_ROW_(TMA_COORD, "the box begins at element {0} of dimension 0, {1} bytes in, not at a multiple of 16 bytes")
TSR_ROW_(TMA_STORE, "a store cannot begin at {0} in dimension {m}: only loads may begin outside, below 0")
TSR_ROW_(TMA_STORE_PIXELS, "the pixels of a store are inside the image: corners {0} and {1} of dimension {m} are not")
TSR_ROW_(TMA_REDUCE, "reduction {0} is not defined on format {1}")
TSR_ROW_(TMA_GATHER, "gather4 and scatter4 move four rows to one CTA, each a box of one row of a map of rank 2, "
         "not rank {0}, {1} rows, {2} CTAs")
TSR_ROW_(TMA_INTERLEAVED, "maps of interleave {0} are not emulated")
TSR_ROW_(TMA_DRIVER, "there is no CUDA driver here that encodes tensor maps: libcuda.so.1 is missing or older "
         "than 12.0")
TSR_ROW_(TMA_ENCODE, "the CUDA driver refuses the tensor map with error {0}")
TSR_ROW_(DIMS, "{0} dimensions, at most {1} fit (TSR_MAX_DIMS)")
TSR_ROW_(DIM_EMPTY, "length {0} of dimension {m} is not positive")
TSR_ROW_(DIM_LENGTH, "the transform is for length {0}, but dimension {m} below it has length {1}")
TSR_ROW_(DIM_PRODUCT, "the lengths of unmerge multiply to {0}, but dimension {m} below it has length {1}")
TSR_ROW_(DIM_REACH, "the transform reaches indices {0} to {1} of dimension {m} below it, whose length is {2}")
TSR_ROW_(DIM_NONE, "dimension {m} does not exist below the stage, there are {0}")
TSR_ROW_(DIM_TWICE, "two transforms consume dimension {m} of the {0} below the stage")
TSR_ROW_(DIM_LEFT, "no transform consumes dimension {m} of the {0} below the stage (freeze drops one)")
TSR_ROW_(DIM_GAP, "the stage makes {0} dimensions, so dimension {m} leaves a gap")
TSR_ROW_(DIM_MADE_TWICE, "dimension {m} of the {0} that the stage makes is made twice")
TSR_ROW_(ARITY_LOW, "transform {m} of the stage has {0} lower dimensions, {1} are named")
TSR_ROW_(ARITY_UP, "transform {m} of the stage has {0} upper dimensions, {1} are named")
TSR_ROW_(CHAIN_RANK, "{0} top dimensions below, but {1} bottom dimensions above")
TSR_ROW_(GRAPH_CAPACITY, "the graph has {0} transforms, {1} hidden dimensions and {2} tables, more than fit")
TSR_ROW_(PAD_NEGATIVE, "pad: {0} elements before dimension {m} of length {2} and {1} behind: neither may be negative")
TSR_ROW_(SLICE_RANGE, "slice: {0} to {1} is not a range of the {2} indices of dimension {m}")
TSR_ROW_(XOR_LENGTH, "xor: length {0} of dimension {m} is not a power of two, so the map would not be one to one")
TSR_ROW_(STRIDE_COUNT, "{0} lengths, but {1} strides")
TSR_ROW_(NEGATIVE_REACH, "negative strides lead down to offset {0}; they need an offset of at least {1}")
TSR_ROW_(NO_FACTOR, "there is no factor {0}.{1} in this distribution")
TSR_ROW_(FACTOR_TWICE, "factor {0}.{1} belongs to more than one P or Y")
TSR_ROW_(FACTOR_FREE, "factor {0}.{1} of length {2} belongs to no P and to no Y")
TSR_ROW_(Y_REPLICATES, "Y {m} names the replication 0.{0}, which only a P can own")
TSR_ROW_(DIM_INDEX, "index {0} of dimension {m} is not below {1}")
TSR_ROW_(X_RANK, "{0} dimensions of tiles here, {1} there")
TSR_ROW_(SLICE_FACTOR, "a slice of {0} from {1} on is not whole factors and one run of a Y, in dimension {m}")
TSR_ROW_(UNPACK, "{0} elements at a time do not divide the span of dimension {m}")
TSR_ROW_(SHUFFLE, "the distributions differ in more than the order of Y")
TSR_ROW_(CURVE, "{0} elements an access do not divide length {1} of dimension {m}")
TSR_ROW_(CURVE_ORDER, "the order of access must name dimension {m} once")
TSR_ROW_(UPDATE_SPACE, "atomic operations need the address space global")
TSR_ROW_(LOAD_SPACE, "an asynchronous load goes from global (1) into shared memory (2), not from {0} into {1}")
TSR_ROW_(UPDATE_TYPE, "elements of type {t0} have no such arithmetic")
TSR_ROW_(UPDATE_ATOMIC, "elements of type {t0} have no atomic operation: it takes one number of 16, 32 or 64 bits")
TSR_ROW_(ELEMENT_TYPE, "an element of type {t0} goes into no variable of type {t1}, which has {2} bytes")
TSR_ROW_(WINDOW_RANK, "the distribution has {0} tile dimensions, the tensor {1}")
TSR_ROW_(LANES, "a butterfly needs replications that are powers of two, not {0} of 0.{m}")
TSR_ROW_(PLAN_GRAPH, "the descriptor folds to no layout, so the window runs on its graph")
TSR_ROW_(PLAN_FACTOR, "{0} steps of {1} in dimension {m} do not fit the factors that the descriptor folds to")
TSR_ROW_(FORMULA_GRAPH, "the descriptor has other transforms than the one that was compiled")
TSR_ROW_(FORMULA_NUMBER, "number {m} of the graph is {0}, but {1} was compiled (64 and on: of its coefficients; "
         "128 and on: of its constants)")
TSR_ROW_(FORMULA_MULTIPLE, "number {m} of the graph is {0}, not a multiple of {1} (64 and on: of its coefficients; "
         "128 and on: of its constants)")
TSR_ROW_(FORMULA_CAPACITY, "the arithmetic needs more than {0} values, {1} parts of sums or {2} bounds")
TSR_ROW_(PLAN_CAPACITY, "the plan needs more than {0} terms, {1} loops or {2} limits, or too large ones")
TSR_ROW_(ELEMENTS, "too many elements for an answer: {0}, at most {1}")
TSR_ROW_(NO_MEMORY, "out of memory for {0} elements")
TSR_ROW_(NAME, "name {0} of link {m} is not the name of a dimension on its side")
TSR_ROW_(NAME_TWICE, "name {0} of link {m} occurs {1} times among the names of its side")
TSR_ROW_(PLAN_PACKED, "elements of {0} bits share bytes, so the window runs on the graph of its descriptor")
TSR_ROW_(MAGIC, "magic division takes divisors from 1 to 2147483647 and dividends from 0 on, not {0}")
TSR_ROW_(VIEW_COMPUTED, "pointers of C reach memory, but these elements are {0} (0: counted, 1: coordinates, 2: "
         "computed when they are read): copy them into memory (copy)")
TSR_ROW_(VIEW_MODE, "a view has one stride for mode {m}: behind {0} elements the next lies {1} from the first, not "
         "{2}: flatten nested modes, declare no stride 1, or use tsr_each")
TSR_ROW_(TENSOR_MEMORY, "tensor memory has 128 lanes of 512 columns: the layout reaches lane {0} and column {1}")
TSR_ROW_(TMEM_ATOM, "only instructions of tcgen05.mma (SM100_MMA_..) have operands in tensor memory")
TSR_ROW_(TMEM_OPERAND, "the instruction has no operand {0} in tensor memory (0: C, 1: A of TS, 2: metadata of SPARSE, "
         "3 and 4: scales of A and B of MX..)")
TSR_ROW_(TMEM_SHAPE, "an operand in tensor memory has the shape ((M,N),tiles..), scales ((M,(V,n)),tiles..), all "
         "extents from 1 to 1048576")
TSR_ROW_(TMEM_ROWS, "{0} rows do not fit the lanes of tensor memory: this form takes a power of two from {1} to {2}")
TSR_ROW_(TMEM_WIDTH, "extent {0} of a tile in tensor memory is not what this form takes: {1}, or a multiple of it")
TSR_ROW_(TMEM_TYPE, "elements of {0} bits in places of {1} do not fill the 32 bits of a column evenly")
TSR_ROW_(TMEM_CTAS, "an instruction belongs to 1 or 2 CTAs, not to {0}")
TSR_ROW_(TMEM_SCALES, "{0} scales a row: a column of tensor memory takes 1, 2 or 4")
TSR_ROW_(TMEM_LAYOUT, "a layout into tensor memory has no strides but multiples of _1@0 (lanes) and _1@1 (elements), "
         "from 0 on")
TSR_ROW_(TMEM_COPY, "the copy has no place in tensor memory here: tmem copies take SM100_TMEM_LOAD and STORE, utccp "
         "copies SM100_UTCCP")
TSR_ROW_(TMEM_PLAN, "the sums take {0} columns of tensor memory, the other operands {1}: {2} of 512")
TSR_ROW_(EINSUM_ORDER, "an order of {0} tensors has one pair less, here {1}, each of two values that are there and "
         "in no other pair: pair {m} takes {2} and {3}")
TSR_ROW_(MMA_SCALE_D, "C of the {0}x{1}x{2} instruction is scaled by 2^-{3}: 0 to {4} (only atoms _SCALED scale it)")
TSR_ROW_(SMEM_ADDRESS, "a descriptor begins at a multiple of {1} bytes, its swizzle pattern, and ends below 262144: "
         "not at {0}")
TSR_ROW_(SMEM_WORD, "no descriptor of shared memory has version {0}, layout type {1} and {2} in its unused bits: "
         "version 0 has types 0 to 3, version 1 types 0, 1, 2, 4 and 6")
TSR_ROW_(UMMA_FIELD, "{x0} is no instruction descriptor: the nearest is of kind::{k1}, where the field `{f2}` is {3}, "
         "not one of {b4}")
TSR_ROW_(UMMA_FLAGS, "the flags {x0} do not belong to an issue of this instruction of kind::{k1}, which may set {x2}")
TSR_ROW_(UMMA_ATOM, "only atoms of tcgen05.mma have an instruction descriptor and scales in tensor memory")
TSR_ROW_(UMMA_BITS, "a word of an instruction descriptor has 32 bits: 0 to 4294967295, not {0}")
TSR_ROW_(UMMA_KIND, "kinds are numbered 0 to {1}, not {0}")
TSR_ROW_(SCALES_BLOCK, "scales are of 16, 32 or 64 elements in tiles of 128 or 8 rows, not of {0} in tiles of {1}")
TSR_ROW_(DIVIDE_ZERO, "logical_divide: the stride of mode {m} of the tiler is a dynamic 0, which cannot divide extent "
         "{0} of the layout: write the static _0")
TSR_ROW_(DIVIDE_STRIDE, "logical_divide: stride {0} of mode {m} of the tiler and extent {1} of the layout: neither "
         "divides the other")
TSR_ROW_(DIVIDE_SHAPE, "logical_divide: extent {0} of mode {m} of the tiler does not split over extent {1} of the "
         "layout")
TSR_ROW_(DIVIDE_CARRY, "logical_divide: mode {m} of the tiler and another one carry into each other in the layout")
TSR_ROW_(PRODUCT_ZERO, "logical_product: the stride of mode {m} of the tiler is a dynamic 0, which cannot divide the "
         "{0} places beside the block: write the static _0")
TSR_ROW_(PRODUCT_STRIDE, "logical_product: stride {0} of mode {m} of the tiler and a row of {1} places beside the "
         "block: neither divides the other")
TSR_ROW_(PRODUCT_SHAPE, "logical_product: extent {0} of mode {m} of the tiler does not split over a row of {1} places "
         "beside the block")
TSR_ROW_(PRODUCT_CARRY, "logical_product: mode {m} of the tiler and another one carry into each other beside the block")
TSR_ROW_(TILES_STRIDE, "logical_divide: tiles that begin {0} elements apart do not fit extent {1} of the layout: "
         "neither divides the other")
TSR_ROW_(TILES_SHAPE, "logical_divide: a row of {0} tiles does not split over extent {1} of the layout")
TSR_ROW_(COORD_LEAF, "the coordinate is a tuple of {0} modes where the shape has an integer: write an integer there")
TSR_ROW_(SWIZZLE_FACTOR, "a swizzle moves bits, so it is recast by a power of two, not by the factor {0}")
TSR_ROW_(MMA_MAJORS, "the {0}x{1}x{2} instruction of these types takes A and B only K-major (the ending _TN)")
TSR_ROW_(EINSUM_TENSORS, "einsum \"{s}\": character {0} begins a third tensor, and this call takes two; einsum_n takes "
         "any number")
TSR_ROW_(SMEM_BITS, "the swizzle behind smem_ptr[{0}b] moves bytes, and elements of {0} bits are no power of two of "
         "bits: no swizzle of elements does that")
TSR_ROW_(FACTOR_NAMES, "{0} majors, but {1} minors: a factor of a P or a Y is named by one of each")
TSR_ROW_(ACCESS_OUTPUTS, "an access to shared memory gives one offset, but {0} outputs of this map have bits: compose "
         "the left inverse of the map of the memory with it")
TSR_ROW_(ACCESS_BLOCKS, "input bit {0} leads to the shared memory of another block; rounds are counted within one")
TSR_ROW_(ACCESS_MODES, "an access is a layout (thread,value), and this one has {0} modes")
TSR_ROW_(LINEAR_NAMESAKE, "dimension {m}, of {0} bits, has no namesake in the other map")
TSR_ROW_(LINEAR_ORDER, "the maps have dimensions of the same names, in another order from dimension {m} on")
#undef TSR_ROW_
#endif
/* clang-format on */

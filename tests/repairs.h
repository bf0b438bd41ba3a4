/** What to do about each reason of base/status_list.h, for docs/errors.md. The sentence says what is wrong; this says
 *  what helps. SECTION(status, title) begins a section of the page; a row is in the order of the list of statuses. */
#ifndef TESTS_REPAIRS_H
#define TESTS_REPAIRS_H

/* clang-format off */
#define SECTION_LIST(X) \
    X(OK, "Text, tuples and integers") \
    X(EXTENT, "Layouts and coordinates") \
    X(SHAPE_DIV, "The algebra of layouts") \
    X(SWIZZLE_BITS, "Swizzles") \
    X(NOT_READ, "Tensors and memory") \
    X(GEMM_RANK, "Products") \
    X(LINEAR_EXTENT, "Linear maps over F2") \
    X(INCREMENT, "Verdicts") \
    X(ATOM_NAME, "Atoms, descriptors, tiled copies and products") \
    X(TMA_OP, "TMA") \
    X(DIMS, "CK Tile") \
    X(ELEMENTS, "Limits") \
    X(VIEW_COMPUTED, "Views for loops") \
    X(TMEM_ATOM, "Tensor memory")

#define REPAIR_LIST(X) \
    X(OK, "Nothing: the value is valid.") \
    X(SYNTAX, "Go to the character that the message names; `tessera ops NAME` shows how an operation is written.") \
    X(CAPACITY, "Coalesce or group before the operation, or work on one mode at a time; no layout of CuTe's tests " \
                "needs more than 15.") \
    X(DEPTH, "Flatten modes that need no names of their own.") \
    X(OVERFLOW, "Offsets and sizes are 64-bit: look for a number in the wrong unit (bytes for elements), or an " \
                "address as a stride.") \
    X(LAYOUT_RANGE, "Look for an extent or a stride in the wrong unit (bytes for elements), or an address as a stride.") \
    X(DIV_ZERO, "A shape or a divisor is 0, often a problem size that was not set, or a stride of 0 where one is " \
                "divided by.") \
    X(SAFE_DIV, "Choose a tile that divides the extent, or `ceil_div` where a rest is meant.") \
    X(SHIFT, "Shift by less than the bits of an integer.") \
    X(WILDCARD, "`_` belongs into slices and tilers; give a number here.") \
    X(NOT_INTEGER, "Take one leaf (`get`), or the product of all (`size`).") \
    X(BASIS, "Strides of coordinates (`_1@0`) and of memory do not mix: apply the coordinates to the tensor's " \
             "strides (`composition`) first.") \
    X(BASIS_VALUES, "Work on the layout of integers first, and compose it with coordinates last.") \
    X(BASIS_RANGE, "Use fewer modes or levels in the identity layout.") \
    X(STATIC_ONLY, "Write the number as static: `_8`, in C `tsr_s(8)` or `_8` of tessera/names.h.") \
    X(RANK, "Give both the same number of modes: `group`, `append` or `unflatten` the one that has too few.") \
    X(INDEX, "Modes count from 0.") \
    X(RANGE, "A range goes from the first mode to one behind the last.") \
    X(PAD, "The rank asked for is the rank of the result, not the number of modes to add.") \
    X(LEAVES, "The profile must have a place for each leaf: print both and count.") \
    X(EMPTY, "Slicing with all numbers leaves nothing: keep a mode with `_`.") \
    X(EXTENT, "Extents are positive; an empty problem is to be handled before a layout is made.") \
    X(STRIDE, "Give an integer or a basis element (`_1@0`); `_` is not a stride.") \
    X(CONGRUENT, "Shape and stride have the same parentheses: compare them mode by mode.") \
    X(COORD, "A coordinate has the parentheses of the shape, or fewer: an integer may stand for a tuple, not the " \
             "reverse.") \
    X(NO_COORD, "No coordinate of the layout gives this offset. `is_surjective` names a missing offset.") \
    X(FIT, "The values are no layout. Try another profile, look at the place that is named, or keep a table.") \
    X(NEGATIVE, "Begin further in: add the reach of the negative stride to the offset.") \
    X(SHAPE_DIV, "Choose two numbers where one divides the other. In two shapes these are the remaining parts of two extents. `ceil_div` rounds.") \
    X(PROFILE, "A profile has one entry a mode, at most: `(1,1)` for a matrix.") \
    X(TILER_RANK, "A tiler has one entry a mode, at most: leave the last ones out, or write `_` for a mode that is " \
                  "not cut.") \
    X(COMPOSE_ZERO, "Write the 0 as a static integer, `_0`: then the mode stays at one element.") \
    X(COMPOSE_STRIDE, "Take one of the legal strides that are named, or `composition_fit`, which finds the layout by " \
                      "its values if there is one.") \
    X(COMPOSE_SHAPE, "Take one of the legal extents that are named, pad the left layout to a multiple, or use " \
                     "`composition_fit`.") \
    X(COMPOSE_CARRY, "Coalesce the right side, or make its extents divide those of the left side.") \
    X(COMPLEMENT_SIGN, "Reverse the mode: take the positive stride and begin at the other end.") \
    X(COMPLEMENT_OVERLAP, "A tile must not touch an element twice, nor interleave: give its modes strides that go on " \
                          "behind one another.") \
    X(INVERSE_SIGN, "Reverse the mode: take the positive stride and begin at the other end.") \
    X(INVERSE_LAW, "Only a layout that is one to one has such an inverse; `is_injective` and `is_bijective` name the " \
                   "coordinates in the way.") \
    X(INVERSE_BASIS, "Compose a layout of memory with the coordinates first: `composition(make_layout(shape), L)` has offsets.") \
    X(PRODUCT_SIGN, "Reverse the mode of the tiler, or repeat a block that leaves no holes.") \
    X(DIVIDE_SWIZZLE, "Divide first, and put the swizzle in front of the result.") \
    X(DIVIDE_SIZE, "The tile does not divide the layout: pad the layout, or choose a tile that does.") \
    X(ZIP_RANK, "Give both modes the same rank.") \
    X(UPCAST_STRIDE, "Groups of that size do not stay together: make the stride a multiple of the factor, or take a " \
                     "smaller factor.") \
    X(UPCAST_DYNAMIC, "Make the stride static where it is known, such as `_1`: only then may the extent shrink.") \
    X(UPCAST_EXTENT, "Take a part whose extent is a multiple: the rest is not a whole element.") \
    X(UPCAST_PARTS, "Every part of a larger element must be in the layout: take the modes that are adjacent in memory " \
                    "along, or a smaller factor.") \
    X(UPCAST_OVERLAP, "Make the stride a multiple of the factor, or take the mode away.") \
    X(UPCAST_SWIZZLE, "Take a factor of at most 2^M, which `max_alignment` of the swizzle gives.") \
    X(DOWNCAST, "One mode must be contiguous, of static stride `_1`.") \
    X(FACTOR, "Give a positive factor; for swizzles a power of two.") \
    X(ASSUME, "The number breaks the promised multiple: correct the promise, or pad the extent.") \
    X(TYPE, "`tessera/base/dtype.h` lists the types.") \
    X(TILE_SHAPE, "Make the target a multiple of the block, mode by mode.") \
    X(TILE_RANK, "Give the target as many modes as the block has.") \
    X(DISTRIBUTE_STATIC, "Write the numbers as static.") \
    X(SWIZZLE_BITS, "`Sw<B,M,S>`: B bits are xored from M+S to M, and |S| must be at least B, so that no bit is read " \
                    "and changed.") \
    X(SWIZZLE_MASKS, "Give two runs of equally many bits that do not overlap.") \
    X(SWIZZLE_SHIFT, "Apply one after the other: a layout may have two swizzles in front.") \
    X(SWIZZLE_OFFSET, "Invert the part without the offset, and add it after.") \
    X(SWIZZLE_TWICE, "Combine the swizzles into one where they have the same shift, or do the operation before the " \
                     "second one is put in front.") \
    X(SWIZZLE_SLICE, "Slice at static powers of two, or slice first and put the swizzle in front of the tensor.") \
    X(SWIZZLE_ELEMENT, "Take a swizzle whose M is at least log2 of the bytes of an element, and aligned memory.") \
    X(SWIZZLE_STRIDE, "Ask the layout behind the swizzle; in a loop take the elements one after the other (`tsr_each`).") \
    X(MIXED_BITS, "Use the number itself before it is split into static and dynamic bits.") \
    X(NOT_READ, "Copy its elements into memory of the host first.") \
    X(NOT_NUMBERS, "Use a tensor of numbers; coordinates are compared (`inside`), not added up. Complex numbers have no order, " \
      "quotient or function here, and their sum is complex.") \
    X(NULL_DATA, "Give the tensor an address, as a rule that of an allocation that failed.") \
    X(CONSTANT, "Write to a tensor that is made from a pointer that is not constant; make a view that only reads one of const elements.") \
    X(OUTSIDE, "Check the coordinate, or keep it inside with a predicate.") \
    X(SPAN, "The layout is larger than the buffer: compare `cosize` with the allocated size.") \
    X(BOUNDS, "The tile is ragged: clip it, or copy with its predicate.") \
    X(CLIP_TILER, "Use `copy_if` with the predicate of the tile.") \
    X(MISALIGNED, "Allocate with that alignment, or begin at a multiple of it.") \
    X(WIDE_MODE, "Take wide accesses along the contiguous mode, or store the matrix the other way round.") \
    X(WIDE_STRIDE, "Pad the rows to the stride that is named.") \
    X(OVERLAP, "Copy through a third tensor.") \
    X(VECTOR_TYPE, "Nothing to repair: it tells why a copy is not wider. Convert in a step of its own if that " \
                   "matters.") \
    X(VECTOR_LAYOUT, "Nothing to repair: it tells why a copy is not wider. More neighbours in common make it so.") \
    X(VECTOR_ALIGN, "Nothing to repair: it tells why a copy is not wider. Align the address.") \
    X(VECTOR_LIMIT, "Nothing to repair: it tells why a copy is not wider. Raise the limit.") \
    X(MAPPED_TWICE, "Write one function that does both.") \
    X(GEMM_RANK, "A is (M,K), B is (N,K), C is (M,N), or each with further modes of a batch.") \
    X(GEMM_SIZE, "B is (N,K), not (K,N): transpose it if it is written the other way.") \
    X(GEMM_TYPES, "Convert one operand (`tsr_gpu_copy`), or let another kernel do the product: `tsr_gpu_gemm_plan` does.") \
    X(GEMM_MAJOR, "Store the operand with K side by side: a transposing copy first.") \
    X(GEMM_TILE, "Choose 64 or 128 rows, and a multiple of 16 columns up to 256.") \
    X(GEMM_SUMS, "Choose a smaller tile, or one that both warpgroups share.") \
    X(GEMM_LOOPS, "Nothing to repair: the product is made by plain loops; a copy into a plain matrix first is faster.") \
    X(GEMM_LARGE, "Multiply in parts.") \
    X(GEMM_SCALE, "Give operand A a scale for each row and 128 elements of K, (M,(128,K/128)):(s,(0,t)), operand B one " \
                  "for 128 rows, ((128,N/128),(128,K/128)):((0,s),(0,t)), in f32.") \
    X(GEMM_SCALE_TYPE, "Copy the scales to f32 (copy).") \
    X(GEMM_ROWS, "Store A with K side by side and C with N.") \
    X(GEMM_GROUP, "Make a plan for each kind of product.") \
    X(GEMM_DEVICE, "Nothing to repair: the product is made by plain loops.") \
    X(EINSUM_TEXT, "Write it as NumPy does: `mk,kn->mn`, one letter an index.") \
    X(EINSUM_ENDS, "Write the result: `->` and its letters behind it, none for a sum of everything.") \
    X(EINSUM_RANK, "Give each mode one letter.") \
    X(EINSUM_REPEATED, "Take the diagonal first: a layout with the sum of both strides.") \
    X(EINSUM_ALONE, "Sum over the index first (`reduce`).") \
    X(EINSUM_UNKNOWN, "The result can only have indices of the operands; broadcast by a mode of stride 0.") \
    X(EINSUM_SIZE, "The same letter has the same extent in all tensors.") \
    X(REDUCE_LOOPS, "Give source and destination the same modes, and copy computed or swizzled elements into memory first.") \
    X(LINEAR_EXTENT, "Only extents that are powers of two have bits: pad the extent, or take the layout apart " \
                     "(`logical_divide`) and map its tile.") \
    X(LINEAR_SUM, "Pad the stride to a power of two that no other mode reaches, and add an offset outside of the map. " \
                  "Or keep the layout: its algebra takes any strides.") \
    X(LINEAR_CAPACITY, "Join dimensions (`flatten_ins`, `flatten_outs`, or `group` of modes), or map the tile of a block: " \
                       "a side has 64 bits, a dimension 62.") \
    X(LINEAR_BAD_NAME, "Give each input and each output a name of its own, as register, lane, warp; dim0, dim1.") \
    X(LINEAR_MATCH, "Outputs of the first map are inputs of the second one, and parts of maps have equal sides: " \
                    "`select_ins` and `select_outs` change the order.") \
    X(LINEAR_FACTOR, "The bases of the factor are not the first ones (`divide_left`) or the last ones " \
                     "(`divide_right`): try the other one, or compare both maps.") \
    X(LINEAR_SHARED, "Write the map as a xor of layouts (`xor_sum`), or work with the map itself.") \
    X(LINEAR_STRIDE, "Select one output (`select_outs`), or join all (`flatten_outs`).") \
    X(INCREMENT, "Begin with a coordinate inside of the shape.") \
    X(DIFFER_SIZE, "Compare, or copy, layouts of one size.") \
    X(DIFFER, "A verdict: evaluate both at the coordinate that is named.") \
    X(NOT_INJECTIVE, "A verdict: two coordinates share an element. Where that is not meant, a stride is too small.") \
    X(NOT_SURJECTIVE, "A verdict: the layout has holes. Where that is not meant, a stride is too large.") \
    X(NOT_FROM_ZERO, "A verdict: a mode goes below 0.") \
    X(NOT_CONTIGUOUS, "A verdict: permute or coalesce if one run is needed.") \
    X(NOT_TRACTABLE, "A verdict: pad the stride that is named to a multiple.") \
    X(NOT_DECIDED, "Make the layout smaller or static, or raise `TSR_LAW_BUDGET`.") \
    X(NOT_TILER, "Put the swizzle in front of the layout that is cut.") \
    X(ATOM_NAME, "Atoms have CuTe's names; docs/book/09_atoms.md shows some.") \
    X(MMA_TYPES, "Choose element types that the architecture multiplies. e4m3 of GPUs is f8_e4m3fn (`TSR_F8_E4M3FN`).") \
    X(MMA_SHAPE, "Take the nearest shape, which is named.") \
    X(MMA_WIDTH, "Choose N as said.") \
    X(MMA_INTEGER_WIDTH, "Choose N as said.") \
    X(MMA_FORM, "Look at the instructions of these types for their majors (K or MN) and sources (SS, RS).") \
    X(COPY_NUMBER, "Choose a power of two in that range.") \
    X(COPY_BITS, "Choose a width that the instruction has, as a rule a power of two up to 128.") \
    X(COPY_SIZES, "Copy between elements of one size; convert in registers.") \
    X(COPY_VALUES, "Use a smaller element type, or a copy that moves more bits.") \
    X(SMEM_SWIZZLE, "0: none, 1: 32 bytes, 2: 64 bytes, 3: 128 bytes.") \
    X(SMEM_ATOM, "Use one of the blocks that wgmma reads, and repeat it by `tile_to_shape`.") \
    X(GMMA_EXTENT, "Give the tile whole blocks: rows in eights, a depth of one instruction.") \
    X(GMMA_CANONICAL, "Make the tile by `tile_to_shape` of one of the blocks.") \
    X(GMMA_STRIDE, "Make the tile by `tile_to_shape` of one of the blocks; a padded tile cannot be described.") \
    X(GMMA_PARTS, "Make the tile a multiple of the instruction.") \
    X(GMMA_START, "Begin at whole instructions.") \
    X(GMMA_OPERAND, "Use the SS form of the instruction, or load the operand into registers.") \
    X(GMMA_MAJOR, "Exchange the major in the name of the atom, or in the block.") \
    X(TILED_RANK, "Threads and permutations are (M,N,K).") \
    X(TILED_NUMBERS, "Thread and value layouts must number the tile without a gap: use compact ones.") \
    X(TILED_OPERAND, "Partition a matrix, with further modes behind.") \
    X(MMA_BESIDE, "Take an atom with scales (sm_120) or sparse metadata.") \
    X(TILED_COVERS, "Choose threads and values whose product divides every mode of the tile.") \
    X(TILED_BLOCKS, "Use the atom by itself, or another one for a larger matrix.") \
    X(PARTITION_SIZE, "Compare partitions over the same threads and values.") \
    X(PARTITION_DIFFERS, "A verdict: look at the thread and value that are named; a permutation of the values makes " \
                         "the two agree.") \
    X(FRAGMENT_LEAF, "Make the fragment from static layouts of coordinates, as the partition of an MMA has them.") \
    X(FRAGMENT_TWICE, "A thread must not hold an element twice: take the stride of 0 or the overlap out.") \
    X(FRAGMENT_WIDE, "Take accumulators whose quads hold neighbours, or go through shared memory.") \
    X(TILED_TENSOR_MEMORY, "Address the operand in tensor memory (`tmem`).") \
    X(TILED_MEMORY, "The layout of the data must have a place for each (thread,value).") \
    X(BANKS, "Serve the more frequent access, or pad the rows.") \
    X(TILED_COPY, "Make threads and values multiples of those of the atom.") \
    X(TMA_OP, "Call the maker that belongs to the operation.") \
    X(TMA_IMAGE, "Group the image's modes as said: pixels first, channels last.") \
    X(TMA_CONVOLUTION, "Give one number a spatial dimension in each tuple.") \
    X(TMA_DGRAD, "Make one copy for each phase of the stride.") \
    X(TMA_TAP, "Padding, filter and dilation do not belong together: compute them by `fprop_pixels` and " \
               "`fprop_taps`.") \
    X(TMA_TYPE, "Move the bytes as elements of another type of that size.") \
    X(TMA_WORD, "Move elements of their own type, or pad the mode to whole words.") \
    X(TMA_INSIDE, "Begin the box at a multiple.") \
    X(TMA_NUMBERS, "Count the dimensions: one box extent each, one stride less.") \
    X(TMA_MODE, "Give a number in the range.") \
    X(TMA_SIZE, "Make the tile and its layout in shared memory the same size.") \
    X(TMA_VECTOR, "Let shared memory begin with the contiguous mode of the tile.") \
    X(TMA_MAJOR, "Make the same mode contiguous in shared and in global memory; TMA does not transpose.") \
    X(TMA_SWIZZLE, "Use one of the hardware's swizzles, of bytes.") \
    X(TMA_PITCH, "Make the row as wide as the swizzle.") \
    X(TMA_MULTICAST, "Choose a box that the CTAs can share evenly.") \
    X(TMA_MASK, "A cluster has at most 16 CTAs.") \
    X(TMA_RANK, "Group or append dimensions as said.") \
    X(TMA_ADDRESS, "Align the tensor; allocations of CUDA are aligned to 256 bytes, slices of them need not be.") \
    X(TMA_DIM, "An extent is outside of the format: look for an empty tensor, or cut a huge one.") \
    X(TMA_DIM_PACKED, "Pad the contiguous extent as said.") \
    X(TMA_STRIDE, "Pad the rows as said; their stride must be a multiple of 16 bytes.") \
    X(TMA_STRIDE_RANGE, "Strides are not negative, and fit 40 bits.") \
    X(TMA_BOX, "Move the box in several parts as said.") \
    X(TMA_BOX_ROW, "Make the row of the box a multiple of 16 bytes as said.") \
    X(TMA_BOX_SPAN, "Make the row of the box as wide as the swizzle, and take several boxes.") \
    X(TMA_BOX_PACKED, "Take rows of 128 elements.") \
    X(TMA_STEP, "Steps are 1 to 8; larger ones are strides.") \
    X(TMA_INTERLEAVE_SWIZZLE, "Take the swizzle that belongs to the interleave.") \
    X(TMA_INTERLEAVE_PACKED, "Take no interleave.") \
    X(TMA_SWIZZLE_PACKED, "Take one of the swizzles that are named.") \
    X(TMA_FILL, "Fill integers with zero.") \
    X(TMA_CORNER, "The padding is outside of the range that the rank allows; more dimensions allow less.") \
    X(TMA_BOUNDING, "The corners leave no pixel: check padding against filter.") \
    X(TMA_CHANNELS, "Move the channels in several boxes as said.") \
    X(TMA_PIXELS, "Move the pixels in several boxes as said.") \
    X(TMA_SMEM_SIZE, "Make the box smaller, or take fewer stages.") \
    X(TMA_SMEM_ALIGN, "Align the buffer: 128 bytes, with a swizzle up to 1024.") \
    X(TMA_COORD, "Begin at a multiple of 16 bytes.") \
    X(TMA_STORE, "Store only elements inside. Loads may begin outside.") \
    X(TMA_STORE_PIXELS, "Use corners of 0 for a store.") \
    X(TMA_REDUCE, "Take another reduction, or another format.") \
    X(TMA_GATHER, "Use a map of rank 2 with boxes of one row.") \
    X(TMA_INTERLEAVED, "Nothing on the CPU: interleaved maps run on the device only.") \
    X(TMA_DRIVER, "Run where a driver of CUDA 12.0 or newer is installed.") \
    X(TMA_ENCODE, "As a rule no context is current: call `cudaFree(0)` before.") \
    X(DIMS, "Merge dimensions.") \
    X(DIM_EMPTY, "Lengths are positive.") \
    X(DIM_LENGTH, "Make the transform for the length that the dimension has.") \
    X(DIM_PRODUCT, "Choose factors whose product is the length; pad first where they do not divide.") \
    X(DIM_REACH, "Pad the dimension, or embed fewer windows.") \
    X(DIM_NONE, "Dimensions of a stage count from 0.") \
    X(DIM_TWICE, "Name each lower dimension in one transform.") \
    X(DIM_LEFT, "Pass the dimension on (`pass`), or fix it (`freeze`).") \
    X(DIM_GAP, "Number the upper dimensions without a gap.") \
    X(DIM_MADE_TWICE, "Give each upper dimension to one transform.") \
    X(ARITY_LOW, "Name as many lower dimensions as the transform takes.") \
    X(ARITY_UP, "Name as many upper dimensions as the transform makes.") \
    X(CHAIN_RANK, "Chain adaptors whose dimensions agree.") \
    X(GRAPH_CAPACITY, "Use fewer transforms: merge stages, leave out identities.") \
    X(PAD_NEGATIVE, "To cut elements off, use `slice`.") \
    X(SLICE_RANGE, "Give a range inside of the dimension.") \
    X(XOR_LENGTH, "Pad the dimension to a power of two.") \
    X(STRIDE_COUNT, "Give one stride a length.") \
    X(NEGATIVE_REACH, "Begin at the offset that is named.") \
    X(NO_FACTOR, "Factors are named dimension.number; 0 is the replication, 1 the first dimension.") \
    X(FACTOR_TWICE, "Name each factor in one P or Y.") \
    X(FACTOR_FREE, "Give the factor to a P (threads) or to a Y (elements of a thread).") \
    X(Y_REPLICATES, "Let a P own the replication.") \
    X(DIM_INDEX, "Check the index against the length.") \
    X(X_RANK, "Give both tiles the same rank.") \
    X(SLICE_FACTOR, "Slice at whole factors.") \
    X(UNPACK, "Take a number that divides.") \
    X(SHUFFLE, "Shuffle between distributions that differ in the order of Y only; else store and load.") \
    X(CURVE, "Take an access that divides the length.") \
    X(CURVE_ORDER, "Name each dimension once in the order.") \
    X(UPDATE_SPACE, "Make the view over global memory.") \
    X(LOAD_SPACE, "Load from global into shared memory.") \
    X(UPDATE_TYPE, "Convert first.") \
    X(UPDATE_ATOMIC, "Use a wider element type, or an update that is not atomic.") \
    X(ELEMENT_TYPE, "Read into a variable of the type of the elements, and make a view of that type; where C has none, name it (`tsr_strided(&view, tensor, TSR_BF16)`).") \
    X(WINDOW_RANK, "Give the distribution one dimension for each of the tensor.") \
    X(LANES, "Make the replication a power of two.") \
    X(PLAN_GRAPH, "Nothing to repair: the window runs on its graph, slower.") \
    X(PLAN_FACTOR, "Nothing to repair: the window runs on its graph; tiles that cut the factors evenly are planned.") \
    X(FORMULA_GRAPH, "Give the kernel the descriptor it was compiled for, or compile another.") \
    X(FORMULA_NUMBER, "Give the kernel the number it was compiled for, or leave it open at compile time.") \
    X(FORMULA_MULTIPLE, "Give the kernel a multiple of the number that it was compiled for.") \
    X(FORMULA_CAPACITY, "Make the descriptor simpler.") \
    X(PLAN_CAPACITY, "Nothing to repair: the window runs on its graph.") \
    X(ELEMENTS, "Ask about a smaller layout, or a part of it.") \
    X(NO_MEMORY, "Free memory, or work in parts.") \
    X(NAME, "Names of a link are those of `tsr_make_links`.") \
    X(NAME_TWICE, "Give each dimension of a side its own name.") \
    X(PLAN_PACKED, "Nothing to repair: elements below a byte run on the graph.") \
    X(MAGIC, "Use 31-bit divisors, or divide plainly.") \
    X(VIEW_COMPUTED, "Copy the elements into a tensor of memory first: the copy applies the function.") \
    X(VIEW_MODE, "Flatten the tensor and give the view a mode for each stride. A view with a mode of stride 1 takes tensors that have it; any other view takes any stride.") \
    X(TENSOR_MEMORY, "Take fewer columns, or a pointer to an earlier one. A lane is 65536 columns from the next: for elements of 16 bits that is a stride of 131072.") \
    X(TMEM_ATOM, "Take an atom of sm_100. Other instructions have registers (`mma_layout_c`).") \
    X(TMEM_OPERAND, "Ask for an operand that the instruction has, or take its TS, SPARSE or block-scaled form.") \
    X(TMEM_SHAPE, "Write ((_128,_64),_1,_1): M and N of one CTA, then the tiles. A row of scales is (elements of a scale, scales).") \
    X(TMEM_ROWS, "Take the rows of one CTA: half of M for a pair.") \
    X(TMEM_WIDTH, "Round the extent up to the multiple.") \
    X(TMEM_TYPE, "Take places of 8, 16 or 32 bits that the type divides.") \
    X(TMEM_CTAS, "Give 1 or 2.") \
    X(TMEM_SCALES, "Take 32 or 16 elements of K for a scale, so that an instruction has 1, 2 or 4 a row.") \
    X(TMEM_LAYOUT, "Give a layout as `tmem_c` prints it.") \
    X(TMEM_COPY, "Take an operation of tcgen05.ld, st or cp.") \
    X(TMEM_PLAN, "Take fewer stages, a smaller tile, or fewer instructions along K at once.") \
    X(EINSUM_ORDER, "Pair i makes value `tensors + i`: name it in one of the pairs behind it.") \
    X(MMA_SCALE_D, "Take a power from 0 to 15, or scale in the epilogue.") \
    X(SMEM_ADDRESS, "Align the tile to its swizzle pattern, below the first 256 kB.") \
    X(SMEM_WORD, "Look at the bits of `atom/smem.h`: the word is cut, or of another kind of descriptor.") \
    X(UMMA_FIELD, "Look at the named field. `umma_idesc` gives the word of an atom.") \
    X(UMMA_FLAGS, "Set only the bits that the sentence names; all others follow from the atom.") \
    X(UMMA_ATOM, "Take an atom SM100_MMA_.. or SM103_..; scales are those of MX.. atoms.") \
    X(UMMA_BITS, "The word is the upper half of the 64 bits that CuTe calls idescE.") \
    X(UMMA_KIND, "Take a kind of the list in `atom/umma.h`.") \
    X(SCALES_BLOCK, "Take 128 rows (cuBLAS, tcgen05) or 8 rows (small batches).") \
    X(DIVIDE_ZERO, "Write the 0 of the tiler as a static integer, `_0`.") \
    X(DIVIDE_STRIDE, "Take a tiler with one of the legal strides that are named, or divide mode by mode: `<_4,_2>`.") \
    X(DIVIDE_SHAPE, "Take a tiler of one of the legal extents that are named, or divide mode by mode: `<_4,_2>`.") \
    X(DIVIDE_CARRY, "Coalesce the tiler, or divide mode by mode: `<_4,_2>`.") \
    X(PRODUCT_ZERO, "Write the 0 of the tiler as a static integer, `_0`.") \
    X(PRODUCT_STRIDE, "Take a tiler with one of the legal strides that are named, or a block without holes.") \
    X(PRODUCT_SHAPE, "Take a tiler of one of the legal extents that are named, or a block without holes.") \
    X(PRODUCT_CARRY, "Coalesce the tiler, or take a block without holes.") \
    X(TILES_STRIDE, "Take a tile of one of the sizes that are named, or divide mode by mode, `<_4,_2>`: there a tile may hang over.") \
    X(TILES_SHAPE, "Take tiles as many as one of the legal numbers, or divide mode by mode, `<_4,_2>`: there a tile may hang over.") \
    X(COORD_LEAF, "Write `call(2:1, 0)`: parentheses are modes, so `(0)` has one and the extent 2 none.") \
    X(SWIZZLE_FACTOR, "Recast in two steps through a type of a power of two bits, or leave the swizzle out.") \
    X(MMA_MAJORS, "Take the name that ends in _TN; `tessera ops SM80_16x8x16` lists the atoms of a shape.") \
    X(EINSUM_TENSORS, "Multiply two at a time, or take `tsr_einsum_n`.") \
    X(SMEM_BITS, "Lay out the bytes, `smem_ptr[8b](unset)`, or leave the swizzle out.") \
    X(FACTOR_NAMES, "Give both lists of a P, and of Y, the same length, as CK Tile's sequences have.") \
    X(ACCESS_OUTPUTS, "`composition(left_inverse(MEMORY), THREADS)`, both as `tessera convert` prints them.") \
    X(ACCESS_BLOCKS, "Give the threads and the memory the same CGALayout.") \
    X(ACCESS_MODES, "Join modes: `make_layout` of those of the threads and of those of the values, or a linear map " \
      "from register and lane.") \
    X(LINEAR_NAMESAKE, "Outputs of the map on the right are named as the inputs of the map on the left, and parts of maps " \
      "as those of the whole.") \
    X(LINEAR_ORDER, "`select_ins` and `select_outs` change the order.")
/* clang-format on */

#endif

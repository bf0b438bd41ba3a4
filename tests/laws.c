/** The laws of the algebra, tried on random inputs.
 *
 *  usage: laws [SEED [PERCENT [LAW]]]. The same seed gives the same cases; PERCENT scales their number; LAW runs one,
 *  -LAW all but one.
 *
 *  Each law draws its inputs, calls the operations, and compares their results with an evaluator of its own
 *  (laws/model.inc). A case whose operation refuses its input counts as refused; a law that refuses nearly all of its
 *  cases has shown nothing, and fails.
 */
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "sanitizer.h"
#include "unsaid.h"
#include "tessera/atoms.h"
#include "exec/compute/convert.h"
#include "tessera/exec/tma.h"
#include "ops/ops.h"
#include "tessera/text.h"
#include "tessera/tile.h"

#define LAW(fn) tsr_##fn

/* All cases are tried once, as C, where the operations are the library's. Compiled as C++ a quarter of them shows the
 * same, of random cases and of atoms. */
#if HAS_SANITIZER
enum { ONE_IN = 12 };
#elif defined(__cplusplus)
enum { ONE_IN = 4 };
#else
enum { ONE_IN = 1 };
#endif

#include "laws/harness.inc"

#include "laws/random.inc"

#include "laws/model.inc"

#include "laws/core/offsets.inc"

#include "laws/core/evaluate.inc"
#include "laws/core/coordinates.inc"
#include "laws/core/structure.inc"
#include "laws/core/arithmetic.inc"
#include "laws/core/coalesce.inc"
#include "laws/core/composition.inc"
#include "laws/core/inverse.inc"
#include "laws/core/divide.inc"
#include "laws/core/product.inc"
#include "laws/core/slice.inc"
#include "laws/core/query.inc"
#include "laws/core/swizzle.inc"
#include "laws/core/recast.inc"
#include "laws/tensor/tensor.inc"
#include "laws/tensor/memory.inc"
#include "laws/exec/algorithm.inc"
#include "laws/tensor/view.inc"
#include "laws/exec/plan.inc"
#include "laws/core/verdict.inc"
#include "laws/core/basis.inc"
#include "laws/core/sum.inc"
#include "laws/atom/atom.inc"
#include "laws/atom/tiled.inc"
#include "laws/atom/gmma.inc"
#include "laws/atom/tmem.inc"
#include "laws/atom/umma.inc"
#include "laws/atom/fragment.inc"
#include "laws/core/swizzle_search.inc"
#include "laws/tile/tile.inc"
#include "laws/tile/tile_distribution.inc"
#include "laws/tile/tile_operations.inc"
#include "laws/tile/tile_elements.inc"
#include "laws/tile/tile_formula.inc"
#include "laws/core/independence.inc"
#include "laws/core/hollow.inc"
#include "laws/errors.inc"
#include "laws/status.inc"

/* clang-format off */
#define LAW_LIST(X) \
    X(evaluate, 40000, "tsr_at, layout_at and the model agree") \
    X(evaluate_by_mode, 30000, "one integer a mode, beyond the mode as well") \
    X(evaluate_misfit, 20000, "coordinates of another profile are refused by both paths") \
    X(measure, 20000, "size, cosize, rank, depth, get") \
    X(make, 10000, "compact layouts number their coordinates") \
    X(make_like, 10000, "make_layout_like is compact and keeps the order of strides") \
    X(identity, 20000, "the identity layout gives every coordinate back") \
    X(crd2idx, 30000, "the index of a coordinate is the sum of coordinate times stride") \
    X(idx2crd, 30000, "idx2crd and crd2idx invert each other") \
    X(crd2crd, 20000, "a coordinate of one shape into another keeps its index") \
    X(increment, 5000, "increment visits every coordinate once, in order") \
    X(inverse_coordinates, 20000, "L(get_coord(L, x)) = x for a compact L") \
    X(add, 20000, "coordinates add leaf by leaf") \
    X(flatten, 20000, "unflatten(flatten(t), t) = t") \
    X(modes, 10000, "append, prepend, insert, replace, remove, take undo each other") \
    X(select_groups, 10000, "select with lists of modes is select and group") \
    X(group, 20000, "group makes one mode of a range and keeps the leaves") \
    X(zip, 10000, "zip transposes; zip(zip(t)) = t") \
    X(zip_layouts, 10000, "mode (i,k) of zipped layouts is mode i of layout k") \
    X(layout_modes, 10000, "moving the modes of a layout keeps its function") \
    X(predicates, 40000, "congruent, compatible and the weak ones by their definitions") \
    X(reductions, 20000, "product, sum, min, max, gcd over the leaves") \
    X(shape_division, 20000, "ceil_div, shape_div, round_up, elem_scale leaf by leaf") \
    X(evenly_divides, 20000, "evenly_divides by its definition") \
    X(orders, 40000, "lexicographic, colexicographic and element-wise orders") \
    X(shifts, 20000, "integers are shifted by 0 to 62 bits, and by no others") \
    X(mixed_bits, 40000, "operations on partly static bits are those on their numbers") \
    X(coalesce, 30000, "coalesce and coalesce_x keep the function") \
    X(coalesce_by, 20000, "coalesce by profile keeps each mode") \
    X(filter, 20000, "filter keeps the offsets") \
    X(coalesce_shape, 20000, "coalesce of a shape keeps its size") \
    X(complement, 30000, "complement is ordered, disjoint, and reaches the cotarget") \
    X(complement_shape, 20000, "the same up to a shape") \
    X(complement_cosize, 20000, "the same up to the layout's own cosize") \
    X(complement_accepts, 20000, "complement accepts what its condition allows") \
    X(composition, 60000, "R(c) = A(B(c)); refusals are right") \
    X(composition_swizzled, 30000, "R(c) = A(B(c)) for a swizzled A") \
    X(composition_swizzle_inside, 20000, "R(c) = A(B(c)) for a swizzled B") \
    X(composition_by_mode, 30000, "a tuple acts mode by mode") \
    X(composition_identity, 20000, "the identity layout is neutral") \
    X(with_shape, 20000, "the same function in another shape") \
    X(right_inverse, 30000, "L(R(i)) = i") \
    X(right_inverse_swizzled, 20000, "L(R(i)) = i for a swizzled L") \
    X(right_inverse_compact, 10000, "a compact layout is inverted as a whole") \
    X(left_inverse, 30000, "R(L(i)) = i for an injective L") \
    X(left_inverse_swizzled, 20000, "R(L(i)) = i for a swizzled L") \
    X(nullspace, 20000, "L(R(i)) = 0, each coordinate once") \
    X(max_common, 30000, "a(R(i)) = a(R(0)) + i, and so of b") \
    X(max_common_vector, 20000, "as many elements are contiguous in both") \
    X(domain_distribute, 20000, "the parts count no more than asked for, inside the shape") \
    X(divide, 30000, "logical_divide(L, T) = L o (T, complement(T)); no element is lost") \
    X(divide_arranged, 20000, "zipped, tiled and flat hold the same offsets, mode 0 the tile") \
    X(divide_wild, 5000, "`_` keeps a mode") \
    X(divide_even, 20000, "an even division permutes the elements") \
    X(tensor_slice, 40000, "slice(T, c) at the free coordinates is T at the whole coordinate") \
    X(tensor_cover, 40000, "tiles, and threads' parts, cover a tensor once") \
    X(tensor_zip, 10000, "part i of op(zip) is op of part i") \
    X(coordinates_first, 40000, "strides applied to partitioned coordinates give the partitioned tensor") \
    X(numbers, 100000, "a pattern comes back, a real becomes the nearest number of a type") \
    X(access, 50000, "an element is read and written, and nothing else") \
    X(reference, 50000, "tsr_ref is a pointer expression") \
    X(pointer, 20000, "an engine that is tagged again keeps the rest") \
    X(walk, 30000, "a walk visits the offsets in order") \
    X(strided, 30000, "tsr_el is the element; a view is refused where a mode has no one stride, and nowhere else") \
    X(each, 20000, "tsr_next goes from element to element, behind every swizzle") \
    X(view_refusals, 1, "what views refuse says what and why") \
    X(copy, 100000, "d(i) = s(i), in any types") \
    X(copy_back, 40000, "copy, then copy back: nothing has changed") \
    X(vector, 20000, "what a vectorized copy moves together lies side by side, aligned") \
    X(bounds_far, 2000, "a pointer far outside touches nothing") \
    X(bounds, 20000, "a part touches the memory of its tensor and no other") \
    X(clip, 2000, "clipped tiles hold every element once") \
    X(swizzled_pointer, 20000, "an element behind a swizzled pointer is where its layout of elements says") \
    X(copy_if, 20000, "elements inside the bound are copied, others stay") \
    X(plan, 20000, "a plan, run in parts, leaves the memory of a copy element by element") \
    X(plan_large, 40, "the same of many elements") \
    X(plan_if, 20000, "the same of the elements of a predicate") \
    X(convert, 20000, "many numbers side by side become what each becomes alone") \
    X(plan_text, 1, "which plan is made, and how it reads") \
    X(algorithms, 20000, "fill, transform, reduce and axpby, element by element") \
    X(gemm, 20000, "C + A * B by three loops, for every combination of ranks") \
    X(span, 30000, "the least and the greatest offset are reached") \
    X(span_large, 2000, "so they are behind swizzles of large blocks, or lie further out by a block") \
    X(disjoint, 30000, "two tensors share memory or they do not") \
    X(edges, 20000, "the valid boxes of all tiles hold every element once") \
    X(refusals, 1, "bad memory, types and coordinates are refused in words") \
    X(product, 20000, "logical_product(L, T) = (L, complement(L) o T)") \
    X(product_by_mode, 10000, "a tuple acts mode by mode") \
    X(product_interleaved, 20000, "blocked and raked products permute logical_product") \
    X(tile_to_shape, 20000, "the block repeated up to the target") \
    X(fragment, 20000, "make_fragment_like keeps the shape and is compact") \
    X(slice, 40000, "slice + offset = L at the completed coordinate; dice is the rest") \
    X(slice_swizzled, 30000, "the same for a swizzled layout") \
    X(slice_swizzled_offset, 20000, "the same for one with an offset") \
    X(domain_offset, 20000, "the layout seen from a coordinate on") \
    X(to_mixed_bits, 20000, "the bits of a coordinate are its offset") \
    X(swizzle, 40000, "Sw(Sw(x)) = x, and the bits are those of the definition") \
    X(swizzle_masks, 10000, "the swizzle of its masks is itself") \
    X(swizzle_composition, 10000, "two swizzles of the same shift as one") \
    X(composed, 20000, "Sw o offset o L is Sw(offset + L(c))") \
    X(swizzle_moved, 20000, "A o Sw with the swizzle in front is the same function") \
    X(downcast, 20000, "one element becomes n; upcast undoes it") \
    X(upcast, 20000, "n elements become one") \
    X(upcast_swizzled, 20000, "n elements become one behind a swizzle") \
    X(recast, 10000, "a tensor of other elements has the same bits") \
    X(swizzle_recast, 20000, "the swizzle of larger and of smaller elements") \
    X(max_alignment, 10000, "upcast by the alignment splits no element") \
    X(verdict_same_function, 20000, "same_function is right, and its counterexample the first") \
    X(verdict_injective, 20000, "is_injective and its kin are what enumeration finds") \
    X(verdict_admissible, 10000, "an operation is admissible when it is valid") \
    X(int32_extent, 20000, "the first element whose offset leaves 32 bits") \
    X(basis_composition, 30000, "A o B and its fit give the coordinates A(B(c))") \
    X(basis_append, 30000, "coordinates and integers put together add up; a swizzle stands in front of neither") \
    X(basis_same_function, 20000, "coordinates differ where a number along any unit does") \
    X(basis_verdicts, 20000, "verdicts on coordinates are what enumeration finds") \
    X(basis_right_inverse, 20000, "L(R(x,y)) = (x,y), a mode of R for each of the values") \
    X(basis_left_inverse, 20000, "L(R(L(i))) = L(i) of coordinates") \
    X(basis_recast, 20000, "coordinates are recast along their first basis element") \
    X(basis_int32_extent, 20000, "the first coordinate of which a number leaves 32 bits") \
    X(layout_add, 100000, "R(c) = A(c) + B(c); where it is refused there is no such layout") \
    X(layout_add_basis, 20000, "coordinates add along each basis element") \
    X(layout_add_swizzled, 5000, "swizzled offsets add") \
    X(common_refinement, 100000, "the cuts of both shapes and no others, in the profile of the first") \
    X(fit_offset, 30000, "values that begin below 0 are fitted") \
    X(named, 2000, "named expressions are what they are") \
    X(tile_move, 100000, "a coordinate moved is the coordinate made anew") \
    X(tile_run, 100000, "a run is its steps, one by one") \
    X(tile_sizes, 1, "descriptors are at most 2 kB, views and windows 4") \
    X(tile_fold, 100000, "layout and guards give what the graph gives") \
    X(tile_fold_trial, 10000, "a descriptor folds when its offsets are a layout") \
    X(tile_fold_swizzle, 500, "the same behind a swizzle") \
    X(tile_formula, 100000, "the formula of a descriptor is the graph, and decides nothing by unknown numbers") \
    X(tile_formula_window, 20000, "the formula of a window is the graph, with the shifts of Ys; vectors are whole") \
    X(tile_variation, 1, "a descriptor that was not compiled is refused") \
    X(tile_plan_view, 20000, "a planned view moves what the graph has") \
    X(tile_unfold, 20000, "fold(unfold(L)) is L") \
    X(tile_vectors, 100000, "vectors that are sure are contiguous and aligned") \
    X(tile_distribution, 10000, "every element of a tile is owned, and the thread-value layout agrees") \
    X(tile_encoding_of, 5000, "an encoding by CK Tile's six lists is the same encoding") \
    X(tile_slice, 10000, "the slice of a tile holds the elements of the tile") \
    X(tile_slice_tile, 10000, "a slice written back changes nothing; other elements stay") \
    X(tile_reduce, 10000, "reducing keeps the X that are left") \
    X(tile_embed, 10000, "a tile in a tile") \
    X(tile_sweep, 10000, "sweeps visit, shuffles permute, each element once") \
    X(tile_curve, 10000, "curves visit each access once, snakes by single steps") \
    X(tile_window, 20000, "windows load, store and move element by element") \
    X(tile_plan, 10000, "a planned tile moves what the graph names, of one thread and of all") \
    X(tile_elementwise, 5000, "a function meets each element once, in any order of Y") \
    X(tile_cast, 5000, "integers survive the types that hold them") \
    X(tile_lanes, 5000, "after all exchanges every lane has the whole sum") \
    X(tile_async, 2000, "a load into shared memory is a load and a store") \
    X(tile_elements, 20000, "elements of every type are read and written, packed or whole, and no others") \
    X(tile_element_windows, 5000, "tiles of every element type are loaded and stored") \
    X(variables, 2000, "a variable takes elements of its type, or their bits") \
    X(vectors, 2000, "several elements go into as many variables, or into one that holds just them") \
    X(updates, 20000, "memory is updated with one rounding, of every type that has the arithmetic") \
    X(cas_in_word, 2000, "a compare and swap of half a word leaves the other half") \
    X(links, 5000, "links by name are those by place") \
    X(view_makers, 5000, "views in one line are those of the long way") \
    X(element_words, 1, "messages name element types in words") \
    X(tile_view, 40000, "vectors are their elements, views of views the same memory") \
    X(magic_division, 40000, "magic division divides") \
    X(independence, 20000, "static and dynamic integers denote the same function") \
    X(independence_extents, 10000, "dynamic extents with static strides, too") \
    X(stride_of_one, 20000, "the stride of one element may be as large as integers are") \
    X(hollow_evaluate, 20000, "coordinates find the same beside (), beyond the modes, too") \
    X(hollow, 4000, "modes () change no function") \
    X(hollow_whole, 1000, "() alone is one element, an order of nothing, a tiler of no modes") \
    X(hollow_inside, 1000, "what is inside of a shape with modes () is moved, and nothing else") \
    X(independence_integers, 10000, "every operation on integers gives the same number") \
    X(errors, 60000, "an invalid input comes back unchanged from every operation") \
    X(errors_first, 30000, "the first one, when there are several") \
    X(errors_in_makers, 2000, "and from the makers of tuples and tilers") \
    X(provoked, 2000, "each expression fails with its own sentence") \
    X(mma_atoms, 1, "every MMA atom covers A and B, C once, and multiplies") \
    X(copy_atoms, 1, "every copy atom moves each element to the place of its number") \
    X(atom_names, 1, "the name of an atom denotes it; another word does not") \
    X(gmma_tile, 4000, "descriptors of a tile read the elements that its layout puts there") \
    X(tmem, 400, "an operand in tensor memory has a place for each element, where the hardware looks for it") \
    X(tmem_plan, 4000, "operands in tensor memory lie one behind another, aligned, in the least allocation") \
    X(umma_words, 1, "the instruction descriptor of every atom is one of its kind, and has its fields") \
    X(umma_fields, 4000, "the fields of an instruction descriptor give it again") \
    X(smem_desc, 2000, "the bits of a descriptor lead to the elements that the layout puts there") \
    X(umma_tile, 100, "a tile as an operand of tcgen05.mma has the descriptor of its block") \
    X(scales, 300, "scales in tiles are where the layout puts them, padded with 0, and come back") \
    X(fragment_rows, 1, "registers of a row have it in common, each register is in one; of every atom") \
    X(widened_fragment, 20, "quads exchange: four registers are neighbours, of the same quad") \
    X(same_partition, 20000, "the same elements in the same order, or the first thread and value that differ") \
    X(tiled_mma, 80, "partitions cover C once and hold what its products need") \
    X(tiled_copy, 100, "source and destination are covered, and correspond value by value") \
    X(tiled_copies, 1, "the tiled copy of every copy atom, of values of 8 to 64 bits, is valid and moves what it names") \
    X(retile, 200, "registers seen by the copy are those of the MMA") \
    X(cotiled_copy, 200, "a copy of named memory holds that memory") \
    X(banks, 2000, "the rounds of an access are 2^(rank of words - rank of banks)") \
    X(find_swizzle, 200, "the swizzle found serves, and none of fewer bits does") \
    X(sectors, 20000, "sectors and lines of global memory are those of the bytes touched") \
    X(hardware_swizzles, 1, "the modes of the hardware are found on their tiles") \
    X(swizzle_search, 60, "what is found serves, and of all swizzles none of fewer bits does") \
    X(swizzle_order, 60, "the first that serves, of all bits, bases, shifts and signs, for up to eight accesses") \
    X(tuple_cat, 10000, "tuple_cat holds the modes of all, in order") \
    X(subtract, 20000, "a - b is a + (-b), and (a - b) + b is a") \
    X(layout_predicates, 20000, "predicates of layouts are those of their shapes") \
    X(layout_evenly_divides, 20000, "evenly_divides only where the divided layout is as large") \
    X(is_static, 10000, "static where every leaf is") \
    X(leading_dim, 20000, "the first stride 1 of more than one element") \
    X(leading_dim_deep, 1000, "the same in the deepest tuples") \
    X(assume, 5000, "assume is the identity or refuses") \
    X(tensor_forms, 20000, "the form of a tensor is that of its layout") \
    X(tensor_common, 30000, "what tensors have in common lies side by side in both") \
    X(tensor_memory, 2000, "a tensor in tensor memory lies inside of 128 lanes of 512 columns, or is refused") \
    X(basis_bounds, 200, "a tile has bounds where its tensor had a basis element as the stride of one element") \
    X(tensor_like, 20000, "size_in_bytes hold a tensor like another one") \
    X(layout_tv, 10000, "the values of a thread are side by side, the threads around them") \
    X(every_status, 1, "every status can be provoked") \
    X(verdict_large, 10000, "modes that step over each other are injective, however large") \
    X(wide_access, 10000, "an access is refused where it would begin elsewhere") \
    X(tensor_memory_below, 2000, "columns below the first one are refused") \
    X(tiler_dice, 2000, "a projection keeps the modes of a tiler that it names") \
    X(by_tuple, 2000, "a tuple as a tiler is the tiler of its modes") \
    X(recast_inside, 5000, "elements of whole bytes do not begin inside of one")
/* clang-format on */

static law laws[] = {
#define X(name, cases, says) {#name, says, law_##name, cases, 0, 0, 0},
    LAW_LIST(X)
#undef X
};

enum { LAWS = sizeof laws / sizeof laws[0] };

/** Runs the cases of one law. Fewer than one in fifty that is not refused shows nothing. */
static void run(law *of, uint64_t seed, int64_t percent, uint64_t salt)
{
    int64_t const cases = tsr_max64(of->cases * percent / 100 / ONE_IN, 1);
    for (int64_t i = 0; i < cases; ++i) {
        begin_case(of, seed, i, salt);
        of->body();
        of->failed += now.failed;
        of->passed += !now.failed;
        of->refused += !now.failed && now.refused;
    }
    if (cases >= 100 && (of->passed - of->refused) * 50 < cases && of->failed == 0)
        wrong("enough cases that are not refused", "too few", "at least one in fifty"), ++of->failed;
    printf("%-28s %7lld passed, %lld failed", of->name, (long long)of->passed, (long long)of->failed);
    if (of->refused > 0)
        printf(" (of those passed, %lld were refused)", (long long)of->refused);
    printf("\n");
}

int main(int argc, char **argv)
{
    uint64_t const seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    int64_t const percent = argc > 2 ? strtoll(argv[2], NULL, 10) : 100;
    int64_t passed = 0, failed = 0;
    printf("seed %llu\n", (unsigned long long)seed);
    for (int i = 0; i < LAWS; ++i) {
        bool const but = argc > 3 && *argv[3] == '-';
        if (argc > 3 && (strcmp(argv[3] + but, laws[i].name) == 0) == but)
            continue;
        run(&laws[i], seed, percent, (uint64_t)i);
        passed += laws[i].passed;
        failed += laws[i].failed;
    }
    printf("%lld passed, %lld failed, of %d laws; seed %llu\n", (long long)passed, (long long)failed, LAWS,
           (unsigned long long)seed);
    return failed > 0 || passed == 0;
}

#compdef tessera
_tessera() {
    local -a commands operations
    commands=(
        'eval:evaluates expressions; with -, one a line from standard input. With --given sizes may be names, as in (M,K):(K,1), and the result is an expression with the guards under which it holds'
        'explain:explains the steps of an expression, their laws, and what is true of the result'
        'show:draws a layout, tensor, atom, operation, swizzle, TMA copy or tile: as text, or into a file. Of a .npy, .npz, .safetensors or .gguf file it says what is in it'
        'diff:draws two layouts, and says where they differ'
        'relayout:moves the elements of an array (.npy), or of tensors (.safetensors, .gguf, .npz), into a new file. It slices, then reshapes, then permutes, then tiles or lays out, and converts. Files may be larger than the memory. With - an array is read from standard input, or written to standard output'
        'reshard:moves a checkpoint of .safetensors or .npy files from the ranks of one mesh to those of another. A spec says which rank holds what of each tensor: it is the name of a preset or of a file, and sizes of the mesh, as '\''vllm tp:8'\''. The default is a whole model, hf. It plans first, lists what is missing, twice or unequal, and writes nothing then. A run that was ended goes on when it is started again'
        'tma:describes a TMA copy or a tensor map, and the rules of the hardware that it breaks'
        'swizzle:counts the bank conflicts of a tile of shared memory, and finds the smallest swizzle that serves all accesses. A shape alone is a row-major tile'
        'fit:finds what explains samples: a layout, a layout behind a swizzle, a linear map, a sum of two layouts, or a descriptor. Of the simpler ones it says which sample breaks them. A file has the offset of each coordinate of SHAPE, the first mode fastest, or lines (3,1) -> 17. A formula is one of C, with a RANGE i=0..63 for each variable'
        'infer:finds the fragments of a tile program, of which some are given: registers, lanes and warps of each value, and the moves between threads, as few as can be'
        'dist:says which rank holds what of a distributed tensor: scalapack(..), dtensor(..), xla(..), hpf(..), darray(..), intervals(..), or a layout with strides on _1@0 (ranks) and _1@1 (offsets). With --plan it says who sends what to whom, from one to the other'
        'convert:reads a layout of another system, or an expression, and writes it in the words of a system: triton, ttg, gluon, cute, cutedsl, ck, numpy, ggml, onednn, mdspan, isl, tilelang, mpi or ttg_named (encodings of Triton by name); without --to as an expression. With - it reads standard input'
        'emit:writes the index function of a layout as code that needs nothing else: c, cuda, hip, python, triton or cute. Of two layouts it writes a copy from the first to the second'
        'run:evaluates a script; `show`, `explain`, `tma` or `static` may stand before a line, ! before one that must fail'
        'ops:lists the operations: what they take and give. With words, those of that name, or with the word in their name or description, each with an example'
        'reference:prints the operations as Markdown, each with an example'
        'gallery:writes FOLDER/gallery.md and its pictures: every operation, atoms, slices, swizzles, tiles'
        'man:prints the manual page for man(1)'
        'completion:prints a script that completes commands, options and operations in a shell'
        'help:prints this text, or the help of one command'
        'version:prints the version'
    )
    operations=(iadd isub imul idiv imod iand ior ixor ishl ishr ilt ile igt ige ieq ine land lor ineg inot abs signum lcm safe_div shiftl shiftr make_mixed_bits to_mixed_bits assume rank depth size get shape take select flatten flatten_to_tuple unflatten wrap unwrap group append prepend insert remove replace replace_front replace_back repeat repeat_like reverse front back zip zip2_by product product_each product_like prefix_product sum inner_product min max gcd ceil_div round_up shape_div elem_scale filter_zeros coalesce add as_arithmetic_tuple make_basis_like basis_value basis_get equal congruent weakly_congruent compatible weakly_compatible evenly_divides lex_less lex_leq lex_gtr lex_geq colex_less colex_leq colex_gtr colex_geq elem_less elem_leq elem_gtr elem_geq crd2idx idx2crd crd2crd increment compact_col_major compact_row_major compact_order slice dice tuple_cat is_static is_major leading_dim make_layout make_ordered_layout make_layout_like make_fragment_like make_identity_layout make_composed_layout call stride coprofile coshape cosize layout transpose coalesce_x filter composition compose layout_add common_refinement with_shape complement right_inverse left_inverse nullspace max_common_layout max_common_vector max_alignment domain_distribute logical_divide zipped_divide tiled_divide tile flat_divide tile_unzip logical_product zipped_product tiled_product flat_product blocked_product raked_product tile_to_shape slice_and_offset domain_offset get_hier_coord get_flat_coord get_1d_coord upcast downcast recast_layout fit composition_fit swizzle make_swizzle make_swizzle_masks linear linear_tv linear_sum xor_sum direct_product divide_left divide_right concat_ins concat_outs select_ins select_outs flatten_ins flatten_outs same_function is_injective is_surjective is_bijective broadcast_bits pseudo_inverse largest_vector access_vector bank_conflicts optimal_swizzle along is_compact is_contiguous is_tractable composition_admissible complement_admissible divide_admissible int32_extent counting_iter ArithTuple make_inttuple_iter gmem smem rmem raw tmem make_tensor make_counting_tensor make_identity_tensor layout_of recast tensor cast_iter span tile_count full_tiles edge_tile valid_box clipped_tile group_modes inner_partition outer_partition local_tile local_partition make_tensor_like size_in_bytes mma_shape mma_thr_id mma_layout_a mma_layout_b mma_layout_c mma_layout_sfa mma_layout_sfb mma_layout_e copy_thr_id copy_layout_src copy_layout_dst copy_layout_ref gmma_desc gmma_desc_a gmma_desc_b global_sectors find_swizzle find_padding make_tiled_mma tile_shape thr_size get_thr_layout_vmnk permutation_mnk thr_vmnk thrfrg_A thrfrg_B thrfrg_C thread_values_a thread_values_b thread_values_c get_layoutA_TV get_layoutB_TV get_layoutC_TV partition_A partition_B partition_C partition_shape_A partition_shape_B partition_shape_C partition_fragment_A partition_fragment_B partition_fragment_C make_tiled_copy make_tiled_copy_impl make_tiled_copy_A make_tiled_copy_B make_tiled_copy_C make_tiled_copy_C_atom make_tiled_copy_S make_tiled_copy_D make_cotiled_copy tiled_layout_tv tiler_mn tidfrg_S tidfrg_D get_layoutS_TV get_layoutD_TV partition_S partition_D retile make_layout_tv same_partition reduced_fragment reduced_value widened_fragment make_tiled_copy_tv as_position_independent_swizzle_layout make_tma_copy make_im2col_tma_copy fprop_pixels fprop_taps dgrad_pixels dgrad_taps tma_coordinate tma_desc get_tma_tensor tma_partition create_tma_multicast_mask tma_tiled tma_im2col tma_lint tma_lint_smem umma_idesc umma_decode umma_fields umma_word smem_desc smem_desc_fields smem_desc_steps scales_block scales_layout scales_smem sparse_e_block sparse_e_layout sparse_a_layout tmem_c tmem_a tmem_e tmem_sfa tmem_sfb tmem_frg tmem_frg_ts tmem_frg_ws tmem_e_frg tmem_e_frg_ws tmem_sf_frg tmem_sf_frg_2x2 tmem_address tmem_extent tmem_plan copy_val_id make_tmem_copy make_utccp_copy pass pad pad_skip lpad rpad embed merge merge_mod unmerge freeze replicate modulo xor offset indexing uplens always_valid lower update magic mdiv naive packed aligned naive_off transform_tensor_descriptor lengths nhidden hidden walk vec fold foldswz make_tensor_view update2 ndims xlens ylens dsize x d rs spans yspan p_over_r p_owns_r tvlayout reduce shuffle sweep reducetile lanes reducelanes sfc sfcsteps make_tile_window wintraits plan load loadmoved storeall distributed view describe to_layout to_scalapack to_dtensor to_xla to_hpf to_darray to_intervals ranks copies addends part holder held redistribute sent traffic lower_bound)
    if (( CURRENT == 2 )); then
        _describe command commands
        compadd -- --static --color --help --version
        return
    fi
    case $words[2]:$words[CURRENT-1] in
    *:--color) compadd auto always never ;;
    eval:--given) compadd  ;;
    eval:*) compadd -- --static --color --help --given ; compadd -a operations ;;
    explain:*) compadd -- --static --color --help ; compadd -a operations ;;
    show:-o) _files ;;
    show:--as) compadd cute ascii unicode svg tex html json ppm png ;;
    show:--thread) compadd  ;;
    show:--panel) compadd  ;;
    show:--width) compadd  ;;
    show:--colors) compadd  ;;
    show:--type) compadd bool i2 i4 i6 i8 i16 i32 i64 u1 u2 u4 u6 u8 u16 u32 u64 u128 f16 f32 f64 bf16 c64 c128 f8_e3m4 f8_e4m3 f8_e4m3b11fnuz f8_e4m3fn f8_e4m3fnuz f8_e5m2 f8_e5m2fnuz f8_e8m0fnu f6_e2m3fn f6_e3m2fn f4_e2m1fn tf32 ue4m3 ;;
    show:*) compadd -- --static --color --help -o --as --coord --index --offset --bank --thread --panel --alone --cute --width --colors --type ; compadd -a operations; _files ;;
    diff:-o) _files ;;
    diff:--as) compadd cute ascii unicode svg tex html json ppm png ;;
    diff:--width) compadd  ;;
    diff:--colors) compadd  ;;
    diff:*) compadd -- --static --color --help -o --as --width --colors ; compadd -a operations ;;
    relayout:--slice) compadd  ;;
    relayout:--reshape) compadd  ;;
    relayout:--permute) compadd  ;;
    relayout:--tile) compadd  ;;
    relayout:--layout) compadd  ;;
    relayout:--cast) compadd bool i2 i4 i6 i8 i16 i32 i64 u1 u2 u4 u6 u8 u16 u32 u64 u128 f16 f32 f64 bf16 c64 c128 f8_e3m4 f8_e4m3 f8_e4m3b11fnuz f8_e4m3fn f8_e4m3fnuz f8_e5m2 f8_e5m2fnuz f8_e8m0fnu f6_e2m3fn f6_e3m2fn f4_e2m1fn tf32 ue4m3 ;;
    relayout:--type) compadd bool i2 i4 i6 i8 i16 i32 i64 u1 u2 u4 u6 u8 u16 u32 u64 u128 f16 f32 f64 bf16 c64 c128 f8_e3m4 f8_e4m3 f8_e4m3b11fnuz f8_e4m3fn f8_e4m3fnuz f8_e5m2 f8_e5m2fnuz f8_e8m0fnu f6_e2m3fn f6_e3m2fn f4_e2m1fn tf32 ue4m3 ;;
    relayout:--tensor) compadd  ;;
    relayout:--memory) compadd  ;;
    relayout:--from) compadd  ;;
    relayout:--dist) compadd  ;;
    relayout:--rank) compadd  ;;
    relayout:*) compadd -- --static --color --help --slice --reshape --permute --tile --layout --cast --type --tensor --only --memory --plan --verify --progress --from --dist --rank ; _files ;;
    reshard:--from) compadd  ;;
    reshard:--to) compadd  ;;
    reshard:--cast) compadd  ;;
    reshard:--memory) compadd  ;;
    reshard:--shard-size) compadd  ;;
    reshard:--replicas) compadd  ;;
    reshard:--print-preset) compadd  ;;
    reshard:*) compadd -- --static --color --help --from --to --cast --memory --shard-size --replicas --dry-run --verify --progress --print-preset  ;;
    tma:*) compadd -- --static --color --help ; compadd -a operations ;;
    swizzle:--type) compadd bool i2 i4 i6 i8 i16 i32 i64 u1 u2 u4 u6 u8 u16 u32 u64 u128 f16 f32 f64 bf16 c64 c128 f8_e3m4 f8_e4m3 f8_e4m3b11fnuz f8_e4m3fn f8_e4m3fnuz f8_e5m2 f8_e5m2fnuz f8_e8m0fnu f6_e2m3fn f6_e3m2fn f4_e2m1fn tf32 ue4m3 ;;
    swizzle:--access) compadd ldmatrix ldmatrix_t stmatrix row128 column tma mfma16 mfma32 ;;
    swizzle:--banks) compadd nvidia gfx90a gfx942 gfx950 gfx10 gfx11 gfx12 ;;
    swizzle:*) compadd -- --static --color --help --type --access --banks --padding ; compadd -a operations ;;
    fit:--to) compadd  ;;
    fit:*) compadd -- --static --color --help --to ; _files ;;
    infer:*) compadd -- --static --color --help ; _files ;;
    dist:--rank) compadd  ;;
    dist:--host) compadd  ;;
    dist:--type) compadd bool i2 i4 i6 i8 i16 i32 i64 u1 u2 u4 u6 u8 u16 u32 u64 u128 f16 f32 f64 bf16 c64 c128 f8_e3m4 f8_e4m3 f8_e4m3b11fnuz f8_e4m3fn f8_e4m3fnuz f8_e5m2 f8_e5m2fnuz f8_e8m0fnu f6_e2m3fn f6_e3m2fn f4_e2m1fn tf32 ue4m3 ;;
    dist:--latency) compadd  ;;
    dist:--bandwidth) compadd  ;;
    dist:*) compadd -- --static --color --help --plan --verify --rank --host --type --latency --bandwidth  ;;
    convert:--to) compadd  ;;
    convert:--shape) compadd  ;;
    convert:--type) compadd bool i2 i4 i6 i8 i16 i32 i64 u1 u2 u4 u6 u8 u16 u32 u64 u128 f16 f32 f64 bf16 c64 c128 f8_e3m4 f8_e4m3 f8_e4m3b11fnuz f8_e4m3fn f8_e4m3fnuz f8_e5m2 f8_e5m2fnuz f8_e8m0fnu f6_e2m3fn f6_e3m2fn f4_e2m1fn tf32 ue4m3 ;;
    convert:*) compadd -- --static --color --help --to --shape --type  ;;
    emit:--shape) compadd  ;;
    emit:--type) compadd bool i2 i4 i6 i8 i16 i32 i64 u1 u2 u4 u6 u8 u16 u32 u64 u128 f16 f32 f64 bf16 c64 c128 f8_e3m4 f8_e4m3 f8_e4m3b11fnuz f8_e4m3fn f8_e4m3fnuz f8_e5m2 f8_e5m2fnuz f8_e8m0fnu f6_e2m3fn f6_e3m2fn f4_e2m1fn tf32 ue4m3 ;;
    emit:--given) compadd  ;;
    emit:*) compadd -- --static --color --help --shape --type --given  ;;
    run:*) compadd -- --static --color --help ; _files ;;
    ops:*) compadd -- --static --color --help ; compadd -a operations ;;
    reference:*) compadd -- --static --color --help  ;;
    gallery:*) compadd -- --static --color --help ; _files ;;
    man:*) compadd -- --static --color --help  ;;
    completion:*) compadd -- --static --color --help bash zsh fish ;;
    help:*) compadd -- --static --color --help ; _describe command commands ;;
    version:*) compadd -- --static --color --help  ;;
    esac
}
compdef _tessera tessera

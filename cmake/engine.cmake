# How the files of src/exec are compiled: the loops that move elements become vector loops, all rows round alike, and each
# file of kernels of products is compiled for the instructions that its rows need; where the compiler has not all of them,
# its table is empty.

include(CheckCCompilerFlag)

set(optimized "$<$<NOT:$<CONFIG:Debug>>:-O3>")
set(reducing compute/reduce_avx512 compute/reduce_avx2 compute/reduce_vector compute/out_of_line)
set(rows move/avx512 move/avx2 move/vector compute/by_loops compute/combine compute/combine_avx512 compute/combine_avx2 compute/update_avx512 compute/update_avx2 compute/update_vector compute/reduce_avx512 compute/reduce_avx2 compute/reduce_vector)
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    foreach(name IN ITEMS engine engine_loops move/small move/rows move/tiles compute/transform compute/out_of_line compute/reduce
            compute/reduce_blocks compute/convert_lines compute/convert_by_row compute/look_up ${rows})
        set_source_files_properties(${PROJECT_SOURCE_DIR}/src/exec/${name}.c PROPERTIES
            COMPILE_OPTIONS "-ffp-contract=off;${optimized}")
    endforeach()
    # Element by element, or vectors written out: -O3 does not make it faster, and takes gcc up to 1.7 times as long.
    foreach(name IN ITEMS move/run ${reducing})
        set_source_files_properties(${PROJECT_SOURCE_DIR}/src/exec/${name}.c PROPERTIES
            COMPILE_OPTIONS "-ffp-contract=off;$<$<NOT:$<CONFIG:Debug>>:-O2>")
    endforeach()
    # Whatever lies before them: 0.7 x + 0.3 y of f32 in lines of 40 by AVX-512 is at 7 or at 11 GB/s, as its loop begins.
    foreach(name IN ITEMS compute/update_avx512 compute/update_avx2 compute/reduce_avx512 compute/reduce_avx2)
        set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/exec/${name}.c APPEND PROPERTY COMPILE_OPTIONS
            "-falign-functions=64;-falign-loops=32")
    endforeach()
    foreach(name IN LISTS rows) # nobody looks at the flags of what is computed
        set_property(SOURCE ${PROJECT_SOURCE_DIR}/src/exec/${name}.c APPEND PROPERTY COMPILE_OPTIONS
            "-fno-trapping-math;-fno-math-errno;-DTSR_NO_TRAPS=1")
    endforeach()
endif()

# tessera_gemm_file(name [flag...]): src/exec/gemm/<name>.c; TESSERA_ISA keeps the flags for targets of other directories.
function(tessera_gemm_file name)
    set(options)
    set(file ${PROJECT_SOURCE_DIR}/src/exec/gemm/${name}.c)
    if(ARGN)
        string(MAKE_C_IDENTIFIER "TESSERA_HAS_${name}" has)
        string(REPLACE ";" " " flags "${ARGN}")
        check_c_compiler_flag("${flags}" ${has})
        if(${has})
            set(options ${ARGN})
            set_source_files_properties(${file} PROPERTIES TESSERA_ISA "${ARGN}")
        endif()
    endif()
    if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
        list(APPEND options ${optimized})
    endif()
    set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${options}")
endfunction()

foreach(name IN ITEMS pack finish run tiles in_place complex_dots scalar portable)
    tessera_gemm_file(${name})
endforeach()
# gcc's first scheduler loads all operands of an iteration at once, for which 32 registers are too few.
set(in_order)
if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    set(in_order -fno-schedule-insns)
endif()
tessera_gemm_file(neon ${in_order})
tessera_gemm_file(avx2 -mavx2 -mfma -mf16c)
tessera_gemm_file(avx_vnni -mavx2 -mfma -mf16c -mavxvnni)
tessera_gemm_file(avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vnni -mavx512bf16 -mfma -mf16c)
tessera_gemm_file(amx -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512bf16 -mfma -mf16c -mamx-tile -mamx-bf16 -mamx-int8)

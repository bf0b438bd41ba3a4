# Each file of kernels of products is compiled for the instructions that its rows need; where the compiler has not all of
# them, its table is empty.

include(CheckCCompilerFlag)

# tessera_engine_file(name [flag...]): src/exec/<name>.c; TESSERA_ISA keeps the flags for targets of other directories.
function(tessera_engine_file name)
    set(options)
    set(file ${PROJECT_SOURCE_DIR}/src/exec/${name}.c)
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
        list(APPEND options $<$<NOT:$<CONFIG:Debug>>:-O3>)
    endif()
    set_source_files_properties(${file} PROPERTIES COMPILE_OPTIONS "${options}")
endfunction()

foreach(name IN ITEMS gemm_pack gemm_finish gemm_run gemm_tiles gemm_in_place gemm_scalar gemm_portable)
    tessera_engine_file(${name})
endforeach()
tessera_engine_file(gemm_avx2 -mavx2 -mfma -mf16c)
tessera_engine_file(gemm_avx512 -mavx512f -mavx512bw -mavx512dq -mavx512vl -mavx512vnni -mavx512bf16 -mfma -mf16c)
tessera_engine_file(gemm_amx -mavx512f -mavx512bw -mavx512dq -mavx512vl -mamx-tile -mamx-bf16 -mamx-int8)

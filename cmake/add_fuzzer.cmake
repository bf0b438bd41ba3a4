# tessera_add_fuzzer(NAME name SOURCES file... [RUNS count])
#
# A libFuzzer program fuzz_<name>, built together with an instrumented copy of the library, and a test that
# feeds it a fixed number of inputs from a fixed seed. Does nothing unless TESSERA_FUZZ is on.

if(TESSERA_FUZZ AND NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "TESSERA_FUZZ needs clang, the C compiler is ${CMAKE_C_COMPILER_ID}")
endif()

function(tessera_add_fuzzer)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME;RUNS" "SOURCES")
    if(NOT TESSERA_FUZZ)
        return()
    endif()
    if(NOT arg_RUNS)
        set(arg_RUNS 100000)
    endif()
    set(target fuzz_${arg_NAME})
    add_executable(${target} ${arg_SOURCES} ${TESSERA_SOURCES})
    add_dependencies(${target} tessera_one_header)
    target_link_libraries(${target} PRIVATE tessera_headers ${CMAKE_DL_LIBS})
    tessera_build_flags(${target})
    tessera_sanitize(${target})
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    add_test(NAME ${target} COMMAND ${target} -seed=1 -runs=${arg_RUNS})
    set_tests_properties(${target} PROPERTIES LABELS fuzz TIMEOUT 600)
endfunction()

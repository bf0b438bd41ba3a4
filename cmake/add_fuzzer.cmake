# tessera_add_fuzzer(NAME name SOURCES file... [SEEDS file...])
#
# A libFuzzer program fuzz_<name>, of an instrumented copy of the library, in the target `fuzzers`, and a test that runs it
# for TESSERA_FUZZ_SECONDS from the lines of its seeds. Does nothing unless TESSERA_FUZZ is on. Behind add_test.cmake.

if(TESSERA_FUZZ AND NOT CMAKE_C_COMPILER_ID MATCHES Clang)
    message(FATAL_ERROR "TESSERA_FUZZ needs clang, the C compiler is ${CMAKE_C_COMPILER_ID}")
endif()
if(TESSERA_FUZZ)
    set(TESSERA_FUZZ_SECONDS 60 CACHE STRING "How long the tests run each fuzzer")
    tessera_add_checked_library(tessera_fuzzed)
    target_compile_options(tessera_fuzzed PRIVATE -fsanitize=fuzzer-no-link)
    add_custom_target(fuzzers)
endif()

function(tessera_add_fuzzer)
    cmake_parse_arguments(PARSE_ARGV 0 arg "" "NAME" "SOURCES;SEEDS")
    if(NOT TESSERA_FUZZ)
        return()
    endif()
    set(target fuzz_${arg_NAME})
    add_executable(${target} ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE tessera_fuzzed)
    tessera_build_flags(${target})
    tessera_sanitize(${target})
    target_compile_options(${target} PRIVATE -fsanitize=fuzzer)
    target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzzers ${target})
    math(EXPR most "${TESSERA_FUZZ_SECONDS} + 300")
    add_test(NAME ${target} COMMAND sh ${PROJECT_SOURCE_DIR}/tests/fuzz/run.sh $<TARGET_FILE:${target}>
        ${TESSERA_FUZZ_SECONDS} ${CMAKE_CURRENT_BINARY_DIR}/run_${arg_NAME} ${arg_SEEDS})
    set_tests_properties(${target} PROPERTIES LABELS fuzzer TIMEOUT ${most})
endfunction()

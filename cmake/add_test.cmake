# tessera_add_test(NAME name SOURCES file... [ARGS arg...] [LABELS label...] [CXX] [SANITIZE] [INSIDE])
#
# Builds the program test_<name> and registers it as the test <name>; it passes when it exits with 0.
# With CXX the same sources are also compiled as C++17, as <name>_cxx. With SANITIZE the same sources and the
# library are also compiled with sanitizers, as <name>_sanitized, so that one build folder covers both. With INSIDE the
# program calls private names of the library.

include(CheckCSourceCompiles)

set(CMAKE_REQUIRED_FLAGS -fsanitize=address,undefined)
check_c_source_compiles("int main(void) { return 0; }" TESSERA_HAS_SANITIZERS)
unset(CMAKE_REQUIRED_FLAGS)

set(TESSERA_CHECKED_BY_CALLS --param=asan-instrumentation-with-call-threshold=0)

# The library once more, with every access checked.
function(tessera_add_checked_library name)
    add_library(${name} STATIC EXCLUDE_FROM_ALL ${TESSERA_SOURCES})
    add_dependencies(${name} tessera_one_header)
    target_link_libraries(${name} PUBLIC tessera_headers PRIVATE ${CMAKE_DL_LIBS})
    tessera_build_flags(${name})
    tessera_sanitize(${name})
    foreach(source IN LISTS TESSERA_SOURCES) # whose properties are those of a directory
        get_source_file_property(isa ${source} DIRECTORY ${PROJECT_SOURCE_DIR} TESSERA_ISA)
        set(options)
        if(isa)
            list(APPEND options ${isa})
        endif()
        if(source MATCHES "/src/exec/") # all rows round alike: clang fuses products and sums else
            get_source_file_property(own ${source} DIRECTORY ${PROJECT_SOURCE_DIR} COMPILE_OPTIONS)
            list(FILTER own INCLUDE REGEX "^-[fD]")
            list(APPEND options ${own})
        endif()
        if(CMAKE_C_COMPILER_ID MATCHES "Clang" AND source MATCHES "/src/exec/(move/avx|compute/update_avx)")
            list(APPEND options -fno-sanitize=address,undefined) # checks take clang minutes; gcc's library has them
        elseif(CMAKE_C_COMPILER_ID MATCHES "Clang" AND source MATCHES "/bodies|/core/inline|/src/exec/(gemm/|move/vector)|/fit/tilelang")
            list(APPEND options -O0) # optimizing checks takes clang ten times as long as everything else
        elseif(source MATCHES "/src/exec/.*avx" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
            # The same code as that of plain C, which has all checks; those of arithmetic take most of the time.
            list(APPEND options -fno-sanitize=undefined ${TESSERA_CHECKED_BY_CALLS})
        elseif(source MATCHES "/bodies|/src/tile/|/src/gpu/gemm_tile|/src/exec/(move/|compute/update)" AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
            # What runs as long as it compiles: checks of addresses in place take gcc a third more time than calls.
            list(APPEND options ${TESSERA_CHECKED_BY_CALLS})
        endif()
        if(options)
            set_source_files_properties(${source} PROPERTIES COMPILE_OPTIONS "${options}")
        endif()
    endforeach()
endfunction()

if(TESSERA_HAS_SANITIZERS)
    tessera_add_checked_library(tessera_sanitized)
else()
    message(STATUS "tessera: no sanitizers, the sanitized tests are left out")
endif()

# tessera_find_python(VARIABLE CODE WHAT): a Python in which the code runs, as a variable of the cache.
function(tessera_find_python variable code what)
    foreach(python IN ITEMS python3 /usr/bin/python3)
        if(NOT ${variable})
            execute_process(COMMAND ${python} -c "${code}" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
            if(status EQUAL 0)
                set(${variable} ${python} CACHE STRING "A Python that has ${what}")
            endif()
        endif()
    endforeach()
endfunction()

# tessera_add_threads_test(NAME SOURCES file... [ARGS arg...] [LABELS label...]): a test under the sanitizer of threads, which
# sees what its sources do: files of the library are among them.
function(tessera_add_threads_test name)
    tessera_add_test_program(${name} tessera ${ARGN})
    target_include_directories(test_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_compile_options(test_${name} PRIVATE -O1 -g1 -fsanitize=thread)
    target_link_options(test_${name} PRIVATE -fsanitize=thread)
    target_link_libraries(test_${name} PRIVATE Threads::Threads ${CMAKE_DL_LIBS})
endfunction()

# The library with its private names. A shared one exports none of them, so its objects are an archive as well.
if(BUILD_SHARED_LIBS)
    add_library(tessera_inside STATIC EXCLUDE_FROM_ALL $<TARGET_OBJECTS:tessera>)
    set_target_properties(tessera_inside PROPERTIES LINKER_LANGUAGE C)
    target_link_libraries(tessera_inside PUBLIC tessera_headers PRIVATE ${CMAKE_DL_LIBS})
    target_link_libraries(tessera_inside PRIVATE ${CMAKE_THREAD_LIBS_INIT})
else()
    add_library(tessera_inside ALIAS tessera)
endif()

# A test and its program are the house's: the preset check neither builds nor runs them.
function(tessera_move_to_house test program)
    get_property(labels TEST ${test} PROPERTY LABELS)
    set_property(TEST ${test} PROPERTY LABELS ${labels} house)
    set_target_properties(${program} PROPERTIES EXCLUDE_FROM_ALL ON)
    add_dependencies(house ${program})
endfunction()

function(tessera_add_test_program name library)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "SOURCES;ARGS;LABELS")
    add_executable(test_${name} ${arg_SOURCES})
    target_link_libraries(test_${name} PRIVATE ${library})
    tessera_build_flags(test_${name})
    target_compile_options(test_${name} PRIVATE -UNDEBUG -Og) # assert() must count; a test runs once, its compiler too
    add_test(NAME ${name} COMMAND test_${name} ${arg_ARGS})
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}" TIMEOUT 300)
    if("io" IN_LIST arg_LABELS) # the variants of a test write files of the same names
        set_tests_properties(${name} PROPERTIES RESOURCE_LOCK io_files)
    endif()
    if("house" IN_LIST arg_LABELS)
        tessera_move_to_house(${name} test_${name})
    endif()
endfunction()

function(tessera_add_test)
    cmake_parse_arguments(PARSE_ARGV 0 arg "CXX;SANITIZE;INSIDE" "NAME" "SOURCES;ARGS;LABELS")
    set(rest ARGS ${arg_ARGS} LABELS ${arg_LABELS})
    set(library tessera)
    if(arg_INSIDE)
        set(library tessera_inside)
    endif()
    tessera_add_test_program(${arg_NAME} ${library} SOURCES ${arg_SOURCES} ${rest})

    if(arg_CXX AND CMAKE_CXX_COMPILER)
        set(copies)
        foreach(source IN LISTS arg_SOURCES)
            set(copy ${CMAKE_CURRENT_BINARY_DIR}/${source}.cpp)
            file(CONFIGURE OUTPUT ${copy} CONTENT "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${source}\"\n" @ONLY)
            list(APPEND copies ${copy})
        endforeach()
        tessera_add_test_program(${arg_NAME}_cxx ${library} SOURCES ${copies} ${rest})
    endif()

    if(arg_SANITIZE AND TESSERA_HAS_SANITIZERS AND NOT TESSERA_SANITIZE)
        tessera_add_test_program(${arg_NAME}_sanitized tessera_sanitized SOURCES ${arg_SOURCES} ${rest})
        tessera_sanitize(test_${arg_NAME}_sanitized)
    endif()
endfunction()

# Languages and programs that serve tests and benchmarks only. What is absent is an empty word, for that is what scripts are
# given of it, and one line says what is left out; CONTRIBUTING.md lists all of them.

include(CheckLanguage)

# Whoever installs a compiler finds it in a folder that was configured without one.
if(TESSERA_CXX_ABSENT)
    unset(CMAKE_CXX_COMPILER CACHE)
    unset(TESSERA_CXX_ABSENT CACHE)
endif()
if(NOT DEFINED CMAKE_CXX_COMPILER)
    check_language(CXX)
    if(NOT CMAKE_CXX_COMPILER)
        set(TESSERA_CXX_ABSENT ON CACHE INTERNAL "CMake looked for a C++ compiler and found none")
    endif()
endif()
if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
else()
    set(CMAKE_CXX_COMPILER "")
    message(STATUS "tessera: no C++ compiler, the tests in C++ are left out")
endif()

# nvcc is called by path: tests and benchmarks compile for CUDA, no target of the project does.
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
    set(CMAKE_CUDA_COMPILER "")
    message(STATUS "tessera: no CUDA compiler, tests and benchmarks in CUDA are left out")
endif()

# tessera_find_program(VARIABLE NAME LEFT_OUT): the path of a program, which LEFT_OUT needs.
function(tessera_find_program variable name left_out)
    find_program(${variable} ${name})
    if(NOT ${variable})
        set(${variable} "" PARENT_SCOPE)
        message(STATUS "tessera: no ${name}, ${left_out}")
    endif()
endfunction()

if(TESSERA_TESTS)
    if(CMAKE_HOST_SYSTEM_NAME STREQUAL Linux AND NOT IS_DIRECTORY /dev/shm)
        message(STATUS "tessera: no /dev/shm, GPUs whose ranks meet in shared memory are not tried")
    endif()
    tessera_find_program(TESSERA_PYTHON3 python3 "what is emitted as Python is not run, files of tensors are not read by it")
    tessera_find_program(TESSERA_GCC gcc "the instructions of its literals are not counted")
    tessera_find_program(TESSERA_CLANG clang "the instructions of its literals are not counted, nothing is compiled for HIP")
    tessera_find_program(TESSERA_NODE node "the pages of pictures are not tried in a browser")
endif()

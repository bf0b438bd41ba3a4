# C++ and CUDA serve tests and benchmarks only. Where a compiler is absent, these are left out and one line says so.

include(CheckLanguage)

check_language(CXX)
if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
else()
    message(STATUS "tessera: no C++ compiler, the tests in C++ are left out")
endif()

# nvcc is called by path: tests and benchmarks compile for CUDA, no target of the project does.
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
    message(STATUS "tessera: no CUDA compiler, tests and benchmarks in CUDA are left out")
endif()

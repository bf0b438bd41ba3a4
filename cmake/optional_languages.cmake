# C++ and CUDA serve tests only. Where a compiler is absent, its tests are left out and one line says so.

include(CheckLanguage)

check_language(CXX)
if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
else()
    message(STATUS "tessera: no C++ compiler, the C++ tests are left out")
endif()

# nvcc is called by path: the tests compile for CUDA, no target of the project does.
check_language(CUDA)
if(NOT CMAKE_CUDA_COMPILER)
    message(STATUS "tessera: no CUDA compiler, the CUDA compile tests are left out")
endif()

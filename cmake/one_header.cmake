# tessera.h, all headers for kernels in one file, and the same as a string in the library, for NVRTC.

set(TESSERA_ONE_HEADER ${PROJECT_BINARY_DIR}/tessera.h)
set(TESSERA_ONE_HEADER_OF tessera/tessera.h tessera/atoms.h tessera/tile.h tessera/exec/tma.h tessera/cuda.cuh
    tessera/cuda/tile_async.cuh tessera/cuda/hopper_groups.cuh tessera/cuda/gemm_any.cuh tessera/cuda/gemm_async.cuh
    tessera/gpu/relayout.h)

# The tool that makes it runs while the library is built: where that is for another machine, a compiler for this one makes
# the tool.
if(CMAKE_CROSSCOMPILING)
    find_program(TESSERA_HOST_CC NAMES cc gcc clang DOC "A C compiler for the machine that builds" NO_CMAKE_FIND_ROOT_PATH REQUIRED)
    set(TESSERA_AMALGAMATE ${PROJECT_BINARY_DIR}/tools/tessera_amalgamate)
    add_custom_command(OUTPUT ${TESSERA_AMALGAMATE}
        COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/tools
        COMMAND ${TESSERA_HOST_CC} -std=c11 -O1 -o ${TESSERA_AMALGAMATE} ${PROJECT_SOURCE_DIR}/tools/amalgamate.c
        DEPENDS tools/amalgamate.c
        VERBATIM)
else()
    add_executable(tessera_amalgamate tools/amalgamate.c)
    tessera_build_flags(tessera_amalgamate)
    set_target_properties(tessera_amalgamate PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tools)
    set(TESSERA_AMALGAMATE $<TARGET_FILE:tessera_amalgamate>)
endif()
file(GLOB_RECURSE one_header_parts CONFIGURE_DEPENDS include/tessera/*.h include/tessera/*.cuh)
set(one_header_text ${PROJECT_BINARY_DIR}/one_header.c)
add_custom_command(OUTPUT ${TESSERA_ONE_HEADER} ${one_header_text}
    COMMAND ${TESSERA_AMALGAMATE} ${PROJECT_SOURCE_DIR}/include ${TESSERA_ONE_HEADER} ${one_header_text} tessera/names.h
        ${TESSERA_ONE_HEADER_OF}
    DEPENDS ${TESSERA_AMALGAMATE} ${one_header_parts}
    VERBATIM)
add_custom_target(tessera_one_header ALL DEPENDS ${TESSERA_ONE_HEADER} ${one_header_text})

list(APPEND TESSERA_SOURCES ${one_header_text})

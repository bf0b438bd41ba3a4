# tessera.h, all headers for programs and kernels in one file, with the portable loops for a program without the library; and
# the headers for kernels as a string in the library, for NVRTC.

set(TESSERA_ONE_HEADER ${PROJECT_BINARY_DIR}/tessera.h)
set(TESSERA_ONE_HEADER_OF tessera/tessera.h tessera/atoms.h tessera/tile.h tessera/exec/tma.h tessera/cuda.cuh
    tessera/cuda/tile_async.cuh tessera/cuda/hopper_source.cuh tessera/cuda/tile_im2col.cuh tessera/cuda/bulk.cuh tessera/cuda/gather.cuh tessera/cuda/lower_bound.cuh
    tessera/cuda/launch.cuh tessera/cuda/pairs.cuh tessera/cuda/umma_gemm.cuh tessera/cuda/map.cuh)
set(TESSERA_KERNELS_OF gpu/kernels/hopper_groups.cuh gpu/kernels/hopper_pixels.cuh gpu/kernels/gemm_any.cuh
    gpu/kernels/gemm_async.cuh gpu/kernels/relayout.h gpu/kernels/relayout_elements.h gpu/kernels/reduce.h
    gpu/kernels/combine.h gpu/kernels/combine_elements.h)
set(TESSERA_ONE_HEADER_SOURCES nest move/loops move/blocks move/plan move/nibbles move/run move/copy compute/out_of_line compute/by_loops compute/reduce
    compute/algorithm compute/transform compute/combine gemm/gemm gemm/einsum alone)
list(TRANSFORM TESSERA_ONE_HEADER_SOURCES REPLACE "(.+)" "exec/\\1.c")
list(PREPEND TESSERA_ONE_HEADER_SOURCES core/version.c core/sum.h atom/banks.c atom/sectors.c tensor/accesses.h tensor/clip.h
    tensor/strided.h tensor/zip.h tma/im2col.h tma/partition.h tile/curve.h tile/elementwise.h tile/encoding_algebra.h tile/unfold.h
    tile/window_plan.h)

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
file(GLOB_RECURSE one_header_parts CONFIGURE_DEPENDS include/tessera/*.h include/tessera/*.cuh src/core/version.c src/core/*.h
    src/atom/*.c src/tensor/*.h src/tma/*.h src/tile/*.h src/exec/*.[ch] src/gpu/kernels/*.h src/gpu/kernels/*.cuh)
set(one_header_text ${PROJECT_BINARY_DIR}/one_header.c)
set(roots ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
add_custom_command(OUTPUT ${TESSERA_ONE_HEADER} ${one_header_text}
    COMMAND ${TESSERA_AMALGAMATE} header ${TESSERA_ONE_HEADER} ${roots} ${TESSERA_ONE_HEADER_OF} --
        ${TESSERA_ONE_HEADER_SOURCES}
    COMMAND ${TESSERA_AMALGAMATE} text ${one_header_text} ${roots} tessera/names.h ${TESSERA_ONE_HEADER_OF}
        ${TESSERA_KERNELS_OF}
    DEPENDS ${TESSERA_AMALGAMATE} ${one_header_parts}
    VERBATIM)
add_custom_target(tessera_one_header ALL DEPENDS ${TESSERA_ONE_HEADER} ${one_header_text})

list(APPEND TESSERA_SOURCES ${one_header_text})

# What TSR_MAX_LEAVES costs: the size of a layout, the literals that still fold (tests/build/fold), the time to compile
# them, and the time of the first composition of bench_algebra.c, for several capacities.

cmake_minimum_required(VERSION 3.25)

message("leaves  compiler  bytes a layout  literals that do not fold  compiling them  a composition")
foreach(compiler IN ITEMS gcc clang)
    find_program(${compiler} ${compiler})
    if(NOT ${compiler})
        continue()
    endif()
    foreach(leaves IN ITEMS 8 16 24 32)
        set(define -DTSR_MAX_LEAVES=${leaves})
        set(build ${WORK_DIR}/capacity_${compiler}_${leaves})
        execute_process(COMMAND ${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${build} -D CMAKE_C_COMPILER=${${compiler}}
            -D CMAKE_C_FLAGS=${define} -D TESSERA_TESTS=OFF -D TESSERA_CLI=OFF -D TESSERA_PYTHON=OFF -D TESSERA_BENCH=ON
            OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
        execute_process(COMMAND ${CMAKE_COMMAND} --build ${build} --target bench_algebra -j
            OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
        set(program ${build}/bench_algebra)
        execute_process(COMMAND ${program} OUTPUT_VARIABLE output)
        string(REGEX MATCH "([0-9]+) bytes a layout" unused "${output}")
        set(bytes ${CMAKE_MATCH_1})
        set(ns "-") # where a result does not fit, nothing is timed
        if(output MATCHES "composition [^\n]* ([0-9.]+) ns")
            set(ns "${CMAKE_MATCH_1} ns")
        endif()

        string(TIMESTAMP start "%s%f")
        execute_process(COMMAND ${CMAKE_COMMAND} -D TOOL=${compiler} -D COMPILER=${${compiler}} -D FLAGS=${define}
                -D INCLUDE_DIR=${SOURCE_DIR}/include -D WORK_DIR=${WORK_DIR}
                -P ${SOURCE_DIR}/tests/build/fold/fold.cmake
            OUTPUT_QUIET ERROR_VARIABLE output)
        string(TIMESTAMP end "%s%f")
        string(REGEX MATCHALL "CMake Error at" misses "${output}")
        list(LENGTH misses misses)
        math(EXPR ms "(${end} - ${start}) / 1000")
        message("${leaves}  ${compiler}  ${bytes}  ${misses}  ${ms} ms  ${ns}")
    endforeach()
endforeach()

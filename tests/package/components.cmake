# The library with some of its components: consumers are built against core, and against core and exec; what is asked for
# and missing is refused in one sentence.
# usage: cmake -D SOURCE_DIR=... -D WORK_DIR=... -D CC=... -D GENERATOR=... -P components.cmake

cmake_minimum_required(VERSION 3.25)

# run(WORDS..): its output is in `output`; try leaves its status in `status`.
macro(try)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
endmacro()
macro(run)
    try(${ARGN})
    if(NOT status EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\n${output}")
    endif()
endmacro()
# says(TEXT): CMake breaks lines.
function(says text)
    string(REGEX REPLACE "[ \n]+" " " line "${output}")
    string(FIND "${line}" "${text}" at)
    if(at EQUAL -1)
        message(FATAL_ERROR "this does not say \"${text}\":\n${output}")
    endif()
endfunction()

file(REMOVE_RECURSE ${WORK_DIR})
set(build ${WORK_DIR}/build)
set(configure ${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${build} -G ${GENERATOR} -D CMAKE_C_COMPILER=${CC}
    -D CMAKE_BUILD_TYPE=Debug -D CMAKE_C_FLAGS_DEBUG=-O0)

# library(COMPONENTS): installs it into a folder of its own, which is left in `prefix`. One build goes on to the next.
macro(library components)
    set(prefix ${WORK_DIR}/prefix)
    foreach(part IN ITEMS ${components})
        string(APPEND prefix _${part})
    endforeach()
    file(WRITE ${WORK_DIR}/asked.cmake "set(TESSERA_COMPONENTS \"${components}\" CACHE STRING \"\" FORCE)\n")
    run(${configure} -C ${WORK_DIR}/asked.cmake)
    run(${CMAKE_COMMAND} --build ${build} --parallel 2)
    run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
endmacro()

# consumer(SOURCE COMPONENT,..): configures it against the library in `prefix`.
macro(consumer source components)
    file(REMOVE_RECURSE ${WORK_DIR}/${source})
    try(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR}/components -B ${WORK_DIR}/${source} -G ${GENERATOR}
        -D CMAKE_C_COMPILER=${CC} -D SOURCE=${source}.c -D COMPONENTS=${components} -D tessera_ROOT=${prefix}
        -D CMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF)
endmacro()
macro(consumer_runs source components)
    consumer(${source} ${components})
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${output}")
    endif()
    run(${CMAKE_COMMAND} --build ${WORK_DIR}/${source})
    run(${WORK_DIR}/${source}/consumer)
endmacro()
macro(consumer_is_refused source components sentence)
    consumer(${source} ${components})
    if(status EQUAL 0)
        message(FATAL_ERROR "a consumer of ${components} is configured with ${prefix}")
    endif()
    says("${sentence}")
endmacro()

library("core")
consumer_runs(core core)
consumer_is_refused(exec exec "has no component exec: it was built with core")
foreach(door IN ITEMS picture.h io.h dlpack.h gpu.h gpu)
    if(EXISTS ${prefix}/include/tessera/${door})
        message(SEND_ERROR "tessera/${door} is installed without its component")
    endif()
endforeach()

library("core;exec")
consumer_runs(exec core,exec)
consumer_is_refused(exec core,io "has no component io: it was built with core, exec")
consumer_is_refused(exec colour "has no component colour: it was built with core, exec")

# A component brings what it needs; what needs all of them is left out, and said.
run(${configure} -D TESSERA_COMPONENTS=gpu -D TESSERA_TESTS=ON)
says("tessera: the library is core, exec, io, gpu")
says("need all parts of the library and are left out")
try(${configure} -D TESSERA_COMPONENTS=colour)
says("TESSERA_COMPONENTS has colour, which is none of core, exec, calc, picture, io, gpu, mesh, reshard")

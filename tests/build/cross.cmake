# A build for another machine runs nothing that it built, and a build of the program alone can be installed. Where the
# compiler is this machine's, programs that cannot run stand for those of another one: they ask for a loader that is not
# there. Its objects are empty ones, for what is tried is the order of the build and not the code.
# usage: cmake -DSOURCE_DIR=... -DWORK_DIR=... -DCC=... -DGENERATOR=... -P cross.cmake

cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${WORK_DIR})
file(WRITE ${WORK_DIR}/toolchain.cmake "
set(CMAKE_SYSTEM_NAME ${CMAKE_HOST_SYSTEM_NAME})
set(CMAKE_SYSTEM_PROCESSOR elsewhere)
set(CMAKE_C_COMPILER ${CC})
set(CMAKE_EXE_LINKER_FLAGS_INIT -Wl,--dynamic-linker=/nowhere)
")
file(WRITE ${WORK_DIR}/launcher [=[#!/bin/sh
# COMPILER FLAGS... -o OBJECT -c SOURCE: an empty object, or one with an empty main.
case "$*" in *.c) ;; *) exec "$@" ;; esac
compiler=$1
for word do
    [ "$last" = -o ] && object=$word
    last=$word
done
case $last in
    */cli/main.c) echo 'int main(void) { return 0; }' | "$compiler" -x c - -c -o "$object" ;;
    *) cp "${0%/*}/empty.o" "$object" ;;
esac
]=])
file(CHMOD ${WORK_DIR}/launcher PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT status EQUAL 0)
        list(JOIN ARGN " " command)
        message(FATAL_ERROR "${command}\n${output}")
    endif()
endfunction()

file(WRITE ${WORK_DIR}/empty.c "typedef int nothing;\n")
run(${CC} -c ${WORK_DIR}/empty.c -o ${WORK_DIR}/empty.o)

# the program and the library, then the library alone
foreach(program IN ITEMS ON OFF)
    set(build ${WORK_DIR}/${program})
    set(prefix ${build}/prefix)
    set(target tessera)
    if(program)
        set(target tessera_cli)
    endif()
    run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B ${build} -G ${GENERATOR} --toolchain ${WORK_DIR}/toolchain.cmake
        -D CMAKE_C_COMPILER_LAUNCHER=${WORK_DIR}/launcher -D TESSERA_TESTS=OFF -D TESSERA_BENCH=OFF
        -D TESSERA_CLI=${program})
    run(${CMAKE_COMMAND} --build ${build} --target ${target})
    run(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})
    file(SIZE ${prefix}/include/tessera.h size)
    if(size LESS 100000)
        message(SEND_ERROR "the header that was installed has ${size} bytes")
    endif()
    file(GLOB_RECURSE of_program RELATIVE ${prefix} ${prefix}/bin/* ${prefix}/share/man/* ${prefix}/share/fish/*)
    list(LENGTH of_program count)
    if(program AND NOT count EQUAL 3 OR NOT program AND NOT count EQUAL 0)
        message(SEND_ERROR "with TESSERA_CLI=${program} these are installed: ${of_program}")
    endif()
endforeach()

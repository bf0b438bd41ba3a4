# The demonstration on files: an array that NumPy wrote is tiled, permuted and converted, and read back by NumPy where a
# Python has it, else by tessera itself.
#
# usage: cmake -D TESSERA=tessera -D OUT=folder -P files.cmake

cmake_minimum_required(VERSION 3.25)

set(array ${CMAKE_CURRENT_LIST_DIR}/data/waves.npy)
file(MAKE_DIRECTORY ${OUT})

function(say)
    execute_process(COMMAND ${CMAKE_COMMAND} -E echo "${ARGN}")
endfunction()

function(run)
    string(REGEX REPLACE "(^|;)([^;]*[(][^;]*)" "\\1'\\2'" words "${ARGN}")
    list(JOIN words " " words)
    say("\n> tessera ${words}")
    execute_process(COMMAND ${TESSERA} ${ARGN} WORKING_DIRECTORY ${OUT} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(COPY ${array} DESTINATION ${OUT})
run(show waves.npy)
say("\nWhere the elements of an 8x8 part go when it is cut into tiles of 4x4:")
run(show "((4,2),(4,2)):((4,32),(1,16))")
run(relayout waves.npy tiled.npy --tile "(8,8)" --verify)
run(relayout waves.npy permuted.npy --permute 1,0 --verify)
run(relayout waves.npy bf16.npy --cast bf16 --verify)

foreach(python IN ITEMS python3 /usr/bin/python3)
    execute_process(COMMAND ${python} -c "import numpy" RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(status EQUAL 0)
        say("\nRead back by NumPy:")
        execute_process(COMMAND ${python} ${CMAKE_CURRENT_LIST_DIR}/files.py WORKING_DIRECTORY ${OUT}
            COMMAND_ERROR_IS_FATAL ANY)
        return()
    endif()
endforeach()
say("\nNo Python with NumPy; read back by tessera:")
run(show tiled.npy permuted.npy bf16.npy)

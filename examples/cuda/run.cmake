# Runs PROGRAM, which prints what EXPECTED holds, or that there is no GPU.

cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${PROGRAM} OUTPUT_VARIABLE printed RESULT_VARIABLE status)
if(status EQUAL 77)
    message("${printed}")
    return()
endif()
file(READ ${EXPECTED} expected)
if(NOT status EQUAL 0 OR NOT printed STREQUAL expected)
    message(FATAL_ERROR "${PROGRAM} ended with ${status} and printed\n${printed}instead of\n${expected}")
endif()

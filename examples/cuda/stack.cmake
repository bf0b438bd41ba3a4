# No kernel of a program uses local memory: what ptxas says of each, in LOG. Prints the registers of each kernel.

cmake_minimum_required(VERSION 3.25)

file(STRINGS ${LOG} frames REGEX "bytes stack frame")
if(NOT frames)
    message(FATAL_ERROR "${LOG} has no word of ptxas on a kernel")
endif()
foreach(frame IN LISTS frames)
    if(NOT frame MATCHES "^ *0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads")
        message(SEND_ERROR "${LOG}: ${frame}")
    endif()
endforeach()

file(STRINGS ${LOG} lines REGEX "Compiling entry function|Used [0-9]+ registers")
foreach(line IN LISTS lines)
    if(line MATCHES "entry function '([^']*)' for '([^']*)'")
        set(kernel "${CMAKE_MATCH_2} ${CMAKE_MATCH_1}")
    elseif(line MATCHES "Used ([0-9]+) registers")
        message("${kernel}: ${CMAKE_MATCH_1} registers")
    endif()
endforeach()

# No kernel of a program uses local memory: what ptxas says of each, in LOG.

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

# Writes the program of a page to PROGRAM, and what the page says it prints to PRINTS.
# usage: cmake -DREADME=... -DPROGRAM=... -DPRINTS=... -P readme.cmake

file(READ ${README} text)
string(REGEX MATCH "```(c|cuda)\n([^`]*)```\n\n```\n([^`]*)```" both "${text}")
if(NOT both)
    message(FATAL_ERROR "${README} has no program followed by what it prints")
endif()
file(WRITE ${PROGRAM} "${CMAKE_MATCH_2}")
file(WRITE ${PRINTS} "${CMAKE_MATCH_3}")

# The version of the CMake project is the one in base/config.h, and of the files that a release is known by, and its date is one.

cmake_minimum_required(VERSION 3.25)

set(found)
foreach(part MAJOR MINOR PATCH)
    file(STRINGS ${INCLUDE_DIR}/tessera/base/config.h line REGEX "# *define TSR_VERSION_${part} ")
    string(REGEX MATCH "[0-9]+$" number "${line}")
    list(APPEND found "${number}")
endforeach()
list(JOIN found . found)
if(NOT found STREQUAL VERSION)
    message(FATAL_ERROR "base/config.h says ${found}, CMakeLists.txt says ${VERSION}")
endif()

cmake_path(GET INCLUDE_DIR PARENT_PATH root)
set(rows "CITATION.cff|version: ${VERSION}" "CHANGELOG.md|## \[${VERSION}\] - " "packaging/debian/changelog|tessera (${VERSION}-"
    "share/tessera.1|\"tessera ${VERSION}\"")

# A version that is released has its date in three files.
file(READ ${root}/CHANGELOG.md text)
if(text MATCHES "## .${VERSION}. - ([0-9]+)-([0-9]+)-([0-9]+)\n")
    set(months "" Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec)
    list(GET months ${CMAKE_MATCH_2} month)
    list(APPEND rows "CITATION.cff|date-released: ${CMAKE_MATCH_1}-${CMAKE_MATCH_2}-${CMAKE_MATCH_3}\n"
        "packaging/debian/changelog|, ${CMAKE_MATCH_3} ${month} ${CMAKE_MATCH_1} ")
endif()

foreach(row IN LISTS rows)
    string(REGEX MATCH "^([^|]*)[|](.*)$" row "${row}")
    file(READ ${root}/${CMAKE_MATCH_1} text)
    string(FIND "${text}" "${CMAKE_MATCH_2}" at)
    if(at EQUAL -1)
        message(SEND_ERROR "${CMAKE_MATCH_1} does not say \"${CMAKE_MATCH_2}\"")
    endif()
endforeach()

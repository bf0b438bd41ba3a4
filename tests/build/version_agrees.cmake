# The version of the CMake project is the one in base/config.h.

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

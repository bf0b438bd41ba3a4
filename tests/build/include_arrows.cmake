# Who may include whom: an area includes the areas in its row, and nothing else.

cmake_minimum_required(VERSION 3.25)

set(base base)
set(core base core)
set(tensor ${core} tensor)
set(atom ${tensor} generic atom)
set(tma ${tensor} generic tma)
set(tile ${tensor} generic tile)
set(exec ${tensor} generic atom tma tile exec)
set(cuda ${exec} cuda)
set(gpu ${exec} gpu)

# Headers for device code see no system headers, except through config.h, which knows who has none.
set(device_areas base core tensor atom tma tile cuda)

file(GLOB_RECURSE headers RELATIVE ${INCLUDE_DIR}/tessera
    ${INCLUDE_DIR}/tessera/*.h ${INCLUDE_DIR}/tessera/*.cuh)
foreach(header IN LISTS headers)
    string(REGEX REPLACE "[./].*" "" area ${header}) # core/layout.h is in core, text.h is in text
    if(header STREQUAL cuda.cuh OR area MATCHES "^(tessera|generic|text|picture|call|names|ops|atoms|io|dlpack)$")
        continue() # the doors: they know everything, and nothing below knows them
    endif()
    if(NOT DEFINED ${area})
        message(SEND_ERROR "${header}: the area ${area} has no row of arrows")
        continue()
    endif()

    file(STRINGS ${INCLUDE_DIR}/tessera/${header} lines REGEX "^ *# *include")
    foreach(line IN LISTS lines)
        if(line MATCHES "include \"tessera/([a-z0-9_]+)[./]")
            if(NOT CMAKE_MATCH_1 IN_LIST ${area})
                message(SEND_ERROR "${header}: ${area} may not include ${CMAKE_MATCH_1}: ${line}")
            endif()
        elseif(line MATCHES "include \"")
            message(SEND_ERROR "${header}: a path must begin with tessera/: ${line}")
        elseif(area IN_LIST device_areas AND NOT header STREQUAL base/config.h)
            message(SEND_ERROR "${header}: only base/config.h includes system headers: ${line}")
        endif()
    endforeach()

    file(STRINGS ${INCLUDE_DIR}/tessera/${header} compilers REGEX "__CUDACC__|__CUDA_ARCH__")
    if(compilers AND NOT header STREQUAL base/config.h)
        message(SEND_ERROR "${header}: only base/config.h asks for the CUDA compiler: ${compilers}")
    endif()
endforeach()

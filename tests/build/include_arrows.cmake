# Who may include whom: an area includes the areas in its row, and nothing else. Headers first, then the rooms of src/,
# cli/ and tests/.
# usage: cmake -DINCLUDE_DIR=... -DSOURCE_DIR=... -P include_arrows.cmake

cmake_minimum_required(VERSION 3.25)

set(base base)
set(core base core)
set(tensor ${core} tensor)
set(atom ${tensor} generic atom)
set(tma ${tensor} generic tma)
set(exec ${tensor} generic atom tma exec)
set(tile ${tensor} generic exec tile)
set(cuda ${exec} tile cuda)
set(gpu ${exec} tile gpu)
set(mesh ${gpu} text mesh)

# Headers for device code see no system headers, except through config.h, which knows who has none.
set(device_areas base core tensor atom tma tile cuda)

file(GLOB_RECURSE headers RELATIVE ${INCLUDE_DIR}/tessera
    ${INCLUDE_DIR}/tessera/*.h ${INCLUDE_DIR}/tessera/*.cuh)
foreach(header IN LISTS headers)
    string(REGEX REPLACE "[./].*" "" area ${header}) # core/layout.h and core/body/layout.h are in core, text.h is in text
    if(header STREQUAL cuda.cuh OR area MATCHES "^(tessera|generic|text|convert|samples|symbolic|picture|names|atoms|io|dlpack)$")
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

    # An interface brings its own bodies, and no others; what C compiles is interfaces.
    file(STRINGS ${INCLUDE_DIR}/tessera/${header} bodies REGEX "include \"tessera/[a-z]+/body/")
    string(REPLACE "${area}/" "${area}/body/" own ${header})
    if(bodies AND NOT header MATCHES "/body/" AND NOT bodies STREQUAL "#  include \"tessera/${own}\"")
        message(SEND_ERROR "${header}: an interface includes only its own bodies: ${bodies}")
    endif()

    file(STRINGS ${INCLUDE_DIR}/tessera/${header} compilers REGEX "__CUDACC__|__CUDA_ARCH__")
    if(compilers AND NOT header STREQUAL base/config.h)
        message(SEND_ERROR "${header}: only base/config.h asks for the CUDA compiler: ${compilers}")
    endif()
endforeach()

# The rooms of src/: what each may include of the others.
set(src_text text)
set(src_core core)
set(src_convert text convert)
set(src_fit text ops convert fit)
set(src_tensor tensor)
set(src_exec text exec)
set(src_atom text core atom)
set(src_tma text tma)
set(src_ops ops)
set(src_tile text exec ops tile)
set(src_calc text atom tma ops tile calc)
set(src_picture ${src_calc} picture)
set(src_symbolic text calc convert symbolic)
set(src_io text exec io)
set(src_gpu tma io exec gpu)
set(src_mesh text ops tma gpu mesh)

file(GLOB_RECURSE sources RELATIVE ${SOURCE_DIR}/src ${SOURCE_DIR}/src/*.c ${SOURCE_DIR}/src/*.h ${SOURCE_DIR}/src/*.cuh)
foreach(source IN LISTS sources)
    string(REGEX REPLACE "/.*" "" room ${source})
    if(NOT DEFINED src_${room})
        message(SEND_ERROR "src/${source}: the room ${room} has no row of arrows")
        continue()
    endif()
    file(STRINGS ${SOURCE_DIR}/src/${source} lines REGEX "^ *# *include \"")
    foreach(line IN LISTS lines)
        if(line MATCHES "include \"tessera/")
            continue() # src/ stands on all headers
        elseif(NOT line MATCHES "include \"([a-z]+)/([a-z]+/)?[a-z0-9_]+[.](h|cuh)\"")
            message(SEND_ERROR "src/${source}: a path must begin with tessera/ or with a room: ${line}")
        elseif(NOT CMAKE_MATCH_1 IN_LIST src_${room})
            message(SEND_ERROR "src/${source}: ${room} may not include ${CMAKE_MATCH_1}: ${line}")
        endif()
    endforeach()
endforeach()

# The command line is a user of the library: public headers, and its own files. Tests may see the rooms of src/.
file(GLOB_RECURSE users RELATIVE ${SOURCE_DIR} ${SOURCE_DIR}/cli/*.[ch] ${SOURCE_DIR}/examples/*.[ch]
    ${SOURCE_DIR}/examples/*.cu ${SOURCE_DIR}/examples/*.cuh ${SOURCE_DIR}/tests/*.[ch] ${SOURCE_DIR}/tests/*.cu)
foreach(user IN LISTS users)
    string(REGEX REPLACE "/.*" "" area ${user})
    get_filename_component(folder ${SOURCE_DIR}/${user} DIRECTORY)
    file(STRINGS ${SOURCE_DIR}/${user} lines REGEX "^ *# *include \"")
    foreach(line IN LISTS lines)
        string(REGEX REPLACE ".*include \"([^\"]*)\".*" "\\1" path "${line}")
        if(path MATCHES "^tessera/" OR EXISTS ${folder}/${path})
            continue()
        elseif(area STREQUAL tests AND (EXISTS ${SOURCE_DIR}/src/${path} OR EXISTS ${SOURCE_DIR}/cli/${path}
               OR EXISTS ${SOURCE_DIR}/tests/${path}))
            continue()
        endif()
        message(SEND_ERROR "${user}: ${area} includes tessera/ and its own files: ${line}")
    endforeach()
endforeach()

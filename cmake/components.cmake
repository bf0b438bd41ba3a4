# The parts of the library that can be left out: -D TESSERA_COMPONENTS="core;exec". A part brings those that it needs.
#
#   core     layouts, tensors, atoms, TMA, CK Tile, and the text of their values
#   exec     copies, reductions, functions, products
#   calc     text that is read: tsr_parse, tsr_evaluate
#   picture  picture.h
#   io       io.h
#   gpu      gpu.h and gpu/
#   mesh     what mesh.h declares
#   reshard  reshard.h
#
# Headers of values are installed always, and what they declare of a part that is left out does not link. The headers of
# picture, io, gpu and reshard are installed with their parts.

set(tessera_components core exec calc picture io gpu mesh reshard)
set(tessera_needs_core "")
set(tessera_needs_exec core)
set(tessera_needs_calc mesh)
set(tessera_needs_picture calc)
set(tessera_needs_io exec)
set(tessera_needs_gpu exec io)
set(tessera_needs_mesh exec)
set(tessera_needs_reshard io mesh)

set(TESSERA_COMPONENTS "${tessera_components}" CACHE STRING "What the library consists of: ${tessera_components}")

# The parts that were asked for and all that they need, in the order above.
function(tessera_resolve_components out)
    set(found "")
    set(queue ${ARGN})
    while(queue)
        list(POP_FRONT queue part)
        if(NOT part IN_LIST tessera_components)
            list(JOIN tessera_components ", " all)
            message(FATAL_ERROR "TESSERA_COMPONENTS has ${part}, which is none of ${all}")
        elseif(NOT part IN_LIST found)
            list(APPEND found ${part})
            list(APPEND queue ${tessera_needs_${part}})
        endif()
    endwhile()
    set(ordered "")
    foreach(part IN LISTS tessera_components)
        if(part IN_LIST found)
            list(APPEND ordered ${part})
        endif()
    endforeach()
    set(${out} ${ordered} PARENT_SCOPE)
endfunction()

# tessera_part_of(OUT SOURCE): the part that a source is of, by its room of src/.
function(tessera_part_of out source)
    string(REGEX REPLACE "^src/([a-z]+)/.*" "\\1" room ${source})
    if(source STREQUAL "src/tile/view_plan.c") # a copy of a view is a plan of exec
        set(room exec)
    elseif(NOT room IN_LIST tessera_components)
        set(room core)
    endif()
    set(${out} ${room} PARENT_SCOPE)
endfunction()

tessera_resolve_components(TESSERA_PARTS ${TESSERA_COMPONENTS})
set(TESSERA_WHOLE OFF)
if(TESSERA_PARTS STREQUAL tessera_components)
    set(TESSERA_WHOLE ON)
endif()
if(NOT TESSERA_PARTS)
    message(FATAL_ERROR "TESSERA_COMPONENTS is empty: the least library is core")
elseif(NOT TESSERA_WHOLE)
    list(JOIN TESSERA_PARTS ", " parts)
    message(STATUS "tessera: the library is ${parts}")
endif()
foreach(option IN ITEMS TESSERA_CLI TESSERA_TESTS TESSERA_BENCH TESSERA_WEB TESSERA_PYTHON)
    if(NOT TESSERA_WHOLE AND (${option} OR (PROJECT_IS_TOP_LEVEL AND NOT DEFINED ${option})))
        list(APPEND tessera_left_out ${option})
        set(${option} OFF)
    endif()
endforeach()
if(tessera_left_out)
    list(JOIN tessera_left_out ", " left_out)
    message(STATUS "tessera: ${left_out} need all parts of the library and are left out")
endif()

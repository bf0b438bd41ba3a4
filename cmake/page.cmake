# The style, the controls and the script of the pages of pictures as texts of the library: included, it makes a source of
# them; as a script it writes that source.
# usage: cmake -D FOLDER=src/picture -D OUTPUT=page.c -P page.cmake

set(page_texts tsr_page_style_ tsr_page_controls_ tsr_page_script_)
set(page_files page.css page_controls.html page.js)
if(NOT CMAKE_SCRIPT_MODE_FILE)
    list(TRANSFORM page_files PREPEND ${PROJECT_SOURCE_DIR}/src/picture/)
    add_custom_command(OUTPUT ${PROJECT_BINARY_DIR}/page.c
        COMMAND ${CMAKE_COMMAND} -D FOLDER=${PROJECT_SOURCE_DIR}/src/picture -D OUTPUT=${PROJECT_BINARY_DIR}/page.c
            -P ${CMAKE_CURRENT_LIST_FILE}
        DEPENDS ${page_files} ${CMAKE_CURRENT_LIST_FILE}
        VERBATIM)
    add_custom_target(tessera_page DEPENDS ${PROJECT_BINARY_DIR}/page.c)
    list(APPEND TESSERA_SOURCES ${PROJECT_BINARY_DIR}/page.c)
    return()
endif()

set(source "/* made by cmake/page.cmake */\n#include \"picture/page.h\"\n")
foreach(text file IN ZIP_LISTS page_texts page_files)
    file(READ ${FOLDER}/${file} bytes HEX)
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND source "\nchar const ${text}[] = {${bytes}0};\n")
endforeach()
file(WRITE ${OUTPUT} "${source}")

# Each header compiles when it is the only one included, and again when it is included twice. A header that another one
# includes first, before any code, is compiled alone in it.
#
# All of them compile behind the macros of others, too, and as C++20: what <windows.h>, <complex.h>, <termios.h>,
# <sys/sysmacros.h>, X11 and Arduino define, and common short names.
#
# LANGUAGE is the ending of the file that includes it: c (C11), cpp (C++17) or cu (CUDA C++17). nvcc takes
# seconds a file, so there one file includes them all.

cmake_minimum_required(VERSION 3.25)

file(GLOB_RECURSE headers RELATIVE ${INCLUDE_DIR} ${INCLUDE_DIR}/tessera/*.h)
list(REMOVE_ITEM headers tessera/dlpack.h) # includes a header of the user's; tests/io compiles it where that is found
list(FILTER headers EXCLUDE REGEX "^tessera/emulate/") # for C++ with TSR_EMULATE; tests/emulate compiles them
if(LANGUAGE STREQUAL cu)
    file(GLOB_RECURSE kernels RELATIVE ${INCLUDE_DIR} ${INCLUDE_DIR}/tessera/*.cuh)
    list(APPEND headers ${kernels})
endif()
list(LENGTH headers count)
if(count EQUAL 0)
    message(FATAL_ERROR "no headers under ${INCLUDE_DIR}/tessera")
endif()

set(warnings -Wall -Wextra -Wconversion -pedantic -Werror)
set(file ${WORK_DIR}/headers_alone.${LANGUAGE})
if(LANGUAGE STREQUAL c)
    set(command ${COMPILER} -std=c11 ${warnings} -fsyntax-only)
elseif(LANGUAGE STREQUAL cpp)
    # What a C++ program may ask for: C's casts and 0 as a pointer are warned of in its own code only.
    list(APPEND warnings -Wold-style-cast -Wzero-as-null-pointer-constant)
    execute_process(COMMAND ${COMPILER} --version OUTPUT_VARIABLE version)
    if(NOT version MATCHES "clang")
        list(APPEND warnings -Wuseless-cast)
    endif()
    set(command ${COMPILER} -std=c++17 ${warnings} -fsyntax-only)
else()
    set(command ${COMPILER} -std=c++17 -gencode=arch=compute_90a,code=sm_90a -Werror all-warnings -c -o ${file}.o)
endif()

function(compile name source)
    file(WRITE ${file} "${source}int main(void) { return 0; }\n")
    execute_process(COMMAND ${command} -I${INCLUDE_DIR} ${file} RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(SEND_ERROR "${name} does not compile alone as ${LANGUAGE}")
    endif()
endfunction()

set(all "")
set(first "")
foreach(header IN LISTS headers)
    string(APPEND all "#include \"${header}\"\n")
    file(READ ${INCLUDE_DIR}/${header} text)
    string(REGEX REPLACE "/[*]([^*]|[*]+[^*/])*[*]+/" "" text "${text}")
    if(text MATCHES "^[ \n]*#ifndef [A-Z0-9_]+[ \n]*#define [A-Z0-9_]+[ \n]*#include \"(tessera/[^\"]*)\"")
        list(APPEND first ${CMAKE_MATCH_1})
    endif()
endforeach()
if(NOT LANGUAGE STREQUAL cu)
    set(outer ${headers})
    list(REMOVE_ITEM outer ${first})
    foreach(header IN LISTS outer)
        compile(${header} "#include \"${header}\"\n#include \"${header}\"\n")
    endforeach()
endif()
compile("the set of all headers" "${all}${all}")
if(LANGUAGE STREQUAL cpp)
    file(READ ${CMAKE_CURRENT_LIST_DIR}/user.cpp user)
    string(REPLACE "int main()" "int user()" user "${user}")
    compile("a program of C++" "${user}")
endif()

if(NOT LANGUAGE STREQUAL cu)
    # The headers of C come first: the macros are not theirs to bear.
    set(macros "#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
        "#include <string.h>\n#include <math.h>\n")
    if(LANGUAGE STREQUAL cpp)
        set(command ${COMPILER} -std=c++20 ${warnings} -fsyntax-only)
        list(APPEND macros "#include <type_traits>\n#include <utility>\n")
    endif()
    string(REGEX MATCHALL "." letters ABCDEFGHIJKLMNOPQRSTUVWXYZ)
    set(objects near far small hyper interface pascal cdecl IN OUT OPTIONAL ERROR DELETE CONST VOID TEXT STRICT
        OVERFLOW UNDERFLOW DOMAIN IGNORE complex imaginary B0 B50 ECHO Status Bool None True False Success signals
        slots emit U0 R0 HIGH LOW LEFT RIGHT OK FAIL CHECK DEBUG ALIGN COPY MOVE SWAP BLOCK THREADS WARP ROWS COLUMNS NAMES
        EMPTY RANGE INDEX RANK SHAPE STRIDE MODE TYPE ${letters})
    string(TOLOWER "${letters}" small_letters)
    set(functions min max major minor word bit round check verify likely unlikely swap ${small_letters})
    # Those of capital letters are of both forms, each in a file; all are there behind the headers, too.
    foreach(form IN ITEMS "" "(...)")
        set(before "")
        set(behind "")
        foreach(name IN LISTS objects)
            list(APPEND before "#define ${name}${form} (of others)\n")
        endforeach()
        foreach(name IN LISTS functions)
            list(APPEND before "#define ${name}(...) (of others)\n")
        endforeach()
        foreach(name IN LISTS objects functions)
            list(APPEND behind "#ifndef ${name}\n#error ${name} is gone\n#endif\n")
        endforeach()
        set(text "${macros}" "${before}" "${all}" "${behind}")
        list(JOIN text "" text)
        string(REPLACE ";" "" text "${text}")
        compile("the set of all headers behind macros${form} of others" "${text}")
    endforeach()
endif()

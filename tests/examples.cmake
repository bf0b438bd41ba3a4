# Makes a program that runs every example of the doc comments, and those of the table of operations. An example of a
# doc comment is one line of a header,
#     Example  EXPRESSION  =  RESULT      evaluated by the calculator
#     Example  C EXPRESSION  is  TEXT     compiled, its value printed
# usage: cmake -DINCLUDE_DIR=... -DOUTPUT=... -P examples.cmake

cmake_minimum_required(VERSION 3.25)

set(plain "")
set(named "") # the examples of names.h, whose macros come into force after everything else
file(GLOB_RECURSE headers ${INCLUDE_DIR}/tessera/*.h)
list(SORT headers)
foreach(header IN LISTS headers)
    file(RELATIVE_PATH name ${INCLUDE_DIR} ${header})
    file(STRINGS ${header} lines REGEX "Example[: ]")
    foreach(line IN LISTS lines)
        if(line MATCHES "Example +(.*[^ ])  =  (.*[^ */])")
            set(call "calculated(\"${name}\", \"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\")")
        elseif(line MATCHES "Example +(.*[^ ])  is  (.*[^ */])")
            set(call "compiled(\"${name}\", ${CMAKE_MATCH_1}, \"${CMAKE_MATCH_2}\")")
        else()
            message(FATAL_ERROR "${name}: this example has no form that can be run: ${line}")
        endif()
        if(name STREQUAL tessera/names.h)
            string(APPEND named "    ${call};\n")
        else()
            string(APPEND plain "    ${call};\n")
        endif()
    endforeach()
endforeach()
# Each name of a static integer denotes it.
file(STRINGS ${INCLUDE_DIR}/tessera/names.h lines REGEX "#define _m?[0-9]+ ")
foreach(line IN LISTS lines)
    string(REGEX REPLACE "#define (_m?[0-9]+) .*" "\\1" name "${line}")
    string(REPLACE "m" "-" value ${name})
    string(APPEND named "    compiled(\"tessera/names.h\", ${name}, \"${value}\");\n")
endforeach()
file(WRITE ${OUTPUT} "/* Made by tests/examples.cmake from the doc comments. */
#include \"examples.h\"

static void run_plain(void)
{
${plain}}

#include \"tessera/names.h\"

static void run_named(void)
{
${named}}

int main(void)
{
    run_plain();
    run_named();
    run_table();
    return finished();
}
")

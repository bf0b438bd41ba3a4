# Makes a program that runs every example of the doc comments. An example is one line of a header,
#     Example  EXPRESSION  =  RESULT      evaluated by the calculator
#     Example  C EXPRESSION  is  TEXT     compiled, its value printed
# usage: cmake -DINCLUDE_DIR=... -DOUTPUT=... -P examples.cmake

set(program "/* Made by tests/examples.cmake from the doc comments. */\n#include \"examples.h\"\n\nint main(void)\n{\n")
file(GLOB_RECURSE headers ${INCLUDE_DIR}/tessera/*.h)
list(SORT headers)
foreach(header IN LISTS headers)
    file(RELATIVE_PATH name ${INCLUDE_DIR} ${header})
    file(STRINGS ${header} lines REGEX "Example:? ")
    foreach(line IN LISTS lines)
        if(line MATCHES "Example:? +(.*[^ ])  =  (.*[^ */])")
            set(call "calculated(\"${name}\", \"${CMAKE_MATCH_1}\", \"${CMAKE_MATCH_2}\")")
        elseif(line MATCHES "Example:? +(.*[^ ])  is  (.*[^ */])")
            set(call "compiled(\"${name}\", ${CMAKE_MATCH_1}, \"${CMAKE_MATCH_2}\")")
        else()
            message(FATAL_ERROR "${name}: this example has no form that can be run: ${line}")
        endif()
        string(APPEND program "    ${call};\n")
    endforeach()
endforeach()
string(APPEND program "    return finished();\n}\n")
file(WRITE ${OUTPUT} "${program}")

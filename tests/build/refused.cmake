# What cannot be meant does not compile, and the compiler says so once, in the words of the library.
# usage: cmake -DCOMPILER=... -DLANGUAGE=c|c++ -DINCLUDE_DIR=... -DWORK_DIR=... -P refused.cmake

cmake_minimum_required(VERSION 3.25)
set(ENV{LC_ALL} C) # what compilers say is compared

set(too_many "static.assert.*tsr_make_layout takes a shape, or a shape and a stride")
set(cases
    "tsr_make_layout(4, 8, 1)|${too_many}"
    "tsr_make_layout((4, 8))|${too_many}"
    "tsr_make_layout((4, 8), (8, 1))|${too_many}"
    "tsr_make_layout(tsr_t(4, 8), (8, 1))|${too_many}"
    "tsr_make_layout(4, 8, 1, 4)|${too_many}"
    "tsr_make_layout(1, 2, 3, 4, 5, 6, 7, 8)|${too_many}")
if(LANGUAGE STREQUAL c)
    set(standard -std=c11)
else()
    set(standard -std=c++17)
endif()

foreach(case IN LISTS cases)
    string(REPLACE "|" ";" case "${case}")
    list(GET case 0 expression)
    list(GET case 1 words)
    set(source ${WORK_DIR}/refused_${LANGUAGE}.txt)
    file(WRITE ${source} "#include <tessera/tessera.h>\ntsr_layout f(void);\ntsr_layout f(void) { return ${expression}; }\n")
    execute_process(COMMAND ${COMPILER} -x ${LANGUAGE} ${standard} -I${INCLUDE_DIR} -fsyntax-only ${source}
        RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
    string(REGEX MATCHALL "error:" errors "${said}")
    list(LENGTH errors count)
    if(status EQUAL 0)
        message(SEND_ERROR "compiles: ${expression}")
    elseif(NOT said MATCHES "${words}" OR NOT count EQUAL 1)
        message(SEND_ERROR "${expression} has ${count} errors, and not one with the words \"${words}\":\n${said}")
    endif()
endforeach()

# An element of a view has one index a mode, and a view has the modes that it has.
foreach(case IN ITEMS "tsr_el(a, 1)" "tsr_el(a, 1, 2, 3)")
    set(source ${WORK_DIR}/indices_${LANGUAGE}.txt)
    file(WRITE ${source} "#include <tessera/tessera.h>\ntypedef TSR_STRIDED(float, 2) matrix;\nfloat f(matrix a);\nfloat f(matrix a) { return ${case}; }\n")
    execute_process(COMMAND ${COMPILER} -x ${LANGUAGE} ${standard} -I${INCLUDE_DIR} -fsyntax-only ${source}
        RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(status EQUAL 0 OR NOT said MATCHES "static.assert.*tsr_el: one index for each mode of the view")
        message(SEND_ERROR "compiles, or fails in other words: ${case}\n${said}")
    endif()
endforeach()

# An array has as many elements as its tensor reaches: sizes are constants, and strides a list or an order.
foreach(case IN ITEMS "(4, n)" "(4, n), (n, 1)" "(4, 8), 8" "(4, 8), tsr_t(32, 2)" "8, tsr_right()")
    set(source ${WORK_DIR}/owned_${LANGUAGE}.txt)
    file(WRITE ${source} "#include <tessera/tessera.h>\nvoid f(int n);\nvoid f(int n) { (void)n; tsr_empty(float, a, ${case}); (void)a; }\n")
    execute_process(COMMAND ${COMPILER} -x ${LANGUAGE} ${standard} -Werror=implicit-function-declaration -I${INCLUDE_DIR}
        -fsyntax-only ${source} RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
    if(status EQUAL 0)
        message(SEND_ERROR "compiles: tsr_empty(float, a, ${case})")
    endif()
endforeach()

# A result that says whether something was done is looked at.
foreach(call IN ITEMS "tsr_copy(t, t)" "tsr_gemm(t, t, t)" "tsr_einsum(\"mk,nk->mn\", t, t, t)" "tsr_fill(t, tsr_number_int(0))"
        "tsr_tensor_write(t, tsr_t(0), tsr_number_int(0))" "TSR_STRIDED(float, 2) a\; tsr_strided(&a, t)"
        "TSR_EACH_OF(float) x\; tsr_addresses ahead\; tsr_each(&x, &ahead, t)" "tsr_npy_write(\"a.npy\", t, TSR_C_ORDER, 0)")
    set(source ${WORK_DIR}/unused_${LANGUAGE}.txt)
    file(WRITE ${source} "#include <tessera/io.h>\nvoid f(tsr_tensor t);\nvoid f(tsr_tensor t) { ${call}; }\n")
    execute_process(COMMAND ${COMPILER} -x ${LANGUAGE} ${standard} -Werror=unused-result -I${INCLUDE_DIR} -S -o ${source}.s
        ${source} RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
    if(status EQUAL 0 OR NOT said MATCHES "unused-result")
        message(SEND_ERROR "no warning, or another one: ${call}\n${said}")
    endif()
endforeach()

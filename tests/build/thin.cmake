# What a program of C pays: it reads interfaces only, and calls what computes, plans and moves.
#
# CC is a compiler, SIZE the tool that counts the bytes of code, or empty, LIBRARY the static library with what it is LINKED, or empty. A program of
# one call takes at most 6 kB at -O2, one of three literal tensors 3 kB, and an empty one an address at any level. Objects whose values have other sizes than
# those of the library are not linked with it.

cmake_minimum_required(VERSION 3.25)

file(MAKE_DIRECTORY ${WORK_DIR})

foreach(door IN ITEMS tessera atoms tile text gpu exec/tma picture io)
    file(WRITE ${WORK_DIR}/door.c "#include \"tessera/${door}.h\"\n")
    execute_process(COMMAND ${CC} -std=c11 -I${INCLUDE_DIR} -M ${WORK_DIR}/door.c OUTPUT_VARIABLE read COMMAND_ERROR_IS_FATAL ANY)
    if(read MATCHES "/tessera/[a-z]+/body/[a-z0-9_]+[.]h")
        message(SEND_ERROR "a program of C that includes tessera/${door}.h reads ${CMAKE_MATCH_0}")
    endif()
endforeach()

foreach(number IN ITEMS LEAVES=8 DIMS=8 TRANSFORMS=12)
    string(REGEX REPLACE "=.*" "" what ${number})
    string(TOLOWER ${number} symbol)
    string(REPLACE "=" "_" symbol tsr_abi_${symbol})
    file(WRITE ${WORK_DIR}/other.c "#include \"tessera/tessera.h\"\n#include \"tessera/tile.h\"\nint main(void) { return (int)tsr_at(tsr_make_layout(4), 0); }\n")
    foreach(flag IN ITEMS "" -DTSR_MAX_${number})
        if(LIBRARY)
            execute_process(COMMAND ${CC} -std=c11 ${flag} -I${INCLUDE_DIR} -o ${WORK_DIR}/other ${WORK_DIR}/other.c ${LIBRARY} ${LINKED}
                RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
            if(flag STREQUAL "" AND NOT status EQUAL 0)
                message(SEND_ERROR "a program that is compiled as the library is is not linked with it:\n${said}")
            elseif(NOT flag STREQUAL "" AND (status EQUAL 0 OR NOT said MATCHES ${symbol}))
                message(SEND_ERROR "a program with other ${what} than the library is linked with it, or nothing names ${symbol}:\n${said}")
            endif()
        endif()
    endforeach()
endforeach()

if(NOT SIZE)
    message("skipped: no size, the objects are not measured")
    return()
endif()

# The bytes of code and data of a program of these lines.
function(measure name level most lines)
    file(WRITE ${WORK_DIR}/${name}.c "#include \"tessera/tessera.h\"\n\n${lines}\n")
    execute_process(COMMAND ${CC} -std=c11 ${level} -I${INCLUDE_DIR} -c -o ${WORK_DIR}/${name}.o ${WORK_DIR}/${name}.c
        COMMAND_ERROR_IS_FATAL ANY)
    execute_process(COMMAND ${SIZE} -A ${WORK_DIR}/${name}.o OUTPUT_VARIABLE sections COMMAND_ERROR_IS_FATAL ANY)
    set(bytes 0)
    string(REGEX MATCHALL "[.](text|rodata|data|eh_frame)[^ ]* +[0-9]+" sections "${sections}")
    foreach(section IN LISTS sections)
        string(REGEX REPLACE ".* " "" size "${section}")
        math(EXPR bytes "${bytes} + ${size}")
    endforeach()
    message("${name} ${level}: ${bytes} bytes")
    if(bytes GREATER most)
        message(SEND_ERROR "${name} ${level}: ${bytes} bytes, at most ${most} are allowed")
    endif()
endfunction()

foreach(level IN ITEMS -O0 -O2)
    measure(nothing ${level} 8 "") # the address of tsr_abi_leaves_16 (base/abi.h)
endforeach()
measure(copy -O2 6144 [[
tsr_reason move(float const *from, float *to, int n);
tsr_reason move(float const *from, float *to, int n)
{
    tsr_tensor const a = tsr_make_tensor(tsr_make_gmem_ptr(from), tsr_t(n, 64), tsr_t(64, 1));
    tsr_tensor const b = tsr_make_tensor(tsr_make_gmem_ptr(to), tsr_t(n, 64), tsr_t(1, n));
    return tsr_copy(a, b);
}]])
measure(divide -O2 6144 [[
int64_t tiles(int m, int n);
int64_t tiles(int m, int n)
{
    tsr_layout const l = tsr_zipped_divide(tsr_make_layout(tsr_t(m, n)), tsr_tile(4, 2));
    return tsr_size(tsr_mode(l, 1));
}]])
measure(tensors -O2 3072 [[
int main(void)
{
    float a[12] = {1}, b[20] = {2}, c[15];
    tsr_tensor const x = tsr_make_tensor(tsr_make_gmem_ptr(a), tsr_make_layout(tsr_t(3, 4), tsr_t(4, 1)));
    tsr_tensor const y = tsr_make_tensor(tsr_make_gmem_ptr(b), tsr_make_layout(tsr_t(4, 5), tsr_t(5, 1)));
    tsr_tensor const z = tsr_make_tensor(tsr_make_gmem_ptr(c), tsr_make_layout(tsr_t(3, 5), tsr_t(5, 1)));
    return tsr_einsum("mk,kn->mn", x, y, z).status;
}]])
measure(einsum -O2 6144 [[
tsr_reason product(float const *a, float const *b, float *c, int n);
tsr_reason product(float const *a, float const *b, float *c, int n)
{
    tsr_tensor const x = tsr_make_tensor(tsr_make_gmem_ptr(a), tsr_t(n, 64), tsr_t(64, 1));
    tsr_tensor const y = tsr_make_tensor(tsr_make_gmem_ptr(b), tsr_t(64, n), tsr_t(n, 1));
    tsr_tensor const z = tsr_make_tensor(tsr_make_gmem_ptr(c), tsr_t(n, n), tsr_t(n, 1));
    return tsr_einsum("mk,kn->mn", x, y, z);
}]])

# The headers in one file: alone as C11, C++17 and CUDA, in two units of one program; and what the tool must refuse.
#
# TOOL is tools/amalgamate, HEADER the file that the build made, CC, CXX and NVCC the compilers there are.

cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})
file(COPY_FILE ${HEADER} ${WORK_DIR}/tessera.h)

foreach(unit IN ITEMS one two)
    file(WRITE ${WORK_DIR}/${unit}.c "#include \"tessera.h\"\n#include \"tessera.h\"\n"
        "int ${unit}(void);\nint ${unit}(void) { return (int)tsr_at(tsr_make_layout(tsr_t(4, 8), tsr_t(8, 1)), 6); }\n")
endforeach()
# In C one of them brings the functions; nothing else is linked.
file(READ ${WORK_DIR}/one.c one)
file(WRITE ${WORK_DIR}/one.c "#define TSR_IMPLEMENTATION\n${one}")
file(APPEND ${WORK_DIR}/two.c [[
int one(void);
#ifdef __cplusplus
static bool moves(void) { return true; }
#else
static double twice(double x, void const *context)
{
    (void)context;
    return 2 * x;
}

/** Copies, products, sums and functions of tensors, by the portable loops. */
static bool moves(void)
{
    static float a[6] = {1, 2, 3, 4, 5, 6}, b[6], c[4], sum[2];
    tsr_tensor const x = tsr_make_tensor(tsr_make_rmem_ptr(a), tsr_t(2, 3), tsr_t(3, 1));
    tsr_tensor const y = tsr_make_tensor(tsr_make_rmem_ptr(b), tsr_t(2, 3), tsr_t(1, 2));
    tsr_tensor const z = tsr_make_tensor(tsr_make_rmem_ptr(c), tsr_t(2, 2), tsr_t(2, 1));
    tsr_tensor const rows = tsr_make_tensor(tsr_make_rmem_ptr(sum), tsr_t(2, 3), tsr_t(1, 0));
    bool right = !tsr_copy(x, y).status && b[0] == 1 && b[1] == 4 && b[4] == 3;
    right = right && !tsr_gemm(x, y, z).status && c[0] == 14 && c[1] == 32 && c[3] == 77;
    right = right && !tsr_einsum("mk,nk->mn", x, y, z).status && c[0] == 14 && c[2] == 32;
    right = right && !tsr_reduce_to(TSR_REDUCE_SUM, x, rows).status && sum[0] == 6 && sum[1] == 15;
    right = right && !tsr_transform_reals(x, y, twice, NULL).status && b[5] == 12;
    right = right && !tsr_apply(TSR_OF_SQUARE, x, y).status && b[5] == 36;
    return right && strcmp(tsr_cpu_engine_name(), "loops") == 0
           && tsr_ok(tsr_zipped_divide(tsr_make_layout(tsr_t(8, 6)), tsr_tile(4, 2)));
}
#endif
int main(void) { return one() + two() == 34 && moves() ? 0 : 1; }
]])

# Compiles the two units as a program and runs it.
function(try_language name)
    set(program ${WORK_DIR}/${name})
    execute_process(COMMAND ${ARGN} one.c two.c -o ${program} WORKING_DIRECTORY ${WORK_DIR}
        RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(SEND_ERROR "tessera.h does not compile alone as ${name}")
        return()
    endif()
    execute_process(COMMAND ${program} RESULT_VARIABLE status)
    if(NOT status EQUAL 0)
        message(SEND_ERROR "${name}: the program of two units answers ${status}")
    endif()
endfunction()

set(warnings -Wall -Wextra -Wconversion -pedantic -Werror)
try_language(c ${CC} -std=c11 ${warnings})
if(CXX)
    try_language(cpp ${CXX} -x c++ -std=c++17 ${warnings})
endif()
if(NVCC)
    try_language(cu ${NVCC} -x cu -std=c++17 -Werror all-warnings)
endif()

# Headers of a small tree, in which one thing is wrong: its text and what the tool says.
function(refuse says text)
    set(tree ${WORK_DIR}/tree)
    file(WRITE ${tree}/tessera/a.h "${text}")
    file(WRITE ${tree}/tessera/b.h "#ifndef B_H\n#define B_H\n#include \"tessera/a.h\"\n#endif\n")
    file(WRITE ${tree}/tessera/c.h "#ifndef C_H\n#define C_H\nint c;\n#endif\n")
    execute_process(COMMAND ${TOOL} text ${tree}/out.c ${tree} ${tree} tessera/c.h tessera/a.h
        RESULT_VARIABLE status ERROR_VARIABLE words)
    if(status EQUAL 0 OR NOT words MATCHES "${says}")
        message(SEND_ERROR "amalgamate should say `${says}', not `${words}' (${status})")
    endif()
endfunction()

refuse("tessera/none.h cannot be read" "#include \"tessera/none.h\"\n")
refuse("includes itself" "#include \"tessera/b.h\"\n")
refuse("a.h:2: a local include must stand above all code" "int x;\n#include \"tessera/c.h\"\n")
refuse("a.h:3: a local include must stand above all code" "#if 1\n#if 1\n#include \"tessera/c.h\"\n#endif\n#endif\n")
refuse("c.h cannot be read" "#include \"c.h\"\n")
refuse("1 conditions are left open" "#if 1\n")

# Bodies follow their header, sources stand at the end, with what they alone include.
file(WRITE ${WORK_DIR}/tree/tessera/body/e.h "#include \"tessera/e.h\"\nint body;\n")
file(WRITE ${WORK_DIR}/tree/tessera/e.h
    "#include \"tessera/c.h\"\nint e;\n#if TSR_BODIES\n#  include \"tessera/body/e.h\"\n#endif\nint after;\n")
file(WRITE ${WORK_DIR}/tree/own/f.h "int f;\n")
file(WRITE ${WORK_DIR}/tree/own/g.c "#include \"own/f.h\"\n#include \"tessera/e.h\"\nint g;\n")
execute_process(COMMAND ${TOOL} header ${WORK_DIR}/bodies.h ${WORK_DIR}/tree ${WORK_DIR}/tree tessera/e.h -- own/g.c
    COMMAND_ERROR_IS_FATAL ANY)
file(READ ${WORK_DIR}/bodies.h text)
set(own "#if defined\\(TSR_IMPLEMENTATION\\) && !defined\\(TSR_IMPLEMENTED_\\) && !defined\\(__cplusplus\\)\n")
if(NOT text MATCHES "int c;.*int e;\nint after;\n.*#if TSR_BODIES\nint body;\n#endif\n.*${own}int f;\n#endif.*${own}int g;\n#endif")
    message(SEND_ERROR "bodies or sources are not where they belong:\n${text}")
endif()

# CUDA's headers are for CUDA, once; what stands in comments is no include.
file(WRITE ${WORK_DIR}/tree/tessera/a.h "/*\n#include \"nothing\"\n*/\n#include \"tessera/c.h\"\nint a;\n")
file(WRITE ${WORK_DIR}/tree/tessera/d.h "#include \"tessera/a.h\"\n#define D 1\n")
file(WRITE ${WORK_DIR}/tree/tessera/a.cuh "#include \"tessera/a.h\"\n#include \"tessera/c.h\"\nint cuda;\n")
set(roots ${WORK_DIR}/tree ${WORK_DIR}/tree)
execute_process(COMMAND ${TOOL} header ${WORK_DIR}/out.h ${roots} tessera/a.cuh tessera/a.h COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${TOOL} text ${WORK_DIR}/out.c ${roots} tessera/d.h tessera/a.cuh tessera/a.h
    COMMAND_ERROR_IS_FATAL ANY)
file(READ ${WORK_DIR}/out.h text)
if(NOT text MATCHES "int c;.*int a;.*defined\\(__CUDACC__\\)\nint cuda;\n#endif" OR text MATCHES "int c;.*int c;")
    message(SEND_ERROR "the order or the guards are wrong:\n${text}")
endif()
# A list stands where it is included, each time.
file(WRITE ${WORK_DIR}/tree/tessera/x_list.h "ROW(1)\n#undef ROW\n")
file(WRITE ${WORK_DIR}/tree/tessera/l.h
    "int x[] = {\n#define ROW(n) n,\n#include \"tessera/x_list.h\"\n};\n#define ROW(n) +n\n#include \"tessera/x_list.h\"\n;\n")
execute_process(COMMAND ${TOOL} header ${WORK_DIR}/list.h ${roots} tessera/l.h COMMAND_ERROR_IS_FATAL ANY)
file(READ ${WORK_DIR}/list.h text)
if(NOT text MATCHES "n,\nROW\\(1\\)\n#undef ROW\n};\n#define ROW\\(n\\) \\+n\nROW\\(1\\)\n#undef ROW\n;\n")
    message(SEND_ERROR "a list is not where it is included:\n${text}")
endif()

file(READ ${WORK_DIR}/out.c text)
string(FIND "${text}" "tsr_gpu_headers_[]" table)
string(SUBSTRING "${text}" 0 ${table} one)
string(SUBSTRING "${text}" ${table} -1 rows)
set(quoted "\\\\\"")
if(one MATCHES "define D 1" OR NOT one MATCHES "int a;.*int cuda;")
    message(SEND_ERROR "the header apart is in the one text, or others are not:\n${one}")
endif()
if(NOT rows MATCHES "{\"tessera.h\",\n\"#include ${quoted}tessera/a.cuh${quoted}.n\"\n\"#include ${quoted}tessera/a.h${quoted}"
   OR NOT rows MATCHES "{\"tessera/a.h\",\n[^}]*#include ${quoted}tessera/c.h${quoted}[^}]*int a;"
   OR NOT rows MATCHES "{\"tessera/d.h\",[^}]*define D 1" OR NOT rows MATCHES "tsr_gpu_header_digest_\\[\\] = \"[0-9a-f]+\"")
    message(SEND_ERROR "each header is not a row of its own:\n${rows}")
endif()
# A list is a row, too, and another text has another digest.
execute_process(COMMAND ${TOOL} text ${WORK_DIR}/list.c ${roots} tessera/d.h tessera/a.h tessera/l.h COMMAND_ERROR_IS_FATAL ANY)
file(READ ${WORK_DIR}/list.c text)
string(REGEX MATCH "digest_\\[\\] = \"[0-9a-f]+" first "${rows}")
string(REGEX MATCH "digest_\\[\\] = \"[0-9a-f]+" second "${text}")
if(NOT text MATCHES "{\"tessera/x_list.h\",[^}]*ROW" OR first STREQUAL second)
    message(SEND_ERROR "the row of a list, or the digest:\n${text}")
endif()

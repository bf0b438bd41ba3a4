# The table of cuda/target.cuh is what ptxas says: rows of verbs.tsv, in which every instruction has the targets that accept
# it, and a verb of ours. Verbs compile, by ptxas, for the targets that have them. For others they are refused in the
# table's sentence.

cmake_minimum_required(VERSION 3.25)
set(ENV{LC_ALL} C) # what compilers say is compared

set(targets 90a 100 100f 100a 103a 110a 120 120f 120a 121a)
set(before [[
#include <tessera/cuda.cuh>
#include <tessera/cuda/bulk.cuh>
#include <tessera/cuda/launch.cuh>
#include <tessera/cuda/pairs.cuh>
#include <tessera/cuda/tcgen05.cuh>
template <int Arch, int K, tsr_dtype A, tsr_dtype B, tsr_mma_form Form = TSR_MMA_PLAIN> struct warp {
    static constexpr tsr_mma_atom atom = tsr_warp_mma(Arch, 16, 8, K, TSR_F32, A, B, Form);
};
template <int K, tsr_dtype A, tsr_dtype B, tsr_mma_form Form = TSR_MMA_PLAIN> struct sparse {
    static constexpr tsr_mma_atom atom = tsr_warp_mma_sparse(120, 16, 8, K, TSR_F32, A, B, Form);
};
static constexpr tsr_mma_atom group = tsr_wgmma(8, TSR_F32, TSR_F16, TSR_F16, 0, TSR_MMA_PLAIN);
#define E4M3 TSR_F8_E4M3FN
#define E2M1 TSR_F4_E2M1
#define E2M3 TSR_F6_E2M3
#define E3M2 TSR_F6_E3M2
]])
set(variables [[
(__grid_constant__ tsr_tma_map const map, float *global, int x)
{
    unsigned char *const smem = tsr_dynamic_smem<unsigned char>();
    tsr_barrier *const bar = tsr_dynamic_smem<tsr_barrier>() + 64;
    uint32_t *const u = tsr_dynamic_smem<uint32_t>() + 512, lanes_1[4] = {}, lanes_2[8] = {};
    float *const c = tsr_dynamic_smem<float>() + 256;
    int const rows[4] = {x, x + 1, x + 2, x + 3};
    uint16_t const taps[3] = {1, 2, 3};
    uint64_t const desc = 1;
    tsr_umma_issue const issue = {};
]])

# The sentence of a row of the table.
file(STRINGS ${INCLUDE_DIR}/tessera/cuda/verb_list.h list REGEX "^TSR_ROW_")
foreach(row IN LISTS list)
    string(REGEX MATCH "[(]([A-Z0-9_]+), \"([^\"]*)\"" row "${row}")
    set(sentence_${CMAKE_MATCH_1} "${CMAKE_MATCH_2}: not on this target")
endforeach()
set(sentence_WGMMA "tsr_wgmma: code for sm_90a alone")

# Of row N of the file: the instruction, the row of the table, the targets, the verb.
file(READ ${CMAKE_CURRENT_LIST_DIR}/verbs.tsv text)
string(REPLACE "\n" ";" lines "${text}")
set(count 0)
set(same)
foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([^#\t]+)\t([^\t]+)\t([^\t]+)\t([^\t]+)$")
        continue()
    endif()
    set(verb_${count} "${CMAKE_MATCH_1}")
    set(id_${count} ${CMAKE_MATCH_2})
    string(REPLACE " " ";" on_${count} "${CMAKE_MATCH_3}")
    set(body_${count} "${CMAKE_MATCH_4}")
    set(bits 0)
    foreach(target IN LISTS on_${count})
        if(target IN_LIST targets)
            string(APPEND bits " | TSR_ON_${target}")
        endif()
    endforeach()
    string(APPEND same "static_assert((tsr_verb_<TSR_VERB_${id_${count}}>::targets & ~TSR_ON_90) == (${bits}), \"${verb_${count}}\");\n")
    math(EXPR count "${count} + 1")
endforeach()
if(count LESS 199)
    message(FATAL_ERROR "verbs.tsv has ${count} rows")
endif()
math(EXPR last "${count} - 1")

# Compiles kernels of the rows for a target.
function(compile target output)
    set(source "${before}${same}")
    foreach(i IN LISTS ARGN)
        string(REGEX REPLACE "^[+] " "" body "${body_${i}}")
        string(APPEND source "#line 1 \"row_${i}_\"\n__global__ void kernel_${i}${variables}    ${body};\n}\n")
    endforeach()
    file(WRITE ${WORK_DIR}/verbs.cu "${source}")
    execute_process(COMMAND ${COMPILER} -std=c++17 -arch=sm_${target} -w -I${INCLUDE_DIR} ${output} -o ${WORK_DIR}/verbs.out
            ${WORK_DIR}/verbs.cu
        RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
    set(status ${status} PARENT_SCOPE)
    set(said "${said}" PARENT_SCOPE)
endfunction()

set(compiled 0)
set(refused 0)
foreach(target IN LISTS targets)
    set(there)
    set(absent)
    foreach(i RANGE ${last})
        if(body_${i} STREQUAL "-")
            continue()
        elseif(target IN_LIST on_${i} OR body_${i} MATCHES "^[+]")
            list(APPEND there ${i})
        else()
            list(APPEND absent ${i})
        endif()
    endforeach()
    compile(${target} -cubin ${there})
    if(NOT status EQUAL 0)
        string(REGEX MATCHALL "[^\n]*error[^\n]*" errors "${said}")
        list(SUBLIST errors 0 8 errors)
        message(SEND_ERROR "sm_${target}: verbs that it has do not compile: ${errors}")
    endif()
    compile(${target} -ptx ${absent})
    foreach(i IN LISTS absent)
        # The compiler says a sentence once, so verbs of one row of the table share theirs.
        string(FIND "${said}" "failed with \"${sentence_${id_${i}}}" at)
        if(at LESS 0)
            message(SEND_ERROR "sm_${target}: not refused by the table: ${verb_${i}}")
        endif()
    endforeach()
    list(LENGTH there n)
    math(EXPR compiled "${compiled} + ${n}")
    list(LENGTH absent n)
    math(EXPR refused "${refused} + ${n}")
endforeach()
message(STATUS "${compiled} verbs compiled, ${refused} refused")

# docs/blackwell.md has the table: a line a set of targets.
file(READ ${CMAKE_CURRENT_LIST_DIR}/../../docs/blackwell.md page)
file(STRINGS ${INCLUDE_DIR}/tessera/cuda/target.cuh sets REGEX "^#define TSR_TARGETS_")
foreach(set IN LISTS sets)
    string(REGEX MATCH "TSR_TARGETS_([A-Z0-9_]+)[(]F, X[)](.*)" set "${set}")
    set(name ${CMAKE_MATCH_1})
    string(REGEX MATCHALL "[0-9]+[af]?" on "${CMAKE_MATCH_2}")
    list(TRANSFORM on PREPEND sm_)
    list(JOIN on ", " on)
    if(name STREQUAL EVERY)
        set(on "sm_90, sm_90a and all of Blackwell")
    endif()
    set(verbs)
    foreach(row IN LISTS list)
        if(row MATCHES "\"([^\"]*)\", ${name}[)]")
            list(APPEND verbs "`${CMAKE_MATCH_1}`")
        endif()
    endforeach()
    list(JOIN verbs ", " verbs)
    string(FIND "${page}" "| ${on} | ${verbs} |" at)
    if(at LESS 0 AND NOT name STREQUAL NONE)
        message(SEND_ERROR "docs/blackwell.md has no line\n| ${on} | ${verbs} |")
    endif()
endforeach()

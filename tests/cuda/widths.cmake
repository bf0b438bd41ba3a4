# tsr_copy<Bytes> moves Bytes bytes an access at least (the compiler may join what it knows to be aligned), and each
# byte once; at edges tsr_copy_if moves elements, too. The accesses of each kernel are counted in PTX.

cmake_minimum_required(VERSION 3.25)

set(before [[
#include <tessera/cuda.cuh>
/* 32 threads, 16 values each along the second mode; 64 rows, as a tile of shared memory and as coordinates. */
static constexpr tsr_layout tv = tsr_make_layout(tsr_t(tsr_s(32), tsr_s(16)), tsr_t(tsr_s(1), tsr_s(32)));
static constexpr tsr_layout at = tsr_composition(tsr_make_identity_layout(tsr_t(tsr_s(32), tsr_s(16))), tv);
static constexpr tsr_layout smem = tsr_composition(tsr_make_layout(tsr_t(tsr_s(32), tsr_s(16)), tsr_right()), tv);
template <class T> using global = tsr_global<T, 2, 1>;
]])

# Of the accesses `direction`.`space`: those of at least `width` bytes move `total` bytes together, and there are narrower
# ones only at edges, an element each.
function(count direction space width total)
    set(moved 0)
    foreach(access IN LISTS accesses)
        if(NOT access MATCHES "^${direction}\\.${space}")
            continue()
        endif()
        string(REGEX MATCH "[0-9]+$" bits ${access})
        math(EXPR bytes "${bits} / 8")
        if(access MATCHES "\\.v([24])\\.")
            math(EXPR bytes "${bytes} * ${CMAKE_MATCH_1}")
        endif()
        if(bytes GREATER_EQUAL width)
            math(EXPR moved "${moved} + ${bytes}")
        elseif(NOT edges OR NOT bytes EQUAL size)
            message(SEND_ERROR "${case}: ${access} has ${bytes} bytes, not ${width}")
        endif()
    endforeach()
    if(moved LESS total OR (moved GREATER total AND NOT (edges AND size EQUAL width)))
        message(SEND_ERROR "${case}: ${direction}.${space} moves ${moved} bytes, not ${total}")
    endif()
endfunction()

set(sources ${before})
set(cases)
foreach(type_bytes IN ITEMS "float 4" "uint16_t 2" "uint8_t 1" "double 8")
    string(REPLACE " " ";" type_bytes "${type_bytes}")
    list(GET type_bytes 0 type)
    list(GET type_bytes 1 size)
    foreach(bytes IN ITEMS 4 8 16)
        if(bytes LESS size)
            continue()
        endif()
        foreach(if IN ITEMS "" "_if")
            set(name copy${if}_${type}_${bytes})
            list(APPEND cases "${name} ${size} ${bytes}")
            string(APPEND sources "extern \"C\" __global__ void ${name}(global<${type} const> from, global<${type}> to)\n{\n"
                "    __shared__ alignas(16) ${type} tile[512];\n    ${type} r[16], q[16];\n"
                "    tsr_copy${if}<${bytes}>(tsr_part<at>(from, threadIdx.x), r);\n"
                "    tsr_copy<${bytes}>(r, tsr_part<smem>(tile, threadIdx.x));\n    __syncthreads();\n"
                "    tsr_copy<${bytes}>(tsr_part<smem>(tile, threadIdx.x ^ 1), q);\n"
                "    tsr_copy${if}<${bytes}>(q, tsr_part<at>(to, threadIdx.x));\n}\n")
        endforeach()
    endforeach()
endforeach()

# A vector of a view is one access where its formula proves the elements neighbours, and single elements else.
string(APPEND sources [[
#include <tessera/cuda/tile.cuh>
static constexpr int64_t even[2] = {16, 16}, odd[2] = {16, 15};
static constexpr tsr_descriptor by_4 = tsr_make_naive_tensor_descriptor_packed(2, even, 4);
static constexpr tsr_descriptor by_1 = tsr_make_naive_tensor_descriptor_packed(2, odd, 1);
template <tsr_descriptor const &D> __device__ void vector(float const *from, float *to, int i)
{
    float x[4];
    tsr_make_tensor_view<TSR_GMEM, D>(from).get_vector(x, 0.f, 4, 4 * i);
    tsr_make_tensor_view<TSR_GMEM, D>(to).set_vector(x, 4, 4 * i);
}
extern "C" __global__ void vector_16(float const *from, float *to, int i) { vector<by_4>(from, to, i); }
extern "C" __global__ void vector_4(float const *from, float *to, int i) { vector<by_1>(from, to, i); }
]])

file(WRITE ${WORK_DIR}/widths.cu "${sources}")
execute_process(COMMAND ${COMPILER} -std=c++17 -arch=sm_90a -I${INCLUDE_DIR} -ptx -o ${WORK_DIR}/widths.ptx ${WORK_DIR}/widths.cu
    RESULT_VARIABLE status ERROR_VARIABLE words)
if(NOT status EQUAL 0)
    message(FATAL_ERROR "${words}")
endif()
file(READ ${WORK_DIR}/widths.ptx ptx)
string(REGEX REPLACE "[][;]" "," ptx "${ptx}")

foreach(case IN LISTS cases)
    string(REPLACE " " ";" case_list "${case}")
    list(GET case_list 0 name)
    list(GET case_list 1 size)
    list(GET case_list 2 bytes)
    string(FIND "${ptx}" ".entry ${name}(" begin)
    string(SUBSTRING "${ptx}" ${begin} -1 body)
    string(FIND "${body}" "\n}" end)
    string(SUBSTRING "${body}" 0 ${end} body)
    string(REGEX MATCHALL "(ld|st)\\.(global|shared)[.a-z0-9]*" accesses "${body}")
    math(EXPR total "16 * ${size}")
    set(edges 0)
    count(ld shared ${bytes} ${total})
    count(st shared ${bytes} ${total})
    if(name MATCHES "_if_")
        set(edges 1)
    endif()
    count(ld global ${bytes} ${total})
    count(st global ${bytes} ${total})
endforeach()

foreach(bytes IN ITEMS 16 4)
    set(case vector_${bytes})
    set(edges 0)
    string(FIND "${ptx}" ".entry ${case}(" begin)
    string(SUBSTRING "${ptx}" ${begin} -1 body)
    string(FIND "${body}" "\n}" end)
    string(SUBSTRING "${body}" 0 ${end} body)
    string(REGEX MATCHALL "(ld|st)\\.global[.a-z0-9]*" accesses "${body}")
    count(ld global ${bytes} 16)
    count(st global ${bytes} 16)
endforeach()

# How every target of the project is compiled.

# gcc keeps frames on a heap, to find uses after a return, at addresses that are not aligned to its vectors of 64 bytes;
# gcc 13 and later does so unless told otherwise.
function(tessera_sanitize target)
    target_compile_options(${target} PRIVATE
        -Og -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all
        $<$<C_COMPILER_ID:GNU>:--param=asan-use-after-return=0>
        $<$<C_COMPILER_ID:Clang>:-Wno-pass-failed>) # loops with checks in them are not vectorized
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
endfunction()

# A layout is 600 bytes. What gcc writes in place to copy and to clear that takes twice the time of memcpy and memset.
set(TESSERA_LARGE_VALUES "")
if(CMAKE_C_COMPILER_ID STREQUAL "GNU" AND CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(TESSERA_LARGE_VALUES -mmemcpy-strategy=libcall:-1:noalign -mmemset-strategy=libcall:-1:noalign)
endif()

# Where -O2 takes gcc up to five times as long, and nothing that is timed runs.
set(TESSERA_UNHURRIED "")
set(TESSERA_LOOPS "")
if(CMAKE_C_COMPILER_ID MATCHES "GNU|Clang")
    set(TESSERA_UNHURRIED $<$<CONFIG:Release,RelWithDebInfo>:-O1>)
    set(TESSERA_LOOPS $<$<CONFIG:Release,RelWithDebInfo>:-O3>)
endif()

# The warnings are those of gcc and clang; another compiler has its own.
function(tessera_build_flags target)
    set_target_properties(${target} PROPERTIES
        C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
        COMPILE_WARNING_AS_ERROR ${TESSERA_WERROR})
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    foreach(language IN ITEMS C CXX)
        target_compile_options(${target} PRIVATE
            "$<$<COMPILE_LANG_AND_ID:${language},GNU,Clang,AppleClang>:-Wall;-Wextra;-Wconversion;-pedantic>")
    endforeach()
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^s390") # where ISO C computes floats in double, which no vector of floats takes
        target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:C,GNU>:-fexcess-precision=fast>)
    endif()
    if(TESSERA_SANITIZE)
        tessera_sanitize(${target})
    endif()
endfunction()

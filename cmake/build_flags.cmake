# How every target of the project is compiled.

function(tessera_sanitize target)
    target_compile_options(${target} PRIVATE
        -Og -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
endfunction()

function(tessera_build_flags target)
    set_target_properties(${target} PROPERTIES
        C_STANDARD 11 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF C_VISIBILITY_PRESET hidden
        CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF)
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_compile_options(${target} PRIVATE
        -Wall -Wextra -Wconversion -pedantic $<$<BOOL:${TESSERA_WERROR}>:-Werror>)
    if(TESSERA_SANITIZE)
        tessera_sanitize(${target})
    endif()
endfunction()

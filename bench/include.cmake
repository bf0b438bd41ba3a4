# How much longer an empty file compiles when it includes tessera/tessera.h. The limit is 0.06 s in C, 0.1 s elsewhere.
#
# The compilers, each with and without the header, take turns; the medians of the turns are compared. Compilers that
# are not there are passed over.

cmake_minimum_required(VERSION 3.25)

set(turns 11)
set(gcc_limit 60) # milliseconds
set(clang_limit 60)
set(g++_limit 100) # these read the bodies of the algebra, too
set(nvcc_limit 100)

find_program(gcc gcc)
find_program(clang clang)
find_program(g++ g++)
find_program(nvcc nvcc HINTS /usr/local/cuda/bin ENV CUDA_PATH PATH_SUFFIXES bin)
set(gcc_command ${gcc} -std=c11 -O2)
set(clang_command ${clang} -std=c11 -O2)
set(g++_command ${g++} -std=c++17 -O2)
set(nvcc_command ${nvcc} -std=c++17 -arch=sm_90)
set(gcc_ending c)
set(clang_ending c)
set(g++_ending cpp)
set(nvcc_ending cu)

function(microseconds result)
    string(TIMESTAMP now "%s%f")
    set(${result} ${now} PARENT_SCOPE)
endfunction()

function(compile compiler name result)
    set(source ${WORK_DIR}/include_${name}.${${compiler}_ending})
    microseconds(start)
    execute_process(COMMAND ${${compiler}_command} -I${INCLUDE_DIR} -c -o ${source}.o ${source}
        COMMAND_ERROR_IS_FATAL ANY)
    microseconds(end)
    math(EXPR elapsed "${end} - ${start}")
    set(${result} ${elapsed} PARENT_SCOPE)
endfunction()

function(median list result)
    list(SORT ${list} COMPARE NATURAL)
    list(LENGTH ${list} count)
    math(EXPR middle "${count} / 2")
    list(GET ${list} ${middle} value)
    set(${result} ${value} PARENT_SCOPE)
endfunction()

foreach(compiler IN ITEMS gcc clang g++ nvcc)
    if(${compiler})
        list(APPEND compilers ${compiler})
        file(WRITE ${WORK_DIR}/include_empty.${${compiler}_ending} "")
        file(WRITE ${WORK_DIR}/include_tessera.${${compiler}_ending} "#include \"tessera/tessera.h\"\n")
    else()
        message("include: no ${compiler}")
    endif()
endforeach()

foreach(turn RANGE ${turns}) # one more than the number: the first one fills the file cache
    foreach(compiler IN LISTS compilers)
        compile(${compiler} empty empty)
        compile(${compiler} tessera tessera)
        if(turn GREATER 0)
            list(APPEND ${compiler}_empty ${empty})
            list(APPEND ${compiler}_tessera ${tessera})
        endif()
    endforeach()
endforeach()

foreach(compiler IN LISTS compilers)
    execute_process(COMMAND ${${compiler}} --version OUTPUT_VARIABLE version)
    string(REGEX MATCH "[0-9]+\\.[0-9.]+" version "${version}")
    median(${compiler}_empty empty)
    median(${compiler}_tessera tessera)
    math(EXPR added "(${tessera} - ${empty} + 500) / 1000")
    math(EXPR empty "(${empty} + 500) / 1000")
    set(verdict ok)
    set(limit ${${compiler}_limit})
    if(added GREATER limit)
        set(verdict OVER)
    endif()
    message("include  ${compiler} ${version}: ${added} ms more than the ${empty} ms of an empty file, "
        "limit ${limit} ms  ${verdict}")
endforeach()
